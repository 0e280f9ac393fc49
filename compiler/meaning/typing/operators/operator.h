/*
 * operator.h - type-checks operators.
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_OPERATOR_H
#define COMPILER_MEANING_TYPING_OPERATORS_OPERATOR_H

struct compiler;
struct expr;

/*
 * Each function type-checks @e, an expression of the kind in the function's name. Returns 0, or -1
 * with the error recorded.
 */
int sema_binary(struct compiler *c, struct expr *e);
int sema_unary(struct compiler *c, struct expr *e);
int sema_cond(struct compiler *c, struct expr *e);
int sema_comma(struct compiler *c, struct expr *e);

/*
 * If @e is a choice (?:) whose condition is constant, replaces @e by the chosen branch, which is
 * not type-checked yet and may be an action. The other branch disappears unchecked, as in
 * libdtrace, which decides such a choice when it parses it. Returns 0, or -1 with the error
 * recorded.
 */
int sema_choose(struct compiler *c, struct expr *e);

#endif
