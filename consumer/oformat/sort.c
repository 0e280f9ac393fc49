/*
 * sort.c - sorts the lines of a table.
 *
 * A comparison of two lines reads their rows and keys, which causes cache misses in a large table.
 * So each line first gets two numbers, made from its value and the first bytes of its key. Both
 * numbers and the index of the line are packed into one rank of 8 bytes, or of 16 if they need more
 * bits. The lines are sorted by their ranks, digit by digit (radix sort). Only lines whose numbers
 * are equal are compared.
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

/* maximum number of bits of a digit, so that one counter for each value fits in the cache */
#define DIGIT_BITS 11

typedef unsigned __int128 u128;

struct sorting {
	const struct table *t;
	struct agg_row *const *line; /* the lines, not sorted */
	size_t n;
	/*
	 * For each line, the sort key of each value. Sort keys are computed once, because the
	 * buckets of a histogram must be added up. NULL if the first number of each line is its
	 * whole value.
	 */
	struct agg_sort_key *key;
	/*
	 * sizes of the three parts of a rank: the value's number, the key's number, the line's
	 * index
	 */
	unsigned value_bits, key_bits, index_bits;
	bool wide; /* a rank has 16 bytes, else 8 */
};

/* Returns the index of the line with the rank at @rank. The index is in its first 8 bytes. */
static size_t index_of(const struct sorting *s, const void *rank)
{
	uint64_t low;

	memcpy(&low, rank, sizeof(low));
	return low & ((1ull << s->index_bits) - 1);
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
	size_t x = index_of(s, l), y = index_of(s, r);
	int keys = cmp_keys(s->t, s->line[x], s->line[y]), values = cmp_values(s, x, y);
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
		return d.num;
	for (size_t i = 0; i < 8; i++)
		number = number << 8 | (i < d.len ? (uint8_t)d.s[i] : 0);
	return number;
}

/* The two numbers of each line. Lines are ordered by v[0]; v[1] orders lines with equal v[0]. */
struct numbers {
	uint64_t *v[2];
	uint64_t min[2], max[2];
};

static void set_number(struct numbers *m, unsigned which, size_t at, uint64_t number)
{
	m->v[which][at] = number;
	m->min[which] = number < m->min[which] ? number : m->min[which];
	m->max[which] = number > m->max[which] ? number : m->max[which];
}

/*
 * Computes the two numbers of each line. The second number comes from the key only if the first
 * number is the whole value. Otherwise it is 0.
 */
static void set_numbers(const struct sorting *s, struct numbers *m)
{
	const struct table *t = s->t;
	uint64_t flip = t->o->aggsortrev ? UINT64_MAX : 0, value;

	for (size_t i = 0; i < s->n; i++) {
		const struct agg_row *line = s->line[i];

		if (t->o->aggsortkey) {
			set_number(m, 0, i, key_number(t, line) ^ flip);
			set_number(m, 1, i, 0);
			continue;
		}
		value = s->key ? real_number(s->key[i * t->nagg + first_agg(t)].sum)
			       : integer_number(t, line);
		set_number(m, 0, i, value ^ flip);
		set_number(m, 1, i, s->key ? 0 : key_number(t, line) ^ flip);
	}
}

/*
 * Computes the sort keys of all values. They are not needed if lines are sorted by value and each
 * line has just one value, which is an integer.
 */
static void set_sort_keys(struct sorting *s)
{
	const struct table *t = s->t;
	size_t n = s->n;

	if (t->nagg == 1 && !t->o->aggsortkey && !agg_fn_of(&table_info(t, 0)->kind)->hist)
		return;
	s->key = xcalloc(n * t->nagg + 1, sizeof(*s->key));
	for (size_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < t->nagg; k++)
			s->key[i * t->nagg + k] = agg_sort_key_of(&table_info(t, k)->kind,
								  table_value(t, s->line[i], k));
}

/* ----------------------------------------------------------------------- ranks */

static unsigned bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/*
 * Sets the sizes of the parts of a rank. A rank has each number minus the smallest of all lines. If
 * a rank would have more than 16 bytes, the last bits of the key's number are left out.
 */
static void set_bits(struct sorting *s, const struct numbers *m)
{
	s->value_bits = bits_of(m->max[0] - m->min[0]);
	s->key_bits = bits_of(m->max[1] - m->min[1]);
	s->index_bits = bits_of(s->n - 1);
	s->wide = s->value_bits + s->key_bits + s->index_bits > 64;
	if (s->value_bits + s->key_bits + s->index_bits > 128)
		s->key_bits = 128 - s->index_bits - s->value_bits;
}

static u128 rank_of(const struct sorting *s, const struct numbers *m, size_t i)
{
	unsigned left_out = bits_of(m->max[1] - m->min[1]) - s->key_bits;
	u128 value = m->v[0][i] - m->min[0], key = (m->v[1][i] - m->min[1]) >> left_out;

	return (value << s->key_bits | key) << s->index_bits | i;
}

static u128 get_rank(const void *v, size_t i, bool wide)
{
	return wide ? ((const u128 *)v)[i] : ((const uint64_t *)v)[i];
}

static void put_rank(void *v, size_t i, bool wide, u128 rank)
{
	if (wide)
		((u128 *)v)[i] = rank;
	else
		((uint64_t *)v)[i] = (uint64_t)rank;
}

static size_t rank_size(const struct sorting *s)
{
	return s->wide ? sizeof(u128) : sizeof(uint64_t);
}

/*
 * Makes the ranks of all lines in *@v, and scratch memory of the same size in *@room. Ranks of 8
 * bytes take the memory of the numbers.
 */
static void make_ranks(const struct sorting *s, struct numbers *m, void **v, void **room)
{
	*v = s->wide ? xmalloc(s->n * sizeof(u128)) : m->v[0];
	*room = s->wide ? xmalloc(s->n * sizeof(u128)) : m->v[1];
	for (size_t i = 0; i < s->n; i++)
		put_rank(*v, i, s->wide, rank_of(s, m, i));
	if (!s->wide)
		return;
	xfree(m->v[0]);
	xfree(m->v[1]);
}

/* --------------------------------------------------------------------- sorting */

/*
 * Copies the @n ranks at @from to @to, sorted by the digit of @bits bits above bit @shift. Ranks
 * with equal digits keep their order.
 */
static inline void sort_by_digit(const void *from, size_t n, unsigned shift, unsigned bits,
				 bool wide, void *to)
{
	size_t count[1 << DIGIT_BITS] = {0}, at = 0, mask = (1u << bits) - 1;

	for (size_t i = 0; i < n; i++)
		count[(size_t)(get_rank(from, i, wide) >> shift) & mask]++;
	for (size_t i = 0; i <= mask; i++) {
		size_t here = count[i];

		count[i] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++) {
		u128 rank = get_rank(from, i, wide);

		put_rank(to, count[(size_t)(rank >> shift) & mask]++, wide, rank);
	}
}

/*
 * Sorts the ranks at *@v by all bits above the index. *@room is scratch memory of the same size.
 * Exchanges *@v and *@room if the sorted ranks are in *@room.
 */
static void sort_ranks(const struct sorting *s, void **v, void **room)
{
	unsigned left = s->value_bits + s->key_bits, shift = s->index_bits;
	unsigned digits = (left + DIGIT_BITS - 1) / DIGIT_BITS;

	for (; digits; digits--) {
		unsigned bits = (left + digits - 1) / digits;
		void *sorted = *room;

		if (s->wide)
			sort_by_digit(*v, s->n, shift, bits, true, sorted);
		else
			sort_by_digit(*v, s->n, shift, bits, false, sorted);
		*room = *v;
		*v = sorted;
		shift += bits;
		left -= bits;
	}
}

/* Sorts each group of lines with equal numbers, by comparing the lines. */
static void sort_ties(struct sorting *s, void *v)
{
	size_t size = rank_size(s);
	u128 number, first = 0;

	for (size_t i = 0, from = 0; i <= s->n; i++) {
		number = i < s->n ? get_rank(v, i, s->wide) >> s->index_bits : 0;
		if (i && i < s->n && number == first)
			continue;
		if (i - from > 1)
			qsort_r((char *)v + from * size, i - from, size, cmp_lines, s);
		from = i;
		first = number;
	}
}

/* Replaces the ranks at @v by the addresses of their lines. */
static struct agg_row **lines_of(const struct sorting *s, void *v)
{
	size_t size = rank_size(s);
	char *to = v;

	for (size_t i = 0; i < s->n; i++) {
		const struct agg_row *line = s->line[index_of(s, (char *)v + i * size)];

		memcpy(to + i * sizeof(line), &line, sizeof(line));
	}
	return xrealloc(v, s->n * sizeof(struct agg_row *));
}

struct agg_row **table_sorted(const struct table *t, struct agg_row *const *line, size_t n)
{
	struct sorting s = {.t = t, .line = line, .n = n};
	struct numbers m = {.min = {UINT64_MAX, UINT64_MAX}};
	void *v, *room;

	if (!n)
		return NULL;
	set_sort_keys(&s);
	m.v[0] = xmalloc(n * sizeof(uint64_t));
	m.v[1] = xmalloc(n * sizeof(uint64_t));
	set_numbers(&s, &m);
	set_bits(&s, &m);
	make_ranks(&s, &m, &v, &room);
	sort_ranks(&s, &v, &room);
	xfree(room);
	sort_ties(&s, v);
	xfree(s.key);
	return lines_of(&s, v);
}
