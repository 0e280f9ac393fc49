/*
 * sema.h - the entry to typing.
 */
#ifndef COMPILER_MEANING_TYPING_SEMA_H
#define COMPILER_MEANING_TYPING_SEMA_H

struct compiler;
struct expr;

/*
 * Types @e and its operands, in place. Typed expressions stay as they are. Returns 0, or -1 with
 * the error recorded.
 */
int sema_expr(struct compiler *c, struct expr *e);

#endif
