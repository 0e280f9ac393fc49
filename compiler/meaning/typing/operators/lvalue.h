/*
 * lvalue.h - what can be assigned to.
 */
#ifndef COMPILER_MEANING_TYPING_LVALUE_H
#define COMPILER_MEANING_TYPING_LVALUE_H

#include <stdbool.h>

struct compiler;
struct expr;
struct var;

/* Is typed @e an lvalue?  Whether it may be written to is another question. */
bool lvalue_is(const struct expr *e);

bool lvalue_is_bit_field(const struct expr *e);

/* The variable that lvalue @e is, or is a part of; NULL: it lies behind a pointer, or is none. */
struct var *lvalue_var(const struct expr *e);

/* Does it lie in the memory of a process? */
bool lvalue_is_users(const struct expr *e);

/*
 * Checks that assignment or increment @e changes a variable, a part of one, or memory behind a
 * pointer that may be the clause's own; notes that the variable is assigned.  @op: its operator.
 * 0, or -1 with the error recorded.
 */
int lvalue_need_variable(struct compiler *c, const struct expr *e, const char *op);

#endif
