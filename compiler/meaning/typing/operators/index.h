/*
 * index.h - type-checks a[...].
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_INDEX_H
#define COMPILER_MEANING_TYPING_OPERATORS_INDEX_H

struct compiler;
struct expr;
struct type;
struct var;

/* Type-checks @e, an E_INDEX. Returns 0, or -1 with the error recorded. */
int sema_index(struct compiler *c, struct expr *e);

/*
 * Type-checks @e, an element of associative array @v, whose keys are type-checked already. Returns
 * 0, or -1 with the error recorded.
 */
int sema_assoc(struct compiler *c, struct expr *e, struct var *v);

/* Returns the associative array that @e, an E_INDEX, names, or NULL. */
struct var *assoc_var(struct compiler *c, const struct expr *e);

/*
 * Declares the associative array that @e, "name[keys]", uses for the first time, with values of
 * type @value. The keys are type-checked already. Returns the array's variable.
 */
struct var *declare_assoc(struct compiler *c, const struct expr *e, struct type *value);

#endif
