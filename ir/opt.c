/*
 * opt.c - optimisations: drops unreachable blocks and unused values, shortens chains of jumps (jump
 * threading), and merges probe reads.
 */
#include <string.h>

#include "base/xalloc.h"
#include "ir/ir.h"

int *ir_use(struct ir_insn *in, unsigned i)
{
	if (i < 2)
		return i ? &in->b : &in->a;
	for (unsigned k = 0; k < in->narg; k++)
		if (in->arg[k].kind == ARG_REG && i-- == 2)
			return &in->arg[k].reg;
	return NULL;
}

void ir_prune(struct ir_func *f)
{
	bool *reach = xcalloc(f->block.n, sizeof(bool));
	size_t i, j, n = 0;

	reach[f->order.v[0]] = true;
	for (i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		if (!reach[f->order.v[i]])
			continue;
		for (j = 0; j < blk->insn.n; j++) {
			const struct ir_insn *in = &blk->insn.v[j];

			reach[in->t] = reach[in->f] = true;
		}
		f->order.v[n++] = f->order.v[i];
	}
	f->order.n = n;
	xfree(reach);
}

/* Marks function @func, and all functions that it calls directly or indirectly, in @number. */
static void mark_called(const struct ir_unit *u, int func, int *number)
{
	const struct ir_func *f = u->func.v[func];

	if (number[func])
		return;
	number[func] = 1;
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_LCALL)
				mark_called(u, (int)blk->insn.v[j].imm, number);
	}
}

static void renumber_calls(struct ir_func *f, const int *number)
{
	for (size_t i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_LCALL)
				blk->insn.v[j].imm = number[blk->insn.v[j].imm];
	}
}

void ir_drop_functions(struct ir_unit *u)
{
	int *number = xcalloc(u->func.n, sizeof(*number));
	size_t n = 0;

	mark_called(u, 0, number);
	for (size_t i = 0; i < u->func.n; i++)
		if (number[i]) {
			number[i] = (int)n;
			u->func.v[n++] = u->func.v[i];
		}
	u->func.n = n;
	for (size_t i = 0; i < n; i++)
		renumber_calls(u->func.v[i], number);
	xfree(number);
}

static void count_uses(struct ir_insn *in, int *uses, int by)
{
	const int *reg;

	for (unsigned i = 0; (reg = ir_use(in, i)); i++)
		if (*reg > 0)
			uses[*reg] += by;
}

static bool is_dead(const struct ir_insn *in, const int *uses)
{
	if (!in->dst || uses[in->dst])
		return false;
	if (ir_is_pure(in->op) || in->op == IR_LOADV || in->op == IR_PC)
		return true;
	if (in->op == IR_MOV || in->op == IR_CONST)
		return true;
	return in->op == IR_READ && !in->t;
}

static void drop_dead(struct ir_func *f)
{
	int *uses = xcalloc(f->reg.n, sizeof(int));
	size_t i, j;

	uses[f->spill_base]++; /* the register allocator uses this register (or it is NOREG) */
	for (i = 0; i < f->order.n; i++)
		for (j = 0; j < f->block.v[f->order.v[i]]->insn.n; j++)
			count_uses(&f->block.v[f->order.v[i]]->insn.v[j], uses, 1);
	for (i = f->order.n; i-- > 0;) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		for (j = blk->insn.n; j-- > 0;) {
			struct ir_insn *in = &blk->insn.v[j];

			if (!is_dead(in, uses))
				continue;
			count_uses(in, uses, -1);
			in->op = IR_NOP;
			in->dst = 0;
			in->a = in->b = 0;
			in->narg = 0;
		}
	}
	xfree(uses);
}

static void drop_nops(struct ir_func *f)
{
	for (size_t i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];
		size_t n = 0;

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op != IR_NOP)
				blk->insn.v[n++] = blk->insn.v[j];
		blk->insn.n = n;
	}
}

static int original(const int *copy, int reg)
{
	return reg > 0 && copy[reg] ? copy[reg] : reg;
}

/* Replaces uses of a copy by uses of the original, so that nothing uses the copy any more. */
static void forward_copies(struct ir_func *f)
{
	int *copy = xcalloc(f->reg.n, sizeof(int)), *reg;

	for (size_t i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++) {
			struct ir_insn *in = &blk->insn.v[j];

			for (unsigned k = 0; (reg = ir_use(in, k)); k++)
				*reg = original(copy, *reg);
			if (in->op == IR_MOV && !f->reg.v[in->dst].is_var &&
			    !f->reg.v[in->a].is_var)
				copy[in->dst] = in->a;
		}
	}
	xfree(copy);
}

void ir_tidy(struct ir_func *f)
{
	ir_prune(f);
	forward_copies(f);
	drop_dead(f);
	drop_nops(f);
}

/* -------------------------------------------------------------------- jumps */

/* Returns the final target of a jump to @block. Skips blocks that only have a jump. */
static int jump_target(const struct ir_func *f, int block)
{
	const struct ir_block *blk = f->block.v[block];

	while (blk->insn.n == 1 && blk->insn.v[0].op == IR_JMP && !blk->loop &&
	       !f->block.v[blk->insn.v[0].t]->loop) {
		block = blk->insn.v[0].t;
		blk = f->block.v[block];
	}
	return block;
}

static void thread_jump(const struct ir_func *f, struct ir_insn *last)
{
	if (last->op == IR_JMP || last->op == IR_BR)
		last->t = jump_target(f, last->t);
	if (last->op != IR_BR)
		return;
	last->f = jump_target(f, last->f);
	if (last->t == last->f)
		*last = (struct ir_insn){.op = IR_JMP, .t = last->t};
}

/*
 * Returns whether the block only copies a variable, and branches on a comparison of the copy with a
 * number.
 */
static bool only_tests(const struct ir_block *blk)
{
	const struct ir_insn *in = blk->insn.v;

	return !blk->loop && blk->insn.n == 2 && in[0].op == IR_MOV && in[1].op == IR_BR &&
	       in[1].a == in[0].dst && !in[1].b;
}

/*
 * If block @blk sets a variable to a number and jumps to a test of that variable, the result of the
 * test is known. So the block then jumps directly to the block that the test selects.
 */
static void skip_known_test(struct ir_func *f, struct ir_block *blk, const int *uses)
{
	struct ir_insn *set = blk->insn.n > 1 ? &blk->insn.v[blk->insn.n - 2] : NULL;
	struct ir_insn *jmp = &blk->insn.v[blk->insn.n - 1], to_test, known;
	const struct ir_insn *test;
	int to;

	if (!set || jmp->op != IR_JMP || set->op != IR_CONST || !only_tests(f->block.v[jmp->t]))
		return;
	test = f->block.v[jmp->t]->insn.v;
	if (test[0].a != set->dst)
		return;
	to = ir_fold_cc(test[1].cc, set->imm, test[1].imm) ? test[1].t : test[1].f;
	if (f->block.v[to]->loop)
		return;
	jmp->t = to;
	if (uses[test[0].dst] == 1)
		return;
	f->reg.v[test[0].dst].is_var = true; /* the register has two definitions now */
	known = (struct ir_insn){.op = IR_CONST, .dst = test[0].dst, .imm = set->imm};
	to_test = *jmp;
	*jmp = known;
	vec_apush(f->arena, &blk->insn, to_test);
}

void ir_thread_jumps(struct ir_func *f)
{
	int *uses = xcalloc(f->reg.n, sizeof(int));

	for (size_t i = 0; i < f->order.n; i++)
		for (size_t j = 0; j < f->block.v[f->order.v[i]]->insn.n; j++)
			count_uses(&f->block.v[f->order.v[i]]->insn.v[j], uses, 1);
	for (size_t i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		thread_jump(f, &blk->insn.v[blk->insn.n - 1]);
		skip_known_test(f, blk, uses);
	}
	xfree(uses);
}

/* ------------------------------------------------------------- merging reads */

/* maximum size of a merged read in bytes; the time of a read depends little on its size */
#define MERGE_SPAN 128

/*
 * Returns whether the reads @x and @y can be merged. They must read the same object, jump to the
 * same block on a fault, and be close together. If so, extends the range from *@lo to *@hi to the
 * bytes of @y.
 */
static bool reads_merge(const struct ir_insn *x, const struct ir_insn *y, int32_t *lo, int32_t *hi)
{
	int32_t l = *lo, h = *hi;

	if (y->op != IR_READ || y->a != x->a || y->t != x->t)
		return false;
	if (y->off < l)
		l = y->off;
	if (y->off + y->size > h)
		h = y->off + y->size;
	if (h - l > MERGE_SPAN)
		return false;
	*lo = l;
	*hi = h;
	return true;
}

/*
 * Replaces the read at index @i, and the reads of the same object in the rest of the block, by
 * loads from one copy on the stack.
 */
static void merge_from(struct ir_func *f, struct ir_block *blk, size_t i, int32_t *used)
{
	struct ir_insn x = blk->insn.v[i];
	int32_t lo = x.off, hi = x.off + x.size, slot;
	size_t j, n = 0, end;

	/* An assignment to the variable that has the address of the object ends the search. */
	for (end = i + 1; end < blk->insn.n && blk->insn.v[end].dst != x.a; end++)
		n += reads_merge(&x, &blk->insn.v[end], &lo, &hi);
	if (!n || x.a <= 0)
		return;
	/*
	 * Keep the alignment that the bytes have in the object, because the verifier requires
	 * aligned accesses to the stack.
	 */
	*used += (hi - lo + (lo & 7) + 7) & ~7;
	if (*used > f->frame)
		f->frame = *used;
	slot = -*used + (lo & 7);
	for (j = end; j-- > i;) {
		struct ir_insn *y = &blk->insn.v[j];
		int32_t l = lo, h = hi;

		if (!reads_merge(&x, y, &l, &h) || l != lo || h != hi)
			continue;
		y->op = IR_LOADV;
		y->off = slot + (y->off - lo);
		y->a = FRAME;
		y->t = NOBLOCK;
	}
	/* Insert the copy before the loads. */
	vec_apush(f->arena, &blk->insn, (struct ir_insn){0});
	memmove(&blk->insn.v[i + 1], &blk->insn.v[i], (blk->insn.n - 1 - i) * sizeof(x));
	blk->insn.v[i] = (struct ir_insn){.op = IR_COPY,
					  .a = x.a,
					  .off = lo,
					  .b = FRAME,
					  .boff = slot,
					  .imm = hi - lo,
					  .t = x.t};
}

/*
 * A copy is only used in its own block, so all blocks can use the same stack slots for their
 * copies.
 */
static void merge_reads(struct ir_func *f)
{
	int32_t frame = f->frame;

	for (size_t i = 0; i < f->order.n; i++) {
		struct ir_block *blk = f->block.v[f->order.v[i]];
		int32_t used = frame;

		for (size_t j = 0; j < blk->insn.n; j++)
			if (blk->insn.v[j].op == IR_READ)
				merge_from(f, blk, j, &used);
	}
}

void ir_optimise(struct ir_func *f)
{
	ir_tidy(f);
	merge_reads(f);
	ir_sink(f);
}
