/*
 * merge.c - presents aggregation files as the maps of a run.
 *
 * Each aggregation with keys has a map. A key of such a map consists of:
 *
 *	u32 generation, always 0   u32 0   field   field ...
 *
 * Each field begins at a multiple of 8 bytes.
 */
#include "consumer/aggs/merge.h"

#include <poll.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "agg/agg.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/aggs.h"
#include "agg/table.h"
#include "consumer/values/datum.h"
#include "engine/source.h"

enum { KEY_START = 8, WAIT_MS = 1000 };

/* The record that the source delivers after reading the files again. */
struct sample {
	struct record head;
	uint64_t time;
};

static uint32_t round8(uint32_t n)
{
	return (n + 7) & ~7u;
}

/* ------------------------------------------------------------------- the program */

/* Returns the largest size of the key field @field in any of the files. */
static uint32_t key_room(struct aggfile *const *file, uint32_t n, uint32_t agg, uint32_t field)
{
	uint32_t room = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = file[i]->agg[agg].info.key[field].size;

		room = size > room ? size : room;
	}
	return room;
}

static void place_key(struct arena *mem, struct agg_info *ai, struct aggfile *const *file,
		      uint32_t n, uint32_t agg)
{
	const struct field *from = ai->key;
	uint32_t at = KEY_START;

	ai->key = arena_newn(mem, struct field, ai->nkey + 1);
	for (uint32_t i = 0; i < ai->nkey; i++) {
		ai->key[i] = from[i];
		ai->key[i].size = key_room(file, n, agg, i);
		ai->key[i].off = at;
		at += round8(ai->key[i].size);
	}
	ai->key_size = at;
}

/*
 * Returns the divisor of the aggregation. If all files that have rows of the aggregation were
 * normalized by the same number, the divisor is that number. Otherwise it is 1, so that the result
 * does not depend on the order of the files.
 */
static int64_t common_normal(struct aggfile *const *file, uint32_t n, uint32_t agg)
{
	int64_t normal = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct aggfile_agg *a = &file[i]->agg[agg];

		if (!a->nrow)
			continue;
		if (normal && normal != a->normal)
			return 1;
		normal = a->normal;
	}
	return normal ? normal : 1;
}

/*
 * Adds the only clause of the program. The record of this clause makes the consumer take a sample.
 */
static void add_sample(struct arena *mem, struct program *p)
{
	p->probe = arena_new(mem, struct probe_info);
	p->nprobe = 1;
	*p->probe = (struct probe_info){0, "dtrace", "", "", "MERGE"};
	p->clause = arena_new(mem, struct clause_info);
	p->nclause = 1;
	*p->clause = (struct clause_info){.rec_size = sizeof(struct sample),
					  .act = arena_new(mem, struct action_info),
					  .nact = 1,
					  .time = offsetof(struct sample, time)};
	p->clause->act->kind = ACT_SAMPLE;
}

const struct program *merge_program(struct arena *mem, struct aggfile *const *file, uint32_t n)
{
	struct program *p = arena_new(mem, struct program);
	uint32_t nagg = file[0]->nagg, percpu = sizeof(struct percpu);
	struct map_def *map = arena_newn(mem, struct map_def, MAP_ID_FIRST_OTHER + nagg);
	struct agg_info *agg = arena_newn(mem, struct agg_info, nagg + 1);

	p->nmap = MAP_ID_FIRST_OTHER;
	for (uint32_t i = 0; i < nagg; i++) {
		struct agg_info *ai = &agg[i];

		*ai = file[0]->agg[i].info;
		ai->index = i;
		ai->normal = common_normal(file, n, i);
		place_key(mem, ai, file, n, i);
		if (!ai->nkey) {
			ai->map = -1;
			ai->off = percpu;
			percpu += round8(ai->kind.value_size);
			continue;
		}
		ai->map = (int32_t)p->nmap;
		map[p->nmap++] = (struct map_def){.kind = MAP_PERCPU_HASH,
						  .name = ai->name,
						  .key_size = ai->key_size,
						  .value_size = ai->kind.value_size};
	}
	map[MAP_ID_GLOBAL] = (struct map_def){.kind = MAP_GLOBAL,
					      .value_size = round8(GLOBAL_GEN_OFF + 4 * nagg)};
	map[MAP_ID_PERCPU] = (struct map_def){.kind = MAP_PERCPU, .value_size = percpu};
	map[MAP_ID_RING] = (struct map_def){.kind = MAP_RING};
	p->map = map;
	p->agg = agg;
	p->nagg = nagg;
	add_sample(mem, p);
	return p;
}

/* -------------------------------------------------------------------- the source */

struct merge {
	struct source base;
	const struct program *p;
	struct arena *mem;
	struct aggfile *const *file;
	uint32_t n;
	const struct merge_refresh *refresh; /* NULL without -x follow */
	uint64_t due;                        /* time of the next refresh by now_monotonic() */
	unsigned char *globals, *percpu;
};

static struct merge *merge_of(struct source *s)
{
	return (struct merge *)s;
}

static void place_unkeyed(struct merge *m)
{
	memset(m->percpu, 0, m->p->map[MAP_ID_PERCPU].value_size);
	for (uint32_t f = 0; f < m->n; f++)
		for (uint32_t i = 0; i < m->p->nagg; i++) {
			const struct aggfile_agg *a = &m->file[f]->agg[i];

			if (m->p->agg[i].map < 0 && a->nrow)
				agg_fns[a->info.kind.fn]->merge(&a->info.kind,
								(uint64_t *)(m->percpu +
									     m->p->agg[i].off),
								a->row[0].val);
		}
}

static int start(struct source *s, const struct program *p, struct diag *d)
{
	struct merge *m = merge_of(s);

	(void)d;
	m->p = p;
	m->globals = xcalloc(1, p->map[MAP_ID_GLOBAL].value_size);
	m->percpu = xcalloc(1, round8(p->map[MAP_ID_PERCPU].value_size));
	place_unkeyed(m);
	return 0;
}

/* Writes the map key of the row to @raw. */
static void raw_key(const struct agg_info *ai, const struct agg_row *row, unsigned char *raw)
{
	struct datum d = {0};

	memset(raw, 0, ai->key_size);
	for (uint32_t i = 0; i < ai->nkey; i++) {
		const struct field *f = &ai->key[i];
		const uint32_t tag = DSTR_TEXT;

		agg_key_part(ai, row->key, i, &d);
		switch (f->kind) {
		case FIELD_STRING:
		case FIELD_FRAMES:
		case FIELD_UFRAMES:
			memcpy(raw + f->off, &tag, sizeof(tag));
			memcpy(raw + f->off + sizeof(tag), d.s, d.len);
			break;
		case FIELD_BYTES:
			memcpy(raw + f->off, d.s, d.len);
			break;
		default:
			memcpy(raw + f->off, &d.num, f->size);
		}
	}
	datum_release(&d);
}

/* Merges the rows of aggregation @i of all files into @t. */
static void collect(const struct merge *m, uint32_t i, struct aggtab *t)
{
	for (uint32_t f = 0; f < m->n; f++) {
		const struct aggfile_agg *a = &m->file[f]->agg[i];

		for (size_t k = 0; k < a->nrow; k++) {
			struct agg_row *row = aggtab_get(t, a->row[k].key, a->row[k].klen,
							 a->info.kind.value_size);

			agg_fns[a->info.kind.fn]->merge(&a->info.kind, agg_row_val(row),
							a->row[k].val);
		}
	}
}

/*
 * Passes the merged rows of the aggregation in @map to @fn. Ignores the result of @fn, which asks
 * to delete a key: that happens only after clear() or trunc(), and no program runs that could call
 * them. Returns -1 if no aggregation is in @map.
 */
static int map_each(struct source *s, uint32_t map,
		    bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	struct merge *m = merge_of(s);

	for (uint32_t i = 0; i < m->p->nagg; i++) {
		const struct agg_info *ai = &m->p->agg[i];
		unsigned char *raw;
		struct aggtab t = {0};

		if (ai->map != (int32_t)map)
			continue;
		raw = xmalloc(ai->key_size);
		collect(m, i, &t);
		for (size_t k = 0; k < t.row.n; k++) {
			raw_key(ai, t.row.v[k], raw);
			fn(ctx, raw, agg_row_val(t.row.v[k]));
		}
		aggtab_release(&t);
		xfree(raw);
		return 0;
	}
	return -1;
}

static int fire(struct source *s, enum run_kind kind, const uint64_t *args, struct record_sink *k)
{
	(void)s, (void)kind, (void)args, (void)k;
	return 0;
}

/*
 * Schedules the first refresh one interval from now. Until then, the first sample shows the files
 * that have already been read.
 */
static int go(struct source *s, struct record_sink *k, struct diag *d)
{
	struct merge *m = merge_of(s);

	(void)k, (void)d;
	m->due = now_monotonic() + (m->refresh ? m->refresh->rate : 0);
	return 0;
}

/* Enlarges the keys of the program if one of the files has longer keys than before. */
static void grow_keys(struct merge *m)
{
	for (uint32_t i = 0; i < m->p->nagg; i++)
		for (uint32_t k = 0; k < m->p->agg[i].nkey; k++)
			if (key_room(m->file, m->n, i, k) > m->p->agg[i].key[k].size) {
				place_key(m->mem, &m->p->agg[i], m->file, m->n, i);
				m->p->map[m->p->agg[i].map].key_size = m->p->agg[i].key_size;
				break;
			}
}

/* Reads the files again and delivers a record that makes the consumer take a sample. */
static int reread(struct merge *m, struct record_sink *k, struct diag *d)
{
	struct sample s = {.head = {.epid = 1}, .time = now_real()};

	struct aggfile *const *file = m->refresh->files(m->refresh->ctx, &m->n, d);

	if (!file)
		return -1; /* the files that were read before stay in use */
	m->file = file;
	for (uint32_t i = 0; i < m->p->nagg; i++)
		m->p->agg[i].normal = common_normal(file, m->n, i);
	grow_keys(m);
	place_unkeyed(m);
	k->record(k->ctx, &s.head, sizeof(s));
	return 1;
}

static int wait_refresh(struct source *s, struct record_sink *k, struct diag *d)
{
	struct merge *m = merge_of(s);
	uint64_t now = now_monotonic(), ms;
	struct pollfd p = {.events = POLLIN};

	if (!m->refresh)
		return 0;
	if (now >= m->due) {
		m->due = now + m->refresh->rate;
		return reread(m, k, d);
	}
	p.fd = m->refresh->wake_fd;
	ms = (m->due - now) / 1000000 + 1;
	poll(&p, 1, ms < WAIT_MS ? (int)ms : WAIT_MS);
	return 1;
}

/* Reads the files once more at the end of the run. */
static int stop(struct source *s, struct record_sink *k)
{
	struct merge *m = merge_of(s);
	struct diag d = {0};

	if (m->refresh)
		reread(m, k, &d);
	diag_release(&d);
	return 0;
}

static const void *percpu(struct source *s)
{
	return merge_of(s)->percpu;
}

static void *globals(struct source *s)
{
	return merge_of(s)->globals;
}

/* Returns the time of the latest snapshot. */
static uint64_t now(struct source *s)
{
	const struct merge *m = merge_of(s);
	uint64_t t = 0;

	for (uint32_t i = 0; i < m->n; i++)
		t = m->file[i]->id.time > t ? m->file[i]->id.time : t;
	return t;
}

static void loss(struct source *s, struct source_loss *out)
{
	(void)s;
	/* the files contain losses, which cmd/merge/files.c reports */
	*out = (struct source_loss){0};
}

static void release(struct source *s)
{
	xfree(merge_of(s)->globals);
	xfree(merge_of(s)->percpu);
	xfree(s);
}

static const struct source_ops merge_ops = {
	.name = "files",
	.start = start,
	.fire = fire,
	.go = go,
	.wait = wait_refresh,
	.stop = stop,
	.map_each = map_each,
	.percpu = percpu,
	.globals = globals,
	.now = now,
	.loss = loss,
	.free = release,
};

struct source *merge_source_new(struct arena *mem, struct aggfile *const *file, uint32_t n,
				const struct merge_refresh *refresh)
{
	struct merge *m = xcalloc(1, sizeof(*m));

	/*
	 * The source is not synchronous, because the values that map_each() passes are freed when
	 * map_each() returns. With -x follow, the source is not `recorded' either, because the run
	 * goes by this host's clock.
	 */
	m->base = (struct source){.ops = &merge_ops, .ncpu = 1, .recorded = !refresh};
	m->mem = mem;
	m->file = file;
	m->n = n;
	m->refresh = refresh;
	return &m->base;
}
