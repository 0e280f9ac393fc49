/*
 * routine.c - functions of a unit (the eBPF program of one hook) that are generated when they are
 * first called.
 */
#include "compiler/code/eval/routine.h"

#include "base/vec.h"
#include "compiler/code/eval/fire.h"
#include "ir/ir.h"
#include "ir/program.h"

static int find_routine(struct routines *all, const struct routine *r, uint32_t with)
{
	for (size_t i = 0; i < all->made.n; i++)
		if (all->made.v[i].r == r && all->made.v[i].with == with)
			return all->made.v[i].func;
	return 0;
}

/*
 * Generates the function and returns its index. Reserves the index first, because the routine may
 * call other routines, which then get the next indexes.
 */
static int make_routine(struct arena *a, struct routines *all, const struct routine *r,
			uint32_t with)
{
	int func = (int)all->unit->func.n;
	int param[FUNC_PARAMS];
	struct irb b;

	irb_init(&b, a, r->name);
	b.verified = all->verified;
	vec_apush(a, &all->unit->func, b.f);
	vec_apush(a, &all->made, ((struct made_routine){r, with, func}));
	b.f->params.global = all->verified && r->params;
	if (r->params)
		b.f->params.n = r->params(with, b.f->params.size);
	if (b.f->params.global)
		irb_take_params(&b, param);
	r->gen(&b, all, with);
	return func;
}

static int routine_func(struct arena *a, struct routines *all, const struct routine *r,
			uint32_t with)
{
	int func = find_routine(all, r, with);

	return func ? func : make_routine(a, all, r, with);
}

int call_routine(struct irb *b, struct routines *all, const struct routine *r, uint32_t with,
		 unsigned narg, const struct ir_arg *arg)
{
	return irb_call(b, IR_LCALL, routine_func(b->arena, all, r, with), narg, arg);
}

int gen_routine(struct fire *g, const struct routine *r, uint32_t with, unsigned narg,
		const struct ir_arg *arg)
{
	return call_routine(g->b, g->u->routines, r, with, narg, arg);
}
