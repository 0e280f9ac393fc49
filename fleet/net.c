/*
 * net.c - NATS with JetStream, by libnats.
 */
#include "fleet/net.h"

#include <nats/nats.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

enum {
	WAIT_MS = 3000,
	RECONNECT_MS = 200,
	RECEIVE_MAX = 1 << 20, /* maximum number, and bytes, of messages that wait to be read */
	RECEIVE_BYTES = 1 << 30,
	SECONDS = 1000000000,
};

#define DAY (86400ll * SECONDS)

struct net {
	natsOptions *opts;
	natsConnection *conn;
	jsCtx *js;
};

struct net_sub {
	natsSubscription *sub;
};

/*
 * Returns whether TLS is required. With tls:// in the address, the library would also accept a
 * server without TLS.
 */
static bool wants_tls(const struct net_opts *n)
{
	return n->ca || n->cert || strstr(n->url, "tls://");
}

/* The library also checks the server's name. */
static natsStatus set_tls(natsOptions *o, const struct net_opts *n)
{
	natsStatus s = NATS_OK;

	if (!wants_tls(n))
		return s;
	s = natsOptions_SetSecure(o, true);
	if (s == NATS_OK && n->ca)
		s = natsOptions_LoadCATrustedCertificates(o, n->ca);
	if (s == NATS_OK && n->cert)
		s = natsOptions_LoadCertificatesChain(o, n->cert, n->key);
	return s;
}

/* With a callback, NATS waits for the first connection in the background. */
static void on_connected(natsConnection *conn, void *ctx)
{
	(void)conn, (void)ctx;
}

static natsStatus set_options(natsOptions *o, const struct net_opts *n, bool wait)
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
		s = natsOptions_SetPingInterval(o, 2000);
	if (s == NATS_OK && n->name)
		s = natsOptions_SetName(o, n->name);
	if (s == NATS_OK && n->inbox)
		s = natsOptions_SetCustomInboxPrefix(o, n->inbox);
	return s == NATS_OK ? set_tls(o, n) : s;
}

struct net *net_open(const struct net_opts *o, bool wait, struct strbuf *wrong)
{
	struct net *n = xcalloc(1, sizeof(*n));
	jsOptions jo;
	natsStatus s = natsOptions_Create(&n->opts);

	jsOptions_Init(&jo);
	jo.Wait = WAIT_MS;
	if (s == NATS_OK)
		s = set_options(n->opts, o, wait);
	if (s == NATS_OK)
		s = natsConnection_Connect(&n->conn, n->opts);
	if (s == NATS_OK || (s == NATS_NOT_YET_CONNECTED && !wait))
		s = natsConnection_JetStream(&n->js, n->conn, &jo);
	if (s == NATS_OK)
		return n;
	strbuf_addf(wrong, "failed to connect to %s: %s%s", o->url, natsStatus_GetText(s),
		    s == NATS_NO_SERVER ? "; set its address with -S or DTRACE_FLEET_SERVER" : "");
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

bool net_put(struct net *n, const char *subject, const void *p, size_t size)
{
	return net_connected(n) &&
	       js_Publish(NULL, n->js, subject, p, (int)size, NULL, NULL) == NATS_OK;
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

static bool add_stream(struct net *n, const char *name, const char **subjects, int nsubject,
		       int64_t per_subject, struct strbuf *wrong)
{
	jsStreamInfo *there = NULL;
	jsStreamConfig c;
	jsErrCode code = 0;
	natsStatus s;

	s = js_GetStreamInfo(&there, n->js, name, NULL, &code);
	jsStreamInfo_Destroy(there);
	if (s == NATS_OK)
		return true;
	jsStreamConfig_Init(&c);
	c.Name = name;
	c.Subjects = subjects;
	c.SubjectsLen = nsubject;
	c.MaxMsgsPerSubject = per_subject;
	c.MaxAge = DAY;
	c.Discard = js_DiscardOld;
	s = js_AddStream(NULL, n->js, &c, NULL, &code);
	if (s != NATS_OK)
		strbuf_addf(wrong, "failed to create stream %s: %s%s", name, natsStatus_GetText(s),
			    code == 10076 || s == NATS_NO_RESPONDERS ? " (is JetStream on?)" : "");
	return s == NATS_OK;
}

bool net_setup(struct net *n, struct strbuf *wrong)
{
	const char *runs[] = {"fleet.run.*"}, *state[] = {"fleet.state.*.*", "fleet.hello.*"},
		   *out[] = {"fleet.out.*.*"};

	return add_stream(n, STREAM_RUNS, runs, 1, 1, wrong) &&
	       add_stream(n, STREAM_STATE, state, 2, 1, wrong) &&
	       add_stream(n, STREAM_OUT, out, 1, 10000, wrong);
}

struct net_sub *net_subscribe(struct net *n, const char *subject)
{
	struct net_sub *s = xcalloc(1, sizeof(*s));

	if (natsConnection_SubscribeSync(&s->sub, n->conn, subject) == NATS_OK) {
		natsSubscription_SetPendingLimits(s->sub, RECEIVE_MAX, RECEIVE_BYTES);
		return s;
	}
	xfree(s);
	return NULL;
}

void net_unsubscribe(struct net_sub *s)
{
	if (!s)
		return;
	natsSubscription_Destroy(s->sub);
	xfree(s);
}

static void hand_over(natsMsg *msg, net_fn *fn, void *ctx)
{
	fn(ctx, natsMsg_GetSubject(msg), natsMsg_GetData(msg), (size_t)natsMsg_GetDataLength(msg));
}

void net_receive(struct net_sub *s, int64_t ms, net_fn *fn, void *ctx)
{
	natsMsg *msg;

	while (natsSubscription_NextMsg(&msg, s->sub, ms) == NATS_OK) {
		hand_over(msg, fn, ctx);
		natsMsg_Destroy(msg);
		ms = 0;
	}
}

/* Stores how many messages the consumer had to deliver when it began. */
static bool expected(natsSubscription *sub, uint64_t *n)
{
	jsConsumerInfo *ci = NULL;
	bool ok = natsSubscription_GetConsumerInfo(&ci, sub, NULL, NULL) == NATS_OK;

	if (ok)
		*n = ci->NumPending + ci->Delivered.Consumer;
	jsConsumerInfo_Destroy(ci);
	return ok;
}

bool net_read_stream(struct net *n, const char *stream, const char *subject, bool last, net_fn *fn,
		     void *ctx)
{
	natsSubscription *sub = NULL;
	jsSubOptions so;
	uint64_t want = 0, got = 0;
	natsMsg *msg;
	bool ok;

	if (!net_connected(n))
		return false;
	jsSubOptions_Init(&so);
	so.Stream = stream;
	so.Config.AckPolicy = js_AckNone;
	so.Config.DeliverPolicy = last ? js_DeliverLastPerSubject : js_DeliverAll;
	ok = js_SubscribeSync(&sub, n->js, subject, NULL, &so, NULL) == NATS_OK;
	if (ok)
		natsSubscription_SetPendingLimits(sub, RECEIVE_MAX, RECEIVE_BYTES);
	ok = ok && expected(sub, &want);
	for (; ok && got < want; got++) {
		ok = natsSubscription_NextMsg(&msg, sub, WAIT_MS) == NATS_OK;
		if (!ok)
			break;
		hand_over(msg, fn, ctx);
		natsMsg_Destroy(msg);
	}
	natsSubscription_Unsubscribe(sub);
	natsSubscription_Destroy(sub);
	return ok;
}
