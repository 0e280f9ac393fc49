/*
 * routine.c - routines of the run time: functions of a unit, made when first called.
 */
#include "compiler/code/irgen.h"

static int find_routine(struct routines *all, const struct routine *r, uint32_t with)
{
	for (size_t i = 0; i < all->made.n; i++)
		if (all->made.v[i].r == r && all->made.v[i].with == with)
			return all->made.v[i].func;
	return 0;
}

/* Its place among the functions is taken first: it may call others, which are made then. */
static int make_routine(struct arena *a, struct routines *all, const struct routine *r, uint32_t with)
{
	int func = (int)all->unit->func.n;
	struct irb b;

	irb_init(&b, a, r->name);
	b.verified = all->verified;
	vec_apush(a, &all->unit->func, b.f);
	vec_apush(a, &all->made, ((struct made_routine){r, with, func}));
	r->gen(&b, with);
	return func;
}

int gen_routine(struct fire *g, const struct routine *r, uint32_t with, unsigned narg,
		const struct ir_arg *arg)
{
	struct routines *all = g->u->routines;
	int func = find_routine(all, r, with);

	if (!func)
		func = make_routine(g->c->arena, all, r, with);
	return irb_call(g->b, IR_LCALL, func, narg, arg);
}
