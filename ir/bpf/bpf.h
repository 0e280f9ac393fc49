/*
 * bpf.h - generates eBPF instructions from plain IR.
 */
#ifndef IR_BPF_BPF_H
#define IR_BPF_BPF_H

#include <stdint.h>

#include "ir/ir.h"

struct arena;
struct diag;
struct strbuf;

/* The kernel's limit of stack in bytes. */
#define BPF_STACK_MAX 512

/*
 * Result of bpf_generate(): the stack is too small, and the entry function has no spill space in
 * scratch.
 */
#define BPF_STACK_EXCEEDED 1

/*
 * Allocates registers and encodes the plain (expanded) functions of @u, one after the other. The
 * instructions belong to @a. Sets ir_func.start to the first instruction of each function. Returns
 * 0; -1 with an error in @d if the stack or the code is too large; or BPF_STACK_EXCEEDED without an
 * error.
 */
int bpf_generate(struct arena *a, const struct ir_unit *u, struct insn **insn, uint32_t *n,
		 struct diag *d);

/* ---- jumps (jumps.c) ---- */

/* A jump without a distance yet. */
struct bpf_jump {
	size_t at; /* index of the instruction */
	int block;
};

/* A call of a function of the unit. */
struct bpf_call {
	size_t at;
	int func; /* index of the function */
};

/* The code of one function while it is generated. */
struct bpf_code {
	VEC(struct insn) out;
	VEC(struct bpf_jump) jump;
	VEC(struct bpf_call) call; /* calls of functions of the unit */
	VEC(size_t) pc;            /* instructions that load their own offset */
	size_t *start;             /* index of the first instruction of each block */
	size_t nblock;
};

/*
 * Sets the distance of every jump. If a target is out of reach, inserts branch islands. Returns -1
 * with an error in @d if the code is too long even then. @name is the probe in the message.
 */
int bpf_resolve_jumps(struct bpf_code *c, const char *name, struct diag *d);

/*
 * Appends the disassembly to @out, one line per instruction, as -S and the golden tests show it. @p
 * (may be NULL) provides the names of maps and functions.
 */
void bpf_disasm(const struct insn *insn, uint32_t n, const struct program *p, struct strbuf *out);

/* ---- register allocation (regalloc.c) ---- */

enum { BPF_R0, BPF_R1, BPF_R2, BPF_R3, BPF_R4, BPF_R5, BPF_R6, BPF_R7, BPF_R8, BPF_R9, BPF_FP };

/*
 * Where a virtual register is: in a machine register, in 8 bytes of memory, or nowhere because it
 * is rematerialized.
 */
struct bpf_location {
	int8_t reg;      /* -1: in memory, rematerialized, or unused */
	bool in_scratch; /* the memory is in scratch, not on the stack */
	int32_t slot;    /* offset from the frame pointer (0: none), or from ir_func.spill_base */
	const struct ir_insn *remat; /* the instruction that recomputes it at each use */
};

struct bpf_alloc {
	struct bpf_location *place; /* by virtual register */
	int32_t frame;              /* stack in bytes, including spills */
	bool spilled;               /* values were spilled: r5 is a temporary, in addition to r0 */
};

/*
 * Assigns a location to each value of @f. @f must pass ir_check() and be expanded. @a owns the
 * result.
 */
void bpf_allocate_registers(struct arena *a, const struct ir_func *f, struct bpf_alloc *out);

#endif
