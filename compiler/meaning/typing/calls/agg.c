/*
 * agg.c - type-checks updates of aggregations: @name[keys] = function(...).
 */
#include "compiler/meaning/typing/calls/agg.h"

#include <stdio.h>
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/calls/key.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/typing/calls/shown.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Returns the kind of a key: string, stack, symbol or number. All uses of an aggregation must have
 * keys of the same kind, because keys of different kinds may have the same bytes.
 */
static enum type_kind key_kind(struct type *t)
{
	return type_is(t, T_STRING) || type_is_shown(t) ? type_strip(t)->kind : T_INT;
}

static bool key_fits(struct type *first, struct type *t)
{
	if (type_is_sou(first) || type_is_sou(t))
		return type_same(first, t);
	return key_kind(first) == key_kind(t);
}

static int agg_keys(struct compiler *c, struct agg *a, struct expr *e)
{
	const char *name = arena_printf(c->arena, "@%s", a->name);
	bool first = !a->fn;

	if (sema_keys(c, e->arg, e->narg, e->loc, KEY_OF_AGGREGATION))
		return -1;
	if (first) {
		a->nkey = e->narg;
		a->key = arena_newn(c->arena, struct type *, e->narg);
		a->key_class = arena_newn(c->arena, struct strclass, e->narg);
		a->key_label = arena_newn(c->arena, const char *, e->narg);
	} else if (a->nkey != e->narg) {
		return key_wrong_number(c, e, name, a->nkey);
	}
	for (uint32_t i = 0; i < a->nkey; i++) {
		struct type *t;

		sema_show(c, &e->arg[i]);
		t = e->arg[i]->type;
		if (first) {
			a->key[i] = t;
			a->key_label[i] = expr_label(e->arg[i]);
		}
		settle_type(c, &a->key[i], t);
		if (!expr_is_unknown(e->arg[i]) && !key_fits(a->key[i], t))
			return key_wrong_type(c, e, name, i, a->key[i], t);
		/*
		 * The key has the size of its largest type. Numbers are truncated to the size of
		 * the first key.
		 */
		if (!type_is_scalar(t) && type_strip(t)->size > type_strip(a->key[i])->size)
			a->key[i] = t;
		if (type_is(t, T_STRING))
			a->key_class[i] = str_union(a->key_class[i], str_class(c, e->arg[i]));
	}
	return 0;
}

/*
 * Checks the constant parameters of the function, which follow the value. They must be the same in
 * every clause that updates the aggregation.
 */
static int agg_params(struct compiler *c, struct agg *a, const struct agg_fn_def *fn,
		      struct expr *call)
{
	int64_t param[4] = {0};
	enum dtag tag = D_UNKNOWN;
	int n = 0;
	const char *msg;

	for (uint32_t i = fn->nvalue; i < call->narg && n < fn->nparam_max; i++, n++)
		if (call->arg[i]->is_const)
			param[n] = call->arg[i]->value;
		else
			return diag_error(c->d, fn->param[n].not_const, call->loc,
					  "%s( ) argument #%d must be %s", fn->name, n + 1,
					  fn->param[n].want);
	msg = fn->check ? fn->check(param, n, &tag) : NULL;
	if (msg)
		return diag_error(c->d, tag, call->loc, "%s( ) %s", fn->name, msg);
	for (int i = 0; a->fn && i < fn->nparam_max; i++)
		if (a->param[i] != param[i])
			return diag_error(c->d, fn->param[i].differs, call->loc,
					  "%s (argument #%d) doesn't match previous declaration: "
					  "expected %lld, found %lld",
					  fn->param[i].name, i + 1, (long long)a->param[i],
					  (long long)param[i]);
	memcpy(a->param, param, sizeof(param));
	a->nparam = n;
	return 0;
}

static int agg_args(struct compiler *c, const struct agg_fn_def *fn, struct expr *call)
{
	unsigned min = fn->nvalue + fn->nparam_min;
	unsigned max = fn->nvalue + fn->nparam_max + fn->weighted;

	if (sema_nargs(c, call, min, max, D_PROTO_LEN))
		return -1;
	for (uint32_t i = 0; i < call->narg; i++)
		if (sema_expr(c, call->arg[i]))
			return -1;
	if (fn->nvalue && !type_is_scalar(call->arg[0]->type))
		return diag_error(c->d, D_AGG_SCALAR, call->loc,
				  "%s( ) argument #1 must be of scalar type", fn->name);
	if (fn->weighted && call->narg == max && !type_is_scalar(call->arg[max - 1]->type))
		return diag_error(c->d, D_PROTO_ARG, call->loc,
				  "%s( ) increment value (argument #%u) must be of scalar type",
				  fn->name, max);
	return 0;
}

static int redefined(struct compiler *c, const struct expr *e, const struct agg *a,
		     const struct agg_fn_def *fn)
{
	char line[32] = "";
	unsigned at, col;

	if (a->loc.src->kind != SRC_CMDLINE) {
		loc_line(a->loc, &at, &col, NULL);
		snprintf(line, sizeof(line), " : line %u", at);
	}
	return diag_error(c->d, D_AGG_REDEF, e->loc,
			  "aggregation redefined: @%s\n\t current: @%s = %s( )\n\tprevious: @%s = "
			  "%s( )%s",
			  a->name, a->name, fn->name, a->name, a->fn->name, line);
}

int sema_agg(struct compiler *c, struct expr *e)
{
	struct expr *lhs = e->a, *call = e->b;
	const struct agg_fn_def *fn;
	struct agg *a;

	if (call->kind != E_CALL || e->op) {
		diag_error(c->d, D_AGG_FUNC, e->loc,
			   "aggregation @%s must be assigned the result of an aggregating "
			   "function",
			   lhs->name);
		hint_not_aggregated(c, lhs, e);
		return -1;
	}
	fn = agg_fn_find(call->name);
	if (!fn) {
		if (function_kind(c->opt->lang, call->name))
			diag_error(c->d, D_AGG_FUNC, call->loc,
				   "%s( ) is not an aggregating function", call->name);
		else
			unknown_function(c, call, true);
		hint_function(c, call->name, true);
		return -1;
	}
	a = agg_get(c->names, lhs->name, lhs->loc);
	if (a->fn && a->fn != fn)
		return redefined(c, e, a, fn);
	if (agg_args(c, fn, call) || agg_params(c, a, fn, call) || agg_keys(c, a, lhs))
		return -1;
	a->fn = fn;
	lhs->symkind = SYM_AGG;
	lhs->ref.agg = a;
	lhs->type = e->type = &type_void;
	return 0;
}
