/*
 * print.c - prints IR, one line per instruction, and checks the rules of ir.h.
 */
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "ir/ir.h"

static const char *const op_name[] = {
#define X(op, name, pure) name,
	IR_OPS(X)
#undef X
};

static const char *const cc_name[] = {"==", "!=",  "<",  "<=",  ">", ">=",
				      "s<", "s<=", "s>", "s>=", "&"};

static void print_reg(int reg, struct strbuf *out)
{
	if (reg == FRAME)
		strbuf_adds(out, "fp");
	else
		strbuf_addf(out, "v%d", reg);
}

static void print_mem(int base, int32_t off, struct strbuf *out)
{
	strbuf_addc(out, '[');
	print_reg(base, out);
	strbuf_addf(out, "%+d]", off);
}

static void print_args(const struct ir_insn *in, struct strbuf *out)
{
	for (unsigned i = 0; i < in->narg; i++) {
		const struct ir_arg *a = &in->arg[i];

		strbuf_adds(out, i ? ", " : " ");
		switch (a->kind) {
		case ARG_REG:
			print_reg(a->reg, out);
			break;
		case ARG_IMM:
			strbuf_addf(out, "%lld", (long long)a->imm);
			break;
		case ARG_FRAME:
			strbuf_addf(out, "fp%+d", (int)a->imm);
			break;
		case ARG_MAP:
			strbuf_addf(out, "map%d", (int)a->imm);
			break;
		case ARG_GLOBAL:
			strbuf_addf(out, "global+%d", (int)a->imm);
			break;
		}
	}
}

static void print_operand(const struct ir_insn *in, struct strbuf *out)
{
	if (in->b)
		print_reg(in->b, out);
	else
		strbuf_addf(out, "%lld", (long long)in->imm);
}

/*
 * If the operation accesses memory or computes an address, prints its operands. Returns false for
 * other operations.
 */
static bool print_access(const struct ir_insn *in, struct strbuf *out)
{
	switch ((enum ir_op)in->op) {
	case IR_LOAD:
	case IR_LOADV:
	case IR_READ:
	case IR_ADDR:
	case IR_SKBPTR:
		strbuf_addc(out, ' ');
		print_mem(in->a, in->off, out);
		break;
	case IR_STORE:
	case IR_ATOMIC:
	case IR_XCHG:
	case IR_FETCH:
		strbuf_addc(out, ' ');
		print_mem(in->a, in->off, out);
		strbuf_adds(out, ", ");
		print_operand(in, out);
		break;
	case IR_COPY:
	case IR_COPYSTR:
		strbuf_addc(out, ' ');
		print_mem(in->b, in->boff, out);
		strbuf_adds(out, ", ");
		print_mem(in->a, in->off, out);
		strbuf_addf(out, ", %lld", (long long)in->imm);
		break;
	default:
		return false;
	}
	if ((in->op == IR_READ || in->op == IR_COPY || in->op == IR_COPYSTR) && in->t)
		strbuf_addf(out, " fault b%d", in->t);
	return true;
}

static void print_condition(const struct ir_insn *in, struct strbuf *out)
{
	strbuf_addc(out, ' ');
	print_reg(in->a, out);
	strbuf_addf(out, " %s ", cc_name[in->cc]);
	print_operand(in, out);
}

static void print_agg(const struct ir_insn *in, struct strbuf *out)
{
	strbuf_addf(out, "%s @%d", in->atomic ? ".atomic" : "", in->id);
	print_args(in, out);
	if (in->b)
		strbuf_addf(out, ", value v%d", in->b);
	if (in->a)
		strbuf_addf(out, ", by v%d", in->a);
}

/* Prints operands that are registers or a number. */
static void print_plain(const struct ir_insn *in, struct strbuf *out)
{
	if (in->a) {
		strbuf_addc(out, ' ');
		print_reg(in->a, out);
	}
	if (in->b || in->imm || (in->op >= IR_ADD && in->op <= IR_SAR) || in->op == IR_CONST) {
		strbuf_adds(out, in->a ? ", " : " ");
		print_operand(in, out);
	}
}

static void print_rest(const struct ir_insn *in, struct strbuf *out)
{
	switch ((enum ir_op)in->op) {
	case IR_JMP:
		strbuf_addf(out, " b%d", in->t);
		break;
	case IR_BR:
		print_condition(in, out);
		strbuf_addf(out, ", b%d, b%d", in->t, in->f);
		break;
	case IR_SET:
		print_condition(in, out);
		break;
	case IR_CALL:
	case IR_PURECALL:
	case IR_KCALL:
	case IR_LCALL:
		strbuf_addf(out, " #%lld", (long long)in->imm);
		print_args(in, out);
		break;
	case IR_CMPXCHG:
		print_args(in, out);
		break;
	case IR_AREA:
		strbuf_addf(out, ", none b%d", in->t);
		break;
	case IR_RESERVE:
		strbuf_addf(out, " %lld, fail b%d", (long long)in->imm, in->t);
		break;
	case IR_AGG:
		print_agg(in, out);
		break;
	default:
		print_plain(in, out);
		break;
	}
}

static void print_insn(const struct ir_insn *in, struct strbuf *out)
{
	strbuf_addc(out, '\t');
	if (in->dst)
		strbuf_addf(out, "v%d = ", in->dst);
	strbuf_adds(out, op_name[in->op]);
	if (in->size)
		strbuf_addf(out, "%s%u", in->sgn ? ".s" : ".u", in->size * 8);
	if (!print_access(in, out))
		print_rest(in, out);
	strbuf_addc(out, '\n');
}

void ir_print(const struct ir_func *f, struct strbuf *out)
{
	strbuf_addf(out, "unit %s (frame %d, returns %lld)\n", f->name, f->frame,
		    (long long)f->ret);
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		strbuf_addf(out, "b%d: %s%s\n", f->order.v[i], blk->label,
			    blk->cold ? " (cold)" : "");
		for (size_t j = 0; j < blk->insn.n; j++)
			print_insn(&blk->insn.v[j], out);
	}
}

/* ------------------------------------------------------------------ checks */

struct check {
	const struct ir_func *f;
	int *where; /* for each register, the block that assigns it, if only one does */
	int cur;    /* the block that is being checked */
	int *seen;  /* for each block, 1 + its position in the order; 0 if it was not reached yet */
	bool *def;  /* for each register, whether it was assigned before the current instruction */
};

static void check_use(struct check *c, int reg)
{
	if (reg == NOREG || reg == FRAME)
		return;
	if (reg < 0 || (size_t)reg >= c->f->reg.n || !c->def[reg])
		BUG("unit %s: v%d is used before it is assigned", c->f->name, reg);
	if (!c->f->reg.v[reg].is_var && !ir_dominates(c->f, c->where[reg], c->cur))
		BUG("unit %s: v%d is used in b%d, which can be reached without b%d, where v%d is "
		    "assigned",
		    c->f->name, reg, c->cur, c->where[reg], reg);
}

static void check_target(struct check *c, int blk)
{
	if (blk <= 0 || (size_t)blk >= c->f->block.n || !c->f->block.v[blk]->placed)
		BUG("unit %s: jump to b%d, which was never placed", c->f->name, blk);
	if (c->seen[blk] && (!c->f->block.v[blk]->loop || !ir_dominates(c->f, blk, c->cur)))
		BUG("unit %s: jump back to b%d, which is not the head of this loop", c->f->name,
		    blk);
}

/*
 * Checks that loops do not overlap, so no loop is nested, and no header has two jumps back.
 * check_target() checks that the header is the only way into a loop.
 */
static void check_loops(const struct ir_func *f)
{
	struct ir_loops l;

	ir_find_loops(f, &l);
	for (size_t i = 0; i < l.n; i++) {
		if (i && l.v[i].from <= l.v[i - 1].to)
			BUG("unit %s: the loops at b%d and b%d overlap", f->name,
			    f->order.v[l.v[i - 1].from], f->order.v[l.v[i].from]);
	}
	vec_free(&l);
}

static void check_insn(struct check *c, struct ir_insn *in, bool last)
{
	const int *reg;

	for (unsigned i = 0; (reg = ir_use(in, i)); i++)
		check_use(c, *reg);
	if ((in->op >= IR_JMP) != last)
		BUG("unit %s: a block must end with a jump and have no other jump", c->f->name);
	if (in->t || in->op == IR_JMP || in->op == IR_BR)
		check_target(c, in->t);
	if (in->f || in->op == IR_BR)
		check_target(c, in->f);
	if (in->dst) {
		c->def[in->dst] = true;
		c->where[in->dst] = c->cur;
	}
}

void ir_check(const struct ir_func *f)
{
	struct check c = {f, xcalloc(f->reg.n, sizeof(int)), 0, xcalloc(f->block.n, sizeof(int)),
			  xcalloc(f->reg.n, sizeof(bool))};

	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		c.seen[f->order.v[i]] = (int)i + 1;
		c.cur = f->order.v[i];
		for (size_t j = 0; j < blk->insn.n; j++)
			check_insn(&c, &blk->insn.v[j], j + 1 == blk->insn.n);
		if (!blk->insn.n)
			BUG("unit %s: b%d is empty", f->name, f->order.v[i]);
	}
	check_loops(f);
	xfree(c.where);
	xfree(c.seen);
	xfree(c.def);
}
