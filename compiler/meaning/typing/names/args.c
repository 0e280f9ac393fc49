/*
 * args.c - type-checks args[]: the arguments of the probes at which a clause runs.
 */
#include "compiler/meaning/typing/names/args.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/libindex.h"
#include "ir/types/type.h"

struct expr *args_native(struct compiler *c, const struct probe_decl *d, uint32_t i, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_IDENT,
			   .loc = loc,
			   .lib = true,
			   .name = "native",
			   .symkind = SYM_NATIVE,
			   .ival = i,
			   .type = d->param[i],
			   .height = 1,
			   .typed = true};
	return e;
}

/* The probes of the clause's description: @v[0] to @v[@n - 1]. */
struct described {
	struct probe **v;
	uint32_t n;
};

static struct described described(const struct compiler *c)
{
	const struct typing *t = c->typing;

	return t->nall ? (struct described){t->all, t->nall}
		       : (struct described){t->probe, t->nprobe};
}

/* Returns the first probe that has argument @k, or NULL. */
static const struct probe *first_with(struct described all, uint32_t k)
{
	for (uint32_t i = 0; i < all.n; i++)
		if (probe_has_arg(all.v[i], k))
			return all.v[i];
	return NULL;
}

void args_need_number(struct compiler *c, uint32_t i)
{
	struct described all = described(c);
	const char *text;

	for (uint32_t k = 0; k < all.n; k++)
		if (probe_has_number(all.v[k], i))
			return;
	/* in a list of probes, another one may have the argument */
	if (!all.n || (c->typing->clause && c->typing->clause->ndesc > 1))
		return;
	text = arena_printf(c->arena, "arg%u is always 0: %s has no such argument", i,
			    c->typing->desc->text);
	for (size_t k = 0; k < c->probes->env.warning.n; k++)
		if (!strcmp(c->probes->env.warning.v[k], text))
			return;
	vec_apush(c->arena, &c->probes->env.warning, text);
}

/* Returns whether both probes are declared, with arguments, by the same provider. */
static bool related(const struct probe *p, const struct probe *q)
{
	return p->decl && q->decl && p->decl->has_args && q->decl->has_args &&
	       !strcmp(p->prov, q->prov);
}

/* Returns the number of arguments that all @n probes have. */
static uint32_t common_nargs(struct probe **v, uint32_t n)
{
	uint32_t nargs = probe_nargs(v[0]);

	for (uint32_t i = 1; i < n; i++)
		if (probe_nargs(v[i]) < nargs)
			nargs = probe_nargs(v[i]);
	return nargs;
}

/*
 * Returns whether the first @n arguments have the same types at probes @p and @q, for which
 * related() is false.
 */
static bool same_types(const struct probe *p, const struct probe *q, uint32_t n)
{
	if (probe_nargs(p) != probe_nargs(q) && (p->typed || strcmp(p->prov, q->prov) != 0))
		return false;
	for (uint32_t k = 0; k < n; k++)
		if (!type_same(probe_arg_type(p, k), probe_arg_type(q, k)))
			return false;
	return !p->decl == !q->decl;
}

/*
 * Returns whether a clause at both probes can use args[@k]. If one provider declares both probes,
 * args[@k] must have the same type at both, or be missing at one. Otherwise the types of the first
 * @nargs arguments must be equal. @nargs is the number of arguments that all probes of the
 * description have.
 */
static bool agree(const struct probe *p, const struct probe *q, uint32_t k, uint32_t nargs)
{
	if (!related(p, q))
		return same_types(p, q, nargs);
	return !probe_has_arg(p, k) || !probe_has_arg(q, k) ||
	       type_same(probe_arg_type(p, k), probe_arg_type(q, k));
}

/*
 * Returns whether a clause may use args[@k] although other probes of its description lack this
 * argument. It may if @p translates the argument. At the other probes, args[@k] is NULL.
 */
static bool may_be_missing(const struct probe *p, uint32_t k)
{
	return k < COMMON_ARGS && probe_has_arg(p, k) && p->decl && p->decl->has_args &&
	       probe_arg_xlated(p->decl, k);
}

/* Returns whether a description of clause @cl names probe @q. */
static bool names_probe(const struct clause *cl, const struct probe *q)
{
	for (uint32_t i = 0; i < cl->ndesc; i++)
		if (glob_match(cl->desc[i].field[PD_PROV], q->prov) &&
		    glob_match(cl->desc[i].field[PD_NAME], q->name))
			return true;
	return false;
}

/*
 * Returns the first probe of the description that has argument @k, else one of the clause's other
 * descriptions: a list of probes means the same as a pattern. Returns NULL if there is none.
 */
static const struct probe *any_with(struct compiler *c, uint32_t k)
{
	const struct clause *cl = c->typing->clause;
	const struct probe *p = c->typing->probe[0], *with = first_with(described(c), k);

	for (size_t i = 0; !with && cl && cl->ndesc > 1 && i < c->probes->stable.n; i++) {
		const struct probe *q = c->probes->stable.v[i];

		if (strcmp(q->prov, p->prov) != 0 || !names_probe(cl, q))
			continue;
		if (!q->decl && q->decl_item != NO_ITEM)
			c->names->undeclared.item(c->names->undeclared.ctx, q->decl_item);
		if (related(p, q) && may_be_missing(q, k))
			with = q;
	}
	return with;
}

/*
 * Checks that args[@i] exists, and has one type at all probes of the description. Returns 0, or -1
 * with the error recorded.
 */
static int args_stable(struct compiler *c, const struct expr *e, int64_t i)
{
	struct described all = described(c);
	uint32_t nargs = common_nargs(all.v, all.n),
		 k = i < 0 || i > UINT32_MAX ? UINT32_MAX : (uint32_t)i;
	const struct probe *p = any_with(c, k);

	if (!p)
		p = all.v[0];
	for (uint32_t n = 0; n < all.n; n++)
		if (all.v[n] != p && !agree(p, all.v[n], k, nargs))
			return diag_error(c->d, D_ARGS_MULTI, e->loc,
					  "args[ ] may not be referenced because probe description "
					  "%s matches an unstable set of probes",
					  c->typing->desc->text);
	if (k >= nargs && !may_be_missing(p, k))
		return diag_error(c->d, D_ARGS_IDX, e->loc,
				  "index %lld is out of range for %s args[ ]", (long long)i,
				  c->typing->desc->text);
	return 0;
}

/*
 * Returns whether argument @k of both probes is translated from the same native arguments, the
 * arguments before translation.
 */
static bool same_inputs(const struct probe *p, const struct probe *q, uint32_t k)
{
	const struct probe_arg *a, *b;

	if (!p->decl || !q->decl)
		return p->decl == q->decl;
	if (!p->decl->has_args || !q->decl->has_args)
		return p->decl->has_args == q->decl->has_args;
	if (!probe_has_arg(p, k) || !probe_has_arg(q, k))
		return probe_has_arg(p, k) == probe_has_arg(q, k);
	a = &p->decl->arg[k];
	b = &q->decl->arg[k];
	return a->nin == b->nin && !memcmp(a->in, b->in, a->nin * sizeof(*a->in));
}

bool args_alike(const struct probe *p, const struct probe *q, struct probe **all, uint32_t n)
{
	uint32_t nargs = common_nargs(all, n);

	for (uint32_t k = 0; k < nargs || k < COMMON_ARGS; k++)
		if (!same_inputs(p, q, k))
			return false;
	return true;
}

/* Returns whether argument @k is made in one way at all probes of @t. */
static bool is_made_alike(const struct typing *t, uint32_t k)
{
	for (uint32_t i = 1; i < t->nprobe; i++)
		if (!same_inputs(t->probe[0], t->probe[i], k))
			return false;
	return true;
}

/*
 * @e is args[@k] at probes that lack this argument. Replaces @e by the translation of NULL, made by
 * the translator that probe @p has for the argument.
 */
static int missing_argument(struct compiler *c, struct expr *e, const struct probe *p, uint32_t k)
{
	const struct probe_arg *arg = &p->decl->arg[k];
	struct expr *zero = arena_new(c->arena, struct expr);
	const struct expr *written = written_as(c, e);
	bool lib = e->lib;

	*zero = (struct expr){.kind = E_INT,
			      .loc = e->loc,
			      .lib = true,
			      .name = MISSING_ARGUMENT,
			      .typed = true};
	become_int(zero, 0, p->decl->param[arg->in[0]]);
	*e = (struct expr){.kind = E_XLATE,
			   .loc = e->loc,
			   .lib = lib,
			   .name = "args",
			   .ctype = arg->type,
			   .type = type_xlated(c->arena, arg->type),
			   .a = zero,
			   .written = written};
	return 0;
}

/*
 * Replaces @e by argument @i of probe @p, if each function of the probe's family, such as a system
 * call, has argument types of its own. The native argument is a number, which is cast to the type
 * of args[@i].
 */
static int typed_argument(struct compiler *c, struct expr *e, const struct probe *p, uint32_t i)
{
	bool lib = e->lib;

	become_conversion(c, e, args_native(c, p->decl, i, e->loc), p->typed[i]);
	e->lib = lib;
	return 0;
}

int sema_args(struct compiler *c, struct expr *e)
{
	const struct probe *p, *with;
	int64_t i;

	if (e->narg != 1 || sema_expr(c, e->arg[0]))
		return e->narg == 1
			       ? -1
			       : diag_error(c->d, D_ARR_BADREF, e->loc, "args[ ] takes one index");
	if (!e->arg[0]->is_const)
		return diag_error(c->d, D_ARGS_TYPE, e->loc,
				  "args[ ] index must be an integer constant");
	i = e->arg[0]->value;
	if (c->typing->host) {
		if (i < 0 || i >= c->typing->host->hook.narg)
			return diag_error(c->d, D_ARGS_IDX, e->loc,
					  "index %lld is out of range for %s", (long long)i,
					  c->typing->host->name);
		*e = (struct expr){.kind = E_IDENT,
				   .loc = e->loc,
				   .lib = e->lib,
				   .name = "args",
				   .symkind = SYM_HOSTARG,
				   .ival = (uint64_t)i,
				   .type = c->typing->host->hook.arg[i],
				   .written = written_as(c, e)};
		return 0;
	}
	if (!c->typing->nprobe && c->typing->absent)
		return become_unknown(e);
	if (!c->typing->nprobe)
		return diag_error(c->d, D_ARGS_NONE, e->loc,
				  "args[ ] may not be referenced outside a probe clause");
	for (uint32_t k = 0; k < described(c).n; k++)
		probe_type(c, described(c).v[k]);
	p = c->typing->probe[0];
	if (args_stable(c, e, i))
		return -1;
	if (!is_made_alike(c->typing, (uint32_t)i)) {
		c->typing->mixed = true;
		return diag_error(c->d, D_ARGS_MULTI, e->loc,
				  "args[%lld] differs among the probes of %s", (long long)i,
				  c->typing->desc->text);
	}
	with = any_with(c, (uint32_t)i);
	if (with && !probe_has_arg(p, (uint32_t)i) && related(p, with))
		return missing_argument(c, e, with, (uint32_t)i);
	if (p->typed)
		return typed_argument(c, e, p, (uint32_t)i);
	*e = (struct expr){.kind = E_IDENT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .name = "args",
			   .ival = (uint64_t)i,
			   .symkind = p->host ? SYM_HOSTARG : SYM_PROBEARG,
			   .type = probe_arg_type(p, (uint32_t)i),
			   .written = written_as(c, e)};
	if (!p->host && probe_arg_xlated(p->decl, (uint32_t)i))
		e->type = type_xlated(c->arena, e->type);
	if (p->decl && !p->decl->has_args)
		e->symkind = SYM_NATIVE;
	return 0;
}
