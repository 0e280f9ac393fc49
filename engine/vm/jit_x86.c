/*
 * jit_x86.c - emits native code for x86-64.
 *
 *	r0 rax   r1 rdi  r2 rsi  r3 rdx  r4 rcx  r5 r8      result and arguments in C
 *	r6 rbx   r7 r13  r8 r14  r9 r15  r10 rbp            callee-saved in C
 *	ex r12   free: r9 r10 r11
 *
 *	[66] [REX: 0100 W R X B] opcode [ModRM: mod reg rm] [SIB] [displacement] [immediate]
 */
#include "engine/vm/jit.h"

#if defined(__x86_64__)

#include <string.h>

#include "base/xalloc.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const uint8_t reg_of[VM_REGS] = {RAX, RDI, RSI, RDX, RCX, R8, RBX, R13, R14, R15, RBP};

enum { REX = 0x40, REX_W = 8, REX_R = 4, REX_B = 1 };

/* Conditions, which are the low four bits of the opcodes of conditional jumps. */
enum {
	CC_B = 2,
	CC_AE = 3,
	CC_E = 4,
	CC_NE = 5,
	CC_BE = 6,
	CC_A = 7,
	CC_L = 12,
	CC_GE = 13,
	CC_LE = 14,
	CC_G = 15
};

/* ------------------------------------------------------------- instructions */

static void emit8(struct jit *j, unsigned v)
{
	uint8_t b = (uint8_t)v;

	jit_bytes(j, &b, 1);
}

static void emit32(struct jit *j, int32_t v)
{
	jit_bytes(j, &v, sizeof(v));
}

static void rex(struct jit *j, bool wide, unsigned reg, unsigned rm)
{
	emit8(j, REX | (wide ? REX_W : 0u) | (reg >= 8 ? REX_R : 0u) | (rm >= 8 ? REX_B : 0u));
}

/* Emits an opcode of one byte, or of two bytes if the first one is 0x0f. */
static void opcode(struct jit *j, unsigned op)
{
	if (op > 0xff)
		emit8(j, op >> 8);
	emit8(j, op);
}

/*
 * Emits "op reg, rm" or "op rm, reg"; the opcode @op decides which. For some opcodes, @reg is not a
 * register but a digit that belongs to the opcode.
 */
static void op_rr(struct jit *j, bool wide, unsigned op, unsigned reg, unsigned rm)
{
	rex(j, wide, reg, rm);
	opcode(j, op);
	emit8(j, 0xc0 | (reg & 7) << 3 | (rm & 7));
}

/* Emits the instruction as op_rr() does, with memory at base + off instead of register rm. */
static void op_rm(struct jit *j, bool wide, unsigned op, unsigned reg, unsigned base, int32_t off)
{
	bool short_off = off >= -128 && off < 128;

	rex(j, wide, reg, base);
	opcode(j, op);
	emit8(j, (short_off ? 0x40u : 0x80u) | (reg & 7) << 3 | (base & 7));
	if ((base & 7) == RSP)
		emit8(j, 0x24);
	if (short_off)
		emit8(j, (uint8_t)off);
	else
		emit32(j, off);
}

static void mov_rr(struct jit *j, unsigned dst, unsigned src)
{
	if (dst != src)
		op_rr(j, true, 0x89, src, dst);
}

/* Emits code that clears @reg. A 32-bit xor clears all 64 bits. */
static void zero(struct jit *j, unsigned reg)
{
	op_rr(j, false, 0x31, reg, reg);
}

/*
 * Emits dst = @imm. If @wide, the immediate is sign-extended to 64 bits. If not, the upper half of
 * dst becomes 0.
 */
static void mov_imm(struct jit *j, bool wide, unsigned dst, int32_t imm)
{
	if (!wide || imm >= 0) {
		rex(j, false, 0, dst);
		emit8(j, 0xb8 | (dst & 7));
	} else {
		op_rr(j, true, 0xc7, 0, dst);
	}
	emit32(j, imm);
}

static void mov_imm64(struct jit *j, unsigned dst, uint64_t v)
{
	if (v == (uint64_t)(int64_t)(int32_t)v || v <= UINT32_MAX) {
		mov_imm(j, v > UINT32_MAX, dst, (int32_t)v);
		return;
	}
	rex(j, true, 0, dst);
	emit8(j, 0xb8 | (dst & 7));
	jit_bytes(j, &v, sizeof(v));
}

/*
 * Emits the instruction add, or, and, sub, xor or cmp, as @digit selects, for @rm and an immediate.
 */
static void op_imm(struct jit *j, bool wide, unsigned digit, unsigned rm, int32_t imm)
{
	if (imm >= -128 && imm < 128) {
		op_rr(j, wide, 0x83, digit, rm);
		emit8(j, (uint8_t)imm);
	} else {
		op_rr(j, wide, 0x81, digit, rm);
		emit32(j, imm);
	}
}

/*
 * Emits a conditional jump to the place where patch_skip() will be called. Returns the offset that
 * patch_skip() needs.
 */
static size_t skip_if(struct jit *j, unsigned cc)
{
	emit8(j, 0x70 | cc);
	emit8(j, 0);
	return j->n;
}

static size_t skip(struct jit *j)
{
	emit8(j, 0xeb);
	emit8(j, 0);
	return j->n;
}

static void patch_skip(struct jit *j, size_t from)
{
	if (j->n - from > 127)
		BUG("a short jump over %zu bytes", j->n - from);
	j->buf[from - 1] = (uint8_t)(j->n - from);
}

static void call_through(struct jit *j, uint64_t fn)
{
	mov_imm64(j, RAX, fn);
	op_rr(j, false, 0xff, 2, RAX);
}

static void push(struct jit *j, unsigned reg)
{
	rex(j, false, 0, reg);
	emit8(j, 0x50 | (reg & 7));
}

static void pop(struct jit *j, unsigned reg)
{
	rex(j, false, 0, reg);
	emit8(j, 0x58 | (reg & 7));
}

/* ------------------------------------------------------------------ functions */

static const uint8_t saved_by_function[] = {RBX, RBP, R13, R14, R15};

enum { SAVED_MAX = 6 };

/* Stores in @regs the registers that the unit saves. Returns their number. */
static unsigned saved_by_unit(const struct jit *j, uint8_t regs[SAVED_MAX])
{
	unsigned n = 0;

	for (unsigned r = 6; r < VM_REGS; r++)
		if (j->used >> r & 1)
			regs[n++] = reg_of[r];
	if (j->needs_ex)
		regs[n++] = R12;
	return n;
}

static void push_all(struct jit *j, const uint8_t *regs, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		push(j, regs[i]);
}

static void pop_all(struct jit *j, const uint8_t *regs, unsigned n)
{
	while (n)
		pop(j, regs[--n]);
}

/*
 * Aligns the stack to 16 bytes, as calls of C functions require: the return address and the @n
 * saved registers take 8 bytes each. If necessary, emits rsp += 8 or rsp -= 8, as @digit says.
 */
static void align_stack(struct jit *j, unsigned digit, unsigned n)
{
	if (n % 2 == 0)
		op_imm(j, true, digit, RSP, 8);
}

/* The unit is called as a C function with rdi = ex, rsi = ctx and rdx = the top of the frame. */
void jit_enter_unit(struct jit *j)
{
	/* if the CPU checks indirect calls (CET), a call may only go to an endbr64 */
	static const uint8_t endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint8_t saved[SAVED_MAX];
	unsigned n = saved_by_unit(j, saved);

	jit_bytes(j, endbr64, sizeof(endbr64));
	push_all(j, saved, n);
	align_stack(j, 5, n);
	if (j->needs_ex)
		mov_rr(j, R12, RDI);
	mov_rr(j, RDI, RSI);
	if (j->used >> 10 & 1)
		mov_rr(j, RBP, RDX);
	for (unsigned r = 0; r < VM_REGS; r++)
		if (j->unset >> r & 1)
			zero(j, reg_of[r]);
}

/*
 * The return address and the five saved registers take 48 bytes, so the stack stays aligned to 16
 * bytes.
 */
void jit_enter_function(struct jit *j)
{
	push_all(j, saved_by_function, sizeof(saved_by_function));
	op_imm(j, true, 5, RBP, VM_FRAME_SIZE);
}

void jit_leave(struct jit *j)
{
	uint8_t saved[SAVED_MAX];
	unsigned n = saved_by_unit(j, saved);

	if (j->in_main) {
		align_stack(j, 0, n);
		pop_all(j, saved, n);
	} else {
		pop_all(j, saved_by_function, sizeof(saved_by_function));
	}
	emit8(j, 0xc3);
}

/* ----------------------------------------------------------------- arithmetic */

static void mov_operand(struct jit *j, bool wide, unsigned dst, struct jit_operand b)
{
	if (!b.is_reg)
		mov_imm(j, wide, dst, b.imm);
	else if (wide)
		mov_rr(j, dst, reg_of[b.reg]);
	else
		op_rr(j, false, 0x89, reg_of[b.reg], dst);
}

/*
 * Emits an operation on dst and @b. @op is the opcode of "op rm, reg", and @digit selects the
 * instruction "op rm, immediate".
 */
static void op_operand(struct jit *j, bool wide, unsigned op, unsigned digit, unsigned dst,
		       struct jit_operand b)
{
	if (b.is_reg)
		op_rr(j, wide, op, reg_of[b.reg], dst);
	else
		op_imm(j, wide, digit, dst, b.imm);
}

static void multiply(struct jit *j, bool wide, unsigned dst, struct jit_operand b)
{
	if (b.is_reg) {
		op_rr(j, wide, 0x0faf, dst, reg_of[b.reg]);
		return;
	}
	op_rr(j, wide, 0x69, dst, dst);
	emit32(j, b.imm);
}

/*
 * Emits a shift of dst by @b. A shift by a register needs the number of bits in cl, which is part
 * of the CPU register of r4. So the code saves rcx in r10.
 */
static void shift(struct jit *j, bool wide, unsigned digit, unsigned dst, struct jit_operand b)
{
	if (!b.is_reg) {
		op_rr(j, wide, 0xc1, digit, dst);
		emit8(j, (uint8_t)b.imm);
		return;
	}
	mov_rr(j, R10, RCX);
	mov_rr(j, R11, dst);
	mov_rr(j, RCX, reg_of[b.reg]);
	op_rr(j, wide, 0xd3, digit, R11);
	mov_rr(j, RCX, R10);
	mov_rr(j, dst, R11);
}

/*
 * Emits code that sets dst to the quotient of dst / r11 or, if @remainder, to the remainder. The
 * code saves rax and rdx in r9 and r10.
 */
static void divide_by_r11(struct jit *j, bool wide, bool is_signed, bool remainder, unsigned dst)
{
	mov_rr(j, R9, RAX);
	mov_rr(j, R10, RDX);
	mov_rr(j, RAX, dst);
	if (is_signed) {
		if (wide)
			emit8(j, REX | REX_W);
		emit8(j, 0x99);
	} else {
		zero(j, RDX);
	}
	op_rr(j, wide, 0xf7, is_signed ? 7 : 6, R11);
	mov_rr(j, R11, remainder ? RDX : RAX);
	mov_rr(j, RAX, R9);
	mov_rr(j, RDX, R10);
	if (wide)
		mov_rr(j, dst, R11);
	else
		op_rr(j, false, 0x89, R11, dst);
}

/* Emits code that clears the upper half of dst, if the operation has 32 bits (not @wide). */
static void truncate(struct jit *j, bool wide, unsigned dst)
{
	if (!wide)
		op_rr(j, false, 0x89, dst, dst);
}

/*
 * Emits a division of dst by @b. In eBPF, the quotient of a division by 0 is 0, and the remainder
 * is the dividend. For a signed division by -1 the code negates dst, or sets the remainder to 0,
 * because idiv traps for the smallest number.
 */
static void divide(struct jit *j, bool wide, bool is_signed, bool remainder, unsigned dst,
		   struct jit_operand b)
{
	size_t by_zero, by_minus = 0, done, done2 = 0;

	mov_operand(j, wide, R11, b);
	op_rr(j, wide, 0x85, R11, R11);
	by_zero = skip_if(j, CC_E);
	if (is_signed) {
		op_imm(j, wide, 7, R11, -1);
		by_minus = skip_if(j, CC_E);
	}
	divide_by_r11(j, wide, is_signed, remainder, dst);
	done = skip(j);
	if (is_signed) {
		patch_skip(j, by_minus);
		if (remainder)
			zero(j, dst);
		else
			op_rr(j, wide, 0xf7, 3, dst);
		done2 = skip(j);
	}
	patch_skip(j, by_zero);
	if (remainder)
		truncate(j, wide, dst);
	else
		zero(j, dst);
	patch_skip(j, done);
	if (is_signed)
		patch_skip(j, done2);
}

void jit_alu(struct jit *j, enum jit_alu op, bool wide, unsigned to, struct jit_operand b)
{
	unsigned dst = reg_of[to];

	switch (op) {
	case JIT_ADD:
		op_operand(j, wide, 0x01, 0, dst, b);
		break;
	case JIT_OR:
		op_operand(j, wide, 0x09, 1, dst, b);
		break;
	case JIT_AND:
		op_operand(j, wide, 0x21, 4, dst, b);
		break;
	case JIT_SUB:
		op_operand(j, wide, 0x29, 5, dst, b);
		break;
	case JIT_XOR:
		op_operand(j, wide, 0x31, 6, dst, b);
		break;
	case JIT_MUL:
		multiply(j, wide, dst, b);
		break;
	case JIT_LSH:
		shift(j, wide, 4, dst, b);
		break;
	case JIT_RSH:
		shift(j, wide, 5, dst, b);
		break;
	case JIT_ARSH:
		shift(j, wide, 7, dst, b);
		break;
	case JIT_NEG:
		op_rr(j, wide, 0xf7, 3, dst);
		break;
	case JIT_MOV:
		mov_operand(j, wide, dst, b);
		break;
	case JIT_DIV:
	case JIT_MOD:
		divide(j, wide, false, op == JIT_MOD, dst, b);
		break;
	case JIT_SDIV:
	case JIT_SMOD:
		divide(j, wide, true, op == JIT_SMOD, dst, b);
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
	unsigned d = reg_of[dst], s = reg_of[src];

	if (bits == 32 && how == JIT_ZERO)
		op_rr(j, false, 0x89, s, d);
	else if (bits == 32)
		op_rr(j, wide, 0x63, d, s);
	else
		op_rr(j, wide, (how == JIT_SIGN ? 0x0fbe : 0x0fb6) + (bits == 16), d, s);
}

void jit_swap(struct jit *j, unsigned dst, unsigned bits)
{
	unsigned d = reg_of[dst];

	if (bits == 16) {
		/* 16-bit ror by 8 */
		emit8(j, 0x66);
		op_rr(j, false, 0xc1, 1, d);
		emit8(j, 8);
		op_rr(j, false, 0x0fb7, d, d);
		return;
	}
	rex(j, bits == 64, 0, d);
	emit8(j, 0x0f);
	emit8(j, 0xc8 | (d & 7));
}

/* --------------------------------------------------------------------- memory */

static void load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned base,
		 int off)
{
	switch (bytes) {
	case 1:
		op_rm(j, how == JIT_SIGN, how == JIT_SIGN ? 0x0fbe : 0x0fb6, dst, base, off);
		break;
	case 2:
		op_rm(j, how == JIT_SIGN, how == JIT_SIGN ? 0x0fbf : 0x0fb7, dst, base, off);
		break;
	case 4:
		op_rm(j, how == JIT_SIGN, how == JIT_SIGN ? 0x63 : 0x8b, dst, base, off);
		break;
	default:
		op_rm(j, true, 0x8b, dst, base, off);
	}
}

void jit_load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned src,
	      int off, bool tested)
{
	size_t low;

	if (!tested) {
		load(j, bytes, how, reg_of[dst], reg_of[src], off);
		return;
	}
	op_rm(j, true, 0x8d, R11, reg_of[src], off); /* lea */
	zero(j, reg_of[dst]);
	op_imm(j, true, 7, R11, VM_LOW_ADDR);
	low = skip_if(j, CC_B);
	load(j, bytes, how, reg_of[dst], R11, 0);
	patch_skip(j, low);
}

void jit_store(struct jit *j, unsigned bytes, unsigned dst, int off, struct jit_operand v)
{
	unsigned reg = v.is_reg ? reg_of[v.reg] : 0;
	unsigned op = (v.is_reg ? 0x88 : 0xc6) + (bytes > 1);

	if (bytes == 2)
		emit8(j, 0x66);
	op_rm(j, bytes == 8, op, reg, reg_of[dst], off);
	if (!v.is_reg)
		jit_bytes(j, &v.imm, bytes < 4 ? bytes : 4);
}

void jit_atomic_add64(struct jit *j, unsigned dst, int off, unsigned src)
{
	op_rm(j, true, 0x01, reg_of[src], reg_of[dst], off);
}

/* ---------------------------------------------------------------------- jumps */

/*
 * Emits 4 bytes for the distance to operation @op. The distance counts from the end of these bytes.
 */
static void to_op(struct jit *j, uint32_t op, bool call)
{
	jit_fixup(j, op, call);
	emit32(j, 0);
}

bool jit_patch(struct jit *j, const struct jit_fixup *f, uint32_t target)
{
	int32_t far = (int32_t)(target - (f->at + 4));

	memcpy(j->buf + f->at, &far, sizeof(far));
	return true;
}

void jit_jump(struct jit *j, uint32_t to)
{
	emit8(j, 0xe9);
	to_op(j, to, false);
}

void jit_jump_if(struct jit *j, enum jit_cond cond, bool wide, unsigned reg, struct jit_operand b,
		 uint32_t to)
{
	static const uint8_t cc[] = {
		[JIT_JEQ] = CC_E,  [JIT_JGT] = CC_A,  [JIT_JGE] = CC_AE,  [JIT_JSET] = CC_NE,
		[JIT_JNE] = CC_NE, [JIT_JSGT] = CC_G, [JIT_JSGE] = CC_GE, [JIT_JLT] = CC_B,
		[JIT_JLE] = CC_BE, [JIT_JSLT] = CC_L, [JIT_JSLE] = CC_LE,
	};
	unsigned dst = reg_of[reg];

	if (cond == JIT_JSET && b.is_reg) {
		op_rr(j, wide, 0x85, reg_of[b.reg], dst);
	} else if (cond == JIT_JSET) {
		op_rr(j, wide, 0xf7, 0, dst);
		emit32(j, b.imm);
	} else if (!b.is_reg && !b.imm && (cond == JIT_JEQ || cond == JIT_JNE)) {
		op_rr(j, wide, 0x85, dst, dst);
	} else {
		op_operand(j, wide, 0x39, 7, dst, b);
	}
	emit8(j, 0x0f);
	emit8(j, 0x80u | cc[cond]);
	to_op(j, to, false);
}

/* ---------------------------------------------------------------------- calls */

void jit_call_function(struct jit *j, uint32_t to)
{
	emit8(j, 0xe8);
	to_op(j, to, true);
}

static int32_t saved_at(unsigned r)
{
	return (int32_t)(offsetof(struct vm_exec, r) + r * sizeof(uint64_t));
}

/* Emits rsi = the address of the saved registers (ex->r). */
static void rsi_to_saved(struct jit *j)
{
	op_rm(j, true, 0x8d, RSI, R12, saved_at(0));
}

void jit_call_helper(struct jit *j, uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r),
		     unsigned nargs)
{
	for (unsigned r = 1; r <= nargs; r++)
		op_rm(j, true, 0x89, reg_of[r], R12, saved_at(r));
	mov_rr(j, RDI, R12);
	rsi_to_saved(j);
	call_through(j, (uint64_t)(uintptr_t)fn);
}

void jit_call_map(struct jit *j, size_t off)
{
	op_rm(j, false, 0xff, 2, RDI, (int32_t)off);
}

void jit_call_out(struct jit *j, void (*fn)(const struct vm_op *op, uint64_t *r),
		  const struct vm_op *op)
{
	for (unsigned r = 0; r < VM_REGS; r++)
		op_rm(j, true, 0x89, reg_of[r], R12, saved_at(r));
	mov_imm64(j, RDI, vm_addr(op));
	rsi_to_saved(j);
	call_through(j, (uint64_t)(uintptr_t)fn);
	for (unsigned r = 0; r < VM_REGS; r++)
		op_rm(j, true, 0x8b, reg_of[r], R12, saved_at(r));
}

#endif
