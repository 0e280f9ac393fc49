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

/* Maximum size of the stack in bytes, set by the kernel. */
#define BPF_STACK_MAX 512

/*
 * A result of bpf_generate(): the program needs more than BPF_STACK_MAX bytes of stack, and its
 * entry function has no space for spilled values in scratch memory.
 */
#define BPF_STACK_EXCEEDED 1

/*
 * Allocates registers for the functions of unit @u (an eBPF program) and encodes these functions,
 * one after the other. They must be expanded, so that they have only plain operations. The
 * instructions are allocated from @a. Sets ir_func.start to the index of the first instruction of
 * each function. Returns 0 on success. If the stack is too large, returns BPF_STACK_EXCEEDED
 * without an error in @d; but if scratch memory is used already, returns -1 with an error. Also
 * returns -1 with an error if the code is too large.
 */
int bpf_generate(struct arena *a, const struct ir_unit *u, struct insn **insn, uint32_t *n,
		 struct diag *d);

/* ---- jumps (jumps.c) ---- */

/* A jump whose distance is not known yet. */
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
	VEC(size_t) pc;            /* indexes of the instructions that load their own offset */
	size_t *start;             /* index of the first instruction of each block */
	size_t nblock;
};

/*
 * Sets the distance of every jump. If a target is out of reach, inserts branch islands (groups of
 * jumps). Returns -1 with an error in @d if the code is too long even then. @name is the name of
 * the probe in the message.
 */
int bpf_resolve_jumps(struct bpf_code *c, const char *name, struct diag *d);

/*
 * Appends the disassembly to @out, one line for each instruction, as -S and the golden tests show
 * it. @p provides the names of maps and functions, and may be NULL.
 */
void bpf_disasm(const struct insn *insn, uint32_t n, const struct program *p, struct strbuf *out);

/* ---- register allocation (regalloc.c) ---- */

enum { BPF_R0, BPF_R1, BPF_R2, BPF_R3, BPF_R4, BPF_R5, BPF_R6, BPF_R7, BPF_R8, BPF_R9, BPF_FP };

/*
 * Where the value of a virtual register is: in a machine register, in 8 bytes of memory, or nowhere
 * because the value is recomputed at each use (rematerialized).
 */
struct bpf_location {
	/* machine register; -1 if the value is in memory, rematerialized or unused */
	int8_t reg;
	bool in_scratch; /* set if the memory is in scratch memory, not on the stack */
	/*
	 * offset of the memory from the frame pointer (0 if the value has no memory), or from
	 * ir_func.spill_base
	 */
	int32_t slot;
	/* the instruction that recomputes the value at each use; NULL if none does */
	const struct ir_insn *remat;
};

struct bpf_alloc {
	struct bpf_location *place; /* locations, indexed by virtual register */
	int32_t frame;              /* size of the stack in bytes, including spilled values */
	/* set if values were spilled; r5 is then a temporary, in addition to r0 */
	bool spilled;
};

/*
 * Assigns a location to each value of @f. @f must pass ir_check() and be expanded. @a owns the
 * result.
 */
void bpf_allocate_registers(struct arena *a, const struct ir_func *f, struct bpf_alloc *out);

#endif
