/*
 * vec.h - growing arrays.
 *
 * 	VEC(struct token) toks = {0};
 * 	vec_push(&toks, t);              on the heap; call vec_free() when done
 * 	vec_apush(arena, &toks, t);      in an arena; there is nothing to free
 *
 * Use either vec_push() or vec_apush() on an array, never both.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/arena.h"
#include "base/xalloc.h"

#define VEC(T) \
	struct { \
		T *v; \
		size_t n, cap; \
	}

#define vec_push(vec, x) \
	do { \
		if ((vec)->n == (vec)->cap) \
			(vec)->v = vec_grow((vec)->v, &(vec)->cap, sizeof(*(vec)->v)); \
		(vec)->v[(vec)->n++] = (x); \
	} while (0)

#define vec_apush(a, vec, x) \
	do { \
		if ((vec)->n == (vec)->cap) \
			(vec)->v = vec_agrow((a), (vec)->v, &(vec)->cap, sizeof(*(vec)->v)); \
		(vec)->v[(vec)->n++] = (x); \
	} while (0)

#define vec_free(vec) \
	do { \
		xfree((vec)->v); \
		(vec)->v = NULL; \
		(vec)->n = (vec)->cap = 0; \
	} while (0)

/*
 * Double the capacity of the array @v (an empty array gets room for 8 elements) and return the
 * array, which may have moved. Only the macros above call these functions.
 */
void *vec_grow(void *v, size_t *cap, size_t elem);
void *vec_agrow(struct arena *a, void *v, size_t *cap, size_t elem);

#endif
