/*
 * operator.c - type-checks operators.
 */
#include "compiler/meaning/typing/operators/operator.h"

#include <string.h>

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/typing/names/args.h"
#include "compiler/meaning/typing/operators/assign.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/operators/element.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/meaning/typing/operators/operand.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/calls/shown.h"
#include "compiler/meaning/typing/names/symbol.h"
#include "compiler/meaning/typing/names/translate.h"
#include "compiler/options.h"
#include "compiler/meaning/wants.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * If @e compares a translated pointer with NULL, replaces the pointer by the input of its
 * translator, which is NULL in the same cases.
 */
static void compare_xlated(struct compiler *c, struct expr *e)
{
	struct expr **x = expr_is_xlated(e->a) ? &e->a : &e->b;
	const struct expr *other = x == &e->a ? e->b : e->a;

	if (expr_is_xlated(*x) && xlated_as(*x)->kind == T_PTR && expr_is_zero(other))
		*x = xlated_value(c, *x);
}

/*
 * Converts the two numbers of a comparison to a common type. If a number is compared with a
 * pointer, converts the number to the pointer's type.
 */
static void compare_numbers(struct compiler *c, struct expr *e)
{
	sema_decay(c, &e->a);
	sema_decay(c, &e->b);
	if (type_is_integer(e->a->type) && type_is_integer(e->b->type))
		operands_promote(c, &e->a, &e->b);
	else if (type_is_integer(e->a->type))
		sema_see_as(c, &e->a, e->b->type);
	else if (type_is_integer(e->b->type))
		sema_see_as(c, &e->b, e->a->type);
}

static int sema_compare(struct compiler *c, struct expr *e)
{
	e->type = &type_int;
	if (expr_is_unknown(e->a) || expr_is_unknown(e->b))
		return 0;
	if (e->op == B_EQ || e->op == B_NE)
		compare_xlated(c, e);
	if ((expr_is_string(e->a) && expr_may_be_string(e->b)) ||
	    (expr_is_string(e->b) && expr_may_be_string(e->a))) {
		sema_string(c, &e->a);
		sema_string(c, &e->b);
		return 0;
	}
	if (type_is_scalar(decayed(c, e->a->type)) && type_is_scalar(decayed(c, e->b->type))) {
		compare_numbers(c, e);
		return 0;
	}
	operands_incompatible(c, e, operator_text[e->op]);
	hint_operands(c, e->a, e->b);
	return -1;
}

static int sema_additive(struct compiler *c, struct expr *e)
{
	struct type *a = decayed(c, e->a->type), *b = decayed(c, e->b->type);

	if (type_is_integer(a) && type_is_integer(b))
		e->type = operands_promote(c, &e->a, &e->b);
	else if (type_can_be_added_to(a) && type_is_integer(b))
		e->type = a;
	else if (type_is_integer(a) && type_can_be_added_to(b) && e->op == B_ADD)
		e->type = b;
	else if (type_can_be_added_to(a) && type_can_be_added_to(b) && e->op == B_SUB)
		e->type = &type_long;
	else
		return operands_incompatible(c, e, operator_text[e->op]);
	sema_decay(c, &e->a);
	sema_decay(c, &e->b);
	return 0;
}

/*
 * If @left is of an enum type and @right the name of one of its enumerators, replaces @right by the
 * enumerator's value. Returns whether it replaced @right.
 */
static bool enum_tag(struct expr *left, struct expr *right)
{
	struct type *t = left->type ? type_strip(left->type) : NULL;
	uint32_t n;

	if (!t || t->kind != T_ENUM || right->kind != E_IDENT || right->mod)
		return false;
	type_members(t, &n);
	for (uint32_t i = 0; i < t->nenumerator; i++)
		if (!strcmp(t->enumerator[i].name, right->name)) {
			become_int(right, t->enumerator[i].value, left->type);
			return true;
		}
	return false;
}

int sema_binary(struct compiler *c, struct expr *e)
{
	enum binary_op op = e->op;

	if (sema_expr(c, e->a))
		return -1;
	if (!(op >= B_EQ && op <= B_GE && enum_tag(e->a, e->b)) && sema_expr(c, e->b))
		return -1;
	if (op >= B_EQ && op <= B_GE)
		return sema_compare(c, e);
	if ((expr_is_unknown(e->a) || expr_is_unknown(e->b)) && op != B_LOR && op != B_LAND &&
	    op != B_LXOR)
		return become_unknown(e);
	if (op == B_ADD || op == B_SUB)
		return sema_additive(c, e);
	if (op == B_LOR || op == B_LAND || op == B_LXOR) {
		e->type = &type_int;
		for (int i = 0; i < 2; i++)
			if (operand_need_scalar(c, i ? e->b : e->a, operator_text[op],
						"requires operands"))
				return -1;
		return 0;
	}
	if (operand_not_xlated(c, e->a, operator_text[op]) ||
	    operand_not_xlated(c, e->b, operator_text[op]))
		return -1;
	if (!type_is_integer(e->a->type) || !type_is_integer(e->b->type)) {
		bool arith = op == B_MUL || op == B_DIV;

		return diag_error(c->d, arith ? D_OP_ARITH : D_OP_INT, e->loc,
				  "operator %s requires operands of %s type", operator_text[op],
				  arith ? "arithmetic" : "integral");
	}
	if (operand_divides_by_zero(op, e->b))
		return diag_error(c->d, D_DIV_ZERO, e->loc, "expression contains division by zero");
	e->type = op == B_SHL || op == B_SHR ? type_calculated(e->a->type)
					     : operands_promote(c, &e->a, &e->b);
	return 0;
}

static int sema_incdec(struct compiler *c, struct expr *e, const char *op)
{
	if (operand_not_xlated(c, e->a, op))
		return -1;
	if (!type_is_scalar(e->a->type)) {
		diag_error(c->d, D_OP_SCALAR, e->loc, "operator %s requires operand of scalar type",
			   op);
		hint_not_aggregated(c, e->a, e);
		return -1;
	}
	if (lvalue_is(e->a) && !type_is_integer(e->a->type) && !type_can_be_added_to(e->a->type))
		return diag_error(c->d, D_OP_VFPTR, e->loc,
				  "operator %s requires an operand of known size", op);
	if (lvalue_need_variable(c, e, op))
		return -1;
	e->type = e->a->type;
	return 0;
}

static int sema_deref(struct compiler *c, struct expr *e)
{
	if (expr_is_xlated(e->a) && xlated_as(e->a)->kind == T_PTR) {
		e->type = type_xlated(c->arena, xlated_out(e->a));
		return 0;
	}
	if (!type_is(decayed(c, e->a->type), T_PTR))
		return diag_error(c->d, D_DEREF_NONPTR, e->loc,
				  "cannot dereference non-pointer type");
	e->type = type_strip(decayed(c, e->a->type))->to;
	if (type_is(e->type, T_VOID))
		return diag_error(c->d, D_DEREF_VOID, e->loc, "cannot dereference pointer to void");
	if (type_is(e->type, T_FUNC))
		return diag_error(c->d, D_DEREF_FUNC, e->loc,
				  "cannot dereference pointer to function");
	sema_decay(c, &e->a);
	return element_see(c, e, e->a, NULL) ? element_bounds(c, e) : 0;
}

/* Type-checks @e, an address &a. @named tells whether the operand was written as an identifier. */
static int sema_address(struct compiler *c, struct expr *e, bool named)
{
	if (e->a->symkind == SYM_VAR || e->a->kind == E_AGG || e->a->kind == E_IDENT || named)
		return diag_error(c->d, D_ADDROF_VAR, e->loc,
				  "cannot take address of dynamic variable");
	if (operand_not_xlated(c, e->a, "&"))
		return -1;
	if (!lvalue_is(e->a))
		return diag_error(c->d, D_ADDROF_LVAL, e->loc,
				  "operator & requires an lvalue as an operand");
	if (lvalue_is_bit_field(e->a))
		return diag_error(c->d, D_ADDROF_BITFIELD, e->loc,
				  "cannot take address of a bit-field");
	if (lvalue_var(e->a) && var_in_map(lvalue_var(e->a)))
		return diag_error(c->d, D_ADDROF_VAR, e->loc,
				  "cannot take address of dynamic variable");
	e->type = sema_address_of(c, e->a, e->a->type);
	return 0;
}

static int sema_sign(struct compiler *c, struct expr *e, const char *op)
{
	if (operand_not_xlated(c, e->a, op))
		return -1;
	if (!type_is_integer(e->a->type))
		return diag_error(c->d, e->op == U_BITNOT ? D_OP_INT : D_OP_ARITH, e->loc,
				  "operator %s requires an operand of %s type", op,
				  e->op == U_BITNOT ? "integral" : "arithmetic");
	e->type = type_calculated(e->a->type);
	return 0;
}

int sema_unary(struct compiler *c, struct expr *e)
{
	static const char *const name[] = {"-", "+", "!", "~", "*", "&", "++", "--", "++", "--"};
	bool counter = e->op >= U_PREINC;
	/* tested here, before an inline replaces the identifier */
	bool named = e->a->kind == E_IDENT && !e->a->mod;

	if (e->op == U_ADDR && ident_is_symbol(c, e->a))
		return sema_symbol_address(c, e);
	if (counter ? sema_counter(c, e->a) : sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a) && !counter && e->op != U_NOT)
		return become_unknown(e);
	switch ((enum unary_op)e->op) {
	case U_NEG:
	case U_PLUS:
	case U_BITNOT:
		return sema_sign(c, e, name[e->op]);
	case U_NOT:
		e->type = &type_int;
		return operand_need_scalar(c, e->a, "!", "requires an operand");
	case U_DEREF:
		return sema_deref(c, e);
	case U_ADDR:
		return sema_address(c, e, named);
	case U_PREINC:
	case U_PREDEC:
	case U_POSTINC:
	case U_POSTDEC:
		return sema_incdec(c, e, name[e->op]);
	}
	return -1;
}

static bool calls_action(const struct lang *l, const struct expr *e)
{
	return e->kind == E_CALL && !lang_subr(l, e->name) && lang_action(l, e->name);
}

/* Converts both branches of @e, a choice (?:) whose type is a pointer, to pointers. */
static void choose_pointer(struct compiler *c, struct expr *e)
{
	struct expr **branch[] = {&e->b, &e->c};

	for (int i = 0; i < 2; i++) {
		sema_decay(c, branch[i]);
		if (!type_is((*branch[i])->type, T_PTR))
			sema_see_as(c, branch[i], e->type);
	}
}

/*
 * Returns whether @e contains an argument that only some probes of the clause lack. Its value is
 * constant where it is missing, and the clause must mean the same at the other probes.
 */
static bool depends_on_probe(const struct expr *e)
{
	if (!e)
		return false;
	e = expr_target(e);
	if (e->kind == E_INT && e->name && !strcmp(e->name, MISSING_ARGUMENT))
		return true;
	return depends_on_probe(e->a) || depends_on_probe(e->b) || depends_on_probe(e->c);
}

/* Returns whether @e, which is not type-checked, contains a call of a destructive action. */
static bool destroys(const struct lang *l, const struct expr *e)
{
	bool any = e && calls_action(l, e) && lang_action(l, e->name)->destructive;

	for (uint32_t i = 0; e && i < e->narg; i++)
		any |= destroys(l, e->arg[i]);
	return any || (e && (destroys(l, e->a) || destroys(l, e->b) || destroys(l, e->c)));
}

int sema_choose(struct compiler *c, struct expr *e)
{
	while (e->kind == E_COND && !e->typed) {
		if (sema_expr(c, e->a))
			return -1;
		if (!e->a->is_const || depends_on_probe(e->a))
			return 0;
		c->wants->may_destroy |= destroys(c->opt->lang, e->a->value ? e->c : e->b);
		*e = e->a->value ? *e->b : *e->c;
	}
	return 0;
}

int sema_cond(struct compiler *c, struct expr *e)
{
	struct type *x, *y;

	if (sema_choose(c, e))
		return -1;
	if (e->kind != E_COND)
		return sema_expr(c, e);
	if (sema_choose(c, e->b) || sema_choose(c, e->c))
		return -1;
	if (calls_action(c->opt->lang, e->b) || calls_action(c->opt->lang, e->c))
		return diag_error(c->d, D_OP_ACT, e->loc,
				  "action cannot be used in a conditional context");
	if (sema_expr(c, e->b) || sema_expr(c, e->c))
		return -1;
	if (operand_need_scalar(c, e->a, "?:", "expression must be"))
		return -1;
	if (type_is(e->b->type, T_AGG) || type_is(e->c->type, T_AGG))
		return diag_error(c->d, D_OP_DYN, e->loc,
				  "operator ?: operands cannot be of dynamic type");
	x = decayed(c, e->b->type);
	y = decayed(c, e->c->type);
	if (expr_is_unknown(e->b) || expr_is_unknown(e->c))
		e->type = expr_is_unknown(e->b) ? y : x;
	else if ((type_is(x, T_STRING) && expr_may_be_string(e->c)) ||
		 (type_is(y, T_STRING) && expr_may_be_string(e->b)))
		e->type = &type_string;
	else if (type_is_integer(x) && type_is_integer(y))
		e->type = operands_promote(c, &e->b, &e->c);
	else if (type_is(x, T_PTR) && type_is_scalar(y))
		e->type = e->b->kind == E_INT && type_is(y, T_PTR) ? y : x;
	else if (type_is(y, T_PTR) && type_is_scalar(x))
		e->type = y;
	else if (type_same(x, y))
		e->type = x;
	else
		return diag_error(c->d, D_OP_INCOMPAT, e->loc,
				  "operator ?: operands have incompatible types: %s",
				  type_texts(c, x, ":", y));
	if (type_is(e->type, T_PTR))
		choose_pointer(c, e);
	if (!type_is(e->type, T_STRING))
		return 0;
	sema_string(c, &e->b);
	sema_string(c, &e->c);
	return 0;
}

static bool is_action(const struct expr *e)
{
	return e->kind == E_CALL && (type_is(e->type, T_VOID) || type_is_shown(e->type));
}

int sema_comma(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a) || sema_expr(c, e->b))
		return -1;
	if (type_is(e->a->type, T_AGG) || type_is(e->b->type, T_AGG))
		return diag_error(c->d, D_OP_DYN, e->loc,
				  "operator , operands cannot be of dynamic type");
	if (is_action(e->a) || is_action(e->b))
		return diag_error(c->d, D_OP_ACT, e->loc, "operator , operands cannot be actions");
	if (expr_is_xlated(e->a))
		e->a = xlated_value(c, e->a);
	e->type = e->b->type;
	return 0;
}
