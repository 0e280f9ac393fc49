/*
 * jit.h - units as code of this machine.
 *
 * jit.c walks over the decoded operations, in order, and has each written by the machine's own file
 * (jit_x86.c, jit_arm64.c), one template for each kind: no operation knows of another, but that a
 * register may be known to hold an address (`safe`).  Registers of eBPF live in registers of the
 * machine throughout.
 *
 *	call of a unit:   fn(ex, ctx, top of the main function's frame) -> r0
 *	helpers:          fn(ex, ex->r), with the arguments stored into ex->r[1..5] before
 *	a function:       saves r6-r9 and r10, makes r10 one frame lower
 */
#ifndef ENGINE_JIT_H
#define ENGINE_JIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/vm/internal.h"
#include "engine/vm/ops.h"

/* Is there a file for this machine? */
#if defined(__x86_64__) || (defined(__aarch64__) && defined(__AARCH64EL__))
#define JIT_HERE 1
#else
#define JIT_HERE 0
#endif

/* Where, in the code, is how far it is to operation @op. */
struct jit_fixup {
	uint32_t at, op;
	bool call; /* to the beginning of the function there, not behind what it saves */
};

struct jit {
	const struct vm *vm;
	const struct vm_code *c;
	uint8_t *buf;
	size_t n, cap;
	uint32_t *start; /* of each operation, in buf */
	uint32_t *entry; /* of the functions that begin at operations */
	struct jit_fixup *fixup;
	size_t nfixup, capfixup;
	bool in_main; /* the operation is the main function's */
	/* registers that hold addresses of ours or the stack's: not NULL's members */
	uint16_t known_valid;
	uint16_t lookup_results; /* registers that hold a look-up's result, NULL or safe */
};

/* Rows of VM_ALU_OPS and VM_JMP_OPS, in their order. */
enum jit_alu {
#define ROW(n, e) JIT_##n,
	VM_ALU_OPS(ROW)
};
enum jit_cond {
	VM_JMP_OPS(ROW)
#undef ROW
};

/* The second operand: a register, or @imm, sign-extended. */
struct jit_operand {
	bool is_reg;
	uint8_t reg;
	int32_t imm;
};

enum jit_extend { JIT_ZERO, JIT_SIGN };

/* ----------------------------------------------------- what a machine's file writes */

/*
 * Saves what the caller of a unit wants back and sets r1, r10 and @ex; all other registers are 0.
 */
void jit_enter_unit(struct jit *j);
void jit_enter_function(struct jit *j);
/* Returns from the unit or function. */
void jit_leave(struct jit *j);

/* dst = dst @op b, of 32 bits if not @wide, which are extended by zeros; dst = v. */
void jit_alu(struct jit *j, enum jit_alu op, bool wide, unsigned dst, struct jit_operand b);
void jit_imm64(struct jit *j, unsigned dst, uint64_t v);
/* dst = the low @bits of src, extended to 64 bits or, if not @wide, to 32. */
void jit_extend(struct jit *j, unsigned dst, unsigned src, unsigned bits, enum jit_extend how,
		bool wide);
/* dst = its low @bits with their bytes reversed. */
void jit_swap(struct jit *j, unsigned dst, unsigned bits);
/* @tested: 0 is read below VM_LOW_ADDR. */
void jit_load(struct jit *j, unsigned bytes, enum jit_extend how, unsigned dst, unsigned src,
	      int off, bool tested);
void jit_store(struct jit *j, unsigned bytes, unsigned dst, int off, struct jit_operand v);
void jit_atomic_add64(struct jit *j, unsigned dst, int off, unsigned src);
void jit_jump(struct jit *j, uint32_t to);
void jit_jump_if(struct jit *j, enum jit_cond cond, bool wide, unsigned dst, struct jit_operand b,
		 uint32_t to);
void jit_call_function(struct jit *j, uint32_t to);
/* r0 = fn(ex, ex->r), with r1 to r@nargs stored there. */
void jit_call_helper(struct jit *j, uint64_t (*fn)(struct vm_exec *ex, const uint64_t *r),
		     unsigned nargs);
/* r0 = the map at r1's own look-up of the key at r2. */
void jit_call_lookup(struct jit *j);
/* All registers go to ex->r, fn(op, ex->r) is called, and they come back. */
void jit_call_out(struct jit *j, void (*fn)(const struct vm_op *op, uint64_t *r),
		  const struct vm_op *op);
/* Writes how far it is to @target (an offset into buf) where @f wants it; false: too far. */
bool jit_patch(struct jit *j, const struct jit_fixup *f, uint32_t target);

/* -------------------------------------------------------------- what they use */

/* Adds bytes. */
void jit_bytes(struct jit *j, const void *p, size_t n);
/* What is here will be how far it is to operation @op. */
void jit_fixup(struct jit *j, uint32_t op, bool call);

/* ------------------------------------------------------------------- for vm.c */

/*
 * Makes c->native of the decoded @c, whose operations are @opcode (enum vm_opcode; of the second
 * half of an LD_IMM64 nothing is looked at).  Leaves NULL where it cannot: no code for this
 * machine, functions nested deeper than VM_FRAMES, no memory that may run.  The interpreter does it
 * then.
 */
void jit_make(const struct vm *vm, struct vm_code *c, const uint8_t *opcode, const bool *second);
void jit_free(struct vm_code *c);

#endif
