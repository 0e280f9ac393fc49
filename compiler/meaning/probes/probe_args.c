/*
 * probe_args.c - the number, types and names of a probe's arguments in args[].
 */
#include <string.h>

#include "base/arena.h"
#include "base/xalloc.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/types/type.h"
#include "providers/provider.h"

const struct host_provider *probe_provider(const char *name)
{
	for (int i = 0; host_providers[i]; i++)
		if (host_provider_is(host_providers[i], name))
			return host_providers[i];
	return NULL;
}

/* Gives the arguments of an entry probe the types of the function's parameters. */
static void type_entry(struct compiler *c, struct probe *p, struct type *fn)
{
	struct member *m = type_members(fn, &p->ntyped);

	p->typed = arena_newn(c->arena, struct type *, p->ntyped + 1);
	for (uint32_t i = 0; i < p->ntyped; i++)
		p->typed[i] = m[i].type;
}

/* Gives a return probe two arguments, which both have the type of the returned value. */
static void type_return(struct compiler *c, struct probe *p, struct type *fn)
{
	p->ntyped = 2;
	p->typed = arena_newn(c->arena, struct type *, 2);
	p->typed[0] = p->typed[1] = fn->to;
}

/*
 * Returns the prototype of the function of @p, such as a system call, as D text. Returns NULL if
 * the family of @p has no prototypes, if @p has no family, or if the types are already set.
 */
static const char *prototype(const struct probe *p)
{
	const struct family_names *names = p->family ? p->family->names : NULL;

	return names && names->type && !p->typed ? names->type(p->func) : NULL;
}

void probe_type(struct compiler *c, struct probe *p)
{
	const char *text = prototype(p);
	struct type *fn = text ? parse_proto(c->arena, &c->names->intern, &c->names->lib, text,
					     c->d)
			       : NULL;

	if (p->host && p->host->hook.untyped) {
		probe_provider(p->prov)->type(&c->probes->env, p->host);
		p->host->hook.untyped = false;
	}
	if (!text)
		return;
	if (!fn)
		BUG("%s: the prototype \"%s\" cannot be read", p->func, text);
	if (!strcmp(p->name, "return"))
		type_return(c, p, fn);
	else
		type_entry(c, p, fn);
}

uint32_t probe_nargs(const struct probe *p)
{
	if (p->typed)
		return p->ntyped;
	if (p->host)
		return p->host->hook.plain ? 0 : p->host->hook.narg;
	return p->decl->has_args ? p->decl->narg : p->decl->nparam;
}

struct type *probe_arg_type(const struct probe *p, uint32_t i)
{
	if (p->typed)
		return p->typed[i];
	if (p->host)
		return p->host->hook.arg[i];
	return p->decl->has_args ? p->decl->arg[i].type : p->decl->param[i];
}

bool probe_has_arg(const struct probe *p, uint32_t i)
{
	return i < probe_nargs(p) && !(p->decl && p->decl->has_args && !p->decl->arg[i].nin);
}

bool probe_has_number(const struct probe *p, uint32_t i)
{
	const struct hook *h = p->host ? &p->host->hook : NULL;

	if (!h)
		return i < p->decl->nparam && !type_is(p->decl->param[i], T_STRING);
	if (h->args_at.placed)
		return i < h->args_at.nplace || h->point.awaited;
	if (h->args_at.regs)
		return hook_has_register(h, i);
	return i < (h->sampled ? 2 : h->narg) && !(h->at_return && !i);
}

const char *probe_arg_name(struct compiler *c, const struct probe *p, uint32_t i)
{
	const struct host_provider *prov = p->host ? probe_provider(p->prov) : NULL;

	return prov && prov->arg_name ? prov->arg_name(&c->probes->env, p->host, i) : NULL;
}

bool probe_arg_xlated(const struct probe_decl *d, uint32_t i)
{
	const struct probe_arg *a = &d->arg[i];
	struct type *t;

	if (!d->has_args || !a->nin)
		return false;
	t = type_strip(a->type);
	return t->kind == T_PTR && !type_is(t->to, T_VOID) &&
	       !(a->nin == 1 && type_same(t, d->param[a->in[0]]));
}
