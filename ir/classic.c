/*
 * classic.c - checks programs of classic BPF and translates them to IR.
 *
 * The bytes at the start of the packet, which nearly every expression reads, are copied to the
 * stack once. Loads of later bytes read the packet itself. Within a basic block, the value of a
 * register of the classic machine is in a register of the IR. Between blocks, the value is in a
 * variable.
 */
#include "ir/classic.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "ir/helpers.h"
#include "ir/program.h"

/* The parts of an instruction's code. */
enum { LD, LDX, ST, STX, ALU, JMP, RET, MISC };
enum { IMM = 0x00, ABS = 0x20, IND = 0x40, MEM = 0x60, LEN = 0x80, MSH = 0xa0 };
enum {
	ADD = 0x00,
	SUB = 0x10,
	MUL = 0x20,
	DIV = 0x30,
	OR = 0x40,
	AND = 0x50,
	LSH = 0x60,
	RSH = 0x70,
	NEG = 0x80,
	MOD = 0x90,
	XOR = 0xa0
};
enum { JA = 0x00, JEQ = 0x10, JGT = 0x20, JGE = 0x30, JSET = 0x40 };
enum { BY_X = 0x08, RET_A = 0x10, TXA = 0x80 };

#define CLASS(code) ((code) & 7)
#define SIZE(code) (((code) & 0x18) == 0x00 ? 4u : ((code) & 0x18) == 0x08 ? 2u : 1u)
#define MODE(code) ((code) & 0xe0)
#define OPERATION(code) ((code) & 0xf0)

/*
 * The registers of the classic machine: accumulator and index. The words of its memory, which few
 * programs use, are on the stack.
 */
enum { A, X, NREG };
#define WORDS 16
#define BIT(r) (1u << (r))

#define EXTENSIONS 0xffe00000 /* offsets from here on refer to the kernel's own data */
#define NEVER UINT64_MAX
/* maximum number of bytes that are copied: an IPv6 header of 40 bytes, and the ports */
#define HEAD 48

/* -------------------------------------------------------------------- checking */

static bool is_load(uint16_t code)
{
	unsigned mode = MODE(code);

	if ((code & 0x18) == 0x18)
		return false;
	if (CLASS(code) == LD)
		return mode == ABS || mode == IND ||
		       (SIZE(code) == 4 && (mode == IMM || mode == MEM || mode == LEN));
	return mode == MSH ? SIZE(code) == 1
			   : SIZE(code) == 4 && (mode == IMM || mode == MEM || mode == LEN);
}

static bool is_known(const struct classic_insn *in)
{
	switch (CLASS(in->code)) {
	case LD:
	case LDX:
		return is_load(in->code) && !(in->code >> 8) &&
		       (MODE(in->code) != MEM || in->k < WORDS);
	case ST:
	case STX:
		return in->code <= STX && in->k < WORDS;
	case ALU:
		return in->code <= (XOR | BY_X | ALU) &&
		       (OPERATION(in->code) != NEG || in->code == (ALU | NEG));
	case JMP:
		return in->code <= (JSET | BY_X | JMP) && in->code != (JA | BY_X | JMP);
	case RET:
		return in->code == RET || in->code == (RET | RET_A);
	default:
		return in->code == MISC || in->code == (MISC | TXA);
	}
}

static bool divides_by_zero(const struct classic_insn *in)
{
	unsigned op = OPERATION(in->code);

	return CLASS(in->code) == ALU && (op == DIV || op == MOD) && !(in->code & BY_X) && !in->k;
}

static bool is_extension(const struct classic_insn *in)
{
	unsigned mode = MODE(in->code);

	return (CLASS(in->code) == LD && (mode == ABS || mode == IND) && in->k >= EXTENSIONS) ||
	       (CLASS(in->code) == LDX && mode == MSH && in->k >= EXTENSIONS);
}

/* Checks the targets of the jump at index @i. */
static enum classic_verdict check_jump(const struct classic_program *p, uint32_t i)
{
	const struct classic_insn *in = &p->insn[i];
	uint64_t most = in->jt > in->jf ? in->jt : in->jf;

	if (OPERATION(in->code) == JA) {
		if (in->k > INT32_MAX)
			return CLASSIC_LOOP;
		most = in->k;
	}
	return i + 1 + most < p->ninsn ? CLASSIC_GOOD : CLASSIC_BAD;
}

enum classic_verdict classic_check(const struct classic_program *p)
{
	for (uint32_t i = 0; i < p->ninsn; i++) {
		const struct classic_insn *in = &p->insn[i];
		enum classic_verdict v = CLASSIC_GOOD;

		if (is_extension(in))
			return CLASSIC_EXTENSION;
		if (!is_known(in) || divides_by_zero(in))
			return CLASSIC_BAD;
		if (CLASS(in->code) == JMP)
			v = check_jump(p, i);
		if (v != CLASSIC_GOOD)
			return v;
	}
	return p->ninsn && CLASS(p->insn[p->ninsn - 1].code) == RET ? CLASSIC_GOOD : CLASSIC_BAD;
}

/* ------------------------------------------------------------------ translating */

/* An instruction, and the state of the machine before it. */
struct place {
	uint32_t live; /* bits of the registers that are read before they are written */
	/* number of bytes that the packet is known to have; NEVER if no path leads here */
	uint64_t known;
	int block; /* the block that begins at this instruction; NOBLOCK if none does */
};

struct translation {
	struct irb *b;
	const struct classic_packet *from;
	const struct classic_insn *insn;
	struct place *place;
	uint32_t n, i; /* number of instructions; and index of the current one */
	uint64_t known;
	/* for A and X: the variable with its value at the start and end of blocks, or NOREG */
	int var[NREG];
	/* for A and X: the IR register with its current value; NOREG if the variable has it */
	int value[NREG];
	uint32_t changed; /* bits of the registers whose variable does not have the current value */
	uint32_t head;    /* number of bytes at the start of the packet that are copied */
	/* frame offsets of the copy, of the bytes of one load, and of the memory words */
	int32_t copy, slot, word;
	/*
	 * blocks: reject rejects the packet; lost counts the packet as unreadable, and rejects it
	 */
	int reject, lost;
};

/* Returns the registers that the instruction reads, and sets *@set to those that it writes. */
static uint32_t reads(const struct classic_insn *in, uint32_t *set)
{
	bool by_x = in->code & BY_X;

	*set = 0;
	switch (CLASS(in->code)) {
	case LD:
		*set = BIT(A);
		return MODE(in->code) == IND ? BIT(X) : 0;
	case LDX:
		*set = BIT(X);
		return 0;
	case ST:
	case STX:
		return BIT(CLASS(in->code) == ST ? A : X);
	case ALU:
		*set = BIT(A);
		return BIT(A) | (by_x ? BIT(X) : 0);
	case JMP:
		return OPERATION(in->code) == JA ? 0 : BIT(A) | (by_x ? BIT(X) : 0);
	case RET:
		return in->code & RET_A ? BIT(A) : 0;
	default:
		*set = BIT(in->code & TXA ? A : X);
		return BIT(in->code & TXA ? X : A);
	}
}

/* Returns how many instructions may follow instruction @i, and stores their indexes in @next. */
static int next_of(const struct classic_insn *in, uint32_t i, uint32_t next[2])
{
	next[0] = i + 1;
	if (CLASS(in->code) == RET)
		return 0;
	if (CLASS(in->code) != JMP)
		return 1;
	if (OPERATION(in->code) == JA) {
		next[0] += in->k;
		return 1;
	}
	next[1] = i + 1 + in->jf;
	next[0] += in->jt;
	return next[0] == next[1] ? 1 : 2;
}

/*
 * Sets the live registers of each instruction. All jumps go forward, so one pass from the end is
 * enough.
 */
static void find_live(struct translation *t)
{
	for (uint32_t i = t->n; i--;) {
		const struct classic_insn *in = &t->insn[i];
		uint32_t next[2], set, read = reads(in, &set), after = 0;

		for (int k = next_of(in, i, next); k--;)
			after |= t->place[next[k]].live;
		t->place[i].live = (after & ~set) | read;
		t->place[i].known = NEVER;
	}
}

/* Returns the size of a load at a constant offset, or 0 for other instructions. */
static unsigned fixed_load(const struct classic_insn *in)
{
	if (CLASS(in->code) == LD && MODE(in->code) == ABS)
		return SIZE(in->code);
	return CLASS(in->code) == LDX && MODE(in->code) == MSH ? 1 : 0;
}

static uint32_t head_of(const struct translation *t)
{
	uint32_t head = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t end = (uint64_t)t->insn[i].k + fixed_load(&t->insn[i]);

		if (fixed_load(&t->insn[i]) && end <= HEAD && end > head)
			head = (uint32_t)end;
	}
	return (head + 7) & ~7u;
}

/* Returns the number of memory words that the program may use. */
static uint32_t words_of(const struct translation *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		const struct classic_insn *in = &t->insn[i];
		bool store = CLASS(in->code) == ST || CLASS(in->code) == STX;
		bool load = CLASS(in->code) <= LDX && MODE(in->code) == MEM;

		if ((store || load) && in->k >= n)
			n = in->k + 1;
	}
	return n;
}

/* --------------------------------------------------------------------- registers */

static int value_of(struct translation *t, int r)
{
	if (!t->value[r])
		t->value[r] = irb_value(t->b, t->var[r]);
	return t->value[r];
}

static void set_value(struct translation *t, int r, int v)
{
	t->value[r] = v;
	t->changed |= BIT(r);
}

/* Assigns the current values of those registers whose bits are in @live to their variables. */
static void flush(struct translation *t, uint32_t live)
{
	for (int r = 0; r < NREG; r++) {
		if (!(live & t->changed & BIT(r)))
			continue;
		if (!t->var[r])
			t->var[r] = irb_var(t->b);
		irb_assign(t->b, t->var[r], t->value[r]);
	}
	t->changed &= ~live;
}

/*
 * Returns the block that begins at instruction @i. Must be called for each jump to @i, because it
 * records how many bytes the packet is known to have there.
 */
static int target(struct translation *t, uint32_t i)
{
	struct place *p = &t->place[i];

	if (!p->block)
		p->block = irb_block(t->b, "classic");
	if (p->known == NEVER || p->known > t->known)
		p->known = t->known;
	return p->block;
}

/* ------------------------------------------------------------------------- loads */

/* Emits code that rejects the packet if @end is beyond its length, and else continues. */
static void require(struct translation *t, int end)
{
	int within = irb_block(t->b, "within");

	irb_br(t->b, CC_ULE, end, t->from->len, within, t->reject);
	irb_place(t->b, within);
}

static void require_fixed(struct translation *t, uint64_t end)
{
	int within;

	if (end <= t->known)
		return;
	t->known = end;
	within = irb_block(t->b, "within");
	irb_bri(t->b, CC_UGE, t->from->len, (int64_t)end, within, t->reject);
	irb_place(t->b, within);
}

/* Returns @v, a number of @size bytes from a packet, in host byte order. */
static int from_network(struct irb *b, int v, unsigned size)
{
	return size == 1 ? v : irb_swap(b, v, size);
}

/*
 * Returns a register with the @size bytes at offset @off as a number in host byte order. The packet
 * must have these bytes.
 */
static int fetch(struct translation *t, int off, unsigned size)
{
	struct irb *b = t->b;
	int v, done, near, away;

	if (!t->from->far)
		return from_network(b,
				    irb_read(b, irb_bin(b, IR_ADD, t->from->at, off), 0, size,
					     false, t->lost),
				    size);
	v = irb_var(b);
	done = irb_block(b, "loaded");
	near = irb_block(b, "linear");
	away = irb_cold_block(b, "not linear");
	irb_br(b, CC_SLE, irb_bini(b, IR_ADD, off, size), t->from->linear, near, away);
	irb_place(b, near);
	irb_assign(b, v,
		   irb_read(b, irb_bin(b, IR_ADD, t->from->at, off), 0, size, false, t->lost));
	irb_jmp(b, done);
	irb_place(b, away);
	irb_storei(b, FRAME, t->slot, 8, 0);
	t->from->far(t->from->ctx, b, t->slot, off, irb_const(b, size), size, t->lost);
	irb_assign(b, v, irb_loadv(b, FRAME, t->slot, size, false));
	irb_jmp(b, done);
	irb_place(b, done);
	return from_network(b, irb_value(b, v), size);
}

/*
 * Returns a register with the @size bytes at offset @off of the copy as a number in host byte
 * order. The verifier refuses loads that are not aligned, so these are done in halves.
 */
static int load_copy(struct translation *t, uint32_t off, unsigned size)
{
	struct irb *b = t->b;
	int v;

	if (off % size == 0)
		return from_network(b, irb_load(b, FRAME, t->copy + (int32_t)off, size, false),
				    size);
	v = load_copy(t, off, size / 2);
	v = irb_bini(b, IR_SHL, v, 4 * size);
	return irb_bin(b, IR_OR, v, load_copy(t, off + size / 2, size / 2));
}

static int load_fixed(struct translation *t, uint32_t off, unsigned size)
{
	uint64_t end = (uint64_t)off + size;

	require_fixed(t, end);
	return end <= t->head ? load_copy(t, off, size) : fetch(t, irb_const(t->b, off), size);
}

/*
 * Loads the bytes at index + offset. Both numbers have 32 bits and the sum has 64 bits, so the sum
 * cannot wrap around.
 */
static int load_indexed(struct translation *t, uint32_t off, unsigned size)
{
	int at = irb_bini(t->b, IR_ADD, value_of(t, X), off);

	require(t, irb_bini(t->b, IR_ADD, at, size));
	return fetch(t, at, size);
}

/* Loads four times the low half of a byte, which is the length of an IPv4 header. */
static int load_nibble(struct translation *t, uint32_t off)
{
	int v = irb_bini(t->b, IR_AND, load_fixed(t, off, 1), 0xf);

	return irb_bini(t->b, IR_SHL, v, 2);
}

static int load(struct translation *t, const struct classic_insn *in)
{
	switch (MODE(in->code)) {
	case IMM:
		return irb_const(t->b, in->k);
	case ABS:
		return load_fixed(t, in->k, SIZE(in->code));
	case IND:
		return load_indexed(t, in->k, SIZE(in->code));
	case MEM:
		return irb_loadv(t->b, FRAME, t->word + 4 * (int32_t)in->k, 4, false);
	case LEN:
		return t->from->wire;
	default:
		return load_nibble(t, in->k);
	}
}

/*
 * Copies the first t->head bytes of the packet to the stack, or fewer if the packet is shorter. The
 * rest of the copy is 0, and no load reads it.
 */
static void copy_head(struct translation *t)
{
	struct irb *b = t->b;
	int n = irb_var(b), whole = irb_block(b, "whole head"),
	    short_one = irb_cold_block(b, "short");
	int some = irb_cold_block(b, "some"), none = irb_cold_block(b, "empty");
	int copy = irb_block(b, "copy"), near = irb_block(b, "linear"),
	    done = irb_block(b, "copied");
	int away = irb_cold_block(b, "not linear");

	for (uint32_t i = 0; i < t->head; i += 8)
		irb_storei(b, FRAME, t->copy + (int32_t)i, 8, 0);
	irb_assign(b, n, t->from->len);
	irb_bri(b, CC_ULT, n, t->head, short_one, whole);
	irb_place(b, whole);
	irb_assign_imm(b, n, t->head);
	irb_jmp(b, copy);
	irb_place(b, short_one);
	irb_bri(b, CC_EQ, n, 0, none, some);
	irb_place(b, some);
	irb_jmp(b, copy);
	irb_place(b, copy);
	if (t->from->far)
		irb_br(b, CC_SLE, n, t->from->linear, near, away);
	else
		irb_jmp(b, near);
	irb_place(b, near);
	irb_bri(b, CC_EQ,
		irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
			 (struct ir_arg[]){{ARG_FRAME, 0, t->copy},
					   {ARG_REG, n, 0},
					   {ARG_REG, t->from->at, 0}}),
		0, done, t->lost);
	if (t->from->far) {
		irb_place(b, away);
		t->from->far(t->from->ctx, b, t->copy, irb_const(b, 0), n, t->head, t->lost);
		irb_jmp(b, done);
	}
	irb_place(b, none);
	irb_jmp(b, done);
	irb_place(b, done);
}

/* ------------------------------------------------------------------ other operations */

static int low_half(struct translation *t, int v)
{
	return irb_ext(t->b, v, 4, false);
}

/* Emits a shift of 32 bits. Shifts by 32 and more give 0. */
static int shift(struct translation *t, enum ir_op op, int a, int by)
{
	int less = irb_set(t->b, CC_ULT, by, irb_const(t->b, 32));
	int v = irb_bin(t->b, op, a, irb_bini(t->b, IR_AND, by, 31));

	return low_half(t, irb_bin(t->b, IR_MUL, v, less));
}

/*
 * Emits code that rejects the packet if the divisor is 0, as bpf_filter() does, and else continues.
 */
static void require_divisor(struct translation *t, int y)
{
	int some = irb_block(t->b, "divisor");

	irb_bri(t->b, CC_EQ, y, 0, t->reject, some);
	irb_place(t->b, some);
}

static int compute(struct translation *t, const struct classic_insn *in)
{
	struct irb *b = t->b;
	int a = value_of(t, A), y;

	if (OPERATION(in->code) == NEG)
		return low_half(t, irb_neg(b, a));
	y = in->code & BY_X ? value_of(t, X) : irb_const(b, in->k);
	switch (OPERATION(in->code)) {
	case ADD:
		return low_half(t, irb_bin(b, IR_ADD, a, y));
	case SUB:
		return low_half(t, irb_bin(b, IR_SUB, a, y));
	case MUL:
		return low_half(t, irb_bin(b, IR_MUL, a, y));
	case DIV:
		require_divisor(t, y);
		return irb_bin(b, IR_DIV, a, y);
	case MOD:
		require_divisor(t, y);
		return irb_bin(b, IR_MOD, a, y);
	case OR:
		return irb_bin(b, IR_OR, a, y);
	case AND:
		return irb_bin(b, IR_AND, a, y);
	case XOR:
		return irb_bin(b, IR_XOR, a, y);
	case LSH:
		return shift(t, IR_SHL, a, y);
	default:
		return shift(t, IR_SHR, a, y);
	}
}

static void jump(struct translation *t, const struct classic_insn *in)
{
	static const enum ir_cc by[] = {[JEQ >> 4] = CC_EQ,
					[JGT >> 4] = CC_UGT,
					[JGE >> 4] = CC_UGE,
					[JSET >> 4] = CC_BITS};
	uint32_t next[2], live = 0;
	int n = next_of(in, t->i, next), a = NOREG, y = NOREG;

	if (n == 2) {
		a = value_of(t, A);
		y = in->code & BY_X ? value_of(t, X) : irb_const(t->b, in->k);
	}
	for (int k = 0; k < n; k++)
		live |= t->place[next[k]].live;
	flush(t, live);
	if (n == 1)
		irb_jmp(t->b, target(t, next[0]));
	else
		irb_br(t->b, by[OPERATION(in->code) >> 4], a, y, target(t, next[0]),
		       target(t, next[1]));
}

static void leave(struct translation *t, const struct classic_insn *in)
{
	struct irb *b = t->b;
	int pass;

	if (!(in->code & RET_A)) {
		irb_ret_reg(b, irb_const(b, in->k != 0));
		return;
	}
	pass = irb_block(b, "pass");
	irb_bri(b, CC_EQ, value_of(t, A), 0, t->reject, pass);
	irb_place(b, pass);
	irb_ret_reg(b, irb_const(b, 1));
}

static void translate(struct translation *t, const struct classic_insn *in)
{
	switch (CLASS(in->code)) {
	case LD:
		set_value(t, A, load(t, in));
		break;
	case LDX:
		set_value(t, X, load(t, in));
		break;
	case ST:
		irb_store(t->b, FRAME, t->word + 4 * (int32_t)in->k, 4, value_of(t, A));
		break;
	case STX:
		irb_store(t->b, FRAME, t->word + 4 * (int32_t)in->k, 4, value_of(t, X));
		break;
	case ALU:
		set_value(t, A, compute(t, in));
		break;
	case JMP:
		jump(t, in);
		break;
	case RET:
		leave(t, in);
		break;
	default:
		if (in->code & TXA)
			set_value(t, A, value_of(t, X));
		else
			set_value(t, X, value_of(t, A));
	}
}

/*
 * Begins the block of instruction t->i. The code of the previous block may continue in this block.
 * Values of earlier blocks are not reused, because they would fill the stack, and libpcap has
 * already removed repeated computations.
 */
static void begin_block(struct translation *t)
{
	struct place *p = &t->place[t->i];

	if (irb_is_open(t->b)) {
		flush(t, p->live);
		irb_jmp(t->b, target(t, t->i));
	}
	irb_place(t->b, p->block);
	irb_pop(t->b);
	irb_push(t->b);
	t->known = p->known;
	t->changed = 0;
	memset(t->value, 0, sizeof(t->value));
}

/* Sets to 0 the registers that may be read before they are written, and all memory words. */
static void clear_registers(struct translation *t, uint32_t nword)
{
	for (uint32_t i = 0; i < nword; i += 2)
		irb_storei(t->b, FRAME, t->word + 4 * (int32_t)i, 8, 0);
	for (int r = 0; r < NREG; r++)
		if (t->place[0].live & BIT(r)) {
			t->var[r] = irb_var(t->b);
			irb_assign_imm(t->b, t->var[r], 0);
		}
}

static void prepare(struct translation *t)
{
	uint32_t nword = words_of(t);

	find_live(t);
	t->head = head_of(t);
	t->copy = t->head ? irb_frame(t->b, t->head) : 0;
	t->slot = t->from->far ? irb_frame(t->b, 8) : 0;
	t->word = nword ? irb_frame(t->b, 4 * nword) : 0;
	if (t->head)
		copy_head(t);
	clear_registers(t, nword);
}

void classic_gen(struct irb *b, const struct classic_program *p, const struct classic_packet *from)
{
	struct translation t = {.b = b, .from = from, .insn = p->insn, .n = p->ninsn};

	t.place = arena_newn(b->arena, struct place, p->ninsn);
	memset(t.place, 0, p->ninsn * sizeof(*t.place));
	t.reject = irb_block(b, "reject");
	t.lost = irb_cold_block(b, "lost");
	prepare(&t);
	irb_push(b);
	for (t.i = 0; t.i < t.n; t.i++) {
		if (t.place[t.i].block)
			begin_block(&t);
		if (irb_is_open(b)) /* otherwise no path leads to the instruction */
			translate(&t, &t.insn[t.i]);
	}
	irb_pop(b);
	irb_place(b, t.lost);
	irb_count(b, offsetof(struct percpu, unreadable));
	irb_jmp(b, t.reject);
	irb_place(b, t.reject);
	irb_ret_reg(b, irb_const(b, 0));
}
