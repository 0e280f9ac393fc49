/*
 * lookups.c - finds the places where a function looks up this CPU's MAP_PERCPU value and its
 * scratch area (memory for strings and long keys).
 *
 * The lookups are not at the start of the function: events that a filter or a predicate rejects
 * should not pay for them.
 */
#include "ir/ir.h"

static bool has_operand(struct ir_insn *in, int reg)
{
	const int *r;

	for (unsigned i = 0; (r = ir_use(in, i)); i++)
		if (*r == reg)
			return true;
	return false;
}

bool ir_needs_area(const struct ir_func *f, const struct ir_lookups *l, struct ir_insn *in)
{
	return f->area.size && l->area_reg && has_operand(in, l->area_reg);
}

/*
 * IR_COUNT is no use of the value: the events that it counts are rare, so it looks up the value
 * itself.
 */
bool ir_needs_percpu(const struct program *p, const struct ir_insn *in)
{
	return in->op == IR_PERCPU || (in->op == IR_AGG && p->agg[in->id].map < 0);
}

static void add_use(const struct ir_func *f, int *at, int block)
{
	*at = *at < 0 ? block : ir_common_dominator(f, *at, block);
}

int ir_before_loops(const struct ir_func *f, int block)
{
	struct ir_loops l;

	ir_find_loops(f, &l);
	for (size_t i = 0; i < l.n; i++) {
		int head = f->order.v[l.v[i].from];

		for (size_t k = l.v[i].from; k <= l.v[i].to; k++)
			if (f->order.v[k] == block)
				block = f->block.v[head]->idom;
	}
	vec_free(&l);
	return block;
}

static void look_at_block(const struct ir_func *f, const struct program *p, int block,
			  struct ir_lookups *l)
{
	struct ir_block *blk = f->block.v[block];

	for (size_t j = 0; j < blk->insn.n; j++) {
		struct ir_insn *in = &blk->insn.v[j];

		if (in->op == IR_AREA) {
			l->area_reg = in->dst;
			l->area_insn = in;
			/* values are spilled to the area from this place on */
			if (f->spill_base == in->dst)
				add_use(f, &l->area, block);
		}
		if (ir_needs_area(f, l, in))
			add_use(f, &l->area, block);
		if (ir_needs_percpu(p, in))
			add_use(f, &l->percpu, block);
	}
}

/*
 * Moves the place of a lookup before all reservations of records. A failed lookup ends the program,
 * and a program that has reserved a record may not end.
 */
static void include_records(const struct ir_func *f, int *at)
{
	for (size_t i = 0; i < f->order.n && *at >= 0; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_RESERVE)
				add_use(f, at, f->order.v[i]);
	}
}

struct ir_lookups ir_find_lookups(const struct ir_func *f, const struct program *p)
{
	struct ir_lookups l = {.percpu = -1, .area = -1};

	for (size_t i = 0; i < f->order.n; i++)
		look_at_block(f, p, f->order.v[i], &l);
	include_records(f, &l.area);
	include_records(f, &l.percpu);
	if (l.area >= 0) {
		l.area = ir_before_loops(f, l.area);
		add_use(f, &l.percpu, l.area);
	}
	if (l.percpu >= 0)
		l.percpu = ir_before_loops(f, l.percpu);
	return l;
}
