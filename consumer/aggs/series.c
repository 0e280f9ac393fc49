/* series.c - computes the growth of aggregations from one sample to the next. */
#include "consumer/aggs/series.h"

#include <string.h>

#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "engine/source.h"
#include "ir/program.h"

struct agg_series {
	struct aggtab before; /* the rows at the last sample */
	/* growth, since the last sample, of rows that clear() or trunc() has removed */
	struct aggtab removed;
	struct aggtab growth;   /* growth between the last two samples */
	struct aggtab interval; /* growth during the last interval (see series_interval()) */
	bool repeated;          /* repeat() has set @growth already */
	bool emptied;           /* trunc() removed all rows since the last sample */
	bool empty;             /* trunc() removed all rows during the last interval */
};

struct series {
	struct aggs *a;
	struct agg_series *one; /* one entry for each aggregation */
	bool (*wants)(const struct program *p, uint32_t agg);
	bool for_view; /* agg_series.interval is needed */
	uint64_t time; /* time of the last sample, in ns since 1970 */
	uint64_t runs; /* source.runs at the last sample */
	bool sampled;  /* there was a sample, and clear() and trunc() have not run since */
};

static void add(const struct agg_info *ai, struct aggtab *to, const struct agg_row *r,
		const uint64_t *val)
{
	agg_fn_of(&ai->kind)->merge(&ai->kind,
				    agg_row_val(
					    aggtab_get(to, r->key, r->klen, ai->kind.value_size)),
				    val);
}

static bool any(const uint64_t *v, uint32_t size)
{
	for (uint32_t i = 0; i < size / 8; i++)
		if (v[i])
			return true;
	return false;
}

/* Adds to @to the increase of the values in the last snapshot over the values in @before. */
static void add_growth(const struct agg_state *st, const struct aggtab *before, struct aggtab *to)
{
	const struct agg_info *ai = st->ai;
	uint64_t *v = xmalloc(ai->kind.value_size);

	for (size_t i = 0; i < st->now.row.n; i++) {
		const struct agg_row *r = st->now.row.v[i],
				     *was = aggtab_find(before, r->key, r->klen);

		memmove(v, agg_row_value(r, v, ai->kind.value_size), ai->kind.value_size);
		if (was && agg_fn_of(&ai->kind)->sub)
			agg_fn_of(&ai->kind)->sub(&ai->kind, v, agg_row_val(was));
		if (any(v, ai->kind.value_size))
			add(ai, to, r, v);
	}
	xfree(v);
}

static void join(const struct agg_info *ai, struct aggtab *to, const struct aggtab *from)
{
	uint64_t *room = xmalloc(ai->kind.value_size);

	for (size_t i = 0; i < from->row.n; i++)
		add(ai, to, from->row.v[i],
		    agg_row_value(from->row.v[i], room, ai->kind.value_size));
	xfree(room);
}

static void copy(const struct agg_info *ai, struct aggtab *to, const struct aggtab *from)
{
	aggtab_release(to);
	join(ai, to, from);
}

static bool wanted(const struct series *s, uint32_t i)
{
	return !s->wants || s->wants(s->a->p, i);
}

static void before_removal(void *ctx, uint32_t i)
{
	struct series *s = ctx;

	if (!wanted(s, i))
		return;
	add_growth(&s->a->st[i], &s->one[i].before, &s->one[i].removed);
	s->sampled = false;
}

static void after_removal(void *ctx, uint32_t i)
{
	struct series *s = ctx;

	if (!wanted(s, i))
		return;
	copy(s->a->st[i].ai, &s->one[i].before, &s->a->st[i].base);
	s->one[i].emptied |= !s->a->st[i].base.row.n;
	s->sampled = false;
}

struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg),
			  bool for_view)
{
	struct series *s = xcalloc(1, sizeof(*s));

	s->a = a;
	s->wants = wants;
	s->for_view = for_view;
	s->one = xcalloc(a->p->nagg + 1, sizeof(*s->one));
	a->observer = (struct aggs_observer){before_removal, after_removal, s};
	return s;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	s->a->observer = (struct aggs_observer){0};
	for (uint32_t i = 0; i < s->a->p->nagg; i++) {
		aggtab_release(&s->one[i].before);
		aggtab_release(&s->one[i].removed);
		aggtab_release(&s->one[i].growth);
		aggtab_release(&s->one[i].interval);
	}
	xfree(s->one);
	xfree(s);
}

/* Takes a snapshot of aggregation @i and computes its growth since the last sample. */
static void snap(struct series *s, uint32_t i)
{
	struct agg_series *o = &s->one[i];

	aggs_snap(s->a, i);
	aggtab_release(&o->growth);
	o->repeated = false;
	o->growth = o->removed;
	o->removed = (struct aggtab){0};
	add_growth(&s->a->st[i], &o->before, &o->growth);
	copy(s->a->st[i].ai, &o->before, &s->a->st[i].now);
}

/*
 * Does the same as snap() for an aggregation that has not changed, but faster: the growth is empty.
 * For min() and max(), the growth is the current value.
 */
static void repeat(struct series *s, uint32_t i)
{
	struct agg_series *o = &s->one[i];

	if (o->repeated)
		return;
	aggtab_release(&o->growth);
	if (!agg_fn_of(&s->a->st[i].ai->kind)->sub)
		add_growth(&s->a->st[i], &o->before, &o->growth);
	o->repeated = true;
}

/*
 * Returns whether no aggregation can have changed since the last sample. This saves time if a
 * capture has millions of sampling times between two packets.
 */
static bool is_idle(const struct series *s)
{
	return s->sampled && s->a->src->runs && *s->a->src->runs == s->runs;
}

void series_sample(struct series *s, uint64_t time)
{
	bool idle = is_idle(s);

	for (uint32_t i = 0; i < s->a->p->nagg; i++) {
		struct agg_series *o = &s->one[i];

		if (!wanted(s, i))
			continue;
		if (idle)
			repeat(s, i);
		else
			snap(s, i);
		if (!s->for_view)
			continue;
		if (time != s->time) {
			aggtab_release(&o->interval);
			o->empty = false;
		}
		o->empty |= o->emptied;
		o->emptied = false;
		join(s->a->st[i].ai, &o->interval, &o->growth);
	}
	s->time = time;
	s->runs = s->a->src->runs ? *s->a->src->runs : 0;
	s->sampled = true;
}

const struct aggtab *series_interval(const struct series *s, uint32_t i)
{
	return &s->one[i].interval;
}

const struct aggtab *series_shown(const struct series *s, uint32_t i)
{
	return s->one[i].empty ? &s->one[i].interval : &s->a->st[i].now;
}

const struct aggtab *series_growth(const struct series *s, uint32_t i)
{
	return &s->one[i].growth;
}
