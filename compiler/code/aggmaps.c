/*
 * aggmaps.c - the maps of keyed aggregations.
 *
 * In replay, each aggregation has one map. In a live run, each has one to three maps of its own,
 * unless the program would then need more than UNIT_MAPS maps. In that case, aggregations with keys
 * of one size and values of one size share maps. As few aggregations as possible share them,
 * because a reader of one aggregation looks at all keys of its maps.
 *
 * The generation, a number at the start of a key, tells which aggregation the key belongs to. If
 * four aggregations share a map, their numbers (lanes) are 0 to 3, and lane 1 has the generations
 * 1, 5, 9 and so on. So the generated code does not depend on the sharing.
 */
#include "compiler/code/aggmaps.h"

#include <stdbool.h>

#include "agg/agg.h"
#include "base/minmax.h"
#include "compiler/code/layout.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/options.h"
#include "ir/program.h"
#include "ir/table.h"

/*
 * The first keys of an aggregation are in a preallocated hash. A look-up there takes 12 ns less
 * than in a hash that allocates its elements one by one. A new key works even where the kernel
 * cannot allocate memory (in the scheduler). Creating the hash costs 0.4 us for each key, so
 * further keys go to a second hash.
 */
#define FAST_KEYS 8192
/* maximum size of the preallocated hash in bytes, with the values of all CPUs */
#define FAST_BYTES (2u << 20)
/*
 * Minimum number of keys for a table in the arena (memory that programs and dtrace share). An
 * aggregation with a smaller limit has a hash, because a hash keeps exactly to its limit.
 */
#define TABLE_MIN 4096
/* maximum number of keys in the small hash for keys that do not fit in a table */
#define OVERFLOW_KEYS 32768
/* bytes that the kernel needs for an element beside its key and value */
#define KEY_COST 88

/* Aggregations that can share maps: all their keys have one size, and all their values too. */
struct kin {
	uint32_t key_size, value_size;
	uint32_t n;     /* number of aggregations */
	uint32_t pairs; /* number of pairs of maps that these aggregations share */
	uint32_t given; /* number of aggregations that have their maps already */
	/*
	 * number of lanes of a pair: a power of two, and at least the number of aggregations in the
	 * pair
	 */
	uint32_t lanes;
	const struct agg_info **first; /* first aggregation of each pair */
};

struct sharing {
	VEC(struct kin) kin;
	struct arena *arena;
	uint32_t keyed;
	/* sizes are rounded up to powers of two, so that more aggregations have equal sizes */
	bool rounded;
};

static bool keyed(const struct agg_info *ai)
{
	return ai->nkey != 0;
}

/*
 * Maximum number of maps that are not for aggregations or variables: the first three maps of every
 * program, MAP_WAKE, and one each for chill(), for scratch memory, and for state that is passed
 * between the parts of a unit.
 */
#define OTHER_MAPS 7

/* Returns how many maps are left for aggregations. */
static uint32_t maps_left(const struct compiler *c)
{
	uint32_t n = OTHER_MAPS;

	for (const struct var *v = c->names->vars; v; v = v->next)
		n += layout_has_map(v);
	return n + 2 < UNIT_MAPS ? UNIT_MAPS - n : 2;
}

/*
 * The kernel hashes and compares whole keys. For a key with room for a stack of 20 frames, this
 * takes 80 ns even if the stack is empty. So keys whose stacks are all short are kept in another
 * map, without the unused frames. An aggregation has this map if a short key is at least
 * SHORT_SAVES bytes shorter, and if the program can have SHORT_MAPS maps for each aggregation.
 */
#define SHORT_SAVES 64
#define SHORT_MAPS 3

/*
 * Returns where a short stack in field @f ends, as an offset in the key. Returns 0 if the field is
 * no stack, or if all stacks of this field are short.
 */
static uint32_t short_end(const struct field *f)
{
	uint32_t head = f->kind == FIELD_STACK ? sizeof(struct stack_slot)
					       : sizeof(struct ustack_slot);
	uint32_t size = head + 8 * STACK_SHORT;

	return (f->kind == FIELD_STACK || f->kind == FIELD_USTACK) && f->size > size ? f->off + size
										     : 0;
}

static void add_piece(struct agg_info *ai, uint32_t off, uint32_t end)
{
	if (off == end)
		return;
	ai->piece[ai->npiece++] = (struct key_piece){.off = off,
						     .size = end - off,
						     .at = ai->short_size};
	ai->short_size += end - off;
}

/*
 * Computes the pieces of a key of @ai that make up its short key: all bytes except the frames after
 * the first STACK_SHORT of each stack. Returns false if short keys would not save enough, or cannot
 * be made in place.
 */
static bool cut_key(struct compiler *c, struct agg_info *ai)
{
	uint32_t from = 0;

	ai->piece = arena_newn(c->arena, struct key_piece, ai->nkey + 1);
	for (uint32_t i = 0; i < ai->nkey; i++) {
		uint32_t end = short_end(&ai->key[i]);

		if (!end)
			continue;
		add_piece(ai, from, end);
		from = ai->key[i].off + ai->key[i].size;
	}
	add_piece(ai, from, ai->key_size);
	/*
	 * The short key is made in place: the bytes after the first short stack move into that
	 * stack's unused frames.
	 */
	return ai->short_size + SHORT_SAVES <= ai->key_size &&
	       (ai->npiece == 1 || ai->short_size <= ai->piece[1].off);
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

static uint32_t fast_keys(uint32_t key_size, uint32_t value_size, const struct room *room)
{
	uint32_t n = FAST_BYTES / (key_size + value_size * room->ncpu) + 1;

	return n > FAST_KEYS ? FAST_KEYS : n;
}

/*
 * Adds the map for the short keys of @ai. Returns the number of its entries, which are all
 * preallocated: half of the keys that fit in FAST_KEYS and FAST_BYTES.
 */
static uint32_t make_short(struct compiler *c, struct layout *l, struct agg_info *ai,
			   const struct room *room)
{
	uint32_t n = fast_keys(ai->short_size, ai->kind.value_size, room) / 2 + 1;

	ai->short_map = layout_hash(c, l, MAP_PERCPU_HASH, "b_", ai->name, ai->short_size,
				    ai->kind.value_size, n);
	l->map.v[ai->short_map].prealloc = true;
	return n;
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

/*
 * Adds the maps for @n aggregations that share them; @ai is the first. @all is the number of all
 * keyed aggregations.
 */
static void make_maps(struct compiler *c, struct layout *l, struct agg_info *ai,
		      uint32_t value_size, uint64_t n, const struct room *room, uint32_t all)
{
	uint64_t keys = n * keys_of(ai, value_size, room, all);
	uint32_t fast = fast_keys(ai->key_size, value_size, room);

	if (keys > INT32_MAX)
		keys = INT32_MAX;
	if (c->opt->replay) {
		ai->map = layout_hash(c, l, MAP_PERCPU_HASH, "a_", ai->name, ai->key_size,
				      value_size, (uint32_t)keys);
		l->map.v[ai->map].sparse = agg_fn_of(&ai->kind)->hist && value_size >= SPARSE_MIN;
		return;
	}
	if (ai->key_size <= TABLE_KEY_MAX && keys >= TABLE_MIN && c->opt->arena_maps &&
	    c->opt->arena_maps()) {
		make_table(c, l, ai, value_size, (uint32_t)keys);
		return;
	}
	if (all * SHORT_MAPS <= maps_left(c) && keys > 2 * FAST_KEYS && cut_key(c, ai)) {
		keys -= make_short(c, l, ai, room);
		fast = fast / 2 + 1;
	}
	ai->map = layout_hash(c, l, MAP_PERCPU_HASH, "a_", ai->name, ai->key_size, value_size,
			      keys < fast ? (uint32_t)keys : fast);
	l->map.v[ai->map].prealloc = true;
	if (keys > fast)
		ai->overflow = layout_hash(c, l, MAP_PERCPU_HASH, "m_", ai->name, ai->key_size,
					   value_size, (uint32_t)keys - fast);
}

/* ------------------------------------------------------------------ sharing */

static struct kin *kin_of(struct sharing *s, const struct agg_info *ai)
{
	uint32_t key = s->rounded ? (uint32_t)power_of_two(ai->key_size) : ai->key_size;
	uint32_t value = s->rounded ? (uint32_t)power_of_two(ai->kind.value_size)
				    : ai->kind.value_size;

	for (size_t i = 0; i < s->kin.n; i++)
		if (s->kin.v[i].key_size == key && s->kin.v[i].value_size == value)
			return &s->kin.v[i];
	vec_apush(s->arena, &s->kin, ((struct kin){.key_size = key, .value_size = value}));
	return &s->kin.v[s->kin.n - 1];
}

static void find_kins(struct compiler *c, struct layout *l, struct sharing *s)
{
	s->kin.n = 0;
	for (uint32_t i = 0; i < c->names->nagg; i++)
		if (keyed(&l->agg[i]))
			kin_of(s, &l->agg[i])->n++;
}

/* Gives each struct kin one pair of maps. Divides the other pairs in proportion to kin.n - 1. */
static void deal_pairs(struct sharing *s, uint32_t pairs)
{
	uint32_t left = pairs > s->kin.n ? pairs - (uint32_t)s->kin.n : 0;

	for (size_t i = 0; i < s->kin.n; i++) {
		struct kin *k = &s->kin.v[i];

		k->pairs = 1 + (uint32_t)((uint64_t)(k->n - 1) * left / s->keyed);
		k->lanes = (uint32_t)power_of_two((k->n + k->pairs - 1) / k->pairs);
		k->first = arena_newn(s->arena, const struct agg_info *, k->pairs);
	}
}

static void join_pair(struct compiler *c, struct layout *l, struct kin *k, struct agg_info *ai,
		      const struct room *room, uint32_t all)
{
	uint32_t pair = k->given % k->pairs;
	const struct agg_info **first = &k->first[pair];

	ai->lane = k->given++ / k->pairs;
	ai->lanes = k->lanes;
	ai->key_size = k->key_size;
	if (*first) {
		ai->map = (*first)->map;
		ai->table = (*first)->table;
		ai->overflow = (*first)->overflow;
		return;
	}
	make_maps(c, l, ai, k->value_size, (k->n - pair + k->pairs - 1) / k->pairs, room, all);
	*first = ai;
}

static void share(struct compiler *c, struct layout *l, const struct room *room, uint32_t all,
		  uint32_t pairs)
{
	struct sharing s = {.arena = c->arena, .keyed = all};

	find_kins(c, l, &s);
	if (s.kin.n > pairs) {
		s.rounded = true;
		find_kins(c, l, &s);
	}
	deal_pairs(&s, pairs);
	for (uint32_t i = 0; i < c->names->nagg; i++)
		if (keyed(&l->agg[i]))
			join_pair(c, l, kin_of(&s, &l->agg[i]), &l->agg[i], room, all);
}

/* -------------------------------------------------------------------- maps */

void agg_maps(struct compiler *c, struct layout *l, const struct room *room)
{
	uint32_t all = 0, pairs = maps_left(c) / 2;

	for (uint32_t i = 0; i < c->names->nagg; i++)
		all += keyed(&l->agg[i]);
	if (!c->opt->replay && all > pairs) {
		share(c, l, room, all, pairs);
	} else {
		for (uint32_t i = 0; i < c->names->nagg; i++)
			if (keyed(&l->agg[i]))
				make_maps(c, l, &l->agg[i], l->agg[i].kind.value_size, 1, room,
					  all);
	}
	for (uint32_t i = 0; i < c->names->nagg; i++)
		if (keyed(&l->agg[i]) && l->map.v[l->agg[i].map].value_size > l->zeros)
			l->zeros = l->map.v[l->agg[i].map].value_size;
}

const struct init *agg_first_generations(struct compiler *c, const struct layout *l)
{
	uint32_t *gen = arena_newn(c->arena, uint32_t, c->names->nagg);
	struct init *in = arena_new(c->arena, struct init);
	bool any = false;

	for (uint32_t i = 0; i < c->names->nagg; i++) {
		gen[i] = l->agg[i].lane;
		any |= gen[i] != 0;
	}
	*in = (struct init){.off = GLOBAL_GEN_OFF, .size = 4 * c->names->nagg, .data = gen};
	return any ? in : NULL;
}
