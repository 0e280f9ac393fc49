/*
 * internal.h - structures and functions shared within engine/vm, and hooks for its tests.
 *
 *	vm.c        creates and frees machines, and runs units
 *	memory.c    readable regions, map values and ring records
 *	trap.c      reports the bugs of a program that the checked machine finds
 *	decode.c    decodes eBPF instructions, and refuses malformed code
 *	interp.h    the interpreter, which fast.c and checked.c compile
 *	check.c     tests of the checked machine before each instruction
 *	jit*.c      compile operations to native code
 *	helpers.c   kernel helpers and kfuncs, each with a row in a table
 *	map.c       maps; map_slots.h finds keys in their hash tables
 *	deferred.c  additions to values, which are carried out a little later
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
	/* maximum depth of calls, as in the kernel: the main function and seven others */
	VM_FRAMES = 8,
	VM_STACK = VM_FRAMES * VM_FRAME_SIZE,
	VM_REGIONS = 16,
	/*
	 * maximum number of records that one run may have reserved at a time, in the checked
	 * machine
	 */
	VM_MAX_RESERVED = 16,
	/* maximum number of instructions of one run, in the checked machine */
	VM_MAX_STEPS = 20000000,
	/* maximum number of backward jumps of one run, in the checked machine */
	VM_MAX_BACK_JUMPS = 2000000,
	VM_LOW_ADDR = 0x10000, /* loads below this address give 0 */
};

/*
 * One decoded instruction. Operations have the same indexes as the unit's instructions, so jumps
 * and traps need no translation. The member label is the address of the code in the interpreter.
 * The second half of an LD_IMM64 has a value instead of a label.
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
	struct insn *insn; /* the original instructions, for the checked machine */
	uint32_t n;
	/*
	 * the unit as native code, or NULL if the unit is interpreted. @top is the address where
	 * the main function's stack frame ends.
	 */
	uint64_t (*native)(struct vm_exec *ex, const uint64_t *ctx, void *top);
	size_t native_len; /* number of bytes that are mapped for the native code */
	/* 1 if vm_runs() counts runs of this unit, else 0 (unit.samples in ir/program.h) */
	uint8_t counted;
};

enum vm_rec_state { VM_REC_RESERVED, VM_REC_SUBMITTED, VM_REC_DISCARDED };

/*
 * A record that a program writes to the ring. The program owns the record between
 * bpf_ringbuf_reserve() and bpf_ringbuf_submit(). Then the machine owns the record until it has
 * given all earlier records and this one to the sink. After that, another record may reuse the
 * memory.
 */
struct vm_rec {
	struct vm_rec *all;           /* next in the list of all records */
	struct vm_rec *free;          /* next in the list of free records */
	const struct vm_exec *owner;  /* the run that has reserved the record, or NULL */
	struct vm_rec *next_reserved; /* next in the list of records that this run reserved */
	enum vm_rec_state state;
	size_t size, cap;
	_Alignas(16) unsigned char data[];
};

struct vm {
	struct vm_env env;
	enum vm_mode mode;
	struct vm_code *code;
	uint32_t ncode;
	struct vm_map *map;
	uint32_t nmap;
	struct vm_region region[VM_REGIONS];
	unsigned nregion; /* 1 + highest index in use */
	struct vm_rec *all, *free;
	uint64_t runs; /* number of runs, see vm_runs() */
	uint32_t random;
	unsigned fail_reserve;
	uint32_t max_steps;
	/* memory for the outermost run, owned; NULL while such a run is under way */
	struct vm_exec *outer;
	void (*trap)(void *ctx, const char *why);
	void *trap_ctx;
};

/* State that is saved when a program calls one of its functions. */
struct vm_frame {
	const struct vm_op *ret;
	uint64_t saved[5]; /* registers r6 to r10 */
};

struct vm_check;

/*
 * The state of one run of a unit. Runs nest, because the sink may fire other units from within
 * record().
 */
struct vm_exec {
	/* the registers; native code stores them here before it calls a C function */
	uint64_t r[VM_REGS];
	struct vm *vm;
	const struct vm_code *code;
	struct vm_check *check; /* state of the checks; NULL in machines without checks */
	struct record_sink *sink;
	const uint64_t *ctx;
	unsigned nctx;
	/* records that are not yet delivered, in the order of reservation */
	struct vm_rec *first, **last;
	unsigned depth; /* nesting depth of calls */
	struct vm_frame frame[VM_FRAMES];
	/* the frames of functions, which grow downwards; the main function's frame is the last */
	_Alignas(16) unsigned char stack[VM_STACK];
};

static inline uint64_t vm_addr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

static inline void *vm_ptr(uint64_t addr)
{
	return (void *)(uintptr_t)addr;
}

/* Returns the lowest address of the frame at call depth @depth. */
static inline unsigned char *vm_frame_base(struct vm_exec *ex, unsigned depth)
{
	return ex->stack + (size_t)(VM_FRAMES - 1 - depth) * VM_FRAME_SIZE;
}

/* ---------------------------------------------------------------- trap.c */

/*
 * Reports a bug of the program at instruction @at. Aborts, unless a test has set a handler
 * (vm_set_trap()). Returns false.
 */
bool vm_trap(const struct vm_exec *ex, uint32_t at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* -------------------------------------------------------------- memory.c */

/* Reserves a record of @size bytes for the run @ex. The machine owns the memory. */
struct vm_rec *vm_rec_reserve(struct vm_exec *ex, size_t size);
/*
 * Ends the reservation of @rec with @state. Delivers records to the sink in the order in which they
 * were reserved.
 */
void vm_rec_finish(struct vm_exec *ex, struct vm_rec *rec, enum vm_rec_state state);

static inline struct vm_rec *vm_rec_of(uint64_t data)
{
	return (struct vm_rec *)vm_ptr(data - offsetof(struct vm_rec, data));
}

/*
 * vm_in_region(), vm_in_map() and vm_in_record() return whether the @len bytes at @addr are in one
 * region (vm_region()), in one value of a map, or in one record that any run has reserved.
 */
bool vm_in_region(const struct vm *vm, uint64_t addr, size_t len);
bool vm_in_map(const struct vm *vm, uint64_t addr, size_t len);
bool vm_in_record(const struct vm *vm, uint64_t addr, size_t len);

/* --------------------------------------------------------- decode.c */

/*
 * Decodes the @c->n instructions at @c->insn into @c->op, and compiles them if the machine is
 * VM_NATIVE. Returns 0, or -1 with the error in @d.
 */
int vm_decode(struct vm *vm, const struct program *p, struct vm_code *c, struct diag *d);

/* ------------------------------------------- fast.c, checked.c */

/* Run the unit of @ex to its end. Return its result. */
uint64_t vm_exec_fast(struct vm_exec *ex);
uint64_t vm_exec_checked(struct vm_exec *ex);

/* Return the labels (addresses of the interpreter's code) of each enum vm_opcode. */
const void *const *vm_labels_fast(void);
const void *const *vm_labels_checked(void);

/* ---------------------------------------------------------- check.c */

/*
 * State of the checked machine. The sets of registers are bit sets: `init` has the registers that
 * are initialised, and `null` has the registers that hold the NULL of a failed lookup. The verifier
 * does not let a program dereference such a NULL.
 */
struct vm_check {
	uint32_t steps;
	uint32_t back_jumps; /* number of backward jumps so far */
	uint32_t last;       /* index of the previous instruction */
	bool returned;       /* the previous instruction returned from a function */
	uint16_t init, null;
	uint16_t saved_init[VM_FRAMES], saved_null[VM_FRAMES];
	bool may_be_null;       /* the previous instruction put a pointer or NULL into r0 */
	bool written[VM_STACK]; /* which bytes of the stack were written */
};

/* Initialises ex->check for a run. */
void vm_check_start(struct vm_exec *ex);

/*
 * Tests whether the instruction at @at may run with registers @r. If not, traps and returns false.
 */
bool vm_check_step(struct vm_exec *ex, const uint64_t *r, uint32_t at);

/* ------------------------------------------------------- hooks for tests */

/*
 * Sets a function that a trap calls with the reason, instead of aborting the process. The run then
 * ends and returns 0.
 */
void vm_set_trap(struct vm *vm, void (*fn)(void *ctx, const char *why), void *ctx);

/*
 * Sets the maximum number of instructions of one run of a checked machine. The default is
 * VM_MAX_STEPS.
 */
void vm_set_max_steps(struct vm *vm, uint32_t n);

/* Makes the next @n calls of bpf_ringbuf_reserve and bpf_ringbuf_output fail. */
void vm_fail_reserve(struct vm *vm, unsigned n);

#endif
