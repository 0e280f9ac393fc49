/* relay.c - passes requests to a site, and the sum of its hosts' answers to the upper server. */
#include "fleet/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/admins.h"
#include "fleet/answer.h"
#include "fleet/confined.h"
#include "fleet/inventory.h"
#include "fleet/labels.h"
#include "fleet/message.h"
#include "fleet/viewer/census.h"
#include "fleet/viewer/newest.h"
#include "fleet/viewer/rights.h"
#include "fleet/request.h"
#include "fleet/sign.h"
#include "fleet/viewer/verdict.h"
#include "fleet/waiting.h"

enum {
	RECEIVE_MS = 100,
	READ_MS = 60000, /* time limit for reading the inventory */
	SILENT_S = 5,
	/* maximum number of runs at a time, and of requests that wait for the site's server */
	RUNS_MAX = 1000,
	CENSUSES_MAX = 16,           /* maximum number of censuses at a time */
	UNTIL_MAX_S = 7 * 24 * 3600, /* maximum time until a run ends */
	KEPT_S = 60,                 /* a run is kept for this time after its end */
	SAID_MAX = 4096,             /* maximum bytes of messages in a report */
	SAID_LINE_MAX = 512,         /* maximum bytes of one line of a host's messages */
	OUT_PIECE = 64 << 10,        /* maximum bytes of output in a message */
	OUT_MAX = 16 << 20,          /* maximum bytes of output that wait for the upper server */
};

#define AGAIN_NS 2000000000ull
#define RETRY_NS 1000000000ull
#define RETRY_MAX_NS 30000000000ull

/* A request that waits to be passed on to the site's server. */
struct passing {
	char *subject;
	uint64_t until;    /* seconds since 1970; later, nobody needs the request */
	uint64_t at, wait; /* when to try again, ns since boot; time between tries, ns */
	struct strbuf data;
};

/* A run of the site's hosts. */
struct relayed {
	char *id, *target;
	struct waiting waiting;
	uint64_t rate; /* ms between snapshots */
	/*
	 * start of the run (epoch_of()). It depends only on the request, so the reports of a relay
	 * that is started again replace the earlier ones.
	 */
	uint64_t epoch;
	uint64_t sequence;
	struct net_reader *state, *out;
	struct inventory inventory; /* the site's inventory, with the public keys of its hosts */
	struct hosts hosts;
	struct strbuf lines; /* output that was not sent yet */
	uint64_t sent;       /* bytes of output that were sent */
	bool overflow;       /* output was discarded */
	bool resumed;        /* an earlier relay process may have sent output */
	bool cut;            /* a host sent too much, and is not read any more */
	bool keyless;        /* the file of the hosts' keys could not be read completely */
	struct strbuf file;  /* the sum of the snapshots */
	uint64_t matched;
	/*
	 * times of the last report and the last merge, ns since boot, and duration of that merge,
	 * ns
	 */
	uint64_t reported_at, merged_at, merging;
	bool expected; /* the inventory was read, so the expected hosts are known */
	bool fresh;    /* snapshots have changed since they were merged */
	bool done; /* the run is over, and the upper server has the last report and all output */
};

/* A request of a viewer for the hosts of the site (census.h). */
struct counted {
	char *id, *target, *seed;
	uint64_t until; /* seconds since 1970; later, nobody needs the answer */
	uint64_t epoch, sequence;
	struct strbuf subject, request; /* the message of the request, for relays of the site */
	struct inventory inventory;
	struct census census;
	struct net_reader *state;
	uint64_t answered_at; /* when the answer was last sent, ns since boot */
	bool keyless;         /* the file of the hosts' keys could not be read completely */
	bool begun;           /* the inventory was read */
	bool fresh;           /* the answer has changed since it was sent */
};

struct relay {
	const struct relay_opts *o;
	struct admins admins;    /* keys of the administrators of the site */
	uint8_t seed[SEED_SIZE]; /* secret key that signs the answers */
	struct net *upper, *site;
	uint64_t started; /* ns since 1970 */
	struct net_reader *requests;
	VEC(struct relayed *) v;
	VEC(struct counted *) counts;
	VEC(struct passing) passing;
	/* net_connections() of @upper when the relay last registered; 0 if it has not */
	uint64_t registered;
	uint64_t register_at; /* when the relay may register again, ns since boot */
};

static volatile sig_atomic_t ended;

static void on_end(int sig)
{
	(void)sig;
	ended = 1;
}

static void log_run(const struct relay *r, const char *id, const char *what)
{
	if (r->o->verbose)
		fprintf(stderr, "dtrace-fleet: relay %s: run %s %s\n", r->o->name, id, what);
}

/* -------------------------------------------------------------------------- requests */

static struct relayed *find(const struct relay *r, const char *id)
{
	for (size_t i = 0; i < r->v.n; i++)
		if (!strcmp(r->v.v[i]->id, id))
			return r->v.v[i];
	return NULL;
}

static const char *known_path(const struct relay_opts *o, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/relay.%s.known", o->dir, o->name);
	return path;
}

/*
 * Reads the file of the hosts' keys into @in, and gives @in the administrators' keys. Returns
 * false, after a message, if the file could not be read completely.
 */
static bool read_keys(const struct relay *r, struct inventory *in)
{
	char path[PATH_MAX];
	bool ok = rights_known_read(&in->known);

	in->admins = r->o->admins ? &r->admins : NULL;
	known_path(r->o, path);
	if (!ok)
		fprintf(stderr, "dtrace-fleet: relay %s: failed to read %s: %s\n", r->o->name, path,
			errno ? file_error(errno) : "malformed");
	return ok;
}

/*
 * Returns the time that the relay reports as the start of the run: the end of the run + a hash of
 * its ID, less than a second. So two runs that end in the same second have different starts.
 */
static uint64_t epoch_of(const struct request *q)
{
	return q->until * 1000000000u + target_share(q->id, "") % 1000000000u;
}

static void begin(struct relay *r, const struct request *q, uint64_t stored)
{
	struct relayed *n = xcalloc(1, sizeof(*n));
	struct strbuf b = {0};

	n->keyless = !read_keys(r, &n->inventory);
	n->id = xstrdup(q->id);
	n->target = xstrdup(q->hosts);
	n->waiting = (struct waiting){.until = q->until, .grace_s = r->o->grace_s};
	n->rate = q->rate;
	n->epoch = epoch_of(q);
	n->sequence = now_real() /
		      1000000u; /* higher than the numbers of an earlier relay process */
	n->fresh = true;
	n->resumed = stored < r->started;
	strbuf_addf(&b, "fleet.state.%s.*.*.*", n->id);
	n->state = net_reader_new(r->site, STREAM_STATE, b.s, true);
	strbuf_reset(&b);
	strbuf_addf(&b, "fleet.out.%s.*.*.*", n->id);
	n->out = net_reader_new(r->site, STREAM_OUT, b.s, false);
	strbuf_release(&b);
	vec_push(&r->v, n);
	log_run(r, n->id, "begins");
}

static void release(struct relayed *n)
{
	net_reader_free(n->state);
	net_reader_free(n->out);
	hosts_release(&n->hosts);
	inventory_release(&n->inventory);
	strbuf_release(&n->lines);
	strbuf_release(&n->file);
	xfree(n->id);
	xfree(n->target);
	xfree(n);
}

static struct counted *find_census(const struct relay *r, const char *id)
{
	for (size_t i = 0; i < r->counts.n; i++)
		if (!strcmp(r->counts.v[i]->id, id))
			return r->counts.v[i];
	return NULL;
}

/* Begins to answer a request for the hosts of the site. */
static void begin_census(struct relay *r, const struct request *q, const struct net_message *from)
{
	struct counted *c = xcalloc(1, sizeof(*c));
	struct strbuf b = {0};

	c->keyless = !read_keys(r, &c->inventory);
	c->id = xstrdup(q->id);
	c->target = xstrdup(q->hosts);
	c->seed = xstrdup(q->census);
	c->until = q->until;
	c->epoch = epoch_of(q);
	c->sequence = now_real() / 1000000u;
	c->answered_at = now_boot();
	c->fresh = true;
	strbuf_adds(&c->subject, from->subject);
	strbuf_add(&c->request, from->data, from->size);
	strbuf_addf(&b, "fleet.state.%s.*.*.*", c->id);
	c->state = net_reader_new(r->site, STREAM_STATE, b.s, true);
	strbuf_release(&b);
	vec_push(&r->counts, c);
}

static void release_census(struct counted *c)
{
	net_reader_free(c->state);
	census_release(&c->census);
	inventory_release(&c->inventory);
	strbuf_release(&c->subject);
	strbuf_release(&c->request);
	xfree(c->id);
	xfree(c->target);
	xfree(c->seed);
	xfree(c);
}

/* Returns whether there is room for the request. Anybody can sign one, so there are limits. */
static bool has_room(const struct relay *r, const struct request *q, uint64_t now)
{
	bool ok = q->until - now <= UNTIL_MAX_S && r->passing.n < RUNS_MAX &&
		  (q->stop || r->v.n < RUNS_MAX);

	if (q->census) /* allow twice the time, because the viewer's clock may be ahead */
		ok = q->until - now <= 2 * CENSUS_S && r->counts.n < CENSUSES_MAX;

	if (!ok)
		log_run(r, q->id,
			"is not passed on: the run is too long, or there are too many runs");
	return ok;
}

/* Adds a message to r->passing, for the site's server. */
static void add_passing(struct relay *r, const char *subject, uint64_t until, const void *p,
			size_t size)
{
	struct passing one = {.subject = xstrdup(subject), .until = until};

	strbuf_add(&one.data, p, size);
	vec_push(&r->passing, one);
}

/*
 * Takes a message with a valid signature from the upper server, and passes each request on. The
 * relay does not check who has signed a request, because the hosts check it by their policies.
 */
static void on_request(void *ctx, const struct net_message *from)
{
	struct relay *r = ctx;
	uint8_t key[KEY_SIZE];
	struct message m = {0};
	struct request q;
	uint64_t now = now_real() / 1000000000u;
	const void *data;
	size_t size;

	if (!sign_open(from->data, from->size, &data, &size, key))
		return;
	if (message_parse(&m, data, size) && !request_read(&q, &m) &&
	    request_is_of(&q, from->subject) && q.until > now && has_room(r, &q, now)) {
		if (q.census && !find_census(r, q.id))
			begin_census(r, &q, from);
		if (!q.census)
			add_passing(r, from->subject, q.until, from->data, from->size);
		if (!q.census && !q.stop && !find(r, q.id))
			begin(r, &q, from->time);
	}
	message_release(&m);
}

static void passing_release(struct passing *p)
{
	xfree(p->subject);
	strbuf_release(&p->data);
}

/*
 * Publishes waiting requests on the site's server. If the server refuses a request, repeats it at
 * growing intervals until the run is over, because the reason may be temporary. If the server does
 * not answer a request, sends no more in this call, and sends that request last in the next call.
 */
static void pass(struct relay *r)
{
	uint64_t now = now_real() / 1000000000u;
	size_t kept = 0, n = r->passing.n;
	bool answered = net_connected(r->site);
	struct passing unanswered = {0};

	for (size_t i = 0; i < n; i++) {
		struct passing *p = &r->passing.v[i];
		bool stored = false, tried = answered && now_boot() >= p->at;

		if (tried) {
			stored = net_try(r->site, p->subject, p->data.s, p->data.len, &answered);
			p->wait = !p->wait                 ? RETRY_NS
				  : p->wait < RETRY_MAX_NS ? 2 * p->wait
							   : p->wait;
			p->at = now_boot() + p->wait;
		}
		if (stored || now > p->until)
			passing_release(p);
		else if (tried && !answered)
			unanswered = *p;
		else
			r->passing.v[kept++] = *p;
	}
	if (unanswered.subject)
		r->passing.v[kept++] = unanswered;
	r->passing.n = kept;
}

/* --------------------------------------------------------------------------- answers */

static void on_member(void *ctx, const struct net_message *m)
{
	inventory_receive(ctx, m->subject, m->data, m->size, m->time);
}

/*
 * Reads the site's inventory. Returns false if it was not read completely. The relay then reads it
 * again later.
 */
static bool read_inventory(const struct relay *r, struct inventory *in)
{
	bool ok = net_read_stream(r->site, STREAM_HOSTS, BUCKET_HOSTS ">", 0, READ_MS, &ended,
				  on_member, in) &&
		  net_read_stream(r->site, STREAM_STATE, BUCKET_HOSTS "host.*.*", 0, READ_MS,
				  &ended, on_member, in);

	if (ok)
		inventory_note_loose(in);
	else
		inventory_forget_notes(in);
	return ok;
}

/*
 * Reads the site's inventory. Expects answers of all relays in it, and of the hosts that the run's
 * target selects.
 */
static void expect_hosts(struct relay *r, struct relayed *n)
{
	struct inventory *in = &n->inventory;

	n->expected = read_inventory(r, in);
	n->waiting.heard = now_boot();
	for (size_t i = 0; n->expected && i < in->v.n; i++) {
		const struct member *m = &in->v.v[i];
		struct report_key k = {m->host, m->id, 0};

		if ((inventory_is_relay(in, m) || target_match(n->target, m->host, m->labels)) &&
		    inventory_expects(in, m))
			hosts_get(&n->hosts, &k)->seen = m->seen;
	}
}

/*
 * Checks the signature of a host's message, and stores the message without the signature in @p and
 * @size. If the signature is wrong, notes that a message of this host did not count. Returns
 * whether the message counts.
 */
static bool open_answer(struct relayed *n, const struct net_message *from, const void **p,
			size_t *size)
{
	enum answer a = answer_open(&n->inventory.known, from->subject, 3, from->data, from->size,
				    p, size);

	if (a == ANSWER_UNSIGNED || a == ANSWER_FOREIGN)
		hosts_reject(&n->hosts, from->subject, answer_text(a));
	return a == ANSWER_GOOD;
}

/*
 * Returns whether the run is for this host. If not, notes that a message of this host did not
 * count.
 */
static bool is_asked(struct relayed *n, const struct net_message *from, const struct report_key *k)
{
	bool asked = inventory_is_asked(&n->inventory, n->target, k->host, k->id, true);

	if (!asked)
		hosts_reject(&n->hosts, from->subject, ANSWER_NOT_ASKED);
	return asked;
}

/*
 * The answer of a relay has the head "members". It counts if an administrator has named the relay,
 * whatever hosts the run is for.
 */
static void on_state(void *ctx, const struct net_message *from)
{
	struct relayed *n = ctx;
	struct message m;
	struct report_key k;
	struct host_state *h;
	const void *p;
	size_t size;

	if (!open_answer(n, from, &p, &size))
		return;
	if (message_parse(&m, p, size) && message_key(&m, from->subject, &k) &&
	    (message_get(&m, "members") || is_asked(n, from, &k))) {
		h = hosts_receive(&n->hosts, n->id, &k, p, size);
		if (h) {
			waiting_note(&n->waiting, h, now_boot());
			n->fresh = true;
			if (h->members && !inventory_names_relay(&n->inventory, h->host))
				host_reject_relay(h, relay_unnamed);
		}
	}
	message_release(&m);
}

static void on_output(void *ctx, const struct net_message *from)
{
	struct relayed *n = ctx;
	struct message m;
	struct report_key k;
	uint64_t offset;
	const void *p;
	size_t size;

	if (!open_answer(n, from, &p, &size))
		return;
	if (message_parse(&m, p, size) && message_key(&m, from->subject, &k) &&
	    message_is_of(&m, n->id) && message_number(&m, "offset", &offset) &&
	    is_asked(n, from, &k))
		hosts_lines(&n->hosts, &k, offset, m.body, m.len, &n->lines);
	message_release(&m);
}

static bool is_silent(const struct relayed *n, const struct host_state *h)
{
	if (h->phase == PHASE_ENDED || h->phase == PHASE_REFUSED)
		return false;
	return n->waiting.over || !h->sequence ||
	       now_boot() - h->heard > (SILENT_S + 3 * n->rate / 1000) * 1000000000ull;
}

/* --------------------------------------------------------------------------- merging */

/* Signs a message, and publishes it on the upper server. */
static bool put(const struct relay *r, const struct strbuf *subject, const struct strbuf *b)
{
	struct strbuf sealed = {0};
	bool ok = sign_seal(&sealed, r->seed, b->s, b->len) &&
		  net_put(r->upper, subject->s, sealed.s, sealed.len);

	strbuf_release(&sealed);
	return ok;
}

/*
 * Adds up the snapshots of the hosts with aggregations (if @aggs), or of the hosts without any.
 * Returns the sum. If a snapshot cannot be added to those of earlier hosts, marks its host as odd,
 * and sets *@odd.
 */
static struct aggsum *add_up(struct relayed *n, bool aggs, bool *odd)
{
	struct aggsum *sum = aggsum_new();

	for (size_t i = 0; i < n->hosts.v.n; i++) {
		struct host_state *h = n->hosts.v.v[i];
		struct diag d = {0};

		if (!h->snapshot.len || h->bad.len || h->rejected || h->odd || !h->naggs == aggs)
			continue;
		h->odd = !aggsum_add(sum, h->host, h->snapshot.s, h->snapshot.len, &d);
		*odd |= h->odd;
		n->matched = h->matched;
		diag_release(&d);
	}
	return sum;
}

/*
 * Returns the sum for the hosts with aggregations. If there are none, returns the sum for the hosts
 * without aggregations.
 */
static struct aggsum *sum_of(struct relayed *n)
{
	bool odd = false;
	struct aggsum *sum;

	for (size_t i = 0; i < n->hosts.v.n; i++)
		n->hosts.v.v[i]->odd = false;
	sum = add_up(n, true, &odd);
	if (odd) {
		hosts_find_odd(&n->hosts);
		aggsum_free(sum);
		sum = add_up(n, true, &odd);
	}
	if (!aggsum_id(sum)) {
		aggsum_free(sum);
		sum = add_up(n, false, &odd);
	}
	return sum;
}

/*
 * Adds the snapshots up. Leaves out hosts whose aggregations differ from the aggregations of most
 * hosts.
 */
static void merge(struct relay *r, struct relayed *n)
{
	uint64_t began = now_boot();
	struct aggsum *sum = sum_of(n);
	struct aggfile_id id;

	n->fresh = false;
	strbuf_reset(&n->file);
	if (aggsum_id(sum)) {
		id = *aggsum_id(sum);
		id.host = r->o->name;
		id.run = id.epoch = n->epoch;
		id.sequence = n->sequence + 1;
		aggsum_write(sum, &id, &n->file);
	}
	aggsum_free(sum);
	n->merged_at = now_boot();
	n->merging = n->merged_at - began;
}

/* Appends each line of a host's messages, after the host's name. */
static void add_errors(const struct host_state *h, struct strbuf *said)
{
	for (size_t at = 0; at < h->errors.len && said->len <= SAID_MAX;) {
		size_t n = strcspn(h->errors.s + at, "\n");

		strbuf_addf(said, "%s: %.*s\n", h->host,
			    (int)(n < SAID_LINE_MAX ? n : SAID_LINE_MAX), h->errors.s + at);
		at += n + 1;
	}
}

/* Cuts @said to the whole lines in its first SAID_MAX bytes. Returns whether it was longer. */
static bool cut_said(struct strbuf *said)
{
	if (said->len <= SAID_MAX)
		return false;
	said->len = SAID_MAX;
	while (said->len && said->s[said->len - 1] != '\n')
		said->len--;
	said->s[said->len] = '\0';
	return true;
}

/* Judges the hosts, and appends their faults to @said. */
static struct verdicts judge(struct relayed *n, struct strbuf *said)
{
	struct verdicts c = {0};

	n->cut = net_reader_cut(n->state, said);
	n->cut |= net_reader_cut(n->out, said);
	hosts_find_twins(&n->hosts, said);
	for (size_t i = 0; i < n->hosts.v.n; i++) {
		const struct host_state *h = n->hosts.v.v[i];
		enum verdict v = verdict_of(h, is_silent(n, h));

		verdicts_add(&c, h, v);
		if (said->len > SAID_MAX)
			continue;
		add_errors(h, said);
		if (n->waiting.over || v != VERDICT_SILENT)
			verdict_lines(h, v, DTRACE_VERSION, said);
	}
	if (cut_said(said))
		strbuf_adds(said, "more hosts have messages, which this relay leaves out\n");
	return c;
}

static void add_subject(const struct relay *r, const struct relayed *n, const char *kind,
			struct strbuf *b)
{
	struct report_key k = {r->o->name, r->o->id, n->epoch};

	strbuf_addf(b, "fleet.%s.%s", kind, n->id);
	subject_key(b, &k);
}

static const char forged[] = "an entry of the site's inventory is not signed by the known key of "
			     "its host or of an administrator, so it may be forged";
static const char keyless[] = "the relay could not read its file of the hosts' keys";

/* Returns what the answer of this relay lacks, or NULL. */
static const char *lacking(const struct relayed *n)
{
	if (!n->expected)
		return "the site's inventory was not read, so the number of its hosts is unknown";
	if (n->overflow)
		return "the relay has discarded output, because there was too much";
	if (n->resumed && (n->sent || n->lines.len))
		return "the relay was started during the run: output may be missing or repeated";
	if (n->keyless)
		return keyless;
	if (n->cut)
		return "a host sends too much, so the relay reads no more messages of this host";
	if (n->inventory.forged.len)
		return forged;
	return NULL;
}

static void write_report(const struct relay *r, struct relayed *n, struct strbuf *b)
{
	uint64_t max = net_max(r->upper);
	struct strbuf said = {0}, members = {0};
	struct verdicts c = judge(n, &said);
	const char *lacks = lacking(n);
	bool fits = !max || n->file.len + said.len + 2 * MESSAGE_LINE < max;

	verdicts_write(&c, &members);
	message_begin(b);
	message_head(b, "run", n->id);
	message_head(b, "host", r->o->name);
	message_head(b, "id", r->o->id);
	message_head_number(b, "epoch", n->epoch);
	message_head_number(b, "sequence", ++n->sequence);
	message_head(b, "version", DTRACE_VERSION);
	message_head(b, "phase", phase_name(n->waiting.over ? PHASE_ENDED : PHASE_TRACING));
	message_head(b, "end", end_name(n->waiting.over ? END_DONE : END_NONE));
	message_head_number(b, "matched", n->matched);
	message_head_number(b, "out", n->sent + n->lines.len);
	message_head_number(b, "unsent", n->lines.len);
	message_head(b, "members", strbuf_text(&members));
	if (!fits)
		message_head(b, "lacks",
			     "the sum of the hosts' aggregations is larger than the upper server "
			     "accepts");
	else if (lacks)
		message_head(b, "lacks", lacks);
	message_head_number(b, "said", said.len);
	message_body(b, strbuf_text(&said), said.len);
	if (fits && n->file.len)
		strbuf_add(b, n->file.s, n->file.len);
	strbuf_release(&said);
	strbuf_release(&members);
}

/* Writes new keys of hosts to the file of known keys, before the answers of these hosts count. */
static void keep_keys(const struct relay *r, struct inventory *in)
{
	char path[PATH_MAX];

	if (!rights_known_write(&in->known))
		fprintf(stderr, "dtrace-fleet: relay %s: failed to write %s: %s\n", r->o->name,
			known_path(r->o, path), file_error(errno));
}

/*
 * Sends a report if something has changed, or every AGAIN_NS until the run is done, to show that
 * the relay is running.
 */
static void report(struct relay *r, struct relayed *n)
{
	uint64_t now = now_boot(), wait = n->rate * 1000000;
	struct strbuf subject = {0}, b = {0};
	bool due = waiting_update(&n->waiting, &n->hosts, n->expected, now,
				  now_real() / 1000000000u);
	bool over = n->waiting.over;

	if (over)
		hosts_last_lines(&n->hosts, &n->lines);
	if (n->fresh && (over || now - n->merged_at > wait + 2 * n->merging)) {
		merge(r, n);
		due = true;
	}
	if ((!due && now - n->reported_at < AGAIN_NS) || !net_connected(r->upper))
		return;
	if (n->done && !due)
		return;
	keep_keys(r, &n->inventory);
	add_subject(r, n, "state", &subject);
	write_report(r, n, &b);
	if (put(r, &subject, &b)) {
		n->reported_at = now;
		n->done = over && !n->lines.len;
	}
	strbuf_release(&subject);
	strbuf_release(&b);
}

/*
 * Sends a piece of the hosts' output as output of the relay. Each line begins with the name of its
 * host.
 */
static void send_output(struct relay *r, struct relayed *n)
{
	size_t size = n->lines.len < OUT_PIECE ? n->lines.len : OUT_PIECE;
	struct strbuf subject = {0}, b = {0};

	if (n->lines.len > OUT_MAX) {
		n->overflow = true;
		strbuf_reset(&n->lines);
		size = 0;
	}
	if (!size || !net_connected(r->upper))
		return;
	add_subject(r, n, "out", &subject);
	message_begin(&b);
	message_head(&b, "run", n->id);
	message_head(&b, "host", r->o->name);
	message_head(&b, "id", r->o->id);
	message_head_number(&b, "epoch", n->epoch);
	message_head_number(&b, "offset", n->sent);
	message_body(&b, n->lines.s, size);
	if (put(r, &subject, &b)) {
		n->sent += size;
		n->lines.len -= size;
		memmove(n->lines.s, n->lines.s + size, n->lines.len + 1);
		n->done = false;
	}
	strbuf_release(&subject);
	strbuf_release(&b);
}

/* ----------------------------------------------------------------------------- census */

static void on_census(void *ctx, const struct net_message *m)
{
	struct counted *c = ctx;

	c->fresh |= census_receive(&c->census, &c->inventory, c->id, m);
}

/*
 * Answers a census with the hosts of the site, when all relays of the site have answered. Until
 * then, sends incomplete answers, at most every AGAIN_NS, so that the viewer can name the missing
 * relays.
 */
static void answer_census(struct relay *r, struct counted *c)
{
	struct report_key k = {r->o->name, r->o->id, c->epoch};
	const char *lacks = c->keyless ? keyless : c->inventory.forged.len ? forged : NULL;
	struct strbuf subject = {0}, b = {0};
	uint64_t now = now_boot();

	if (!c->fresh || !net_connected(r->upper) ||
	    (!census_is_complete(&c->census) && now - c->answered_at < AGAIN_NS))
		return;
	keep_keys(r, &c->inventory);
	strbuf_addf(&subject, "fleet.state.%s", c->id);
	subject_key(&subject, &k);
	census_write(&c->census, c->id, &k, ++c->sequence, DTRACE_VERSION, lacks, net_max(r->upper),
		     &b);
	if (put(r, &subject, &b))
		c->fresh = false;
	c->answered_at = now;
	strbuf_release(&subject);
	strbuf_release(&b);
}

static void serve_censuses(struct relay *r)
{
	uint64_t now = now_real() / 1000000000u;
	size_t kept = 0;

	for (size_t i = 0; i < r->counts.n; i++) {
		struct counted *c = r->counts.v[i];

		if (!c->begun && net_connected(r->site) && read_inventory(r, &c->inventory)) {
			c->begun = true;
			census_begin(&c->census, &c->inventory, c->target, c->seed);
			if (c->census.relays.n)
				add_passing(r, c->subject.s, c->until, c->request.s,
					    c->request.len);
		}
		if (c->begun) {
			net_reader_receive(c->state, 1, on_census, c);
			answer_census(r, c);
		}
		if (now > c->until)
			release_census(c);
		else
			r->counts.v[kept++] = c;
	}
	r->counts.n = kept;
}

/* ----------------------------------------------------------------------- main loop */

/*
 * Creates the relay's streams on a server without certificates, as an agent does. On a server with
 * permissions, only an administrator may create them.
 */
static void create_streams(const struct relay *r)
{
	struct strbuf wrong = {0};

	if (!r->o->upper.cert)
		net_admit(r->upper, r->o->name, &wrong);
	strbuf_release(&wrong);
}

/* Enters the relay into the inventory of the upper server after each connection. */
static void enter_inventory(struct relay *r)
{
	struct strbuf subject = {0}, b = {0};
	uint64_t n = net_connections(r->upper);

	if (!net_connected(r->upper) || r->registered == n || now_boot() < r->register_at)
		return;
	create_streams(r);
	inventory_relay(&subject, &b, r->o->name, r->o->id, DTRACE_VERSION);
	r->registered = put(r, &subject, &b) ? n : 0;
	r->register_at = now_boot() + RETRY_NS;
	strbuf_release(&subject);
	strbuf_release(&b);
}

static void serve(struct relay *r)
{
	uint64_t now = now_real() / 1000000000u;
	size_t kept = 0;

	for (size_t i = 0; i < r->v.n; i++) {
		struct relayed *n = r->v.v[i];

		if (!n->expected && net_connected(r->site))
			expect_hosts(r, n);
		net_reader_receive(n->state, 1, on_state, n);
		net_reader_receive(n->out, 1, on_output, n);
		send_output(r, n);
		report(r, n);
		if (n->done && now > n->waiting.until + KEPT_S) {
			log_run(r, n->id, "has ended");
			release(n);
		} else {
			r->v.v[kept++] = n;
		}
	}
	r->v.n = kept;
}

static void loop(struct relay *r)
{
	static const struct timespec pause = {0, RECEIVE_MS * 1000000};

	while (!ended && !net_is_over(r->upper) && !net_is_over(r->site)) {
		enter_inventory(r);
		if (net_connected(r->upper))
			net_reader_receive(r->requests, r->v.n + r->counts.n ? RECEIVE_MS : 1000,
					   on_request, r);
		else
			nanosleep(&pause, NULL);
		pass(r);
		serve(r);
		serve_censuses(r);
	}
}

/*
 * Locks @fd. If the lock is taken, tries again for 2 seconds: after a relay was killed, its second
 * process (rights.h) holds the lock for a moment longer.
 */
static bool lock_soon(int fd)
{
	for (int i = 0; i < 20; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return true;
		usleep(100000);
	}
	return false;
}

/*
 * Locks the relay's name in its folder until the process ends, because two relays with one name
 * would replace each other's answers.
 */
static bool lock_name(const struct relay_opts *o, struct strbuf *wrong)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/relay.%s.lock", o->dir, o->name);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		strbuf_addf(wrong, "failed to open %s: %s", path, strerror(errno));
	else if (lock_soon(fd))
		return true;
	else
		strbuf_addf(wrong, "another relay of this name uses %s", o->dir);
	if (fd >= 0)
		close(fd);
	return false;
}

/*
 * Starts the process that keeps the file of known keys, gives up all other rights, and opens both
 * connections.
 */
static bool connect_servers(struct relay *r, struct strbuf *wrong)
{
	static struct rights_opts rights;
	static char path[PATH_MAX];
	struct net_opts upper = r->o->upper, site = r->o->site;
	struct net_files of_upper = {0}, of_site = {0};

	rights.known = known_path(r->o, path);
	upper.files = &of_upper;
	site.files = &of_site;
	if ((!r->o->admins || admins_read(&r->admins, r->o->admins, r->o->fleet, wrong)) &&
	    net_files_read(&of_upper, &upper, wrong) && net_files_read(&of_site, &site, wrong) &&
	    rights_start(&rights) && confine_client(CONFINED_FREE, wrong))
		r->upper = net_open(&upper, false, wrong);
	r->site = r->upper ? net_open(&site, false, wrong) : NULL;
	net_files_release(&of_upper);
	net_files_release(&of_site);
	return r->site;
}

int relay_main(const struct relay_opts *o)
{
	struct relay r = {.o = o, .started = now_real()};
	struct strbuf wrong = {0};
	char path[PATH_MAX];

	signal(SIGTERM, on_end);
	signal(SIGINT, on_end);
	signal(SIGPIPE, SIG_IGN);
	snprintf(path, sizeof(path), "%s/relay.%s.key", o->dir, o->name);
	if (lock_name(o, &wrong) && answer_key(r.seed, o->key ? o->key : path, &wrong) &&
	    connect_servers(&r, &wrong)) {
		r.requests = net_reader_follow(r.upper, STREAM_RUNS);
		loop(&r);
	}
	if (!ended)
		fprintf(stderr, "dtrace-fleet: relay: %s\n",
			wrong.len ? wrong.s : "a connection has ended");
	for (size_t i = 0; i < r.v.n; i++)
		release(r.v.v[i]);
	for (size_t i = 0; i < r.counts.n; i++)
		release_census(r.counts.v[i]);
	for (size_t i = 0; i < r.passing.n; i++)
		passing_release(&r.passing.v[i]);
	admins_release(&r.admins);
	vec_free(&r.passing);
	vec_free(&r.counts);
	vec_free(&r.v);
	net_reader_free(r.requests);
	net_close(r.site);
	net_close(r.upper);
	rights_stop();
	strbuf_release(&wrong);
	return !ended;
}
