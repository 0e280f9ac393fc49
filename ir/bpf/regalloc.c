/*
 * regalloc.c - register allocation by linear scan, over blocks in topological order.
 *
 * The live interval of a value is from its first assignment to its last use in that order. A value
 * that is assigned before a loop and used in the loop is live until the end of the loop, because
 * the next round needs it again.
 *
 * Values that are live across a call get r6-r9; other values get r1-r5 first. r0 is never
 * allocated: it has the results of calls, and the encoder uses it as a temporary. If a value must
 * be spilled, r5 becomes a second temporary, and the scan is repeated without r5.
 */
#include <string.h>

#include "base/xalloc.h"
#include "ir/bpf/bpf.h"

/*
 * The interval in which a value is live. Instruction i reads its operands at position 2i and writes
 * its result at 2i + 1. An operand that must survive until the result is written counts as read at
 * 2i + 1.
 */
struct interval {
	int reg; /* virtual register */
	int start, end;
	int hint;     /* virtual register whose location is preferred; 0 if there is none */
	bool crosses; /* the value is live across a call */
};

/*
 * For each slot (8 bytes of memory for a spilled value), the last position at which the slot is in
 * use.
 */
struct ends {
	int *v;
	size_t n, cap;
};

struct scan {
	const struct ir_func *f;
	struct ir_loops loop;
	/* intervals, indexed by virtual register; start is -1 if the register is never assigned */
	struct interval *iv;
	int *call; /* positions of calls, in ascending order */
	size_t ncall;
	VEC(struct interval *) order;
	VEC(struct interval *) active;
	struct interval *in_reg[BPF_FP];
	struct ends slot_end, scratch_end; /* slots on the stack; slots in scratch memory */
	/* for each virtual register, the instruction that computes it, if recomputing is cheap */
	const struct ir_insn **remat;
	/*
	 * is_scalar[r] is set if virtual register r only has numbers, never pointers, and the
	 * verifier need not know their bounds; see find_offsets()
	 */
	bool *is_scalar;
	struct bpf_alloc *out;
	unsigned avail; /* bit set of available registers */
};

static bool is_call(const struct ir_insn *in)
{
	return in->op == IR_CALL || in->op == IR_PURECALL || in->op == IR_KCALL ||
	       in->op == IR_LCALL || in->op == IR_CMPXCHG;
}

static void use(struct scan *s, int reg, int pos)
{
	if (reg > 0 && s->iv[reg].end < pos)
		s->iv[reg].end = pos;
}

static void number_insn(struct scan *s, const struct ir_insn *in, int pos)
{
	bool late = in->op >= IR_ADD && in->op <= IR_SAR;

	use(s, in->a, in->op == IR_XCHG || in->op == IR_FETCH ? pos + 1 : pos);
	use(s, in->b, late ? pos + 1 : pos);
	for (unsigned i = 0; i < in->narg; i++)
		if (in->arg[i].kind == ARG_REG)
			use(s, in->arg[i].reg, pos);
	if (is_call(in))
		s->call[s->ncall++] = pos;
	if (in->dst) {
		struct interval *iv = &s->iv[in->dst];

		if (iv->start < 0) {
			iv->start = pos + 1;
			iv->hint = in->a > 0 ? in->a : 0;
			vec_push(&s->order, iv);
		}
		use(s, in->dst, pos + 1);
	}
}

/*
 * Extends intervals over a loop. @from and @to are the positions of the header's first instruction
 * and of the jump back.
 */
static void extend_over_loop(struct scan *s, int from, int to)
{
	for (size_t i = 0; i < s->order.n; i++) {
		struct interval *iv = s->order.v[i];

		if (iv->start < from && iv->end >= from && iv->end < to)
			iv->end = to;
	}
}

static void number_insns(struct scan *s)
{
	int pos = 2, head = 0;
	size_t next = 0;

	for (size_t i = 0; i < s->f->order.n; i++) {
		const struct ir_block *blk = s->f->block.v[s->f->order.v[i]];

		if (next < s->loop.n && i == s->loop.v[next].from)
			head = pos;
		for (size_t j = 0; j < blk->insn.n; j++, pos += 2)
			number_insn(s, &blk->insn.v[j], pos);
		if (next < s->loop.n && i == s->loop.v[next].to) {
			extend_over_loop(s, head, pos - 1);
			next++;
		}
	}
}

/* Returns whether a call lies inside the interval, by binary search. */
static bool crosses_call(const struct scan *s, const struct interval *iv)
{
	size_t lo = 0, hi = s->ncall;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (s->call[mid] <= iv->start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->ncall && s->call[lo] < iv->end;
}

static void expire(struct scan *s, int start)
{
	size_t n = 0;

	for (size_t i = 0; i < s->active.n; i++) {
		struct interval *iv = s->active.v[i];

		if (iv->end < start)
			s->in_reg[s->out->place[iv->reg].reg] = NULL;
		else
			s->active.v[n++] = iv;
	}
	s->active.n = n;
}

#define CALLEE_SAVED (1u << BPF_R6 | 1u << BPF_R7 | 1u << BPF_R8 | 1u << BPF_R9)

static int pick(const struct scan *s, const struct interval *iv)
{
	unsigned ok = iv->crosses ? s->avail & CALLEE_SAVED : s->avail;
	int hint = iv->hint ? s->out->place[iv->hint].reg : -1;

	if (hint > 0 && (ok & 1u << hint) && !s->in_reg[hint])
		return hint;
	for (int r = BPF_R1; r <= BPF_R9; r++)
		if ((ok & 1u << r) && !s->in_reg[r])
			return r;
	return -1;
}

static void assign_register(struct scan *s, struct interval *iv, int reg)
{
	s->out->place[iv->reg].reg = (int8_t)reg;
	s->in_reg[reg] = iv;
	vec_push(&s->active, iv);
}

/*
 * Returns the index of a slot for interval @iv. A slot is reused after all its other intervals have
 * ended.
 */
static size_t alloc_slot(struct ends *end, const struct interval *iv)
{
	size_t i;

	for (i = 0; i < end->n && end->v[i] >= iv->start; i++)
		;
	if (i == end->n)
		vec_push(end, iv->end);
	end->v[i] = iv->end;
	return i;
}

/*
 * Returns whether the value may be spilled to scratch memory. The verifier remembers its knowledge
 * about a value only if the value is on the stack. So a pointer, or a value whose bounds the
 * verifier needs, must not be in scratch memory.
 */
static bool may_use_scratch(const struct scan *s, const struct interval *iv)
{
	return s->f->spill_base && s->is_scalar[iv->reg] &&
	       iv->start > s->iv[s->f->spill_base].start &&
	       8 * (s->scratch_end.n + 1) <= s->f->spill_size;
}

static void spill(struct scan *s, struct interval *iv)
{
	struct bpf_location *p = &s->out->place[iv->reg];

	s->out->spilled = true;
	*p = (struct bpf_location){.reg = -1, .remat = s->remat[iv->reg]};
	if (p->remat)
		return;
	p->in_scratch = may_use_scratch(s, iv);
	if (p->in_scratch) {
		p->slot = (int)(s->f->area.size - s->f->spill_size) +
			  8 * (int)alloc_slot(&s->scratch_end, iv);
		return;
	}
	p->slot = -s->f->frame - 8 * (int)(alloc_slot(&s->slot_end, iv) + 1);
	s->out->frame = s->f->frame + 8 * (int)s->slot_end.n;
}

/* ------------------------------------------------------------ kinds of values */

static bool is_cheap(const struct ir_insn *in)
{
	return in->op == IR_CONST || in->op == IR_GLOBAL || (in->op == IR_ADDR && in->a == FRAME);
}

/*
 * Returns whether a helper is known to return a number. Some helpers, such as bpf_map_lookup_elem,
 * return pointers.
 */
static bool returns_scalar(int64_t helper)
{
	static const int64_t known[] = {5, 8, 14, 15, 112, 113, 114, 115, 125, 130, 208};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i] == helper)
			return true;
	return false;
}

static bool gives_scalar(const struct scan *s, const struct ir_insn *in)
{
	switch ((enum ir_op)in->op) {
	case IR_CONST:
	case IR_MUL:
	case IR_DIV:
	case IR_MOD:
	case IR_AND:
	case IR_OR:
	case IR_XOR:
	case IR_SHL:
	case IR_SHR:
	case IR_SAR:
	case IR_NEG:
	case IR_EXT:
	case IR_SWAP:
	case IR_SET:
		return true;
	case IR_ADD:
	case IR_SUB:
		return in->a > 0 && s->is_scalar[in->a] && (!in->b || s->is_scalar[in->b]);
	case IR_MOV:
		return s->is_scalar[in->a];
	case IR_LOAD:
	case IR_LOADV:
		return in->size < 8 || (in->op == IR_LOADV && in->a != FRAME);
	case IR_CALL:
	case IR_PURECALL:
		return returns_scalar(in->imm);
	default:
		return false;
	}
}

/*
 * Clears is_scalar for values whose bounds the verifier needs: offsets, arguments and loop
 * counters.
 */
static void find_offsets(struct scan *s)
{
	for (size_t i = 0; i < s->f->order.n; i++) {
		const struct ir_block *blk = s->f->block.v[s->f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++) {
			const struct ir_insn *in = &blk->insn.v[j];

			if (in->op == IR_ADD && in->a > 0 && in->b && !s->is_scalar[in->dst])
				s->is_scalar[in->a] = s->is_scalar[in->b] = false;
			if (in->op == IR_BR && s->f->block.v[in->t]->loop)
				/* the verifier must know the counter */
				s->is_scalar[in->a] = false;
			for (unsigned k = 0; k < in->narg; k++)
				if (in->arg[k].kind == ARG_REG)
					s->is_scalar[in->arg[k].reg] = false;
		}
	}
}

/*
 * Decides which registers are scalars. A variable is a scalar if all values assigned to it are
 * scalars. Returns whether a decision changed.
 */
static bool find_scalars_once(struct scan *s)
{
	bool changed = false;

	for (size_t i = 0; i < s->f->order.n; i++) {
		const struct ir_block *blk = s->f->block.v[s->f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++) {
			const struct ir_insn *in = &blk->insn.v[j];
			bool first = in->dst && s->iv[in->dst].start < 0;
			bool was = first || s->is_scalar[in->dst];

			if (!in->dst)
				continue;
			s->iv[in->dst].start = 0;
			s->is_scalar[in->dst] = was && gives_scalar(s, in);
			changed |= first || was != s->is_scalar[in->dst];
			if (is_cheap(in) && !s->f->reg.v[in->dst].is_var)
				s->remat[in->dst] = in;
		}
	}
	return changed;
}

/*
 * Finds the scalars. One pass is enough, unless a round of a loop passes a value to the next round.
 */
static void find_scalars(struct scan *s)
{
	while (find_scalars_once(s) && s->loop.n)
		;
	for (size_t i = 0; i < s->f->reg.n; i++)
		s->iv[i].start = -1;
	find_offsets(s);
}

/* --------------------------------------------------------------------- scanning */

/* Spills the interval that ends last, because no register is free. */
static void spill_longest(struct scan *s, struct interval *iv)
{
	struct interval *victim = iv;
	size_t i;

	for (i = 0; i < s->active.n; i++) {
		struct interval *v = s->active.v[i];
		int r = s->out->place[v->reg].reg;

		if (v->end > victim->end && (!iv->crosses || (CALLEE_SAVED & 1u << r)))
			victim = v;
	}
	if (victim != iv) {
		int r = s->out->place[victim->reg].reg;

		for (i = 0; s->active.v[i] != victim; i++)
			;
		s->active.v[i] = s->active.v[--s->active.n];
		spill(s, victim);
		assign_register(s, iv, r);
	} else {
		spill(s, iv);
	}
}

static void scan_once(struct scan *s)
{
	memset(s->in_reg, 0, sizeof(s->in_reg));
	s->active.n = 0;
	s->slot_end.n = s->scratch_end.n = 0;
	s->out->frame = s->f->frame;
	for (size_t i = 0; i < s->f->reg.n; i++)
		s->out->place[i] = (struct bpf_location){.reg = -1};
	for (size_t i = 0; i < s->order.n; i++) {
		struct interval *iv = s->order.v[i];
		int r;

		expire(s, iv->start);
		r = pick(s, iv);
		if (r >= 0)
			assign_register(s, iv, r);
		else
			spill_longest(s, iv);
	}
}

void bpf_allocate_registers(struct arena *a, const struct ir_func *f, struct bpf_alloc *out)
{
	struct scan s = {.f = f, .out = out, .avail = 0x3fe};
	size_t ninsn = 0;

	for (size_t i = 0; i < f->order.n; i++)
		ninsn += f->block.v[f->order.v[i]]->insn.n;
	s.iv = xcalloc(f->reg.n, sizeof(*s.iv));
	s.call = xcalloc(ninsn, sizeof(*s.call));
	for (size_t i = 0; i < f->reg.n; i++)
		s.iv[i] = (struct interval){.reg = (int)i, .start = -1, .end = -1};
	s.remat = xcalloc(f->reg.n, sizeof(*s.remat));
	s.is_scalar = xcalloc(f->reg.n, sizeof(*s.is_scalar));
	ir_find_loops(f, &s.loop);
	find_scalars(&s);
	*out = (struct bpf_alloc){.place = arena_newn(a, struct bpf_location, f->reg.n)};
	number_insns(&s);
	if (f->spill_base) /* values may be spilled to this area until the end */
		s.iv[f->spill_base].end = 2 * (int)ninsn + 2;
	for (size_t i = 0; i < s.order.n; i++)
		s.order.v[i]->crosses = crosses_call(&s, s.order.v[i]);
	scan_once(&s);
	if (out->spilled) {
		s.avail &= ~(1u << BPF_R5);
		scan_once(&s);
	}
	xfree(s.iv);
	xfree(s.call);
	vec_free(&s.loop);
	vec_free(&s.order);
	vec_free(&s.active);
	vec_free(&s.slot_end);
	vec_free(&s.scratch_end);
	xfree(s.remat);
	xfree(s.is_scalar);
}
