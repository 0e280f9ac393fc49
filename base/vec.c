/*
 * vec.c - grows arrays.
 */
#include "base/vec.h"

#include <string.h>

#include "base/xalloc.h"

void *vec_grow(void *v, size_t *cap, size_t elem)
{
	*cap = *cap ? *cap * 2 : 8;
	return xrealloc(v, *cap * elem);
}

void *vec_agrow(struct arena *a, void *v, size_t *cap, size_t elem)
{
	size_t old = *cap * elem;
	void *p;

	*cap = *cap ? *cap * 2 : 8;
	if (old && arena_extend(a, v, old, *cap * elem))
		return v;
	p = arena_alloc(a, *cap * elem);
	if (old)
		memcpy(p, v, old);
	return p;
}
