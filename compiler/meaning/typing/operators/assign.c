/*
 * assign.c - type-checks assignments, which also declare variables.
 */
#include "compiler/meaning/typing/operators/assign.h"

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/operators/index.h"
#include "compiler/meaning/typing/calls/key.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/meaning/typing/operators/operand.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/typing/calls/shown.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/* Checks that a variable can hold a value of type @t. Returns 0, or -1 with the error recorded. */
static int check_value(struct compiler *c, const struct expr *lhs, const struct expr *rhs,
		       struct type *t)
{
	if (expr_is_xlated(rhs))
		return diag_error(c->d, D_OP_INCOMPAT, lhs->loc,
				  "%s cannot hold %s: a translated value has only members, so "
				  "store a member",
				  lhs->name, expr_source(c, rhs));
	if (type_is(t, T_VOID) || type_is(t, T_AGG)) {
		diag_error(c->d, D_OP_INCOMPAT, lhs->loc, "%s cannot hold a value of type \"%s\"",
			   lhs->name, type_text(c, t));
		if (rhs->kind == E_CALL)
			hint_no_value(c, lhs, rhs);
		else
			hint_not_aggregated(c, rhs, rhs);
		return -1;
	}
	if (type_is(t, T_ARRAY))
		return diag_error(c->d, D_OP_ARRFUN, lhs->loc,
				  "operator = may not be applied to operand of type \"%s\"",
				  type_text(c, t));
	return 0;
}

/* Returns the type of a variable whose first value is @e. */
static struct type *value_type(const struct expr *e)
{
	return expr_is_text(e) && !type_is(e->type, T_PTR) ? &type_string : e->type;
}

static int assign_new(struct compiler *c, struct expr *lhs, const struct expr *rhs)
{
	enum decl_scope scope = lhs->kind == E_THIS   ? DECL_THIS
				: lhs->kind == E_SELF ? DECL_SELF
						      : DECL_GLOBAL;
	struct type *t = value_type(rhs);
	struct var *v;

	if (ident_reserved(c, lhs) || check_value(c, lhs, rhs, t))
		return -1;
	v = var_add(c->names, lhs->lib, scope, lhs->name, t, NOT_DECLARED);
	lhs->ref.var = v;
	lhs->symkind = SYM_VAR;
	lhs->type = t;
	lhs->typed = true;
	return scope == DECL_SELF ? ident_need_thread(c, lhs) : 0;
}

static bool is_new_var(struct compiler *c, const struct expr *e)
{
	if (e->kind == E_THIS)
		return !var_find(c->names, e->lib, DECL_THIS, e->name);
	if (e->kind == E_SELF)
		return !var_find(c->names, e->lib, DECL_SELF, e->name);
	return e->kind == E_IDENT && !e->mod && !ident_bound(c, e->name) &&
	       !var_find(c->names, e->lib, DECL_GLOBAL, e->name) &&
	       !inline_find(c->names, e->lib, e->name) && !name_is_builtin(c->opt->lang, e->name) &&
	       !function_kind(c->opt->lang, e->name);
}

static bool is_new_assoc(struct compiler *c, const struct expr *e)
{
	return e->kind == E_INDEX && (e->a->kind == E_IDENT || e->a->kind == E_SELF) &&
	       is_new_var(c, e->a);
}

int sema_counter(struct compiler *c, struct expr *e)
{
	struct expr zero = {.kind = E_INT,
			    .type = &type_long,
			    .loc = e->loc,
			    .lib = e->lib,
			    .is_const = true};

	if (is_new_var(c, e))
		return assign_new(c, e, &zero);
	if (is_new_assoc(c, e))
		return sema_keys(c, e->arg, e->narg, e->loc, KEY_OF_ARRAY)
			       ? -1
			       : sema_assoc(c, e, declare_assoc(c, e, &type_long));
	return sema_expr(c, e);
}

/* Returns the variable or associative array that @e names, or NULL. @e need not have a type yet. */
static struct var *var_named(struct compiler *c, const struct expr *e)
{
	if (e->kind == E_INDEX)
		return assoc_var(c, e);
	if (e->kind == E_THIS || e->kind == E_SELF)
		return var_find(c->names, e->lib, e->kind == E_THIS ? DECL_THIS : DECL_SELF,
				e->name);
	return e->kind == E_IDENT && !e->mod && !ident_bound(c, e->name)
		       ? var_find(c->names, e->lib, DECL_GLOBAL, e->name)
		       : NULL;
}

static int sema_lhs(struct compiler *c, struct expr *e)
{
	struct expr *lhs = e->a;

	if (e->op)
		return sema_counter(c, lhs);
	if (is_new_var(c, lhs))
		return assign_new(c, lhs, e->b);
	if (is_new_assoc(c, lhs)) {
		struct type *t = value_type(e->b);

		if (sema_keys(c, lhs->arg, lhs->narg, lhs->loc, KEY_OF_ARRAY))
			return -1;
		if (check_value(c, lhs->a, e->b, t))
			return -1;
		return sema_assoc(c, lhs, declare_assoc(c, lhs, t));
	}
	if (var_named(c, lhs))
		settle_type(c, &var_named(c, lhs)->type, value_type(e->b));
	return sema_expr(c, lhs);
}

/*
 * Returns whether @e assigns 0 or NULL in its special meaning: it makes a string NULL, or it
 * deletes the entry of a map (var_in_map()) whose value is a struct, union, array or float.
 */
static bool frees(const struct expr *e)
{
	if (e->op || !str_is_null(e->b))
		return false;
	return type_is(e->a->type, T_STRING) ||
	       (e->a->symkind == SYM_VAR && var_in_map(e->a->ref.var) &&
		var_in_memory(e->a->ref.var));
}

/* Sets e->ctype, the type in which "a op= b" is computed, to the type of "a op b". */
static void computed_in(struct compiler *c, struct expr *e)
{
	e->ctype = e->a->type;
	if (!type_is_integer(e->a->type) || e->op == B_SHL || e->op == B_SHR)
		return;
	e->ctype = type_promote(e->a->type, e->b->type);
	sema_see_as(c, &e->b, e->ctype);
}

/*
 * Converts the right side to the type of the left side. Leaves numbers as they are, because the
 * store truncates them.
 */
static void assigned_as(struct compiler *c, struct expr *e)
{
	struct var *v = lvalue_var(e->a);

	if (type_is(e->a->type, T_STRING)) {
		sema_string(c, &e->b);
		if (e->a->symkind == SYM_VAR)
			v->cls = str_union(v->cls, str_class(c, e->b));
	} else if (frees(e)) {
		e->b = convert(c, e->b, CONV_NULL, e->a->type);
	} else {
		sema_decay(c, &e->b);
	}
}

int sema_assign(struct compiler *c, struct expr *e)
{
	if (e->a->kind == E_AGG && e->b->kind == E_CALL)
		return not_in_expression(c, e->b);
	if (sema_expr(c, e->b))
		return -1;
	if (type_is_shown(e->b->type))
		return not_in_expression(c, e->b);
	if (sema_lhs(c, e) ||
	    lvalue_need_variable(c, e,
				 arena_printf(c->arena, "%s=", e->op ? operator_text[e->op] : "")))
		return -1;
	if (type_is(e->a->type, T_ARRAY))
		return diag_error(c->d, D_OP_ARRFUN, e->loc,
				  "operator %s= may not be applied to operand of type \"%s\"",
				  e->op ? operator_text[e->op] : "", type_text(c, e->a->type));
	if (e->op && (!type_is_scalar(e->a->type) || !type_is_integer(e->b->type)))
		return operands_incompatible(c, e,
					     arena_printf(c->arena, "%s=", operator_text[e->op]));
	if (operand_divides_by_zero(e->op, e->b))
		return diag_error(c->d, D_DIV_ZERO, e->loc, "expression contains division by zero");
	if (!e->op && type_is_text_pointer(e->a->type) && expr_is_string(e->b))
		sema_chars(c, &e->b);
	if (!frees(e) && !e->op && !type_fits(e->a->type, e->b))
		return operands_incompatible(c, e, "=");
	if (e->op)
		computed_in(c, e);
	else
		assigned_as(c, e);
	if (lvalue_address_in_element(e->b))
		return diag_error(c->d, D_ADDROF_VAR, e->b->loc,
				  "cannot take address of dynamic variable");
	e->type = e->a->type;
	return 0;
}
