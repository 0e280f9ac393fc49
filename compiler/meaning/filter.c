/*
 * filter.c - what filters are given of a probe: its native arguments, by their names; or the process that runs.
 */
#include <string.h>

#include "compiler/meaning/sema.h"

#define NFILTER_ARG 5

/* The parameters of the inline: what native arguments may be called that are it. */
static const char *const filter_args[NFILTER_ARG][4] = {
	{"skb"}, {"sk"}, {"ip"}, {"tcp", "udp", "l4"}, {"out"},
};

enum { ARG_SK = 1 };

/* Which native argument has one of those names; nparam: none has. */
static uint32_t named(const struct probe_decl *d, const char *const *name)
{
	for (; *name; name++)
		for (uint32_t i = 0; i < d->nparam; i++)
			if (d->param_name[i] && !strcmp(d->param_name[i], *name))
				return i;
	return d->nparam;
}

bool probe_is_filtered(const struct probe *p)
{
	return !p->host && p->decl && named(p->decl, filter_args[ARG_SK]) < p->decl->nparam;
}

bool probe_is_of_process(const struct probe *p)
{
	return names_of_process(p->prov, p->name);
}

bool probe_has_owner(const struct probe *p)
{
	uint32_t sk = named(p->decl, filter_args[ARG_SK]);

	for (uint32_t i = 0; i < p->nhook; i++)
		if (!expr_is_zero(p->hook[i].native[sk]))
			return true;
	return false;
}

static struct expr *node(struct compiler *c, struct expr e, struct loc loc)
{
	e.loc = loc;
	e.lib = true;
	e.height = 1;
	return arena_memdup(c->arena, &e, sizeof(e));
}

/* @t: the parameter's, of which what is not there is 0. */
static struct expr *argument(struct compiler *c, const struct probe_decl *d, const char *const *name,
			     struct type *t, struct loc loc)
{
	uint32_t i = named(d, name);

	if (i < d->nparam)
		return node(c, (struct expr){.kind = E_IDENT, .name = "native", .symkind = SYM_NATIVE, .ival = i,
					     .type = d->param[i], .typed = true}, loc);
	return node(c, (struct expr){.kind = E_INT, .type = t, .typed = true, .is_const = true}, loc);
}

/* The filter's inline called with the native arguments of @d. */
static struct expr *filter_call(struct compiler *c, const struct probe_decl *d, struct loc loc)
{
	struct expr *e = node(c, (struct expr){.kind = E_INDEX, .narg = NFILTER_ARG}, loc);
	const struct decl_inline *in = inline_find(c, true, intern(&c->names, FILTER));

	e->a = node(c, (struct expr){.kind = E_IDENT, .name = intern(&c->names, FILTER)}, loc);
	e->arg = arena_newn(c->arena, struct expr *, NFILTER_ARG);
	for (uint32_t i = 0; i < NFILTER_ARG; i++)
		e->arg[i] = argument(c, d, filter_args[i], in->param_type[i], loc);
	e->height = 2;
	return e;
}

struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc)
{
	if (c->filters && probe_is_filtered(p))
		return filter_call(c, p->decl, loc);
	if (c->task_filters && probe_is_of_process(p))
		return node(c, (struct expr){.kind = E_IDENT, .name = intern(&c->names, FILTER_TASK)}, loc);
	return NULL;
}
