/*
 * tables.c - sorts aggregations into tables.
 *
 * The tables show snapshots (consumer/aggs/aggs.c). A line has one key and, for this key, a value
 * of each aggregation that is printed in the same table.
 */
#include "consumer/oformat/tables.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/values/printf.h"
#include "ir/program.h"

const struct agg_info *table_info(const struct table *t, uint32_t i)
{
	return t->a->st[t->agg[i]].ai;
}

int64_t table_normal(const struct table *t, uint32_t i)
{
	return t->a->st[t->agg[i]].normal;
}

const void *table_value(const struct table *t, const struct agg_row *line, uint32_t i)
{
	const struct agg_row *row = (const struct agg_row *)(uintptr_t)line->val[i];

	if (!row)
		return t->zero;
	return agg_row_value(row, t->room + (size_t)i * (t->widest / 8),
			     table_info(t, i)->kind.value_size);
}

/* --------------------------------------------------------------------- sorting */

struct ranked {
	struct agg_row *line;
	/* for each aggregation: the number for sorting its values */
	struct agg_sort_key rank[];
};

static int cmp_keys(const struct table *t, const struct agg_row *x, const struct agg_row *y)
{
	const struct agg_info *ai = table_info(t, 0);
	uint32_t from = (uint64_t)t->o->aggsortkeypos < ai->nkey ? (uint32_t)t->o->aggsortkeypos
								 : 0;
	struct datum a = {0}, b = {0};
	int c = 0;

	for (uint32_t i = 0; i < ai->nkey && !c; i++) {
		agg_key_part(ai, x->key, (from + i) % ai->nkey, &a);
		agg_key_part(ai, y->key, (from + i) % ai->nkey, &b);
		c = datum_cmp(&a, &b);
	}
	return c;
}

/*
 * Compares two lines by their values. The aggregation that -x aggsortpos selects comes first, then
 * the others in order.
 */
static int cmp_values(const struct table *t, const struct ranked *x, const struct ranked *y)
{
	uint32_t pos = (uint64_t)t->o->aggsortpos < t->nagg ? (uint32_t)t->o->aggsortpos : 0;
	int c = agg_sort_key_cmp(&x->rank[pos], &y->rank[pos]);

	for (uint32_t i = 0; i < t->nagg && !c; i++)
		if (i != pos)
			c = agg_sort_key_cmp(&x->rank[i], &y->rank[i]);
	return c;
}

static int cmp_lines(const void *l, const void *r, void *ctx)
{
	const struct ranked *x = *(struct ranked *const *)l, *y = *(struct ranked *const *)r;
	const struct table *t = ctx;
	int c = t->o->aggsortkey ? cmp_keys(t, x->line, y->line) : cmp_values(t, x, y);

	if (!c)
		c = t->o->aggsortkey ? cmp_values(t, x, y) : cmp_keys(t, x->line, y->line);
	return t->o->aggsortrev ? -c : c;
}

/*
 * Sorts the lines. The numbers to sort by are computed once per line, because they take longer than
 * a comparison: for a histogram, the buckets must be added up.
 */
static void sort_lines(struct table *t)
{
	size_t n = t->lines.row.n,
	       each = sizeof(struct ranked) + t->nagg * sizeof(struct agg_sort_key);
	char *mem = xmalloc(n * each + 1);
	struct ranked **v = xcalloc(n + 1, sizeof(struct ranked *));

	for (size_t i = 0; i < n; i++) {
		v[i] = (struct ranked *)(void *)(mem + i * each);
		v[i]->line = t->lines.row.v[i];
		for (uint32_t k = 0; k < t->nagg; k++)
			v[i]->rank[k] = agg_sort_key_of(&table_info(t, k)->kind,
							table_value(t, v[i]->line, k));
	}
	qsort_r(v, n, sizeof(struct ranked *), cmp_lines, t);
	for (size_t i = 0; i < n; i++)
		t->lines.row.v[i] = v[i]->line;
	xfree(v);
	xfree(mem);
}

void table_fill(struct table *t)
{
	uint32_t widest = 8;

	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_state *st = &t->a->st[t->agg[i]];

		if (st->ai->kind.value_size > widest)
			widest = st->ai->kind.value_size;
		for (size_t r = 0; r < st->now.row.n; r++) {
			const struct agg_row *row = st->now.row.v[r];
			struct agg_row *line = aggtab_get(&t->lines, row->key, row->klen,
							  t->nagg * sizeof(uint64_t));

			line->val[i] = (uintptr_t)row;
		}
	}
	t->widest = widest;
	t->zero = arena_alloc(&t->lines.mem, widest);
	t->room = arena_alloc(&t->lines.mem, (size_t)t->nagg * widest);
	sort_lines(t);
}

/* ------------------------------------------------------------------- formatted */

void table_format(const struct table *t, const struct agg_row *line, const struct format *fmt,
		  bool raw, struct strbuf *out)
{
	const struct agg_info *ai = table_info(t, 0);
	struct datum *key = xcalloc(ai->nkey + 1, sizeof(*key));
	struct fmt_agg *agg = xcalloc(t->nagg, sizeof(*agg));

	for (uint32_t i = 0; i < ai->nkey; i++)
		agg_key_part(ai, line->key, i, &key[i]);
	for (uint32_t i = 0; i < t->nagg; i++)
		agg[i] = (struct fmt_agg){table_info(t, i), table_value(t, line, i),
					  table_normal(t, i)};
	fmt_show(out, fmt,
		 &(struct fmt_args){.arg = key,
				    .narg = ai->nkey,
				    .agg = agg,
				    .nagg = t->nagg,
				    .resolver = consumer_resolver(t->o),
				    .style = t->o->style,
				    .raw = raw});
	xfree(agg);
	xfree(key);
}

/* --------------------------------------------------------------------- showing */

/* Shows the last snapshots of the table's aggregations. */
static void show(struct table *t, struct oformat *f, const struct format *fmt)
{
	table_fill(t);
	f->ops->table(f, t, fmt);
	for (uint32_t i = 0; i < t->nagg && t->lines.row.n; i++)
		t->a->st[t->agg[i]].printed = true;
	aggtab_release(&t->lines);
}

void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       struct oformat *f)
{
	struct table t = {.a = a, .agg = agg, .nagg = nagg, .o = f->o, .printa = true};

	for (uint32_t i = 0; i < nagg; i++)
		aggs_snap(a, agg[i]);
	show(&t, f, fmt);
}

void aggs_show_rest(struct aggs *a, struct oformat *f)
{
	uint32_t n = a->p->nagg;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = f->o->aggsortrev ? n - 1 - i : i;
		struct table t = {.a = a, .agg = &at, .nagg = 1, .o = f->o};

		if (a->st[at].printed)
			continue;
		aggs_snap(a, at);
		show(&t, f, NULL);
	}
}
