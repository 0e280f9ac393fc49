/*
 * steady.c - expressions that have one value throughout a firing (one run of a probe's clauses).
 *
 * Library text is copied to every place where it is used, so the same expression occurs many times:
 * in guards (conditions of hooks), native arguments (arguments before translation), filters and
 * members. One copy represents all of them, and its value is computed once.
 */
#include "compiler/code/eval/steady.h"

#include "base/arena.h"
#include "compiler/code/eval/fire.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/* If @e is a name in library text, returns the expression that the name stands for. */
static const struct expr *meant(const struct fire *g, const struct expr *e)
{
	for (;;) {
		if (e->kind == E_IDENT && e->symkind == SYM_BOUND)
			e = e->ref.bound;
		else if (e->kind == E_IDENT && e->symkind == SYM_NATIVE && g->hook->native)
			e = g->hook->native[e->ival];
		else
			return e;
	}
}

/* Returns whether @e depends only on the hook's arguments and the memory that they point to. */
static bool is_steady(const struct fire *g, const struct expr *e)
{
	if (!e)
		return true;
	e = meant(g, e);
	switch (e->kind) {
	case E_INT:
		return true;
	case E_IDENT:
		return e->symkind == SYM_HOSTARG || e->symkind == SYM_NATIVE;
	case E_UNARY:
		return e->op <= U_ADDR && is_steady(g, e->a);
	case E_CALL:
		return e->symkind == SYM_SUBR && e->ref.subr->pure && is_steady(g, e->arg[0]);
	case E_BINARY:
	case E_COND:
	case E_MEMBER:
	case E_CAST:
		return is_steady(g, e->a) && is_steady(g, e->b) && is_steady(g, e->c);
	default:
		return false;
	}
}

static uint32_t mix(uint32_t h, uint64_t v)
{
	return (uint32_t)(((h ^ v) * 0x9e3779b97f4a7c15u) >> 32);
}

static uint32_t hash(const struct fire *g, const struct expr *e)
{
	uint32_t h;

	if (!e)
		return 0;
	e = meant(g, e);
	if (e->is_const)
		return mix(1, (uint64_t)e->value);
	h = mix(mix(e->kind, e->op), e->ival);
	h = mix(mix(h, (uintptr_t)e->name), (uintptr_t)e->ref.any);
	h = mix(h, hash(g, e->a));
	h = mix(h, hash(g, e->b));
	h = mix(h, hash(g, e->c));
	for (uint32_t i = 0; i < e->narg; i++)
		h = mix(h, hash(g, e->arg[i]));
	return h;
}

static bool same_type(struct type *x, struct type *y)
{
	return x == y || (type_same(x, y) && type_is_userland(x) == type_is_userland(y));
}

static bool same(const struct fire *g, const struct expr *x, const struct expr *y)
{
	if (!x || !y)
		return x == y;
	x = meant(g, x);
	y = meant(g, y);
	if (x == y)
		return true;
	if (!same_type(x->type, y->type) || x->is_const != y->is_const || x->lib != y->lib)
		return false;
	if (x->is_const)
		return x->value == y->value;
	if (x->kind != y->kind || x->op != y->op || x->ival != y->ival || x->name != y->name ||
	    x->ref.any != y->ref.any || x->symkind != y->symkind || x->arrow != y->arrow ||
	    x->extra.any != y->extra.any || x->narg != y->narg)
		return false;
	for (uint32_t i = 0; i < x->narg; i++)
		if (!same(g, x->arg[i], y->arg[i]))
			return false;
	return same(g, x->a, y->a) && same(g, x->b, y->b) && same(g, x->c, y->c);
}

/*
 * Returns whether a fault in the expression is reported to the user. In replay, an access to bytes
 * that were not captured is a fault in a clause, but reads as 0 in a guard.
 */
static bool is_told(const struct fire *g)
{
	return g->c->opt->replay && g->epid;
}

const struct expr *steady_copy(struct fire *g, const struct expr *e)
{
	struct steady **at;
	uint32_t h;

	if (!e->lib || !is_steady(g, e))
		return NULL;
	h = hash(g, e);
	for (at = &g->steady[h % NSTEADY]; *at; at = &(*at)->next)
		if ((*at)->hash == h && (*at)->told == is_told(g) && same(g, (*at)->e, e))
			return (*at)->e;
	*at = arena_memdup(g->c->arena, &(struct steady){e, h, is_told(g), NULL}, sizeof(**at));
	return e;
}
