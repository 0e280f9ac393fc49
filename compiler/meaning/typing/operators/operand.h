/*
 * operand.h - converts and checks the operands of operators.
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_OPERAND_H
#define COMPILER_MEANING_TYPING_OPERATORS_OPERAND_H

#include <stdbool.h>

#include "compiler/syntax/ast.h"

struct compiler;
struct type;

extern const char *const operator_text[]; /* indexed by enum binary_op */

/* Returns the type in which a value of type @t is calculated: int for an enum, else @t. */
struct type *type_calculated(struct type *t);

/*
 * Returns the type of a calculation with integers of types @a and @b: the larger of the two types.
 * If both have the same size, an unsigned type counts as larger.
 */
struct type *type_promote(struct type *a, struct type *b);

/*
 * Returns whether a number can be added to a value of type @t: @t must be a pointer, but not to
 * void or a function, which have no size.
 */
bool type_can_be_added_to(struct type *t);

/* Converts both operands to their common type. Returns that type. */
struct type *operands_promote(struct compiler *c, struct expr **a, struct expr **b);

/* Each of the next two functions returns 0, or -1 with the error recorded. */

/* Checks that @e is no translated value, because operator @op cannot be applied to one. */
int operand_not_xlated(struct compiler *c, const struct expr *e, const char *op);

/*
 * Checks that @e is a number or pointer. The error message contains @op, the operator, and then
 * @what, such as "requires operands" or "expression must be".
 */
int operand_need_scalar(struct compiler *c, const struct expr *e, const char *op, const char *what);

/* Returns whether @op divides by its right operand @by, and @by is the constant 0. */
bool operand_divides_by_zero(enum binary_op op, const struct expr *by);

/* Records that the operands of @e do not fit together. Returns -1. */
int operands_incompatible(struct compiler *c, const struct expr *e, const char *op);

#endif
