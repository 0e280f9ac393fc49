/* loop.c - builds loops, and finds the loops of a function. */
#include "base/diag.h"
#include "base/xalloc.h"
#include "ir/ir.h"

/* Makes a block of a loop. If the loop is in cold (rarely executed) code, its blocks are cold. */
static int make_block(struct irb *b, const char *label, bool cold)
{
	return cold ? irb_cold_block(b, label) : irb_block(b, label);
}

int irb_loop(struct irb *b, struct irb_loop *l, uint32_t bound, uint32_t step)
{
	bool cold = b->f->block.v[b->cur]->cold;

	if (b->looping)
		BUG("unit %s: a loop within a loop", b->f->name);
	if (!bound || !step || bound > INT32_MAX - step)
		BUG("unit %s: a loop cannot go up to %u in steps of %u", b->f->name, bound, step);
	b->looping = true;
	*l = (struct irb_loop){.bound = bound, .step = step};
	l->head = make_block(b, "loop", cold);
	l->next = make_block(b, "next round", cold);
	l->done = make_block(b, "loop done", cold);
	l->i = irb_var(b);
	irb_assign_imm(b, l->i, 0);
	irb_jmp(b, l->head);
	b->f->block.v[l->head]->loop = true;
	irb_place(b, l->head);
	return l->i;
}

void irb_loop_end(struct irb *b, const struct irb_loop *l)
{
	irb_jmp(b, l->next);
	irb_place(b, l->next);
	irb_updatei(b, IR_ADD, l->i, l->step);
	irb_bri(b, CC_ULT, l->i, l->bound, l->head, l->done);
	irb_place(b, l->done);
	b->looping = false;
}

void irb_update(struct irb *b, enum ir_op op, int var, int y)
{
	int64_t c;

	if (irb_is_const(b, y, &c) && c >= INT32_MIN && c <= INT32_MAX) {
		irb_updatei(b, op, var, (int32_t)c);
		return;
	}
	irb_reg(b, var)->size = 8;
	irb_append(b, &(struct ir_insn){.op = (uint8_t)op,
					.dst = var,
					.a = var,
					.b = irb_scalar(b, y)});
}

void irb_updatei(struct irb *b, enum ir_op op, int var, int32_t imm)
{
	irb_reg(b, var)->size = 8;
	irb_append(b, &(struct ir_insn){.op = (uint8_t)op, .dst = var, .a = var, .imm = imm});
}

/* ------------------------------------------------------------ finding loops */

static void add_if_back_edge(struct ir_loops *l, const size_t *at, size_t from, int to)
{
	if (to != NOBLOCK && at[to] && at[to] - 1 <= from)
		vec_push(l, ((struct ir_span){at[to] - 1, from}));
}

void ir_find_loops(const struct ir_func *f, struct ir_loops *l)
{
	/* for each block, 1 + its index in the order */
	size_t *at = xcalloc(f->block.n, sizeof(*at));

	*l = (struct ir_loops){0};
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];
		const struct ir_insn *last = &blk->insn.v[blk->insn.n - 1];

		at[f->order.v[i]] = i + 1;
		add_if_back_edge(l, at, i, last->t);
		if (last->f != last->t)
			add_if_back_edge(l, at, i, last->f);
	}
	xfree(at);
}
