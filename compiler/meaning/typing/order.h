/*
 * order.h - the order of actions in a clause that speculates.
 */
#ifndef COMPILER_MEANING_TYPING_ORDER_H
#define COMPILER_MEANING_TYPING_ORDER_H

struct compiler;
struct stmt;

/*
 * Checks the order of the clause's actions, which are type-checked already. Returns 0, or -1 with
 * the error recorded.
 */
int sema_order(struct compiler *c, const struct stmt *s);

#endif
