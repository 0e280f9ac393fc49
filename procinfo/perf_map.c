/*
 * perf_map.c - reads the names of JIT code.
 */
#include "procinfo/perf_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"

#define ENTRIES_MAX 500000u

/*
 * Parses the two numbers at the start of @s, such as "7f12a0 1f", and sets @name to the text after
 * them. Returns false if the numbers are missing or invalid.
 */
static bool parse_numbers(char *s, struct perf_entry *e, char **name)
{
	char *end;

	errno = 0;
	e->from = strtoull(s, &end, 16);
	if (end == s || *end != ' ')
		return false;
	e->size = strtoull(end + 1, name, 16);
	return *name != end + 1 && **name == ' ' && !errno && e->size &&
	       e->from + e->size > e->from;
}

static void add_line(struct perf_map *m, char *line, size_t length, uint32_t number)
{
	struct perf_entry e = {.line = number};
	char *name;

	line[length] = '\0';
	if (!parse_numbers(line, &e, &name) || !name[1])
		return;
	e.name = (uint32_t)(name + 1 - m->text);
	e.length = (uint32_t)strlen(name + 1);
	vec_push(&m->entry, e);
}

static int compare_entries(const void *a, const void *b)
{
	const struct perf_entry *x = a, *y = b;

	if (x->from != y->from)
		return x->from > y->from ? 1 : -1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Removes all entries with the same address except the last one. The entries are sorted. */
static void remove_replaced(struct perf_map *m)
{
	struct perf_entry *v = m->entry.v;
	size_t n = 0;

	for (size_t i = 0; i < m->entry.n; i++)
		if (i + 1 == m->entry.n || v[i].from != v[i + 1].from)
			v[n++] = v[i];
	m->entry.n = n;
}

/* Returns the entry that @e->outer refers to, or NULL. */
static const struct perf_entry *outer_entry(const struct perf_map *m, const struct perf_entry *e)
{
	return e->outer ? &m->entry.v[e->outer - 1] : NULL;
}

/* Sets the member outer of all entries, which are sorted. */
static void find_outer(struct perf_map *m)
{
	for (size_t i = 1; i < m->entry.n; i++) {
		struct perf_entry *e = &m->entry.v[i];
		const struct perf_entry *outer = e - 1;

		while (outer && outer->from + outer->size <= e->from + e->size)
			outer = outer_entry(m, outer);
		e->outer = outer ? (uint32_t)(outer - m->entry.v) + 1 : 0;
	}
}

static void sort_entries(struct perf_map *m)
{
	qsort(m->entry.v, m->entry.n, sizeof(*m->entry.v), compare_entries);
	remove_replaced(m);
	find_outer(m);
}

/* Reads up to PERF_MAP_MAX bytes and leaves room for a NUL. */
static size_t read_text(int fd, struct perf_map *m)
{
	size_t n = 0, cap = 0;
	ssize_t got = 1;

	while (got > 0 && n < PERF_MAP_MAX) {
		if (n == cap) {
			cap = cap ? 2 * cap : 1u << 16;
			m->text = xrealloc(m->text, cap + 1);
		}
		got = pread(fd, m->text + n, cap - n, (off_t)n);
		n += got > 0 ? (size_t)got : 0;
	}
	return n;
}

bool perf_map_read(int fd, struct perf_map *m)
{
	size_t n = read_text(fd, m), length;
	uint32_t number = 0;

	for (char *s = m->text, *end = m->text + n; n && s < end && number < ENTRIES_MAX;
	     s += length + 1) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));

		if (!nl) /* the runtime is still writing this line */
			break;
		length = (size_t)(nl - s);
		add_line(m, s, length, number++);
		if (!m->entry.n)
			break;
	}
	if (m->entry.n)
		sort_entries(m);
	else
		perf_map_release(m);
	return m->entry.n;
}

void perf_map_release(struct perf_map *m)
{
	xfree(m->text);
	m->text = NULL;
	vec_free(&m->entry);
}

const struct perf_entry *perf_map_find(const struct perf_map *m, uint64_t addr)
{
	const struct perf_entry *e;
	size_t lo = 0, hi = m->entry.n;

	while (lo < hi) { /* find the first entry above @addr */
		size_t mid = lo + (hi - lo) / 2;

		if (m->entry.v[mid].from <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	e = lo ? &m->entry.v[lo - 1] : NULL;
	while (e && addr - e->from >= e->size)
		e = outer_entry(m, e);
	return e;
}
