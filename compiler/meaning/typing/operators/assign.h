/*
 * assign.h - type-checks assignments, which also declare variables.
 */
#ifndef COMPILER_MEANING_TYPING_OPERATORS_ASSIGN_H
#define COMPILER_MEANING_TYPING_OPERATORS_ASSIGN_H

struct compiler;
struct expr;

/* Type-checks @e, "a = b" or "a op= b". Returns 0, or -1 with the error recorded. */
int sema_assign(struct compiler *c, struct expr *e);

/*
 * Type-checks @e, the operand that ++, -- or an operator such as += changes. An undeclared name
 * becomes a variable of type int64_t, or an associative array of such values. Returns 0, or -1 with
 * the error recorded.
 */
int sema_counter(struct compiler *c, struct expr *e);

#endif
