/*
 * test_vm.c - checks the virtual machine: instructions, helpers, records, traps, and which programs
 * it refuses.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/vm/vm.h"
#include "engine/vm/deferred.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"
#include "tests/check.h"
#include "tests/unit/fake_machine.h"

/* ------------------------------------------------------------- instructions */

#define MAX_INSNS 24

struct semantic {
	const char *name;
	uint64_t want;
	struct insn insn[MAX_INSNS];
};

#define T(name, want, ...) \
	{ \
		name, (uint64_t)(want), \
		{ \
			__VA_ARGS__, EXIT \
		} \
	}
#define MIN64 INT64_MIN
/*
 * TK tests an operation on r0 = a and an immediate, TX an operation on r0 = a and r1 = b. The
 * result is in r0.
 */
#define TK(name, want, op, a, imm) T(name " k", want, IMM64(R0, a), ALU64K(op, R0, imm))
#define TX(name, want, op, a, b) T(name " x", want, IMM64(R0, a), IMM64(R1, b), ALU64X(op, R0, R1))
#define TK32(name, want, op, a, imm) T(name "32 k", want, IMM64(R0, a), ALU32K(op, R0, imm))
#define TX32(name, want, op, a, b) \
	T(name "32 x", want, IMM64(R0, a), IMM64(R1, b), ALU32X(op, R0, R1))
#define SIGNED(code, op, a, b) \
	IMM64(R0, a), IMM64(R1, b), I((code) | (op) << 4 | SRC_X, R0, R1, 1, 0)
#define MOVSX(cls, bits, a) IMM64(R1, a), I((cls) | MOV << 4 | SRC_X, R0, R1, bits, 0)
#define ENDIAN(code, bits, a) IMM64(R0, a), I(code, R0, 0, 0, bits)
/* Sets r0 to 1 if @jump is taken, else to 0. */
#define TAKEN(jump, a, b) IMM64(R1, a), IMM64(R2, b), MOVK(R0, 1), jump, MOVK(R0, 0)
#define TJ(name, op, a, b, taken64, taken32) \
	T(name " x", taken64, TAKEN(JMPX(op, R1, R2, 1), a, b)), \
		T(name "32 x", taken32, TAKEN(JMP32X(op, R1, R2, 1), a, b))
#define TJK(name, op, a, imm, taken64, taken32) \
	T(name " k", taken64, TAKEN(JMPK(op, R1, imm, 1), a, 0)), \
		T(name "32 k", taken32, TAKEN(JMP32K(op, R1, imm, 1), a, 0))

static const struct semantic semantics[] = {
	TK("add", 41, ADD, 42, -1),
	TX("add", 0, ADD, -1, 1),
	TK32("add", 0, ADD, 0xffffffff, 1),
	TX32("add", 0xfffffffe, ADD, 0x1ffffffff, -1),
	TK("sub", 43, SUB, 42, -1),
	TX("sub", -1, SUB, 1, 2),
	TK32("sub", 0xffffffff, SUB, 0, 1),
	TX32("sub", 0xffffffff, SUB, 1, 2),
	TK("mul", -6, MUL, 3, -2),
	TX("mul", 0xfffffffe00000001, MUL, 0xffffffff, 0xffffffff),
	TK32("mul", 0xfffffffa, MUL, 3, -2),
	TX32("mul", 1, MUL, 0xffffffff, 0xffffffff),
	TK("div", 14, DIV, 100, 7),
	TX("div", 0, DIV, 100, -7),
	TX("div by 0", 0, DIV, 100, 0),
	TK32("div", 0x7fffffff, DIV, -1, 2),
	TX32("div by 0", 0, DIV, -1, 0x100000000),
	TK("div negative k", 1, DIV, -1, -1),
	TK("mod", 2, MOD, 100, 7),
	TX("mod", 100, MOD, 100, -7),
	TX("mod by 0", -5, MOD, -5, 0),
	TK32("mod", 1, MOD, -1, 2),
	TX32("mod by 0", 0xfffffffb, MOD, -5, 0x100000000),
	T("sdiv", -14, SIGNED(CL_ALU64, DIV, -100, 7)),
	T("sdiv by 0", 0, SIGNED(CL_ALU64, DIV, -100, 0)),
	T("sdiv overflow", MIN64, SIGNED(CL_ALU64, DIV, MIN64, -1)),
	T("smod", -2, SIGNED(CL_ALU64, MOD, -100, 7)),
	T("smod by 0", -100, SIGNED(CL_ALU64, MOD, -100, 0)),
	T("smod overflow", 0, SIGNED(CL_ALU64, MOD, MIN64, -1)),
	T("sdiv32", 0xfffffff2, SIGNED(CL_ALU, DIV, 0xffffff9c, 7)),
	T("sdiv32 overflow", 0x80000000, SIGNED(CL_ALU, DIV, 0x80000000, 0xffffffff)),
	T("smod32", 0xfffffffe, SIGNED(CL_ALU, MOD, 0xffffff9c, 7)),
	T("smod32 by 0", 0xffffff9c, SIGNED(CL_ALU, MOD, 0xffffff9c, 0)),
	T("smod32 overflow", 0, SIGNED(CL_ALU, MOD, 0x80000000, 0xffffffff)),
	T("sdiv k", -50, IMM64(R0, -100), I(CL_ALU64 | DIV << 4, R0, 0, 1, 2)),
	TK("or", -1, OR, 0xf, -16),
	TX("or", 0xff, OR, 0xf0, 0x0f),
	TK32("or", 0xffffffff, OR, 0xf, -16),
	TX32("or", 3, OR, 0x100000001, 0x200000002),
	TK("and", 0xf0, AND, 0xff, -16),
	TX("and", 0x100000000, AND, 0x1f0000000f, 0x100000000),
	TK32("and", 0xfffffff0, AND, -1, -16),
	TX32("and", 0, AND, -1, 0x100000000),
	TK("xor", -16, XOR, 0xf, -1),
	TX("xor", 0xff, XOR, 0xf0, 0x0f),
	TK32("xor", 0xfffffff0, XOR, 0xf, -1),
	TX32("xor", 0, XOR, 0x100000001, 1),
	TK("lsh", 1ULL << 63, LSH, 1, 63),
	TX("lsh", 2, LSH, 1, 65),
	TK32("lsh", 0x80000000, LSH, 3, 31),
	TX32("lsh", 2, LSH, 1, 33),
	TK("rsh", 1, RSH, -1, 63),
	TX("rsh", 1, RSH, 2, 65),
	TK32("rsh", 1, RSH, -1, 31),
	TX32("rsh", 1, RSH, 2, 33),
	TK("arsh", -1, ARSH, -2, 1),
	TX("arsh", -1, ARSH, -1, 127),
	TK32("arsh", 0xffffffff, ARSH, 0xfffffffe, 1),
	TX32("arsh", 0xc0000000, ARSH, 0x80000000, 33),
	T("neg", -42, MOVK(R0, 42), I(CL_ALU64 | NEG << 4, R0, 0, 0, 0)),
	T("neg32", 0xffffffd6, MOVK(R0, 42), I(CL_ALU | NEG << 4, R0, 0, 0, 0)),
	TK("mov", -7, MOV, 1, -7),
	TX("mov", 0x123456789, MOV, 1, 0x123456789),
	TK32("mov", 0xfffffff9, MOV, 1, -7),
	TX32("mov", 0x23456789, MOV, 1, 0x123456789),
	T("movsx 8", -128, MOVSX(CL_ALU64, 8, 0x1180)),
	T("movsx 16", -32768, MOVSX(CL_ALU64, 16, 0x118000)),
	T("movsx 32", INT32_MIN, MOVSX(CL_ALU64, 32, 0x1180000000)),
	T("movsx32 8", 0xffffff80, MOVSX(CL_ALU, 8, 0x1180)),
	T("movsx32 16", 0x7fff, MOVSX(CL_ALU, 16, 0x117fff)),
	T("to be 16", 0x3412, ENDIAN(0xdc, 16, 0xabcdef1234)),
	T("to be 32", 0x78563412, ENDIAN(0xdc, 32, 0xff12345678)),
	T("to be 64", 0x8877665544332211, ENDIAN(0xdc, 64, 0x1122334455667788)),
	T("to le 16", 0x1234, ENDIAN(0xd4, 16, 0xabcdef1234)),
	T("to le 32", 0x12345678, ENDIAN(0xd4, 32, 0xff12345678)),
	T("to le 64", 0x1122334455667788, ENDIAN(0xd4, 64, 0x1122334455667788)),
	T("bswap 16", 0x3412, ENDIAN(0xd7, 16, 0xabcdef1234)),
	T("bswap 32", 0x78563412, ENDIAN(0xd7, 32, 0xff12345678)),
	T("bswap 64", 0x8877665544332211, ENDIAN(0xd7, 64, 0x1122334455667788)),

	TJ("jeq", JEQ, 0x100000005, 5, 0, 1),
	TJK("jeq", JEQ, -5, -5, 1, 1),
	TJ("jne", JNE, 0x100000005, 5, 1, 0),
	TJK("jne", JNE, -5, -5, 0, 0),
	TJ("jgt", JGT, 0x100000005, 6, 1, 0),
	TJK("jgt", JGT, 7, -1, 0, 0),
	TJ("jge", JGE, 0x100000006, 6, 1, 1),
	TJK("jge", JGE, -1, -1, 1, 1),
	TJ("jlt", JLT, 0x100000005, 6, 0, 1),
	TJK("jlt", JLT, 7, -1, 1, 1),
	TJ("jle", JLE, 0x100000006, 6, 0, 1),
	TJK("jle", JLE, -1, -1, 1, 1),
	TJ("jset", JSET, 0x100000005, 0x10000000a, 1, 0),
	TJK("jset", JSET, 0x8000000000, -1, 1, 0),
	TJ("jsgt", JSGT, 0xffffffff, -2, 1, 1),
	TJK("jsgt", JSGT, -1, -2, 1, 1),
	TJ("jsge", JSGE, 0x80000000, 0, 1, 0),
	TJK("jsge", JSGE, -2, -2, 1, 1),
	TJ("jslt", JSLT, 0x80000000, 0, 0, 1),
	TJK("jslt", JSLT, -3, -2, 1, 1),
	TJ("jsle", JSLE, 0x80000000, 0, 0, 1),
	TJK("jsle", JSLE, -1, -2, 0, 0),
	T("ja", 1, MOVK(R0, 1), GOTO(1), MOVK(R0, 2)),
	T("gotol", 1, MOVK(R0, 1), GOTOL(1), MOVK(R0, 2)),
	T("backwards", 10, MOVK(R0, 0), ALU64K(ADD, R0, 1), JMPK(JLT, R0, 10, -2)),

	T("store and load", 0x11223344, ST(W, FP, -4, 0x11223344), LDX(W, R0, FP, -4)),
	T("stw keeps neighbours", 0x55555555aabbccdd, IMM64(R1, 0x5555555555555555),
	  STX(DW, FP, -8, R1), ST(W, FP, -8, 0xaabbccdd), LDX(DW, R0, FP, -8)),
	T("stdw sign", -2, ST(DW, FP, -8, -2), LDX(DW, R0, FP, -8)),
	T("sth, ldxh", 0xfffe, ST(H, FP, -2, -2), LDX(H, R0, FP, -2)),
	T("stb, ldxb", 0xfe, ST(B, FP, -1, -2), LDX(B, R0, FP, -1)),
	T("stxw", 0xfffffffe, MOVK(R1, -2), STX(W, FP, -4, R1), LDX(W, R0, FP, -4)),
	T("stxh", 0xfffe, MOVK(R1, -2), STX(H, FP, -4, R1), LDX(H, R0, FP, -4)),
	T("stxb", 0xfe, MOVK(R1, -2), STX(B, FP, -4, R1), LDX(B, R0, FP, -4)),
	T("ldsxb", -2, ST(B, FP, -1, 0xfe), LDSX(B, R0, FP, -1)),
	T("ldsxh", -2, ST(H, FP, -2, 0xfffe), LDSX(H, R0, FP, -2)),
	T("ldsxw", -2, ST(W, FP, -4, -2), LDSX(W, R0, FP, -4)),
	T("misaligned", 0x332211, ST(DW, FP, -8, 0x33221100), LDX(W, R0, FP, -7)),
	T("load through NULL", 0, MOVK(R1, 0), MOVK(R0, 5), LDX(DW, R0, R1, 16)),
	T("load through a small address", 0, MOVK(R1, 0xffff), LDX(B, R0, R1, 0)),
	T("context", 22, LDX(DW, R0, R1, 8)),

	T("atomic add", 12, ST(DW, FP, -8, 5), MOVK(R1, 7), ATOMIC(DW, ATOMIC_ADD, FP, -8, R1),
	  LDX(DW, R0, FP, -8)),
	T("atomic add32", 0x500000001, IMM64(R1, 0x5ffffffff), STX(DW, FP, -8, R1), MOVK(R1, 2),
	  ATOMIC(W, ATOMIC_ADD, FP, -8, R1), LDX(DW, R0, FP, -8)),
	T("atomic fetch add", 5, ST(DW, FP, -8, 5), MOVK(R0, 7),
	  ATOMIC(DW, ATOMIC_ADD | ATOMIC_FETCH, FP, -8, R0)),
	T("atomic or", 7, ST(DW, FP, -8, 5), MOVK(R1, 3), ATOMIC(DW, ATOMIC_OR, FP, -8, R1),
	  LDX(DW, R0, FP, -8)),
	T("atomic fetch and", 5 * 16 + 1, ST(DW, FP, -8, 5), MOVK(R1, 3),
	  ATOMIC(DW, ATOMIC_AND | ATOMIC_FETCH, FP, -8, R1), LDX(DW, R0, FP, -8),
	  ALU64K(MUL, R1, 16), ALU64X(ADD, R0, R1)),
	T("atomic xor32", 6, ST(DW, FP, -8, 5), MOVK(R1, 3), ATOMIC(W, ATOMIC_XOR, FP, -8, R1),
	  LDX(DW, R0, FP, -8)),
	T("xchg", 5 * 16 + 3, ST(DW, FP, -8, 5), MOVK(R1, 3), ATOMIC(DW, ATOMIC_XCHG, FP, -8, R1),
	  LDX(DW, R0, FP, -8), ALU64K(MUL, R1, 16), ALU64X(ADD, R0, R1)),
	T("xchg32 zero-extends", 0xffffffff, ST(DW, FP, -8, -1), MOVK(R0, 3),
	  ATOMIC(W, ATOMIC_XCHG, FP, -8, R0)),
	T("cmpxchg equal", 9, ST(DW, FP, -8, 5), MOVK(R0, 5), MOVK(R1, 9),
	  ATOMIC(DW, ATOMIC_CMPXCHG, FP, -8, R1), LDX(DW, R0, FP, -8)),
	T("cmpxchg unequal", 5, ST(DW, FP, -8, 5), MOVK(R0, 4), MOVK(R1, 9),
	  ATOMIC(DW, ATOMIC_CMPXCHG, FP, -8, R1)),
	T("cmpxchg32", 9, ST(DW, FP, -8, 5), IMM64(R0, 0x700000005), MOVK(R1, 9),
	  ATOMIC(W, ATOMIC_CMPXCHG, FP, -8, R1), LDX(DW, R0, FP, -8)),

	T("imm64", 0x1122334455667788, IMM64(R0, 0x1122334455667788)),
};

static size_t length(const struct insn *insn)
{
	size_t n = MAX_INSNS;

	while (!insn[n - 1].code)
		n--;
	return n;
}

static void check_semantics(enum vm_mode mode)
{
	for (size_t i = 0; i < COUNT(semantics); i++) {
		const struct semantic *t = &semantics[i];
		struct vm *vm;
		uint64_t got;

		vm = make(t->insn, length(t->insn), mode);
		got = run_once(vm, NULL);
		if (got != t->want)
			fail_msg("%s: want %#llx, got %#llx", t->name, (unsigned long long)t->want,
				 (unsigned long long)got);
		vm_free(vm);
	}
}

static void test_semantics(void **state)
{
	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++)
		check_semantics(mode);
}

static void test_calls(void **state)
{
	(void)state;
	/* Each call has its own r6 and stack frame. */
	CHECK(124, MOVK(R6, 20), ST(DW, FP, -8, 1), MOVK(R1, 100), LOCAL(4), ALU64X(ADD, R0, R6),
	      LDX(DW, R1, FP, -8), ALU64X(ADD, R0, R1), EXIT, MOVK(R6, 1), ST(DW, FP, -8, 77),
	      ALU64K(ADD, R1, 3), MOVX(R0, R1), EXIT);
	/* The callee writes through a pointer into the caller's frame. */
	CHECK(9, FRAME(R1, -8), LOCAL(2), LDX(DW, R0, FP, -8), EXIT, ST(DW, R1, 0, 9), MOVK(R0, 0),
	      EXIT);
	/* Calls may be nested seven deep. */
	CHECK(7, MOVK(R1, 0), LOCAL(1), EXIT, JMPK(JEQ, R1, 6, 3), ALU64K(ADD, R1, 1), LOCAL(-3),
	      GOTO(1), MOVK(R0, 6), ALU64K(ADD, R0, 0), JMPK(JNE, R0, 6, 1), MOVK(R0, 7), EXIT);
}

/* ------------------------------------------- both machines must agree */

enum { BODY = 40, SLOTS = 8, COUNTER = -8 * (SLOTS + 1) };

static uint32_t rnd_state = 12345;

static uint32_t rnd(uint32_t n)
{
	rnd_state = rnd_state * 1664525 + 1013904223;
	return (rnd_state >> 8) % n;
}

enum { ALL_REGISTERS = 0x3ff };

/* Returns a random register of the set @used. */
static unsigned random_register(uint32_t used)
{
	unsigned reg;

	do
		reg = rnd(10);
	while (!(used >> reg & 1));
	return reg;
}

/*
 * Returns a random instruction. It uses registers of the set @used. A jump skips fewer than @left
 * instructions.
 */
static struct insn random_insn(uint32_t used, int left)
{
	static const uint8_t alu[] = {0xbf, 0xb7, 0xbc, 0x0f, 0x07, 0x1f, 0x57, 0x67, 0x77};
	static const uint8_t mem[] = {0x71, 0x69, 0x61, 0x79, 0x62, 0x7a, 0x63, 0x7b};
	static const uint8_t jmp[] = {0x15, 0x55, 0xa5, 0x35, 0x05};
	unsigned d = random_register(used), s = random_register(used);
	uint8_t code;

	switch (rnd(5)) {
	case 0:
	case 1:
		code = alu[rnd(sizeof(alu))];
		return I(code, d, code & SRC_X ? s : 0, 0, code & SRC_X ? 0 : rnd(64));
	case 2:
		return I(0xdc, d, 0, 0, 16u << rnd(2));
	case 3:
		code = jmp[rnd(sizeof(jmp))];
		return I(code, code == 0x05 ? 0 : d, 0, rnd((uint32_t)left),
			 code == 0x05 ? 0 : rnd(3));
	}
	code = mem[rnd(sizeof(mem))];
	if (isa_class(code) == CL_LDX)
		return LDX(code & 0x18, d, FP, -8 * (int)(1 + rnd(SLOTS)));
	return I(code, FP, isa_class(code) == CL_STX ? s : 0, -8 * (int)(1 + rnd(SLOTS)),
		 isa_class(code) == CL_STX ? 0 : rnd(1000));
}

/*
 * Writes a random program to @p, which uses the registers in @used: r0, r1 and others. Those in
 * @set and some words of the stack get values. Random instructions follow. A loop repeats the last
 * ones twice. The result in r0 is a hash of the words and the registers in @set.
 */
static size_t random_program(struct insn *p, uint32_t used, uint32_t set)
{
	size_t n = 0;

	for (unsigned i = 0; i < 10; i++)
		if (set >> i & 1)
			p[n++] = MOVK(i, rnd(1u << 31));
	for (int i = 1; i <= SLOTS; i++)
		p[n++] = ST(DW, FP, -8 * i, rnd(1u << 31));
	p[n++] = ST(DW, FP, COUNTER, 0);
	for (int i = 0; i < BODY; i++)
		p[n++] = random_insn(used, BODY - i);
	p[n++] = LDX(DW, R0, FP, COUNTER);
	p[n++] = ALU64K(ADD, R0, 1);
	p[n++] = I(0x7b, FP, R0, COUNTER, 0);
	p[n++] = I(0xa5, R0, 0, -4 - (int)rnd(BODY + 1), 3);
	for (unsigned i = 1; i < 10; i++) {
		if (!(set >> i & 1))
			continue;
		p[n++] = ALU64K(MUL, R0, 31);
		p[n++] = ALU64X(ADD, R0, i);
	}
	for (int i = 1; i <= SLOTS; i++) {
		p[n++] = LDX(DW, R1, FP, -8 * i);
		p[n++] = ALU64K(MUL, R0, 31);
		p[n++] = ALU64X(ADD, R0, R1);
	}
	p[n++] = EXIT;
	return n;
}

static void test_machines_agree(void **state)
{
	struct insn p[200];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		size_t n = random_program(p, ALL_REGISTERS, ALL_REGISTERS);
		struct vm *vm[VM_MODES];

		for (enum vm_mode mode = 0; mode < VM_MODES; mode++)
			vm[mode] = make(p, n, mode);
		for (enum vm_mode mode = 1; mode < VM_MODES; mode++)
			assert_true(run_once(vm[0], NULL) == run_once(vm[mode], NULL));
		for (enum vm_mode mode = 0; mode < VM_MODES; mode++)
			vm_free(vm[mode]);
	}
	/*
	 * A number is not taken for the address of a map value, even if it equals an offset in the
	 * value.
	 */
	CHECK(0, IMM64(R1, 64), LDX(W, R0, R1, 0), EXIT);
	CHECK(0, MAP_VALUE(R1, GLOBAL, 64), LDX(W, R0, R1, 4), EXIT);
}

/*
 * Calls the native code of a program without helpers. Returns whether the registers that belong to
 * the caller have the same values as before.
 */
static bool keeps_registers(struct vm *vm)
{
#if defined(__x86_64__)
	const uint64_t ctx[3] = {0};
	unsigned char *top = vm_frame_base(vm->outer, 0) + VM_FRAME_SIZE;
	struct vm_exec *ex = vm->outer;
	const uint64_t *arg = ctx;
	uint64_t changed;
	uint64_t (*native)(struct vm_exec *, const uint64_t *, void *) = vm->code[0].native;

	assert_non_null(native);
	__asm__ volatile("mov %%rsp, %%rax\n\t"
			 "sub $256, %%rsp\n\t"
			 "and $-16, %%rsp\n\t"
			 "mov %%rax, (%%rsp)\n\t"
			 "mov %%rbp, 8(%%rsp)\n\t"
			 "mov $0x1111, %%ebx\n\t"
			 "mov $0x1212, %%r12d\n\t"
			 "mov $0x1313, %%r13d\n\t"
			 "mov $0x1414, %%r14d\n\t"
			 "mov $0x1515, %%r15d\n\t"
			 "call *%%rcx\n\t"
			 "xor $0x1111, %%rbx\n\t"
			 "xor $0x1212, %%r12\n\t"
			 "xor $0x1313, %%r13\n\t"
			 "xor $0x1414, %%r14\n\t"
			 "xor $0x1515, %%r15\n\t"
			 "xor 8(%%rsp), %%rbp\n\t"
			 "or %%r12, %%rbx\n\t"
			 "or %%r13, %%rbx\n\t"
			 "or %%r14, %%rbx\n\t"
			 "or %%r15, %%rbx\n\t"
			 "or %%rbp, %%rbx\n\t"
			 "mov %%rbx, %%rax\n\t"
			 "mov 8(%%rsp), %%rbp\n\t"
			 "mov (%%rsp), %%rsp"
			 : "=a"(changed), "+D"(ex), "+S"(arg), "+d"(top), "+c"(native)
			 :
			 : "rbx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory",
			   "cc");
	return !changed;
#else
	(void)vm;
	return true;
#endif
}

/*
 * A register is 0 until the program writes it. Native code clears only the registers that are read
 * before they are written, and saves only those that the program uses.
 */
static void test_unset_registers(void **state)
{
	struct insn p[200];

	(void)state;
	for (int i = 0; i < 3000; i++) {
		uint32_t used = rnd(ALL_REGISTERS + 1) | 1u << R0 | 1u << R1;
		uint32_t set = (rnd(ALL_REGISTERS + 1) & used) | 1u << R1;
		size_t n = random_program(p, used, set);
		struct vm *plain = make(p, n, VM_INTERPRETED), *native = make(p, n, VM_NATIVE);

		assert_true(run_once(plain, NULL) == run_once(native, NULL));
		assert_true(keeps_registers(native));
		vm_free(plain);
		vm_free(native);
	}
}

/* ----------------------------------------------------------------- helpers */

static void test_surroundings(void **state)
{
	uint64_t seen[VM_MODES][2];
	const int task = 4711;

	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		struct vm *vm = MAKE(mode, CALL(5), MOVX(R6, R0), CALL(208), ALU64X(ADD, R6, R0),
				     CALL(8), ALU64X(ADD, R6, R0), CALL(158), LDX(W, R0, R0, 0),
				     ALU64X(ADD, R0, R6), EXIT);
		struct vm *rnd = MAKE(mode, CALL(7), EXIT);

		*vm_env(vm) = (struct vm_env){.time_ns = 1000000, .task = &task, .cpu = 3};
		vm_region(vm, 2, &task, sizeof(task));
		assert_int_equal(run_once(vm, NULL), 2000000 + 3 + 4711);
		seen[mode][0] = run_once(rnd, NULL);
		seen[mode][1] = run_once(rnd, NULL);
		assert_int_not_equal(seen[mode][0], seen[mode][1]);
		vm_free(vm);
		vm_free(rnd);
	}
	for (enum vm_mode mode = 1; mode < VM_MODES; mode++)
		assert_memory_equal(seen[0], seen[mode], sizeof(seen[0]));
}

/*
 * Calls @helper to read @size bytes at @from. The @len bytes at @base are readable. Returns the
 * result of the helper in the upper 32 bits, and the first 4 bytes of its output in the lower 32
 * bits. Bytes that the helper did not write are 0xff.
 */
static uint64_t probe(enum vm_mode mode, int helper, int size, const void *from, const void *base,
		      size_t len)
{
	struct vm *vm = MAKE(mode, LDX(DW, R3, R1, 0), ST(DW, FP, -8, -1), ST(DW, FP, -16, -1),
			     FRAME(R1, -16), MOVK(R2, size), CALL(helper), ALU64K(LSH, R0, 32),
			     LDX(W, R1, FP, -16), ALU64X(OR, R0, R1), EXIT);
	uint64_t ctx = (uint64_t)(uintptr_t)from, r;

	vm_region(vm, 0, "decoy", 5);
	vm_region(vm, 3, base, len);
	r = vm_run(vm, 0, &ctx, 1, NULL);
	vm_free(vm);
	return r;
}

#define PACK(err, data) ((uint64_t)(err) << 32 | (uint32_t)(data))

static void test_probe_read(void **state)
{
	char *mem = xmalloc(6); /* on the heap, so that ASan sees reads past the end */

	(void)state;
	memcpy(mem, "abc\0ef", 6);
	for (enum vm_mode c = 0; c < VM_MODES; c++) {
		assert_int_equal(probe(c, 113, 4, mem, mem, 6), PACK(0, 0x636261));
		assert_int_equal(probe(c, 4, 2, mem + 4, mem, 6), PACK(0, 0xffff6665));
		assert_int_equal(probe(c, 113, 4, mem + 3, mem, 6), PACK(-EFAULT, 0));
		assert_int_equal(probe(c, 113, 4, NULL, mem, 6), PACK(-EFAULT, 0));
		assert_int_equal(probe(c, 113, 4, mem, NULL, 0), PACK(-EFAULT, 0));
		assert_int_equal(probe(c, 113, 0, mem, mem, 6), PACK(0, -1));
		assert_int_equal(probe(c, 112, 4, mem, mem, 6), PACK(-EFAULT, 0));
		assert_int_equal(probe(c, 114, 4, mem, mem, 6), PACK(-EFAULT, 0));
		/* probe_read_kernel_str() */
		assert_int_equal(probe(c, 115, 16, mem, mem, 6), PACK(4, 0x636261));
		assert_int_equal(probe(c, 115, 3, mem, mem, 6), PACK(3, 0xff006261));
		assert_int_equal(probe(c, 115, 1, mem, mem, 6), PACK(1, 0xffffff00));
		assert_int_equal(probe(c, 115, 16, mem + 4, mem, 6), PACK(-EFAULT, 0));
		assert_int_equal(probe(c, 115, 2, mem + 4, mem, 6), PACK(2, 0xffff0065));
		assert_int_equal(probe(c, 115, 4, (void *)16, mem, 6), PACK(-EFAULT, 0));
	}
	xfree(mem);
}

static void test_strncmp(void **state)
{
	(void)state;
	CHECK(0, MOVK(R1, 0), MOVK(R2, 0), MOVK(R3, 0), CALL(182), EXIT);
	/* Compares "abc" with "abd": the first 2 bytes, then 3. */
	CHECK(0, ST(DW, FP, -8, 0x636261), ST(DW, FP, -16, 0x646261), FRAME(R1, -8), MOVK(R2, 2),
	      FRAME(R3, -16), CALL(182), EXIT);
	CHECK(1, ST(DW, FP, -8, 0x636261), ST(DW, FP, -16, 0x646261), FRAME(R1, -8), MOVK(R2, 3),
	      FRAME(R3, -16), CALL(182), MOVX(R1, R0), MOVK(R0, 0), JMPK(JSGE, R1, 0, 1),
	      MOVK(R0, 1), EXIT);
}

static void test_kfuncs(void **state)
{
	(void)state;
	CHECK(11, KFUNC(1), EXIT);
	CHECK(77, MOVK(R1, 77), MOVK(R2, 0), KFUNC(0), EXIT);
	CHECK(0, MOVK(R2, 0), FRAME(R3, -16), KFUNC(2), EXIT);
	CHECK(0, MOVK(R2, 0), FRAME(R3, -16), KFUNC(2), FRAME(R1, -16), MOVK(R2, 0), FRAME(R3, -32),
	      MOVK(R4, 16), KFUNC(3), EXIT);
}

/* ----------------------------------------------------------------- records */

struct seen {
	unsigned n;
	size_t size;
	uint64_t first[8];
	struct vm *vm; /* if @again is set, the callback runs this machine's program again */
	bool again;
	struct record_sink *sink;
};

static void on_record(void *ctx, const struct record *rec, size_t size)
{
	struct seen *s = ctx;

	s->size = size;
	if (s->n < COUNT(s->first))
		memcpy(&s->first[s->n], rec, sizeof(uint64_t));
	s->n++;
	if (s->again) {
		s->again = false;
		run_once(s->vm, s->sink);
	}
}

static void test_records(void **state)
{
	(void)state;
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		/*
		 * The program reserves two records, submits them in reverse order and outputs a
		 * third record. If the second record cannot be reserved, the program discards the
		 * first and returns 6.
		 */
		struct vm *vm = MAKE(mode, MAP(R1, RING), MOVK(R2, 16), MOVK(R3, 0), CALL(131),
				     MOVX(R6, R0), JMPK(JNE, R0, 0, 2), MOVK(R0, 5), EXIT,
				     MAP(R1, RING), MOVK(R2, 1 << 20), MOVK(R3, 0), CALL(131),
				     MOVX(R7, R0), JMPK(JNE, R0, 0, 5), MOVX(R1, R6), MOVK(R2, 0),
				     CALL(133), MOVK(R0, 6), EXIT, ST(DW, R6, 0, 1),
				     ST(DW, R6, 8, 2), ST(DW, R7, 0, 3), MOVX(R1, R7), MOVK(R2, 0),
				     CALL(132), MOVX(R1, R6), MOVK(R2, 0), CALL(132),
				     ST(DW, FP, -8, 4), MAP(R1, RING), FRAME(R2, -8), MOVK(R3, 8),
				     MOVK(R4, 0), CALL(130), EXIT);
		struct seen s = {.vm = vm, .again = true};
		struct record_sink k = {.record = on_record, .ctx = &s};

		s.sink = &k;
		assert_int_equal(run_once(vm, &k), 0);
		/*
		 * Records come in the order of reservation: first 1, then 1 3 4 from the nested
		 * run, then 3 4.
		 */
		assert_int_equal(s.n, 6);
		assert_int_equal(s.first[0], 1);
		assert_int_equal(s.first[1], 1);
		assert_int_equal(s.first[2], 3);
		assert_int_equal(s.first[3], 4);
		assert_int_equal(s.first[4], 3);
		assert_int_equal(s.first[5], 4);
		assert_int_equal(s.size, 8);
		vm_fail_reserve(vm, 1);
		assert_int_equal(run_once(vm, &k), 5);
		assert_int_equal(run_once(vm, NULL), 0);
		vm_free(vm);
	}
	/* If a record is too big, bpf_ringbuf_reserve() returns NULL. */
	CHECK(0, MAP(R1, RING), MOVK(R2, 2 << 20), MOVK(R3, 0), CALL(131), EXIT);
}

/* ------------------------------------------------------------------- traps */

static void check_trap(const char *why, const struct insn *insn, size_t n)
{
	struct vm *vm = make(insn, n, VM_CHECKED);

	trapped[0] = '\0';
	vm_set_trap(vm, note_trap, NULL);
	assert_int_equal(run_once(vm, NULL), 0);
	if (!strstr(trapped, why) || !strstr(trapped, "unit 'test', instruction "))
		fail_msg("want a trap with '%s', got '%s'", why, trapped);
	vm_free(vm);
}

#define TRAP(why, ...) \
	check_trap(why, (struct insn[]){__VA_ARGS__}, COUNT(((struct insn[]){__VA_ARGS__})))

#define LOOKUP_MISSING ST(DW, FP, -8, 7), MAP(R1, HASH), FRAME(R2, -8), CALL(1)
#define RESERVE MAP(R1, RING), MOVK(R2, 16), MOVK(R3, 0), CALL(131)

static void test_trap_registers(void **state)
{
	(void)state;
	TRAP("r0 is read", EXIT);
	TRAP("r2 is read", MOVX(R0, R2), EXIT);
	TRAP("r3 is read", ALU64K(ADD, R3, 1), MOVK(R0, 0), EXIT);
	TRAP("r1 is read", CALL(5), MOVX(R0, R1), EXIT);
	TRAP("r5 is read", MOVK(R5, 1), CALL(5), ALU64X(ADD, R0, R5), EXIT);
	TRAP("r4 is read", MOVK(R0, 0), JMPX(JEQ, R0, R4, 0), EXIT);
	TRAP("r6 is read", MOVK(R6, 1), LOCAL(1), EXIT, MOVX(R0, R6), EXIT);
	TRAP("r1 is read", LOCAL(2), ALU64X(ADD, R0, R1), EXIT, MOVK(R0, 1), EXIT);
	TRAP("r0 is read", ST(DW, FP, -8, 1), MOVK(R1, 1), ATOMIC(DW, ATOMIC_CMPXCHG, FP, -8, R1),
	     EXIT);
	TRAP("r2 is read", MOVK(R1, 1), KFUNC(0), EXIT);
}

static void test_trap_memory(void **state)
{
	(void)state;
	TRAP("never written", LDX(W, R0, FP, -4), EXIT);
	TRAP("never written", ST(W, FP, -8, 1), LDX(DW, R0, FP, -8), EXIT);
	TRAP("never written", MOVK(R1, 1), ATOMIC(DW, ATOMIC_ADD, FP, -8, R1), EXIT);
	TRAP("may not be written", ST(W, FP, 0, 1), EXIT);
	TRAP("may not be written", ST(W, FP, -514, 1), EXIT);
	TRAP("may not be written", ST(W, R1, 0, 1), EXIT);
	TRAP("may not be read", LDX(DW, R0, R1, 24), EXIT);
	TRAP("may not be read", IMM64(R1, 0x123456789000), LDX(DW, R0, R1, 0), EXIT);
	TRAP("may not be written", MOVK(R1, 16), ST(W, R1, 0, 1), EXIT);
	TRAP("may not be written", MAP_VALUE(R1, GLOBAL, 120), ST(DW, R1, 4, 1), EXIT);
	TRAP("may not be read", MAP(R1, HASH), LDX(DW, R0, R1, 0), EXIT);
	/* The stack frame of a function cannot be read after the function has returned. */
	TRAP("may not be read", LOCAL(2), LDX(DW, R0, R0, 0), EXIT, ST(DW, FP, -8, 1),
	     FRAME(R0, -8), EXIT);
	/* A second call of a function gets a new frame, which is not initialised. */
	TRAP("never written", MOVK(R1, 0), LOCAL(3), MOVK(R1, 1), LOCAL(1), EXIT,
	     JMPK(JEQ, R1, 1, 3), ST(DW, FP, -8, 1), MOVK(R0, 0), EXIT, LDX(DW, R0, FP, -8), EXIT);
	TRAP("a helper returned it as NULL", LOOKUP_MISSING, LDX(DW, R0, R0, 0), EXIT);
	TRAP("a helper returned it as NULL", LOOKUP_MISSING, MOVX(R6, R0), ALU64K(ADD, R6, 8),
	     ST(W, R6, 0, 1), EXIT);
}

static void test_trap_helpers(void **state)
{
	(void)state;
	TRAP("never written", MAP(R1, HASH), FRAME(R2, -8), CALL(1), EXIT);
	TRAP("never written", ST(DW, FP, -8, 1), MAP(R1, HASH), FRAME(R2, -8), FRAME(R3, -16),
	     MOVK(R4, 0), CALL(2), EXIT);
	TRAP("right kind", FRAME(R2, -8), CALL(1), EXIT);
	TRAP("right kind", MAP(R1, RING), FRAME(R2, -8), CALL(1), EXIT);
	TRAP("right kind", MAP(R1, HASH), MOVK(R2, 8), MOVK(R3, 0), CALL(131), EXIT);
	TRAP("may not be written", MOVX(R3, R1), MOVK(R2, 16), FRAME(R1, -8), CALL(113), EXIT);
	TRAP("not the context", FRAME(R1, -8), KFUNC(1), EXIT);
	TRAP("not a record", FRAME(R1, -8), MOVK(R2, 0), CALL(132), EXIT);
	TRAP("not a record", RESERVE, MOVX(R6, R0), MOVX(R1, R0), MOVK(R2, 0), CALL(132),
	     MOVX(R1, R6), MOVK(R2, 0), CALL(133), EXIT);
	TRAP("may not be written", RESERVE, MOVX(R6, R0), MOVX(R1, R0), MOVK(R2, 0), CALL(132),
	     ST(DW, R6, 0, 1), EXIT);
	TRAP("may not be written", RESERVE, ST(DW, R0, 12, 1), EXIT);
	TRAP("neither submitted nor discarded", RESERVE, MOVK(R0, 0), EXIT);
	TRAP("records are reserved", RESERVE, GOTO(-6));
}

static void test_trap_bounds(void **state)
{
	(void)state;
	TRAP("jumps back more than 2000000 times", GOTO(-1));
	TRAP("more than 20000000 instructions", MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0),
	     MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0), MOVK(R1, 0),
	     GOTO(-11));
	TRAP("nested more than 7 deep", LOCAL(1), EXIT, LOCAL(-1), EXIT);
}

/* Memory that a helper wrote counts as initialised. */
static void test_helper_writes(void **state)
{
	(void)state;
	CHECK(22, MOVX(R3, R1), ALU64K(ADD, R3, 8), MOVK(R2, 8), FRAME(R1, -8), CALL(113),
	      MOVK(R0, 22), LDX(DW, R1, FP, -8), EXIT);
}

/* ---------------------------------------------------------------- refusals */

static void check_refused(const char *why, enum dtag tag, const struct insn *insn, size_t n)
{
	for (enum vm_mode mode = 0; mode < VM_MODES; mode++) {
		struct diag d = {0};

		assert_null(try_new(insn, n, mode, &d));
		assert_int_equal(d.nerr, 1);
		assert_int_equal(d.tag, tag);
		if (!strstr(d.msg, why))
			fail_msg("want '%s', got '%s'", why, d.msg);
		diag_release(&d);
	}
}

#define REFUSED(why, ...) \
	check_refused(why, D_VERIFY, (struct insn[]){__VA_ARGS__}, \
		      COUNT(((struct insn[]){__VA_ARGS__})))
#define UNSUPPORTED(why, ...) \
	check_refused(why, D_UNSUPPORTED, (struct insn[]){__VA_ARGS__}, \
		      COUNT(((struct insn[]){__VA_ARGS__})))

static void test_refusals(void **state)
{
	(void)state;
	check_refused("the unit is empty", D_VERIFY, NULL, 0);
	UNSUPPORTED("does not have helper 6", MOVK(R0, 0), CALL(6), EXIT);
	UNSUPPORTED("does not have kfunc 'bpf_unheard_of'", KFUNC(4), EXIT);
	REFUSED("kfunc 5 does not exist", KFUNC(5), EXIT);
	REFUSED("map 6 does not exist", MAP(R1, 6), EXIT);
	REFUSED("value of map 0", MAP_VALUE(R1, GLOBAL, 128), EXIT);
	REFUSED("value of map 2", MAP_VALUE(R1, RING, 0), EXIT);
	REFUSED("r10 is read-only", MOVK(FP, 0), EXIT);
	REFUSED("r10 is read-only", LDX(DW, FP, R1, 0), EXIT);
	REFUSED("r10 is read-only", IMM64(FP, 0), EXIT);
	REFUSED("r10 is read-only", ATOMIC(DW, ATOMIC_XCHG, R1, 0, FP), EXIT);
	REFUSED("register r11 does not exist", MOVK(11, 0), EXIT);
	REFUSED("register r15 does not exist", MOVX(R0, 15), EXIT);
	REFUSED("runs off", MOVK(R0, 0));
	REFUSED("runs off", IMM64(R0, 0));
	REFUSED("runs off", LOCAL(1), EXIT, MOVK(R0, 0), JMPK(JEQ, R0, 0, -2));
	REFUSED("without its second half", I(LD_IMM64, 0, 0, 0, 0));
	REFUSED("without its second half", I(LD_IMM64, 0, 0, 0, 0), EXIT);
	REFUSED("which does not exist", GOTO(-2), EXIT);
	REFUSED("which does not exist", GOTO(1), EXIT);
	REFUSED("which does not exist", GOTO(1), IMM64(R0, 1), EXIT);
	REFUSED("which does not exist", LOCAL(5), EXIT);
	REFUSED("another function", LOCAL(1), EXIT, MOVK(R0, 0), GOTO(-3));
	REFUSED("is out of range", ALU64K(DIV, R1, 0), EXIT);
	REFUSED("is out of range", ALU64K(LSH, R1, 64), EXIT);
	REFUSED("is out of range", ALU32K(ARSH, R1, 32), EXIT);
	REFUSED("unknown instruction", I(0xff, 0, 0, 0, 0), EXIT);
	REFUSED("unknown instruction", I(CL_ALU64 | MOV << 4 | SRC_X, 0, 1, 5, 0), EXIT);
	REFUSED("unknown instruction", ATOMIC(B, ATOMIC_ADD, R1, 0, R1), EXIT);
	REFUSED("unknown instruction", ATOMIC(DW, 0x70, R1, 0, R1), EXIT);
	REFUSED("unknown instruction", I(0xdc, 0, 0, 0, 8), EXIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_semantics),      cmocka_unit_test(test_calls),
		cmocka_unit_test(test_machines_agree), cmocka_unit_test(test_unset_registers),
		cmocka_unit_test(test_surroundings),   cmocka_unit_test(test_probe_read),
		cmocka_unit_test(test_strncmp),        cmocka_unit_test(test_kfuncs),
		cmocka_unit_test(test_records),        cmocka_unit_test(test_trap_registers),
		cmocka_unit_test(test_trap_memory),    cmocka_unit_test(test_trap_helpers),
		cmocka_unit_test(test_trap_bounds),    cmocka_unit_test(test_helper_writes),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
