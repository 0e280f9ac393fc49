/*
 * internal.h - what the files of engine/vm share, and hooks for their tests.
 *
 *	vm.c       life of a machine, runs
 *	memory.c   regions, map values, records
 *	trap.c     reports of refused programs
 *	decode.c   eBPF instructions to operations; refuses what is malformed
 *	interp.h   the interpreter, compiled twice: fast.c, checked.c
 *	check.c    what the checked machine asks before each instruction
 *	jit*.c     operations to code of this machine
 *	helpers.c  kernel helpers and kfuncs, one table row each
 *	map.c      maps
 */
#ifndef ENGINE_VM_INTERNAL_H
#define ENGINE_VM_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/vm/vm.h"
#include "engine/vm/map.h"

enum {
	VM_REGS = 11,
	VM_FRAME_SIZE = 512,
	VM_FRAMES = 8, /* the main function and seven calls deep, as in the kernel */
	VM_STACK = VM_FRAMES * VM_FRAME_SIZE,
	VM_REGIONS = 16,
	VM_MAX_RESERVED = 16,        /* records held at once, checked machine */
	VM_MAX_STEPS = 20000000,     /* instructions of one run, checked machine */
	VM_MAX_BACK_JUMPS = 2000000, /* times it goes back, checked machine */
	VM_LOW_ADDR = 0x10000,       /* loads below give 0 */
};

/*
 * One decoded instruction; as many as the unit has, so that jumps and traps need
 * no translation.  The second half of LD_IMM64 holds the value.
 */
struct vm_op {
	union {
		const void *label;
		uint64_t value;
	};
	uint8_t dst, src;
	int16_t off;
	int32_t imm;
};

struct vm_exec;

struct vm_code {
	const char *name;
	struct vm_op *op;
	struct insn *insn; /* as given; what the checked machine looks at */
	uint32_t n;
	/*
	 * As code of this machine; NULL: interpreted.  @top: the end of the main function's frame.
	 */
	uint64_t (*native)(struct vm_exec *ex, const uint64_t *ctx, void *top);
	size_t native_len; /* bytes that are mapped */
	bool samples;      /* unit.samples */
};

enum vm_rec_state { VM_REC_RESERVED, VM_REC_SUBMITTED, VM_REC_DISCARDED };

/*
 * A ring record: the program's from reserve to submit, ours until those before it have been
 * given to the sink, then free for the next.
 */
struct vm_rec {
	struct vm_rec *all;           /* the next of all records */
	struct vm_rec *free;          /* the next free one */
	const struct vm_exec *owner;  /* the run that holds it; NULL: none */
	struct vm_rec *next_reserved; /* the next that the same run reserved */
	enum vm_rec_state state;
	size_t size, cap;
	_Alignas(16) unsigned char data[];
};

struct vm_region {
	uint64_t base;
	size_t len;
};

struct vm {
	struct vm_env env;
	enum vm_mode mode;
	struct vm_code *code;
	uint32_t ncode;
	struct vm_map *map;
	uint32_t nmap;
	struct vm_region region[VM_REGIONS];
	unsigned nregion; /* slots in use are below */
	struct vm_rec *all, *free;
	uint64_t runs; /* see vm_runs() */
	uint32_t random;
	unsigned fail_reserve;
	uint32_t max_steps;
	void (*trap)(void *ctx, const char *why);
	void *trap_ctx;
};

/* What a call of a subprogram saves. */
struct vm_frame {
	const struct vm_op *ret;
	uint64_t saved[5]; /* r6-r10 */
};

struct vm_check;

/* One run.  Runs nest: the sink may fire other units from within record(). */
struct vm_exec {
	uint64_t r[VM_REGS]; /* native code: the registers, while something else looks at them */
	struct vm *vm;
	const struct vm_code *code;
	struct vm_check *check; /* NULL in the fast machine */
	struct record_sink *sink;
	const uint64_t *ctx;
	unsigned nctx;
	struct vm_rec *first, **last; /* records that the sink has not got, as they were reserved */
	unsigned depth;               /* of calls */
	struct vm_frame frame[VM_FRAMES];
	_Alignas(16) unsigned char stack[VM_STACK]; /* the main function's frame is the last */
};

static inline uint64_t vm_addr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static inline void *vm_ptr(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

/* Where the frame of a function called @depth deep begins. */
static inline unsigned char *vm_frame_base(struct vm_exec *ex, unsigned depth)
{
	return ex->stack + (size_t)(VM_FRAMES - 1 - depth) * VM_FRAME_SIZE;
}

/* ---------------------------------------------------------------- trap.c */

/* Tells of a bug in the program, at instruction @at; aborts unless a test listens.  False. */
bool vm_trap(const struct vm_exec *ex, uint32_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* -------------------------------------------------------------- memory.c */

/* A record of @size bytes that @ex holds. */
struct vm_rec *vm_rec_reserve(struct vm_exec *ex, size_t size);
/* It is done with.  The sink gets records in the order in which they were reserved. */
void vm_rec_finish(struct vm_exec *ex, struct vm_rec *rec, enum vm_rec_state state);

static inline struct vm_rec *vm_rec_of(uint64_t data)
{
	return (struct vm_rec *)vm_ptr(data - offsetof(struct vm_rec, data));
}

/* Do @len bytes at @addr lie in a region? */
bool vm_in_region(const struct vm *vm, uint64_t addr, size_t len);

/* ... in a value of any map? */
bool vm_in_map(const struct vm *vm, uint64_t addr, size_t len);

/* ... in a record that is held, by anyone? */
bool vm_in_record(const struct vm *vm, uint64_t addr, size_t len);

/* --------------------------------------------------------- decode.c */

/* Makes @c->op of the @c->n instructions at @c->insn.  0, or -1 with @d. */
int vm_decode(struct vm *vm, const struct program *p, struct vm_code *c, struct diag *d);

/* ------------------------------------------- fast.c, checked.c */

/* Runs what @ex is set up for to its end: what the unit returned. */
uint64_t vm_exec_fast(struct vm_exec *ex);
uint64_t vm_exec_checked(struct vm_exec *ex);

/* Label of each enum vm_opcode, then of each enum vm_fused (fast only). */
const void *const *vm_labels_fast(void);
const void *const *vm_labels_checked(void);

/* ---------------------------------------------------------- check.c */

/*
 * What the checked machine remembers.  Registers are bit sets; `null` are those that
 * hold a look-up's NULL, which the verifier lets nobody read through.
 */
struct vm_check {
	uint32_t steps;
	uint32_t back_jumps; /* how often an instruction followed that is no further on */
	uint32_t last;       /* the instruction before */
	bool returned;       /* which was the end of a function */
	uint16_t init, null;
	uint16_t saved_init[VM_FRAMES], saved_null[VM_FRAMES];
	bool may_be_null;       /* the last instruction put a pointer or NULL into r0 */
	bool written[VM_STACK]; /* bytes of stack */
};

/* Before the first instruction of a run. */
void vm_check_start(struct vm_exec *ex);

/* May the instruction at @at run with registers @r?  If not: trapped, and false. */
bool vm_check_step(struct vm_exec *ex, const uint64_t *r, uint32_t at);

/* ------------------------------------------------------- hooks for tests */

/* Called with the reason instead of aborting; the run then ends and returns 0. */
void vm_set_trap(struct vm *vm, void (*fn)(void *ctx, const char *why), void *ctx);

/* Instructions of one run of a checked machine, instead of VM_MAX_STEPS. */
void vm_set_max_steps(struct vm *vm, uint32_t n);

/* The next @n bpf_ringbuf_reserve and _output calls fail. */
void vm_fail_reserve(struct vm *vm, unsigned n);

#endif
