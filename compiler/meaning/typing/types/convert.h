/*
 * convert.h - conversions of typed expressions.
 */
#ifndef COMPILER_MEANING_TYPING_CONVERT_H
#define COMPILER_MEANING_TYPING_CONVERT_H

#include "compiler/syntax/ast.h"

struct compiler;
struct type;

/* How @e, typed, is converted to type @to. */
enum conversion conversion_to(struct type *to, const struct expr *e);

/* A new node: @e, typed, converted to type @to in the way @how. */
struct expr *convert(struct compiler *c, struct expr *e, enum conversion how, struct type *to);

/* The type that a value of type @t has: an array is a pointer to its first element. */
struct type *decayed(struct compiler *c, struct type *t);

/* The type of the address of lvalue @of, when what lies there has type @to. */
struct type *address_type(struct compiler *c, const struct expr *of, struct type *to);

/* Where an address is wanted: an array, typed, becomes the address of its first element. */
void sema_decay(struct compiler *c, struct expr **e);

/* Where a string is wanted: @e, typed, becomes one. */
void sema_string(struct compiler *c, struct expr **e);

/* Where a value is shown, or is a key that is shown: an array of characters becomes a string. */
void sema_show(struct compiler *c, struct expr **e);

/*
 * Where an address is wanted: string @e becomes the address of its characters, which are then in
 * the clause's memory; NULL stays NULL.
 */
void sema_chars(struct compiler *c, struct expr **e);

/* A number becomes one of type @to, or a pointer of that type, with the same value. */
void sema_see_as(struct compiler *c, struct expr **e, struct type *to);

#endif
