/*
 * stmt.c - type-checks statements and predicates.
 */
#include "compiler/meaning/typing/stmt.h"

#include "agg/agg.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/typing/calls/agg.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/operators/operator.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/names/translate.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

static int sema_statement(struct compiler *c, struct expr *e)
{
	if (sema_choose(c, e))
		return -1;
	if (e->kind == E_ASSIGN && e->a->kind == E_AGG)
		return sema_agg(c, e);
	if (e->kind == E_AGG)
		return diag_error(c->d, D_AGG_NULL, e->loc, "expression has null effect: @%s",
				  e->name);
	if (e->kind == E_CALL && agg_fn_find(e->name))
		return not_in_expression(c, e);
	if (sema_expr(c, e))
		return -1;
	if (expr_is_xlated(e))
		*e = *xlated_value(c, e);
	return 0;
}

static int sema_if(struct compiler *c, struct stmt *s)
{
	if (sema_expr(c, s->expr))
		return -1;
	if (!type_is_scalar(s->expr->type))
		return diag_error(c->d, D_PRED_SCALAR, s->expr->loc,
				  "if( ) condition must be of scalar type");
	return sema_stmts(c, s->body) || sema_stmts(c, s->other) ? -1 : 0;
}

int sema_stmts(struct compiler *c, struct stmt *s)
{
	for (; s; s = s->next)
		if (s->kind == S_IF ? sema_if(c, s) : sema_statement(c, s->expr))
			return -1;
	return 0;
}

int sema_predicate(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e))
		return -1;
	if (!type_is_scalar(e->type)) {
		diag_error(c->d, D_PRED_SCALAR, e->loc, "predicate result must be of scalar type");
		hint_not_aggregated(c, e, e);
		return -1;
	}
	return 0;
}
