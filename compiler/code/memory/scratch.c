/*
 * scratch.c - scratch memory of a unit (the eBPF program of one hook).
 */
#include "compiler/code/memory/scratch.h"

#include "compiler/code/eval/fire.h"

void scratch_release(struct fire *g, uint32_t mark)
{
	if (g->u->scratch_used > g->u->scratch_max)
		g->u->scratch_max = g->u->scratch_used;
	g->u->scratch_used = mark;
}

struct dest scratch_slot(struct fire *g, uint32_t size)
{
	struct dest d = {.base = g->u->scratch_base, .size = size, .zero = true};

	d.off = (int32_t)g->u->scratch_used;
	g->u->scratch_used += (size + 7) & ~7u;
	return d;
}
