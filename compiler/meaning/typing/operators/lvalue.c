/*
 * lvalue.c - finds out what can be assigned to (lvalues).
 */
#include "compiler/meaning/typing/operators/lvalue.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

bool lvalue_is_bit_field(const struct expr *e)
{
	struct type *t = e->kind == E_MEMBER ? type_strip(e->a->type) : NULL;
	struct member m;

	if (t && e->arrow)
		t = type_strip(t->to);
	return t && type_is_sou(t) && type_member(t, e->name, &m) && m.bits;
}

bool lvalue_is(const struct expr *e)
{
	switch (e->kind) {
	case E_MEMBER:
		return true;
	case E_INDEX:
		return e->symkind == SYM_VAR || !expr_is_string(e->a);
	case E_UNARY:
		return e->op == U_DEREF;
	case E_IDENT:
	case E_THIS:
	case E_SELF:
		return e->symkind == SYM_VAR;
	default:
		return false;
	}
}

struct var *lvalue_var(const struct expr *e)
{
	e = expr_target(e);
	while (e->symkind != SYM_VAR) {
		if (e->kind != E_INDEX && (e->kind != E_MEMBER || e->arrow))
			return NULL;
		if (e->kind == E_INDEX && !type_is(e->a->type, T_ARRAY))
			return NULL;
		e = expr_target(e->a);
	}
	return e->ref.var;
}

bool lvalue_address_in_element(const struct expr *e)
{
	const struct var *v;

	switch (e->kind) {
	case E_COND:
		return lvalue_address_in_element(e->b) || lvalue_address_in_element(e->c);
	case E_COMMA:
		return lvalue_address_in_element(e->b);
	case E_BINARY:
		return lvalue_address_in_element(e->a) || lvalue_address_in_element(e->b);
	case E_CAST:
		if (e->op == CONV_KEEP)
			return lvalue_address_in_element(e->a);
		v = e->op == CONV_ADDRESS ? lvalue_var(e->a) : NULL;
		return v && var_in_map(v);
	default:
		return false;
	}
}

/* Returns the pointer through which lvalue @e is accessed, or NULL if there is none. */
static const struct expr *lvalue_pointer(const struct expr *e)
{
	for (e = expr_target(e);; e = expr_target(e->a)) {
		if (e->symkind == SYM_VAR)
			return NULL;
		if (e->kind == E_UNARY && e->op == U_DEREF)
			return e->a;
		if (e->kind != E_MEMBER && e->kind != E_INDEX)
			return NULL;
		if (e->arrow || (e->kind == E_INDEX && !type_is(e->a->type, T_ARRAY)))
			return e->a;
	}
}

bool lvalue_is_users(const struct expr *e)
{
	const struct expr *p = lvalue_pointer(e);

	return p && type_is_userland(p->type);
}

/*
 * Returns whether the program may try to write through pointer @e. It may only if @e comes from a
 * variable or from allocated memory. A test at run time checks the address itself.
 */
static bool may_point_to_ours(const struct expr *e)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_CALL:
		return e->symkind == SYM_SUBR && type_is(e->type, T_PTR) && !e->ref.subr->lib_only;
	case E_CAST:
	case E_UNARY:
	case E_MEMBER:
	case E_ASSIGN:
		return may_point_to_ours(e->a);
	case E_INDEX:
		return e->symkind == SYM_VAR || may_point_to_ours(e->a);
	case E_BINARY:
		return may_point_to_ours(e->a) || may_point_to_ours(e->b);
	case E_COND:
		return may_point_to_ours(e->b) && may_point_to_ours(e->c);
	case E_COMMA:
		return may_point_to_ours(e->b);
	default:
		return e->symkind == SYM_VAR;
	}
}

int lvalue_need_variable(struct compiler *c, const struct expr *e, const char *op)
{
	const struct expr *to = e->a;
	struct var *v = lvalue_var(to);

	if (v) {
		v->assigned = true;
		v->nassign++;
		return 0;
	}
	if (lvalue_is(to) && !to->lib && lvalue_pointer(to) &&
	    may_point_to_ours(lvalue_pointer(to))) {
		c->typing->memory |= MEMORY_USED;
		return 0;
	}
	if (lvalue_is(to) || (to->kind == E_IDENT && to->symkind)) {
		diag_error(c->d, D_OP_WRITE, e->loc,
			   "operator %s can only be applied to a writable variable", op);
		if (c->d->now == DIAG_IN_PREDICATE)
			diag_hint(c->d, "'==' compares, '=' assigns");
		return -1;
	}
	diag_error(c->d, D_OP_LVAL, e->loc, "operator %s requires modifiable lvalue as an operand",
		   op);
	if (c->d->now == DIAG_IN_PREDICATE)
		diag_hint(c->d, "'==' compares, '=' assigns");
	return -1;
}
