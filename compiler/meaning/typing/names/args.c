/*
 * args.c - args[]: the arguments of the probes that a clause is for.
 */
#include "compiler/meaning/typing/names/args.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
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

/* Returns whether argument @k is made of the same native arguments at both probes. */
static bool same_inputs(const struct probe *p, const struct probe *q, uint32_t k)
{
	const struct probe_arg *a, *b;

	if (!p->decl || !q->decl || !p->decl->has_args || !q->decl->has_args)
		return !p->decl == !q->decl;
	a = &p->decl->arg[k];
	b = &q->decl->arg[k];
	return a->nin == b->nin && (!a->nin || !memcmp(a->in, b->in, a->nin * sizeof(*a->in)));
}

/*
 * Checks that args[] has the same types at all probes of the clause. A probe may have more
 * arguments after those of the others (ip:::drop). Argument @used, which the program reads, must
 * also be made of the same native arguments everywhere. Sets @nargs to the number of arguments that
 * all probes have. Returns 0, or -1 with the error recorded.
 */
static int args_stable(struct compiler *c, const struct expr *e, int64_t used, uint32_t *nargs)
{
	const struct probe *p = c->typing->probe[0];

	*nargs = probe_nargs(p);
	for (uint32_t i = 1; i < c->typing->nprobe; i++) {
		const struct probe *q = c->typing->probe[i];
		bool same = (!strcmp(p->prov, q->prov) && !p->typed) || probe_nargs(q) == *nargs;

		if (probe_nargs(q) < *nargs)
			*nargs = probe_nargs(q);
		for (uint32_t k = 0; same && k < *nargs; k++)
			same = type_same(probe_arg_type(p, k), probe_arg_type(q, k)) &&
			       (k != used || same_inputs(p, q, k));
		if (!same)
			return diag_error(c->d, D_ARGS_MULTI, e->loc,
					  "args[ ] may not be referenced because probe description "
					  "%s matches an unstable set of probes",
					  c->typing->desc->text);
	}
	return 0;
}

/* Replaces @e by args[@i] of a family's probe: a native argument, a number, cast to its type. */
static int typed_argument(struct compiler *c, struct expr *e, const struct probe *p, uint32_t i)
{
	bool lib = e->lib;

	become_conversion(c, e, args_native(c, p->decl, i, e->loc), p->typed[i]);
	e->lib = lib;
	return 0;
}

int sema_args(struct compiler *c, struct expr *e)
{
	const struct probe *p;
	uint32_t nargs;
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
	for (uint32_t k = 0; k < c->typing->nprobe; k++)
		probe_type(c, c->typing->probe[k]);
	if (args_stable(c, e, i, &nargs))
		return -1;
	p = c->typing->probe[0];
	if (i < 0 || i >= nargs)
		return diag_error(c->d, D_ARGS_IDX, e->loc,
				  "index %lld is out of range for %s args[ ]", (long long)i,
				  c->typing->desc->text);
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
