/*
 * arrays.c - the functions of a unit that read and change arrays in the arena (ir/array.h).
 *
 * The kernel verifies each of them once, except in units that disable interrupts.
 */
#include "compiler/code/memory/arrays.h"

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
				  .slots = array_slots(m->max_entries),
				  .wake = l->wake,
				  .ncpu = l->ncpu};
}

/* Other functions of an array, after those of enum array_func. */
enum { ARRAY_SEARCH = ARRAY_SET + 1, ARRAY_PLACE, ARRAY_TAKE, ARRAY_RELEASE, ARRAY_REPLACE };

/*
 * The variant of such a function is made of the map of an array and the number of words of its
 * keys.
 */
#define ARRAY_WITH(map, words) ((uint32_t)(map) << 8 | (words))

static int func_of(struct arena *a, struct routines *all, int which, uint32_t with);

static void make_search(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_search(b, &t);
}

static void make_get(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_get(b, &t, func_of(b->arena, all, ARRAY_SEARCH, with));
}

static void make_place(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_place(b, &t);
}

static void make_take(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_take(b, &t);
}

static void make_release(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_release(b, &t);
}

static void make_replace(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));

	irb_array_replace(b, &t);
}

static void make_set(struct irb *b, struct routines *all, uint32_t with)
{
	struct array_ref t = array_of(all->layout, (int)(with >> 8));
	int search = func_of(b->arena, all, ARRAY_SEARCH, with);
	int place = func_of(b->arena, all, ARRAY_PLACE, with);
	int take = func_of(b->arena, all, ARRAY_TAKE, with);
	int release = func_of(b->arena, all, ARRAY_RELEASE, with);
	int replace = func_of(b->arena, all, ARRAY_REPLACE, with);

	irb_array_set(b, &t, search, place, take, release, replace);
}

/*
 * Describes the parameters of an array function, as struct routine.params does. The first of the @n
 * parameters is the number of the array, and the second one is a key if @key is set. All others are
 * numbers. Returns @n.
 */
static uint32_t array_params(uint32_t with, uint32_t size[FUNC_PARAMS], bool key, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		size[i] = 0;
	if (key)
		size[1] = 8 * (with & 0xff);
	return n;
}

static uint32_t search_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, true, 4);
}

static uint32_t get_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, true, 2);
}

static uint32_t place_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, false, 3);
}

static uint32_t take_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, false, 1);
}

static uint32_t release_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, false, 2);
}

static uint32_t replace_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, true, 4);
}

static uint32_t set_params(uint32_t with, uint32_t size[FUNC_PARAMS])
{
	return array_params(with, size, true, 3);
}

static const struct routine array_routine[] = {
	[ARRAY_SEARCH] = {"array search", make_search, search_params},
	[ARRAY_GET] = {"array get", make_get, get_params},
	[ARRAY_PLACE] = {"array place", make_place, place_params},
	[ARRAY_TAKE] = {"array take", make_take, take_params},
	[ARRAY_RELEASE] = {"array release", make_release, release_params},
	[ARRAY_REPLACE] = {"array replace", make_replace, replace_params},
	[ARRAY_SET] = {"array set", make_set, set_params},
};

static int func_of(struct arena *a, struct routines *all, int which, uint32_t with)
{
	return routine_func(a, all, &array_routine[which], with);
}

int array_func(struct fire *g, enum array_func which, int map)
{
	uint32_t size = g->layout->map.v[map].key_size, first = 0;

	/*
	 * All arrays with keys of this size share the functions that are made for the first of
	 * these arrays.
	 */
	while (g->layout->map.v[first].kind != MAP_ARRAY ||
	       g->layout->map.v[first].key_size != size)
		first++;
	return func_of(g->b->arena, g->u->routines, which, ARRAY_WITH(first, size / 8));
}
