/*
 * eval.h - evaluates typed expressions.
 *
 * Registers that these functions return belong to the current block, and to blocks that it leads
 * to.
 */
#ifndef COMPILER_CODE_EVAL_EVAL_H
#define COMPILER_CODE_EVAL_EVAL_H

#include <stdbool.h>

#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"

struct expr;
struct fire;
struct irb;

/* Returns a register with the value of scalar @e, widened to 64 bits by its type. */
int gen(struct fire *g, const struct expr *e);

/*
 * As gen(), for an operand that is evaluated before @next (NULL: none). Copies the value of a
 * variable that @next may change.
 */
int gen_before(struct fire *g, const struct expr *e, const struct expr *next);

/* Evaluates @e and drops the result. */
void gen_effect(struct fire *g, const struct expr *e);

/* Jumps to block @t if @e is not 0, else to block @f. */
void gen_cond(struct fire *g, const struct expr *e, int t, int f);

/*
 * Continues in a new block if @e is not 0, else jumps to @otherwise. Values computed for @e stay
 * known, so the caller must be in a scope that ends before @otherwise is placed.
 */
void gen_require(struct fire *g, const struct expr *e, int otherwise);

/*
 * Evaluates the branch of E_COND @e that the condition chooses at run time. @value generates each
 * branch. Returns a register with the result.
 */
int gen_either(struct fire *g, const struct expr *e,
	       int (*value)(struct fire *g, const struct expr *e));

/* Returns the memory of lvalue, array or struct @e, to read it. */
struct mem gen_mem(struct fire *g, const struct expr *e);

/* As gen_mem(). @write: the caller will write there, so a missing entry of an array is created. */
struct mem gen_lvalue(struct fire *g, const struct expr *e, bool write);

/* Writes string @e into slot @d. The scratch memory that the evaluation used is free again. */
void gen_str(struct fire *g, const struct expr *e, struct dest d);

/*
 * Makes a number of a condition: call truth_blocks(), let the condition jump to @yes or @no, then
 * call truth_value().
 */
struct truth {
	int yes, no; /* blocks */
	int done, v;
};

/* Creates the blocks. */
struct truth truth_blocks(struct irb *b);

/* Places the blocks, and a new one. Returns a register: 1 after block yes, 0 after block no. */
int truth_value(struct irb *b, const struct truth *t);

#endif
