/*
 * layout.h - maps, and the places of variables and aggregations.
 */
#ifndef COMPILER_CODE_LAYOUT_H
#define COMPILER_CODE_LAYOUT_H

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
	uint32_t tables;         /* number of MAP_TABLEs so far */
	uint32_t wake;           /* index in program.map of the MAP_WAKE, if there are tables */
	int area_map;            /* the newest map for scratch memory only; 0: none yet */
	int task_map;            /* the map of task storage; 0: none */
	int chill_map;           /* the map of chill(); 0: none */

	/* Sizes of the MAP_GLOBAL and MAP_PERCPU values so far, in bytes. */
	uint32_t global_size, percpu_size;

	/* Offsets in the MAP_GLOBAL value. */
	uint32_t mem_off, mem_size; /* the program's structs and arrays, side by side */
	uint32_t spec_off;          /* states of speculations, 8 bytes each; number 0 is unused */
	uint32_t zeros_off, zeros;  /* block of zeros, as large as the largest variable */
	uint32_t placed_off;        /* rows of struct late_arg; 0: none so far */
	VEC(struct init) init;      /* constants that the program reads there */
};

/* Limits for keys and entries. */
struct room {
	uint32_t var_keys, agg_keys; /* keys of a variable, of an aggregation; 0: unlimited */
	uint64_t agg_bytes;          /* memory for the keys of all aggregations; 0: unlimited */
	uint32_t ncpu;               /* number of values for each key of an aggregation */
};

/*
 * Places all variables and aggregations. String classes are final afterwards. Errors are recorded.
 */
void layout_make(struct compiler *c, struct layout *l, const struct room *room);

/*
 * Adds a hash called @prefix + @name, with sizes in bytes and at most @max entries. Returns its
 * index in @l->map.
 */
int layout_hash(struct compiler *c, struct layout *l, enum map_kind kind, const char *prefix,
		const char *name, uint32_t key_size, uint32_t value_size, uint32_t max);

/* Returns whether @v has a map of its own. */
bool layout_has_map(const struct var *v);

#define UNIT_MAPS 64      /* maximum number of maps that the kernel lets a program use */
#define PERCPU_MAX 32768u /* maximum size of a per-CPU value in the kernel, in bytes */

/* Records the error that the MAP_PERCPU value is too large. Returns -1. */
int layout_percpu_full(struct compiler *c);

/*
 * Reserves @size bytes on each CPU: in the MAP_PERCPU value, or in another map if that value is
 * full. Sets @map and @off to the place.
 */
void layout_place_area(struct compiler *c, struct layout *l, uint32_t size, int *map,
		       uint32_t *off);

/* Frees the area that was placed last, in @map. */
void layout_forget_area(struct layout *l, int map, uint32_t size);

/*
 * Adds a map for the state of firings between parts of a unit (carry.h): @n values of @size bytes.
 * Returns its index.
 */
int layout_carry(struct compiler *c, struct layout *l, uint32_t size, uint32_t n);

/* Sets sizes that are only known when all units are generated. */
void layout_finish(struct layout *l);

#endif
