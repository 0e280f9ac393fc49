/*
 * arrays.h - variables whose map is an array in the arena (MAP_ARRAY).
 */
#ifndef COMPILER_CODE_MEMORY_ARRAYS_H
#define COMPILER_CODE_MEMORY_ARRAYS_H

#include "ir/array.h"

struct fire;
struct layout;

/* Returns the description of the array that is kept in map @map of @l. */
struct array_ref array_of(const struct layout *l, int map);

/*
 * The functions of an array that are called directly (ir/array.h). irb_array_read() and
 * irb_array_write() need the first two.
 */
enum array_func { ARRAY_GET, ARRAY_SET, ARRAY_COPY, ARRAY_DROP };

/*
 * Returns the number in the unit of function @which for the array in map @map. Generates the
 * function first if the unit does not have it.
 */
int array_func(struct fire *g, enum array_func which, int map);

#endif
