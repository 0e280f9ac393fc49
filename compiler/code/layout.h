/*
 * layout.h - lays out the maps of a program, and decides where variables and aggregations are kept.
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
	uint32_t ncpu;           /* number of CPUs that the machine may have */
	/* index in program.map of the MAP_WAKE; valid if there are tables */
	uint32_t wake;
	/* index of the newest map that has only scratch memory; 0 if there is none */
	int area_map;
	int socket_map; /* index of the map of sockets' storage; 0 if there is none */
	/*
	 * If there is a socket_map: index of the map with the table of sockets, and number of its
	 * slots, a power of two
	 */
	int socket_table;
	uint32_t socket_slots;
	int task_map;  /* index of the map of task storage; 0 if there is none */
	int chill_map; /* index of the map of chill(); 0 if there is none */

	/* Sizes of the MAP_GLOBAL and MAP_PERCPU values so far, in bytes. */
	uint32_t global_size, percpu_size;

	/* The following members that end in _off are offsets in the MAP_GLOBAL value. */
	uint32_t mem_off, mem_size; /* the program's global structs and arrays, side by side */
	/* states of speculations, 8 bytes each; the first state is unused */
	uint32_t spec_off;
	/* block of zeros, as large as the largest value of a variable or an aggregation */
	uint32_t zeros_off, zeros;
	uint32_t placed_off;   /* offset of the rows of struct late_arg; 0 if no code uses them */
	VEC(struct init) init; /* initial contents: constants that the program reads */
};

/* Limits for the numbers of keys. */
struct room {
	/* maximum numbers of keys of a variable and of an aggregation; 0 for no limit */
	uint32_t var_keys, agg_keys;
	/* maximum memory in bytes for the keys of all aggregations; 0 for no limit */
	uint64_t agg_bytes;
	/* number of CPUs; for each key of an aggregation, each CPU has its own value */
	uint32_t ncpu;
};

/*
 * Decides where all variables and aggregations are kept. The classes of strings (the forms that a
 * string may have) are final afterwards. Errors are recorded.
 */
void layout_make(struct compiler *c, struct layout *l, const struct room *room);

/*
 * Adds a hash named @prefix followed by @name, with @key_size and @value_size in bytes and at most
 * @max entries. Returns the hash's index in @l->map.
 */
int layout_hash(struct compiler *c, struct layout *l, enum map_kind kind, const char *prefix,
		const char *name, uint32_t key_size, uint32_t value_size, uint32_t max);

/*
 * Adds a table to the arena (memory that programs and dtrace share), and returns its
 * number there. The first call also adds the ring that wakes the engine's thread.
 */
uint32_t layout_table(struct compiler *c, struct layout *l);

#define UNIT_MAPS 64      /* maximum number of maps that the kernel lets a program use */
#define PERCPU_MAX 32768u /* maximum size of a per-CPU value in the kernel, in bytes */

/* Records the error that the MAP_PERCPU value is too large. Returns -1. */
int layout_percpu_full(struct compiler *c);

/*
 * Reserves @size bytes on each CPU: in the MAP_PERCPU value, or in another map if that value is
 * full. Sets *@map to the index of the map and *@off to the offset in its value.
 */
void layout_place_area(struct compiler *c, struct layout *l, uint32_t size, int *map,
		       uint32_t *off);

/*
 * Frees the last area that layout_place_area() placed in map @map. @size is the size of the area.
 */
void layout_forget_area(struct layout *l, int map, uint32_t size);

/*
 * Adds a map for state that firings pass from one part of a unit (eBPF program) to the next (see
 * units/carry.h). The map has room for @n firings of @size bytes each. Returns the index of the
 * map.
 */
int layout_carry(struct compiler *c, struct layout *l, uint32_t size, uint32_t n);

/* Sets the sizes of map values that are only known after all units are generated. */
void layout_finish(struct layout *l);

#endif
