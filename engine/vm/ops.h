/*
 * ops.h - lists the operations that instructions are decoded to. The enum of operations and the
 * interpreter's labels come from this list. The decoder computes the numbers of operations, so the
 * order of the list matters.
 *
 * Arithmetic operations and conditional jumps have four variants in this order: 64-bit with
 * immediate, 64-bit with register, 32-bit with immediate, 32-bit with register. In the expressions,
 * a and b are unsigned operands of type U, and S is the signed type of the same width.
 */
#ifndef ENGINE_VM_OPS_H
#define ENGINE_VM_OPS_H

#define SHIFT_BY(b) ((b) & (sizeof(U) * 8 - 1))

/*
 * The arithmetic operations, as X(name, expression). They are in the order of the operation nibble
 * of an instruction, with SDIV and SMOD as numbers 13 and 14.
 */
#define VM_ALU_OPS(X) \
	X(ADD, a + b) \
	X(SUB, a - b) \
	X(MUL, a *b) \
	X(DIV, b ? a / b : 0) \
	X(OR, a | b) \
	X(AND, a &b) \
	X(LSH, a << SHIFT_BY(b)) \
	X(RSH, a >> SHIFT_BY(b)) \
	X(NEG, 0 - a) \
	X(MOD, b ? a % b : a) \
	X(XOR, a ^ b) \
	X(MOV, b) \
	X(ARSH, (U)((S)a >> SHIFT_BY(b))) \
	X(SDIV, !b ? 0 : b == (U) - 1 ? 0 - a : (U)((S)a / (S)b)) \
	X(SMOD, !b ? a : b == (U) - 1 ? 0 : (U)((S)a % (S)b))

/*
 * The conditional jumps, as X(name, condition). They are in the order of the operation nibble of an
 * instruction: 1-7, then 10-13.
 */
#define VM_JMP_OPS(X) \
	X(JEQ, a == b) \
	X(JGT, a > b) \
	X(JGE, a >= b) \
	X(JSET, (a & b) != 0) \
	X(JNE, a != b) \
	X(JSGT, (S)a > (S)b) \
	X(JSGE, (S)a >= (S)b) \
	X(JLT, a < b) \
	X(JLE, a <= b) \
	X(JSLT, (S)a < (S)b) \
	X(JSLE, (S)a <= (S)b)

/*
 * The other operations. Loads and stores are in the order of the size bits of an instruction (W H B
 * DW).
 */
/* clang-format off */
#define VM_OTHER_OPS(X) \
	X(LDXW) X(LDXH) X(LDXB) X(LDXDW) \
	X(LDSXW) X(LDSXH) X(LDSXB) \
	X(STW) X(STH) X(STB) X(STDW) \
	X(STXW) X(STXH) X(STXB) X(STXDW) \
	X(ATOMIC_ADD64) X(ATOMIC32) X(ATOMIC64) \
	X(MOVSX8) X(MOVSX16) X(MOVSX32) X(MOVSX8W) X(MOVSX16W) \
	X(SWAP16) X(SWAP32) X(SWAP64) \
	X(LE16) X(LE32) X(LE64) X(BE16) X(BE32) X(BE64) \
	X(IMM64) X(JA) X(EXIT) \
	X(CALL) X(CALL_LOCAL) X(CALL_LOOKUP) X(CALL_ADD) X(CALL_TIME) X(CALL_CPU) X(CALL_TASK) \
	X(CALL_CAST) X(CALL_CTX)
/* clang-format on */

enum vm_opcode {
#define ALU(n, e) OP_##n##64K, OP_##n##64X, OP_##n##32K, OP_##n##32X,
#define OTHER(n) OP_##n,
	VM_ALU_OPS(ALU) VM_JMP_OPS(ALU) VM_OTHER_OPS(OTHER)
#undef ALU
#undef OTHER
		OP_MAX
};

#endif
