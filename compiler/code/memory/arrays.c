/*
 * arrays.c - eBPF functions that read and change arrays in the arena (ir/array.h). The arena is
 * memory that eBPF programs and dtrace share. The kernel verifies each function once.
 */
#include "compiler/code/memory/arrays.h"

#include "base/arena.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/layout.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/table.h"

struct array_ref array_of(const struct layout *l, int map)
{
	const struct map_def *m = &l->map.v[map];

	return (struct array_ref){.map = (uint32_t)map,
				  .number = m->table,
				  .key_size = m->key_size,
				  .memory = m->memory,
				  .slots = array_slots(m->max_entries),
				  .wake = l->wake,
				  .ncpu = l->ncpu};
}

/*
 * More functions of an array, numbered after enum array_func. Only functions of the array call
 * them.
 */
enum {
	ARRAY_SCAN = ARRAY_DROP + 1,
	ARRAY_PLACE,
	ARRAY_TAKE,
	ARRAY_RELEASE,
	ARRAY_REPLACE,
	ARRAY_FILL
};

/*
 * Packs the variant of a function (struct routine). @map is the map of the array, and @words is the
 * number of 8-byte words of a key. @memory is the size of a value that is a string or struct, in
 * 4-byte words, or 0 if the values are numbers.
 */
#define ARRAY_WITH(map, memory, words) ((uint32_t)(map) << 16 | (memory) << 8 | (words))

static const struct array_ref *variant(const struct irb *b, const struct routines *all,
				       uint32_t with)
{
	struct array_ref *t = arena_new(b->arena, struct array_ref);

	*t = array_of(all->layout, (int)(with >> 16));
	return t;
}

static int func_of(struct arena *a, struct routines *all, int which, uint32_t with);

/*
 * Returns function @which for the array of variant @with, to be called by the function that @b
 * builds.
 */
static int callee(const struct irb *b, struct routines *all, int which, uint32_t with)
{
	return func_of(b->arena, all, which, with);
}

static void make_scan(struct irb *b, struct routines *all, uint32_t with)
{
	irb_array_scan(b, variant(b, all, with));
}

static void make_get(struct irb *b, struct routines *all, uint32_t with)
{
	int scan = callee(b, all, ARRAY_SCAN, with);

	irb_array_get(b, variant(b, all, with), scan);
}

static void make_place(struct irb *b, struct routines *all, uint32_t with)
{
	irb_array_place(b, variant(b, all, with));
}

static void make_take(struct irb *b, struct routines *all, uint32_t with)
{
	irb_array_take(b, variant(b, all, with));
}

static void make_release(struct irb *b, struct routines *all, uint32_t with)
{
	irb_array_release(b, variant(b, all, with));
}

static void make_fill(struct irb *b, struct routines *all, uint32_t with)
{
	irb_array_fill(b, variant(b, all, with));
}

/* Returns the function that writes entries, or 0 if the values are numbers. */
static int fill_func(const struct irb *b, struct routines *all, uint32_t with)
{
	return variant(b, all, with)->memory ? callee(b, all, ARRAY_FILL, with) : 0;
}

static void make_replace(struct irb *b, struct routines *all, uint32_t with)
{
	int fill = fill_func(b, all, with);

	irb_array_replace(b, variant(b, all, with), fill);
}

static void make_set(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_callees f = {
		.scan = callee(b, all, ARRAY_SCAN, with),
		.place = callee(b, all, ARRAY_PLACE, with),
		.take = callee(b, all, ARRAY_TAKE, with),
		.release = callee(b, all, ARRAY_RELEASE, with),
		.replace = callee(b, all, ARRAY_REPLACE, with),
		.fill = fill_func(b, all, with),
	};

	irb_array_set(b, variant(b, all, with), &f);
}

static void make_copy(struct irb *b, struct routines *all, uint32_t with)
{
	int scan = callee(b, all, ARRAY_SCAN, with);

	irb_array_copy(b, variant(b, all, with), scan);
}

static void make_drop(struct irb *b, struct routines *all, uint32_t with)
{
	int scan = callee(b, all, ARRAY_SCAN, with), release = callee(b, all, ARRAY_RELEASE, with);

	irb_array_drop(b, variant(b, all, with), scan, release);
}

/*
 * Implements routine.params for a function with @n parameters. @key and @value are the indexes of
 * the parameters that point to a key and to a value, or 0 if there is no such parameter. Parameter
 * 0 is the number of the array. Returns @n.
 */
static uint32_t array_params(uint32_t with, uint32_t size[FUNC_PARAMS], uint32_t key,
			     uint32_t value, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		size[i] = 0;
	if (key)
		size[key] = 8 * (with & 0xff);
	if (value)
		size[value] = 4 * (with >> 8 & 0xff);
	return n;
}

#define PARAMS(name, key, value, n) \
	static uint32_t name(uint32_t with, uint32_t size[FUNC_PARAMS]) \
	{ \
		return array_params(with, size, key, value, n); \
	}
PARAMS(scan_params, 1, 0, 4)
PARAMS(key_params, 1, 0, 2)
PARAMS(place_params, 0, 0, 3)
PARAMS(take_params, 0, 0, 1)
PARAMS(release_params, 0, 0, 2)
PARAMS(replace_params, 1, 2, 4)
PARAMS(value_params, 1, 2, 3)
PARAMS(fill_params, 2, 3, 4)

static const struct routine array_routine[] = {
	[ARRAY_SCAN] = {"array scan", make_scan, scan_params},
	[ARRAY_GET] = {"array get", make_get, key_params},
	[ARRAY_PLACE] = {"array place", make_place, place_params},
	[ARRAY_TAKE] = {"array take", make_take, take_params},
	[ARRAY_RELEASE] = {"array release", make_release, release_params},
	[ARRAY_REPLACE] = {"array replace", make_replace, replace_params},
	[ARRAY_SET] = {"array set", make_set, value_params},
	[ARRAY_FILL] = {"array fill", make_fill, fill_params},
	[ARRAY_COPY] = {"array copy", make_copy, value_params},
	[ARRAY_DROP] = {"array drop", make_drop, key_params},
};

static int func_of(struct arena *a, struct routines *all, int which, uint32_t with)
{
	return routine_func(a, all, &array_routine[which], with);
}

/* Returns whether @m is an array that can use the functions of array @like. */
static bool shares_functions(const struct map_def *m, const struct map_def *like)
{
	return m->kind == MAP_ARRAY && m->key_size == like->key_size && m->memory == like->memory;
}

int array_func(struct fire *g, enum array_func which, int map)
{
	const struct map_def *all = g->layout->map.v, *m = &all[map];
	uint32_t first = 0;

	/*
	 * The functions are made for the first array with these sizes. The other arrays share them.
	 */
	while (!shares_functions(&all[first], m))
		first++;
	return func_of(g->b->arena, g->u->routines, which,
		       ARRAY_WITH(first, m->memory / 4, m->key_size / 8));
}
