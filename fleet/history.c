/* history.c - reads, writes and adds up intervals. */
#include "fleet/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/sum.h"
#include "fleet/identity.h"
#include "fleet/message.h"
#include "fleet/when.h"

/* If two intervals of a host are at most this far apart, in ns, there is no gap between them. */
#define GAP_NS 2000000000ull
enum { MISSING_BYTES = 1 << 16 }; /* maximum size of the lines about one host, roughly */
#define LATE_NS 5000000000ull     /* time that a host may need to send an interval */

static void add_subject(struct strbuf *b, const struct interval *i)
{
	strbuf_addf(b, "fleet.history.%s.", i->program);
	subject_host(b, i->host);
	strbuf_addf(b, ".%s", i->id);
}

void interval_write(struct strbuf *subject, struct strbuf *b, const struct interval *i,
		    const void *file, size_t size)
{
	add_subject(subject, i);
	message_begin(b);
	message_head(b, "program", i->program);
	message_head(b, "host", i->host);
	message_head(b, "id", i->id);
	message_head_number(b, "epoch", i->epoch);
	message_head_number(b, "number", i->number);
	message_head_number(b, "from", i->from);
	message_head_number(b, "to", i->to);
	if (i->lacks)
		message_head(b, "lacks", i->lacks);
	message_body(b, file, size);
}

bool interval_read(struct interval *i, const struct message *m, const char *subject)
{
	struct strbuf b = {0};
	bool ok;

	*i = (struct interval){.program = message_get(m, "program"),
			       .host = message_get(m, "host"),
			       .id = message_get(m, "id"),
			       .lacks = message_get(m, "lacks")};
	if (!is_run_id(i->program) || !is_host_name(i->host) || !is_identity(i->id) ||
	    !message_number(m, "epoch", &i->epoch) || !message_number(m, "number", &i->number) ||
	    !message_number(m, "from", &i->from) || !message_number(m, "to", &i->to) ||
	    !i->number || i->from > i->to)
		return false;
	add_subject(&b, i);
	ok = !strcmp(b.s, subject);
	strbuf_release(&b);
	return ok;
}

static int compare(const struct host_history *h, const char *host, const char *id)
{
	int c = strcmp(h->host, host);

	return c ? c : strcmp(h->id, id);
}

struct host_history *history_of(struct history *h, const char *host, const char *id)
{
	struct host_history one = {0};
	size_t at = 0, to = h->v.n;

	while (at < to) {
		size_t mid = (at + to) / 2;

		if (compare(&h->v.v[mid], host, id) < 0)
			at = mid + 1;
		else
			to = mid;
	}
	if (at < h->v.n && !compare(&h->v.v[at], host, id))
		return &h->v.v[at];
	one.host = xstrdup(host);
	one.id = xstrdup(id);
	vec_push(&h->v, one);
	memmove(&h->v.v[at + 1], &h->v.v[at], (h->v.n - 1 - at) * sizeof(one));
	h->v.v[at] = one;
	return &h->v.v[at];
}

static void add_time(struct strbuf *b, uint64_t ns)
{
	char text[WHEN_SIZE];

	strbuf_adds(b, when_text(text, ns));
}

static void add_gap(struct strbuf *b, const char *host, uint64_t from, uint64_t to)
{
	strbuf_addf(b, "%s: no data from ", host);
	add_time(b, from);
	strbuf_adds(b, " to ");
	add_time(b, to);
	strbuf_addc(b, '\n');
}

/*
 * Appends @line to the host's lines. When the lines are full, appends "more data is missing" once.
 */
static void add_missing(struct host_history *o, const struct strbuf *line)
{
	struct strbuf *all = &o->missing;

	if (o->cut)
		return;
	o->cut = all->len >= MISSING_BYTES;
	if (o->cut)
		strbuf_addf(all, "%s: more data is missing\n", o->host);
	else
		strbuf_add(all, line->s, line->len);
}

/*
 * Adds a line that says why the file of an interval is missing or cannot be added up. Adds nothing
 * if the last line about the host is the same.
 */
static void note_unread(struct host_history *o, const char *why)
{
	struct strbuf line = {0}, *all = &o->missing;

	strbuf_addf(&line, "%s: ", o->host);
	visible_add(&line, why, strlen(why));
	strbuf_addc(&line, '\n');
	if (all->len < line.len || memcmp(all->s + all->len - line.len, line.s, line.len))
		add_missing(o, &line);
	strbuf_release(&line);
}

/*
 * Returns whether data is missing between the host's last interval and @i: they are more than
 * GAP_NS apart, or a number is missing. The first interval of each run (epoch) has number 1.
 */
static bool is_gap(const struct host_history *o, const struct interval *i)
{
	uint64_t before = i->epoch == o->epoch ? o->number : 0;

	return i->from > o->to + GAP_NS || i->number - before != 1;
}

/* Returns whether @i was added before: it is not newer than the interval that was added last. */
static bool is_old(const struct host_history *o, const struct interval *i)
{
	return o->count && (i->to <= o->to || (i->epoch == o->epoch && i->number <= o->number));
}

/*
 * Returns the sum of the period (h->step) in which the interval ends. Makes an empty sum if the
 * period has none.
 */
static struct aggsum *sum_of(struct history *h, const struct interval *i)
{
	size_t at = h->step ? (size_t)((i->to - h->from - 1) / h->step) : 0;

	while (h->sum.n <= at)
		vec_push(&h->sum, NULL);
	if (!h->sum.v[at])
		h->sum.v[at] = aggsum_new();
	return h->sum.v[at];
}

/*
 * Makes @i the last interval of the host. If there is a gap before it, adds a line about the gap.
 */
static void note(struct host_history *o, const struct interval *i)
{
	struct strbuf line = {0};

	if (o->count && is_gap(o, i)) {
		add_gap(&line, o->host, o->to, i->from > o->to ? i->from : o->to);
		add_missing(o, &line);
	}
	strbuf_release(&line);
	if (!o->count)
		o->from = i->from;
	o->length[o->count++ % LENGTHS] = i->to - i->from;
	o->epoch = i->epoch;
	o->number = i->number;
	o->to = i->to;
}

bool history_add(struct history *h, const struct interval *i, const void *file, size_t size)
{
	struct host_history *o;
	struct diag d = {0};
	struct aggsum *sum;

	if (i->to <= h->from || i->to > h->to)
		return false;
	o = history_of(h, i->host, i->id);
	if (is_old(o, i)) {
		if (i->epoch > o->epoch)
			note_unread(o, "a later run ends earlier: was the host's clock set back?");
		return false;
	}
	note(o, i);
	sum = sum_of(h, i);
	if (i->lacks)
		note_unread(o, i->lacks);
	else if (!aggsum_add(sum, "interval", file, size, &d))
		note_unread(o, d.msg);
	else if (aggsum_has_losses(sum, true))
		note_unread(o, "the program lost a part of what it traced");
	diag_release(&d);
	return true;
}

static int compare_lengths(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Sorts @v and returns the value in the middle. If @n is even, returns the larger of the two. */
static uint64_t median(uint64_t *v, size_t n)
{
	qsort(v, n, sizeof(*v), compare_lengths);
	return v[n / 2];
}

/*
 * Returns the median length of the host's last intervals. One unusual interval changes it little.
 */
static uint64_t host_length(const struct host_history *o)
{
	uint64_t v[LENGTHS];

	memcpy(v, o->length, sizeof(v));
	return median(v, o->count < LENGTHS ? o->count : LENGTHS);
}

/*
 * Returns the median of host_length() of all hosts. An average would be wrong: a host may claim any
 * length, and a huge one would hide that other hosts are silent.
 */
static uint64_t usual_length(const struct history *h)
{
	VEC(uint64_t) v = {0};
	uint64_t usual;

	for (size_t k = 0; k < h->v.n; k++)
		if (h->v.v[k].count)
			vec_push(&v, host_length(&h->v.v[k]));
	usual = v.n ? median(v.v, v.n) : 0;
	vec_free(&v);
	return usual;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/*
 * If the newest interval of a host ends before the time that this function returns, intervals are
 * missing. @length is the length of the host's intervals.
 *
 * At time @now, a host may be two intervals and LATE_NS behind. Intervals that end after h->to do
 * not count, so the newest interval may end up to @length before h->to.
 */
static uint64_t due(const struct history *h, uint64_t length, uint64_t now)
{
	uint64_t sent = minus(minus(minus(now, length), length), LATE_NS);

	return h->to > sent ? sent : minus(h->to, length);
}

size_t history_missing(const struct history *h, uint64_t now, struct strbuf *out)
{
	uint64_t usual = usual_length(h), length;
	size_t complete = 0;

	for (size_t k = 0; k < h->v.n; k++) {
		const struct host_history *o = &h->v.v[k];
		size_t before = out->len;

		if (!o->count)
			strbuf_addf(out,
				    o->relay ? "%s: no data, because it is a relay; to see the "
					       "history of its hosts, name their server with -S\n"
					     : "%s: no data at all\n",
				    o->host);
		if (o->count && o->from > h->from + GAP_NS)
			add_gap(out, o->host, h->from, o->from);
		if (o->missing.len)
			strbuf_add(out, o->missing.s, o->missing.len);
		length = o->count ? host_length(o) : 0;
		if (o->count && o->to < due(h, length > usual ? length : usual, now))
			add_gap(out, o->host, o->to, h->to < now ? h->to : now);
		complete += out->len == before;
	}
	return complete;
}

void history_release(struct history *h)
{
	for (size_t k = 0; k < h->v.n; k++) {
		xfree(h->v.v[k].host);
		xfree(h->v.v[k].id);
		strbuf_release(&h->v.v[k].missing);
	}
	for (size_t k = 0; k < h->sum.n; k++)
		aggsum_free(h->sum.v[k]);
	vec_free(&h->sum);
	vec_free(&h->v);
}
