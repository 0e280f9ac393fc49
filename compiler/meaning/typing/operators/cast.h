/*
 * cast.h - type-checks casts, sizeof, offsetof and stringof.
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_CAST_H
#define COMPILER_MEANING_TYPING_OPERATORS_CAST_H

struct compiler;
struct expr;

/*
 * Each function type-checks @e, an expression of the kind in the function's name. Returns 0, or -1
 * with the error recorded.
 */
int sema_cast(struct compiler *c, struct expr *e);
int sema_sizeof(struct compiler *c, struct expr *e);
int sema_offsetof(struct compiler *c, struct expr *e);
int sema_stringof(struct compiler *c, struct expr *e);

#endif
