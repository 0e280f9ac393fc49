/*
 * fuse.h - operations that stand for several instructions in a row.
 *
 * Only the first of the row gets another label: the others stay what they are, so
 * that jumps into the row need no care.  Worth it because the jump to the next
 * operation costs as much as most operations do.
 */
#ifndef ENGINE_VM_FUSE_H
#define ENGINE_VM_FUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/vm/ops.h"

struct vm_code;

/*
 * Clang's instrumentation takes minutes over the some 500 labels that pairs make,
 * so its sanitized and fuzzing builds go without rows.
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

/* What code generators emit most: every pair of these, X(first, second), has a label. */
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

/* Longer rows. */
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

/* Gives the operations of @c that begin a row its label. */
void vm_fuse(struct vm_code *c, const uint8_t *opcode, const bool *second,
	     const void *const *label);

#endif
