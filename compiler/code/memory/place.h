/*
 * place.h - where a scalar is kept, and how it is read and written there.
 */
#ifndef COMPILER_CODE_MEMORY_PLACE_H
#define COMPILER_CODE_MEMORY_PLACE_H

#include <stdbool.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/vars.h"

struct expr;
struct fire;
struct type;
struct var;

/* The place of an lvalue; place.c describes IN_REG, IN_MEM and IN_MAP. */
struct place {
	enum { IN_REG, IN_MEM, IN_MAP } where;
	struct type *type; /* without typedefs */
	/* for IN_REG and IN_MAP: the variable */
	const struct var *var;
	const struct expr *expr; /* for IN_MAP: the expression with the key */
	struct mem at;           /* for IN_MEM: the memory */
	struct element element;  /* for IN_MEM: the element of a hash that has the memory */
	/* for a bit-field: its first bit in @at, and its width; else @bits is 0 */
	unsigned bit, bits;
	unsigned bytes; /* for a bit-field: number of bytes at @at to access, 1 to 9 */
};

/*
 * Returns the place of @e, an lvalue, array or struct. If @write, the caller will write to the
 * place, so memory that is neither a variable nor allocated by the clause is a fault. After writing
 * to the memory other than by place_store(), the caller calls var_put() for the element.
 */
struct place place_of(struct fire *g, const struct expr *e, bool write);

/* Returns a register with the scalar at @p, widened to 64 bits by its type. */
int place_load(struct fire *g, const struct place *p);

/*
 * Returns a register with the value that place_load() would return after @v was stored at @p: @v
 * truncated to the type or bit-field.
 */
int place_cut(struct fire *g, const struct place *p, int v);

/* Stores @v, a result of place_cut(), at @p. */
void place_store(struct fire *g, const struct place *p, int v);

#endif
