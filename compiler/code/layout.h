/*
 * layout.h - where everything is kept at run time.
 */
#ifndef COMPILER_LAYOUT_H
#define COMPILER_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/program.h"

struct agg_info;
struct compiler;
struct var;

struct layout {
	VEC(struct map_def) map; /* program.map */
	struct agg_info *agg;    /* program.agg */
	uint32_t tables;         /* MAP_TABLEs so far */
	int area_map;            /* the newest map for scratch alone; 0: none yet */
	int task_map;            /* the map of variables that are kept with the thread; 0: none */
	int chill_map;           /* the map of chill(); 0: none */

	/* Bytes of the MAP_GLOBAL value so far, and of the MAP_PERCPU value. */
	uint32_t global_size, percpu_size;

	/* Offsets in the MAP_GLOBAL value. */
	uint32_t mem_off, mem_size; /* the program's structs and arrays, side by side */
	uint32_t spec_off;          /* states of speculations, 8 bytes each; number 0 is unused */
	uint32_t zeros_off, zeros;  /* zeros, as many as the largest variable has bytes */
	uint32_t placed_off;        /* rows of struct late_arg; 0: none so far */
	VEC(struct init) init;      /* constants that the program reads there */
};

/* The limits for keys and entries. */
struct room {
	uint32_t var_keys, agg_keys; /* of one variable, of one aggregation; 0: no bound */
	uint64_t agg_bytes;          /* memory of all aggregations' keys together; 0: no bound */
	uint32_t ncpu;               /* values that a key of an aggregation has */
};

/* Places variables and aggregations; string classes are final afterwards. */
void layout_make(struct compiler *c, struct layout *l, const struct room *room);

/* A hash called @prefix and @name. */
int layout_hash(struct compiler *c, struct layout *l, enum map_kind kind, const char *prefix,
		const char *name, uint32_t key_size, uint32_t value_size, uint32_t max);

/* Is @v kept in a map of its own? */
bool layout_has_map(const struct var *v);

#define UNIT_MAPS 64      /* as many maps as the kernel lets a program use */
#define PERCPU_MAX 32768u /* bytes of a value that the kernel keeps for each CPU */

/* The MAP_PERCPU value is longer than the kernel allows: -1, with the error. */
int layout_percpu_full(struct compiler *c);

/*
 * Room for @size bytes on each CPU: in the MAP_PERCPU value, or in a map beside it when that is
 * full.
 */
void layout_place_area(struct compiler *c, struct layout *l, uint32_t size, int *map,
		       uint32_t *off);

/* The last area placed, in @map, is not wanted after all. */
void layout_forget_area(struct layout *l, int map, uint32_t size);

/*
 * A map of what firings take along between the parts of a unit (carry.h): @n values of @size bytes.
 */
int layout_carry(struct compiler *c, struct layout *l, uint32_t size, uint32_t n);

/* Called when all units are generated. */
void layout_finish(struct layout *l);

#endif
