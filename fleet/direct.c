/* direct.c - reads a stream without a consumer. */
#include "fleet/direct.h"

#include <inttypes.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fleet/message.h"
#include "fleet/net_state.h"

#define MS 1000000ull

enum {
	BATCH_MAX = 32,   /* maximum number of requests in flight */
	ANSWER_MS = 2000, /* time limit for the answers to them */
	POLL_MS = 30000,  /* time between two requests if no message comes */
	AGAIN_MS = 100,   /* the first time to wait for a message that is late */
	AGAIN_MAX = 5,    /* number of such waits; each is twice as long as the one before */
	CLOSED_MS = 2000, /* time limit for ending a subscription */
};

struct direct {
	struct net *n;
	char *stream, *subject, *inbox;
	natsSubscription *answers, *wake;
	uint64_t from;        /* number of the next message */
	uint64_t last;        /* the stream had messages up to this number */
	uint64_t connections; /* net_connections() when @last was asked for; 0: never */
	uint64_t due;         /* when to ask again, ns since boot */
	unsigned again;       /* number of times that a late message was waited for */
	int batch;            /* number of requests to send at once */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool woken;          /* the server has announced a message since the last request */
	uint64_t news;       /* number of the last message that the server has announced */
	bool closed;         /* the subscription @wake has ended */
	unsigned subscribed; /* number of subscriptions for answers, so far */
};

/* ------------------------------------------------------------------------- answers */

/*
 * Returns the last value of the header @key, or NULL. The sender of a stored message may have set
 * headers that are named like the server's. The server appends its headers, so the last value is
 * the server's.
 */
static const char *last_header(natsMsg *msg, const char *key)
{
	const char **v = NULL, *last;
	int n = 0;

	if (natsMsgHeader_Values(msg, key, &v, &n) != NATS_OK || !n)
		return NULL;
	last = v[n - 1];
	free((void *)v);
	return last;
}

/*
 * Parses a time such as 2026-11-26T05:05:09.272283562Z. Returns ns since 1970, or 0 if @s is NULL
 * or invalid.
 */
static uint64_t read_time(const char *s)
{
	struct tm tm = {0};
	const char *dot = s ? strptime(s, "%Y-%m-%dT%H:%M:%S", &tm) : NULL;
	uint64_t ns = 0, unit = 100000000;

	if (!dot)
		return 0;
	if (*dot == '.')
		for (dot++; *dot >= '0' && *dot <= '9'; dot++, unit /= 10)
			ns += (uint64_t)(*dot - '0') * unit;
	return (uint64_t)timegm(&tm) * 1000000000u + ns;
}

bool direct_message(natsMsg *msg, struct net_message *m)
{
	const char *seq = last_header(msg, "Nats-Sequence");

	*m = (struct net_message){last_header(msg, "Nats-Subject"), natsMsg_GetData(msg),
				  (size_t)natsMsg_GetDataLength(msg), 0, 0};
	if (!seq || !m->subject)
		return false;
	m->seq = strtoull(seq, NULL, 10);
	m->time = read_time(last_header(msg, "Nats-Time-Stamp"));
	return true;
}

/* ----------------------------------------------------------------------- waking up */

static void on_wake(natsConnection *conn, natsSubscription *sub, natsMsg *msg, void *ctx)
{
	struct direct *d = ctx;
	const char *text = last_header(msg, "Nats-Sequence");
	uint64_t seq = text ? strtoull(text, NULL, 10) : 0;

	(void)conn, (void)sub;
	natsMsg_Destroy(msg);
	pthread_mutex_lock(&d->lock);
	d->woken = true;
	d->news = seq > d->news ? seq : d->news;
	pthread_cond_signal(&d->changed);
	pthread_mutex_unlock(&d->lock);
}

static void on_closed(void *ctx)
{
	struct direct *d = ctx;

	pthread_mutex_lock(&d->lock);
	d->closed = true;
	pthread_cond_signal(&d->changed);
	pthread_mutex_unlock(&d->lock);
}

/* Returns the time @ms milliseconds from now, by the clock that pthread_cond_timedwait() uses. */
static struct timespec deadline(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * (int64_t)MS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/* Waits up to @ms until it is time to ask. Returns whether it is. */
static bool wait_until_due(struct direct *d, int64_t ms)
{
	uint64_t now = now_boot();
	int64_t left = d->due > now ? (int64_t)((d->due - now) / MS) + 1 : 0;
	struct timespec until = deadline(left < ms ? left : ms);
	bool woken;

	pthread_mutex_lock(&d->lock);
	while (!d->woken && left > 0)
		if (pthread_cond_timedwait(&d->changed, &d->lock, &until))
			break;
	woken = d->woken;
	d->woken = false;
	d->last = d->news > d->last ? d->news : d->last;
	d->news = 0;
	pthread_mutex_unlock(&d->lock);
	if (woken)
		d->again = 0;
	return woken || now_boot() >= d->due;
}

/* ---------------------------------------------------------------------- life cycle */

struct direct *direct_new(struct net *n, const char *stream, const char *subject, uint64_t from)
{
	struct direct *d = xcalloc(1, sizeof(*d));
	struct strbuf inbox = {0};
	char token[TOKEN_SIZE];

	net_token(token);
	strbuf_addf(&inbox, "%s.%s", n->inbox ? n->inbox : "_INBOX", token);
	d->n = n;
	d->stream = xstrdup(stream);
	d->subject = subject ? xstrdup(subject) : NULL;
	d->inbox = inbox.s;
	d->from = from ? from : 1;
	d->batch = 1;
	pthread_mutex_init(&d->lock, NULL);
	pthread_cond_init(&d->changed, NULL);
	return d;
}

/* Ends the subscription, and waits until the library's thread does not use @d any more. */
static void unsubscribe(struct direct *d)
{
	struct timespec until = deadline(CLOSED_MS);

	if (!d->wake)
		return;
	natsSubscription_Unsubscribe(d->wake);
	pthread_mutex_lock(&d->lock);
	while (!d->closed && !pthread_cond_timedwait(&d->changed, &d->lock, &until))
		;
	pthread_mutex_unlock(&d->lock);
	natsSubscription_Destroy(d->wake);
}

void direct_free(struct direct *d)
{
	if (!d)
		return;
	unsubscribe(d);
	natsSubscription_Destroy(d->answers);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	xfree(d->stream);
	xfree(d->subject);
	xfree(d->inbox);
	xfree(d);
}

static bool subscribe(struct direct *d)
{
	struct strbuf subject = {0};

	if (!d->wake &&
	    natsConnection_Subscribe(&d->wake, d->n->conn, NEWS ".>", on_wake, d) == NATS_OK)
		natsSubscription_SetOnCompleteCB(d->wake, on_closed, d);
	if (!d->answers) {
		strbuf_addf(&subject, "%s.%u.*", d->inbox, ++d->subscribed);
		natsConnection_SubscribeSync(&d->answers, d->n->conn, subject.s);
		strbuf_release(&subject);
	}
	return d->wake && d->answers;
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
 * Asks for the number of the last message. On a server with one account, only the default prefix
 * works. Moves to the first message that the stream still has. Returns false if the server does not
 * answer.
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
			d->from = 1; /* this is another stream of the same name */
		if (d->from < si->State.FirstSeq)
			d->from = si->State.FirstSeq;
		d->connections = connections;
	}
	jsStreamInfo_Destroy(si);
	return ok;
}

/* Sends @n requests: for the next message from d->from on, from the number behind that, and so on.
 */
static int ask(const struct direct *d, int n)
{
	int sent = 0;

	for (; sent < n; sent++) {
		struct strbuf subject = {0}, reply = {0}, b = {0};
		natsStatus s;

		strbuf_addf(&subject, "%s.DIRECT.GET.%s", d->n->api, d->stream);
		strbuf_addf(&reply, "%s.%u.%d", d->inbox, d->subscribed, sent);
		strbuf_addf(&b, "{\"seq\":%" PRIu64 ",\"next_by_subj\":\">\"}",
			    d->from + (uint64_t)sent);
		s = natsConnection_PublishRequest(d->n->conn, subject.s, reply.s, b.s, (int)b.len);
		strbuf_release(&subject);
		strbuf_release(&reply);
		strbuf_release(&b);
		if (s != NATS_OK)
			break;
	}
	return sent;
}

/* Stores the answers to @n requests. Returns whether all have come in time. */
static bool take_answers(const struct direct *d, natsMsg *answer[BATCH_MAX], int n)
{
	uint64_t end = now_boot() + ANSWER_MS * MS, now;
	int got = 0;

	while (got < n && (now = now_boot()) < end) {
		natsMsg *msg = NULL;
		int i;

		if (natsSubscription_NextMsg(&msg, d->answers, (int64_t)((end - now) / MS) + 1) !=
		    NATS_OK)
			return false;
		i = atoi(strrchr(natsMsg_GetSubject(msg), '.') + 1);
		if (i < 0 || i >= n || answer[i]) {
			natsMsg_Destroy(msg);
			continue;
		}
		answer[i] = msg;
		got++;
	}
	return got == n;
}

/* Gives the messages among the answers to @fn, in their order. Returns their number. */
static size_t hand_over(struct direct *d, natsMsg *const answer[BATCH_MAX], int n, net_fn *fn,
			void *ctx)
{
	size_t given = 0;

	for (int i = 0; i < n && answer[i]; i++) {
		struct net_message m;

		if (!direct_message(answer[i], &m) || m.seq < d->from)
			continue;
		d->from = m.seq + 1;
		given++;
		if (!d->subject || subject_matches(d->subject, m.subject))
			fn(ctx, &m);
	}
	return given;
}

/*
 * Decides when to ask again after a request without a message. The server that has answered may lag
 * behind. If messages stay missing, they may be too old meanwhile, so asks for the numbers again.
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
 * Asks for messages, and gives them to @fn. The number of requests doubles with each batch that is
 * full of messages. Returns the number of messages.
 */
static size_t fetch(struct direct *d, net_fn *fn, void *ctx)
{
	natsMsg *answer[BATCH_MAX] = {NULL};
	int n = ask(d, d->batch);
	bool all = take_answers(d, answer, n);
	size_t given = hand_over(d, answer, n, fn, ctx);

	for (int i = 0; i < n; i++)
		natsMsg_Destroy(answer[i]);
	d->batch = !all || !given ? 1 : 2 * d->batch < BATCH_MAX ? 2 * d->batch : BATCH_MAX;
	if (!all) { /* late answers must not count for later requests */
		natsSubscription_Destroy(d->answers);
		d->answers = NULL;
	}
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
	} while (one && d->from <= d->last && net_connected(d->n) && d->answers);
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
