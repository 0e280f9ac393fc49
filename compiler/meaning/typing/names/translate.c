/*
 * translate.c - type-checks members, and finds the translators that define the members of
 * translated arguments.
 */
#include "compiler/meaning/typing/names/translate.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/names/args.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/names/expand.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct translator *xl_find(struct compiler *c, struct type *out, struct type *in)
{
	const struct undeclared *u = &c->names->undeclared;
	const char *tag = type_strip(out)->name;

	if (u->translators)
		u->translators(u->ctx, tag ? tag : "");
	for (size_t i = c->names->xl.n; i-- > 0;)
		if (type_same(c->names->xl.v[i]->out, out) &&
		    type_same(c->names->xl.v[i]->in_type[0], in))
			return c->names->xl.v[i];
	return NULL;
}

struct type *xlated_as(const struct expr *e)
{
	return type_strip(type_strip(e->type)->to);
}

struct type *xlated_out(const struct expr *e)
{
	struct type *t = xlated_as(e);

	return t->kind == T_PTR ? t->to : type_strip(e->type)->to;
}

/*
 * Returns the translated expression inside @e, without the operators * and [0]: args[N], xlate, or
 * a choice between such expressions.
 */
static const struct expr *xlated_from(const struct expr *e)
{
	e = expr_target(e);
	while (e->kind == E_UNARY || e->kind == E_INDEX)
		e = expr_target(e->a);
	return e;
}

static struct expr *zero_expr(struct compiler *c, struct type *t, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_INT,
			   .loc = loc,
			   .lib = true,
			   .type = t,
			   .height = 1,
			   .typed = true,
			   .is_const = true};
	return e;
}

struct expr *xlated_value(struct compiler *c, const struct expr *e)
{
	const struct expr *from = xlated_from(e);
	const struct probe_decl *d;
	struct expr *v;

	if (from->kind == E_XLATE)
		return from->a;
	if (from->kind == E_IDENT) {
		d = c->typing->probe[0]->decl;
		return args_native(c, d, d->arg[from->ival].in[0], e->loc);
	}
	/* from is a choice (?:) or a comma expression */
	v = arena_memdup(c->arena, from, sizeof(*from));
	v->b = xlated_value(c, from->b);
	if (from->kind == E_COND)
		v->c = xlated_value(c, from->c);
	v->type = v->b->type;
	return v;
}

/*
 * Binds the inputs of translator @xl to the native arguments of args[N], or to xlate's operand.
 * Inputs that are not given are 0.
 */
static void bind_inputs(struct compiler *c, const struct translator *xl, const struct expr *base,
			struct loc loc)
{
	const struct probe_decl *d;
	const struct probe_arg *arg;
	uint32_t i = 0;

	if (base->kind == E_XLATE) {
		vec_apush(c->arena, &c->typing->bind,
			  ((struct binding){xl->in_name[i++], base->a}));
	} else {
		d = c->typing->probe[0]->decl;
		arg = &d->arg[base->ival];
		for (; i < xl->nin && i < arg->nin; i++)
			vec_apush(c->arena, &c->typing->bind,
				  ((struct binding){xl->in_name[i],
						    args_native(c, d, arg->in[i], loc)}));
	}
	for (; i < xl->nin; i++)
		vec_apush(c->arena, &c->typing->bind,
			  ((struct binding){xl->in_name[i], zero_expr(c, xl->in_type[i], loc)}));
}

static int no_translator(struct compiler *c, const struct expr *e, struct type *in,
			 struct type *out)
{
	return diag_error(c->d, D_XLATE_NONE, e->loc, "no translator of \"%s\" to \"%s\"",
			  type_text(c, in), type_text(c, out));
}

static int no_member(struct compiler *c, const struct expr *e, struct type *t)
{
	c->typing->lacks |= e->lib;
	diag_error(c->d, D_TYPE_MEMBER, e->loc, "%s is not a member of %s", e->name,
		   type_text(c, t));
	hint_member(c, e->name, t);
	return -1;
}

int member_incompatible(struct compiler *c, const char *name, struct type *t,
			const struct expr *body, struct loc loc)
{
	return diag_error(c->d, D_XLATE_INCOMPAT, loc,
			  "translator member %s definition uses incompatible types: %s", name,
			  type_texts(c, t, "=", body->type));
}

/*
 * Replaces (x ? args[2] : args[3])->member by x ? args[2]->member : args[3]->member, and
 * (x, args[2])->member by x, args[2]->member.
 */
static int member_of_each(struct compiler *c, struct expr *e, const struct expr *from)
{
	struct expr *all = arena_memdup(c->arena, from, sizeof(*from));
	struct expr **branch[] = {&all->b, &all->c};

	for (int i = 0; i < (from->kind == E_COND ? 2 : 1); i++) {
		struct expr *m = arena_memdup(c->arena, e, sizeof(*e));

		m->a = *branch[i];
		m->arrow = xlated_as(m->a)->kind == T_PTR;
		*branch[i] = m;
	}
	all->typed = false;
	all->loc = e->loc;
	all->written = written_as(c, e);
	*e = *all;
	return sema_expr(c, e);
}

static struct translator *xl_of(struct compiler *c, const struct expr *from)
{
	return xl_find(c, xlated_out(from), xlated_value(c, from)->type);
}

/*
 * Replaces @e, a member of a translated expression, by the translator's definition of the member.
 */
static int sema_translated(struct compiler *c, struct expr *e)
{
	const struct expr *from = xlated_from(e->a);
	struct type *out = xlated_out(from);
	size_t mark = c->typing->bind.n;
	const struct expr *def = NULL;
	struct translator *xl;
	struct expr *body;
	struct member m;

	if (e->arrow != (xlated_as(e->a)->kind == T_PTR))
		return diag_error(c->d, D_OP_SOU, e->loc,
				  "operator %s cannot be applied to type \"%s\"; use %s",
				  e->arrow ? "->" : ".", type_text(c, e->a->type),
				  e->arrow ? "." : "->");
	if (from->kind == E_COND || from->kind == E_COMMA)
		return member_of_each(c, e, from);
	xl = xl_of(c, from);
	if (!xl)
		return no_translator(c, e, xlated_value(c, from)->type, out);
	if (!type_member(out, e->name, &m))
		return no_member(c, e, out);
	for (uint32_t i = 0; i < xl->nmember; i++)
		if (xl->member[i].name == e->name)
			def = xl->member[i].expr;
	if (!def)
		return diag_error(c->d, D_XLATE_NOCONV, e->loc,
				  "translator does not define conversion for member: %s", e->name);
	if (c->typing->depth >= DEPTH_MAX)
		return diag_error(c->d, D_LIMIT, e->loc,
				  "the translator of %s refers to itself, or translators are "
				  "nested too deeply: more than %d levels",
				  type_text(c, out), DEPTH_MAX);
	body = expand_copy(c, def, e);
	if (!body)
		return -1;
	if (!e->lib)
		thread_note_owner(c, e->name, out);
	bind_inputs(c, xl, from, e->loc);
	if (expand_type(c, body, mark))
		return -1;
	if (!type_fits(m.type, body))
		return member_incompatible(c, e->name, m.type, body, e->loc);
	become_conversion(c, e, body, m.type);
	return 0;
}

int sema_member(struct compiler *c, struct expr *e)
{
	struct type *t;
	struct member m;

	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a))
		return become_unknown(e);
	if (expr_is_xlated(e->a))
		return sema_translated(c, e);
	t = e->a->type;
	if (type_is(t, T_FWD) ||
	    (e->arrow && type_is(t, T_PTR) && type_is(type_strip(t)->to, T_FWD)))
		return diag_error(c->d, D_OP_INCOMPLETE, e->loc,
				  "operator %s cannot be applied to a forward declaration: no %s "
				  "definition is available",
				  e->arrow ? "->" : ".",
				  type_text(c, e->arrow ? type_strip(t)->to : t));
	if (e->arrow) {
		if (!type_is(t, T_PTR))
			return diag_error(c->d, D_OP_PTR, e->loc,
					  "operator -> must be applied to a pointer");
		if (!type_is_sou(type_strip(t)->to))
			return diag_error(c->d, D_OP_SOU, e->loc,
					  "operator -> cannot be applied to pointer to type "
					  "\"%s\"; must be applied to "
					  "a struct or union pointer",
					  type_text(c, type_strip(t)->to));
		t = type_strip(t)->to;
	} else if (!type_is_sou(t)) {
		return diag_error(c->d, D_OP_SOU, e->loc,
				  "operator . cannot be applied to type \"%s\"; must be applied to "
				  "a struct or union",
				  type_text(c, t));
	}
	if (!type_member(t, e->name, &m))
		return no_member(c, e, t);
	e->type = m.type;
	return 0;
}

int sema_xlate(struct compiler *c, struct expr *e)
{
	struct type *out = type_is(e->ctype, T_PTR) ? type_strip(e->ctype)->to : e->ctype;
	struct translator *xl;

	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a))
		return become_unknown(e);
	xl = xl_find(c, out, e->a->type);
	if (!xl)
		return no_translator(c, e, e->a->type, out);
	e->type = type_xlated(c->arena, e->ctype);
	return 0;
}
