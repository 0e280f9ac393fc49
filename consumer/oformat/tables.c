/*
 * tables.c - puts aggregations into tables.
 *
 * The tables show snapshots (consumer/aggs/aggs.c). A line has one key and, for this key, a value
 * of each aggregation that is printed in the same table.
 */
#include "consumer/oformat/tables.h"

#include "base/xalloc.h"
#include "agg/value.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "consumer/values/datum.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/sort.h"
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
	const struct agg_row *row = t->nagg == 1 ? line
						 : (const struct agg_row *)(uintptr_t)agg_row_val(
							   line)[i];

	if (!row)
		return t->zero;
	return agg_row_value(row, t->room + (size_t)i * (t->widest / 8),
			     table_info(t, i)->kind.value_size);
}

/* Adds the rows of the @i-th aggregation to the lines with the same keys. */
static void join_rows(struct table *t, const struct aggtab *from, uint32_t i)
{
	for (size_t r = 0; r < from->row.n; r++) {
		struct agg_row *row = from->row.v[r];
		uint64_t *line = agg_row_val(
			aggtab_get(&t->lines, row->key, row->klen, t->nagg * sizeof(uint64_t)));

		line[i] = (uintptr_t)row;
	}
}

/* If the table has only one aggregation, its rows are the lines. */
void table_fill(struct table *t)
{
	const struct aggtab *lines = t->nagg == 1 ? &t->a->st[t->agg[0]].now : &t->lines;

	t->widest = 8;
	for (uint32_t i = 0; i < t->nagg; i++) {
		const struct agg_state *st = &t->a->st[t->agg[i]];

		if (st->ai->kind.value_size > t->widest)
			t->widest = st->ai->kind.value_size;
		if (t->nagg > 1)
			join_rows(t, &st->now, i);
	}
	t->zero = arena_alloc(&t->lines.mem, t->widest);
	t->room = arena_alloc(&t->lines.mem, (size_t)t->nagg * t->widest);
	aggtab_set_rows(&t->lines, table_sorted(t, lines->row.v, lines->row.n), lines->row.n);
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
