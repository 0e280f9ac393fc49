/*
 * shown.h - type-checks stack(), ustack() and functions like sym(), whose addresses are printed as
 * names.
 */
#ifndef COMPILER_MEANING_TYPING_CALLS_SHOWN_H
#define COMPILER_MEANING_TYPING_CALLS_SHOWN_H

#include <stdbool.h>

struct compiler;
struct expr;
struct type;

/*
 * Each function type-checks a call whose value is recorded. Returns 0, or -1 with the error
 * recorded.
 */
int sema_stack(struct compiler *c, struct expr *call);
int sema_ustack(struct compiler *c, struct expr *call);  /* for ustack( ) and jstack( ) */
int sema_symaddr(struct compiler *c, struct expr *call); /* for sym( ), func( ), usym( ) ... */

/*
 * Returns whether @t is the type of a stack or symbol, which can be recorded but cannot be used in
 * an expression.
 */
bool type_is_shown(struct type *t);

#endif
