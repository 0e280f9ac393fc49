/*
 * filter.c - finds the values that filters compare: native arguments of a probe (arguments before
 * translation), by their types, or the running process.
 */
#include "compiler/meaning/probes/filter.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/derive.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"
#include "providers/kernel.h"
#include "providers/provider.h"

/* The parameters of the inline FILTER, in order. */
enum filter_arg { ARG_SKB, ARG_SK, ARG_IP, ARG_PORTS, ARG_OUT, NFILTER_ARG };

/* Returns the struct that a pointer of type @t points to, or NULL. */
static struct type *struct_behind(struct type *t)
{
	t = type_strip(t);
	if (t->kind != T_PTR)
		return NULL;
	t = type_strip(t->to);
	return t->kind == T_STRUCT ? t : NULL;
}

static bool is_port(const struct member *m, uint32_t at)
{
	return m->bitoff == at && !m->bits && type_is_integer(m->type) &&
	       type_strip(m->type)->size == 2;
}

/*
 * Returns whether @t is a header that begins with the source and destination port, 16 bits each, as
 * those of TCP, UDP, UDP-Lite, SCTP and DCCP do.
 */
static bool begins_with_ports(struct type *t)
{
	uint32_t n;
	struct member *m = type_members(t, &n);

	return n >= 2 && is_port(&m[0], 0) && is_port(&m[1], 16);
}

static bool is_arg(enum filter_arg arg, struct type *t, const char *name)
{
	struct type *s = struct_behind(t);

	switch (arg) {
	case ARG_SKB:
		return kernel_is(s, KS_SK_BUFF);
	case ARG_SK:
		return kernel_is(s, KS_SOCK);
	case ARG_IP:
		return kernel_is(s, KS_IPHDR);
	case ARG_PORTS:
		return s && begins_with_ports(s);
	default: /* ARG_OUT: a number that the library declares as "out" */
		return type_is_integer(t) && name && !strcmp(name, "out");
	}
}

/* Returns the index of the first native argument that fits @arg, or d->nparam if there is none. */
static uint32_t find_arg(const struct probe_decl *d, enum filter_arg arg)
{
	for (uint32_t i = 0; i < d->nparam; i++)
		if (is_arg(arg, d->param[i], d->param_name[i]))
			return i;
	return d->nparam;
}

static bool has_arg(const struct probe_decl *d, enum filter_arg arg)
{
	return find_arg(d, arg) < d->nparam;
}

bool probe_is_filtered(const struct probe *p)
{
	return !p->host && p->decl &&
	       (has_arg(p->decl, ARG_SK) || has_arg(p->decl, ARG_SKB) || has_arg(p->decl, ARG_IP));
}

static bool mentions(const struct expr *e, const char *param)
{
	if (!e)
		return false;
	if (e->kind == E_IDENT && e->name && !strcmp(e->name, param))
		return true;
	for (uint32_t i = 0; i < e->narg; i++)
		if (mentions(e->arg[i], param))
			return true;
	return mentions(e->a, param) || mentions(e->b, param) || mentions(e->c, param);
}

const char *probe_filter_lacks(struct compiler *c, const struct probe *p)
{
	static const char *const kinds[NFILTER_ARG] = {
		[ARG_IP] = "an IP header (struct iphdr *)",
		[ARG_PORTS] = "a header with ports (a pointer to a struct that begins with two "
			      "16-bit numbers)",
		[ARG_OUT] = "the direction (int out: the packet is sent)",
	};
	const struct decl_inline *in = inline_find(c->names, true,
						   intern(&c->names->intern, FILTER));

	/*
	 * A probe with a socket and no packet lacks nothing, because the filters read the socket
	 * instead.
	 */
	if (!has_arg(p->decl, ARG_SKB) && has_arg(p->decl, ARG_SK))
		return NULL;
	for (int arg = 0; arg < NFILTER_ARG; arg++)
		if (kinds[arg] && mentions(in->expr, in->param[arg]) && !has_arg(p->decl, arg))
			return kinds[arg];
	return NULL;
}

bool probe_is_of_process(const struct probe *p)
{
	return names_of_process(p->prov, p->name);
}

/* Returns whether all hooks of the probe pass argument @arg, or at least one if @all is not set. */
static bool passes_arg(const struct probe *p, enum filter_arg arg, bool all)
{
	uint32_t n = find_arg(p->decl, arg);

	for (uint32_t i = 0; i < p->nhook && n < p->decl->nparam; i++)
		if (expr_is_zero(p->hook[i].native[n]) == all)
			return !all;
	return all && n < p->decl->nparam;
}

bool probe_has_owner(const struct probe *p)
{
	return passes_arg(p, ARG_SK, false);
}

bool probe_has_packet(const struct probe *p, bool all)
{
	return passes_arg(p, ARG_SKB, all) && passes_arg(p, ARG_IP, all);
}

/*
 * A socket of TCP has both ends while it is connected. It gets its port after the first
 * state-change, and loses its ends before destroy.
 */
bool probe_has_ends(const struct probe *p, const char *filter)
{
	return passes_arg(p, ARG_IP, true) ||
	       (!strcmp(p->prov, "tcp") && strcmp(p->name, "destroy") != 0 &&
		(strcmp(p->name, "state-change") != 0 || strcmp(filter, "lport") != 0));
}

static struct expr *node(struct compiler *c, struct expr e, struct loc loc)
{
	e.loc = loc;
	e.lib = true;
	e.height = 1;
	return arena_memdup(c->arena, &e, sizeof(e));
}

/*
 * Returns the native argument of @p for filter argument @arg: at hook @on of a probe that derives
 * from @p, or in the code of @p itself if @on is NULL. Returns 0 of type @t if @p has none.
 */
static struct expr *argument(struct compiler *c, const struct probe *p, const struct hook_on *on,
			     enum filter_arg arg, struct type *t, struct loc loc)
{
	const struct probe_decl *d = p->decl;
	uint32_t i = find_arg(d, arg);

	if (i < d->nparam && on)
		return derive_native(c, p, on, i, loc);
	if (i < d->nparam)
		return node(c,
			    (struct expr){.kind = E_IDENT,
					  .name = "native",
					  .symkind = SYM_NATIVE,
					  .ival = i,
					  .type = d->param[i],
					  .typed = true},
			    loc);
	return node(c, (struct expr){.kind = E_INT, .type = t, .typed = true, .is_const = true},
		    loc);
}

/* Returns a call of the filters' inline with the native arguments of @p, as in argument(). */
static struct expr *filter_call(struct compiler *c, const struct probe *p, const struct hook_on *on,
				struct loc loc)
{
	struct expr *e = node(c, (struct expr){.kind = E_INDEX, .narg = NFILTER_ARG}, loc);
	const struct decl_inline *in = inline_find(c->names, true,
						   intern(&c->names->intern, FILTER));

	e->a = node(c, (struct expr){.kind = E_IDENT, .name = intern(&c->names->intern, FILTER)},
		    loc);
	e->arg = arena_newn(c->arena, struct expr *, NFILTER_ARG);
	for (int i = 0; i < NFILTER_ARG; i++)
		e->arg[i] = argument(c, p, on, i, in->param_type[i], loc);
	e->height = 2;
	return e;
}

struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc)
{
	if (c->probes->filters && probe_is_filtered(p))
		return filter_call(c, p, NULL, loc);
	if (c->probes->task_filters && probe_is_of_process(p))
		return node(c,
			    (struct expr){.kind = E_IDENT,
					  .name = intern(&c->names->intern, FILTER_TASK)},
			    loc);
	return NULL;
}

struct expr *probe_filter_at(struct compiler *c, const struct probe *p, const struct hook_on *on)
{
	return c->probes->filters && probe_is_filtered(p) ? filter_call(c, p, on, on->loc) : NULL;
}
