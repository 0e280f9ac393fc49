/*
 * order.h - which actions may follow which in a clause that speculates.
 */
#ifndef COMPILER_MEANING_TYPING_ORDER_H
#define COMPILER_MEANING_TYPING_ORDER_H

struct compiler;
struct stmt;

/*
 * May the actions of a clause, all typed, stand in this order?  0, or -1 with the error recorded.
 */
int sema_order(struct compiler *c, const struct stmt *s);

#endif
