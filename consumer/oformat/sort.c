/*
 * sort.c - sorts the lines of a table.
 *
 * A comparison of two lines reads their rows and keys, which causes cache misses in a large table.
 * So each line first gets two numbers, which are made from its value and the first bytes of its
 * key. Lines are sorted by these numbers, digit by digit (radix sort). Only lines whose numbers are
 * equal are compared.
 */
#include "consumer/oformat/sort.h"

#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/table.h"
#include "agg/value.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/tables.h"
#include "consumer/options.h"
#include "consumer/values/datum.h"
#include "ir/program.h"

#define DIGITS 16 /* number of bytes in the two numbers of a line; each byte is a digit */

/*
 * Line @at of the table, with its two numbers. The second number decides between lines whose first
 * numbers are equal.
 */
struct ranked {
	uint64_t number[2];
	size_t at;
};

struct sorting {
	const struct table *t;
	/*
	 * For each line, the sort key of each value. Sort keys are computed once, because the
	 * buckets of a histogram must be added up. NULL if the first number of each line is its
	 * whole value.
	 */
	struct agg_sort_key *key;
};

static const struct agg_row *line_at(const struct sorting *s, size_t at)
{
	return s->t->lines.row.v[at];
}

/* Returns the index of the aggregation whose values are compared first (-x aggsortpos). */
static uint32_t first_agg(const struct table *t)
{
	return (uint64_t)t->o->aggsortpos < t->nagg ? (uint32_t)t->o->aggsortpos : 0;
}

/* Returns the index of the key field that is compared first (-x aggsortkeypos). */
static uint32_t first_part(const struct table *t)
{
	return (uint64_t)t->o->aggsortkeypos < table_info(t, 0)->nkey
		       ? (uint32_t)t->o->aggsortkeypos
		       : 0;
}

/* ------------------------------------------------------------------- comparing */

static int cmp_keys(const struct table *t, const struct agg_row *x, const struct agg_row *y)
{
	const struct agg_info *ai = table_info(t, 0);
	uint32_t from = first_part(t);
	struct datum a = {0}, b = {0};
	int c = 0;

	for (uint32_t i = 0; i < ai->nkey && !c; i++) {
		agg_key_part(ai, x->key, (from + i) % ai->nkey, &a);
		agg_key_part(ai, y->key, (from + i) % ai->nkey, &b);
		c = datum_cmp(&a, &b);
	}
	return c;
}

static int cmp_value(const struct sorting *s, size_t x, size_t y, uint32_t i)
{
	return agg_sort_key_cmp(&s->key[x * s->t->nagg + i], &s->key[y * s->t->nagg + i]);
}

/*
 * Compares two lines by their values. The aggregation that -x aggsortpos selects comes first, then
 * the others in order.
 */
static int cmp_values(const struct sorting *s, size_t x, size_t y)
{
	uint32_t pos = first_agg(s->t);
	int c;

	if (!s->key)
		return 0;
	c = cmp_value(s, x, y, pos);
	for (uint32_t i = 0; i < s->t->nagg && !c; i++)
		if (i != pos)
			c = cmp_value(s, x, y, i);
	return c;
}

static int cmp_lines(const void *l, const void *r, void *ctx)
{
	const struct sorting *s = ctx;
	size_t x = ((const struct ranked *)l)->at, y = ((const struct ranked *)r)->at;
	int keys = cmp_keys(s->t, line_at(s, x), line_at(s, y)), values = cmp_values(s, x, y);
	int c = s->t->o->aggsortkey ? (keys ? keys : values) : values ? values : keys;

	return s->t->o->aggsortrev ? -c : c;
}

/* --------------------------------------------------------------------- numbers */

/*
 * Returns a number for sorting values. The number of a smaller value is never greater, but two
 * values can have the same number, because values are rounded.
 */
static uint64_t real_number(long double sum)
{
	double rounded = (double)sum + 0.0; /* -0 becomes 0 */
	uint64_t bits;

	memcpy(&bits, &rounded, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/*
 * Returns a number for sorting lines whose value is an integer. Different values have different
 * numbers.
 */
static uint64_t integer_number(const struct table *t, const struct agg_row *line)
{
	const struct agg_kind *kind = &table_info(t, 0)->kind;

	return (uint64_t)agg_fn_of(kind)->result(kind, table_value(t, line, 0), 1) ^ 1ull << 63;
}

/*
 * Returns a number for sorting lines by the key field that is compared first. The number of a
 * smaller field is never greater, but two fields can have the same number.
 */
static uint64_t key_number(const struct table *t, const struct agg_row *line)
{
	const struct agg_info *ai = table_info(t, 0);
	uint64_t number = 0;
	struct datum d = {0};

	if (!ai->nkey)
		return 0;
	agg_key_part(ai, line->key, first_part(t), &d);
	if (d.kind == FIELD_INT || d.kind == FIELD_UINT)
		return (uint64_t)d.num;
	for (size_t i = 0; i < 8; i++)
		number = number << 8 | (i < d.len ? (uint8_t)d.s[i] : 0);
	return number;
}

/*
 * Sets the two numbers of a line. The second number comes from the key only if the first number is
 * the whole value. Otherwise it is 0.
 */
static void set_numbers(const struct sorting *s, struct ranked *r)
{
	const struct table *t = s->t;
	const struct agg_row *line = line_at(s, r->at);
	uint64_t flip = t->o->aggsortrev ? UINT64_MAX : 0, key = key_number(t, line), value;

	value = s->key ? real_number(s->key[r->at * t->nagg + first_agg(t)].sum)
		       : integer_number(t, line);
	r->number[0] = (t->o->aggsortkey ? key : value) ^ flip;
	r->number[1] = s->key || t->o->aggsortkey ? 0 : key ^ flip;
}

/*
 * Computes the sort keys of all values. They are not needed if lines are sorted by value and each
 * line has just one value, which is an integer.
 */
static void set_sort_keys(struct sorting *s)
{
	const struct table *t = s->t;
	size_t n = t->lines.row.n;

	if (t->nagg == 1 && !t->o->aggsortkey && !agg_fn_of(&table_info(t, 0)->kind)->hist)
		return;
	s->key = xcalloc(n * t->nagg + 1, sizeof(*s->key));
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < t->nagg; k++)
			s->key[i * t->nagg + k] = agg_sort_key_of(&table_info(t, k)->kind,
								  table_value(t, line_at(s, i), k));
}

/* --------------------------------------------------------------------- sorting */

/*
 * Returns digit @i of the line's two numbers, which are taken as one number of 16 bytes. Digit 0 is
 * the least significant byte.
 */
static unsigned digit(const struct ranked *r, unsigned i)
{
	return r->number[1 - i / 8] >> 8 * (i % 8) & 0xff;
}

/* Sets count[d][x] to the number of lines whose digit d is x. */
static void count_digits(const struct ranked *v, size_t n, size_t (*count)[256])
{
	memset(count, 0, DIGITS * sizeof(*count));
	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			count[d][digit(&v[i], d)]++;
}

/*
 * Copies the @n lines at @from to @to, sorted by digit @d. Lines with equal digits keep their
 * order. @count has the number of lines with each value of the digit, and is overwritten.
 */
static void sort_by_digit(const struct ranked *from, size_t n, unsigned d, size_t *count,
			  struct ranked *to)
{
	size_t at = 0;

	for (unsigned i = 0; i < 256; i++) {
		size_t here = count[i];

		count[i] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[count[digit(&from[i], d)]++] = from[i];
}

/*
 * Sorts the @n lines at @v by their numbers. @room is scratch memory of the same size. Returns @v
 * or @room, whichever has the sorted lines.
 */
static struct ranked *sort_by_numbers(struct ranked *v, size_t n, struct ranked *room)
{
	size_t count[DIGITS][256];

	count_digits(v, n, count);
	for (unsigned d = 0; n && d < DIGITS; d++) {
		struct ranked *old = v;

		if (count[d][digit(&v[0], d)] == n)
			continue; /* all lines have the same digit */
		sort_by_digit(v, n, d, count[d], room);
		v = room;
		room = old;
	}
	return v;
}

static bool same_numbers(const struct ranked *a, const struct ranked *b)
{
	return a->number[0] == b->number[0] && a->number[1] == b->number[1];
}

/* Sorts each group of lines with equal numbers, by comparing the lines. */
static void sort_ties(struct sorting *s, struct ranked *v, size_t n)
{
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && same_numbers(&v[i], &v[end]);)
			end++;
		if (end - i > 1)
			qsort_r(v + i, end - i, sizeof(*v), cmp_lines, s);
	}
}

void table_sort(struct table *t)
{
	size_t n = t->lines.row.n;
	struct ranked *v = xmalloc((n + 1) * sizeof(*v)), *room = xmalloc((n + 1) * sizeof(*v));
	struct agg_row **line = xcalloc(n + 1, sizeof(*line));
	struct sorting s = {.t = t};
	struct ranked *sorted;

	set_sort_keys(&s);
	for (size_t i = 0; i < n; i++) {
		v[i].at = i;
		set_numbers(&s, &v[i]);
	}
	sorted = sort_by_numbers(v, n, room);
	sort_ties(&s, sorted, n);
	for (size_t i = 0; i < n; i++)
		line[i] = t->lines.row.v[sorted[i].at];
	if (n)
		memcpy(t->lines.row.v, line, n * sizeof(*line));
	xfree(line);
	xfree(s.key);
	xfree(v);
	xfree(room);
}
