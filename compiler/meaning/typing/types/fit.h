/*
 * fit.h - checks whether a value of one type fits where another type is needed.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_FIT_H
#define COMPILER_MEANING_TYPING_TYPES_FIT_H

#include <stdbool.h>

struct expr;
struct type;

/* Returns whether a value of type @from fits in a key or variable of type @to. */
bool type_assignable(struct type *to, struct type *from);

/*
 * Like type_assignable(), for the value of the type-checked expression @e. This check is stricter:
 * an integer cannot hold a pointer, and a pointer can hold no integer except 0. A pointer must
 * point to a compatible type, because the type of the variable or parameter is trusted later.
 */
bool type_fits(struct type *to, const struct expr *e);

/*
 * Returns whether the type-checked expression @e may be an argument or result of type @to of an
 * inline. @e may be the result of a translator.
 */
bool inline_fits(struct type *to, const struct expr *e);

/* Returns whether @t is a pointer to characters. */
bool type_is_text_pointer(struct type *t);

/*
 * Returns whether the type-checked expression @e is a string, or characters in memory that can
 * become a string.
 */
bool expr_is_text(const struct expr *e);

/*
 * Returns whether the type-checked expression @e may be compared with a string: it is NULL, or
 * expr_is_text() is true.
 */
bool expr_may_be_string(const struct expr *e);

#endif
