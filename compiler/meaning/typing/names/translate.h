/*
 * translate.h - type-checks members, and finds translators.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_TRANSLATE_H
#define COMPILER_MEANING_TYPING_NAMES_TRANSLATE_H

#include "base/diag.h"

struct compiler;
struct expr;
struct translator;
struct type;

/*
 * Each function type-checks @e, an expression of the kind in the function's name. Returns 0, or -1
 * with the error recorded.
 */
int sema_member(struct compiler *c, struct expr *e);
int sema_xlate(struct compiler *c, struct expr *e);

/* Returns the translator from @in to @out that was declared last, or NULL. */
struct translator *xl_find(struct compiler *c, struct type *out, struct type *in);

/* Returns the type that the user sees of translated expression @e: a pointer or a struct. */
struct type *xlated_as(const struct expr *e);

/* Returns the struct whose members translated expression @e has. */
struct type *xlated_out(const struct expr *e);

/* Returns the input of the translator in expression @e, with its type. */
struct expr *xlated_value(struct compiler *c, const struct expr *e);

/* Records at @loc that @body, the definition of member @name, does not have type @t. Returns -1. */
int member_incompatible(struct compiler *c, const char *name, struct type *t,
			const struct expr *body, struct loc loc);

#endif
