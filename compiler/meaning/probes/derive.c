/*
 * derive.c - resolves a derivation "on STABLE PROBE", such as "on tcp:::send", to kernel hooks.
 *
 * A derivation tells which hooks fire a probe. If a hook is itself a stable probe (one that is
 * declared in D), this file replaces it by the hooks of that probe. The expressions in the result
 * have no types yet; they are type-checked like those of a derivation in a library text.
 */
#include "compiler/meaning/probes/derive.h"

#include <string.h>

#include "base/arena.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/filter.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"

static struct probe *stable_probe(struct compiler *c, const struct probe_desc *d)
{
	for (size_t i = 0; i < c->probes->stable.n; i++)
		if (!strcmp(c->probes->stable.v[i]->prov, d->field[PD_PROV]) &&
		    !strcmp(c->probes->stable.v[i]->name, d->field[PD_NAME]))
			return c->probes->stable.v[i];
	return NULL;
}

/* Returns whether @e is args[N] with a constant N. */
static bool is_argument(const struct expr *e)
{
	return e->kind == E_INDEX && e->narg == 1 && e->a->kind == E_IDENT &&
	       !strcmp(e->a->name, "args") && e->arg[0]->kind == E_INT;
}

struct expr *derive_native(struct compiler *c, const struct probe *p, const struct hook_on *on,
			   uint64_t i, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_CAST,
			   .loc = loc,
			   .lib = true,
			   .ctype = p->decl->param[i],
			   .a = expr_clone(c->arena, on->arg[i])};
	return e;
}

/* Replaces each args[N] in expression @e by argument N of @p at its hook @on. */
static struct expr *replace(struct compiler *c, const struct probe *p, const struct hook_on *on,
			    struct expr *e)
{
	if (!e)
		return NULL;
	if (is_argument(e) && e->arg[0]->ival < on->narg)
		return derive_native(c, p, on, e->arg[0]->ival, e->loc);
	e->a = replace(c, p, on, e->a);
	e->b = replace(c, p, on, e->b);
	e->c = replace(c, p, on, e->c);
	for (uint32_t i = 0; i < e->narg; i++)
		e->arg[i] = replace(c, p, on, e->arg[i]);
	return e;
}

static struct expr *replaced(struct compiler *c, const struct probe *p, const struct hook_on *on,
			     const struct expr *e)
{
	return e ? replace(c, p, on, expr_clone(c->arena, e)) : NULL;
}

static struct expr *both(struct compiler *c, const struct expr *x, struct expr *y)
{
	struct expr *e;

	if (!x || !y)
		return x ? expr_clone(c->arena, x) : y;
	e = arena_new(c->arena, struct expr);
	*e = (struct expr){.kind = E_BINARY,
			   .op = B_LAND,
			   .loc = x->loc,
			   .lib = true,
			   .a = expr_clone(c->arena, x),
			   .b = y};
	return e;
}

/*
 * @user is a hook "on @p" of a derivation, where @p is a stable probe. Returns a hook to use in its
 * place: @on, one of the hooks of @p, with both guards (conditions), and with each args[N] replaced
 * by the argument that @p has at @on.
 */
static struct hook_on *behind(struct compiler *c, const struct probe *p, const struct hook_on *on,
			      const struct hook_on *user)
{
	struct hook_on *h = arena_new(c->arena, struct hook_on);

	*h = *on;
	h->guard = both(c, on->guard, replaced(c, p, on, user->guard));
	h->as = user->as ? replaced(c, p, on, user->as) : on->as;
	h->narg = user->narg;
	h->arg = arena_newn(c->arena, struct expr *, user->narg + 1);
	for (uint32_t i = 0; i < user->narg; i++)
		h->arg[i] = replaced(c, p, on, user->arg[i]);
	h->filter = on->filter ? expr_clone(c->arena, on->filter) : probe_filter_at(c, p, on);
	h->next = NULL;
	return h;
}

const struct hook_on *derive_group(struct compiler *c, const struct hook_on *group,
				   const char **why)
{
	struct hook_on *first = NULL, **end = &first;

	for (; group; group = group->next) {
		struct probe *p = stable_probe(c, &group->host);

		if (!p) {
			*end = arena_memdup(c->arena, group, sizeof(*group));
			(*end)->next = NULL;
			end = &(*end)->next;
			continue;
		}
		probe_resolve(c, p);
		if (!p->group) {
			*why = p->missing;
			return NULL;
		}
		for (const struct hook_on *on = p->group; on; on = on->next) {
			*end = behind(c, p, on, group);
			end = &(*end)->next;
		}
	}
	return first;
}

const struct probe *derive_filtered(struct compiler *c, const struct probe *p)
{
	const struct probe *found = probe_is_filtered(p) ? p : NULL, *from;

	for (uint32_t i = 0; !found && p->deriv && i < p->deriv->ngroup; i++)
		for (const struct hook_on *on = p->deriv->group[i]; on && !found; on = on->next) {
			from = stable_probe(c, &on->host);
			found = from ? derive_filtered(c, from) : NULL;
		}
	return found;
}
