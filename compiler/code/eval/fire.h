/*
 * fire.h - what the generator knows while it generates a unit (the eBPF program of one hook), and
 * the clauses of one probe in this unit.
 */
#ifndef COMPILER_CODE_EVAL_FIRE_H
#define COMPILER_CODE_EVAL_FIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/program.h"

struct compiler;
struct dest;
struct element;
struct expr;
struct fire;
struct hook;
struct hook_use;
struct irb;
struct layout;
struct mem;
struct probe;
struct recording;
struct routines;

#define ERROR_FUNC 1 /* index of the function with ERROR's clauses in its unit */
#define FAULT_ARGS 6 /* ERROR has arg0 to arg5 */

/* Parameters of ERROR_FUNC. The function returns 1 if exit() was called, else 0. */
enum { ERROR_CTX, ERROR_WHERE, ERROR_PC, ERROR_VALUE, ERROR_SCRATCH, ERROR_NPARAM };

/* The unit that is being generated. */
struct unit_build {
	struct hook *hook;
	bool nests;            /* the unit may be interrupted by itself on one CPU */
	uint32_t index;        /* index of the unit in program.unit */
	uint32_t scratch_used; /* bytes of scratch memory in use */
	uint32_t scratch_max;  /* maximum of scratch_used so far */
	int scratch_base;      /* register with the address of the scratch memory */
	/*
	 * register with the gate at the start of the unit (globals.gate: which clauses may run);
	 * NOREG if no firing tests the gate
	 */
	int gate;
	int end;          /* block at the end of every run */
	bool has_error;   /* function ERROR_FUNC exists */
	bool error_exits; /* function ERROR_FUNC may call exit() */
	bool error_ctx;   /* function ERROR_FUNC uses the context */
	/* registers with arg0 to arg5 in function ERROR_FUNC; NOREG in other functions */
	int fault_arg[FAULT_ARGS];
	int behind; /* register with args[0], if hook.behind is set */
	/*
	 * version of the memory of threads and sockets: code that may create or free such memory
	 * increments it
	 */
	int storage_version;
	struct routines *routines;
};

/* A test that may fail, and the fault that it reports. */
struct fault_site {
	int block; /* block that the test jumps to if it fails */
	enum fault_code code;
	int action;  /* number of the action, which the report contains */
	int value;   /* register with the value that is reported; NOREG if the fault has none */
	int handler; /* block that handles the fault */
};

/* The handler of faults that occur after a record was reserved. */
struct late {
	int block; /* the handler, which discards the record */
	int rec;   /* register with the address of the record */
};

/* An expression with one value throughout a firing; see steady_copy(). */
struct steady {
	const struct expr *e;
	uint32_t hash;
	bool told; /* a fault in @e is reported to the user; otherwise @e is 0 after a fault */
	struct steady *next;
};

#define NSTEADY 128

/*
 * Generators for the kinds of results that an expression can have. The files that implement them
 * need each other, so all of them call through this table. eval.h documents the members.
 */
struct evaluators {
	int (*value)(struct fire *g, const struct expr *e);
	void (*cond)(struct fire *g, const struct expr *e, int t, int f);
	struct mem (*lvalue)(struct fire *g, const struct expr *e, struct element *to);
	void (*str)(struct fire *g, const struct expr *e, struct dest d);
};

/*
 * The state while the code of one firing is generated. A firing is one run of a probe's clauses in
 * a unit.
 */
struct fire {
	struct compiler *c;
	struct layout *layout;
	struct irb *b;
	struct program *p;
	struct unit_build *u;
	const struct evaluators *eval;
	struct probe *probe;
	struct hook_use *hook;
	struct steady *steady[NSTEADY]; /* hash table of expressions with one value */
	/* incremented by every assignment and other effect that may change an expression's value */
	int changes;
	/*
	 * Set while a guard (a condition under which the hook fires the probe) or a native argument
	 * is generated. curthread is then the current task.
	 */
	bool in_native;
	/*
	 * Set while a pointer for a helper of the kernel is generated. Pointers are then loaded
	 * without casts, because the verifier must know their types.
	 */
	bool typed;
	bool hidden; /* the probe's clauses in this firing are hidden clauses of the library */

	/* The members from here to @late describe the clause that is being generated. */

	/*
	 * enabled probe ID (epid) of the clause; for a family of probes, the epid at the clause's
	 * first probe
	 */
	uint32_t epid;
	/* register with the epid at the probe that fires; NOREG if @epid is the only one */
	int epid_at;
	/*
	 * for a family (probes that differ only by a number): register with the number of the
	 * firing probe; else NOREG
	 */
	int number;
	struct probe **among; /* for a family, the probes of the clause; else NULL */
	uint32_t namong;
	struct recording *recording; /* layout of the clause's record; see clause.c */
	size_t next_action;          /* index of the next action in @recording */
	int next;                    /* block after the clause */
	int action;                  /* number of the current action, from 1; 0 in the predicate */
	/* register with the address of the record; NOREG while no record is reserved */
	int rec;
	struct {
		int block;                   /* block that handles faults now */
		int value, info, pc;         /* variables that describe the fault */
		VEC(struct fault_site) site; /* faults whose blocks are not placed yet */
	} fault;
	VEC(struct late) late;

	struct {
		int32_t off; /* offset in scratch memory */
		uint32_t size;
		int top; /* register with the number of bytes allocated so far */
	} memory;        /* memory of alloca(); see alloca.c */

	struct {
		struct {
			int32_t off;
			uint32_t size;
		} memory; /* this-> structs and arrays, side by side in scratch memory */
		int *reg; /* for a this-> scalar: its register, indexed by var.index */
		/*
		 * for a this-> string, struct or array: its offset in scratch memory, indexed by
		 * var.index
		 */
		int32_t *off;
	} locals;          /* D's clause-local variables */
	int32_t token_off; /* scratch offset of the string that strtok() splits */
};

#endif
