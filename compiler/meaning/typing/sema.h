/*
 * sema.h - the entry to the type checker.
 */
#ifndef COMPILER_MEANING_TYPING_SEMA_H
#define COMPILER_MEANING_TYPING_SEMA_H

struct compiler;
struct expr;

/*
 * Type-checks @e and its operands, and sets their types in place. Expressions that have been
 * type-checked stay as they are. Returns 0, or -1 with the error recorded.
 */
int sema_expr(struct compiler *c, struct expr *e);

#endif
