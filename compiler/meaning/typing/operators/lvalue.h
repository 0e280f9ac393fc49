/*
 * lvalue.h - finds out what can be assigned to (lvalues).
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_LVALUE_H
#define COMPILER_MEANING_TYPING_OPERATORS_LVALUE_H

#include <stdbool.h>

struct compiler;
struct expr;
struct var;

/* Returns whether the type-checked expression @e is an lvalue. An lvalue may be read-only. */
bool lvalue_is(const struct expr *e);

/* Returns whether lvalue @e is a bit-field, which has no address. */
bool lvalue_is_bit_field(const struct expr *e);

/*
 * Returns the variable that lvalue @e is, or is a part of. Returns NULL if @e is accessed through a
 * pointer, or is no lvalue.
 */
struct var *lvalue_var(const struct expr *e);

/*
 * Returns whether @e is the address of an element of an associative array or of a thread-local
 * variable, or is computed from it. Code only has a copy of the element, so nothing may keep the
 * address.
 */
bool lvalue_address_in_element(const struct expr *e);

/* Returns whether lvalue @e is in the memory of a process. */
bool lvalue_is_users(const struct expr *e);

/*
 * Checks that assignment or increment @e changes a variable, a part of a variable, or memory that
 * may belong to the clause. Records that the variable is assigned. @op is the operator as text.
 * Returns 0, or -1 with the error recorded.
 */
int lvalue_need_variable(struct compiler *c, const struct expr *e, const char *op);

#endif
