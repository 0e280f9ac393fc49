/*
 * fuse.h - fused operations of the interpreter. A fused operation does the work of several
 * consecutive instructions.
 *
 * Each operation has a label, the address of the interpreter's code for it. Fusing replaces only
 * the label of the first instruction of a sequence. The other instructions keep their labels, so a
 * jump into the sequence works as before. Fusing saves jumps to the next operation, and such a jump
 * costs as much as most operations.
 */
#ifndef ENGINE_VM_FUSE_H
#define ENGINE_VM_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/vm/ops.h"

struct vm_code;

/*
 * Clang takes minutes to instrument the roughly 500 labels of the pairs, so builds by clang with
 * sanitizers or for fuzzing do not fuse.
 */
#if defined(__clang__) && defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(undefined_behavior_sanitizer)
#define VM_FUSE 0
#endif
#endif
#ifndef VM_FUSE
#define VM_FUSE 1
#endif

/*
 * The most common pairs of instructions in generated code. Each X(first, second) has a label of its
 * own.
 */
/* clang-format off */
#define FUSE_WITH(X, a) \
	X(a, MOV64X) X(a, MOV64K) X(a, MOV32X) X(a, ADD64X) X(a, ADD64K) X(a, SUB64X) \
	X(a, AND64K) X(a, LSH64K) X(a, RSH64K) X(a, BE16) X(a, BE32) \
	X(a, LDXB) X(a, LDXH) X(a, LDXW) X(a, LDXDW) X(a, STW) X(a, STDW) X(a, STXW) X(a, STXDW) \
	X(a, JEQ64K) X(a, JNE64K) X(a, JLT64K) X(a, JGE64K) X(a, JA)
/* clang-format on */
/* clang-format off */
#define VM_PAIRS(X) \
	FUSE_WITH(X, MOV64X) FUSE_WITH(X, MOV64K) FUSE_WITH(X, MOV32X) FUSE_WITH(X, ADD64X) \
	FUSE_WITH(X, ADD64K) FUSE_WITH(X, SUB64X) FUSE_WITH(X, AND64K) FUSE_WITH(X, LSH64K) \
	FUSE_WITH(X, RSH64K) FUSE_WITH(X, BE16) FUSE_WITH(X, BE32) FUSE_WITH(X, LDXB) \
	FUSE_WITH(X, LDXH) FUSE_WITH(X, LDXW) FUSE_WITH(X, LDXDW) FUSE_WITH(X, STW) \
	FUSE_WITH(X, STDW) FUSE_WITH(X, STXW) FUSE_WITH(X, STXDW)
/* clang-format on */

/* Fused sequences of more than two instructions, with their meaning. */
#define VM_SEQUENCES(X) \
	X(LOOKUP_FRAME) /* r1 = map; r2 = r10 + imm; call map_lookup_elem */ \
	X(LOAD_GLOBAL)  /* reg = address in a value; reg2 = 4 bytes there */

enum vm_fused {
	VM_FUSED_BEFORE = OP_MAX - 1,
#define ROW(n) FUSE_##n,
#define PAIR(a, b) FUSE_##a##_##b,
	VM_SEQUENCES(ROW) VM_PAIRS(PAIR)
#undef ROW
#undef PAIR
		VM_FUSED_END
};

/*
 * Sets the label of each operation of @c that begins a pair or sequence. @opcode has an enum
 * vm_opcode for each operation, @second is true at the second half of an LD_IMM64, and @label has
 * the labels of vm_labels_fast().
 */
void vm_fuse(struct vm_code *c, const uint8_t *opcode, const bool *second,
	     const void *const *label);

#endif
