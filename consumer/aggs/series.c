/*
 * series.c - what aggregations grew by from one sample to the next.
 */
#include "consumer/aggs/series.h"

#include <string.h>

#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "engine/source.h"
#include "ir/program.h"

struct one {
	struct aggtab before;   /* what was counted already */
	struct aggtab taken;    /* what grew before clear() or trunc() took it */
	struct aggtab grown;    /* at the last sample */
	struct aggtab interval; /* at all samples of its time */
	bool repeated;          /* grown is what an idle sample of min() or max() shows */
	bool emptied, empty;    /* trunc() has left no row since the last sample; in the interval */
};

struct series {
	struct aggs *a;
	struct one *one; /* by aggregation */
	bool (*wants)(const struct program *p, uint32_t agg);
	bool shown;
	uint64_t time; /* of the last sample */
	uint64_t runs; /* source.runs at the last sample */
	bool sampled;  /* there was a sample, and clear() and trunc() have taken nothing since */
};

static void add(const struct agg_info *ai, struct aggtab *to, const struct agg_row *r,
		const uint64_t *val)
{
	agg_fn_of(&ai->kind)->merge(&ai->kind,
				    aggtab_get(to, r->key, r->klen, ai->kind.value_size)->val, val);
}

static bool any(const uint64_t *v, uint32_t size)
{
	for (uint32_t i = 0; i < size / 8; i++)
		if (v[i])
			return true;
	return false;
}

/* What the last snapshot has more than before. */
static void add_growth(const struct agg_state *st, const struct aggtab *before, struct aggtab *to)
{
	const struct agg_info *ai = st->ai;
	uint64_t *v = xmalloc(ai->kind.value_size);

	for (size_t i = 0; i < st->now.row.n; i++) {
		const struct agg_row *r = st->now.row.v[i],
				     *was = aggtab_find(before, r->key, r->klen);

		memmove(v, agg_row_value(r, v, ai->kind.value_size), ai->kind.value_size);
		if (was && agg_fn_of(&ai->kind)->sub)
			agg_fn_of(&ai->kind)->sub(&ai->kind, v, was->val);
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

/* The snapshot goes, but for what is the base of the next. */
static void on_taken(void *ctx, uint32_t i)
{
	struct series *s = ctx;

	if (!wanted(s, i))
		return;
	add_growth(&s->a->st[i], &s->one[i].before, &s->one[i].taken);
	s->sampled = false;
}

static void on_left(void *ctx, uint32_t i)
{
	struct series *s = ctx;

	if (!wanted(s, i))
		return;
	copy(s->a->st[i].ai, &s->one[i].before, &s->a->st[i].base);
	s->one[i].emptied |= !s->a->st[i].base.row.n;
	s->sampled = false;
}

struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg),
			  bool shown)
{
	struct series *s = xcalloc(1, sizeof(*s));

	s->a = a;
	s->wants = wants;
	s->shown = shown;
	s->one = xcalloc(a->p->nagg + 1, sizeof(*s->one));
	a->watch = (struct aggs_watch){on_taken, on_left, s};
	return s;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	s->a->watch = (struct aggs_watch){0};
	for (uint32_t i = 0; i < s->a->p->nagg; i++) {
		aggtab_release(&s->one[i].before);
		aggtab_release(&s->one[i].taken);
		aggtab_release(&s->one[i].grown);
		aggtab_release(&s->one[i].interval);
	}
	xfree(s->one);
	xfree(s);
}

/* Takes a snapshot, and what it has more than the one of the last sample. */
static void snap(struct series *s, uint32_t i)
{
	struct one *o = &s->one[i];

	aggs_snap(s->a, i);
	aggtab_release(&o->grown);
	o->repeated = false;
	o->grown = o->taken;
	o->taken = (struct aggtab){0};
	add_growth(&s->a->st[i], &o->before, &o->grown);
	copy(s->a->st[i].ai, &o->before, &s->a->st[i].now);
}

/*
 * What snap() does when the aggregation is as it was at the last sample; min() and max() show that
 * again.
 */
static void repeat(struct series *s, uint32_t i)
{
	struct one *o = &s->one[i];

	if (o->repeated)
		return;
	aggtab_release(&o->grown);
	if (!agg_fn_of(&s->a->st[i].ai->kind)->sub)
		add_growth(&s->a->st[i], &o->before, &o->grown);
	o->repeated = true;
}

/*
 * Has nothing changed since the last sample?  A capture may have millions of samples between two
 * packets.
 */
static bool is_idle(const struct series *s)
{
	return s->sampled && s->a->src->runs && *s->a->src->runs == s->runs;
}

void series_sample(struct series *s, uint64_t time)
{
	bool idle = is_idle(s);

	for (uint32_t i = 0; i < s->a->p->nagg; i++) {
		struct one *o = &s->one[i];

		if (!wanted(s, i))
			continue;
		if (idle)
			repeat(s, i);
		else
			snap(s, i);
		if (!s->shown)
			continue;
		if (time != s->time) {
			aggtab_release(&o->interval);
			o->empty = false;
		}
		o->empty |= o->emptied;
		o->emptied = false;
		join(s->a->st[i].ai, &o->interval, &o->grown);
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

const struct aggtab *series_grown(const struct series *s, uint32_t i)
{
	return &s->one[i].grown;
}
