/*
 * filter.c - turns the values of filters into D expressions. Each filter is a row of rows[].
 *
 * The value of a filter is a list such as "80,443,8000-8100,!8080". Each item becomes a test in D.
 * If the list has items without '!', one of those items must match. No item with '!' may match.
 */
#include "cmd/filter.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "compiler/meaning/prefix.h"
#include "procinfo/owner.h"

/*
 * Appends D text that compares the expression @what with the item @text. If @text is not an item
 * that this filter accepts, returns false and sets f->wrong to the reason.
 */
typedef bool test_fn(struct filters *f, const struct filter_row *row, const char *what,
		     const char *text, struct strbuf *out);

struct filter_row {
	const char *name;
	const char *what[2]; /* D expressions of a packet; one of the two must match */
	/* D expression of the current process, or NULL if the filter has none */
	const char *task;
	test_fn *test;
	uint64_t most; /* maximum number that test_number() accepts */
	bool live;     /* the filter tests data that captures do not have */
	bool owner;    /* the filter is about the owner of a socket */
};

static bool wrong(struct filters *f, const char *text, const char *why)
{
	strbuf_reset(&f->wrong);
	strbuf_addf(&f->wrong, "\"%s\": %s", text, why);
	return false;
}

/* ------------------------------------------------------------------- values */

#define PID_MOST 4194304 /* the kernel's PID_MAX_LIMIT */
#define NAME_MOST 15     /* characters of a task's name */

static bool take_number(const char **s, uint64_t *v)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	errno = 0;
	*v = strtoull(*s, &end, 10);
	*s = end;
	return !errno;
}

/* Accepts a number or a range: 80 or 8000-8100. */
static bool test_number(struct filters *f, const struct filter_row *row, const char *what,
			const char *text, struct strbuf *out)
{
	const char *s = text;
	uint64_t from, to;

	if (!take_number(&s, &from))
		return wrong(f, text,
			     row->most == PID_MOST
				     ? "expected a number or a range (80-90); to select a process "
				       "by name use execname="
				     : "expected a number or a range (80-90)");
	to = from;
	if (*s == '-' && (s++, !take_number(&s, &to)))
		return wrong(f, text, "expected a number after the -");
	if (*s)
		return wrong(f, text, "expected a number or a range (80-90)");
	if (from > to)
		return wrong(f, text, "the range ends before it begins");
	if (to > row->most) {
		strbuf_reset(&f->wrong);
		strbuf_addf(&f->wrong, "\"%s\": too large: at most %" PRIu64, text, row->most);
		return false;
	}
	if (from == to)
		strbuf_addf(out, "%s == %llu", what, (unsigned long long)from);
	else
		strbuf_addf(out, "(%s >= %llu && %s <= %llu)", what, (unsigned long long)from, what,
			    (unsigned long long)to);
	return true;
}

static bool test_version(struct filters *f, const struct filter_row *row, const char *what,
			 const char *text, struct strbuf *out)
{
	(void)row;
	if (strcmp(text, "4") && strcmp(text, "6"))
		return wrong(f, text, "expected 4 or 6");
	strbuf_addf(out, "%s == %s", what, text);
	return true;
}

static bool test_network(struct filters *f, const struct filter_row *row, const char *what,
			 const char *text, struct strbuf *out)
{
	struct prefix p;
	const char *why = prefix_parse(text, &p);

	(void)row;
	if (why)
		return wrong(f, text, why);
	strbuf_addf(out, "cidr(%s, \"%s\")", what, text);
	return true;
}

/* Accepts the name of a user, a number or a range: root or 1000-1999. */
static bool test_user(struct filters *f, const struct filter_row *row, const char *what,
		      const char *text, struct strbuf *out)
{
	const char *why;
	uint64_t uid;

	if (*text >= '0' && *text <= '9')
		return test_number(f, row, what, text, out);
	if (!owner_user_id(text, &uid, &why))
		return wrong(f, text, why);
	strbuf_addf(out, "%s == %llu", what, (unsigned long long)uid);
	return true;
}

/* Appends @n bytes at @s as a D string literal. */
static void add_literal(struct strbuf *out, const char *s, size_t n)
{
	strbuf_addc(out, '"');
	for (size_t i = 0; i < n; i++)
		if (s[i] == '"' || s[i] == '\\' || (unsigned char)s[i] < ' ')
			strbuf_addf(out, "\\%03o", (unsigned char)s[i]);
		else
			strbuf_addc(out, s[i]);
	strbuf_addc(out, '"');
}

/*
 * Returns a hash of the first 8 bytes of a name. __named_near of translators/socket.d computes the
 * same hash.
 */
static uint64_t name_hash(const char *name)
{
	uint64_t word;
	char first[sizeof(word)] = "";

	memcpy(first, name, strnlen(name, sizeof(first)));
	memcpy(&word, first, sizeof(word));
	return (word ^ word >> 23 ^ word >> 46) & 0x7fffff;
}

/* Accepts a name that may begin or end with '*': nginx, nginx*, *nginx or *nginx*. */
static bool test_name(struct filters *f, const struct filter_row *row, const char *what,
		      const char *text, struct strbuf *out)
{
	bool before = *text == '*', behind;
	const char *s = text + before;
	size_t n = strlen(s);

	behind = n && s[n - 1] == '*';
	n -= behind;
	if (!n || memchr(s, '*', n))
		return wrong(f, text, "expected a name, which may begin or end with *");
	if (n > NAME_MOST)
		return wrong(f, text,
			     "too long: the kernel keeps at most 15 characters of a name, so give "
			     "the first 15");
	if (!before && !behind && what != row->task && strcmp(s, "<unknown>"))
		strbuf_addf(out, "__filter_named[S, %" PRIu64 "] && ", name_hash(s));
	if (before && behind)
		strbuf_addf(out, "strstr(%s, ", what);
	else if (before)
		strbuf_addf(out, "strlen(%s) >= %zu && substr(%s, strlen(%s) - %zu) == ", what, n,
			    what, what, n);
	else if (behind)
		strbuf_addf(out, "substr(%s, 0, %zu) == ", what, n);
	else
		strbuf_addf(out, "%s == ", what);
	add_literal(out, s, n);
	if (before && behind)
		strbuf_adds(out, ") != NULL");
	return true;
}

/*
 * Accepts a network namespace: a name of ip-netns(8), the number of a process in the namespace, the
 * inode number of the namespace, or the path of a file that stands for it.
 */
static bool test_netns(struct filters *f, const struct filter_row *row, const char *what,
		       const char *text, struct strbuf *out)
{
	const char *why;
	uint64_t ino;

	(void)row;
	if (!owner_netns_id(text, &ino, &why))
		return wrong(f, text, why);
	strbuf_addf(out, "%s == %llu", what, (unsigned long long)ino);
	return true;
}

static bool test_cgroup(struct filters *f, const struct filter_row *row, const char *what,
			const char *text, struct strbuf *out)
{
	const char *why;
	unsigned level;
	uint64_t id;

	(void)row;
	if (!owner_cgroup_id(text, &id, &level, &why))
		return wrong(f, text, why);
	strbuf_addf(out, "%s, %u, %lluull]", what, level, (unsigned long long)id);
	return true;
}

/* --------------------------------------------------------------------- rows */

#define LPORT "__filter_lport[S, L, out]"
#define RPORT "__filter_rport[S, L, out]"
#define LADDR "__filter_laddr[S, I, out]"
#define RADDR "__filter_raddr[S, I, out]"

/* The cheapest filters come first, because filters_text() puts the tests in this order. */
static const struct filter_row rows[] = {
	{"ipver", {"__filter_ipver[S, I]"}, NULL, test_version, 0, false, false},
	{"port", {LPORT, RPORT}, NULL, test_number, UINT16_MAX, false, false},
	{"lport", {LPORT}, NULL, test_number, UINT16_MAX, false, false},
	{"rport", {RPORT}, NULL, test_number, UINT16_MAX, false, false},
	{"addr", {LADDR, RADDR}, NULL, test_network, 0, false, false},
	{"laddr", {LADDR}, NULL, test_network, 0, false, false},
	{"raddr", {RADDR}, NULL, test_network, 0, false, false},
	{"netns", {"__filter_netns[K, S]"}, "__filter_task_netns", test_netns, 0, true, false},
	{"user", {"__filter_uid[S]"}, "uid", test_user, UINT32_MAX, true, true},
	{"cgroup", {"__filter_cgroup[S"}, "__filter_task_cgroup[0", test_cgroup, 0, true, true},
	{"pid", {"__filter_pid[S]"}, "pid", test_number, PID_MOST, false, true},
	{"execname", {"__filter_execname[S]"}, "execname", test_name, 0, false, true},
};

static const struct filter_row *find(const char *name)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

const char *filter_name(unsigned *n, unsigned from)
{
	unsigned nrow = sizeof(rows) / sizeof(*rows);

	if (*n - from < nrow)
		return rows[*n - from].name;
	*n -= nrow;
	return NULL;
}

bool filter_exists(const char *name)
{
	return find(name) != NULL;
}

/* ---------------------------------------------------------------------- lists */

/*
 * Appends the test of one item. If @task is set, the test is about the current process, else about
 * a packet.
 */
static bool add_item(struct filters *f, const struct filter_row *row, const char *item, bool task,
		     struct strbuf *out)
{
	const char *const of_task[2] = {row->task};
	const char *const *what = task ? of_task : row->what;

	strbuf_addc(out, '(');
	for (int i = 0; i < 2 && what[i]; i++) {
		if (i)
			strbuf_adds(out, " || ");
		if (!row->test(f, row, what[i], item, out))
			return false;
	}
	strbuf_addc(out, ')');
	return true;
}

/* Appends the test of all items that begin with '!' (if @not is set) or of all other items. */
static bool add_items(struct filters *f, const struct filter_row *row, char *list, bool not,
		      bool task, struct strbuf *out)
{
	size_t n = 0;

	for (char *item = list, *end; item; item = end) {
		end = strchr(item, ',');
		if (end)
			*end = '\0';
		if ((*item == '!') == not) {
			strbuf_adds(out, n++ ? " || " : not? "!(" : "(");
			if (!add_item(f, row, item + not, task, out))
				return false;
		}
		if (end)
			*end++ = ',';
	}
	strbuf_adds(out, n ? ")" : "1");
	return true;
}

/* Appends the test of a whole value: of its items without '!' and of its items with '!'. */
static bool add_list(struct filters *f, const struct filter_row *row, const char *value, bool task,
		     struct strbuf *out)
{
	char *list = xstrdup(value ? value : "");
	bool good = add_items(f, row, list, false, task, out);

	if (good) {
		strbuf_adds(out, " && ");
		good = add_items(f, row, list, true, task, out);
	}
	xfree(list);
	return good;
}

bool filter_add(struct filters *f, const char *name, const char *value)
{
	const struct filter_row *row = find(name);
	struct strbuf test = {0}, task = {0};

	if (add_list(f, row, value, false, &test) &&
	    (!row->task || add_list(f, row, value, true, &task))) {
		vec_push(&f->v, ((struct filter){row, test.s, task.s}));
		return true;
	}
	strbuf_release(&test);
	strbuf_release(&task);
	return false;
}

const char *filters_text(struct filters *f, bool packet)
{
	strbuf_reset(&f->text);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		for (size_t k = 0; k < f->v.n; k++)
			if (f->v.v[k].row == &rows[i])
				strbuf_addf(&f->text, "%s%s", f->text.len ? " && " : "",
					    f->v.v[k].test);
	if (packet)
		strbuf_addf(&f->text, "%s__filter_packet[K, I]", f->text.len ? " && " : "");
	return f->text.len ? f->text.s : NULL;
}

const char *filters_task(struct filters *f)
{
	strbuf_reset(&f->task);
	for (size_t i = 0; i < f->v.n; i++) {
		if (!f->v.v[i].task)
			return NULL;
		strbuf_addf(&f->task, "%s%s", i ? " && " : "", f->v.v[i].task);
	}
	return f->v.n ? f->task.s : NULL;
}

const char *filters_about(const struct filters *f, enum filter_about what)
{
	for (size_t i = 0; i < f->v.n; i++)
		if (what == FILTER_LIVE    ? f->v.v[i].row->live
		    : what == FILTER_OWNER ? f->v.v[i].row->owner
					   : !f->v.v[i].row->task)
			return f->v.v[i].row->name;
	return NULL;
}

void filters_release(struct filters *f)
{
	for (size_t i = 0; i < f->v.n; i++) {
		xfree(f->v.v[i].test);
		xfree(f->v.v[i].task);
	}
	vec_free(&f->v);
	strbuf_release(&f->wrong);
	strbuf_release(&f->text);
	strbuf_release(&f->task);
}
