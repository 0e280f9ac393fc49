/* newest.c - the newest state of each host in a run. */
#include "fleet/viewer/newest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "consumer/aggs/file.h"
#include "fleet/identity.h"
#include "fleet/message.h"

/*
 * Maximum bytes of a line, and maximum number of empty lines in a row. Output beyond these limits
 * is lost. Empty lines have a limit because each becomes longer: it is printed with the host's
 * name.
 */
enum { LINE_BYTES = 1 << 20, BLANK_LINES = 1000 };

/* Maximum number of states of one name in a part of a run. */
enum { STATES_MAX = 128 };

static const char *const phases[] = {
	[PHASE_ASKED] = "asked",
	[PHASE_TRACING] = "tracing",
	[PHASE_ENDED] = "ended",
	[PHASE_REFUSED] = "refused",
};

static const char *const ends[] = {
	[END_NONE] = "none",     [END_DONE] = "done",     [END_ASKED] = "asked",
	[END_POLICY] = "policy", [END_LEASE] = "lease",   [END_LATE] = "late",
	[END_SIGNAL] = "signal", [END_FAILED] = "failed", [END_KEEPER] = "keeper",
};

#define NENDS (sizeof(ends) / sizeof(ends[0]))
#define NPHASES (sizeof(phases) / sizeof(phases[0]))

const char *phase_name(enum phase p)
{
	return phases[p];
}

static bool phase_find(const char *name, enum phase *p)
{
	for (size_t i = 0; name && i < NPHASES; i++)
		if (!strcmp(phases[i], name)) {
			*p = (enum phase)i;
			return true;
		}
	return false;
}

const char *end_name(enum end e)
{
	return ends[e];
}

bool end_find(const char *name, enum end *e)
{
	for (size_t i = 0; name && i < NENDS; i++)
		if (!strcmp(ends[i], name)) {
			*e = (enum end)i;
			return true;
		}
	return false;
}

static int compare(const struct host_state *s, const struct report_key *k, size_t part)
{
	int c = strcmp(s->host, k->host);

	if (!c)
		c = strcmp(s->id, k->id);
	if (!c)
		c = (s->part > part) - (s->part < part);
	return c ? c : (s->epoch > k->epoch) - (s->epoch < k->epoch);
}

/*
 * Returns the index of the state with this key in the current part, or the index where it belongs.
 */
static size_t place(const struct hosts *h, const struct report_key *k)
{
	size_t from = 0, to = h->v.n;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (compare(h->v.v[mid], k, h->part) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

static struct host_state *find(const struct hosts *h, const struct report_key *k)
{
	size_t at = place(h, k);

	return at < h->v.n && !compare(h->v.v[at], k, h->part) ? h->v.v[at] : NULL;
}

static void insert(struct hosts *h, struct host_state *s)
{
	struct report_key k = {s->host, s->id, s->epoch};
	size_t at = place(h, &k);

	vec_push(&h->v, s);
	memmove(&h->v.v[at + 1], &h->v.v[at], (h->v.n - 1 - at) * sizeof(*h->v.v));
	h->v.v[at] = s;
}

/* Takes a state out of the list, without freeing it. */
static void take_out(struct hosts *h, const struct host_state *s)
{
	struct report_key k = {s->host, s->id, s->epoch};
	size_t at = place(h, &k);

	memmove(&h->v.v[at], &h->v.v[at + 1], (--h->v.n - at) * sizeof(*h->v.v));
}

/*
 * Takes the state of an expected host (epoch 0) out of the list, and returns it. Looks for the name
 * and ID, and then for the name without an ID. Returns NULL if there is none.
 */
static struct host_state *take_expected(struct hosts *h, const struct report_key *k)
{
	struct report_key waiting = {k->host, k->id, 0}, named = {k->host, "", 0};
	struct host_state *s = find(h, &waiting);

	if (!s)
		s = find(h, &named);
	if (s)
		take_out(h, s);
	return s;
}

struct host_state *hosts_get(struct hosts *h, const struct report_key *key)
{
	struct host_state *s = find(h, key);

	if (s)
		return s;
	s = take_expected(h, key);
	if (!s) {
		s = xcalloc(1, sizeof(*s));
		s->host = xstrdup(key->host);
		s->part = h->part;
	}
	xfree(s->id);
	s->id = xstrdup(key->id);
	s->epoch = key->epoch;
	s->sequence = 0;
	insert(h, s);
	return s;
}

/*
 * Returns the state with the key of a message, as hosts_get() does. A host may invent any number of
 * keys, and each state takes memory. So if there are STATES_MAX states of this name in the current
 * part, rejects all of them, and returns NULL.
 */
static struct host_state *get_sent(struct hosts *h, const struct report_key *key)
{
	size_t from = place(h, &(struct report_key){key->host, "", 0}), to = from, n = 0;

	for (; to < h->v.n && !strcmp(h->v.v[to]->host, key->host); to++)
		n += h->v.v[to]->epoch && h->v.v[to]->part == h->part;
	if (n < STATES_MAX || find(h, key))
		return hosts_get(h, key);
	for (; from < to; from++)
		h->v.v[from]->rejected = "too many answers to this run have this name";
	return NULL;
}

/* A host's report, as read from the message. */
struct report {
	uint64_t sequence, matched, out, unsent, errors;
	enum phase phase;
	enum end end;
	const char *version, *lacks, *members; /* owned by the message; each may be NULL */
};

/*
 * Reads a report. Returns false if the report is malformed, or belongs to another run or another
 * key. A report with epoch 0, which means that the host has not begun the run, must be a refusal.
 */
static bool read_report(const struct message *m, const char *run, const struct report_key *key,
			struct report *t)
{
	const char *r = message_get(m, "run"), *h = message_get(m, "host"),
		   *id = message_get(m, "id");
	uint64_t epoch;

	t->version = message_get(m, "version");
	t->lacks = message_get(m, "lacks");
	t->members = message_get(m, "members");
	return r && !strcmp(r, run) && h && !strcmp(h, key->host) && id && !strcmp(id, key->id) &&
	       message_number(m, "epoch", &epoch) && epoch == key->epoch &&
	       message_number(m, "sequence", &t->sequence) &&
	       message_number(m, "matched", &t->matched) && message_number(m, "out", &t->out) &&
	       message_number(m, "unsent", &t->unsent) && message_number(m, "said", &t->errors) &&
	       t->errors <= m->len && end_find(message_get(m, "end"), &t->end) &&
	       phase_find(message_get(m, "phase"), &t->phase) &&
	       (epoch || t->phase == PHASE_REFUSED);
}

static void set(struct strbuf *b, const void *p, size_t n)
{
	strbuf_reset(b);
	if (n)
		strbuf_add(b, p, n);
}

/* Parses the snapshot, which is slow, and stores the members of @s that depend on it. */
static void look_inside(struct host_state *s)
{
	struct diag d = {0};
	struct aggfile *f = s->snapshot.len
				    ? aggfile_parse("snapshot", s->snapshot.s, s->snapshot.len, &d)
				    : NULL;

	s->naggs = f ? f->nagg : 0;
	s->lossy = f && f->nloss;
	strbuf_reset(&s->bad);
	if (s->snapshot.len && !f)
		visible_add(&s->bad, d.msg, strlen(d.msg));
	/*
	 * dtrace --merge would take this snapshot for one of host f->id.host, and might leave out
	 * that host's true snapshot.
	 */
	else if (f && strcmp(f->id.host, s->host))
		strbuf_addf(&s->bad, "its snapshot is of host %s", f->id.host);
	aggfile_free(f);
	diag_release(&d);
}

/*
 * Copies the texts of the report. The version and the text `lacks` are made safe to print.
 * verdict.c parses the text `members`.
 */
static void set_words(struct host_state *s, const struct report *t)
{
	const char *lacks = t->lacks ? t->lacks : "";

	xfree(s->version);
	s->version = t->version ? visible_copy(t->version) : NULL;
	xfree(s->members);
	s->members = t->members ? xstrdup(t->members) : NULL;
	strbuf_reset(&s->lacks);
	visible_add(&s->lacks, lacks, strlen(lacks));
}

static void take(struct host_state *s, const struct report *t, const struct message *m)
{
	const char *body = m->body;

	s->sequence = t->sequence;
	s->phase = t->phase;
	s->matched = t->matched;
	s->out = t->out;
	s->unsent = t->unsent;
	s->end = t->end;
	set_words(s, t);
	set(&s->errors, body, t->errors);
	set(&s->snapshot, body + t->errors, m->len - t->errors);
	look_inside(s);
}

struct host_state *hosts_receive(struct hosts *h, const char *run, const struct report_key *key,
				 const void *data, size_t size)
{
	struct host_state *s = NULL;
	struct message m;
	struct report t;

	if (message_parse(&m, data, size) && read_report(&m, run, key, &t)) {
		s = get_sent(h, key);
		if (s && t.sequence > s->sequence) {
			take(s, &t, &m);
		} else {
			h->stale++;
			s = NULL;
		}
	}
	message_release(&m);
	return s;
}

/* Replaces each "%2E" by a dot, which reverses what subject_host() does. */
static void decode_host(char *s)
{
	char *to = s;

	for (; *s; s++, to++) {
		*to = *s;
		if (!strncmp(s, "%2E", 3)) {
			*to = '.';
			s += 2;
		}
	}
	*to = '\0';
}

void hosts_reject(struct hosts *h, const char *subject, const char *why)
{
	char *copy = xstrdup(subject), *part[3] = {0}, *end = NULL;
	struct report_key k;

	for (int i = 2; i >= 0 && (part[i] = strrchr(copy, '.')); i--)
		*part[i]++ = '\0';
	if (part[0]) {
		decode_host(part[0]);
		k = (struct report_key){part[0], part[1], strtoull(part[2], &end, 10)};
		if (is_host_name(k.host) && is_identity(k.id) && !*end)
			hosts_get(h, &k)->rejected = why;
	}
	xfree(copy);
}

void host_reject_relay(struct host_state *s, const char *why)
{
	s->rejected = why;
	xfree(s->members);
	s->members = NULL;
}

/*
 * Appends the empty lines that came before the host's current line, and then that line, to @out.
 * The line may contain NULs.
 */
static void end_line(struct host_state *s, struct strbuf *out)
{
	if (s->blank > BLANK_LINES) {
		s->cut += s->blank - BLANK_LINES;
		s->lost += s->blank - BLANK_LINES;
		s->blank = BLANK_LINES;
	}
	for (; s->blank; s->blank--)
		strbuf_addf(out, "%s: \n", s->host);
	strbuf_addf(out, "%s: ", s->host);
	if (s->line.len)
		strbuf_add(out, s->line.s, s->line.len);
	strbuf_addc(out, '\n');
	strbuf_reset(&s->line);
	if (s->cut)
		strbuf_addf(out, "%s: %" PRIu64 " bytes of output lost\n", s->host, s->cut);
	s->cut = 0;
}

void hosts_last_lines(struct hosts *h, struct strbuf *out)
{
	for (size_t i = 0; i < h->v.n; i++)
		if (h->v.v[i]->line.len)
			end_line(h->v.v[i], out);
}

/* Appends a byte to the host's current line, if the line is not too long. */
static void add_byte(struct host_state *s, char c)
{
	if (s->line.len < LINE_BYTES) {
		strbuf_addc(&s->line, c);
	} else {
		s->cut++;
		s->lost++;
	}
}

static void lose(struct host_state *s, uint64_t offset, struct strbuf *out)
{
	if (s->line.len)
		end_line(s, out);
	strbuf_addf(out, "%s: %" PRIu64 " bytes of output lost\n", s->host, offset - s->shown);
	s->lost += offset - s->shown;
	s->shown = offset;
}

void hosts_lines(struct hosts *h, const struct report_key *key, uint64_t offset, const char *p,
		 size_t n, struct strbuf *out)
{
	struct host_state *s = get_sent(h, key);

	if (!s)
		return;
	if (offset > s->shown)
		lose(s, offset, out);
	if (offset + n <= s->shown)
		return;
	p += s->shown - offset;
	n -= s->shown - offset;
	s->shown += n;
	for (; n; p++, n--)
		if (*p != '\n')
			add_byte(s, *p);
		else if (s->line.len)
			end_line(s, out);
		else
			s->blank++;
}

/* Returns how many hosts with an index of @from or more have a snapshot and @matched probes. */
static size_t count_alike(const struct hosts *h, size_t from, uint64_t matched)
{
	size_t n = 0;

	for (size_t i = from; i < h->v.n; i++)
		n += h->v.v[i]->snapshot.len && h->v.v[i]->matched == matched;
	return n;
}

void hosts_matched(const struct hosts *h, struct strbuf *out)
{
	struct strbuf b = {0};
	unsigned kinds = 0;

	for (size_t i = 0; i < h->v.n; i++) {
		const struct host_state *s = h->v.v[i];
		size_t n = count_alike(h, i, s->matched);

		/* Skip a host if the line of an earlier host already counts it. */
		if (!s->snapshot.len || n != count_alike(h, 0, s->matched))
			continue;
		kinds++;
		strbuf_adds(&b, s->host);
		if (n > 1)
			strbuf_addf(&b, " and %zu more", n - 1);
		strbuf_addf(&b, ": %" PRIu64 " probe%s\n", s->matched, s->matched == 1 ? "" : "s");
	}
	if (kinds > 1)
		strbuf_add(out, b.s, b.len);
	strbuf_release(&b);
}

static bool has_answered(const struct host_state *s)
{
	return s->sequence || s->shown;
}

/*
 * If @a and @b have the same name or the same ID, and both have answered, marks them as twins.
 * Returns a text that says what they share, or NULL if they are no twins.
 */
static const char *twins(struct host_state *a, struct host_state *b)
{
	bool name = !strcmp(a->host, b->host), id = !strcmp(a->id, b->id);

	if ((!name && !id) || !has_answered(a) || !has_answered(b))
		return NULL;
	if (name && id && a->members && b->members && a->part != b->part)
		return NULL;
	a->twin = b->twin = true;
	if (name && id)
		return "began the run twice: two agents have this host's ID, or the agent lost the "
		       "first run";
	return name ? "two machines have this name" : "two hosts have the same ID";
}

static int by_id(const void *a, const void *b)
{
	const struct host_state *const *x = a, *const *y = b;

	return strcmp((*x)->id, (*y)->id);
}

void hosts_find_twins(struct hosts *h, struct strbuf *out)
{
	struct host_state **v = xcalloc(h->v.n + 1, sizeof(*v));
	const char *what;

	for (size_t i = 1; i < h->v.n; i++) {
		struct host_state *a = h->v.v[i - 1], *b = h->v.v[i];

		what = strcmp(a->host, b->host) ? NULL : twins(a, b);
		if (what)
			strbuf_addf(out, "%s: %s (IDs %s, %s)\n", a->host, what, a->id, b->id);
	}
	if (h->v.n)
		memcpy(v, h->v.v, h->v.n * sizeof(*v));
	qsort(v, h->v.n, sizeof(*v), by_id);
	for (size_t i = 1; i < h->v.n; i++) {
		what = strcmp(v[i - 1]->host, v[i]->host) ? twins(v[i - 1], v[i]) : NULL;
		if (what)
			strbuf_addf(out, "%s, %s: %s (%s)\n", v[i - 1]->host, v[i]->host, what,
				    v[i]->id);
	}
	xfree(v);
}

void hosts_release(struct hosts *h)
{
	for (size_t i = 0; i < h->v.n; i++) {
		struct host_state *s = h->v.v[i];

		strbuf_release(&s->line);
		strbuf_release(&s->errors);
		strbuf_release(&s->snapshot);
		strbuf_release(&s->lacks);
		strbuf_release(&s->bad);
		xfree(s->version);
		xfree(s->members);
		xfree(s->host);
		xfree(s->id);
		xfree(s);
	}
	vec_free(&h->v);
}
