/*
 * bpf.h - from IR to eBPF instructions.
 */
#ifndef BPF_BPF_H
#define BPF_BPF_H

#include <stdint.h>

#include "ir/ir.h"

struct arena;
struct diag;
struct strbuf;

/* The kernel's limit, less room for what it adds itself on some architectures. */
#define BPF_STACK_MAX 512

/* More stack is needed than there is, and the main function has no scratch for what waits. */
#define BPF_STACK_EXCEEDED 1

/*
 * Allots registers and encodes the plain (expanded) functions of @u, one behind the other.
 * The instructions live in @a, and ir_func.start says where each begins.  -1 with the error in @d
 * when the program is too big, stack or length; BPF_STACK_EXCEEDED without an error.
 */
int bpf_generate(struct arena *a, const struct ir_unit *u, struct insn **insn, uint32_t *n,
		 struct diag *d);

/* ---- jumps (jumps.c) ---- */

/* A jump whose distance is not known yet. */
struct bpf_jump {
	size_t at; /* index of the jump */
	int block;
};

struct bpf_call {
	size_t at;
	int func; /* of the unit */
};

/* The code of one function while it is made. */
struct bpf_code {
	VEC(struct insn) out;
	VEC(struct bpf_jump) jump;
	VEC(struct bpf_call) call; /* of functions of the unit */
	VEC(size_t) pc;            /* instructions that hold their own place */
	size_t *start;             /* of each block */
	size_t nblock;
};

/*
 * Sets the distance of every jump, and moves the code apart for islands where one is too
 * far for that.  -1 with the error in @d when it is too long even so.
 */
int bpf_resolve_jumps(struct bpf_code *c, const char *name, struct diag *d);

/* One line an instruction, as -S and the golden tests show them; appended. */
void bpf_disasm(const struct insn *insn, uint32_t n, const struct program *p, struct strbuf *out);

/* ---- register allocation (regalloc.c) ---- */

enum { BPF_R0, BPF_R1, BPF_R2, BPF_R3, BPF_R4, BPF_R5, BPF_R6, BPF_R7, BPF_R8, BPF_R9, BPF_FP };

/* Where a virtual register lives: a machine register, or 8 bytes of memory. */
struct bpf_location {
	int8_t reg;      /* -1: in memory, or made anew, or unused */
	bool in_scratch; /* the memory is the function's scratch, not the stack */
	int32_t slot;    /* offset from the frame pointer (0: none), or from ir_func.spill_base */
	const struct ir_insn *remat; /* what makes it, wherever it is wanted */
};

struct bpf_alloc {
	struct bpf_location *place; /* by virtual register */
	int32_t frame;              /* bytes of stack, spills included */
	bool spilled;               /* then r5 is a temporary, beside r0 */
};

/*
 * A place for each value of @f, which is as ir_check() wants it and has no semantic operations any
 * more.
 */
void bpf_allocate(struct arena *a, const struct ir_func *f, struct bpf_alloc *out);

#endif
