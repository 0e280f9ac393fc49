/*
 * become.h - replaces expressions in place.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_BECOME_H
#define COMPILER_MEANING_TYPING_TYPES_BECOME_H

#include <stdint.h>

struct compiler;
struct expr;
struct type;

/* Replaces @e by the integer constant @v of type @t. */
void become_int(struct expr *e, int64_t v, struct type *t);

/*
 * Replaces @e by a value of unknown type, because the type depends on a probe that does not exist
 * here. Returns 0.
 */
int become_unknown(struct expr *e);

/*
 * Replaces @e by the type-checked expression @body, converted to type @t as if it were stored in a
 * variable of that type.
 */
void become_conversion(struct compiler *c, struct expr *e, struct expr *body, struct type *t);

/* Replaces @e by element @i of array @a. Both are type-checked already. */
void become_element(struct compiler *c, struct expr *e, struct expr *a, struct expr *i);

/* Returns a copy of @e as it was written. Must be called before @e is replaced. */
const struct expr *written_as(struct compiler *c, const struct expr *e);

#endif
