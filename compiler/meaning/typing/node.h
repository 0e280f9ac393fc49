/*
 * node.h - type-checks one node.
 */
#ifndef COMPILER_MEANING_TYPING_NODE_H
#define COMPILER_MEANING_TYPING_NODE_H

struct compiler;
struct expr;

/*
 * Type-checks @e with the function for its kind. That function calls sema_expr() for the operands.
 * Returns 0, or -1 with the error recorded.
 */
int type_node(struct compiler *c, struct expr *e);

#endif
