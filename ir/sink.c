/*
 * sink.c - code sinking: moves slow calls to the place where their results are needed.
 *
 * To get the number of the point (such as a function's entry) that fired, the kernel searches a
 * table of all points of the program. Predicates and other conditions rarely need that number. So
 * the call, and the arithmetic on its result, move down to the last block that is on every path to
 * the instructions that use the result (their nearest common dominator).
 */
#include <string.h>

#include "base/xalloc.h"
#include "ir/helpers.h"
#include "ir/ir.h"

static bool is_slow_call(const struct ir_insn *in)
{
	return in->op == IR_PURECALL && in->imm == HELPER_get_attach_cookie;
}

static bool is_unary(const struct ir_insn *in)
{
	return in->op >= IR_ADD && in->op <= IR_SAR && in->b == NOREG;
}

/*
 * Finds the registers that have the result of a slow call, or a value computed from such a result.
 * Returns an array with a flag for each register, or NULL if there are no such registers. The
 * caller frees the array with xfree().
 */
static bool *find_derived(const struct ir_func *f)
{
	bool *derived = xcalloc(f->reg.n, sizeof(*derived)), any = false;

	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++) {
			const struct ir_insn *in = &blk->insn.v[j];
			bool is_derived = is_slow_call(in) ||
					  (is_unary(in) && in->a > 0 && derived[in->a]);

			if (is_derived && !f->reg.v[in->dst].is_var)
				any = derived[in->dst] = true;
		}
	}
	if (any)
		return derived;
	xfree(derived);
	return NULL;
}

static bool uses(struct ir_block *blk, int reg)
{
	const int *r;

	for (size_t j = 0; j < blk->insn.n; j++)
		for (unsigned i = 0; (r = ir_use(&blk->insn.v[j], i)); i++)
			if (*r == reg)
				return true;
	return false;
}

/*
 * Returns the target block for the computation of @reg: the nearest common dominator of the users
 * of @reg. If this block is in a loop, returns the block before the loop. Returns -1 if @reg has no
 * users.
 */
static int find_target(const struct ir_func *f, int reg)
{
	int at = -1;

	for (size_t i = 0; i < f->order.n; i++)
		if (uses(f->block.v[f->order.v[i]], reg))
			at = at < 0 ? f->order.v[i] : ir_common_dominator(f, at, f->order.v[i]);
	return at < 0 ? at : ir_before_loops(f, at);
}

static void move_to_front(struct ir_func *f, struct ir_block *from, size_t j, struct ir_block *to)
{
	struct ir_insn in = from->insn.v[j];

	memmove(&from->insn.v[j], &from->insn.v[j + 1], (from->insn.n - j - 1) * sizeof(in));
	from->insn.n--;
	vec_apush(f->arena, &to->insn, in); /* makes room for one instruction */
	memmove(&to->insn.v[1], to->insn.v, (to->insn.n - 1) * sizeof(in));
	to->insn.v[0] = in;
}

/*
 * Goes from the last instruction to the first, so that the users of a value move before the value
 * itself.
 */
void ir_sink(struct ir_func *f)
{
	bool *derived = find_derived(f);

	for (size_t i = f->order.n; derived && i-- > 0;) {
		struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = blk->insn.n; j-- > 0;) {
			int at = derived[blk->insn.v[j].dst] ? find_target(f, blk->insn.v[j].dst)
							     : -1;

			if (at >= 0 && at != f->order.v[i])
				move_to_front(f, blk, j, f->block.v[at]);
		}
	}
	xfree(derived);
}
