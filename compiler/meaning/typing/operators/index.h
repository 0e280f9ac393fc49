/*
 * index.h - typing of a[...].
 */
#ifndef COMPILER_MEANING_TYPING_INDEX_H
#define COMPILER_MEANING_TYPING_INDEX_H

struct compiler;
struct expr;
struct type;
struct var;

/* Types @e, an E_INDEX.  0, or -1 with the error recorded. */
int sema_index(struct compiler *c, struct expr *e);

/* Types @e as an element of associative array @v; its keys are typed. */
int sema_assoc(struct compiler *c, struct expr *e, struct var *v);

/* The associative array that E_INDEX @e names; NULL: it names none. */
struct var *assoc_var(struct compiler *c, const struct expr *e);

/* Declares the array that @e, "name[keys]" with typed keys, assigns first; of type @value. */
struct var *declare_assoc(struct compiler *c, const struct expr *e, struct type *value);

#endif
