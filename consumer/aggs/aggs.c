/*
 * aggs.c - takes snapshots of aggregations, and clears and truncates them.
 *
 * Programs update values while this code reads them, so clear() and trunc() never write to a value.
 * Instead they start a new generation:
 *
 *   1. They increment the generation number in the globals. Newer updates go to new map entries,
 *      because the generation is part of a key. (min() and max() without a key have the
 *      generation in their value.)
 *   2. They copy the rows that stay to the base table.
 *   3. A program may have read the old number just before. Snapshots therefore read the old
 *      entries again, and add the increase of each value since the previous snapshot to the base
 *      table. A key may have several entries (ir/table.h); they are merged before the increase is
 *      computed.
 *   4. After SETTLED_NS no program can hold the old number, and the old entries are deleted. If
 *      the source runs programs only while the consumer waits for it, the snapshot that ends the
 *      generation deletes the old entries.
 */
#include "consumer/aggs/aggs.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "agg/value.h"
#include "consumer/values/datum.h"
#include "consumer/symbols/usyms.h"
#include "engine/source.h"
#include "ir/program.h"

#define SETTLED_NS 100000000u /* longer than any program runs; in ns */

/* A generation that has ended, but may still get updates. */
struct agg_retired {
	uint32_t gen;
	uint64_t ended; /* time when the generation ended, by the source's clock in ns */
	/*
	 * The values of each canonical key, for finding late updates. A row has a word of flags
	 * (WAS_SEEN and IS_SEEN), the value at the last snapshot, and the value at the current
	 * snapshot. A value is the sum over all CPUs. If values cannot be subtracted, it is an
	 * array with the value of each CPU.
	 */
	struct aggtab seen;
};

/* Flags: the last snapshot (WAS_SEEN) or the current one (IS_SEEN) has a value of the key. */
enum { WAS_SEEN = 1, IS_SEEN = 2 };

/* ----------------------------------------------------------------------- keys */

static void put(struct strbuf *b, const void *p, size_t n)
{
	strbuf_add(b, p, n);
}

/* Returns whether the field has the same 8 bytes in a map key and in a canonical key. */
static bool is_word(const struct field *f)
{
	return (f->kind == FIELD_INT || f->kind == FIELD_UINT) && f->size == 8;
}

/*
 * Returns whether different map keys always have different canonical keys. Strings and symbols do
 * not, because a program can record the same text in different ways.
 */
static bool keys_are_exact(const struct agg_info *ai)
{
	for (uint32_t i = 0; i < ai->nkey; i++)
		if (ai->key[i].kind != FIELD_INT && ai->key[i].kind != FIELD_UINT &&
		    ai->key[i].kind != FIELD_BYTES)
			return false;
	return true;
}

/* Returns whether map keys contain their canonical keys: all fields are words, without gaps. */
static bool keys_are_plain(const struct agg_info *ai)
{
	for (uint32_t i = 0; i < ai->nkey; i++)
		if (!is_word(&ai->key[i]) || ai->key[i].off != ai->key[0].off + 8 * i)
			return false;
	return ai->nkey;
}

/* Sets @out to the canonical key of the map key @raw. */
static void canonical(const struct program *p, const struct agg_info *ai, const void *raw,
		      struct strbuf *out)
{
	struct datum d = {0};
	uint32_t len;

	strbuf_reset(out);
	for (uint32_t i = 0; i < ai->nkey; i++) {
		if (is_word(&ai->key[i])) { /* the usual key */
			put(out, (const char *)raw + ai->key[i].off, sizeof(d.num));
			continue;
		}
		datum_read(p, &ai->key[i], raw, &d);
		len = (uint32_t)d.len;
		switch (datum_encoding(d.kind)) {
		case DATUM_NUMBER:
			put(out, &d.num, sizeof(d.num));
			break;
		case DATUM_SIZED:
			put(out, &len, sizeof(len));
			put(out, d.s, d.len);
			break;
		case DATUM_FIXED:
			put(out, d.s, d.len);
			break;
		}
	}
	datum_release(&d);
}

static const uint8_t *read_part(const struct field *f, const uint8_t *at, struct datum *d)
{
	uint32_t len = f->size;

	d->kind = f->kind;
	d->size = f->array ? f->array + 4 : f->size;
	d->label = f->label;
	d->safe = f->own;
	d->address = f->address;
	d->num = 0;
	d->s = "";
	d->len = 0;
	switch (datum_encoding(f->kind)) {
	case DATUM_NUMBER:
		memcpy(&d->num, at, sizeof(d->num));
		return at + sizeof(d->num);
	case DATUM_SIZED:
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		break;
	case DATUM_FIXED:
		break;
	}
	d->s = (const char *)at;
	d->len = len;
	return at + len;
}

void agg_key_part(const struct agg_info *ai, const uint8_t *key, uint32_t i, struct datum *d)
{
	for (uint32_t k = 0; k <= i; k++)
		key = read_part(&ai->key[k], key, d);
}

int agg_key_cmp(const struct agg_info *ai, const uint8_t *l, const uint8_t *r)
{
	struct datum a = {0}, b = {0};
	int c = 0;

	for (uint32_t i = 0; i < ai->nkey && !c; i++) {
		agg_key_part(ai, l, i, &a);
		agg_key_part(ai, r, i, &b);
		c = datum_cmp(&a, &b);
	}
	return c;
}

/* ---------------------------------------------------------------------- values */

static bool is_zero(const uint64_t *v, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes / 8; i++)
		if (v[i])
			return false;
	return true;
}

static const struct agg_fn_def *fn_of(const struct agg_state *st)
{
	return agg_fn_of(&st->ai->kind);
}

/*
 * Returns true for histograms with many buckets. Most of their buckets are 0, so their rows are
 * stored packed (agg/table.h).
 */
static bool is_wide(const struct agg_state *st)
{
	return st->ai->kind.value_size >= SPARSE_MIN;
}

static void merge_row(struct agg_state *st, struct aggtab *t, const void *key, size_t klen,
		      const void *val)
{
	struct agg_row *r = aggtab_get(t, key, (uint32_t)klen, st->ai->kind.value_size);

	fn_of(st)->merge(&st->ai->kind, agg_row_val(r), val);
}

/*
 * Adds a late update (of a generation that has ended) to the base table and to the current
 * snapshot.
 */
static void add_late(struct agg_state *st, const void *key, size_t klen, const void *val)
{
	merge_row(st, &st->base, key, klen, val);
	merge_row(st, &st->now, key, klen, val);
}

/* -------------------------------------------------------------- keyed snapshots */

/* State while source_ops.map_each visits the entries of one aggregation's maps. */
struct visit {
	struct aggs *a;
	struct agg_state *st;
	uint64_t now;      /* time of the visit, by the source's clock in ns */
	size_t stride;     /* number of bytes from the value of one CPU to the value of the next */
	uint64_t *sum;     /* value of the current key, merged over all CPUs */
	const void *key;   /* the current key in canonical form */
	uint32_t klen;     /* its length in bytes */
	struct strbuf buf; /* memory for @key; unused if @key points into the map */
	uint32_t map;      /* index of the map in program.map */
	bool exact;        /* result of keys_are_exact() */
	bool plain;        /* result of keys_are_plain() */
};

/* Sets the current key to the canonical form of the map key @raw. */
static void set_key(struct visit *v, const void *raw)
{
	const struct agg_info *ai = v->st->ai;

	if (v->plain) {
		v->key = (const char *)raw + ai->key[0].off;
		v->klen = 8 * ai->nkey;
		return;
	}
	canonical(v->a->p, ai, raw, &v->buf);
	v->key = strbuf_text(&v->buf);
	v->klen = (uint32_t)v->buf.len;
}

static const uint64_t *cpu_value(const struct visit *v, const void *values, uint32_t cpu)
{
	return (const uint64_t *)((const char *)values + cpu * v->stride);
}

static void sum_cpus(const struct visit *v, const void *values)
{
	memset(v->sum, 0, v->st->ai->kind.value_size);
	for (uint32_t cpu = 0; cpu < v->a->src->ncpu; cpu++)
		fn_of(v->st)->merge(&v->st->ai->kind, v->sum, cpu_value(v, values, cpu));
}

/*
 * Returns whether map_each() passes the current key only once. If the snapshot has a row with this
 * key already, the row then came from a map that was visited earlier, or from the base table.
 */
static bool comes_once(const struct visit *v)
{
	return v->exact && v->a->src->distinct && v->map == (uint32_t)v->st->ai->map;
}

/*
 * Adds the current key and its value to the snapshot. Packs values with many words. Borrows the
 * value from the map instead of copying it, if there is only one CPU and no program can change the
 * value until the next snapshot.
 */
static void add_to_snapshot(const struct visit *v, const void *values)
{
	struct agg_state *st = v->st;
	const struct source *src = v->a->src;
	uint32_t size = st->ai->kind.value_size;
	bool borrow = src->synchronous && src->ncpu == 1, once = comes_once(v);

	if (is_wide(st)) {
		if (!aggtab_add_packed(&st->now, v->key, v->klen, v->sum, size))
			merge_row(st, &st->now, v->key, v->klen, v->sum);
	} else if (borrow) {
		if (!aggtab_add_borrowed(&st->now, v->key, v->klen, values, once))
			merge_row(st, &st->now, v->key, v->klen, v->sum);
	} else if (once) {
		fn_of(st)->merge(&st->ai->kind,
				 agg_row_val(aggtab_get_once(&st->now, v->key, v->klen, size)),
				 v->sum);
	} else {
		merge_row(st, &st->now, v->key, v->klen, v->sum);
	}
}

/* Returns the size of the values that agg_retired.seen has for one key and one snapshot. */
static uint32_t remembered_size(const struct aggs *a, const struct agg_state *st)
{
	return (fn_of(st)->sub ? 1 : a->src->ncpu) * st->ai->kind.value_size;
}

/*
 * Adds the values of the current key to @t, as those of the last snapshot (@when is WAS_SEEN) or of
 * the current one (IS_SEEN). They are needed to detect later updates.
 */
static void remember(const struct visit *v, struct aggtab *t, unsigned when, const void *values)
{
	const struct agg_info *ai = v->st->ai;
	uint32_t all = remembered_size(v->a, v->st), size = ai->kind.value_size;
	struct agg_row *row = aggtab_get(t, v->key, v->klen, 8 + 2 * (size_t)all);
	char *val = (char *)(agg_row_val(row) + 1) + (when == IS_SEEN ? all : 0);

	*agg_row_val(row) |= when;
	if (fn_of(v->st)->sub) {
		fn_of(v->st)->merge(&ai->kind, val, v->sum);
		return;
	}
	for (uint32_t cpu = 0; cpu < v->a->src->ncpu; cpu++)
		fn_of(v->st)->merge(&ai->kind, val + cpu * size, cpu_value(v, values, cpu));
}

/* A key of a generation that has ended: its current value, and its value at the last snapshot. */
struct late {
	const void *key;
	uint32_t klen;
	/* the sum over all CPUs, or one value for each CPU if values cannot be subtracted */
	const uint64_t *sum;
	size_t stride; /* number of bytes from the value of one CPU to the value of the next */
	/* @sum at the last snapshot, without gaps between CPUs; NULL if the key is new */
	const uint64_t *was;
};

static void late_additive(struct agg_state *st, const struct late *l)
{
	uint32_t size = st->ai->kind.value_size;
	uint64_t *delta = xmalloc(size);

	memcpy(delta, l->sum, size);
	if (l->was)
		fn_of(st)->sub(&st->ai->kind, delta, l->was);
	if (!l->was || !is_zero(delta, size))
		add_late(st, l->key, l->klen, delta);
	xfree(delta);
}

static void late_extreme(struct agg_state *st, const struct late *l, uint32_t ncpu)
{
	uint32_t size = st->ai->kind.value_size;

	for (uint32_t cpu = 0; cpu < ncpu; cpu++) {
		const uint64_t *val = (const uint64_t *)((const char *)l->sum + cpu * l->stride);

		if (val[0] && (!l->was || memcmp((const char *)l->was + cpu * size, val, size)))
			add_late(st, l->key, l->klen, val);
	}
}

/*
 * Adds the changes since the last snapshot. If values can be subtracted, a change is the difference
 * of two sums. Otherwise each CPU's value that differs is a change.
 */
static void add_if_late(const struct visit *v, const struct late *l)
{
	if (fn_of(v->st)->sub)
		late_additive(v->st, l);
	else
		late_extreme(v->st, l, v->a->src->ncpu);
}

/* Adds the updates that were made to generation @r since the last snapshot. */
static void add_late_updates(const struct visit *v, struct agg_retired *r)
{
	uint32_t all = remembered_size(v->a, v->st);

	for (size_t i = 0; i < r->seen.row.n; i++) {
		const struct agg_row *row = r->seen.row.v[i];
		uint64_t *seen = agg_row_val(row), *was = seen + 1, *is = was + all / 8;

		if (!(*seen & IS_SEEN))
			continue;
		add_if_late(v, &(struct late){row->key, row->klen, is, v->st->ai->kind.value_size,
					      *seen & WAS_SEEN ? was : NULL});
		memcpy(was, is, all);
		memset(is, 0, all);
		*seen = WAS_SEEN;
	}
}

static struct agg_retired *find_retired(const struct agg_state *st, uint32_t gen)
{
	for (size_t i = 0; i < st->retired.n; i++)
		if (st->retired.v[i]->gen == gen)
			return st->retired.v[i];
	return NULL;
}

static void release_retired(struct agg_retired *r)
{
	aggtab_release(&r->seen);
	xfree(r);
}

/* Returns whether no program runs between calls of the source. */
static bool is_quiescent(const struct aggs *a)
{
	const struct source_ops *ops = a->src->ops;

	return a->src->synchronous || (ops->quiesce && ops->quiesce(a->src));
}

static bool settled(const struct aggs *a, const struct agg_retired *r, uint64_t now)
{
	return now - r->ended >= SETTLED_NS || is_quiescent(a);
}

/*
 * Adds a key to the snapshot. If the key's generation has ended, adds only its late updates.
 * source_ops.map_each calls this function for each key, and deletes the key if the result is true.
 */
static bool visit(void *ctx, const void *raw, const void *values)
{
	struct visit *v = ctx;
	struct agg_state *st = v->st;
	struct agg_retired *r;
	uint32_t gen;

	memcpy(&gen, raw, sizeof(gen));
	set_key(v, raw);
	sum_cpus(v, values);
	if (gen == st->gen) {
		add_to_snapshot(v, values);
		if (st->retiring && !st->quiescent)
			remember(v, &st->retiring->seen, WAS_SEEN, values);
		return st->retiring && st->quiescent;
	}
	r = find_retired(st, gen);
	if (r)
		remember(v, &r->seen, IS_SEEN, values);
	else
		add_if_late(v, &(struct late){v->key, v->klen, fn_of(st)->sub ? v->sum : values,
					      v->stride, NULL});
	return !r || settled(v->a, r, v->now);
}

/* Frees the generations whose map entries snap_keyed() has just deleted. */
static void drop_retired(struct aggs *a, struct agg_state *st, uint64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < st->retired.n; i++) {
		struct agg_retired *r = st->retired.v[i];

		if (!settled(a, r, now)) {
			st->retired.v[kept++] = r;
			continue;
		}
		release_retired(r);
	}
	st->retired.n = kept;
}

static int visit_map(struct visit *v, int32_t map)
{
	v->map = (uint32_t)map;
	return v->a->src->ops->map_each(v->a->src, v->map, visit, v);
}

static void snap_keyed(struct aggs *a, struct agg_state *st)
{
	struct visit v = {.a = a, .st = st, .now = a->src->ops->now(a->src)};
	bool bad;

	v.stride = (a->p->map[st->ai->map].value_size + 7u) & ~7u;
	v.sum = xmalloc(st->ai->kind.value_size);
	v.exact = keys_are_exact(st->ai);
	v.plain = keys_are_plain(st->ai);
	bad = (st->ai->overflow && visit_map(&v, st->ai->overflow)) || visit_map(&v, st->ai->map);
	for (size_t i = 0; !bad && i < st->retired.n; i++)
		add_late_updates(&v, st->retired.v[i]);
	if (bad)
		a->failed = true;
	else
		drop_retired(a, st, v.now);
	xfree(v.sum);
	strbuf_release(&v.buf);
}

/* ----------------------------------------------------------- un-keyed snapshots */

static const uint64_t *unkeyed(const struct aggs *a, const struct agg_state *st, const char *percpu,
			       uint32_t cpu)
{
	size_t stride = (a->p->map[MAP_ID_PERCPU].value_size + 7u) & ~7u;

	return (const uint64_t *)(percpu + cpu * stride + st->ai->off);
}

/*
 * Takes a snapshot of a value that can be subtracted: the sum over all CPUs minus the part that
 * clear() removed.
 */
static void snap_sum(struct aggs *a, struct agg_state *st, const char *percpu)
{
	uint32_t size = st->ai->kind.value_size;
	uint64_t *v = xmalloc(size);

	memset(st->total, 0, size);
	for (uint32_t cpu = 0; cpu < a->src->ncpu; cpu++)
		fn_of(st)->merge(&st->ai->kind, st->total, unkeyed(a, st, percpu, cpu));
	memcpy(v, st->total, size);
	fn_of(st)->sub(&st->ai->kind, v, st->cleared);
	if (!is_zero(v, size))
		merge_row(st, &st->now, "", 0, v);
	xfree(v);
}

/*
 * Takes a snapshot of min() or max(). The value of a CPU is a generation plus 1, and a number. If
 * the generation is old and the value has changed since the last snapshot, the value is a late
 * update.
 */
static void snap_extreme(struct aggs *a, struct agg_state *st, const char *percpu)
{
	uint32_t size = st->ai->kind.value_size;

	for (uint32_t cpu = 0; cpu < a->src->ncpu; cpu++) {
		const uint64_t *v = unkeyed(a, st, percpu, cpu);
		uint64_t *seen = st->seen + cpu * (size / 8);

		if (v[0] == (uint64_t)st->gen + 1)
			merge_row(st, &st->now, "", 0, v);
		else if (v[0] && memcmp(seen, v, size))
			add_late(st, "", 0, v);
		memcpy(seen, v, size);
	}
}

/* ------------------------------------------------------------------- snapshots */

/* Adds a row with the key of @r and the value @val to @to. */
static void add_copy(const struct agg_state *st, struct aggtab *to, const struct agg_row *r,
		     const uint64_t *val)
{
	uint32_t size = st->ai->kind.value_size;

	if (is_wide(st))
		aggtab_add_packed(to, r->key, r->klen, val, size);
	else
		memcpy(agg_row_val(aggtab_get(to, r->key, r->klen, size)), val, size);
}

/* Copies @n rows to @to. If @zero is set, the copies have the value 0. */
static void copy_rows(struct agg_state *st, struct aggtab *to, struct agg_row *const *row, size_t n,
		      bool zero)
{
	uint64_t *room = xcalloc(1, st->ai->kind.value_size);

	for (size_t i = 0; i < n; i++)
		add_copy(st, to, row[i],
			 zero ? room : agg_row_value(row[i], room, st->ai->kind.value_size));
	xfree(room);
}

static void snap(struct aggs *a, struct agg_state *st)
{
	const char *percpu;

	/* --merge sets the divisor, which can change when the files are read again */
	if (st->ai->normal)
		st->normal = st->ai->normal;
	aggtab_release(&st->now);
	copy_rows(st, &st->now, st->base.row.v, st->base.row.n, false);
	if (st->ai->map >= 0) {
		snap_keyed(a, st);
		return;
	}
	percpu = a->src->ops->percpu(a->src);
	if (!percpu)
		a->failed = true;
	else if (fn_of(st)->sub)
		snap_sum(a, st, percpu);
	else
		snap_extreme(a, st, percpu);
}

void aggs_snap(struct aggs *a, uint32_t i)
{
	if (!a->st[i].frozen)
		snap(a, &a->st[i]);
}

void aggs_sweep(struct aggs *a)
{
	for (uint32_t i = 0; i < a->p->nagg; i++)
		if (a->st[i].retired.n)
			snap(a, &a->st[i]);
}

/* ------------------------------------------------------------- clear and trunc */

static uint32_t *generation(struct aggs *a, const struct agg_state *st)
{
	char *globals = a->src->ops->globals(a->src);

	return (uint32_t *)(globals + GLOBAL_GEN_OFF) + st->ai->index;
}

/* Takes the last snapshot of the current generation, and starts the next generation. */
static void retire(struct aggs *a, struct agg_state *st)
{
	struct agg_retired *r = xcalloc(1, sizeof(*r));

	r->gen = st->gen;
	st->retiring = r;
	st->quiescent = is_quiescent(a);
	snap(a, st);
	st->retiring = NULL;
	st->gen++;
	__atomic_store_n(generation(a, st), st->gen, __ATOMIC_SEQ_CST);
	if (st->ai->map < 0 && fn_of(st)->sub)
		memcpy(st->cleared, st->total, st->ai->kind.value_size);
	if (st->ai->map < 0 || st->quiescent) {
		xfree(r);
		return;
	}
	r->ended = a->src->ops->now(a->src);
	vec_push(&st->retired, r);
}

/*
 * Replaces the base table by the first @keep rows of @row. If @zero is set, their values become 0.
 */
static void rebase(struct aggs *a, struct agg_state *st, struct agg_row *const *row, size_t keep,
		   bool zero)
{
	aggtab_release(&st->base);
	copy_rows(st, &st->base, row, keep, zero);
	/* Add late updates now: the next update on a CPU overwrites its old minimum or maximum. */
	if (st->ai->map < 0)
		snap(a, st);
	else
		aggtab_release(&st->now);
}

void aggs_freeze(struct aggs *a, uint32_t i)
{
	if (!a->st[i].frozen)
		retire(a, &a->st[i]);
	a->st[i].frozen = true;
}

void aggs_thaw(struct aggs *a)
{
	for (uint32_t i = 0; i < a->p->nagg; i++) {
		struct agg_state *st = &a->st[i];

		if (st->frozen)
			rebase(a, st, st->now.row.v, st->now.row.n, false);
		st->frozen = false;
	}
}

/*
 * Ends the generation and tells the observer. After that, st[i].now contains the rows that may be
 * removed.
 */
static void begin_removal(struct aggs *a, uint32_t i)
{
	aggs_freeze(a, i);
	a->st[i].frozen = false;
	if (a->observer.before_removal)
		a->observer.before_removal(a->observer.ctx, i);
}

static void end_removal(struct aggs *a, uint32_t i)
{
	if (a->observer.after_removal)
		a->observer.after_removal(a->observer.ctx, i);
}

void aggs_clear(struct aggs *a, uint32_t i)
{
	struct agg_state *st = &a->st[i];

	begin_removal(a, i);
	rebase(a, st, st->now.row.v, st->now.row.n, true);
	end_removal(a, i);
}

/* A row with its rank. Rows are ordered by rank. */
struct ranked {
	struct agg_sort_key rank;
	struct agg_row *row;
};

/* The rows that trunc() keeps. */
struct best {
	const struct agg_info *ai;
	bool least; /* keep the least values, not the greatest */
	/* a heap: the first row is the worst of the rows so far, and is replaced first */
	struct ranked *v;
	size_t n, max;
};

/* Returns whether trunc() keeps @x rather than @y. Equal values are ordered by their keys. */
static bool is_better(const struct best *b, const struct ranked *x, const struct ranked *y)
{
	int c = agg_sort_key_cmp(&x->rank, &y->rank);

	if (!c)
		c = agg_key_cmp(b->ai, x->row->key, y->row->key);
	return b->least ? c < 0 : c > 0;
}

static void exchange(struct best *b, size_t i, size_t k)
{
	struct ranked r = b->v[i];

	b->v[i] = b->v[k];
	b->v[k] = r;
}

static void sift_up(struct best *b, size_t i)
{
	for (; i && is_better(b, &b->v[(i - 1) / 2], &b->v[i]); i = (i - 1) / 2)
		exchange(b, i, (i - 1) / 2);
}

static void sift_down(struct best *b)
{
	for (size_t i = 0, k; (k = 2 * i + 1) < b->n; i = k) {
		if (k + 1 < b->n && is_better(b, &b->v[k], &b->v[k + 1]))
			k++;
		if (is_better(b, &b->v[k], &b->v[i]))
			return;
		exchange(b, i, k);
	}
}

static void consider(struct best *b, const struct ranked *r)
{
	if (b->n < b->max) {
		b->v[b->n] = *r;
		sift_up(b, b->n++);
	} else if (is_better(b, r, &b->v[0])) {
		b->v[0] = *r;
		sift_down(b);
	}
}

/* Returns an array of the @keep best rows of the snapshot, which the caller frees. */
static struct agg_row **best_rows(const struct agg_state *st, size_t keep, bool least)
{
	const struct agg_kind *kind = &st->ai->kind;
	struct best b = {.ai = st->ai, .least = least, .max = keep};
	struct agg_row **row = xcalloc(keep + 1, sizeof(*row));
	uint64_t *room = xmalloc(kind->value_size);

	b.v = xcalloc(keep + 1, sizeof(*b.v));
	for (size_t i = 0; keep && i < st->now.row.n; i++) {
		struct agg_row *at = st->now.row.v[i];
		const uint64_t *val = agg_row_value(at, room, kind->value_size);

		consider(&b, &(struct ranked){agg_sort_key_of(kind, val), at});
	}
	for (size_t i = 0; i < b.n; i++)
		row[i] = b.v[i].row;
	xfree(b.v);
	xfree(room);
	return row;
}

void aggs_trunc(struct aggs *a, uint32_t i, int64_t n)
{
	struct agg_state *st = &a->st[i];
	uint64_t keep = n < 0 ? -(uint64_t)n : (uint64_t)n;
	struct agg_row **row;

	begin_removal(a, i);
	if (keep > st->now.row.n)
		keep = st->now.row.n;
	row = best_rows(st, keep, n < 0);
	rebase(a, st, row, keep, false);
	xfree(row);
	end_removal(a, i);
}

void aggs_normalize(struct aggs *a, uint32_t i, int64_t n)
{
	a->st[i].normal = n ? n : 1;
}

/* ------------------------------------------------------------------ life cycle */

struct aggs *aggs_new(const struct program *p, struct source *src)
{
	struct aggs *a = xcalloc(1, sizeof(*a));

	a->p = p;
	a->src = src;
	a->st = xcalloc(p->nagg + 1, sizeof(*a->st));
	for (uint32_t i = 0; i < p->nagg; i++) {
		struct agg_state *st = &a->st[i];

		st->ai = &p->agg[i];
		st->normal = st->ai->normal ? st->ai->normal : 1;
		st->gen = *generation(a, st);
		if (st->ai->map >= 0)
			continue;
		st->total = xcalloc(1, st->ai->kind.value_size);
		st->cleared = xcalloc(1, st->ai->kind.value_size);
		st->seen = xcalloc(src->ncpu + 1, st->ai->kind.value_size);
	}
	return a;
}

static void release_state(struct agg_state *st)
{
	aggtab_release(&st->now);
	aggtab_release(&st->base);
	for (size_t i = 0; i < st->retired.n; i++) {
		release_retired(st->retired.v[i]);
	}
	vec_free(&st->retired);
	xfree(st->total);
	xfree(st->cleared);
	xfree(st->seen);
}

void aggs_free(struct aggs *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->p->nagg; i++)
		release_state(&a->st[i]);
	xfree(a->st);
	xfree(a);
}

/* ------------------------------------------------------------------- processes */

/* Returns the offset of the process ID in a key field, or -1. */
static int pid_offset(const struct field *f)
{
	if (f->kind == FIELD_USTACK)
		return (int)(f->off + offsetof(struct ustack_slot, pid));
	return f->kind >= FIELD_USYM && f->kind <= FIELD_UADDR
		       ? (int)(f->off + offsetof(struct uaddr, pid))
		       : -1;
}

static bool remember_process(void *ctx, const void *key, const void *values)
{
	const struct agg_info *ai = ctx;
	uint64_t pid;

	(void)values;
	for (uint32_t i = 0; i < ai->nkey; i++) {
		int off = pid_offset(&ai->key[i]);

		if (off < 0)
			continue;
		memcpy(&pid, (const char *)key + off, sizeof(pid));
		usyms_remember(pid);
	}
	return false;
}

static void remember_processes(struct aggs *a, struct agg_state *st)
{
	const struct agg_info *ai = st->ai;

	a->src->ops->map_each(a->src, (uint32_t)ai->map, remember_process, (void *)ai);
	if (ai->overflow)
		a->src->ops->map_each(a->src, (uint32_t)ai->overflow, remember_process, (void *)ai);
}

void aggs_remember_processes(struct aggs *a)
{
	for (uint32_t i = 0; i < a->p->nagg; i++) {
		const struct agg_info *ai = a->st[i].ai;
		bool any = false;

		for (uint32_t k = 0; k < ai->nkey; k++)
			any |= pid_offset(&ai->key[k]) >= 0;
		if (any && ai->map >= 0)
			remember_processes(a, &a->st[i]);
	}
}
