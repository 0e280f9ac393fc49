/*
 * net.c - NATS with JetStream, by libnats.
 */
#include "fleet/nats/net.h"

#include <errno.h>
#include <inttypes.h>
#include <nats/nats.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fleet/audit.h"
#include "fleet/nats/collect.h"
#include "fleet/nats/direct.h"
#include "fleet/files.h"
#include "fleet/message.h"
#include "fleet/nats/net_state.h"

enum {
	WAIT_MS = 3000,
	RECONNECT_MS = 200,
	PING_MS = 5000, /* time between pings; two pings without an answer end a connection */
	RECEIVE_MAX = 1 << 20, /* maximum number of messages that wait to be read */
	SECONDS = 1000000000,
	WEEK = 7, /* days */
	AUDIT_DAYS = 90,
	FILE_MAX = 4 << 20,
};

#define SYSTEM_CA "/etc/ssl/certs/ca-certificates.crt"

#define DAY (86400ll * SECONDS)

/* The limits of a host's streams. When one is full, the server discards its oldest messages. */
#define HOST_BYTES (64ll << 20)
#define STATE_MESSAGES 1000
#define OUT_MESSAGES 20000
/* The limits of two streams: that of requests, and that of the inventory's plans (inventory.h). */
#define RUNS_BYTES (256ll << 20)
#define PLANS_BYTES (64ll << 20)
/* The limit of the history of all hosts. The server discards the oldest messages. */
#define HISTORY_BYTES (8ll << 30)
/* The limits of the audit stream: bytes of all entries, and number of entries of one host. */
#define AUDIT_BYTES (32ll << 30)
#define AUDIT_MESSAGES 100000
/* A viewer stops reading a host's stream after these numbers of messages (collect_new()). */
#define STATE_MOST 2000
#define OUT_MOST 40000

/*
 * Returns whether TLS is required. The library does not check it: it accepts a server without TLS
 * even if the address begins with tls://.
 */
static bool wants_tls(const struct net_opts *n)
{
	return n->ca || n->cert || strstr(n->url, "tls://");
}

static bool read_file(struct strbuf *b, const char *path, struct strbuf *wrong)
{
	if (!path || (file_get(path, 0, FILE_MAX, b) && b->len))
		return true;
	strbuf_addf(wrong, "failed to read %s: %s", path, b->len ? "empty" : strerror(errno));
	return false;
}

bool net_files_read(struct net_files *f, const struct net_opts *o, struct strbuf *wrong)
{
	*f = (struct net_files){0};
	if (!wants_tls(o))
		return true;
	if (!o->ca)
		file_get(SYSTEM_CA, 0, FILE_MAX, &f->ca);
	return read_file(&f->ca, o->ca, wrong) && read_file(&f->cert, o->cert, wrong) &&
	       read_file(&f->key, o->key, wrong);
}

void net_files_release(struct net_files *f)
{
	if (f->key.s)
		memset(f->key.s, 0, f->key.len);
	strbuf_release(&f->ca);
	strbuf_release(&f->cert);
	strbuf_release(&f->key);
}

/* Turns TLS on if wants_tls(). The library then also checks the server's name. */
static natsStatus set_tls(natsOptions *o, const struct net_opts *n, const struct net_files *f)
{
	natsStatus s = NATS_OK;

	if (!wants_tls(n))
		return s;
	s = natsOptions_SetSecure(o, true);
	if (s == NATS_OK && f->ca.len)
		s = natsOptions_SetCATrustedCertificates(o, strbuf_text(&f->ca));
	if (s == NATS_OK && f->cert.len)
		s = natsOptions_SetCertificatesChain(o, strbuf_text(&f->cert),
						     strbuf_text(&f->key));
	return s;
}

/* Does nothing. The library connects in the background only if it has this callback. */
static void on_connected(natsConnection *conn, void *ctx)
{
	(void)conn, (void)ctx;
}

static natsStatus set_options(natsOptions *o, const struct net_opts *n,
			      const struct net_files *files, bool wait)
{
	const char *url[16];
	char *list = xstrdup(n->url), *rest = NULL;
	natsStatus s;
	int nurl = 0;

	for (char *u = strtok_r(list, ",", &rest); u && nurl < 16; u = strtok_r(NULL, ",", &rest))
		url[nurl++] = u;
	s = natsOptions_SetServers(o, url, nurl);
	xfree(list);
	if (s == NATS_OK)
		s = natsOptions_SetMaxReconnect(o, -1);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(o, RECONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetFailRequestsOnDisconnect(o, true);
	if (s == NATS_OK && !wait)
		s = natsOptions_SetRetryOnFailedConnect(o, true, on_connected, NULL);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPendingMsgs(o, RECEIVE_MAX);
	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(o, PING_MS);
	if (s == NATS_OK)
		s = natsOptions_SetMaxPingsOut(o, 1);
	if (s == NATS_OK && n->name)
		s = natsOptions_SetName(o, n->name);
	if (s == NATS_OK && n->inbox)
		s = natsOptions_SetCustomInboxPrefix(o, n->inbox);
	return s == NATS_OK ? set_tls(o, n, files) : s;
}

static natsStatus connect_to(struct net *n, const struct net_opts *o, const struct net_files *files,
			     bool wait)
{
	jsOptions jo;
	natsStatus s = natsOptions_Create(&n->opts);

	jsOptions_Init(&jo);
	jo.Wait = WAIT_MS;
	if (s == NATS_OK)
		s = set_options(n->opts, o, files, wait);
	if (s == NATS_OK)
		s = natsConnection_Connect(&n->conn, n->opts);
	if (s == NATS_OK || (s == NATS_NOT_YET_CONNECTED && !wait))
		s = natsConnection_JetStream(&n->js, n->conn, &jo);
	return s;
}

struct net *net_open(const struct net_opts *o, bool wait, struct strbuf *wrong)
{
	struct net *n = xcalloc(1, sizeof(*n));
	struct net_files read = {0};
	natsStatus s = NATS_OK;

	n->inbox = o->inbox ? xstrdup(o->inbox) : NULL;
	n->other_api = o->api;
	n->api = o->api ? o->api : API_DEFAULT;
	if (!o->files && !net_files_read(&read, o, wrong))
		s = NATS_ERR;
	if (s == NATS_OK) {
		s = connect_to(n, o, o->files ? o->files : &read, wait);
		if (s != NATS_OK)
			strbuf_addf(wrong, "failed to connect to %s: %s%s", o->url,
				    natsStatus_GetText(s),
				    s == NATS_NO_SERVER ? "; set the server's address with -S or "
							  "DTRACE_FLEET_SERVER"
							: "");
	}
	net_files_release(&read);
	if (s == NATS_OK)
		return n;
	net_close(n);
	return NULL;
}

void net_close(struct net *n)
{
	if (!n)
		return;
	jsCtx_Destroy(n->js);
	natsConnection_Destroy(n->conn);
	natsOptions_Destroy(n->opts);
	xfree(n->inbox);
	xfree(n);
}

bool net_connected(struct net *n)
{
	return natsConnection_Status(n->conn) == NATS_CONN_STATUS_CONNECTED;
}

bool net_is_over(struct net *n)
{
	return natsConnection_IsClosed(n->conn);
}

uint64_t net_connections(struct net *n)
{
	natsStatistics *st = NULL;
	uint64_t again = 0;

	if (natsStatistics_Create(&st) == NATS_OK &&
	    natsConnection_GetStats(n->conn, st) == NATS_OK)
		natsStatistics_GetCounts(st, NULL, NULL, NULL, NULL, &again);
	natsStatistics_Destroy(st);
	return again + net_connected(n);
}

bool net_try(struct net *n, const char *subject, const void *p, size_t size, bool *answered)
{
	jsErrCode code = 0;
	bool ok = net_connected(n) &&
		  js_Publish(NULL, n->js, subject, p, (int)size, NULL, &code) == NATS_OK;

	*answered = ok || code;
	return ok;
}

bool net_put(struct net *n, const char *subject, const void *p, size_t size)
{
	bool answered;

	return net_try(n, subject, p, size, &answered);
}

void net_token(char token[TOKEN_SIZE])
{
	uint64_t random;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		abort(); /* getrandom() never fails for 256 bytes or less */
	snprintf(token, TOKEN_SIZE, "%016" PRIx64, random);
}

uint64_t net_max(struct net *n)
{
	int64_t max = natsConnection_GetMaxPayload(n->conn);

	return max > 0 ? (uint64_t)max : 0;
}

bool net_put_async(struct net *n, const char *subject, const void *p, size_t size)
{
	return js_PublishAsync(n->js, subject, p, (int)size, NULL) == NATS_OK;
}

bool net_drain(struct net *n, int64_t ms)
{
	jsPubOptions o;

	jsPubOptions_Init(&o);
	o.MaxWait = ms;
	return js_PublishAsyncComplete(n->js, &o) == NATS_OK;
}

/* A stream to create. 0 means that there is no limit. */
struct stream {
	const char *name;
	const char *subjects[2];
	int nsubject;
	int64_t per_subject; /* maximum number of messages of each subject */
	int64_t messages, bytes;
	int64_t age; /* messages are kept for this time, ns */
	/* when a subject is full, the server refuses new messages, and keeps the old ones */
	bool first;
	bool news; /* the server announces each message (NEWS) */
};

/* Returns the number of replicas for a new stream: as many as the stream STREAM_RUNS has. */
static int64_t usual_replicas(struct net *n)
{
	jsStreamInfo *si = NULL;
	int64_t replicas = 1;

	if (js_GetStreamInfo(&si, n->js, STREAM_RUNS, NULL, NULL) == NATS_OK)
		replicas = si->Config->Replicas;
	jsStreamInfo_Destroy(si);
	return replicas;
}

/* Writes to @wrong why the server did not create or change the stream, and what the user can do. */
static void not_created(struct strbuf *wrong, const char *stream, natsStatus s, jsErrCode code)
{
	const char *todo = "";

	if (code == JSNotEnabledErr || s == NATS_NO_RESPONDERS)
		todo = " (is JetStream on?)";
	else if (code == JSStorageResourcesExceededErr)
		todo = " (too little room: raise max_file_store of jetstream)";
	strbuf_addf(wrong, "failed to create stream %s: %s%s", stream, natsStatus_GetText(s), todo);
}

static bool add_stream(struct net *n, const struct stream *s, struct strbuf *wrong)
{
	jsStreamInfo *there = NULL;
	const char *subjects[2] = {s->subjects[0], s->subjects[1]};
	jsStreamConfig c;
	jsRePublish news;
	jsErrCode code = 0;
	natsStatus st;

	st = js_GetStreamInfo(&there, n->js, s->name, NULL, &code);
	jsStreamInfo_Destroy(there);
	if (st == NATS_OK)
		return true;
	jsStreamConfig_Init(&c);
	c.Name = s->name;
	c.Subjects = subjects;
	c.SubjectsLen = s->nsubject;
	c.MaxMsgsPerSubject = s->per_subject;
	c.MaxMsgs = s->messages ? s->messages : -1;
	c.MaxBytes = s->bytes ? s->bytes : -1;
	c.MaxAge = s->age;
	c.DenyDelete = true;
	c.AllowDirect = true;
	c.Discard = s->first ? js_DiscardNew : js_DiscardOld;
	c.DiscardNewPerSubject = s->first;
	c.Replicas = usual_replicas(n);
	jsRePublish_Init(&news);
	news.Source = ">";
	news.Destination = NEWS ".>";
	news.HeadersOnly = true;
	c.RePublish = s->news ? &news : NULL;
	st = js_AddStream(NULL, n->js, &c, NULL, &code);
	if (st != NATS_OK)
		not_created(wrong, s->name, st, code);
	return st == NATS_OK;
}

bool net_renew(struct net *n, struct strbuf *wrong)
{
	jsStreamInfo *si = NULL;
	natsStatus s = NATS_OK;

	if (js_GetStreamInfo(&si, n->js, STREAM_RUNS, NULL, NULL) == NATS_OK &&
	    !si->Config->RePublish)
		s = js_DeleteStream(n->js, STREAM_RUNS, NULL, NULL);
	jsStreamInfo_Destroy(si);
	if (s != NATS_OK)
		strbuf_addf(wrong, "failed to delete stream %s of a former version: %s",
			    STREAM_RUNS, natsStatus_GetText(s));
	return s == NATS_OK;
}

bool net_setup(struct net *n, struct strbuf *wrong)
{
	/*
	 * The plans of the inventory (STREAM_HOSTS) have no maximum age. STREAM_HOSTS is like the
	 * stream of a normal bucket of the key-value store. But AllowRollup is not set, so that no
	 * client can remove the entries of other clients.
	 */
	static const struct stream streams[] = {
		{STREAM_RUNS,
		 {"fleet.run.*", "fleet.stop.*.*"},
		 2,
		 1,
		 0,
		 RUNS_BYTES,
		 DAY,
		 true,
		 true},
		{STREAM_HOSTS, {BUCKET_HOSTS "plan.>"}, 1, 1, 0, PLANS_BYTES, 0, false, false},
	};

	for (size_t i = 0; i < sizeof(streams) / sizeof(*streams); i++)
		if (!add_stream(n, &streams[i], wrong))
			return false;
	return true;
}

bool net_admit(struct net *n, const char *host, struct strbuf *wrong)
{
	struct strbuf b[5] = {{0}}, h = {0};
	bool ok;

	subject_host(&h, host);
	strbuf_addf(&b[0], STREAM_STATE "%s", h.s);
	strbuf_addf(&b[1], "fleet.state.*.%s.*.*", h.s);
	strbuf_addf(&b[2], BUCKET_HOSTS "host.%s.*", h.s);
	strbuf_addf(&b[3], STREAM_OUT "%s", h.s);
	strbuf_addf(&b[4], "fleet.out.*.%s.*.*", h.s);
	/*
	 * STREAM_STATE has no maximum age, because it also has the host's entry of the inventory.
	 */
	ok = add_stream(n,
			&(struct stream){b[0].s,
					 {b[1].s, b[2].s},
					 2,
					 1,
					 STATE_MESSAGES,
					 HOST_BYTES,
					 0,
					 false,
					 false},
			wrong) &&
	     add_stream(n,
			&(struct stream){b[3].s,
					 {b[4].s},
					 1,
					 10000,
					 OUT_MESSAGES,
					 HOST_BYTES,
					 DAY,
					 false,
					 false},
			wrong) &&
	     net_setup_audit(n, 0, wrong);
	for (int i = 0; i < 5; i++)
		strbuf_release(&b[i]);
	strbuf_release(&h);
	return ok;
}

/* ------------------------------------------------------------------------ replicas */

enum { REPLICAS_BEST = 3, CURRENT_S = 20 };

/*
 * Returns whether dtrace-fleet made the stream. The account may also have streams of other
 * programs.
 */
static bool is_ours(const char *name)
{
	return !strncmp(name, "FLEET_", 6) || !strncmp(name, "KV_FLEET_", 9);
}

/* Returns whether the server that has the stream belongs to a cluster. */
static bool is_clustered(const jsStreamInfo *si)
{
	return si->Cluster && si->Cluster->Name && *si->Cluster->Name;
}

/*
 * Changes the number of replicas of a stream. Returns NATS_OK, or an error with details in @code.
 * Refuses more than one replica on a server without a cluster, which would accept any number.
 */
static natsStatus set_replicas(struct net *n, const char *name, int64_t replicas, jsErrCode *code)
{
	jsStreamInfo *si = NULL;
	natsStatus s = js_GetStreamInfo(&si, n->js, name, NULL, code);

	if (s == NATS_OK && replicas > 1 && !is_clustered(si)) {
		*code = JSStreamReplicasNotSupportedErr;
		s = NATS_ERR;
	}
	if (s == NATS_OK && si->Config->Replicas != replicas) {
		si->Config->Replicas = replicas;
		s = js_UpdateStream(NULL, n->js, si->Config, NULL, code);
	}
	jsStreamInfo_Destroy(si);
	return s;
}

/* Returns whether the stream has all of its replicas, and each of these has all messages. */
static bool is_current(struct net *n, const char *name)
{
	jsStreamInfo *si = NULL;
	bool ok = js_GetStreamInfo(&si, n->js, name, NULL, NULL) == NATS_OK;
	int want = ok ? (int)si->Config->Replicas - 1 : 0;

	ok = ok && (!want || (si->Cluster && si->Cluster->ReplicasLen == want));
	for (int i = 0; ok && i < want; i++)
		ok = si->Cluster->Replicas[i]->Current;
	jsStreamInfo_Destroy(si);
	return ok;
}

/* Returns whether the error means that the cluster has fewer servers than replicas. */
static bool too_few_servers(jsErrCode code)
{
	return code == JSClusterNoPeersErr || code == JSStreamReplicasNotSupportedErr ||
	       code == JSInsufficientResourcesErr;
}

/*
 * Sets the replicas of all streams in the list. If @replicas is 0, tries REPLICAS_BEST, and then
 * fewer as long as the cluster has too few servers. Returns the number of replicas, or 0 with the
 * reason in @wrong.
 */
static int replicate(struct net *n, const jsStreamNamesList *l, int replicas, struct strbuf *wrong)
{
	int want = replicas ? replicas : REPLICAS_BEST;

	for (int i = 0; i < l->Count; i++) {
		jsErrCode code = 0;
		natsStatus s = is_ours(l->List[i]) ? set_replicas(n, l->List[i], want, &code)
						   : NATS_OK;

		if (s == NATS_OK)
			continue;
		if (!replicas && want > 1 && too_few_servers(code)) {
			want--;
			/* begin again with the first streams, which have too many replicas now */
			i = -1;
			continue;
		}
		strbuf_addf(wrong, "failed to keep %d replicas of stream %s: %s%s", want,
			    l->List[i], natsStatus_GetText(s),
			    too_few_servers(code) ? " (the cluster has too few servers)" : "");
		return 0;
	}
	return want;
}

int net_replicate(struct net *n, int replicas, struct strbuf *wrong)
{
	static const struct timespec pause = {0, 100000000};
	uint64_t end = now_boot() + CURRENT_S * 1000000000ull;
	jsStreamNamesList *l = NULL;
	jsOptions o;
	natsStatus s;
	int got = 0;

	jsOptions_Init(&o);
	o.Stream.Info.SubjectsFilter = NULL;
	s = js_StreamNames(&l, n->js, &o, NULL);
	if (s == NATS_OK)
		got = replicate(n, l, replicas, wrong);
	else
		strbuf_addf(wrong, "failed to list the streams: %s", natsStatus_GetText(s));
	for (int i = 0; got > 1 && i < l->Count; i++)
		while (is_ours(l->List[i]) && !is_current(n, l->List[i])) {
			if (now_boot() > end) {
				strbuf_addf(wrong, "the replicas of stream %s are not ready yet",
					    l->List[i]);
				got = 0;
				break;
			}
			nanosleep(&pause, NULL);
		}
	jsStreamNamesList_Destroy(l);
	return got;
}

/*
 * Stores in @m when the server stored the message, and the number of the message in its stream.
 * JetStream writes both into the reply subject, which has 9 parts with dots between them, or 11 or
 * more if it has the names of the domain and the account. Does nothing if the message comes from no
 * stream: its reply subject has another form.
 */
static void note_stored(natsMsg *msg, struct net_message *m)
{
	const char *reply = natsMsg_GetReply(msg), *part[13];
	int n = 0, at;

	if (!reply || strncmp(reply, "$JS.ACK.", 8))
		return;
	for (const char *p = reply; p && n < 13; n++) {
		part[n] = p;
		p = strchr(p, '.');
		p = p ? p + 1 : NULL;
	}
	at = n == 9 ? 5 : n >= 11 ? 7 : 0;
	if (at) {
		m->seq = strtoull(part[at], NULL, 10);
		m->time = strtoull(part[at + 2], NULL, 10);
	}
}

/* Gives the message to @fn. Returns the number of the message in its stream. */
static uint64_t hand_over(natsMsg *msg, net_fn *fn, void *ctx)
{
	struct net_message m = {natsMsg_GetSubject(msg), natsMsg_GetData(msg),
				(size_t)natsMsg_GetDataLength(msg), 0, 0};

	note_stored(msg, &m);
	fn(ctx, &m);
	return m.seq;
}

/* ------------------------------------------------------------------------ reading streams */

/*
 * A reader uses a pull consumer of JetStream: the server sends only the messages that a request
 * asks for, so few messages are in transit. This file sends the requests itself, because the
 * library's pull subscriptions may have several requests pending.
 */
struct net_reader {
	/* reads the streams of all hosts; NULL for a reader of one stream */
	struct collect *collect;
	struct direct *direct; /* reads without a consumer; NULL for a reader with one */
	struct net *n;
	char *stream, *subject, *inbox;
	char *consumer; /* name of the consumer, or NULL if there is none yet */
	bool last;      /* begin with the last message of each subject */
	/* number of the next message to read; 0 if @since or @last says where to begin */
	uint64_t from;
	/*
	 * time of the first message to read, ns since 1970; 0 if @from or @last says where to begin
	 */
	uint64_t since;
	uint64_t seq;     /* number of the last message that was received; 0 if none was */
	bool resumes;     /* the next consumer begins after message number @seq */
	uint64_t expires; /* seconds after which the server ends a request for messages */
	natsSubscription *sub;
	uint64_t connections; /* net_connections() at the last request */
	int asked;         /* number of messages that the server may still send for the request */
	size_t largest;    /* bytes of the largest message so far */
	uint64_t received; /* number of messages since the consumer was made */
	uint64_t heard;    /* time of the last message or request, ns since boot */
};

enum {
	REQUEST_BYTES = 1 << 20, /* maximum number of bytes in transit, roughly */
	REQUEST_MAX = 1000,
	REQUEST_S = 5, /* time limit of a request for messages */
	/*
	 * time limit of a request by net_reader_follow(), whose stream seldom has new messages;
	 * must be less than INACTIVE_S
	 */
	FOLLOW_S = 30,
	/*
	 * The server sends this number of heartbeats while a request is pending. If three of them
	 * are missing, the consumer may be lost with a server of the cluster; is_lost() checks
	 * that.
	 */
	HEARTBEATS = 5,
	PONG_MS = 1000,  /* time limit for the answer of a server to a ping */
	INACTIVE_S = 60, /* the server removes a consumer that nobody uses for this time */
	INFO_WAIT_MS = 1000,
	NO_STREAM_MS = 3000, /* time limit for finding a stream, or for connecting again */
};

/*
 * Creates a stream that keeps messages for @days, or for @usual days if @days is 0. If the stream
 * exists, changes this time, unless @days is 0.
 */
static bool set_up_aged(struct net *n, jsStreamConfig *c, unsigned days, unsigned usual,
			struct strbuf *wrong)
{
	jsStreamInfo *there = NULL;
	jsErrCode code = 0;
	natsStatus s;

	c->MaxAge = (days ? days : usual) * DAY;
	c->DenyDelete = true;
	c->AllowDirect = true;
	if (days)
		s = js_UpdateStream(NULL, n->js, c, NULL, &code);
	else
		s = js_GetStreamInfo(&there, n->js, c->Name, NULL, &code);
	jsStreamInfo_Destroy(there);
	if (s != NATS_OK && code == JSStreamNotFoundErr)
		s = js_AddStream(NULL, n->js, c, NULL, &code);
	if (s != NATS_OK)
		not_created(wrong, c->Name, s, code);
	return s == NATS_OK;
}

bool net_setup_history(struct net *n, unsigned days, struct strbuf *wrong)
{
	const char *subjects[] = {"fleet.history.*.*.*"};
	jsStreamConfig c;

	jsStreamConfig_Init(&c);
	c.Name = STREAM_HISTORY;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.MaxBytes = HISTORY_BYTES;
	return set_up_aged(n, &c, days, WEEK, wrong);
}

bool net_setup_audit(struct net *n, unsigned days, struct strbuf *wrong)
{
	const char *subjects[] = {"fleet.audit.*"};
	jsStreamConfig c;

	jsStreamConfig_Init(&c);
	c.Name = STREAM_AUDIT;
	c.Subjects = subjects;
	c.SubjectsLen = 1;
	c.MaxBytes = AUDIT_BYTES;
	c.MaxMsgsPerSubject = AUDIT_MESSAGES;
	c.MaxMsgSize = AUDIT_MAX;
	c.DenyPurge = true;
	c.Discard = js_DiscardNew;
	c.DiscardNewPerSubject = true;
	return set_up_aged(n, &c, days, AUDIT_DAYS, wrong);
}

/* Makes a reader as net_reader_new() does. If @from is not 0, the reader begins at that message. */
static struct net_reader *new_reader(struct net *n, const char *stream, const char *subject,
				     bool last, uint64_t from)
{
	struct net_reader *r = xcalloc(1, sizeof(*r));

	if (!strcmp(stream, STREAM_STATE) || !strcmp(stream, STREAM_OUT)) {
		r->collect = collect_new(n, stream, subject,
					 strcmp(stream, STREAM_OUT) ? STATE_MOST : OUT_MOST);
		return r;
	}
	if (n->other_api) {
		r->direct = direct_new(n, stream, subject, from);
		return r;
	}
	r->n = n;
	r->stream = xstrdup(stream);
	r->subject = subject ? xstrdup(subject) : NULL;
	r->inbox = inbox_new(n);
	r->last = last;
	r->from = from;
	r->expires = REQUEST_S;
	r->largest = REQUEST_BYTES / 4;
	return r;
}

struct net_reader *net_reader_new(struct net *n, const char *stream, const char *subject, bool last)
{
	return new_reader(n, stream, subject, last, 0);
}

struct net_reader *net_reader_follow(struct net *n, const char *stream)
{
	struct net_reader *r = new_reader(n, stream, NULL, false, 1);

	r->expires = FOLLOW_S;
	return r;
}

struct net_reader *net_reader_since(struct net *n, const char *stream, const char *subject,
				    uint64_t since)
{
	struct net_reader *r = net_reader_new(n, stream, subject, false);

	r->since = since;
	return r;
}

uint64_t net_reader_at(const struct net_reader *r)
{
	return r->direct ? direct_at(r->direct) : r->from;
}

static void forget_consumer(struct net_reader *r)
{
	xfree(r->consumer);
	r->consumer = NULL;
	r->asked = 0;
	r->received = 0;
	r->resumes = false;
}

/*
 * Asks the server to delete the consumer, and does not wait for the answer. If the request is lost,
 * the server removes the consumer later, because nobody uses it.
 */
static void delete_consumer(const struct net_reader *r)
{
	struct strbuf subject = {0}, answer = {0};

	strbuf_addf(&subject, "%s.CONSUMER.DELETE.%s.%s", r->n->api, r->stream, r->consumer);
	strbuf_addf(&answer, "%s.deleted", r->inbox);
	natsConnection_PublishRequest(r->n->conn, subject.s, answer.s, NULL, 0);
	strbuf_release(&subject);
	strbuf_release(&answer);
}

void net_reader_free(struct net_reader *r)
{
	if (!r)
		return;
	collect_free(r->collect);
	direct_free(r->direct);
	if (r->consumer && net_connected(r->n))
		delete_consumer(r);
	natsSubscription_Destroy(r->sub);
	forget_consumer(r);
	xfree(r->stream);
	xfree(r->subject);
	xfree(r->inbox);
	xfree(r);
}

/*
 * Returns whether the stream was deleted and created again since the reader last read from it. A
 * new stream has lower numbers, so the server starts the consumer at a lower number than r->from.
 */
static bool is_other_stream(const struct net_reader *r, const jsConsumerInfo *ci)
{
	return r->from > 1 && ci->Delivered.Stream < r->from - 1;
}

static bool make_consumer(struct net_reader *r)
{
	jsConsumerInfo *ci = NULL;
	jsConsumerConfig c;
	jsOptions o;
	bool ok;

	jsOptions_Init(&o);
	o.Wait = WAIT_MS;
	o.Prefix = r->n->api;
	jsConsumerConfig_Init(&c);
	c.DeliverPolicy = r->last ? js_DeliverLastPerSubject : js_DeliverAll;
	if (r->since && !r->from) {
		c.DeliverPolicy = js_DeliverByStartTime;
		c.OptStartTime = (int64_t)r->since;
	}
	if (r->from || (r->resumes && r->seq)) {
		c.DeliverPolicy = js_DeliverByStartSequence;
		c.OptStartSeq = r->from ? r->from : r->seq + 1;
	}
	c.AckPolicy = js_AckNone;
	c.FilterSubject = r->subject;
	c.InactiveThreshold = (int64_t)INACTIVE_S * SECONDS;
	ok = js_AddConsumer(&ci, r->n->js, r->stream, &c, &o, NULL) == NATS_OK;
	if (ok)
		r->consumer = xstrdup(ci->Name);
	if (ok && is_other_stream(r, ci)) {
		delete_consumer(r);
		forget_consumer(r);
		r->from = 1;
		ok = false;
	}
	jsConsumerInfo_Destroy(ci);
	return ok;
}

/*
 * Forgets the current request after a lost connection, because its answer will not come. Messages
 * in transit may be lost, too. So if r->from is set, also forgets the consumer, and the next
 * consumer begins at message number r->from.
 */
static void renew_request(struct net_reader *r)
{
	r->asked = 0;
	if (!r->from || !r->consumer)
		return;
	delete_consumer(r);
	forget_consumer(r);
}

/*
 * Returns whether the consumer is lost: the server answers a ping in time, and no messages have
 * come before the answer. If only the connection is slow, the answer is late, or messages come
 * before it.
 */
static bool is_lost(const struct net_reader *r)
{
	uint64_t waiting = 0;

	return natsConnection_FlushTimeout(r->n->conn, PONG_MS) == NATS_OK &&
	       natsSubscription_QueuedMsgs(r->sub, &waiting) == NATS_OK && !waiting;
}

/*
 * Forgets the lost consumer. The next consumer continues after the last message that was received.
 */
static void replace_consumer(struct net_reader *r)
{
	delete_consumer(r);
	forget_consumer(r);
	r->resumes = true;
}

/* Makes sure that there are a subscription, a consumer, and a request for messages. */
static bool request(struct net_reader *r)
{
	struct strbuf subject = {0}, b = {0};
	uint64_t n = net_connections(r->n), beat = r->expires * SECONDS / HEARTBEATS;
	size_t batch = REQUEST_BYTES / (r->largest + 1) + 1;

	if (!net_connected(r->n))
		return false;
	if (!r->sub && natsConnection_SubscribeSync(&r->sub, r->n->conn, r->inbox) != NATS_OK)
		return false;
	if (n != r->connections)
		renew_request(r);
	else if (r->asked && now_boot() - r->heard > 3 * beat && is_lost(r))
		replace_consumer(r);
	if (r->asked)
		return true;
	if (!r->consumer && !make_consumer(r))
		return false;
	r->connections = n;
	r->asked = batch > REQUEST_MAX ? REQUEST_MAX : (int)batch;
	r->heard = now_boot();
	strbuf_addf(&subject, "%s.CONSUMER.MSG.NEXT.%s.%s", r->n->api, r->stream, r->consumer);
	strbuf_addf(&b, "{\"batch\":%d,\"expires\":%" PRIu64 ",\"idle_heartbeat\":%" PRIu64 "}",
		    r->asked, r->expires * SECONDS, beat);
	if (natsConnection_PublishRequest(r->n->conn, subject.s, r->inbox, b.s, (int)b.len) !=
	    NATS_OK)
		r->asked = 0;
	strbuf_release(&subject);
	strbuf_release(&b);
	return r->asked;
}

/*
 * Returns whether @msg is a status of the server (a heartbeat, or the end of the current request)
 * and not a message of the stream. Handles a status.
 */
static bool is_status(struct net_reader *r, natsMsg *msg)
{
	const char *status = NULL;

	if (natsMsg_GetReply(msg)) /* only messages of the stream have a reply subject */
		return false;
	if (natsMsg_GetDataLength(msg) || natsMsgHeader_Get(msg, "Status", &status) != NATS_OK)
		return false;
	if (!strcmp(status, "503") || !strcmp(status, "409")) /* the consumer is gone */
		forget_consumer(r);
	else if (strcmp(status, "100")) /* 100 is a heartbeat; any other status ends the request */
		r->asked = 0;
	return true;
}

/* Asks the server about the consumer. Returns NULL on failure. The caller destroys the result. */
static jsConsumerInfo *consumer_info(const struct net_reader *r)
{
	jsConsumerInfo *ci = NULL;
	jsOptions o;

	jsOptions_Init(&o);
	o.Wait = INFO_WAIT_MS;
	o.Prefix = r->n->api;
	if (js_GetConsumerInfo(&ci, r->n->js, r->stream, r->consumer, &o, NULL) != NATS_OK)
		return NULL;
	return ci;
}

static bool has_consumer(const struct net_reader *r)
{
	jsConsumerInfo *ci = consumer_info(r);
	bool there = ci != NULL;

	jsConsumerInfo_Destroy(ci);
	return there;
}

static void note_received(struct net_reader *r, size_t size)
{
	r->received++;
	r->asked -= r->asked > 0;
	r->largest = size > r->largest / 2 ? size : r->largest / 2;
}

/*
 * Waits for a message, up to @ms. Returns false if no message came. A client may have stored a
 * message that looks to the library like the server's "no responders". For such a message, returns
 * true and sets *@msg to NULL.
 */
static bool next(struct net_reader *r, int64_t ms, natsMsg **msg)
{
	natsStatus s = natsSubscription_NextMsg(msg, r->sub, ms);

	if (s == NATS_OK)
		return true;
	if (s != NATS_NO_RESPONDERS)
		return false;
	if (!has_consumer(r)) {
		forget_consumer(r);
		return false;
	}
	*msg = NULL;
	note_received(r, 0);
	return true;
}

size_t net_reader_receive(struct net_reader *r, int64_t ms, net_fn *fn, void *ctx)
{
	static const struct timespec pause = {0, 20000000};
	natsMsg *msg;
	uint64_t seq;
	size_t n = 0;

	if (r->collect)
		return collect_receive(r->collect, ms, fn, ctx);
	if (r->direct)
		return direct_receive(r->direct, ms, fn, ctx);
	if (!request(r)) {
		if (ms > 1)
			nanosleep(&pause, NULL);
		return 0;
	}
	while (next(r, ms, &msg)) {
		r->heard = now_boot();
		if (msg && !is_status(r, msg)) {
			note_received(r, (size_t)natsMsg_GetDataLength(msg));
			n++;
			seq = hand_over(msg, fn, ctx);
			r->seq = seq;
			if ((r->from || r->since) && seq >= r->from)
				r->from = seq + 1;
		}
		natsMsg_Destroy(msg);
		if (!request(r))
			break;
		ms = 0;
	}
	return n;
}

bool net_reader_is_done(struct net_reader *r)
{
	jsConsumerInfo *ci;
	bool done;

	if (r->collect)
		return collect_is_done(r->collect);
	if (r->direct)
		return direct_is_done(r->direct);
	if (!net_connected(r->n) || !r->consumer)
		return false;
	ci = consumer_info(r);
	done = ci && !ci->NumPending && ci->Delivered.Consumer <= r->received;
	jsConsumerInfo_Destroy(ci);
	return done;
}

bool net_reader_cut(const struct net_reader *r, struct strbuf *out)
{
	return r->collect && collect_cut(r->collect, out);
}

bool net_read_stream(struct net *n, const char *stream, const char *subject, uint64_t from,
		     int64_t ms, const volatile sig_atomic_t *stop, net_fn *fn, void *ctx)
{
	struct net_reader *r = new_reader(n, stream, subject, !from, from);
	uint64_t began = now_boot(), end = began + (uint64_t)ms * 1000000;
	uint64_t found = began + NO_STREAM_MS * 1000000ull;
	bool done = false;

	while (!done && now_boot() < (r->consumer || r->collect || r->direct ? end : found) &&
	       !(stop && *stop))
		if (!net_reader_receive(r, 50, fn, ctx))
			done = net_reader_is_done(r);
	net_reader_free(r);
	return done;
}
