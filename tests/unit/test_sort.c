/*
 * test_sort.c - checks that a table has its lines in the same order as a plain sort by DTrace's
 * rules. The values and keys are random, and often equal. Some tables need ranks of 8 bytes, others
 * of 16 (consumer/oformat/sort.c).
 */
#include <stdlib.h>
#include <string.h>

#include "agg/agg.h"
#include "agg/table.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/oformat/tables.h"
#include "consumer/options.h"
#include "ir/program.h"
#include "tests/check.h"

enum { NAGG = 2, NKEY = 2 };

/* How to fill a table. A random number has only the bits of its mask, so without a mask it is 0. */
struct data {
	const char *name;
	enum agg_fn fn[NAGG];
	uint32_t nagg, nkey;
	bool text[NKEY]; /* the key field is a string, else a number of 8 bytes */
	uint64_t value_mask, key_mask;
	size_t n; /* number of random keys; equal keys make one line */
};

static const struct data all[] = {
	{"no lines", {AGG_COUNT}, 1, 1, {false}, 0, 0, 0},
	{"one line", {AGG_COUNT}, 1, 1, {false}, 7, 7, 1},
	{"small numbers", {AGG_COUNT}, 1, 1, {false}, 7, 0xfffff, 5000},
	{"equal values", {AGG_SUM}, 1, 1, {false}, 0, 0xffff, 5000},
	{"large values", {AGG_SUM}, 1, 1, {false}, UINT64_MAX, 0xffff, 5000},
	{"large keys", {AGG_MAX}, 1, 1, {false}, 0xf, UINT64_MAX, 5000},
	{"large values and keys", {AGG_SUM}, 1, 1, {false}, UINT64_MAX, UINT64_MAX, 3000},
	{"few bits, far apart", {AGG_MIN}, 1, 1, {false}, 1ull << 63 | 1, 0xff000000000000ff, 5000},
	{"equal values that need all bits",
	 {AGG_SUM},
	 1,
	 2,
	 {false},
	 1ull << 63 | 1,
	 0xc000000000000fff,
	 5000},
	{"strings", {AGG_AVG}, 1, 1, {true}, 0xf, 0xffff, 3000},
	{"strings of any bytes", {AGG_COUNT}, 1, 1, {true}, 3, UINT64_MAX, 3000},
	{"a string and a number", {AGG_SUM}, 1, 2, {true, false}, 3, 0x3f, 3000},
	{"a number and a string", {AGG_STDDEV}, 1, 2, {false, true}, 3, 0x3f, 3000},
	{"two aggregations", {AGG_COUNT, AGG_SUM}, 2, 1, {false}, 3, 0xffff, 3000},
	{"two aggregations by strings", {AGG_MAX, AGG_QUANTIZE}, 2, 2, {true, false}, 7, 0xf, 300},
	{"a histogram", {AGG_QUANTIZE}, 1, 1, {false}, 7, 0xffff, 1000},
};

static uint64_t seed;

static uint64_t random_bits(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 33 ^ seed << 31;
}

/* -------------------------------------------------------------------- making */

/*
 * Stores a string of at most 12 bytes that is made from @v, and returns its length. If @any, the
 * string has any bytes and length. Otherwise all strings begin with the same eight bytes, so that
 * only a comparison of whole strings can order them.
 */
static uint32_t make_text(uint64_t v, bool any, uint8_t text[12])
{
	static const uint8_t bytes[] = {0, 1, 'a', 0x7f, 0x80, 0xff};
	uint32_t len = any ? (uint32_t)(v >> 60) % 13 : 8 + (uint32_t)(v % 5);

	memcpy(text, "same for", 8);
	memcpy(text + 8, &(uint32_t){(uint32_t)(v >> 3)}, 4);
	for (uint32_t i = 0; any && i < len; i++, v >>= 4)
		text[i] = bytes[v % 16 % sizeof(bytes)];
	return len;
}

/* Appends a random key to @key, in canonical form. */
static uint32_t random_key(const struct data *d, uint8_t *key)
{
	uint8_t *at = key;

	for (uint32_t i = 0; i < d->nkey; i++) {
		uint64_t v = random_bits() & d->key_mask;
		uint8_t text[12];
		uint32_t len;

		if (!d->text[i]) {
			memcpy(at, &v, sizeof(v));
			at += sizeof(v);
			continue;
		}
		len = make_text(v, d->key_mask == UINT64_MAX, text);
		memcpy(at, &len, sizeof(len));
		memcpy(at + 4, text, len);
		at += 4 + len;
	}
	return (uint32_t)(at - key);
}

static void random_value(const struct data *d, const struct agg_kind *k, uint64_t *val)
{
	static const uint64_t power[] = {10, 11, 16, 63, 64, 65, 100, 110};

	if (agg_fn_of(k)->hist) {
		val[power[random_bits() & 7]] += random_bits() & 3;
		return;
	}
	for (uint32_t i = 0; i < k->value_size / 8; i++)
		val[i] = random_bits() & d->value_mask;
	if (k->fn == AGG_MIN || k->fn == AGG_MAX)
		val[0] = 1; /* the generation */
	if (k->fn == AGG_STDDEV)
		val[3] = 0;
}

static void fill(const struct data *d, struct agg_state *st)
{
	uint8_t key[64];

	for (size_t i = 0; i < d->n; i++) {
		uint32_t len = random_key(d, key);
		uint64_t *val = agg_row_val(
			aggtab_get(&st->now, key, len, st->ai->kind.value_size));

		random_value(d, &st->ai->kind, val);
	}
}

/* ------------------------------------------------------------------ comparing */

static struct table table;
static const struct data *data;

static int compare_keys(const uint8_t *x, const uint8_t *y)
{
	struct {
		const uint8_t *s;
		uint32_t len;
		uint64_t num;
	} field[2][NKEY] = {0};
	const uint8_t *key[] = {x, y};
	int c = 0;

	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < data->nkey; i++) {
			if (data->text[i]) {
				memcpy(&field[k][i].len, key[k], 4);
				field[k][i].s = key[k] + 4;
				key[k] += 4 + field[k][i].len;
			} else {
				memcpy(&field[k][i].num, key[k], 8);
				key[k] += 8;
			}
		}
	for (uint32_t n = 0; n < data->nkey && !c; n++) {
		uint32_t i = ((uint32_t)table.o->aggsortkeypos + n) % data->nkey;
		uint32_t a = field[0][i].len, b = field[1][i].len;

		if (!data->text[i]) {
			c = (field[0][i].num > field[1][i].num) -
			    (field[0][i].num < field[1][i].num);
			continue;
		}
		c = memcmp(field[0][i].s, field[1][i].s, a < b ? a : b);
		c = c ? c : (a > b) - (a < b);
	}
	return c;
}

static int compare_value(const struct agg_row *x, const struct agg_row *y, uint32_t i)
{
	const struct agg_kind *k = &table_info(&table, i)->kind;
	uint64_t a[130] = {0};
	int64_t p, q;

	memcpy(a, table_value(&table, x, i), k->value_size);
	p = agg_fn_of(k)->result(k, a, 1);
	q = agg_fn_of(k)->result(k, table_value(&table, y, i), 1);
	if (p != q || !agg_fn_of(k)->hist)
		return (p > q) - (p < q);
	p = (int64_t)a[63]; /* the bucket of zeros */
	q = ((const int64_t *)table_value(&table, y, i))[63];
	return (p > q) - (p < q);
}

static int compare(const void *l, const void *r)
{
	const struct agg_row *x = *(struct agg_row *const *)l, *y = *(struct agg_row *const *)r;
	int keys = compare_keys(x->key, y->key), values = 0, c;
	uint32_t first = (uint32_t)table.o->aggsortpos;

	values = compare_value(x, y, first);
	for (uint32_t i = 0; i < data->nagg && !values; i++)
		values = compare_value(x, y, i);
	c = table.o->aggsortkey ? (keys ? keys : values) : values ? values : keys;
	return table.o->aggsortrev ? -c : c;
}

static void check_order(struct aggs *a, const struct consumer_opts *o)
{
	static const uint32_t agg[NAGG] = {0, 1};
	struct agg_row **want;
	size_t n;

	table = (struct table){.a = a, .agg = agg, .nagg = data->nagg, .o = o};
	table_fill(&table);
	n = table.lines.row.n;
	assert_true(!n == !data->n);
	want = xmalloc((n + 1) * sizeof(*want));
	for (size_t i = 0; i < n; i++)
		want[i] = table.lines.row.v[n - 1 - i];
	qsort(want, n, sizeof(*want), compare);
	for (size_t i = 0; i < n; i++)
		if (want[i] != table.lines.row.v[i])
			fail_msg("%s: line %zu of %zu, rev %d key %d pos %d keypos %d", data->name,
				 i, n, o->aggsortrev, o->aggsortkey, (int)o->aggsortpos,
				 (int)o->aggsortkeypos);
	xfree(want);
	aggtab_release(&table.lines);
}

static void check_data(void)
{
	struct field field[NKEY] = {0};
	struct agg_info info[NAGG] = {0};
	struct agg_state st[NAGG] = {0};
	struct aggs a = {.st = st};

	for (uint32_t i = 0; i < data->nkey; i++)
		field[i] = (struct field){.kind = data->text[i] ? FIELD_STRING : FIELD_UINT,
					  .size = data->text[i] ? 20 : 8};
	for (uint32_t i = 0; i < data->nagg; i++) {
		info[i].kind = (struct agg_kind){.fn = data->fn[i],
						 .value_size = agg_fns[data->fn[i]]->size(NULL)};
		info[i].key = field;
		info[i].nkey = data->nkey;
		st[i] = (struct agg_state){.ai = &info[i], .normal = 1};
		fill(data, &st[i]);
	}
	for (unsigned way = 0; way < 16; way++) {
		struct consumer_opts o = {.aggsortrev = way & 1, .aggsortkey = way & 2};

		o.aggsortkeypos = way & 4 ? data->nkey - 1 : 0;
		o.aggsortpos = way & 8 ? data->nagg - 1 : 0;
		check_order(&a, &o);
	}
	for (uint32_t i = 0; i < data->nagg; i++)
		aggtab_release(&st[i].now);
}

static void test_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		data = &all[i];
		seed = i;
		check_data();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
