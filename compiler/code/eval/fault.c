/*
 * fault.c - faults: tests that may fail, and the code that reports a failure.
 */
#include "compiler/code/eval/fault.h"

#include "base/vec.h"
#include "compiler/code/eval/fire.h"
#include "compiler/meaning/compiler.h"
#include "ir/ir.h"
#include "ir/program.h"

/*
 * A fault block is placed after all jumps to it, because these jumps decide which values are known
 * in the block. Until it is placed, the value that it reports must be kept in a register or on the
 * stack. So at most FAULTS_WAITING blocks wait to be placed.
 */
enum { FAULTS_WAITING = 16 };

static void place_waiting_faults(struct fire *g)
{
	int rest = irb_block(g->b, "behind faults");

	irb_jmp(g->b, rest);
	place_faults(g);
	irb_place(g->b, rest);
}

int fault_block(struct fire *g, enum fault_code code, int value)
{
	struct fault_site site = {.code = code,
				  .action = g->action,
				  .value = value,
				  .handler = g->fault.block};

	if (g->fault.site.n >= FAULTS_WAITING)
		place_waiting_faults(g);
	site.block = irb_cold_block(g->b, "fault");
	vec_apush(g->c->arena, &g->fault.site, site);
	return site.block;
}

void place_faults(struct fire *g)
{
	struct irb *b = g->b;

	for (size_t i = 0; i < g->fault.site.n; i++) {
		const struct fault_site *s = &g->fault.site.v[i];

		irb_place(b, s->block);
		if (s->value)
			irb_assign(b, g->fault.value, s->value);
		else
			irb_assign_imm(b, g->fault.value, 0);
		irb_assign_imm(b, g->fault.info, (int64_t)s->action << 16 | s->code);
		irb_assign(b, g->fault.pc, irb_pc(b));
		irb_jmp(b, s->handler);
	}
	g->fault.site.n = 0;
}

void gen_fault(struct fire *g, enum fault_code code, int value)
{
	struct irb *b = g->b;
	int rest = irb_block(b, "unreachable"), zero = irb_var(b);

	/*
	 * The optimiser does not know that the test always holds, so the code after it stays
	 * reachable.
	 */
	irb_assign_imm(b, zero, 0);
	irb_bri(b, CC_EQ, zero, 0, fault_block(g, code, value), rest);
	irb_place(b, rest);
}

static void need_at_most(struct fire *g, int v, int64_t most, enum fault_code code, int value)
{
	int ok = irb_block(g->b, "within");

	irb_bri(g->b, CC_ULE, v, most, ok, fault_block(g, code, value));
	irb_place(g->b, ok);
}

int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value)
{
	int64_t mask;
	int k;

	if (irb_is_const(g->b, v, &mask) && mask >= 0 && mask <= most)
		return v;
	for (mask = 1; mask < most; mask = mask * 2 + 1)
		;
	need_at_most(g, v, most, code, value);
	k = irb_bini(g->b, IR_AND, v, mask);
	if (mask > most)
		need_at_most(g, k, most, code, value);
	return k;
}
