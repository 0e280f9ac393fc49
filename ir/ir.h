/*
 * ir.h - the intermediate representation (IR) of one unit.
 *
 * A function is a graph of basic blocks. They are kept in topological order: a block comes after
 * every block that jumps to it, except in loops. D has no loops, but the runtime's routines do. A
 * loop has one header, which is the only way in, and one jump back to the header; loops are not
 * nested (see irb_loop()).
 *
 * Values are virtual registers of 64 bits, assigned in one place (SSA). The exceptions are
 * variables, made by irb_var(): they are assigned in several branches and read after these join, or
 * in every round of a loop.
 *
 * There are two levels. Code generation also uses semantic operations (update an aggregation, make
 * packet bytes readable, reserve a record). expand.c rewrites them into plain operations, which
 * bpf/ turns into instructions.
 */
#ifndef IR_IR_H
#define IR_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "ir/program.h"

struct strbuf;
struct type;

/* X(op, name, pure). Pure operations may be merged with an equal one, or dropped if unused. */
#define IR_OPS(X) \
	X(IR_NOP, "nop", 0) \
	X(IR_CONST, "const", 1) /* dst = imm */ \
	X(IR_MOV, "mov", 0)     /* dst = a; assigns a variable */ \
	X(IR_ADD, "add", 1)     /* dst = a op b, or a op imm when b is NOREG */ \
	X(IR_SUB, "sub", 1) \
	X(IR_MUL, "mul", 1) \
	X(IR_DIV, "div", 1) /* unsigned; the divisor must not be 0 */ \
	X(IR_MOD, "mod", 1) \
	X(IR_AND, "and", 1) \
	X(IR_OR, "or", 1) \
	X(IR_XOR, "xor", 1) \
	X(IR_SHL, "shl", 1) \
	X(IR_SHR, "shr", 1) \
	X(IR_SAR, "sar", 1) \
	X(IR_NEG, "neg", 1)       /* dst = -a */ \
	X(IR_EXT, "ext", 1)       /* dst = low `size` bytes of a, sign-extended if sgn */ \
	X(IR_SWAP, "swap", 1)     /* dst = low `size` bytes of a, host <-> network order */ \
	X(IR_SET, "set", 1)       /* dst = a cc b ? 1 : 0 */ \
	X(IR_CTX, "ctx", 1)       /* dst = the program's context */ \
	X(IR_PARAM, "param", 1)   /* dst = parameter imm of the function, from 0 */ \
	X(IR_LOAD, "load", 1)     /* dst = `size` bytes at a + off; cannot fault */ \
	X(IR_LOADV, "loadv", 0)   /* as load, if the memory may change */ \
	X(IR_STORE, "store", 0)   /* `size` bytes at a + off = b or imm */ \
	X(IR_ATOMIC, "atomic", 0) /* *(u64 *)(a + off) += b */ \
	X(IR_XCHG, "xchg", 0)     /* dst = *(u64 *)(a + off), replaced by b atomically */ \
	X(IR_FETCH, "fetch", 0)   /* dst = *(u64 *)(a + off), which then grows by b, atomically */ \
	X(IR_ARENA, "arena", 1)   /* dst = pointer to address a of the arena */ \
	X(IR_ADDR, "addr", 1)     /* dst = a + off (a may be FRAME) */ \
	X(IR_GLOBAL, "global", 1) /* dst = address of byte imm of the value of map id */ \
	X(IR_PERCPU, "percpu", 1) /* dst = address of byte imm of this CPU's value */ \
	X(IR_TASK, "task", 1)     /* dst = current task_struct */ \
	X(IR_CALL, "call", 0)     /* dst = kernel helper imm (arg ...) */ \
	X(IR_PURECALL, "purecall", 1) /* as call, without side effects */ \
	X(IR_KCALL, "kcall", 0)       /* dst = kfunc imm (arg ...) */ \
	X(IR_LCALL, "lcall", 0)       /* dst = function imm of the unit (arg ...) */ \
	/* dst = *(u64 *)(arg 0), replaced by arg 2 if it equals arg 1, atomically */ \
	X(IR_CMPXCHG, "cmpxchg", 0) /* registers as for a call */ \
	X(IR_CAST, "cast", 1)       /* dst = a, readable as struct with BTF id imm */ \
	X(IR_PC, "pc", 0)           /* dst = byte offset of this instruction in the unit */ \
	/* semantic operations */ \
	/* dst = `size` bytes at a + off, by probe_read; on a fault to block t, or dst = 0 */ \
	X(IR_READ, "read", 0) \
	X(IR_COPY, "copy", 0)       /* imm bytes at b + boff = bytes at a + off, by probe_read */ \
	X(IR_COPYSTR, "copystr", 0) /* as copy, up to a NUL: probe_read_str */ \
	/* dst = readable IP header of skb a, or 0; imm: VLAN tags may precede it */ \
	X(IR_SKBPTR, "skbptr", 1) \
	X(IR_RESERVE, "reserve", 0) /* dst = record of imm bytes; on failure to block t */ \
	X(IR_AREA, "area", 0) /* dst = scratch area of this run; to block t if all are used */ \
	X(IR_AREA_RELEASE, "leave", 0) /* releases the scratch area */ \
	X(IR_COMMIT, "commit", 0)      /* submits record a */ \
	X(IR_DISCARD, "discard", 0)    /* discards record a */ \
	X(IR_COUNT, "count", 0) /* adds 1 to the counter at imm in this CPU's struct percpu */ \
	/* updates aggregation id: key at arg 0, its words args 1 ..., value b, increment a */ \
	X(IR_AGG, "agg", 0) \
	/* terminators */ \
	X(IR_JMP, "jmp", 0) /* to block t */ \
	X(IR_BR, "br", 0)   /* to block t if a cc b (or imm), else to block f */ \
	X(IR_RET, "ret", 0) /* returns a, or imm if a is NOREG */

enum ir_op {
#define X(op, name, pure) op,
	IR_OPS(X)
#undef X
};

/* Conditions: U unsigned, S signed; CC_BITS: a & b != 0. */
enum ir_cc {
	CC_EQ,
	CC_NE,
	CC_ULT,
	CC_ULE,
	CC_UGT,
	CC_UGE,
	CC_SLT,
	CC_SLE,
	CC_SGT,
	CC_SGE,
	CC_BITS
};

/* 0 means none: register 0 is unused, and no jump leads to block 0, the entry. */
enum { NOREG = 0, FRAME = -1, NOBLOCK = 0 };

/*
 * An argument of a call. Its value is computed directly in the register in which the function
 * expects it.
 */
enum ir_arg_kind { ARG_REG, ARG_IMM, ARG_FRAME, ARG_MAP, ARG_GLOBAL };

struct ir_arg {
	enum ir_arg_kind kind;
	int reg;
	/* ARG_IMM; ARG_FRAME: offset from the frame pointer; ARG_MAP: map; ARG_GLOBAL: offset */
	int64_t imm;
};

struct ir_insn {
	uint8_t op;   /* enum ir_op */
	uint8_t size; /* 1 2 4 8 */
	uint8_t cc;
	bool sgn;
	bool atomic; /* IR_AGG */
	int dst, a, b;
	int32_t off;
	int32_t boff; /* IR_COPY, IR_COPYSTR: offset from b */
	int id;       /* IR_GLOBAL: map; IR_AGG: aggregation; IR_NOP: version of irb_memo_add() */
	int64_t imm;
	int t, f; /* target blocks; f: only for IR_BR */
	uint8_t narg;
	struct ir_arg *arg;
};

/* The verifier's knowledge about a pointer, which decides how memory is loaded through it. */
enum ptr_class {
	PC_ANY, /* a number, or unknown */
	/* argument of the hook, or the current task: not NULL, and points to its type */
	PC_TRUSTED,
	/* loaded from a member of a trusted pointer, or argument of a function: NULL or valid */
	PC_CHAIN,
	PC_SAFE, /* loads of its type cannot fault; they yield 0 */
};

struct ir_reg {
	bool is_var;
	bool is_const;
	int64_t value; /* is_const */
	uint8_t pc;    /* enum ptr_class */
	/* the verifier may treat it as a pointer and refuse arithmetic */
	bool ptr;
	bool or_null;       /* PC_CHAIN: the verifier requires a test for NULL before any use */
	struct type *ptype; /* the struct that it points to, as the verifier sees it */
	/*
	 * the operation that computes it, if it can be merged; else IR_NOP. For a variable, size is
	 * the number of bytes that hold all values assigned so far, without a sign
	 */
	uint8_t op, size;
	bool sgn;
};

struct ir_block {
	VEC(struct ir_insn) insn;
	bool placed;
	bool cold; /* rarely executed: placed after the other blocks */
	bool loop; /* header of a loop: a later block may jump back to it */

	/*
	 * idom is the immediate dominator: every path to this block leads through the first `lim`
	 * instructions of idom. So the results of these instructions are available here. Final once
	 * the block is placed.
	 */
	int idom, depth; /* depth in the dominator tree; NOBLOCK and 0 for the entry */
	int jump;        /* an ancestor in the dominator tree; makes searches take few steps */
	size_t lim;
	int npred; /* number of jumps to it so far */
	int nopen; /* references: see ref_block() */
	const char *label;
};

/*
 * The scratch area of a function: memory of its own on each CPU. A function that can be interrupted
 * by itself has AREAS of them, and each run claims one. The size is known when the function is
 * built, the location before it is expanded.
 */
struct ir_area {
	uint32_t size; /* size of an area in bytes; 0: not needed */
	bool claim;    /* each run claims one of AREAS */
	int map;       /* MAP_ID_PERCPU, or another map of that kind */
	uint32_t off;  /* offset in the map's value */
	/* offset in the MAP_PERCPU value of the words that mark areas as used; see area_claim() */
	uint32_t busy;
};

struct ir_func {
	struct arena *arena;
	const char *name;
	VEC(struct ir_block *) block; /* by number */
	VEC(int) order;               /* topological */
	VEC(struct ir_reg) reg;
	int32_t frame; /* stack used in bytes, a multiple of 8 */
	int64_t ret;   /* the value that the function returns on every path */
	struct ir_area area;
	/* register with the scratch area, if values may be spilled there; else NOREG */
	int spill_base;
	uint32_t spill_size; /* size of the spill space at the end of the area, in bytes */
	struct func_params params;
	/*
	 * Frame offset of the saved flags, if interrupts are disabled from the start of block
	 * irqs_off on; else 0. Returns after that point must restore the flags.
	 */
	int32_t irq_flags;
	int irqs_off;
	/* index of its first instruction in the unit; set by bpf_generate() */
	uint32_t start;
};

/*
 * One unit: its entry function and the functions that it calls. A function reads its parameters at
 * its very start, in ascending order.
 */
struct ir_unit {
	VEC(struct ir_func *) func; /* func 0 is the entry */
};

/* ------------------------------------------------------------------ builder */

struct cse_entry {
	struct ir_insn in;
	int block; /* where it is computed */
	size_t at; /* index of the instruction in the block */
	uint32_t hash;
	size_t next; /* 1 + index of an older entry of the same bucket; 0: none */
};

/*
 * A known condition: in block @block, unless other jumps lead there, `a cc b` (or imm) of @br is
 * true or false.
 */
struct fact {
	struct ir_insn br;
	int block;
	bool holds;
	uint32_t hash;
	size_t next; /* as in cse_entry */
};

#define IRB_BUCKETS 1024

/*
 * Builds one function. The builder folds constants and eliminates common subexpressions (CSE): it
 * reuses a value that was computed on every path to the current block. irb_push() and irb_pop()
 * limit the search: irb_pop() forgets the values computed since irb_push().
 */
struct irb {
	struct arena *arena;
	struct ir_func *f;
	int cur; /* current block */
	VEC(struct cse_entry) cse;
	VEC(struct fact) fact;
	VEC(size_t) scope, fact_scope;
	/* 1 + index of the newest entry; 0: none. Allocated on first use */
	size_t *cse_bucket, *fact_bucket;
	bool no_cse;
	bool looping; /* inside irb_loop() */
	/* the kernel's verifier will check the code; it distinguishes pointers and numbers */
	bool verified;
	int32_t frame_used; /* bytes of stack */
	uint32_t ninsn;     /* number of instructions */
};

/* Starts an empty function called @name in the arena @a, at its entry block. */
void irb_init(struct irb *b, struct arena *a, const char *name);

/*
 * Make a block, which irb_place() places once. A cold block is rarely executed. Return its number.
 */
int irb_block(struct irb *b, const char *label);
int irb_cold_block(struct irb *b, const char *label);
/* Makes @block the current block and appends it to the order of blocks. */
void irb_place(struct irb *b, int block);
/* Returns whether the current block has no terminator yet. */
bool irb_is_open(struct irb *b);

/*
 * Memoize the result of several operations. irb_memo_add() records that register @value is version
 * @when of @what (any pointer). irb_memo_find() returns that register, or NOREG if it is not
 * available here.
 */
int irb_memo_find(struct irb *b, const void *what, int when);
void irb_memo_add(struct irb *b, const void *what, int when, int value);

/* Limit CSE: irb_pop() forgets all values computed since irb_push(). */
void irb_push(struct irb *b);
void irb_pop(struct irb *b);

/* Appends an instruction without folding or merging. */
void irb_append(struct irb *b, const struct ir_insn *in);

/* Makes a variable: a register that may be assigned more than once. */
int irb_var(struct irb *b);

/* Assigns register @value, or the number @imm, to @var. */
void irb_assign(struct irb *b, int var, int value);
void irb_assign_imm(struct irb *b, int var, int64_t imm);
/* Returns a copy of the current value of @var. */
int irb_value(struct irb *b, int var);

/*
 * Assign @var op @y, or @var op @imm, to @var. This is shorter than computing a value and assigning
 * it.
 */
void irb_update(struct irb *b, enum ir_op op, int var, int y);
void irb_updatei(struct irb *b, enum ir_op op, int var, int32_t imm);

/*
 * A loop: for (i = 0; i < bound; i += step). The first round always runs.
 *
 * 	struct irb_loop l;
 * 	int i = irb_loop(b, &l, 256, 1), c, more = irb_block(b, "more");
 *
 * 	c = irb_loadv(b, irb_bin(b, IR_ADD, text, i), 0, 1, false);
 * 	irb_bri(b, CC_EQ, c, 0, l.done, more);         leaves the loop
 * 	irb_place(b, more);
 * 	irb_loop_end(b, &l);                           continues in l.done
 *
 * A jump to l.next continues with the next round. Values that a round passes to the next one, or
 * out of the loop, must be in variables that were assigned before the loop. A variable that holds a
 * pointer in any round must have held one before. Memory that the loop writes must be read with
 * irb_loadv(). Loops cannot be nested: a round may call a function (IR_LCALL) with a loop, but then
 * the verifier walks all rounds of that loop in each round of ours.
 *
 * The verifier walks every round. It also walks the code after the loop once for each round that
 * can be the last, unless the states after these rounds are equal. So write a result (such as a
 * length, which it knows exactly in each round) to scratch and read it again before using it as an
 * offset. If a branch in the loop can go either way, one way should leave the loop: if both stay
 * inside, each round doubles the verifier's work. irb_select() chooses between values without a
 * branch.
 */
struct irb_loop {
	int head, next, done; /* blocks */
	int i;                /* the counter, a variable */
	uint32_t bound, step;
};

/* Opens a loop and returns its counter, a variable. */
int irb_loop(struct irb *b, struct irb_loop *l, uint32_t bound, uint32_t step);

/* Ends the current round and closes the loop. The current block is l.done then. */
void irb_loop_end(struct irb *b, const struct irb_loop *l);

/* The functions below that compute a value return its register. IR_OPS describes the operations. */
int irb_const(struct irb *b, int64_t v);
/* Compute x op y, and x op imm; @op is IR_ADD ... IR_SAR. */
int irb_bin(struct irb *b, enum ir_op op, int x, int y);
int irb_bini(struct irb *b, enum ir_op op, int x, int64_t imm);
int irb_neg(struct irb *b, int x);
/*
 * Choose without branches, because every branch may double the verifier's work. irb_select()
 * returns @x if @mask is all ones, and @y if it is 0. irb_at_least() returns 1 if @x >= @least,
 * else 0; the two must differ by less than 2^63.
 */
int irb_select(struct irb *b, int mask, int x, int y);
int irb_at_least(struct irb *b, int x, int64_t least);
/*
 * Returns @x as a scalar: a value that the verifier does not regard as a pointer, so that all
 * arithmetic is allowed. All functions but irb_neg(), additions, and comparisons of whole values do
 * this themselves.
 */
int irb_scalar(struct irb *b, int x);
int irb_ext(struct irb *b, int x, unsigned size, bool sgn);
int irb_swap(struct irb *b, int x, unsigned size);
int irb_set(struct irb *b, enum ir_cc cc, int x, int y);

/*
 * Return the context, parameter @i of the function, or @size bytes of memory at @base + @off,
 * sign-extended if @sgn. irb_loadv() is for memory that others may change: the code reads the
 * memory again each time.
 */
int irb_ctx(struct irb *b);
int irb_param(struct irb *b, unsigned i);
int irb_load(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
int irb_loadv(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
void irb_store(struct irb *b, int base, int32_t off, unsigned size, int v);
void irb_storei(struct irb *b, int base, int32_t off, unsigned size, int64_t imm);
void irb_atomic_add(struct irb *b, int base, int32_t off, int v);
/* Adds 1 to the counter at offset @off of this CPU's struct percpu. */
void irb_count(struct irb *b, int32_t off);
/* Atomically replaces the word at @base by @v. Returns the old value. */
int irb_exchange(struct irb *b, int base, int v);
/* Adds @v to the word at @base + @off atomically; returns the old word. */
int irb_fetch_add(struct irb *b, int base, int32_t off, int v);
/* Returns a pointer through which the arena's memory at @address, a number, is read and written. */
int irb_arena(struct irb *b, int address);
/* Atomically replaces the word at @base by @v if it equals @old. Returns the old value. */
int irb_cmpxchg(struct irb *b, int base, int old, int v);
/*
 * Return addresses: @base + @off; byte @off in the only value of a map, in the MAP_GLOBAL value, or
 * in this CPU's MAP_PERCPU value; the current task.
 */
int irb_addr(struct irb *b, int base, int32_t off);
int irb_map_value(struct irb *b, int map, int64_t off);
int irb_global(struct irb *b, int64_t off);
int irb_percpu(struct irb *b, int64_t off);
int irb_task(struct irb *b);
/*
 * irb_cast() returns @p as a pointer to the struct with this BTF id. irb_pc() returns the offset of
 * the current instruction in the unit, in bytes.
 */
int irb_cast(struct irb *b, int p, uint32_t btf_id);
int irb_pc(struct irb *b);

/* Calls a function; @op is IR_CALL or another call operation. The arguments are copied. */
int irb_call(struct irb *b, enum ir_op op, int func, unsigned narg, const struct ir_arg *arg);

/*
 * Read memory by probe_read. On a fault, they jump to block @fault, or yield 0 if that is NOBLOCK.
 */
int irb_read(struct irb *b, int base, int32_t off, unsigned size, bool sgn, int fault);
void irb_copy(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
	      int fault);
void irb_copystr(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
		 int fault);
/*
 * irb_area() returns the scratch area of this run, or jumps to block @none if all areas are in use.
 * irb_area_release() releases it.
 */
int irb_area(struct irb *b, int none);
void irb_area_release(struct irb *b);
/* See IR_SKBPTR, IR_RESERVE and IR_AGG. A record must be committed or discarded on every path. */
int irb_skbptr(struct irb *b, int skb, bool tags);
int irb_reserve(struct irb *b, uint32_t size, int fail);
void irb_commit(struct irb *b, int rec);
void irb_discard(struct irb *b, int rec);
/* @word: the key's words, from irb_take_words(), or NULL if the key is in memory. */
void irb_agg(struct irb *b, int agg, struct ir_arg key, const struct ir_arg *word, unsigned nword,
	     int value, int incr, bool atomic);

/*
 * Turns a key on the stack into words in registers, because a load of a word would wait for its
 * shorter stores. Collects the latest stores of the current block to the @size bytes at frame
 * offset @off. If these cover all bytes after the first AGG_GEN_SIZE, removes the stores, sets
 * @word to the 8-byte words as registers or numbers, and returns true. Else changes nothing.
 */
bool irb_take_words(struct irb *b, int32_t off, uint32_t size, struct ir_arg *word);

/* Terminators: they end the current block. */
void irb_jmp(struct irb *b, int t);
void irb_br(struct irb *b, enum ir_cc cc, int x, int y, int t, int f);
void irb_bri(struct irb *b, enum ir_cc cc, int x, int64_t imm, int t, int f);
void irb_ret(struct irb *b); /* returns f->ret */
/* Returns whether x cc imm is known here: 1 if true, 0 if false, -1 if unknown. */
int irb_decided(struct irb *b, enum ir_cc cc, int x, int64_t imm);
void irb_ret_reg(struct irb *b, int v);

/*
 * Allocates @size bytes of stack, aligned to 8. Returns the (negative) offset from the frame
 * pointer. Slots allocated between irb_frame_mark() and irb_frame_release() can be reused after
 * that.
 */
int32_t irb_frame(struct irb *b, uint32_t size);
int32_t irb_frame_mark(struct irb *b);
void irb_frame_release(struct irb *b, int32_t mark);

/* Returns the description of a register. Valid until another register is made. */
struct ir_reg *irb_reg(struct irb *b, int reg);
/* Returns whether a register is a constant, and its value in @v. */
bool irb_is_const(struct irb *b, int reg, int64_t *v);

/* Returns the opposite condition. CC_BITS has none. */
enum ir_cc ir_cc_invert(enum ir_cc cc);
/* Returns whether x cc y is true for these numbers. */
bool ir_fold_cc(enum ir_cc cc, int64_t x, int64_t y);

/* Returns whether block @d dominates block @b: every path to @b leads through @d. */
bool ir_dominates(const struct ir_func *f, int d, int b);

/* Returns the nearest common dominator of the blocks @x and @y, which may be one of them. */
int ir_common_dominator(const struct ir_func *f, int x, int y);

/* ------------------------------------------------------------------- passes */

/*
 * Returns a pointer to the @i-th register (from 0) that an instruction reads, or NULL if there are
 * no more. The register may be NOREG or FRAME.
 */
int *ir_use(struct ir_insn *in, unsigned i);

/* Appends the function as text, one line for each instruction. */
void ir_print(const struct ir_func *f, struct strbuf *out);

/* Aborts with BUG() if the function violates a rule of this header. */
void ir_check(const struct ir_func *f);

/* A loop: the indices in ir_func.order of its header and of the block that jumps back. */
struct ir_span {
	size_t from, to;
};
struct ir_loops {
	struct ir_span *v;
	size_t n, cap;
};

/* Finds the loops of @f, sorted by their ends. The caller frees the list with vec_free(). */
void ir_find_loops(const struct ir_func *f, struct ir_loops *l);

/*
 * Returns @block, or, if it is in a loop, the last block before the loop. Code there does not run
 * in every round.
 */
int ir_before_loops(const struct ir_func *f, int block);

/*
 * Code sinking: moves slow calls, whose results may not be needed, to the latest block that needs
 * them.
 */
void ir_sink(struct ir_func *f);

/*
 * Where a function should look up this CPU's value and its scratch area: the nearest common
 * dominators of all users; -1 if there are none. In that block, the lookup goes before the first
 * instruction that needs its result or may jump.
 */
struct ir_lookups {
	int percpu, area;
	int area_reg;                    /* register of the area; NOREG: none */
	const struct ir_insn *area_insn; /* the IR_AREA instruction */
};

/*
 * Computes the lookups of @f, which is not expanded yet. ir_needs_percpu() and ir_needs_area()
 * return whether an instruction needs the value or the area.
 */
struct ir_lookups ir_find_lookups(const struct ir_func *f, const struct program *p);
bool ir_needs_percpu(const struct program *p, const struct ir_insn *in);
bool ir_needs_area(const struct ir_func *f, const struct ir_lookups *l, struct ir_insn *in);

/* Drops functions that are never called: the verifier refuses them. */
void ir_drop_functions(struct ir_unit *u);

/* Drops unreachable blocks: the verifier refuses them. */
void ir_prune(struct ir_func *f);

/* Drops unreachable blocks and unused values, and forwards copies. */
void ir_tidy(struct ir_func *f);

/*
 * Jump threading: a jump to a jump goes directly to its target, and a jump to a test with a known
 * result goes directly to the block that the test selects. For expanded functions.
 */
void ir_thread_jumps(struct ir_func *f);

/* Does what ir_tidy() does, merges probe reads of one object into one, and sinks slow calls. */
void ir_optimise(struct ir_func *f);

/*
 * Returns whether the function may read argument @arg (not 0) of its hook, or the @size bytes at
 * offset @off of the memory that argument 0 points to. Returns true if a pointer escapes the
 * analysis. For functions that are not expanded yet.
 */
bool ir_may_read(const struct ir_func *f, uint32_t arg, int32_t off, uint32_t size);

/*
 * Returns whether the result of a function may depend on earlier firings, or change later ones.
 * That is so if it uses the bytes @from to @to of the MAP_GLOBAL value (global variables), hashes
 * other than aggregations, or random numbers. Records do not count.
 */
bool ir_is_stateful(const struct ir_func *f, const struct map_def *map, int64_t from, int64_t to);

/* The capabilities of the target, found by trying (link_target()). */
struct ir_target {
	bool replay;       /* our VM: loads need no casts */
	bool rdonly_cast;  /* bpf_rdonly_cast() to a struct */
	bool skb_dynptr;   /* bpf_dynptr_from_skb() in tracing programs */
	bool task_storage; /* bpf_task_storage_get() can allocate in any context */
	bool irqs;         /* programs can disable interrupts: bpf_local_irq_save(), Linux 6.14 */
	uint32_t off_skb_len, off_skb_data_len, off_skb_data, off_skb_protocol;
	uint32_t iphdr_btf_id; /* for the cast of IR_SKBPTR */
	/* indices into program.kfunc */
	int kfunc_cast, kfunc_dynptr_from_skb, kfunc_dynptr_slice, kfunc_irq_restore;
};

/*
 * Rewrites the semantic operations of all functions into plain ones, and adds the functions that
 * the plain operations call. @p has the layouts of maps and aggregations. @zeros_off is the offset
 * of a value of zeros in the MAP_GLOBAL value, for new keys.
 */
void ir_expand(struct ir_unit *u, const struct program *p, const struct ir_target *t,
	       uint32_t zeros_off);

#endif
