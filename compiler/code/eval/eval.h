/*
 * eval.h - evaluates typed expressions.
 *
 * Registers that these functions return can be used in the current block, and in blocks that are
 * only reached through the current block.
 */
#ifndef COMPILER_CODE_EVAL_EVAL_H
#define COMPILER_CODE_EVAL_EVAL_H

#include <stdbool.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"

struct element;
struct expr;
struct fire;
struct irb;

/* Returns a register with the value of scalar @e, widened to 64 bits by its type. */
int gen(struct fire *g, const struct expr *e);

/*
 * As gen(), for an operand that is evaluated before @next. Returns a copy of the value if it is in
 * a variable that @next may change. @next is NULL if nothing is evaluated afterwards.
 */
int gen_before(struct fire *g, const struct expr *e, const struct expr *next);

/* Evaluates @e and drops the result. */
void gen_effect(struct fire *g, const struct expr *e);

/* Jumps to block @t if @e is not 0, else to block @f. */
void gen_cond(struct fire *g, const struct expr *e, int t, int f);

/*
 * Continues in a new block if @e is not 0, else jumps to @otherwise. Code in the new block may
 * reuse values that were computed for @e, but code in @otherwise must not. So call irb_push()
 * first, and irb_pop() before you place @otherwise.
 */
void gen_require(struct fire *g, const struct expr *e, int otherwise);

/*
 * Evaluates a choice e->a ? e->b : e->c whose condition is only known at run time. Calls @value to
 * generate each of the two branches. Returns a register with the result.
 */
int gen_either(struct fire *g, const struct expr *e,
	       int (*value)(struct fire *g, const struct expr *e));

/* Returns the memory of @e, an lvalue, array or struct that the caller will read. */
struct mem gen_mem(struct fire *g, const struct expr *e);

/*
 * As gen_mem(). If @to is not NULL, the caller will write to the memory, and then calls var_put()
 * for *@to (memory/vars.h).
 */
struct mem gen_lvalue(struct fire *g, const struct expr *e, struct element *to);

/*
 * Writes string @e into slot @d, the memory for one string. Frees the scratch memory that the
 * evaluation used.
 */
void gen_str(struct fire *g, const struct expr *e, struct dest d);

/*
 * To turn a condition into a number, 1 or 0, call truth_blocks(). Then emit code that jumps to
 * block @yes if the condition holds, else to block @no. Then call truth_value().
 */
struct truth {
	int yes, no; /* where to jump if the condition holds, and if not */
	int done, v;
};

/* Creates the three blocks and the variable of a struct truth. */
struct truth truth_blocks(struct irb *b);

/*
 * Places the blocks of @t, and continues in the last one. Returns a register whose value is 1 after
 * block t->yes, and 0 after block t->no.
 */
int truth_value(struct irb *b, const struct truth *t);

#endif
