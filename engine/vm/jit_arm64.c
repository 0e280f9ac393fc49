/*
 * jit_arm64.c - emits native code for 64-bit ARM, little endian.
 *
 *	r0 x7   r1-r5 x0-x4                    the C argument registers, except r0
 *	r6-r9 x19-x22  r10 x23                 callee-saved in C
 *	ex x24  free: x9 x10 x11
 *
 * Each instruction has 4 bytes. Registers are in bits 0-4 (d), 5-9 (n), 16-20 (m). Bit 31 selects
 * 64 bits.
 */
#include "engine/vm/jit.h"

#if defined(__aarch64__) && defined(__AARCH64EL__)

#include <string.h>

enum {
	X7 = 7,
	X9 = 9,
	X10 = 10,
	X19 = 19,
	X20,
	X21,
	X22,
	X23,
	X24,
	FP = 29,
	LR = 30,
	ZR = 31,
	SP = 31
};

static const uint8_t reg_of[VM_REGS] = {X7, 0, 1, 2, 3, 4, X19, X20, X21, X22, X23};

#define WIDE 0x80000000u

enum { CC_EQ, CC_NE, CC_HS, CC_LO, CC_HI = 8, CC_LS, CC_GE, CC_LT, CC_GT, CC_LE };

/* ------------------------------------------------------------- instructions */

static void emit(struct jit *j, uint32_t insn)
{
	jit_bytes(j, &insn, sizeof(insn));
}

static uint32_t width(bool wide)
{
	return wide ? WIDE : 0;
}

/* Emits d = n @op m. @op is the code of the 32-bit instruction. */
static void op3(struct jit *j, bool wide, uint32_t op, unsigned d, unsigned n, unsigned m)
{
	emit(j, op | width(wide) | m << 16 | n << 5 | d);
}

enum {
	ADD = 0x0b000000,
	SUB = 0x4b000000,
	SUBS = 0x6b000000,
	AND = 0x0a000000,
	ANDS = 0x6a000000,
	ORR = 0x2a000000,
	EOR = 0x4a000000,
	MUL = 0x1b007c00,
	UDIV = 0x1ac00800,
	SDIV = 0x1ac00c00,
	LSLV = 0x1ac02000,
	LSRV = 0x1ac02400,
	ASRV = 0x1ac02800,
};

static void mov_rr(struct jit *j, bool wide, unsigned d, unsigned m)
{
	if (d != m || !wide)
		op3(j, wide, ORR, d, ZR, m);
}

enum { MOVN = 0x12800000, MOVZ = 0x52800000, MOVK = 0x72800000 };

static void mov16(struct jit *j, uint32_t op, unsigned d, uint64_t v, unsigned part)
{
	emit(j, op | WIDE | part << 21 | (uint32_t)(v >> part * 16 & 0xffff) << 5 | d);
}

/* Emits d = @v: a movz or movn, and then a movk for each group of 16 bits that is still wrong. */
static void mov_imm64(struct jit *j, unsigned d, uint64_t v)
{
	bool ones = v >> 32 == UINT32_MAX;
	uint64_t remainder = ones ? 0xffff : 0;

	mov16(j, ones ? MOVN : MOVZ, d, ones ? ~v : v, 0);
	for (unsigned part = 1; part < 4; part++)
		if ((v >> part * 16 & 0xffff) != remainder)
			mov16(j, MOVK, d, v, part);
}

static void mov_imm(struct jit *j, bool wide, unsigned d, int32_t imm)
{
	mov_imm64(j, d, wide ? (uint64_t)(int64_t)imm : (uint32_t)imm);
}

/*
 * Emits ubfm or, if @sign, sbfm. If hi >= lo, copies bits lo to hi of n to the bottom of d. If hi <
 * lo, copies bits 0 to hi of n to d, from bit W - lo on; W is 64 if @wide, else 32. The other bits
 * of d become zeros, or copies of the sign.
 */
static void bits_of(struct jit *j, bool wide, bool sign, unsigned d, unsigned n, unsigned lo,
		    unsigned hi)
{
	emit(j, (sign ? 0x13000000u : 0x53000000u) | (wide ? 0x80400000u : 0) | lo << 16 |
			hi << 10 | n << 5 | d);
}

/* Returns the register that holds @b. If @b is an immediate, emits code that loads it into x9. */
static unsigned in_reg(struct jit *j, bool wide, struct jit_operand b)
{
	if (b.is_reg)
		return reg_of[b.reg];
	mov_imm(j, wide, X9, b.imm);
	return X9;
}

/* ------------------------------------------------------------------ functions */

static const uint8_t saved_regs[][2] = {{FP, LR}, {X19, X20}, {X21, X22}, {X23, X24}};

#define NKEPT (sizeof(saved_regs) / sizeof(saved_regs[0]))

static void push_saved(struct jit *j)
{
	/* stp a, b, [sp, #-16]! */
	for (size_t i = 0; i < NKEPT; i++)
		emit(j,
		     0xa9bf0000u | (uint32_t)saved_regs[i][1] << 10 | SP << 5 | saved_regs[i][0]);
}

void jit_leave(struct jit *j)
{
	if (j->in_main)
		mov_rr(j, true, 0, X7);
	/* ldp a, b, [sp], #16 */
	for (size_t i = NKEPT; i > 0; i--)
		emit(j, 0xa8c10000u | (uint32_t)saved_regs[i - 1][1] << 10 | SP << 5 |
				saved_regs[i - 1][0]);
	emit(j, 0xd65f03c0); /* ret */
}

/* The unit is called as a C function with x0 = ex, x1 = ctx and x2 = the top of the frame. */
void jit_enter_unit(struct jit *j)
{
	push_saved(j);
	mov_rr(j, true, X24, 0);
	mov_rr(j, true, 0, 1);
	mov_rr(j, true, X23, 2);
	for (unsigned r = 0; r < VM_REGS; r++)
		if (j->unset >> r & 1)
			mov_rr(j, true, reg_of[r], ZR);
}

static void add_imm12(struct jit *j, bool wide, uint32_t op, unsigned d, unsigned n, unsigned imm)
{
	emit(j, op | width(wide) | imm << 10 | n << 5 | d);
}

enum { ADD_I = 0x11000000, SUB_I = 0x51000000, SUBS_I = 0x71000000 };

void jit_enter_function(struct jit *j)
{
	push_saved(j);
	add_imm12(j, true, SUB_I, X23, X23, VM_FRAME_SIZE);
}

/* ----------------------------------------------------------------- arithmetic */

static bool is_12(struct jit_operand b)
{
	return !b.is_reg && b.imm >= 0 && b.imm < 4096;
}

static void add_sub(struct jit *j, bool wide, bool add, unsigned dst, struct jit_operand b)
{
	if (is_12(b))
		add_imm12(j, wide, add ? ADD_I : SUB_I, dst, dst, (unsigned)b.imm);
	else
		op3(j, wide, add ? ADD : SUB, dst, dst, in_reg(j, wide, b));
}

/*
 * Emits a shift of dst by @b. A left shift by s copies the lowest (bits - s) bits to bit s and the
 * bits above.
 */
static void shift(struct jit *j, bool wide, uint32_t op, unsigned dst, struct jit_operand b)
{
	unsigned bits = wide ? 64 : 32, s = (unsigned)b.imm;

	if (b.is_reg)
		op3(j, wide, op, dst, dst, reg_of[b.reg]);
	else if (op == LSLV)
		bits_of(j, wide, false, dst, dst, (bits - s) % bits, bits - 1 - s);
	else
		bits_of(j, wide, op == ASRV, dst, dst, s, bits - 1);
}

/*
 * Emits a division of dst by @b. On ARM, division by 0 gives 0, and the smallest number / -1 gives
 * the smallest number, as eBPF requires.
 */
static void divide(struct jit *j, bool wide, uint32_t op, bool remainder, unsigned dst,
		   struct jit_operand b)
{
	unsigned by = in_reg(j, wide, b);

	if (!remainder) {
		op3(j, wide, op, dst, dst, by);
		return;
	}
	op3(j, wide, op, X10, dst, by);
	/* dst - x10 * by */
	emit(j, 0x1b008000u | width(wide) | by << 16 | dst << 10 | X10 << 5 | dst);
}

void jit_alu(struct jit *j, enum jit_alu op, bool wide, unsigned to, struct jit_operand b)
{
	unsigned dst = reg_of[to];

	switch (op) {
	case JIT_ADD:
	case JIT_SUB:
		add_sub(j, wide, op == JIT_ADD, dst, b);
		break;
	case JIT_OR:
		op3(j, wide, ORR, dst, dst, in_reg(j, wide, b));
		break;
	case JIT_AND:
		op3(j, wide, AND, dst, dst, in_reg(j, wide, b));
		break;
	case JIT_XOR:
		op3(j, wide, EOR, dst, dst, in_reg(j, wide, b));
		break;
	case JIT_MUL:
		op3(j, wide, MUL, dst, dst, in_reg(j, wide, b));
		break;
	case JIT_LSH:
		shift(j, wide, LSLV, dst, b);
		break;
	case JIT_RSH:
		shift(j, wide, LSRV, dst, b);
		break;
	case JIT_ARSH:
		shift(j, wide, ASRV, dst, b);
		break;
	case JIT_NEG:
		op3(j, wide, SUB, dst, ZR, dst);
		break;
	case JIT_MOV:
		if (b.is_reg)
			mov_rr(j, wide, dst, reg_of[b.reg]);
		else
			mov_imm(j, wide, dst, b.imm);
		break;
	case JIT_DIV:
	case JIT_MOD:
		divide(j, wide, UDIV, op == JIT_MOD, dst, b);
		break;
	case JIT_SDIV:
	case JIT_SMOD:
		divide(j, wide, SDIV, op == JIT_SMOD, dst, b);
		break;
	}
}

void jit_imm64(struct jit *j, unsigned dst, uint64_t v)
{
	mov_imm64(j, reg_of[dst], v);
}

void jit_extend(struct jit *j, unsigned dst, unsigned src, unsigned bits, enum jit_extend how,
		bool wide)
{
	bits_of(j, wide && how == JIT_SIGN, how == JIT_SIGN, reg_of[dst], reg_of[src], 0, bits - 1);
}

void jit_swap(struct jit *j, unsigned dst, unsigned bits)
{
	unsigned d = reg_of[dst];

	if (bits == 64) {
		emit(j, 0xdac00c00u | d << 5 | d); /* rev x */
		return;
	}
	emit(j, (bits == 16 ? 0x5ac00400u : 0x5ac00800u) | d << 5 | d); /* rev16 w, rev w */
	if (bits == 16)
		bits_of(j, false, false, d, d, 0, 15);
}

/* --------------------------------------------------------------------- memory */

enum { STUR = 0x38000000, LDUR = 0x38400000, LDURS = 0x38800000, SCALED = 0x01000000 };

static unsigned log2_of(unsigned bytes)
{
	return bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
}

/*
 * Emits a load or store, @op, of register t at base + off. The instruction has room for an offset
 * of 9 bits with a sign, or of 12 bits in units of the size. For any other offset, the code
 * computes the address in x9.
 */
static void access(struct jit *j, uint32_t op, unsigned bytes, unsigned t, unsigned base, int off)
{
	unsigned shift = log2_of(bytes);

	op |= (uint32_t)shift << 30;
	if (off >= 0 && !(off & (int)(bytes - 1)) && off >> shift < 4096) {
		emit(j, op | SCALED | (uint32_t)(off >> shift) << 10 | base << 5 | t);
		return;
	}
	if (off < -256 || off > 255) {
		mov_imm(j, true, X9, off);
		op3(j, true, ADD, X9, base, X9);
		base = X9;
		off = 0;
	}
	emit(j, op | ((uint32_t)off & 0x1ff) << 12 | base << 5 | t);
}

static uint32_t load_op(unsigned bytes, enum jit_extend how)
{
	return how == JIT_SIGN && bytes < 8 ? LDURS : LDUR;
}

void jit_load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned src,
	      int off, bool tested)
{
	unsigned d = reg_of[dst];

	if (!tested) {
		access(j, load_op(bytes, how), bytes, d, reg_of[src], off);
		return;
	}
	mov_imm(j, true, X9, off);
	op3(j, true, ADD, X9, reg_of[src], X9);
	bits_of(j, true, false, X10, X9, 16, 63); /* VM_LOW_ADDR is 1 << 16 */
	mov_rr(j, true, d, ZR);
	emit(j, 0xb4000000u | 2 << 5 | X10); /* cbz x10: skips the load */
	access(j, load_op(bytes, how), bytes, d, X9, 0);
}

void jit_store(struct jit *j, unsigned bytes, unsigned dst, int off, struct jit_operand v)
{
	unsigned t = v.is_reg ? reg_of[v.reg] : v.imm ? X10 : ZR;

	if (t == X10)
		mov_imm(j, true, X10, v.imm);
	access(j, STUR, bytes, t, reg_of[dst], off);
}

void jit_atomic_add64(struct jit *j, unsigned dst, int off, unsigned src)
{
	access(j, LDUR, 8, X10, reg_of[dst], off);
	op3(j, true, ADD, X10, X10, reg_of[src]);
	access(j, STUR, 8, X10, reg_of[dst], off);
}

/* ---------------------------------------------------------------------- jumps */

bool jit_patch(struct jit *j, const struct jit_fixup *f, uint32_t target)
{
	int32_t far = (int32_t)(target - f->at) / 4;
	uint32_t insn;

	if (far >= 1 << 25 || far < -(1 << 25))
		return false;
	memcpy(&insn, j->buf + f->at, sizeof(insn));
	insn |= (uint32_t)far & 0x3ffffff;
	memcpy(j->buf + f->at, &insn, sizeof(insn));
	return true;
}

void jit_jump(struct jit *j, uint32_t to)
{
	jit_fixup(j, to, false);
	emit(j, 0x14000000);
}

/*
 * Emits an unconditional jump to @to, and before it a conditional jump that skips it if @cond is
 * false. A conditional jump alone would not reach far enough.
 */
void jit_jump_if(struct jit *j, enum jit_cond cond, bool wide, unsigned reg, struct jit_operand b,
		 uint32_t to)
{
	static const uint8_t cc[] = {
		[JIT_JEQ] = CC_EQ, [JIT_JGT] = CC_HI,  [JIT_JGE] = CC_HS,  [JIT_JSET] = CC_NE,
		[JIT_JNE] = CC_NE, [JIT_JSGT] = CC_GT, [JIT_JSGE] = CC_GE, [JIT_JLT] = CC_LO,
		[JIT_JLE] = CC_LS, [JIT_JSLT] = CC_LT, [JIT_JSLE] = CC_LE,
	};
	unsigned dst = reg_of[reg];

	if (cond == JIT_JSET)
		op3(j, wide, ANDS, ZR, dst, in_reg(j, wide, b));
	else if (is_12(b))
		add_imm12(j, wide, SUBS_I, ZR, dst, (unsigned)b.imm);
	else
		op3(j, wide, SUBS, ZR, dst, in_reg(j, wide, b));
	emit(j, 0x54000000u | 2 << 5 | (cc[cond] ^ 1u));
	jit_jump(j, to);
}

/* ---------------------------------------------------------------------- calls */

void jit_call_function(struct jit *j, uint32_t to)
{
	jit_fixup(j, to, true);
	emit(j, 0x94000000);
}

/* Emits a call of @fn through x9. */
static void call_through(struct jit *j, uint64_t fn)
{
	mov_imm64(j, X9, fn);
	emit(j, 0xd63f0000u | X9 << 5);
}

static int saved_at(unsigned r)
{
	return (int)(offsetof(struct vm_exec, r) + r * sizeof(uint64_t));
}

void jit_call_helper(struct jit *j, uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r),
		     unsigned nargs)
{
	for (unsigned r = 1; r <= nargs; r++)
		access(j, STUR, 8, reg_of[r], X24, saved_at(r));
	mov_rr(j, true, 0, X24);
	add_imm12(j, true, ADD_I, 1, X24, (unsigned)saved_at(0));
	call_through(j, (uint64_t)(uintptr_t)fn);
	mov_rr(j, true, X7, 0);
}

void jit_call_map(struct jit *j, size_t off)
{
	access(j, LDUR, 8, X9, 0, (int)off);
	emit(j, 0xd63f0000u | X9 << 5);
	mov_rr(j, true, X7, 0);
}

void jit_call_out(struct jit *j, void (*fn)(const struct vm_op *op, uint64_t *r),
		  const struct vm_op *op)
{
	for (unsigned r = 0; r < VM_REGS; r++)
		access(j, STUR, 8, reg_of[r], X24, saved_at(r));
	mov_imm64(j, 0, vm_addr(op));
	add_imm12(j, true, ADD_I, 1, X24, (unsigned)saved_at(0));
	call_through(j, (uint64_t)(uintptr_t)fn);
	for (unsigned r = 0; r < VM_REGS; r++)
		access(j, LDUR, 8, reg_of[r], X24, saved_at(r));
}

#endif
