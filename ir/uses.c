/*
 * uses.c - finds out whether a function uses an argument of its hook, or state that earlier runs
 * left.
 */
#include "base/xalloc.h"
#include "ir/helpers.h"
#include "ir/ir.h"

/* The question to answer, and the registers that have the context and argument 0. */
struct query {
	uint32_t arg; /* number of the argument in question */
	/* offset of the bytes in question, in the memory that argument 0 points to */
	int32_t off;
	int32_t size;
	bool *is_ctx, *is_arg0;
};

static bool overlaps(const struct query *q, const struct ir_insn *in, int64_t size)
{
	return in->off < q->off + q->size && q->off < in->off + size;
}

/*
 * @in is an instruction whose operand `a` is argument 0. Returns true if @in reads the bytes in
 * question, or may give argument 0 to code that this analysis does not follow.
 */
static bool reads_range(const struct query *q, const struct ir_insn *in)
{
	switch (in->op) {
	case IR_LOAD:
	case IR_LOADV:
	case IR_READ:
		return overlaps(q, in, in->size);
	case IR_COPY:
		return overlaps(q, in, in->imm);
	case IR_SKBPTR:
	case IR_BR:
	case IR_SET:
		return false;
	}
	return true;
}

/*
 * Returns true if @in may give the context or argument 0 to code that this analysis does not
 * follow.
 */
static bool escapes(const struct query *q, const struct ir_insn *in)
{
	for (unsigned i = 0; i < in->narg; i++)
		if (in->arg[i].kind == ARG_REG &&
		    (q->is_arg0[in->arg[i].reg] || q->is_ctx[in->arg[i].reg]))
			return true;
	return in->b > 0 && in->op != IR_BR && in->op != IR_SET &&
	       (q->is_arg0[in->b] || q->is_ctx[in->b]);
}

static bool check_use(const struct query *q, const struct ir_insn *in)
{
	if (in->op == IR_CTX)
		q->is_ctx[in->dst] = true;
	if (escapes(q, in))
		return true;
	if (in->a <= 0)
		return false;
	if (q->is_arg0[in->a])
		return reads_range(q, in);
	if (!q->is_ctx[in->a])
		return false;
	if (in->op != IR_LOAD || in->size != 8)
		return true;
	q->is_arg0[in->dst] |= in->off == 0;
	return in->off == (int32_t)q->arg * 8;
}

bool ir_may_read(const struct ir_func *f, uint32_t arg, int32_t off, uint32_t size)
{
	struct query q = {arg, off, (int32_t)size, xcalloc(f->reg.n, sizeof(bool)),
			  xcalloc(f->reg.n, sizeof(bool))};
	bool found = false;

	for (size_t i = 0; i < f->order.n && !found; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n && !found; j++)
			found = check_use(&q, &blk->insn.v[j]);
	}
	xfree(q.is_ctx);
	xfree(q.is_arg0);
	return found;
}

static bool keeps_state(const struct map_def *map)
{
	return map->kind == MAP_HASH || map->kind == MAP_LRU_HASH || map->kind == MAP_TASK ||
	       map->kind == MAP_SOCKET;
}

static bool insn_is_stateful(const struct ir_insn *in, const struct map_def *map, int64_t from,
			     int64_t to)
{
	if (in->op == IR_GLOBAL && in->imm >= from && in->imm < to)
		return true;
	if ((in->op == IR_CALL || in->op == IR_PURECALL) && in->imm == HELPER_get_prandom_u32)
		return true;
	for (unsigned i = 0; i < in->narg; i++) {
		const struct ir_arg *a = &in->arg[i];

		if (a->kind == ARG_GLOBAL ? a->imm >= from && a->imm < to
					  : a->kind == ARG_MAP && keeps_state(&map[a->imm]))
			return true;
	}
	return false;
}

bool ir_is_stateful(const struct ir_func *f, const struct map_def *map, int64_t from, int64_t to)
{
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (insn_is_stateful(&blk->insn.v[j], map, from, to))
				return true;
	}
	return false;
}
