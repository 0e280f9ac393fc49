/*
 * convert.h - conversions of typed expressions.
 */
#ifndef COMPILER_MEANING_TYPING_TYPES_CONVERT_H
#define COMPILER_MEANING_TYPING_TYPES_CONVERT_H

#include "compiler/syntax/ast.h"

struct compiler;
struct type;

/* Returns how typed @e is converted to type @to. */
enum conversion conversion_to(struct type *to, const struct expr *e);

/* Returns a new node: typed @e, converted to type @to in the way @how. */
struct expr *convert(struct compiler *c, struct expr *e, enum conversion how, struct type *to);

/* Returns the type of a value of type @t: an array becomes a pointer to its first element. */
struct type *decayed(struct compiler *c, struct type *t);

/* Returns the type of the address of lvalue @of, whose value has type @to. */
struct type *address_type(struct compiler *c, const struct expr *of, struct type *to);

/* Where an address is needed: replaces typed array *@e by the address of its first element. */
void sema_decay(struct compiler *c, struct expr **e);

/* Where a string is needed: converts typed *@e to a string. */
void sema_string(struct compiler *c, struct expr **e);

/* Where a value is printed, or is a printed key: converts an array of characters to a string. */
void sema_show(struct compiler *c, struct expr **e);

/*
 * Where an address is needed: replaces string *@e by the address of its characters, which are
 * copied to the clause's memory. NULL stays NULL.
 */
void sema_chars(struct compiler *c, struct expr **e);

/* Converts number *@e to a number or pointer of type @to, with the same value. */
void sema_see_as(struct compiler *c, struct expr **e, struct type *to);

#endif
