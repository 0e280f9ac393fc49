/*
 * fit.h - which types may stand where another is wanted.
 */
#ifndef COMPILER_MEANING_TYPING_FIT_H
#define COMPILER_MEANING_TYPING_FIT_H

#include <stdbool.h>

struct expr;
struct type;

/* Does a value of type @from go into a key or variable of type @to? */
bool type_assignable(struct type *to, struct type *from);

/*
 * The same for typed @e, but stricter: a pointer must point to a compatible type, because what is
 * stored is later believed to be of its variable's type.
 */
bool type_fits(struct type *to, const struct expr *e);

/* May @e, typed, be an argument or result of type @to of an inline?  It may be translated. */
bool inline_fits(struct type *to, const struct expr *e);

/* Is it a pointer to characters? */
bool type_is_text_pointer(struct type *t);

/* Is typed @e a string, or characters in memory of which a string can be made? */
bool expr_is_text(const struct expr *e);

/* The same, or NULL: may it be compared with a string? */
bool expr_may_be_string(const struct expr *e);

#endif
