/*
 * jit.h - compiles units to native code.
 *
 * jit.c walks over the decoded operations in order. For each, a file for the machine (jit_x86.c,
 * jit_arm64.c) writes a template of native code. Templates are independent of each other, except
 * that the walk remembers which registers hold valid addresses (known_valid). Each eBPF register
 * lives in one machine register throughout.
 *
 *	call of a unit:   fn(ex, ctx, top of the main function's frame) -> r0
 *	helpers:          fn(ex, ex->r), after the arguments are stored into ex->r[1..5]
 *	a function:       saves r6-r9 and r10, lowers r10 by one frame
 */
#ifndef ENGINE_VM_JIT_H
#define ENGINE_VM_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/vm/internal.h"
#include "engine/vm/ops.h"

/* 1 if there are templates for this machine, else 0. */
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__AARCH64EL__))
#define JIT_HERE 1
#else
#define JIT_HERE 0
#endif

/* A place in the code that gets the distance to operation @op. */
struct jit_fixup {
	uint32_t at, op;
	bool call; /* the target is the entry of the function at @op, which saves registers first */
};

struct jit {
	const struct vm *vm;
	const struct vm_code *c;
	uint8_t *buf;
	size_t n, cap;
	uint32_t *start; /* offset in buf of each operation */
	uint32_t *entry; /* offset in buf of the entry of each function, by its first operation */
	struct jit_fixup *fixup;
	size_t nfixup, capfixup;
	bool in_main; /* the current operation belongs to the main function */
	/*
	 * registers with valid addresses, of dtrace's memory or the stack: loads need no NULL test
	 */
	uint16_t known_valid;
	/* registers with the result of a lookup: NULL or a valid address */
	uint16_t lookup_results;
};

/* The rows of VM_ALU_OPS and VM_JMP_OPS, in their order. */
enum jit_alu {
#define ROW(n, e) JIT_##n,
	VM_ALU_OPS(ROW)
};
enum jit_cond {
	VM_JMP_OPS(ROW)
#undef ROW
};

/* The second operand: a register, or @imm, which is sign-extended. */
struct jit_operand {
	bool is_reg;
	uint8_t reg;
	int32_t imm;
};

enum jit_extend { JIT_ZERO, JIT_SIGN };

/* ----------------------------------------------------- templates, by machine */

/*
 * Begins a unit: saves the registers that its caller owns, and sets r1, r10 and ex. All other eBPF
 * registers become 0.
 */
void jit_enter_unit(struct jit *j);
void jit_enter_function(struct jit *j);
/* Ends the unit or function: restores the saved registers and jumps back to its caller. */
void jit_leave(struct jit *j);

/* dst = dst @op b. If not @wide, the operation has 32 bits and clears the upper half of dst. */
void jit_alu(struct jit *j, enum jit_alu op, bool wide, unsigned dst, struct jit_operand b);
void jit_imm64(struct jit *j, unsigned dst, uint64_t v);
/* dst = the low @bits of src, extended as @how says to 64 bits or, if not @wide, to 32 bits. */
void jit_extend(struct jit *j, unsigned dst, unsigned src, unsigned bits, enum jit_extend how,
		bool wide);
/* dst = its low @bits with the bytes reversed. */
void jit_swap(struct jit *j, unsigned dst, unsigned bits);
/*
 * Loads @bytes bytes at src + @off into dst, extended to 64 bits. With @tested, the code tests the
 * address, and loads 0 if it is below VM_LOW_ADDR.
 */
void jit_load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned src,
	      int off, bool tested);
void jit_store(struct jit *j, unsigned bytes, unsigned dst, int off, struct jit_operand v);
void jit_atomic_add64(struct jit *j, unsigned dst, int off, unsigned src);
void jit_jump(struct jit *j, uint32_t to);
void jit_jump_if(struct jit *j, enum jit_cond cond, bool wide, unsigned dst, struct jit_operand b,
		 uint32_t to);
void jit_call_function(struct jit *j, uint32_t to);
/* r0 = fn(ex, ex->r). Stores r1 to r@nargs into ex->r first. */
void jit_call_helper(struct jit *j, uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r),
		     unsigned nargs);
/* r0 = the result of the function at byte @off of the map at r1, called with r1 to r5. */
void jit_call_map(struct jit *j, size_t off);
/* Stores all registers into ex->r, calls fn(op, ex->r), and loads all registers again. */
void jit_call_out(struct jit *j, void (*fn)(const struct vm_op *op, uint64_t *r),
		  const struct vm_op *op);
/*
 * Writes the distance to @target, an offset into buf, at the place that @f describes. Returns false
 * if it is too far.
 */
bool jit_patch(struct jit *j, const struct jit_fixup *f, uint32_t target);

/* -------------------------------------------------------------- used by templates */

/* Appends @n bytes to the code. */
void jit_bytes(struct jit *j, const void *p, size_t n);
/*
 * Records that the next bytes of code get the distance to operation @op, or to the entry of the
 * function at @op if @call.
 */
void jit_fixup(struct jit *j, uint32_t op, bool call);

/* ------------------------------------------------------------------- for vm.c */

/*
 * Compiles the decoded @c and sets c->native. @opcode has the enum vm_opcode of each operation;
 * @second is true at the second half of an LD_IMM64. Leaves c->native NULL if the unit cannot be
 * compiled: no templates for this machine, functions nested deeper than VM_FRAMES, no executable
 * memory. Then the interpreter runs the unit.
 */
void jit_make(const struct vm *vm, struct vm_code *c, const uint8_t *opcode, const bool *second);
void jit_free(struct vm_code *c);

#endif
