/*
 * aggmaps.c - the maps of keyed aggregations. Each has one hash, or a table in the arena (memory
 * that programs and dtrace share) and a small hash.
 */
#include "compiler/code/aggmaps.h"

#include <stdbool.h>

#include "agg/agg.h"
#include "compiler/code/layout.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/options.h"
#include "ir/program.h"
#include "ir/table.h"

/*
 * Maximum number of keys in a hash whose elements the kernel allocates when it makes the hash,
 * which costs 0.4 us for each key. A larger hash allocates them one by one, and a look-up takes 12
 * ns more.
 */
#define PREALLOC_KEYS 8192
/* maximum size of such a hash in bytes, with the values of all CPUs */
#define PREALLOC_BYTES (2u << 20)
/*
 * Minimum number of keys for a table in the arena (memory that programs and dtrace share). An
 * aggregation with a smaller limit has a hash, because a hash keeps exactly to its limit.
 */
#define TABLE_MIN 4096
/* maximum number of keys in the small hash for keys that do not fit in a table */
#define OVERFLOW_KEYS 32768
/* bytes that the kernel needs for an element beside its key and value */
#define KEY_COST 88

static bool keyed(const struct agg_info *ai)
{
	return ai->nkey != 0;
}

/*
 * Returns how many keys of @ai fit in its share of memory, which is room->agg_bytes / @all. Each
 * key has a value on each CPU. Returns 0 if the number of keys is not limited.
 */
static uint64_t keys_of(const struct agg_info *ai, uint32_t value_size, const struct room *room,
			uint32_t all)
{
	uint64_t each = KEY_COST + ai->key_size + (uint64_t)value_size * room->ncpu, n;

	if (!room->agg_bytes)
		return room->agg_keys;
	n = room->agg_bytes / all / each;
	if (room->agg_keys && n > room->agg_keys)
		n = room->agg_keys;
	return n ? n : 1;
}

/*
 * Adds a table in the arena (memory that programs and dtrace share), and a small hash of the kernel
 * for keys that come while the table is full. The hash is small because the kernel allocates all
 * its buckets when it makes the hash.
 */
static void make_table(struct compiler *c, struct layout *l, struct agg_info *ai,
		       uint32_t value_size, uint32_t keys)
{
	uint32_t other = keys / 2 < OVERFLOW_KEYS ? keys / 2 : OVERFLOW_KEYS;

	ai->map = layout_hash(c, l, MAP_TABLE, "t_", ai->name, ai->key_size, value_size,
			      keys - other);
	ai->table = layout_table(c, l);
	ai->overflow = layout_hash(c, l, MAP_PERCPU_HASH, "m_", ai->name, ai->key_size, value_size,
				   other);
}

/* Adds the maps for @ai. @all is the number of all keyed aggregations. */
static void make_maps(struct compiler *c, struct layout *l, struct agg_info *ai,
		      const struct room *room, uint32_t all)
{
	uint32_t value_size = ai->kind.value_size;
	uint64_t keys = keys_of(ai, value_size, room, all);

	if (keys > INT32_MAX)
		keys = INT32_MAX;
	if (!c->opt->replay && ai->key_size <= TABLE_KEY_MAX && keys >= TABLE_MIN &&
	    c->opt->arena_maps && c->opt->arena_maps()) {
		make_table(c, l, ai, value_size, (uint32_t)keys);
		return;
	}
	ai->map = layout_hash(c, l, MAP_PERCPU_HASH, "a_", ai->name, ai->key_size, value_size,
			      (uint32_t)keys);
	if (c->opt->replay)
		l->map.v[ai->map].sparse = agg_fn_of(&ai->kind)->hist && value_size >= SPARSE_MIN;
	else
		l->map.v[ai->map].prealloc = keys <= PREALLOC_KEYS &&
					     keys * (ai->key_size + value_size * room->ncpu) <=
						     PREALLOC_BYTES;
}

void agg_maps(struct compiler *c, struct layout *l, const struct room *room)
{
	uint32_t all = 0;

	for (uint32_t i = 0; i < c->names->nagg; i++)
		all += keyed(&l->agg[i]);
	for (uint32_t i = 0; i < c->names->nagg; i++)
		if (keyed(&l->agg[i]))
			make_maps(c, l, &l->agg[i], room, all);
	for (uint32_t i = 0; i < c->names->nagg; i++)
		if (keyed(&l->agg[i]) && l->map.v[l->agg[i].map].value_size > l->zeros)
			l->zeros = l->map.v[l->agg[i].map].value_size;
}
