/*
 * convert.h - adds conversions to type-checked expressions.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_CONVERT_H
#define COMPILER_MEANING_TYPING_TYPES_CONVERT_H

#include "compiler/syntax/ast.h"

struct compiler;
struct type;

/* Returns which conversion turns the type-checked expression @e into a value of type @to. */
enum conversion conversion_to(struct type *to, const struct expr *e);

/* Returns a new node: the type-checked expression @e, converted to type @to by conversion @how. */
struct expr *convert(struct compiler *c, struct expr *e, enum conversion how, struct type *to);

/*
 * Returns the type that a value of type @t has in an expression: an array becomes a pointer to its
 * first element.
 */
struct type *decayed(struct compiler *c, struct type *t);

/*
 * Returns the type of the address of lvalue @of, whose value has type @to. Notes that the program
 * takes the address.
 */
struct type *sema_address_of(struct compiler *c, const struct expr *of, struct type *to);

/*
 * Replaces array *@e by the address of its first element, for a place where an address is needed.
 * Leaves other values as they are.
 */
void sema_decay(struct compiler *c, struct expr **e);

/* Converts *@e to a string, for a place where a string is needed. */
void sema_string(struct compiler *c, struct expr **e);

/*
 * If *@e is an array of characters, converts it to a string that keeps all bytes of the array, for
 * a value that is printed or is a key.
 */
void sema_show(struct compiler *c, struct expr **e);

/*
 * Replaces string *@e by the address of its characters, for a place where an address is needed. The
 * characters are copied to the clause's memory. A NULL string becomes a NULL pointer.
 */
void sema_chars(struct compiler *c, struct expr **e);

/* Converts number *@e to a number or pointer of type @to, with the same value. */
void sema_see_as(struct compiler *c, struct expr **e, struct type *to);

#endif
