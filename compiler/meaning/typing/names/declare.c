/*
 * declare.c - type-checks inlines and translators when they are declared, and the hooks of
 * derivations. A derivation says which hooks fire a probe.
 */
#include "compiler/meaning/typing/names/declare.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/names/expand.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/names/libcheck.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/names/translate.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

static void bind_param(struct compiler *c, const char *name, struct type *t, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_IDENT,
			   .loc = loc,
			   .name = name,
			   .symkind = SYM_PARAM,
			   .type = t,
			   .height = 1,
			   .typed = true};
	vec_apush(c->arena, &c->typing->bind, ((struct binding){name, e}));
}

/*
 * Returns whether @e uses args[], directly or through an inline. The types of args[] depend on the
 * clause.
 */
static bool uses_args(struct compiler *c, const struct expr *e)
{
	const struct decl_inline *in;

	if (!e)
		return false;
	if (e->kind == E_IDENT && !strcmp(e->name, "args"))
		return true;
	in = (e->kind == E_IDENT || e->kind == E_INDEX) && e->name
		     ? inline_find(c->names, e->lib, e->name)
		     : NULL;
	if (in && in->uses_args)
		return true;
	for (uint32_t i = 0; i < e->narg; i++)
		if (uses_args(c, e->arg[i]))
			return true;
	return uses_args(c, e->a) || uses_args(c, e->b) || uses_args(c, e->c);
}

/*
 * Type-checks definition @body before anything uses it. The bindings from number @mark on are the
 * parameters of the definition; they are removed afterwards.
 */
static int check_definition(struct compiler *c, struct expr *body, size_t mark)
{
	int bad;

	c->typing->defining = true;
	bad = expand_type(c, body, mark);
	c->typing->defining = false;
	return bad;
}

int sema_inline(struct compiler *c, struct decl_inline *in)
{
	struct expr *body = expr_clone(c->arena, in->expr);
	size_t mark = c->typing->bind.n;

	in->uses_args = uses_args(c, in->expr);
	if (in->uses_args)
		return inline_check_names(c, in);
	c->typing->nodes = 0;
	for (uint32_t i = 0; i < in->nparam; i++)
		bind_param(c, in->param[i], in->param_type[i], in->loc);
	if (check_definition(c, body, mark))
		return -1;
	return inline_fits(in->type, body) ? 0 : inline_incompatible(c, in, body, body->loc);
}

static int check_member(struct compiler *c, const struct translator *x, const struct xl_member *m)
{
	size_t mark = c->typing->bind.n;
	struct expr *body;
	struct member out;

	if (!type_member(x->out, m->name, &out))
		return diag_error(c->d, D_XLATE_MEMB, m->loc,
				  "translator member %s is not a member of %s", m->name,
				  type_text(c, x->out));
	/*
	 * definitions of the library use members of kernel structs, so they are checked at each use
	 * instead
	 */
	if (m->expr->lib)
		return 0;
	body = expr_clone(c->arena, m->expr);
	for (uint32_t i = 0; i < x->nin; i++)
		bind_param(c, x->in_name[i], x->in_type[i], x->loc);
	if (check_definition(c, body, mark))
		return -1;
	return type_fits(out.type, body)
		       ? 0
		       : member_incompatible(c, m->name, out.type, body, body->loc);
}

int sema_translator(struct compiler *c, struct translator *x)
{
	const struct translator *old = xl_find(c, x->out, x->in_type[0]);

	if (!type_is_sou(x->out))
		return diag_error(c->d, D_XLATE_SOU, x->loc,
				  "translator output type must be a struct or union, not \"%s\"",
				  type_text(c, x->out));
	/* A library file may replace a translator of another library file. */
	if (old && (old->loc.src == x->loc.src || x->loc.src->kind != SRC_LIB))
		return diag_error(c->d, D_XLATE_REDECL, x->loc,
				  "translator from \"%s\" to \"%s\" redeclared",
				  type_text(c, x->in_type[0]), type_text(c, x->out));
	c->typing->nodes = 0;
	for (uint32_t i = 0; i < x->nmember; i++)
		if (check_member(c, x, &x->member[i]))
			return -1;
	vec_apush(c->arena, &c->names->xl, x);
	return 0;
}

static int check_inputs(struct compiler *c, const struct probe_decl *d, uint32_t i)
{
	const struct probe_arg *a = &d->arg[i];
	struct type *out = type_strip(a->type)->to;
	const struct translator *xl = xl_find(c, out, d->param[a->in[0]]);

	if (!xl)
		return diag_error(c->d, D_PROV_PRXLATOR, d->loc,
				  "argument %u of probe %s: no translator of \"%s\" to \"%s\"", i,
				  d->name, type_text(c, d->param[a->in[0]]), type_text(c, out));
	if (a->nin > xl->nin)
		return diag_error(c->d, D_PROV_PRARGLEN, d->loc,
				  "argument %u of probe %s: the translator to \"%s\" has %u "
				  "inputs, %u given",
				  i, d->name, type_text(c, out), xl->nin, a->nin);
	for (uint32_t k = 1; k < a->nin; k++) {
		struct expr given = {.kind = E_IDENT, .type = d->param[a->in[k]]};

		if (!type_fits(xl->in_type[k], &given))
			return diag_error(c->d, D_PROTO_ARG, d->loc,
					  "argument %u of probe %s: input %u of the translator to "
					  "\"%s\" is a %s, not a %s",
					  i, d->name, k + 1, type_text(c, out),
					  type_text(c, xl->in_type[k]), type_text(c, given.type));
	}
	return 0;
}

int sema_provider(struct compiler *c, const struct provider_decl *pd)
{
	for (const struct probe_decl *d = pd->probe; d; d = d->next)
		for (uint32_t i = 0; i < d->narg; i++)
			if (probe_arg_xlated(d, i) && check_inputs(c, d, i))
				return -1;
	return 0;
}

/*
 * Checks that expression @e of a derivation changes no variable, because the expression may be
 * evaluated any number of times.
 */
static int keeps_variables(struct compiler *c, const struct expr *e)
{
	if (!expr_changes(e))
		return 0;
	return diag_error(c->d, D_UNSUPPORTED, e->loc,
			  "a derivation cannot change variables; use a clause at its hook instead");
}

int sema_hook(struct compiler *outer, struct probe *p, const struct hook_on *on,
	      struct host_probe *h, struct hook_use *out)
{
	struct typing t = {.host = h};
	struct compiler in = typing_in(outer, &t), *c = &in;

	*out = (struct hook_use){.host = h, .nnative = on->narg};
	if (on->narg != p->decl->nparam)
		return diag_error(c->d, D_PROTO_LEN, on->loc,
				  "%s:::%s has %u native arguments, %u given", p->prov, p->name,
				  p->decl->nparam, on->narg);
	out->native = arena_newn(c->arena, struct expr *, on->narg);
	if (on->guard) {
		out->guard = expr_clone(c->arena, on->guard);
		if (sema_expr(c, out->guard) || keeps_variables(c, out->guard))
			return -1;
	}
	if (on->as) {
		out->as = expr_clone(c->arena, on->as);
		if (sema_expr(c, out->as) || keeps_variables(c, out->as))
			return -1;
	}
	for (uint32_t i = 0; i < on->narg; i++) {
		out->native[i] = expr_clone(c->arena, on->arg[i]);
		if (sema_expr(c, out->native[i]) || keeps_variables(c, out->native[i]))
			return -1;
		sema_decay(c, &out->native[i]);
		if (!type_fits(p->decl->param[i], out->native[i])) {
			diag_error(c->d, D_PROTO_ARG, out->native[i]->loc,
				   "argument %u of %s:::%s is a %s, not a %s", i, p->prov, p->name,
				   type_text(c, p->decl->param[i]),
				   type_text(c, out->native[i]->type));
			return -1;
		}
	}
	out->filter = probe_filter(c, p, on->loc);
	if (!out->filter && on->filter)
		out->filter = expr_clone(c->arena, on->filter);
	if (out->filter && sema_expr(c, out->filter))
		return -1;
	return 0;
}
