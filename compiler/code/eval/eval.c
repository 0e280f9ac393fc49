/*
 * eval.c - evaluates expressions through the table of struct evaluators.
 */
#include "compiler/code/eval/eval.h"

#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/strclass.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/types/type.h"

int gen(struct fire *g, const struct expr *e)
{
	return g->eval->value(g, e);
}

void gen_cond(struct fire *g, const struct expr *e, int t, int f)
{
	g->eval->cond(g, e, t, f);
}

struct mem gen_lvalue(struct fire *g, const struct expr *e, struct element *to)
{
	return g->eval->lvalue(g, e, to);
}

void gen_str(struct fire *g, const struct expr *e, struct dest d)
{
	g->eval->str(g, e, d);
}

struct mem gen_mem(struct fire *g, const struct expr *e)
{
	return gen_lvalue(g, e, NULL);
}

int gen_before(struct fire *g, const struct expr *e, const struct expr *next)
{
	int v = gen(g, e), keep;

	if (!irb_reg(g->b, v)->is_var || !expr_changes(next))
		return v;
	keep = irb_var(g->b);
	irb_assign(g->b, keep, v);
	return keep;
}

struct truth truth_blocks(struct irb *b)
{
	struct truth t;

	t.yes = irb_block(b, "true");
	t.no = irb_block(b, "false");
	t.done = irb_block(b, "bool");
	t.v = irb_var(b);
	return t;
}

int truth_value(struct irb *b, const struct truth *t)
{
	irb_place(b, t->yes);
	irb_assign_imm(b, t->v, 1);
	irb_jmp(b, t->done);
	irb_place(b, t->no);
	irb_assign_imm(b, t->v, 0);
	irb_jmp(b, t->done);
	irb_place(b, t->done);
	return t->v;
}

/*
 * If only one of the two values is a constant, its code comes last, and the verifier walks its
 * branch last. Where the branches meet, the verifier can then stop, because it has walked the rest
 * of the program with an unknown value. In the other order it would walk the rest twice.
 */
int gen_either(struct fire *g, const struct expr *e,
	       int (*value)(struct fire *g, const struct expr *e))
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else"), done = irb_block(b, "value"),
	    v = irb_var(b);
	bool yes_last = e->b->is_const && !e->c->is_const;

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes_last ? no : yes);
	irb_assign(b, v, value(g, yes_last ? e->c : e->b));
	irb_jmp(b, done);
	irb_place(b, yes_last ? yes : no);
	irb_assign(b, v, value(g, yes_last ? e->b : e->c));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

void gen_effect(struct fire *g, const struct expr *e)
{
	struct dest slot;

	if (e->kind == E_CAST && e->op == CONV_DROP) {
		gen_effect(g, e->a);
	} else if (type_is_scalar(e->type) || e->kind == E_ASSIGN ||
		   (e->symkind == SYM_SUBR && type_is(e->type, T_VOID))) {
		gen(g, e);
	} else if (expr_is_string(e)) {
		slot = scratch_slot(g, str_class(g->c, e).size);
		slot.null = NULL_KEEP;
		gen_str(g, e, slot);
	}
}

void gen_require(struct fire *g, const struct expr *e, int otherwise)
{
	int yes;

	e = expr_target(e);
	if (e->kind == E_BINARY && e->op == B_LAND) {
		gen_require(g, e->a, otherwise);
		gen_require(g, e->b, otherwise);
		return;
	}
	yes = irb_block(g->b, "and");
	gen_cond(g, e, yes, otherwise);
	irb_place(g->b, yes);
}
