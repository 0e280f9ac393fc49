/*
 * jit.h - compiles units, the eBPF programs of hooks, to native code.
 *
 * jit.c walks over the decoded operations in order. For each operation, a file for the CPU
 * (jit_x86.c, jit_arm64.c) emits a fixed sequence of native code, a template. Templates do not
 * depend on each other, except that jit.c remembers which registers have valid addresses
 * (struct jit_known). Each eBPF register is always in the same CPU register.
 *
 * A compiled unit is a C function. Its arguments are ex, the context, and the address where the
 * stack frame of the unit's main function ends; its result is r0. To call a helper, the unit stores
 * the arguments of the helper in ex->r[1..5], and passes ex and ex->r to the helper's C function. A
 * function that the unit calls saves r6 to r10, and lowers r10 by the size of a frame.
 */
#ifndef ENGINE_VM_JIT_H
#define ENGINE_VM_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/vm/internal.h"
#include "engine/vm/ops.h"

/* 1 if there are templates for this CPU, else 0. */
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__AARCH64EL__))
#define JIT_HERE 1
#else
#define JIT_HERE 0
#endif

/*
 * A place in the native code where the distance to operation @op must be written, once it is known.
 */
struct jit_fixup {
	uint32_t at, op;
	/*
	 * the target is the entry of the function that begins at @op: code before @op that saves
	 * registers
	 */
	bool call;
};

/* What the compiler knows about addresses in registers. Each member is a set of registers. */
struct jit_known {
	/*
	 * registers that have a valid address, in dtrace's memory or on the stack; loads through
	 * them need no NULL test
	 */
	uint16_t valid;
	/* registers with the result of a lookup: NULL or a valid address */
	uint16_t lookup_results;
};

struct jit {
	const struct vm *vm;
	const struct vm_code *c;
	uint8_t *buf;
	size_t n, cap;
	uint32_t *start; /* offset in buf of each operation */
	/* offset in buf of the entry of each function; indexed by the function's first operation */
	uint32_t *entry;
	struct jit_fixup *fixup;
	size_t nfixup, capfixup;
	bool in_main; /* the current operation belongs to the main function */
	/* registers that the main function uses; registers that it may read before writing them */
	uint16_t used, unset;
	bool needs_ex;          /* the code needs ex, for helpers and atomic operations */
	struct jit_known known; /* the knowledge that holds at the current operation */
	/* for each operation, the knowledge that holds at each emitted forward jump to it */
	struct jit_known *known_at;
};

/* One enum member for each row of VM_ALU_OPS and of VM_JMP_OPS, in the order of the rows. */
enum jit_alu {
#define ROW(n, e) JIT_##n,
	VM_ALU_OPS(ROW)
};
enum jit_cond {
	VM_JMP_OPS(ROW)
#undef ROW
};

/*
 * The second operand of an operation: register @reg if @is_reg, else @imm, which is sign-extended.
 */
struct jit_operand {
	bool is_reg;
	uint8_t reg;
	int32_t imm;
};

enum jit_extend { JIT_ZERO, JIT_SIGN };

/* ------------------------------------------------------- templates for a CPU */

/*
 * Emits the beginning of a unit. It saves the registers of the caller that the unit changes (among
 * j->used), sets r1, r10 and ex, and sets the registers in j->unset to 0.
 */
void jit_enter_unit(struct jit *j);
void jit_enter_function(struct jit *j);
/* Emits the end of the unit or function: restores the saved registers and returns to the caller. */
void jit_leave(struct jit *j);

/*
 * Emits dst = dst @op b. If not @wide, the operation has 32 bits and clears the upper half of dst.
 */
void jit_alu(struct jit *j, enum jit_alu op, bool wide, unsigned dst, struct jit_operand b);
void jit_imm64(struct jit *j, unsigned dst, uint64_t v);
/*
 * Emits code that sets dst to the low @bits bits of src, extended as @how says to 64 bits or, if
 * not @wide, to 32 bits.
 */
void jit_extend(struct jit *j, unsigned dst, unsigned src, unsigned bits, enum jit_extend how,
		bool wide);
/* Emits code that reverses the bytes of the low @bits bits of dst, and clears the other bits. */
void jit_swap(struct jit *j, unsigned dst, unsigned bits);
/*
 * Emits a load of @bytes bytes at src + @off into dst, extended to 64 bits. If @tested, the code
 * tests the address, and loads 0 if the address is below VM_LOW_ADDR.
 */
void jit_load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned src,
	      int off, bool tested);
void jit_store(struct jit *j, unsigned bytes, unsigned dst, int off, struct jit_operand v);
void jit_atomic_add64(struct jit *j, unsigned dst, int off, unsigned src);
void jit_jump(struct jit *j, uint32_t to);
void jit_jump_if(struct jit *j, enum jit_cond cond, bool wide, unsigned dst, struct jit_operand b,
		 uint32_t to);
void jit_call_function(struct jit *j, uint32_t to);
/*
 * Emits r0 = fn(ex, ex->r). The code first stores the @nargs registers from r1 on into ex->r.
 */
void jit_call_helper(struct jit *j, uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r),
		     unsigned nargs);
/*
 * Emits a call of a function of the map at r1, with arguments r1 to r5. The function's address is
 * at byte @off of the map. The result is r0.
 */
void jit_call_map(struct jit *j, size_t off);
/*
 * Emits code that stores all registers into ex->r, calls fn(op, ex->r), and loads all registers
 * again.
 */
void jit_call_out(struct jit *j, void (*fn)(const struct vm_op *op, uint64_t *r),
		  const struct vm_op *op);
/*
 * Writes the distance to @target, an offset into buf, at the place that @f describes. Returns false
 * if the distance is too large for the instruction.
 */
bool jit_patch(struct jit *j, const struct jit_fixup *f, uint32_t target);

/* -------------------------------------------------------------- used by templates */

/* Appends @n bytes to the code. */
void jit_bytes(struct jit *j, const void *p, size_t n);
/*
 * Records that the next bytes of code must get a distance: to operation @op or, if @call, to the
 * entry of the function at @op.
 */
void jit_fixup(struct jit *j, uint32_t op, bool call);

/* ------------------------------------------------------------------- for vm.c */

/*
 * Compiles the decoded @c and sets c->native. @opcode has the enum vm_opcode of each operation;
 * @second is true at the second half of an LD_IMM64. Leaves c->native NULL if the unit cannot be
 * compiled: there are no templates for this CPU, functions are nested deeper than VM_FRAMES, a jump
 * is too far for its instruction, or there is no executable memory. Then the interpreter runs the
 * unit.
 */
void jit_make(const struct vm *vm, struct vm_code *c, const uint8_t *opcode, const bool *second);
void jit_free(struct vm_code *c);

#endif
