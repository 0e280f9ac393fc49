/*
 * cond.c - conditions: branches on the value of an expression.
 */
#include "compiler/code/eval/cond.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/evaluators.h"
#include "compiler/code/memory/trust.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/expr.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/types/type.h"

int gen_bool(struct fire *g, const struct expr *e)
{
	struct truth t = truth_blocks(g->b);

	gen_cond(g, e, t.yes, t.no);
	return truth_value(g->b, &t);
}

enum ir_cc compare_cc(const struct expr *e)
{
	/* both operands have the same type, or both are addresses */
	bool u = !type_is_signed(e->a->type);

	switch ((enum binary_op)e->op) {
	case B_EQ:
		return CC_EQ;
	case B_NE:
		return CC_NE;
	case B_LT:
		return u ? CC_ULT : CC_SLT;
	case B_LE:
		return u ? CC_ULE : CC_SLE;
	case B_GT:
		return u ? CC_UGT : CC_SGT;
	default:
		return u ? CC_UGE : CC_SGE;
	}
}

bool compares_strings(const struct expr *e)
{
	return e->op >= B_EQ && e->op <= B_GE && expr_is_string(e->a);
}

static void cond_logical(struct fire *g, const struct expr *e, int t, int f)
{
	struct irb *b = g->b;
	int second = irb_block(b, e->op == B_LAND ? "and" : "or");

	if (e->op == B_LAND)
		gen_cond(g, e->a, second, f);
	else
		gen_cond(g, e->a, t, second);
	irb_place(b, second);
	gen_cond(g, e->b, t, f);
}

static void cond_binary(struct fire *g, const struct expr *e, int t, int f)
{
	int x, y;

	if ((e->op == B_EQ || e->op == B_NE) && expr_is_zero(e->b) && never_null(g, e->a)) {
		irb_jmp(g->b, e->op == B_EQ ? f : t);
		return;
	}

	if (compares_strings(e)) {
		if (e->op == B_NE)
			gen_str_equal(g, e->a, e->b, f, t);
		else if (e->op == B_EQ)
			gen_str_equal(g, e->a, e->b, t, f);
		else
			gen_str_order(g, e->op, e->a, e->b, t, f);
		return;
	}
	if (e->op == B_AND && e->b->is_const && e->b->value >= 0 && e->b->value <= INT32_MAX) {
		irb_bri(g->b, CC_BITS, gen(g, e->a), e->b->value, t, f);
		return;
	}
	if (e->op < B_EQ || e->op > B_GE) {
		irb_bri(g->b, CC_NE, gen(g, e), 0, t, f);
		return;
	}
	x = gen_before(g, e->a, e->b);
	y = gen(g, e->b);
	irb_br(g->b, compare_cc(e), x, y, t, f);
}

static void cond_select(struct fire *g, const struct expr *e, int t, int f)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else");

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	gen_cond(g, e->b, t, f);
	irb_place(b, no);
	gen_cond(g, e->c, t, f);
}

/* Returns whether the value of @e is 0 or 1, which a cast to an integer type does not change. */
static bool is_truth(const struct expr *e)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_CAST:
		return type_is_integer(e->type) && is_truth(e->a);
	case E_COND:
		return is_truth(e->b) && is_truth(e->c);
	case E_UNARY:
		return e->op == U_NOT;
	case E_BINARY:
		return e->op >= B_LOR && e->op <= B_GE && e->op != B_AND && e->op != B_OR &&
		       e->op != B_XOR;
	case E_INT:
		return e->ival <= 1;
	default:
		return false;
	}
}

void eval_cond(struct fire *g, const struct expr *e, int t, int f)
{
	e = expr_kept(e);
	if (e->is_const) {
		irb_jmp(g->b, e->value ? t : f);
		return;
	}
	if (e->kind == E_UNARY && e->op == U_NOT) {
		gen_cond(g, e->a, f, t);
		return;
	}
	if (e->kind == E_CAST && type_is_integer(e->type) && is_truth(e->a)) {
		gen_cond(g, e->a, t, f);
		return;
	}
	if (e->kind == E_BINARY && (e->op == B_LAND || e->op == B_LOR)) {
		cond_logical(g, e, t, f);
		return;
	}
	if (e->kind == E_COND) {
		cond_select(g, e, t, f);
		return;
	}
	if (e->kind == E_BINARY && e->op == B_LXOR) {
		int x = gen_bool(g, e->a);

		irb_br(g->b, CC_NE, x, gen_bool(g, e->b), t, f);
		return;
	}
	if (e->kind == E_BINARY) {
		cond_binary(g, e, t, f);
		return;
	}
	irb_bri(g->b, CC_NE, gen(g, e), 0, t, f);
}
