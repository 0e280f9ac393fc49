/* collect.c - JetStream's direct get, for many streams at a time. */
#include "fleet/nats/collect.h"

#include <inttypes.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "fleet/nats/net_state.h"

enum {
	FLIGHT_BYTES = 1 << 20, /* maximum number of bytes in transit, roughly */
	FLIGHT_MAX = 1000,      /* maximum number of requests without an answer */
	DEPTH_MAX = 16,         /* maximum number of requests in flight to one stream */
	/*
	 * time until the reader asks a stream without new messages again: max(POLL_MS, hosts /
	 * POLL_HOSTS) ms
	 */
	POLL_MS = 100,
	POLL_HOSTS = 10,
	ANSWER_MS = 3000, /* a request is repeated if no answer comes for this time */
	NAMES_MS = 1000,  /* interval of looking for new streams */
	DONE_MS = 1500,   /* time limit of collect_is_done() */
	GIVEN_S = 20,     /* collect.most grows by this number each second */
	LONGER_MS = 50,   /* while messages come, collect_receive() may exceed its time by this */
};

#define MS 1000000ull

/*
 * A request that was sent to the server. It asks for the first message of the run whose number is
 * @seq or higher.
 */
struct flight {
	uint64_t seq, asked; /* @asked: when it was sent, ns since boot */
	natsMsg *answer;     /* NULL if no answer has come yet */
};

/*
 * The stream of one host. Several requests to it may be in flight: each asks for a higher number
 * than the one before. If the numbers of the run's messages have gaps, two answers may have the
 * same message. The second answer is ignored.
 */
struct source {
	char *stream;
	size_t number; /* index of this source in collect.by_number */
	uint64_t at;   /* number of the last message that was received */
	uint64_t due;  /* when to ask for the next message, ns since boot */
	/* when the newest request that found no further message was sent, ns since boot */
	uint64_t done;
	size_t given; /* number of messages that were received */
	bool cut;     /* the host has sent too many messages, so the rest is not read */
	/* Ring of requests in flight. Request number N is at index N % DEPTH_MAX. */
	struct flight flight[DEPTH_MAX];
	/* number of the oldest request in flight; number of requests in flight */
	unsigned first, n;
	unsigned depth; /* present maximum of @n */
};

struct mailbox {
	pthread_mutex_t lock; /* guards the members below */
	pthread_cond_t news;
	VEC(natsMsg *) queue;
	/* number of users: the reader, and each subscription that the library has not ended yet */
	unsigned users;
	bool abandoned; /* the reader has left, so answers are discarded */
};

struct collect {
	struct net *n;
	char *prefix, *subject, *inbox;
	/* @answered: the sources whose oldest request has an answer */
	VEC(struct source *) by_name, by_number, answered;
	/* maximum number of messages to read from one stream; grows by GIVEN_S each second */
	size_t most;
	size_t next;    /* index in by_number of the source that may send requests next */
	size_t flying;  /* number of requests without an answer */
	size_t largest; /* bytes of the largest message so far */
	uint64_t names; /* when list_streams() was last called, ns since boot */
	uint64_t connections;
	uint64_t began; /* time of collect_new(), ns since boot */
	natsSubscription *sub;
	struct mailbox *box;
};

/* ------------------------------------------------------------------------ receiving */

struct mailbox *mailbox_new(void)
{
	struct mailbox *b = xcalloc(1, sizeof(*b));
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* a clock that no user can set */
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->news, &attr);
	pthread_condattr_destroy(&attr);
	b->users = 1;
	return b;
}

/* One of the users leaves the mailbox. The last one frees it. */
static void leave(struct mailbox *b, bool abandon)
{
	bool last;

	pthread_mutex_lock(&b->lock);
	b->abandoned |= abandon;
	last = !--b->users;
	pthread_mutex_unlock(&b->lock);
	if (!last)
		return;
	for (size_t i = 0; i < b->queue.n; i++)
		natsMsg_Destroy(b->queue.v[i]);
	vec_free(&b->queue);
	pthread_cond_destroy(&b->news);
	pthread_mutex_destroy(&b->lock);
	xfree(b);
}

/*
 * The thread of the NATS library calls this for each answer. A synchronous subscription would need
 * no callback, but the library would then hide stored messages that look like the server's "no
 * responders" message.
 */
static void on_answer(natsConnection *conn, natsSubscription *sub, natsMsg *msg, void *ctx)
{
	struct mailbox *b = ctx;
	bool abandoned;

	(void)conn, (void)sub;
	pthread_mutex_lock(&b->lock);
	abandoned = b->abandoned;
	if (!abandoned) {
		vec_push(&b->queue, msg);
		pthread_cond_signal(&b->news);
	}
	pthread_mutex_unlock(&b->lock);
	if (abandoned)
		natsMsg_Destroy(msg);
}

/*
 * The library calls this when it has ended the subscription. It does not call on_answer() after
 * this.
 */
static void on_closed(void *ctx)
{
	leave(ctx, false);
}

natsSubscription *mailbox_subscribe(struct mailbox *b, natsConnection *conn, const char *subject)
{
	natsSubscription *sub = NULL;

	pthread_mutex_lock(&b->lock);
	b->users++;
	pthread_mutex_unlock(&b->lock);
	/*
	 * If SetOnCompleteCB() fails, the mailbox is never freed, because nothing says when the
	 * library stops using it.
	 */
	if (natsConnection_Subscribe(&sub, conn, subject, on_answer, b) == NATS_OK)
		natsSubscription_SetOnCompleteCB(sub, on_closed, b);
	else
		leave(b, false);
	return sub;
}

void mailbox_free(struct mailbox *b)
{
	leave(b, true);
}

/* Returns the time @ms milliseconds from now, by the clock of struct mailbox.news. */
static struct timespec deadline(int64_t ms)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * (int64_t)MS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	return t;
}

/*
 * Returns the source of the request that @msg answers, and stores the number of the request in
 * @flight. Both are at the end of the subject of @msg. Returns NULL if the request is not in flight
 * any more.
 */
static struct source *source_of(const struct collect *c, natsMsg *msg, unsigned *flight)
{
	const char *p = natsMsg_GetSubject(msg) + strlen(c->inbox) + 1;
	char *end;
	size_t number = strtoull(p, &end, 10);
	struct source *s = number < c->by_number.n ? c->by_number.v[number] : NULL;

	if (!s || *end != '.')
		return NULL;
	*flight = (unsigned)strtoul(end + 1, NULL, 10);
	return *flight - s->first < s->n ? s : NULL;
}

/* Stores @msg as the answer to its request, or destroys it if the request is not in flight. */
static void store(struct collect *c, natsMsg *msg)
{
	unsigned flight;
	struct source *s = source_of(c, msg, &flight);

	if (!s || s->flight[flight % DEPTH_MAX].answer) {
		natsMsg_Destroy(msg);
		return;
	}
	s->flight[flight % DEPTH_MAX].answer = msg;
	c->flying--;
	if (flight == s->first)
		vec_push(&c->answered, s);
}

void mailbox_take(struct mailbox *b, int64_t ms, struct messages *all)
{
	struct timespec until = deadline(ms);

	pthread_mutex_lock(&b->lock);
	while (!b->queue.n && ms > 0)
		if (pthread_cond_timedwait(&b->news, &b->lock, &until))
			break;
	for (size_t i = 0; i < b->queue.n; i++)
		vec_push(all, b->queue.v[i]);
	b->queue.n = 0;
	pthread_mutex_unlock(&b->lock);
}

/* Stores all answers that have come, waiting up to @ms for the first. */
static void take_answers(struct collect *c, int64_t ms)
{
	struct messages all = {0};

	mailbox_take(c->box, ms, &all);
	for (size_t i = 0; i < all.n; i++)
		store(c, all.v[i]);
	vec_free(&all);
}

static void forget(struct collect *c, struct source *s)
{
	for (; s->n; s->n--, s->first++) {
		struct flight *f = &s->flight[s->first % DEPTH_MAX];

		c->flying -= !f->answer;
		natsMsg_Destroy(f->answer);
		f->answer = NULL;
	}
	s->depth = 1;
}

char *inbox_new(const struct net *n)
{
	struct strbuf inbox = {0};
	char token[TOKEN_SIZE];

	net_token(token);
	strbuf_addf(&inbox, "%s.%s", n->inbox ? n->inbox : "_INBOX", token);
	return inbox.s;
}

struct collect *collect_new(struct net *n, const char *prefix, const char *subject, size_t most)
{
	struct collect *c = xcalloc(1, sizeof(*c));

	c->n = n;
	c->prefix = xstrdup(prefix);
	c->subject = xstrdup(subject);
	c->inbox = inbox_new(n);
	c->most = most;
	c->began = now_boot();
	c->largest = FLIGHT_BYTES / 16;
	c->box = mailbox_new();
	return c;
}

static bool subscribe(struct collect *c)
{
	struct strbuf subject = {0};

	if (c->sub)
		return true;
	strbuf_addf(&subject, "%s.*.*", c->inbox);
	c->sub = mailbox_subscribe(c->box, c->n->conn, subject.s);
	strbuf_release(&subject);
	return c->sub;
}

void collect_free(struct collect *c)
{
	if (!c)
		return;
	if (c->sub)
		natsSubscription_Unsubscribe(c->sub);
	natsSubscription_Destroy(c->sub);
	mailbox_free(c->box);
	for (size_t i = 0; i < c->by_number.n; i++) {
		forget(c, c->by_number.v[i]);
		xfree(c->by_number.v[i]->stream);
		xfree(c->by_number.v[i]);
	}
	vec_free(&c->answered);
	vec_free(&c->by_name);
	vec_free(&c->by_number);
	xfree(c->prefix);
	xfree(c->subject);
	xfree(c->inbox);
	xfree(c);
}

/* ------------------------------------------------------------------------- the streams */

/* Returns the index in c->by_name of the stream with this name, or the index where it belongs. */
static size_t place(const struct collect *c, const char *stream)
{
	size_t from = 0, to = c->by_name.n;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (strcmp(c->by_name.v[mid]->stream, stream) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static void add_source(struct collect *c, const char *stream)
{
	size_t at = place(c, stream);
	struct source *s;

	if (at < c->by_name.n && !strcmp(c->by_name.v[at]->stream, stream))
		return;
	s = xcalloc(1, sizeof(*s));
	s->stream = xstrdup(stream);
	s->number = c->by_number.n;
	s->depth = 1;
	vec_push(&c->by_number, s);
	vec_push(&c->by_name, s);
	memmove(&c->by_name.v[at + 1], &c->by_name.v[at],
		(c->by_name.n - 1 - at) * sizeof(*c->by_name.v));
	c->by_name.v[at] = s;
}

/* Lists the streams of hosts. Returns false if the server does not answer. */
static bool list_streams(struct collect *c)
{
	jsStreamNamesList *list = NULL;
	jsErrCode code = 0;
	natsStatus st = js_StreamNames(&list, c->n->js, NULL, &code);

	for (int i = 0; list && i < list->Count; i++)
		if (!strncmp(list->List[i], c->prefix, strlen(c->prefix)))
			add_source(c, list->List[i]);
	jsStreamNamesList_Destroy(list);
	c->names = now_boot();
	return st == NATS_OK || st == NATS_NOT_FOUND;
}

/*
 * After each new connection, reads all streams from their beginning again, because the server may
 * have lost its streams.
 */
static void note_connection(struct collect *c)
{
	uint64_t n = net_connections(c->n);

	if (n == c->connections)
		return;
	c->connections = n;
	c->names = 0;
	c->answered.n = 0;
	for (size_t i = 0; i < c->by_number.n; i++) {
		struct source *s = c->by_number.v[i];

		forget(c, s);
		s->at = s->given = s->due = 0;
	}
}

/* -------------------------------------------------------------------------- asking */

static void ask(struct collect *c, struct source *s, uint64_t now)
{
	struct strbuf subject = {0}, reply = {0}, b = {0};
	unsigned number = s->first + s->n;
	struct flight *f = &s->flight[number % DEPTH_MAX];

	f->seq = s->n ? s->flight[(number - 1) % DEPTH_MAX].seq + 1 : s->at + 1;
	f->asked = now;
	strbuf_addf(&subject, "$JS.API.DIRECT.GET.%s", s->stream);
	strbuf_addf(&reply, "%s.%zu.%u", c->inbox, s->number, number);
	strbuf_addf(&b, "{\"seq\":%" PRIu64 ",\"next_by_subj\":\"%s\"}", f->seq, c->subject);
	if (natsConnection_PublishRequest(c->n->conn, subject.s, reply.s, b.s, (int)b.len) ==
	    NATS_OK) {
		s->n++;
		c->flying++;
	}
	strbuf_release(&subject);
	strbuf_release(&reply);
	strbuf_release(&b);
}

static size_t most_flying(const struct collect *c)
{
	size_t n = FLIGHT_BYTES / (c->largest + 1) + 1;

	return n < FLIGHT_MAX ? n : FLIGHT_MAX;
}

/*
 * Sends requests to the streams that are due, until most_flying() requests are in flight. Starts at
 * the stream where the previous call stopped, so that each stream gets its turn.
 */
static void ask_due(struct collect *c)
{
	uint64_t now = now_boot();

	for (size_t i = 0; i < c->by_number.n && c->flying < most_flying(c); i++) {
		struct source *s = c->by_number.v[c->next++ % c->by_number.n];

		if (s->n && now - s->flight[s->first % DEPTH_MAX].asked > ANSWER_MS * MS &&
		    !s->flight[s->first % DEPTH_MAX].answer)
			forget(c, s);
		for (unsigned k = s->n; k < s->depth && now >= s->due && !s->cut; k++)
			ask(c, s, now);
	}
}

static uint64_t poll_ns(const struct collect *c)
{
	uint64_t ms = c->by_number.n / POLL_HOSTS;

	return (ms > POLL_MS ? ms : POLL_MS) * MS;
}

const char *last_header(natsMsg *msg, const char *key)
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

/*
 * Returns whether a part of @subject is the name of the host that owns the stream. The name of the
 * stream is c->prefix and the name of the host.
 */
static bool is_of(const struct collect *c, const struct source *s, const char *subject)
{
	const char *host = s->stream + strlen(c->prefix), *p = subject;
	size_t n = strlen(host);

	while (p && (strncmp(p, host, n) || p[n] != '.')) {
		p = strchr(p, '.');
		p = p ? p + 1 : NULL;
	}
	return p;
}

/*
 * Handles an answer without a message: the stream has no further message of the run. Forgets all
 * requests to the stream, because they would find no message either. The next request is sent after
 * poll_ns().
 */
static void set_idle(struct collect *c, struct source *s)
{
	s->done = s->flight[s->first % DEPTH_MAX].asked;
	s->due = now_boot() + poll_ns(c);
	forget(c, s);
}

/*
 * Notes that message number @seq of @size bytes was received, as the answer to a request for number
 * @asked or higher. If @seq > @asked, the numbers of the run's messages have gaps, so several
 * requests in flight would often get the same message. So only one request is sent at a time. If
 * @seq == @asked, the number of requests in flight may double.
 */
static void note_message(struct collect *c, struct source *s, uint64_t seq, uint64_t asked,
			 size_t size)
{
	s->at = seq;
	s->due = 0;
	s->depth = seq > asked ? 1 : 2 * s->depth < DEPTH_MAX ? 2 * s->depth : DEPTH_MAX;
	s->cut = ++s->given > c->most + (now_boot() - c->began) / (1000 / GIVEN_S * MS);
	c->largest = size > c->largest / 2 ? size : c->largest / 2;
}

/*
 * Handles the answer to the oldest request of @s. If the answer has a new message, gives the
 * message to @fn and returns true. If @fn is NULL, keeps the answer for a later call.
 */
static bool handle(struct collect *c, struct source *s, net_fn *fn, void *ctx)
{
	struct flight *f = &s->flight[s->first % DEPTH_MAX];
	natsMsg *msg = f->answer;
	struct net_message m;

	if (!direct_message(msg, &m)) {
		set_idle(c, s);
		return false;
	}
	if (m.seq > s->at && !fn)
		return true;
	f->answer = NULL;
	s->first++;
	s->n--;
	if (m.seq > s->at) {
		note_message(c, s, m.seq, f->seq, m.size);
		if (is_of(c, s, m.subject))
			fn(ctx, &m);
		natsMsg_Destroy(msg);
		return true;
	}
	natsMsg_Destroy(msg);
	return false;
}

/*
 * Handles the answers that have come, and gives the new messages to @fn. Returns the number of new
 * messages. If @fn is NULL, stops at the first new message and keeps it for the next call.
 */
static size_t hand_over(struct collect *c, net_fn *fn, void *ctx)
{
	size_t n = 0, i = 0;

	for (; i < c->answered.n && (fn || !n); i++) {
		struct source *s = c->answered.v[i];

		while (s->n && s->flight[s->first % DEPTH_MAX].answer && (fn || !n))
			n += handle(c, s, fn, ctx);
	}
	if (!fn && n)
		i--;
	if (i) {
		memmove(c->answered.v, c->answered.v + i,
			(c->answered.n - i) * sizeof(*c->answered.v));
		c->answered.n -= i;
	}
	return n;
}

size_t collect_receive(struct collect *c, int64_t ms, net_fn *fn, void *ctx)
{
	uint64_t end = now_boot() + (uint64_t)ms * MS;
	size_t n = 0, one;

	if (!net_connected(c->n) || !subscribe(c)) {
		nanosleep(&(struct timespec){0, ms > 1 ? 20 * (long)MS : 0}, NULL);
		return 0;
	}
	note_connection(c);
	if (now_boot() - c->names > NAMES_MS * MS || !c->names)
		list_streams(c);
	do {
		uint64_t now = now_boot();

		ask_due(c);
		if (!c->answered.n)
			take_answers(c, n || now >= end ? 0 : (int64_t)((end - now) / MS) + 1);
		one = hand_over(c, fn, ctx);
		n += one;
	} while (one ? now_boot() < end + LONGER_MS * MS : !n && now_boot() < end);
	return n;
}

static bool all_done_since(const struct collect *c, uint64_t since)
{
	for (size_t i = 0; i < c->by_number.n; i++)
		if (c->by_number.v[i]->done < since && !c->by_number.v[i]->cut)
			return false;
	return true;
}

bool collect_is_done(struct collect *c)
{
	uint64_t began = now_boot();

	if (!net_connected(c->n) || !c->sub || net_connections(c->n) != c->connections ||
	    !list_streams(c))
		return false;
	for (size_t i = 0; i < c->by_number.n; i++)
		c->by_number.v[i]->due = 0;
	while (!all_done_since(c, began)) {
		if (now_boot() - began > DONE_MS * MS)
			return false;
		ask_due(c);
		take_answers(c, 20);
		if (hand_over(c, NULL, NULL))
			return false;
	}
	return true;
}

bool collect_cut(const struct collect *c, struct strbuf *out)
{
	bool cut = false;

	for (size_t i = 0; i < c->by_name.n; i++) {
		const struct source *s = c->by_name.v[i];

		if (s->cut)
			strbuf_addf(out,
				    "%s: sends too many messages, so its later messages were not "
				    "read\n",
				    s->stream + strlen(c->prefix));
		cut |= s->cut;
	}
	return cut;
}
