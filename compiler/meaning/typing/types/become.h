/*
 * become.h - expressions that become something else in place.
 */
#ifndef COMPILER_MEANING_TYPING_BECOME_H
#define COMPILER_MEANING_TYPING_BECOME_H

#include <stdint.h>

struct compiler;
struct expr;
struct type;

/* The integer constant @v of type @t. */
void become_int(struct expr *e, int64_t v, struct type *t);

/* A value whose type only a probe tells that does not exist here.  Returns 0. */
int become_unknown(struct expr *e);

/* @body, typed, converted to type @t as if it was stored in a variable of that type. */
void become_conversion(struct compiler *c, struct expr *e, struct expr *body, struct type *t);

/* Element @i of array @a, both typed. */
void become_element(struct compiler *c, struct expr *e, struct expr *a, struct expr *i);

/* What the text had in place of @e.  To be asked before @e becomes something else. */
const struct expr *written_as(struct compiler *c, const struct expr *e);

#endif
