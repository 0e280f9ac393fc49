/*
 * arrays.h - variables whose map is an array (MAP_ARRAY) in the arena, memory that programs and
 * dtrace share.
 */
#ifndef COMPILER_CODE_MEMORY_ARRAYS_H
#define COMPILER_CODE_MEMORY_ARRAYS_H

#include "ir/array.h"

struct fire;
struct layout;

/* Returns the description of the array that is kept in map @map of @l. */
struct array_ref array_of(const struct layout *l, int map);

/*
 * The functions of ir/array.h that the code of a clause calls. irb_array_read() needs ARRAY_GET,
 * and irb_array_write() needs ARRAY_SET.
 */
enum array_func { ARRAY_GET, ARRAY_SET, ARRAY_COPY, ARRAY_DROP };

/*
 * Returns the function @which for the array in map @map, as an index in the unit (the eBPF
 * program). Generates the function if the unit does not have it yet.
 */
int array_func(struct fire *g, enum array_func which, int map);

#endif
