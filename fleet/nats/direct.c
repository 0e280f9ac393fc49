/* direct.c - reads a stream without a consumer. */
#include "fleet/nats/direct.h"

#include <inttypes.h>
#include <nats/nats.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/message.h"
#include "fleet/nats/net_state.h"

#define MS 1000000ull

enum {
	BATCH_MAX = 32,   /* maximum number of requests in flight */
	ANSWER_MS = 2000, /* time limit for the answers to these requests */
	POLL_MS = 30000,  /* time between two requests if no message comes */
	/* first wait for a message that the answering server does not have yet */
	AGAIN_MS = 100,
	AGAIN_MAX = 5, /* number of waits; each is twice as long as the wait before */
};

struct direct {
	struct net *n;
	char *stream, *subject, *inbox;
	struct mailbox *box;
	natsSubscription *answers, *news;
	uint64_t from; /* number of the next message to read */
	uint64_t last; /* the stream had messages up to this number */
	/* net_connections() at the time when find_last() set @last; 0 to call it again */
	uint64_t connections;
	uint64_t due;   /* when to ask again, ns since boot */
	unsigned again; /* number of waits for the next message so far (AGAIN_MAX) */
	int batch;      /* number of requests to send at once */
	/* number of the current batch, which is in the subjects of its answers */
	unsigned round;
	natsMsg *answer[BATCH_MAX]; /* answers to the requests of the current batch */
	/* number of requests in the current batch, and number of answers to them */
	int asked, got;
};

/* ---------------------------------------------------------------------- life cycle */

struct direct *direct_new(struct net *n, const char *stream, const char *subject, uint64_t from)
{
	struct direct *d = xcalloc(1, sizeof(*d));

	d->n = n;
	d->stream = xstrdup(stream);
	d->subject = subject ? xstrdup(subject) : NULL;
	d->inbox = inbox_new(n);
	d->box = mailbox_new();
	d->from = from ? from : 1;
	d->batch = 1;
	return d;
}

static void forget(struct direct *d)
{
	for (int i = 0; i < d->asked; i++) {
		natsMsg_Destroy(d->answer[i]);
		d->answer[i] = NULL;
	}
	d->asked = d->got = 0;
}

static void unsubscribe(natsSubscription *sub)
{
	if (sub)
		natsSubscription_Unsubscribe(sub);
	natsSubscription_Destroy(sub);
}

void direct_free(struct direct *d)
{
	if (!d)
		return;
	unsubscribe(d->news);
	unsubscribe(d->answers);
	forget(d);
	mailbox_free(d->box);
	xfree(d->stream);
	xfree(d->subject);
	xfree(d->inbox);
	xfree(d);
}

static bool subscribe(struct direct *d)
{
	struct strbuf subject = {0};

	if (!d->news)
		d->news = mailbox_subscribe(d->box, d->n->conn, NEWS ".>");
	if (!d->answers) {
		strbuf_addf(&subject, "%s.*.*", d->inbox);
		d->answers = mailbox_subscribe(d->box, d->n->conn, subject.s);
		strbuf_release(&subject);
	}
	return d->news && d->answers;
}

/* ----------------------------------------------------------------------- receiving */

/* Notes the number of a message that the server has announced. */
static void note_news(struct direct *d, natsMsg *msg)
{
	const char *text = last_header(msg, "Nats-Sequence");
	uint64_t seq = text ? strtoull(text, NULL, 10) : 0;

	if (seq > d->last) {
		d->last = seq;
		d->due = d->again = 0;
	}
	natsMsg_Destroy(msg);
}

/* Stores an answer. Its subject ends with the number of the batch (d->round) and of the request. */
static void note_answer(struct direct *d, natsMsg *msg)
{
	const char *p = natsMsg_GetSubject(msg) + strlen(d->inbox) + 1;
	char *end;
	unsigned round = (unsigned)strtoul(p, &end, 10);
	int i = *end == '.' ? atoi(end + 1) : -1;

	if (round != d->round || i < 0 || i >= d->asked || d->answer[i]) {
		natsMsg_Destroy(msg);
		return;
	}
	d->answer[i] = msg;
	d->got++;
}

/* Handles all messages that have come, waiting up to @ms for the first. */
static void take(struct direct *d, int64_t ms)
{
	struct messages all = {0};

	mailbox_take(d->box, ms, &all);
	for (size_t i = 0; i < all.n; i++)
		if (strncmp(natsMsg_GetSubject(all.v[i]), d->inbox, strlen(d->inbox)))
			note_news(d, all.v[i]);
		else
			note_answer(d, all.v[i]);
	vec_free(&all);
}

/* Waits up to @ms until d->due. Returns whether that time has come. */
static bool wait_until_due(struct direct *d, int64_t ms)
{
	uint64_t now = now_boot(), end = now + (uint64_t)ms * MS;

	take(d, 0);
	while ((now = now_boot()) < d->due && now < end)
		take(d, (int64_t)(((d->due < end ? d->due : end) - now) / MS) + 1);
	return now >= d->due;
}

/* -------------------------------------------------------------------------- asking */

static bool ask_info(struct direct *d, jsStreamInfo **si)
{
	jsOptions o;

	jsOptions_Init(&o);
	o.Wait = ANSWER_MS;
	o.Prefix = d->n->api;
	return js_GetStreamInfo(si, d->n->js, d->stream, &o, NULL) == NATS_OK;
}

/*
 * Asks for the numbers of the first and the last message of the stream, and sets d->last and
 * d->from. On a server with one account, only the prefix API_DEFAULT works. Returns false if the
 * server does not answer.
 */
static bool find_last(struct direct *d)
{
	uint64_t connections = net_connections(d->n);
	jsStreamInfo *si = NULL;
	bool ok = ask_info(d, &si);

	if (!ok && d->n->other_api) {
		d->n->api = strcmp(d->n->api, API_DEFAULT) ? API_DEFAULT : d->n->other_api;
		ok = ask_info(d, &si);
	}
	if (ok) {
		d->last = si->State.LastSeq;
		if (d->from > d->last + 1)
			d->from = 1; /* the stream was deleted and created again */
		if (d->from < si->State.FirstSeq)
			d->from = si->State.FirstSeq;
		d->connections = connections;
	}
	jsStreamInfo_Destroy(si);
	return ok;
}

/*
 * Sends a batch of requests. Request i asks for the first message with the number d->from + i or
 * higher.
 */
static void ask(struct direct *d)
{
	forget(d);
	d->round++;
	for (; d->asked < d->batch; d->asked++) {
		struct strbuf subject = {0}, reply = {0}, b = {0};
		natsStatus s;

		strbuf_addf(&subject, "%s.DIRECT.GET.%s", d->n->api, d->stream);
		strbuf_addf(&reply, "%s.%u.%d", d->inbox, d->round, d->asked);
		strbuf_addf(&b, "{\"seq\":%" PRIu64 ",\"next_by_subj\":\">\"}",
			    d->from + (uint64_t)d->asked);
		s = natsConnection_PublishRequest(d->n->conn, subject.s, reply.s, b.s, (int)b.len);
		strbuf_release(&subject);
		strbuf_release(&reply);
		strbuf_release(&b);
		if (s != NATS_OK)
			break;
	}
}

/* Gives the messages among the answers to @fn, in their order. Returns their number. */
static size_t hand_over(struct direct *d, net_fn *fn, void *ctx)
{
	size_t given = 0;

	for (int i = 0; i < d->asked && d->answer[i]; i++) {
		struct net_message m;

		if (!direct_message(d->answer[i], &m) || m.seq < d->from)
			continue;
		d->from = m.seq + 1;
		given++;
		if (!d->subject || subject_matches(d->subject, m.subject))
			fn(ctx, &m);
	}
	return given;
}

/*
 * Decides when to ask again after a batch that brought no message. If the stream should have one
 * (d->from <= d->last), the server that answered may lag behind. After AGAIN_MAX waits, the message
 * may have been discarded because of its age, so find_last() is called again.
 */
static void set_due(struct direct *d)
{
	uint64_t now = now_boot();

	if (d->from > d->last) {
		d->due = now + POLL_MS * MS;
		return;
	}
	d->due = now + ((uint64_t)AGAIN_MS << d->again) * MS;
	if (d->again < AGAIN_MAX)
		d->again++;
	else
		d->connections = 0;
}

/*
 * Asks for messages, and gives them to @fn. Each batch that brings messages has twice as many
 * requests as the one before. Returns the number of messages.
 */
static size_t fetch(struct direct *d, net_fn *fn, void *ctx)
{
	uint64_t end, now;
	size_t given;
	bool all;

	ask(d);
	end = now_boot() + ANSWER_MS * MS;
	while (d->got < d->asked && (now = now_boot()) < end)
		take(d, (int64_t)((end - now) / MS) + 1);
	all = d->got == d->asked;
	given = hand_over(d, fn, ctx);
	forget(d);
	d->batch = !all || !given ? 1 : 2 * d->batch < BATCH_MAX ? 2 * d->batch : BATCH_MAX;
	if (given)
		d->due = d->again = 0;
	else
		set_due(d);
	return given;
}

size_t direct_receive(struct direct *d, int64_t ms, net_fn *fn, void *ctx)
{
	static const struct timespec pause = {0, 20 * MS};
	size_t n = 0, one;

	if (!net_connected(d->n) || !subscribe(d) ||
	    (d->connections != net_connections(d->n) && !find_last(d))) {
		if (ms > 1)
			nanosleep(&pause, NULL);
		return 0;
	}
	if (d->from <= d->last && !d->again)
		d->due = 0;
	if (!wait_until_due(d, ms))
		return 0;
	do {
		one = fetch(d, fn, ctx);
		n += one;
	} while (one && d->from <= d->last && net_connected(d->n));
	return n;
}

bool direct_is_done(struct direct *d)
{
	return net_connected(d->n) && find_last(d) && d->from > d->last;
}

uint64_t direct_at(const struct direct *d)
{
	return d->from;
}
