/*
 * insn.h - constructors for single eBPF instructions.
 *
 * Source of the encoding: Documentation/bpf/standardization/instruction-set.rst.
 */
#ifndef IR_BPF_INSN_H
#define IR_BPF_INSN_H

#include "ir/program.h"

/* Instruction classes, sizes and modes: the parts of insn.code. */
enum {
	C_LD = 0x00,
	C_LDX = 0x01,
	C_ST = 0x02,
	C_STX = 0x03,
	C_ALU = 0x04,
	C_JMP = 0x05,
	C_JMP32 = 0x06,
	C_ALU64 = 0x07,
	S_W = 0x00,
	S_H = 0x08,
	S_B = 0x10,
	S_DW = 0x18,
	M_IMM = 0x00,
	M_MEM = 0x60,
	M_ATOMIC = 0xc0,
	K = 0x00,
	X = 0x08,
};

enum {
	A_ADD = 0x00,
	A_SUB = 0x10,
	A_MUL = 0x20,
	A_DIV = 0x30,
	A_OR = 0x40,
	A_AND = 0x50,
	A_LSH = 0x60,
	A_RSH = 0x70,
	A_NEG = 0x80,
	A_MOD = 0x90,
	A_XOR = 0xa0,
	A_MOV = 0xb0,
	A_ARSH = 0xc0,
	A_END = 0xd0
};

/* atomic operations that return the old value */
enum { A_FETCH_ADD = 0x01, A_XCHG = 0xe1, A_CMPXCHG = 0xf1 };

enum {
	J_A = 0x00,
	J_EQ = 0x10,
	J_GT = 0x20,
	J_GE = 0x30,
	J_SET = 0x40,
	J_NE = 0x50,
	J_SGT = 0x60,
	J_SGE = 0x70,
	J_CALL = 0x80,
	J_EXIT = 0x90,
	J_LT = 0xa0,
	J_LE = 0xb0,
	J_SLT = 0xc0,
	J_SLE = 0xd0
};

static inline uint8_t bpf_size(unsigned bytes)
{
	return bytes == 1 ? S_B : bytes == 2 ? S_H : bytes == 4 ? S_W : S_DW;
}

static inline struct insn bpf_insn(unsigned code, int dst, int src, int off, int64_t imm)
{
	return (struct insn){.code = (uint8_t)code,
			     .dst = (uint8_t)(dst & 15),
			     .src = (uint8_t)(src & 15),
			     .off = (int16_t)off,
			     .imm = (int32_t)imm};
}

/* Returns whether @in is the first half of a 16-byte instruction. */
static inline bool bpf_is_wide(const struct insn *in)
{
	return in->code == (C_LD | M_IMM | S_DW);
}

static inline struct insn bpf_mov(int dst, int src)
{
	return bpf_insn(C_ALU64 | A_MOV | X, dst, src, 0, 0);
}

static inline struct insn bpf_movi(int dst, int32_t imm)
{
	return bpf_insn(C_ALU64 | A_MOV | K, dst, 0, 0, imm);
}

static inline struct insn bpf_alu(int op, int dst, int src)
{
	return bpf_insn((unsigned)(C_ALU64 | op | X), dst, src, 0, 0);
}

static inline struct insn bpf_alui(int op, int dst, int32_t imm)
{
	return bpf_insn((unsigned)(C_ALU64 | op | K), dst, 0, 0, imm);
}

static inline struct insn bpf_ldx(unsigned size, int dst, int src, int off)
{
	return bpf_insn(C_LDX | M_MEM | bpf_size(size), dst, src, off, 0);
}

static inline struct insn bpf_stx(unsigned size, int dst, int off, int src)
{
	return bpf_insn(C_STX | M_MEM | bpf_size(size), dst, src, off, 0);
}

static inline struct insn bpf_st(unsigned size, int dst, int off, int32_t imm)
{
	return bpf_insn(C_ST | M_MEM | bpf_size(size), dst, 0, off, imm);
}

#endif
