/*
 * index.h - typing of a[...].
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_INDEX_H
#define COMPILER_MEANING_TYPING_OPERATORS_INDEX_H

struct compiler;
struct expr;
struct type;
struct var;

/* Types @e, an E_INDEX. Returns 0, or -1 with the error recorded. */
int sema_index(struct compiler *c, struct expr *e);

/*
 * Types @e as an element of associative array @v; the keys are typed. Returns 0, or -1 with the
 * error recorded.
 */
int sema_assoc(struct compiler *c, struct expr *e, struct var *v);

/* Returns the associative array that E_INDEX @e names, or NULL. */
struct var *assoc_var(struct compiler *c, const struct expr *e);

/*
 * Declares the array of @e, "name[keys]" with typed keys, with values of type @value. Returns NULL
 * with the error recorded.
 */
struct var *declare_assoc(struct compiler *c, const struct expr *e, struct type *value);

#endif
