/*
 * fold.c - finds the expressions whose values are known at compile time.
 *
 * The value of an expression is computed when the expression is type-checked, from the values of
 * its operands.
 */
#include "compiler/meaning/typing/types/fold.h"

#include "compiler/meaning/expr.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Sets @v to the value of @e, whose operands have been type-checked. Returns false if @e is not
 * constant.
 */
static bool fold(const struct expr *e, int64_t *v)
{
	const struct expr *taken;

	switch (e->kind) {
	case E_INT:
		*v = (int64_t)e->ival;
		return true;
	case E_IDENT:
		e = expr_target(e);
		*v = e->value;
		return e->is_const;
	case E_UNARY:
		return e->a->is_const && const_unary(e->op, e->a->value, v);
	/*
	 * computes with the sign of @a's type; only the operands of a shift may have different
	 * types
	 */
	case E_BINARY:
		return e->a->is_const && e->b->is_const &&
		       const_binary(e->op, type_is_signed(e->a->type), e->a->value, e->b->value, v);
	case E_COND:
		taken = e->a->value ? e->b : e->c;
		*v = taken->value;
		return e->a->is_const && taken->is_const;
	case E_CAST:
		*v = type_is_integer(e->type) ? const_cut(e->type, e->a->value) : 0;
		return e->a->is_const && type_is_integer(e->type);
	default:
		return false;
	}
}

const struct expr *fold_object(const struct expr *e)
{
	e = expr_target(e);
	if (!type_is(e->type, T_PTR))
		return NULL;
	if (e->kind == E_CAST && e->op == CONV_KEEP)
		return expr_target(e->a)->object;
	if ((e->kind == E_UNARY && e->op == U_ADDR) || (e->kind == E_CAST && e->op == CONV_ADDRESS))
		return e->a;
	return NULL;
}

void fold_note(struct expr *e)
{
	e->is_const = fold(e, &e->value);
	e->object = fold_object(e);
}
