/*
 * operand.c - converts two operands to a common type, and checks what operators require of their
 * operands.
 */
#include "compiler/meaning/typing/operators/operand.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

const char *const operator_text[] = {"?",  "||", "^^", "&&", "|",  "^", "&", "==", "!=", "<",
				     "<=", ">",  ">=", "<<", ">>", "+", "-", "*",  "/",  "%"};

struct type *type_calculated(struct type *t)
{
	return type_is(t, T_ENUM) ? &type_int : t;
}

struct type *type_promote(struct type *a, struct type *b)
{
	struct type *x = type_strip(type_calculated(a)), *y = type_strip(type_calculated(b));
	unsigned rx = x->size * 8 + !x->sgn, ry = y->size * 8 + !y->sgn;

	return type_calculated(rx >= ry ? a : b);
}

struct type *operands_promote(struct compiler *c, struct expr **a, struct expr **b)
{
	struct type *t = type_promote((*a)->type, (*b)->type);

	sema_see_as(c, a, t);
	sema_see_as(c, b, t);
	return t;
}

int operands_incompatible(struct compiler *c, const struct expr *e, const char *op)
{
	diag_error(c->d, D_OP_INCOMPAT, e->loc, "operands have incompatible types: %s",
		   type_texts(c, e->a->type, op, e->b->type));
	hint_not_aggregated(c, e->a->kind == E_AGG ? e->a : e->b, e);
	return -1;
}

bool operand_divides_by_zero(enum binary_op op, const struct expr *by)
{
	return (op == B_DIV || op == B_MOD) && expr_is_zero(by);
}

int operand_not_xlated(struct compiler *c, const struct expr *e, const char *op)
{
	if (!expr_is_xlated(e))
		return 0;
	return diag_error(c->d, D_OP_DYN, e->loc,
			  "operator %s cannot be applied to %s: a translated value has only "
			  "members, so use a member",
			  op, expr_source(c, e));
}

int operand_need_scalar(struct compiler *c, const struct expr *e, const char *op, const char *what)
{
	if (operand_not_xlated(c, e, op))
		return -1;
	if (type_is_scalar(e->type) || type_is(e->type, T_ERROR))
		return 0;
	return diag_error(c->d, D_OP_SCALAR, e->loc, "operator %s %s of scalar type", op, what);
}

bool type_can_be_added_to(struct type *t)
{
	return type_is(t, T_PTR) && !type_is(type_strip(t)->to, T_VOID) &&
	       !type_is(type_strip(t)->to, T_FUNC);
}
