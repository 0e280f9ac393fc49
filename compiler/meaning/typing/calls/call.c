/*
 * call.c - type-checks calls of subroutines and actions.
 */
#include "compiler/meaning/typing/calls/call.h"

#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

int not_in_expression(struct compiler *c, const struct expr *call)
{
	return diag_error(c->d, D_CG_EXPR, call->loc,
			  "%s( ) may not be called from a D expression (D program context "
			  "required)",
			  call->name);
}

int sema_nargs(struct compiler *c, const struct expr *call, uint32_t min, uint32_t max,
	       enum dtag tag)
{
	const char *how = min == max ? "" : call->narg < min ? "at least " : "at most ";
	uint32_t want = call->narg < min ? min : max;

	if (call->narg >= min && call->narg <= max)
		return 0;
	return diag_error(c->d, tag, call->loc,
			  "%s( ) prototype mismatch: %u arg%s passed, %s%u expected", call->name,
			  call->narg, call->narg == 1 ? "" : "s", how, want);
}

int sema_bad_arg(struct compiler *c, const struct expr *call, uint32_t i, const char *proto)
{
	return diag_error(c->d, D_PROTO_ARG, call->loc,
			  "%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t "
			  "argument: %s",
			  call->name, i + 1, proto, type_text(c, call->arg[i]->type));
}

/*
 * Returns whether @want is "struct in6_addr *". A parameter of this type accepts an IP address in
 * any form: a text, a pointer, or an array of bytes.
 */
static bool wants_address(struct type *want)
{
	const char *name = type_is(want, T_PTR) ? type_strip(type_strip(want)->to)->name : NULL;

	return name && !strcmp(name, "in6_addr");
}

/*
 * Returns whether @want is uintptr_t. A parameter of this type accepts a number or a pointer, as an
 * address in a process.
 */
static bool wants_number_or_pointer(const struct type *want)
{
	return want->kind == T_TYPEDEF && !strcmp(want->name, "uintptr_t");
}

/*
 * Returns whether argument @arg fits a parameter of type @want. A void * or char * accepts any
 * pointer, and in library text also a number. A char * also accepts a string, as the address of its
 * characters.
 */
static bool arg_fits(struct compiler *c, struct type *want, const struct expr *arg)
{
	struct type *is = decayed(c, arg->type);

	if (expr_is_unknown(arg))
		return true;
	if (type_is(want, T_STRING))
		return str_is_null(arg) || expr_may_be_string(arg);
	if (wants_address(want))
		return expr_is_string(arg) || addr_size(arg->type) != 0;
	if (!type_is(want, T_PTR))
		return type_is_integer(is) || (wants_number_or_pointer(want) && type_is(is, T_PTR));
	if ((type_is_text_pointer(want) && expr_is_string(arg)) ||
	    (type_is_integer(is) && expr_is_zero(arg)))
		return true;
	if (type_is(type_strip(want)->to, T_VOID) || type_is_text_pointer(want))
		return type_is(is, T_PTR) || (type_is_integer(is) && arg->lib);
	return type_is(is, T_PTR) && type_same(want, is);
}

/*
 * Checks that argument @i fits type @want. Converts it if @want is a string, and makes an address
 * of an array or of a string where a pointer is wanted.
 */
static int sema_arg(struct compiler *c, struct expr *call, uint32_t i, struct type *want)
{
	bool string = type_is(want, T_STRING);

	if (sema_expr(c, call->arg[i]))
		return -1;
	if (!arg_fits(c, want, call->arg[i]))
		return sema_bad_arg(c, call, i,
				    string                ? "const char *"
				    : wants_address(want) ? "address"
							  : type_text(c, want));
	if (string)
		sema_string(c, &call->arg[i]);
	else if (wants_address(want))
		return 0;
	else if (expr_is_string(call->arg[i]))
		sema_chars(c, &call->arg[i]);
	else
		sema_decay(c, &call->arg[i]);
	return 0;
}

/*
 * Checks the arguments of @call against the C prototype in @text and sets their types. Returns the
 * type of the result, or NULL after recording an error.
 */
static struct type *sema_proto(struct compiler *c, struct expr *call, const char *text)
{
	struct type *fn = lang_type(c, text);
	struct member *param;
	uint32_t n;

	if (!fn) {
		diag_error(c->d, D_UNSUPPORTED, call->loc,
			   "%s( ) is not possible here: there are no types for \"%s\"", call->name,
			   text);
		return NULL;
	}
	param = type_members(fn, &n);
	if (sema_nargs(c, call, fn->nelem, n, D_PROTO_LEN))
		return NULL;
	for (uint32_t i = 0; i < call->narg; i++)
		if (sema_arg(c, call, i, param[i].type))
			return NULL;
	return fn->to;
}

/*
 * Type-checks a call of an action or aggregating function. Such a call has no value. If it stands
 * where a value is needed, the check of the outer expression reports the error.
 */
static int sema_action(struct compiler *c, struct expr *e)
{
	const struct action_def *act = lang_action(c->opt->lang, e->name);

	e->type = &type_void;
	if (act) {
		e->symkind = SYM_ACTION;
		e->ref.action = act;
		c->wants->destructive |= act->destructive;
		if (act->impossible)
			c->wants->impossible = arena_printf(c->arena, "%s( ) is not possible: %s",
							    act->name, act->impossible);
		if (act->proto && !sema_proto(c, e, act->proto))
			return -1;
		/* check() may set another type, as for stack() */
		return act->check ? act->check(c, e) : 0;
	}
	for (uint32_t i = 0; i < e->narg; i++)
		if (sema_expr(c, e->arg[i]))
			return -1;
	return 0;
}

int unknown_function(struct compiler *c, const struct expr *e, bool aggregating)
{
	if (lang_var(c->opt->lang, e->name) || var_find(c->names, e->lib, DECL_GLOBAL, e->name) ||
	    inline_find(c->names, e->lib, e->name)) {
		diag_error(c->d, D_FUNC_IDKIND, e->loc,
			   "scalar '%s' may not be referenced as a function", e->name);
		diag_hint(c->d, "%s is a variable: write it without parentheses", e->name);
		return -1;
	}
	if (c->opt->lang->why_never(e->name))
		return diag_error(c->d, D_UNSUPPORTED, e->loc, "there is no %s( ) here: %s",
				  e->name, c->opt->lang->why_never(e->name));
	diag_error(c->d, D_FUNC_UNDEF, e->loc, "undefined function name: %s", e->name);
	hint_function(c, e->name, aggregating);
	return -1;
}

/*
 * Returns the row of the table of subroutines for @e, a call of @s. The last argument may be a flag
 * that selects another row than @s. Returns NULL with the error recorded.
 */
static const struct subr *by_flag(struct compiler *c, const struct expr *e, const struct subr *s)
{
	const struct expr *flag = e->arg[e->narg - 1];

	if (!s->flagged || e->narg < 2)
		return s;
	if (!flag->is_const) {
		diag_error(c->d, D_PROTO_ARG, flag->loc, "%s( ) argument #%u must be a constant",
			   e->name, e->narg);
		return NULL;
	}
	return flag->value ? lang_subr(c->opt->lang, s->flagged) : s;
}

bool call_is_either(const struct expr *e)
{
	return e->lib && !strcmp(e->name, "__either");
}

/* Type-checks __either(x, y). @e becomes x, or y if x needs something that this kernel lacks. */
static int sema_either(struct compiler *c, struct expr *e)
{
	struct attempt a;
	struct expr *x;
	bool bad;

	if (sema_nargs(c, e, 2, 2, D_PROTO_LEN))
		return -1;
	x = expr_clone(c->arena, e->arg[0]);
	attempt_begin(&a, c);
	bad = sema_expr(&a.c, x) != 0;
	if (!bad)
		attempt_keep(&a, c);
	attempt_end(&a);
	*e = bad ? *e->arg[1] : *x;
	return bad ? sema_expr(c, e) : 0;
}

int sema_call(struct compiler *c, struct expr *e)
{
	const struct subr *s = lang_subr(c->opt->lang, e->name);

	if (call_is_either(e))
		return sema_either(c, e);
	if (!s || (s->lib_only && !e->lib))
		return lang_action(c->opt->lang, e->name) || agg_fn_find(e->name)
			       ? sema_action(c, e)
			       : unknown_function(c, e, false);
	e->type = sema_proto(c, e, s->proto);
	if (!e->type)
		return -1;
	if (e->narg)
		s = by_flag(c, e, s);
	if (!s || (s->str == S_ENUM && enumstr_check(c, e)))
		return -1;
	if (s->check && s->check(c, e))
		return -1;
	c->wants->uses_tokens |= s->tokens;
	if (!e->lib)
		thread_note(c, e->name);
	e->symkind = SYM_SUBR;
	e->ref.subr = s;
	return 0;
}
