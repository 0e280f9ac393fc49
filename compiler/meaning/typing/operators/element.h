/*
 * element.h - elements of arrays.
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_ELEMENT_H
#define COMPILER_MEANING_TYPING_OPERATORS_ELEMENT_H

#include <stdbool.h>

struct compiler;
struct expr;

/*
 * If pointer @p comes from an array's name, as in g + 2 or &g[1], replaces @e by an element of that
 * array, so that the bounds are known. Returns whether it did so. @e is p[n], or *p with @n NULL.
 * @p and @n are type-checked already.
 */
bool element_see(struct compiler *c, struct expr *e, struct expr *p, struct expr *n);

/*
 * Checks that the index of @e, an E_INDEX, is within the array if the index is constant. Accepts
 * any index of an array of one element at the end of a struct, which stands for more elements in C.
 * A computed index may be a fault at run time. Returns 0, or -1 with the error recorded.
 */
int element_bounds(struct compiler *c, const struct expr *e);

#endif
