/*
 * node.h - types one node.
 */
#ifndef COMPILER_MEANING_TYPING_NODE_H
#define COMPILER_MEANING_TYPING_NODE_H

struct compiler;
struct expr;

/*
 * Types @e by its kind, and its operands through sema_expr(). Returns 0, or -1 with the error
 * recorded.
 */
int type_node(struct compiler *c, struct expr *e);

#endif
