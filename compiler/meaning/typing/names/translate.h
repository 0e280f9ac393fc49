/*
 * translate.h - typing of members, and translators.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_TRANSLATE_H
#define COMPILER_MEANING_TYPING_NAMES_TRANSLATE_H

#include "base/diag.h"

struct compiler;
struct expr;
struct translator;
struct type;

/*
 * Each function types @e, an expression of the kind in the function's name. Returns 0, or -1 with
 * the error recorded.
 */
int sema_member(struct compiler *c, struct expr *e);
int sema_xlate(struct compiler *c, struct expr *e);

/* Returns the newest translator from @in to @out, or NULL. */
struct translator *xl_find(struct compiler *c, struct type *out, struct type *in);

/* For translated @e: returns the pointer or struct type that it has for the user. */
struct type *xlated_as(const struct expr *e);

/* For translated @e: returns the struct whose members it has. */
struct type *xlated_out(const struct expr *e);

/* For translated @e: returns the value that the translator gets, typed. */
struct expr *xlated_value(struct compiler *c, const struct expr *e);

/*
 * Records at @loc that the definition of member @name, typed as @body, does not have type @t.
 * Returns -1.
 */
int member_incompatible(struct compiler *c, const char *name, struct type *t,
			const struct expr *body, struct loc loc);

#endif
