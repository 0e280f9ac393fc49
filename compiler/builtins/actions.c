/*
 * actions.c - the table of actions, with a row for each.
 *
 * The function `check` of a row checks the arguments of a call and sets their types. Its error
 * messages are those of D. The function `emit` says which fields the record must have, so that the
 * consumer, the part of dtrace that reads records, can carry out the action.
 */
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "compiler/builtins/chill.h"
#include "compiler/builtins/lang.h"
#include "compiler/builtins/memory.h"
#include "compiler/builtins/pcap.h"
#include "compiler/builtins/process.h"
#include "compiler/builtins/spec.h"
#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/shape.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/calls/shown.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/format.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/* Checks that argument @i names an aggregation that the program has updated before. */
static int check_agg(struct compiler *c, struct expr *call, uint32_t i, enum dtag tag,
		     enum dtag bad)
{
	struct expr *e = call->arg[i];
	struct agg *a;

	if (e->kind != E_AGG)
		return sema_expr(c, e) ? -1
				       : diag_error(c->d, tag, call->loc,
						    "%s( ) argument #%u is incompatible with "
						    "prototype:\n\tprototype: "
						    "aggregation\n\t argument: %s",
						    call->name, i + 1, type_text(c, e->type));
	if (e->narg)
		return diag_error(c->d, D_PRINTA_AGGKEY, e->loc,
				  "%s( ) takes only the name of the aggregation: leave out its "
				  "[keys]",
				  call->name);
	a = agg_find(c->names, e->name);
	if (!a) {
		diag_error(c->d, bad, e->loc, "undefined aggregation: @%s", e->name);
		hint_aggregation(c, e->name);
		return -1;
	}
	e->ref.agg = a;
	e->symkind = SYM_AGG;
	e->type = &type_agg;
	return 0;
}

/*
 * Checks that argument @i is a number. @proto is the type of this argument in D's prototype of the
 * action, for the message.
 */
static int check_number(struct compiler *c, struct expr *call, uint32_t i, const char *proto)
{
	if (sema_expr(c, call->arg[i]))
		return -1;
	return type_is_integer(call->arg[i]->type) ? 0 : sema_bad_arg(c, call, i, proto);
}

static void use_agg(struct fire *g, struct action_info *out, const struct expr *e)
{
	uint32_t *all = arena_newn(g->c->arena, uint32_t, out->nagg + 1);

	if (out->nagg)
		memcpy(all, out->agg, out->nagg * sizeof(*all));
	all[out->nagg++] = e->ref.agg->index;
	out->agg = all;
}

/* -------------------------------------------------------- trace, stack, exit */

static int check_trace(struct compiler *c, struct expr *call)
{
	const struct expr *e;

	if (sema_nargs(c, call, 1, 1, D_PROTO_LEN) || sema_expr(c, call->arg[0]))
		return -1;
	e = expr_target(call->arg[0]);
	if (type_is(e->type, T_VOID))
		return diag_error(c->d, D_TRACE_VOID, call->loc,
				  "trace( ) may not be applied to a void expression");
	if (type_is(e->type, T_AGG)) {
		diag_error(c->d, D_TRACE_DYN, call->loc,
			   "trace( ) may not be applied to a dynamic expression");
		diag_hint(c->d, "printa( ) prints an aggregation; without printa( ), dtrace prints "
				"it at the end");
		return -1;
	}
	if (type_is(e->type, T_XLATED))
		return diag_error(c->d, D_TRACE_DYN, call->loc,
				  "trace( ) may not be applied to a translated pointer");
	sema_show(c, &call->arg[0]);
	return 0;
}

static void emit_trace(struct fire *g, const struct expr *call, struct action_info *out)
{
	record_arg(g, out, call->arg[0]);
}

static int check_print(struct compiler *c, struct expr *call)
{
	struct type *t;

	if (sema_nargs(c, call, 1, 1, D_PROTO_LEN) || sema_expr(c, call->arg[0]))
		return -1;
	t = call->arg[0]->type;
	if (type_is(t, T_VOID))
		return diag_error(c->d, D_PRINT_VOID, call->loc,
				  "print( ) may not be applied to a void expression");
	if (type_is(t, T_AGG) || type_is(t, T_XLATED) || type_is(t, T_STACK)) {
		diag_error(c->d, D_PRINT_DYN, call->loc,
			   "print( ) may not be applied to a dynamic expression");
		diag_hint(c->d,
			  type_is(t, T_AGG) ? "use printa( ) to print an aggregation"
			  : type_is(t, T_XLATED)
				  ? "print one of its members: dtrace -lvvn PROBE lists the members"
				  : "a stack function prints the stack itself: call it without "
				    "print( )");
		return -1;
	}
	call->extra.shape = shape_of(c, t);
	return 0;
}

static void emit_print(struct fire *g, const struct expr *call, struct action_info *out)
{
	out->shape = call->extra.shape;
	record_arg(g, out, call->arg[0]);
}

#define TRACEMEM_MAX (1 << 20)

/*
 * Returns an expression for the memory at @addr: an array of @n bytes that are not text. @loc is
 * the position of the call.
 */
static struct expr *bytes_at(struct compiler *c, struct expr *addr, uint32_t n, struct loc loc)
{
	struct expr *ptr = arena_new(c->arena, struct expr),
		    *all = arena_new(c->arena, struct expr);
	struct type *byte = arena_new(c->arena, struct type), *bytes;

	*byte = type_uchar;
	byte->is_char = false;
	byte->ptr_to_me = NULL;
	bytes = type_array(c->arena, byte, n);
	*ptr = (struct expr){.kind = E_CAST,
			     .loc = loc,
			     .type = type_ptr(c->arena, bytes),
			     .a = addr};
	ptr->ctype = ptr->type;
	*all = (struct expr){.kind = E_UNARY, .op = U_DEREF, .loc = loc, .type = bytes, .a = ptr};
	return all;
}

static int check_tracemem(struct compiler *c, struct expr *call)
{
	const struct expr *n;

	if (sema_nargs(c, call, 2, 3, D_PROTO_LEN) || sema_expr(c, call->arg[0]))
		return -1;
	sema_decay(c, &call->arg[0]);
	if (!type_is(call->arg[0]->type, T_PTR) && !type_is_integer(call->arg[0]->type))
		return diag_error(c->d, D_TRACEMEM_ADDR, call->loc,
				  "tracemem( ) argument #1 is incompatible with "
				  "prototype:\n\tprototype: pointer, array or "
				  "integer\n\t argument: %s",
				  type_text(c, call->arg[0]->type));
	if (check_number(c, call, 1, "size_t"))
		return -1;
	n = call->arg[1];
	if (!n->is_const || n->value <= 0)
		return diag_error(c->d, D_TRACEMEM_SIZE, call->loc,
				  "tracemem( ) argument #2 must be a positive integral constant "
				  "expression");
	if (n->value > TRACEMEM_MAX)
		return diag_error(c->d, D_TRACEMEM_SIZE, call->loc,
				  "tracemem( ) argument #2 is too large: at most %d bytes can be "
				  "recorded",
				  TRACEMEM_MAX);
	if (call->narg > 2 && check_number(c, call, 2, "size_t"))
		return -1;
	call->arg[0] = bytes_at(c, call->arg[0], (uint32_t)n->value, call->loc);
	return 0;
}

static void emit_tracemem(struct fire *g, const struct expr *call, struct action_info *out)
{
	record_arg(g, out, call->arg[0]);
	if (call->narg > 2)
		record_arg(g, out, call->arg[2]);
}

static void emit_stack(struct fire *g, const struct expr *call, struct action_info *out)
{
	record_arg(g, out, call);
}

/* --------------------------------------------------------- printf and printa */

static struct format *parse_format(struct compiler *c, struct expr *call)
{
	const char *why = NULL;
	struct format *f;

	if (call->arg[0]->kind != E_STR) {
		if (!sema_expr(c, call->arg[0])) {
			diag_error(c->d, D_PRINTF_ARG_FMT, call->loc,
				   "%s( ) argument #1 is incompatible with "
				   "prototype:\n\tprototype: string "
				   "constant\n\t argument: %s",
				   call->name, type_text(c, call->arg[0]->type));
			diag_hint(c->d, "a format comes first: %s(\"%%%c\\n\", ...)", call->name,
				  type_is(call->arg[0]->type, T_STRING) ? 's' : 'd');
		}
		return NULL;
	}
	if (!call->arg[0]->len) {
		diag_error(c->d, D_PRINTF_FMT_EMPTY, call->loc, "%s( ) format string is empty",
			   call->name);
		return NULL;
	}
	f = format_parse(c->arena, call->arg[0]->str, &why);
	if (!f)
		diag_error(c->d, D_SYNTAX, call->loc, "%s", why);
	return f;
}

static bool fits(enum conv_want want, uint8_t size, struct type *t)
{
	t = type_strip(t);
	if (t->kind == T_UNKNOWN)
		return true;
	switch (want) {
	case WANT_STRING:
	case WANT_HOST:
		return t->kind == T_STRING || (t->kind == T_ARRAY && type_strip(t->to)->is_char);
	case WANT_SINT:
		return type_is_integer(t) && (!size || t->size == size);
	case WANT_PTR:
		return type_is_scalar(t);
	case WANT_ADDR: /* %a, %A */
		return type_is_scalar(t) || t->kind == T_SYMBOL;
	case WANT_FLOAT:
		return t->kind == T_FLOAT;
	case WANT_STACK:
		return t->kind == T_STACK;
	case WANT_NONE:
		return false;
	case WANT_INT:
	case WANT_CHAR:
	case WANT_TIME:
	case WANT_PORT:
		return type_is_integer(t);
	}
	return false;
}

/* The state while a format is compared with its values. */
struct conversions {
	struct compiler *c;
	const struct expr *call;
	struct type **type; /* types of the values */
	uint32_t ntype, next;
	uint32_t before; /* number of arguments of the call before the first value */
	/* set for printa(): its values are keys, and %@ takes the value of an aggregation */
	bool aggs;
	uint32_t n; /* number of the conversion, from 1 */
};

/*
 * Records the error that @t is the wrong type for a conversion. @which names the argument, such as
 * "argument #2". @form is the conversion, such as "%d".
 */
static int bad_conversion(const struct conversions *cs, enum dtag tag, const char *which,
			  const char *form, const char *wanted, struct type *t)
{
	return diag_error(cs->c->d, tag, cs->call->loc,
			  "%s( ) %s is incompatible with conversion #%u prototype:\n"
			  "\tconversion: %s\n\t prototype: %s\n\t  argument: %s",
			  cs->call->name, which, cs->n, form, wanted, type_text(cs->c, t));
}

static const char *which_argument(const struct conversions *cs)
{
	return arena_printf(cs->c->arena, "argument #%u", cs->before + cs->next + 1);
}

/* Checks the argument that gives the width or precision for @star, which is "*" or ".*". */
static int check_star(struct conversions *cs, const struct conv *cv, const char *star)
{
	struct type *t;

	if (cs->next == cs->ntype)
		return diag_error(cs->c->d, D_PRINTF_DYN_PROTO, cs->call->loc,
				  "%s( ) prototype mismatch: conversion #%u (%%%s) is missing a "
				  "corresponding \"%s\" argument",
				  cs->call->name, cs->n, cv->def->name, star);
	t = cs->type[cs->next];
	if (!type_is_integer(t))
		return bad_conversion(cs, D_PRINTF_DYN_TYPE, which_argument(cs),
				      arena_printf(cs->c->arena, "%% %s %s", star, cv->def->name),
				      "int", t);
	cs->next++;
	return 0;
}

/* Checks a conversion such as %@d, which prints the value of an aggregation: an int64_t. */
static int check_agg_conversion(struct conversions *cs, const struct conv *cv, const char *form)
{
	struct type *t = scope_find(&cs->c->names->lib, TAG_TYPEDEF, "int64_t");

	if (!cs->aggs)
		return diag_error(cs->c->d, D_PRINTF_AGG_CONV, cs->call->loc,
				  "%%@ conversion requires an aggregation and is not for use with "
				  "%s( )",
				  cs->call->name);
	if (!t)
		BUG("there is no int64_t");
	if (!fits(cv->def->want, cv->size, t))
		return bad_conversion(cs, D_PRINTF_ARG_TYPE, "aggregating action", form,
				      cv->def->wanted, t);
	return 0;
}

static int check_value(struct conversions *cs, const struct conv *cv, const char *form)
{
	struct type *t;

	if (cs->next == cs->ntype)
		return diag_error(cs->c->d, D_PRINTF_ARG_PROTO, cs->call->loc,
				  "%s( ) prototype mismatch: conversion #%u (%s) is missing a "
				  "corresponding value argument",
				  cs->call->name, cs->n, form);
	t = cs->type[cs->next];
	if (fits(cv->def->want, cv->size, t)) {
		cs->next++;
		return 0;
	}
	bad_conversion(cs, D_PRINTF_ARG_TYPE, which_argument(cs), form, cv->def->wanted, t);
	if (cv->def->want == WANT_STRING && type_is(t, T_PTR))
		diag_hint(cs->c->d, "a pointer to characters is not a string: use stringof( )");
	else if (cv->def->want == WANT_STRING && type_is_integer(t))
		diag_hint(cs->c->d, "%%d prints numbers; to print text in the memory of a process, "
				    "use copyinstr( )");
	else if (cv->def->want == WANT_INT && type_is(t, T_STRING))
		diag_hint(cs->c->d, "%%s prints text");
	return -1;
}

static int check_conversion(struct conversions *cs, const struct conv *cv)
{
	const char *form = arena_printf(cs->c->arena, "%%%s", cv->def->name);

	if ((cv->flags & CONV_DYNWIDTH) && check_star(cs, cv, "*"))
		return -1;
	if ((cv->flags & CONV_DYNPREC) && check_star(cs, cv, ".*"))
		return -1;
	return cv->flags & CONV_AGG ? check_agg_conversion(cs, cv, form)
				    : check_value(cs, cv, form);
}

/*
 * Checks that the values fit format @f. Each '*' takes an integer, and each conversion takes a
 * value.
 */
static int check_conversions(struct conversions *cs, const struct format *f)
{
	for (uint32_t i = 0; i < f->nconv; i++) {
		const struct conv *cv = &f->conv[i];

		cs->n++;
		if (cv->def && cv->def->want != WANT_NONE && check_conversion(cs, cv))
			return -1;
	}
	if (!cs->aggs && cs->next < cs->ntype)
		return diag_error(cs->c->d, D_PRINTF_ARG_EXTRA, cs->call->loc,
				  "%s( ) prototype mismatch: only %u arguments required by this "
				  "format string",
				  cs->call->name, cs->next);
	return 0;
}

#define PRINTF_VALUES 1024 /* maximum number of values that one printf() shows */

static int check_printf(struct compiler *c, struct expr *call)
{
	struct conversions cs = {.c = c, .call = call, .before = 1};
	struct format *f;

	if (sema_nargs(c, call, 1, UINT32_MAX, D_PROTO_LEN))
		return -1;
	if (call->narg > PRINTF_VALUES + 1)
		return diag_error(c->d, D_LIMIT, call->arg[PRINTF_VALUES + 1]->loc,
				  "%s( ) has more than %d values", call->name, PRINTF_VALUES);
	f = parse_format(c, call);
	if (!f)
		return -1;
	cs.type = arena_newn(c->arena, struct type *, call->narg);
	for (uint32_t i = 1; i < call->narg; i++) {
		if (sema_expr(c, call->arg[i]))
			return -1;
		cs.type[cs.ntype++] = call->arg[i]->type;
		sema_show(c, &call->arg[i]);
	}
	call->extra.fmt = f;
	return check_conversions(&cs, f);
}

static void emit_printf(struct fire *g, const struct expr *call, struct action_info *out)
{
	out->fmt = call->extra.fmt;
	for (uint32_t i = 1; i < call->narg; i++)
		record_arg(g, out, call->arg[i]);
}

/*
 * Returns whether the type of key @k of @a or @b is unknown. The type is unknown if this kernel
 * lacks all probes at which the program updates the aggregation. The aggregation then stays empty,
 * so any type fits. Links @a and @b by their members `beside`: settle_beside() later copies the
 * types of the keys.
 */
static bool unknown_key(struct agg *a, struct agg *b, uint32_t k)
{
	if (!type_is(a->key[k], T_UNKNOWN) && !type_is(b->key[k], T_UNKNOWN))
		return false;
	a->beside = b;
	b->beside = a;
	return true;
}

static bool same_key(struct type *a, struct type *b)
{
	return type_same(a, b) || (type_is_integer(a) && type_is_integer(b) &&
				   type_strip(a)->size == type_strip(b)->size);
}

/*
 * Checks that @a and @b have keys of the same types, because one printa() prints both aggregations.
 */
static int check_signature(struct compiler *c, const struct expr *call, struct agg *a,
			   struct agg *b)
{
	if (a->nkey != b->nkey)
		return diag_error(c->d, D_PRINTA_AGGKEY, call->loc,
				  "printa( ): @%s and @%s do not have matching key signatures: @%s "
				  "has %u key%s, @%s has %u key%s",
				  a->name, b->name, a->name, a->nkey, a->nkey == 1 ? "" : "s",
				  b->name, b->nkey, b->nkey == 1 ? "" : "s");
	for (uint32_t k = 0; k < a->nkey; k++)
		if (!unknown_key(a, b, k) && !same_key(a->key[k], b->key[k]))
			return diag_error(c->d, D_PRINTA_AGGPROTO, call->loc,
					  "printa( ): @%s[ ] key #%u is incompatible with @%s:\n"
					  "%9s key #%u: %s\n%9s key #%u: %s",
					  b->name, k + 1, a->name, b->name, k + 1,
					  type_text(c, b->key[k]), a->name, k + 1,
					  type_text(c, a->key[k]));
	return 0;
}

static int check_printa(struct compiler *c, struct expr *call)
{
	uint32_t first = call->narg && call->arg[0]->kind == E_STR;
	struct agg *a;

	if (first ? sema_nargs(c, call, 2, UINT32_MAX, D_PRINTA_PROTO)
		  : sema_nargs(c, call, 1, UINT32_MAX, D_PROTO_LEN))
		return -1;
	for (uint32_t i = first; i < call->narg; i++)
		if (check_agg(c, call, i, D_PRINTA_AGGARG, D_PRINTA_AGGBAD))
			return -1;
	a = call->arg[first]->ref.agg;
	for (uint32_t i = first + 1; i < call->narg; i++)
		if (check_signature(c, call, a, call->arg[i]->ref.agg))
			return -1;
	if (first) {
		struct conversions cs = {.c = c,
					 .call = call,
					 .before = 1,
					 .type = a->key,
					 .ntype = a->nkey,
					 .aggs = true};

		call->extra.fmt = parse_format(c, call);
		return call->extra.fmt ? check_conversions(&cs, call->extra.fmt) : -1;
	}
	return 0;
}

static void emit_printa(struct fire *g, const struct expr *call, struct action_info *out)
{
	uint32_t first = call->arg[0]->kind == E_STR;

	out->fmt = call->extra.fmt;
	for (uint32_t i = first; i < call->narg; i++)
		use_agg(g, out, call->arg[i]);
}

/* --------------------------------------------- clear, trunc, (de)normalize */

static int check_clear(struct compiler *c, struct expr *call)
{
	if (sema_nargs(c, call, 1, 1, D_PROTO_LEN))
		return -1;
	return check_agg(c, call, 0, D_CLEAR_AGGARG, D_CLEAR_AGGBAD);
}

static int check_trunc(struct compiler *c, struct expr *call)
{
	if (sema_nargs(c, call, 1, 2, D_PROTO_LEN) ||
	    check_agg(c, call, 0, D_TRUNC_AGGARG, D_TRUNC_AGGBAD))
		return -1;
	return call->narg == 2 ? check_number(c, call, 1, "int64_t") : 0;
}

static int check_normalize(struct compiler *c, struct expr *call)
{
	if (sema_nargs(c, call, 2, 2, D_PROTO_LEN) ||
	    check_agg(c, call, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD))
		return -1;
	return check_number(c, call, 1, "uint64_t");
}

static int check_denormalize(struct compiler *c, struct expr *call)
{
	if (sema_nargs(c, call, 1, 1, D_PROTO_LEN))
		return -1;
	return check_agg(c, call, 0, D_NORMALIZE_AGGARG, D_NORMALIZE_AGGBAD);
}

static void emit_agg_action(struct fire *g, const struct expr *call, struct action_info *out)
{
	use_agg(g, out, call->arg[0]);
	if (call->narg > 1)
		record_arg(g, out, call->arg[1]);
}

/* -------------------------------------------------------------------- setopt */

static void emit_args(struct fire *g, const struct expr *call, struct action_info *out)
{
	for (uint32_t i = 0; i < call->narg; i++)
		record_arg(g, out, call->arg[i]);
}

/* If all arguments are literals, which is the usual case, setopt() needs no space in the record. */
static void emit_setopt(struct fire *g, const struct expr *call, struct action_info *out)
{
	for (uint32_t i = 0; i < call->narg; i++)
		if (call->arg[i]->kind != E_STR) {
			emit_args(g, call, out);
			return;
		}
	out->str = call->arg[0]->str;
	out->str2 = call->narg > 1 ? call->arg[1]->str : NULL;
}

/* ----------------------------------------- effects outside of the printed output */

/*
 * Returns the text that freopen() makes of its arguments if they are constant: texts for %s, such
 * as macro arguments ($$1), and numbers for %d and %u. Otherwise returns NULL.
 */
static const char *constant_name(struct compiler *c, const struct expr *call)
{
	const struct format *f = call->extra.fmt;
	const char *name = "";
	uint32_t n = 1;

	for (const struct conv *v = f->conv; v < f->conv + f->nconv; v++) {
		const struct expr *arg = v->def && n < call->narg ? call->arg[n++] : NULL;
		bool text = arg && arg->kind == E_STR, number = arg && arg->kind == E_INT;

		name = arena_printf(c->arena, "%s%.*s", name, (int)v->litlen, v->lit);
		if (!v->def)
			continue;
		if (v->flags || v->width >= 0 || v->prec >= 0)
			return NULL;
		if (text && !strcmp(v->def->name, "s"))
			name = arena_printf(c->arena, "%s%s", name, arg->str);
		else if (number && (!strcmp(v->def->name, "d") || !strcmp(v->def->name, "u")))
			name = arena_printf(c->arena, "%s%" PRIi64, name, (int64_t)arg->ival);
		else
			return NULL;
	}
	return name;
}

/*
 * Checks freopen(). The name of the file is a format. It may be empty; freopen("") restores the
 * original output.
 */
static int check_freopen(struct compiler *c, struct expr *call)
{
	const struct expr *name = call->narg ? call->arg[0] : NULL;

	if (name && name->kind == E_STR && !name->len && call->narg == 1)
		return 0;
	if (name && name->kind == E_STR && !strcmp(name->str, "."))
		return diag_error(c->d, D_FREOPEN_INVALID, call->loc,
				  "freopen( ) argument #1 cannot be \".\"");
	if (check_printf(c, call))
		return -1;
	call->str = constant_name(c, call);
	return 0;
}

static void emit_freopen(struct fire *g, const struct expr *call, struct action_info *out)
{
	out->str = call->str;
	emit_printf(g, call, out);
}

/* Checks that this is not a replay: a process in a capture cannot get a signal. */
static int check_process(struct compiler *c, struct expr *call)
{
	if (!c->opt->replay)
		return 0;
	return diag_error(c->d, D_UNSUPPORTED, call->loc,
			  "%s( ) is not possible in replay: a capture has no processes",
			  call->name);
}

/*
 * Sends a signal to the current process. Records an error at a probe that may fire while an
 * unrelated process is current.
 */
static void send_signal(struct fire *g, const struct expr *call, struct ir_arg sig)
{
	if (by_task(g, call->loc, sig.kind == ARG_IMM ? "stop( )" : "raise( )",
		    "cannot send signals"))
		irb_call(g->b, IR_CALL, HELPER_send_signal, 1, &sig);
}

static void act_nothing(struct fire *g, const struct expr *call)
{
	(void)g, (void)call;
}

static void act_stop(struct fire *g, const struct expr *call)
{
	send_signal(g, call, (struct ir_arg){ARG_IMM, 0, SIGSTOP});
}

static void act_raise(struct fire *g, const struct expr *call)
{
	send_signal(g, call, (struct ir_arg){ARG_REG, gen(g, call->arg[0]), 0});
}

/* --------------------------------------------------------------- speculations */

static int check_spec(struct compiler *c, struct expr *call)
{
	(void)call;
	c->wants->speculates = true;
	return 0;
}

static void emit_nothing(struct fire *g, const struct expr *call, struct action_info *out)
{
	(void)g, (void)call, (void)out;
}

/*
 * Macros for the rows. RECORDED: the consumer carries out the action when it reads the record.
 * DESTRUCTIVE: as RECORDED, but the action needs -w. AT_ONCE: the eBPF program carries out the
 * action when the probe fires, and the action needs -w. IMPOSSIBLE: with -w, using the action is an
 * error that gives the reason.
 */
#define RECORDED(n, p, k, c, e) {.name = n, .proto = p, .kind = k, .check = c, .emit = e}
#define DESTRUCTIVE(n, p, k, c, e) \
	{.name = n, .proto = p, .kind = k, .check = c, .emit = e, .destructive = true}
#define AT_ONCE(n, p, c, a) {.name = n, .proto = p, .check = c, .act = a, .destructive = true}
#define IMPOSSIBLE(n, why) \
	{.name = n, .proto = "void ()", .act = act_nothing, .destructive = true, .impossible = why}
#define SPECULATES(n, k) .name = n, .proto = "void (int)", .kind = k, .check = check_spec

static const struct action_def actions[] = {
	RECORDED("trace", NULL, ACT_TRACE, check_trace, emit_trace),
	RECORDED("print", NULL, ACT_PRINT, check_print, emit_print),
	RECORDED("tracemem", NULL, ACT_TRACEMEM, check_tracemem, emit_tracemem),
	RECORDED("stack", NULL, ACT_STACK, sema_stack, emit_stack),
	RECORDED("ustack", NULL, ACT_STACK, sema_ustack, emit_stack),
	RECORDED("jstack", NULL, ACT_STACK, sema_ustack, emit_stack),
	RECORDED("sym", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("func", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("mod", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("usym", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("ufunc", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("umod", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("uaddr", NULL, ACT_TRACE, sema_symaddr, emit_stack),
	RECORDED("printf", NULL, ACT_PRINTF, check_printf, emit_printf),
	RECORDED("printa", NULL, ACT_PRINTA, check_printa, emit_printa),
	RECORDED("clear", NULL, ACT_CLEAR, check_clear, emit_agg_action),
	RECORDED("trunc", NULL, ACT_TRUNC, check_trunc, emit_agg_action),
	RECORDED("normalize", NULL, ACT_NORMALIZE, check_normalize, emit_agg_action),
	RECORDED("denormalize", NULL, ACT_DENORMALIZE, check_denormalize, emit_agg_action),
	RECORDED("exit", "void (int)", ACT_EXIT, NULL, emit_trace),
	{.name = "pcap",
	 .kind = ACT_PCAP,
	 .check = pcap_check,
	 .emit = pcap_emit,
	 .write = pcap_write},
	{.name = "__capture",
	 .kind = ACT_CAPTURE,
	 .check = capture_check,
	 .emit = pcap_emit,
	 .write = pcap_write},
	RECORDED("__sample", "void ()", ACT_SAMPLE, NULL, emit_nothing),
	RECORDED("setopt", "void (string [, string])", ACT_SETOPT, NULL, emit_setopt),
	{SPECULATES("speculate", ACT_SPECULATE), .emit = emit_nothing, .act = act_speculate},
	{SPECULATES("commit", ACT_COMMIT), .act = act_commit},
	{SPECULATES("discard", ACT_DISCARD), .act = act_discard},
	DESTRUCTIVE("system", NULL, ACT_SYSTEM, check_printf, emit_printf),
	DESTRUCTIVE("freopen", NULL, ACT_FREOPEN, check_freopen, emit_freopen),
	DESTRUCTIVE("ftruncate", "void ()", ACT_FTRUNCATE, NULL, emit_args),
	AT_ONCE("stop", "void ()", check_process, act_stop),
	AT_ONCE("raise", "void (int)", check_process, act_raise),
	AT_ONCE("copyout", "void (char *, uintptr_t, size_t)", check_copyout, act_copyout),
	AT_ONCE("copyoutstr", "void (string, uintptr_t, size_t)", check_copyoutstr, act_copyoutstr),
	AT_ONCE("chill", "void (int)", chill_check, chill_act),
	IMPOSSIBLE("panic", "an eBPF program cannot make the kernel panic"),
	IMPOSSIBLE("breakpoint", "an eBPF program cannot enter the kernel's debugger"),
};

const struct action_def *action_rows(uint32_t *n)
{
	*n = sizeof(actions) / sizeof(*actions);
	return actions;
}
