/*
 * ir.h - the intermediate representation (IR) of one unit: the eBPF program of one hook.
 *
 * A function is a graph of basic blocks. The blocks are kept in topological order: a block comes
 * after every block that jumps to it, except in loops. D has no loops, but the runtime's routines
 * do. A loop has one header, which is the only way in, and one jump back to the header. Loops are
 * not nested (see irb_loop()).
 *
 * Values are in virtual registers of 64 bits. Each register is assigned in one place (SSA). The
 * exceptions are variables, which irb_var() makes. A variable is assigned in several branches and
 * read after these branches join, or is assigned in every round of a loop.
 *
 * There are two levels of operations. Code generation also uses semantic operations (update an
 * aggregation, make packet bytes readable, reserve a record). expand.c rewrites these into plain
 * operations, which bpf/ turns into instructions.
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

/*
 * X(op, name, pure). A pure operation may be merged with an equal one, or dropped if nothing uses
 * its result.
 */
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
	X(IR_SWAP, "swap", 1)     /* dst = low `size` bytes of a, host <-> network byte order */ \
	X(IR_SET, "set", 1)       /* dst = a cc b ? 1 : 0 */ \
	X(IR_CTX, "ctx", 1)       /* dst = the program's context */ \
	X(IR_PARAM, "param", 1)   /* dst = parameter imm of the function, from 0 */ \
	X(IR_LOAD, "load", 1)     /* dst = `size` bytes at a + off; cannot fault */ \
	X(IR_LOADV, "loadv", 0)   /* as load, for memory that may change */ \
	X(IR_STORE, "store", 0)   /* `size` bytes at a + off = b or imm */ \
	X(IR_ATOMIC, "atomic", 0) /* *(u64 *)(a + off) += b */ \
	X(IR_XCHG, "xchg", 0)     /* dst = *(u64 *)(a + off), which is atomically replaced by b */ \
	X(IR_FETCH, "fetch", 0)   /* dst = *(u64 *)(a + off); b is atomically added there */ \
	X(IR_ARENA, "arena", 1)   /* dst = pointer to address a of the arena */ \
	X(IR_ADDR, "addr", 1)     /* dst = a + off (a may be FRAME) */ \
	X(IR_GLOBAL, "global", 1) /* dst = address of byte imm of the value of map id */ \
	X(IR_PERCPU, "percpu", 1) /* dst = address of byte imm of this CPU's MAP_PERCPU value */ \
	X(IR_TASK, "task", 1)     /* dst = current task_struct */ \
	X(IR_CALL, "call", 0)     /* dst = kernel helper imm (arg ...) */ \
	X(IR_PURECALL, "purecall", 1) /* as call, for a helper without side effects */ \
	X(IR_KCALL, "kcall", 0)       /* dst = kfunc imm (arg ...) */ \
	X(IR_LCALL, "lcall", 0)       /* dst = function imm of the unit (arg ...) */ \
	/* dst = `size` bytes (4 or 8) at arg 0, atomically replaced by arg 2 if equal to arg 1 */ \
	X(IR_CMPXCHG, "cmpxchg", 0) /* the operands are arguments, as for a call */ \
	X(IR_CAST, "cast", 1)       /* dst = a, readable as struct with BTF id imm */ \
	X(IR_PC, "pc", 0)           /* dst = byte offset of this instruction in the unit */ \
	/* semantic operations */ \
	/* dst = `size` bytes at a + off by probe_read; a fault jumps to block t, or gives 0 */ \
	X(IR_READ, "read", 0) \
	X(IR_COPY, "copy", 0)       /* imm bytes at b + boff = bytes at a + off, by probe_read */ \
	X(IR_COPYSTR, "copystr", 0) /* as copy, but only up to a NUL: probe_read_str */ \
	/* dst = readable IP header of skb a, or 0; imm is 1 if VLAN tags may come first */ \
	X(IR_SKBPTR, "skbptr", 1) \
	X(IR_RESERVE, "reserve", 0) /* dst = record of imm bytes; jumps to block t on failure */ \
	X(IR_AREA, "area", 0) /* dst = scratch area of the run; jumps to t if all are used */ \
	X(IR_AREA_RELEASE, "leave", 0) /* releases the scratch area */ \
	X(IR_COMMIT, "commit", 0)      /* submits record a to the consumer */ \
	X(IR_DISCARD, "discard", 0)    /* discards record a */ \
	X(IR_COUNT, "count", 0)        /* adds 1 to the counter at offset imm of struct percpu */ \
	/* updates aggregation id with value b, increment a, key at arg 0, key words args 1 ... */ \
	X(IR_AGG, "agg", 0) \
	/* terminators, which end a block */ \
	X(IR_JMP, "jmp", 0) /* jumps to block t */ \
	X(IR_BR, "br", 0)   /* jumps to block t if a cc b (or a cc imm), else to block f */ \
	X(IR_RET, "ret", 0) /* returns a, or imm if a is NOREG */

enum ir_op {
#define X(op, name, pure) op,
	IR_OPS(X)
#undef X
};

/* Returns whether IR_OPS calls the operation pure. */
bool ir_is_pure(enum ir_op op);

/* Conditions. U means unsigned and S signed. CC_BITS means a & b != 0. */
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

/* The number 0 means "none": no value is in register 0, and no jump leads to block 0, the entry. */
enum { NOREG = 0, FRAME = -1, NOBLOCK = 0 };

/*
 * An argument of a call. The value of the argument is computed directly in the register in which
 * the called function expects it.
 */
enum ir_arg_kind { ARG_REG, ARG_IMM, ARG_FRAME, ARG_MAP, ARG_GLOBAL };

struct ir_arg {
	enum ir_arg_kind kind;
	int reg;
	/*
	 * The meaning depends on kind. ARG_IMM: the constant itself. ARG_FRAME: an offset from the
	 * frame pointer. ARG_MAP: the index of the map. ARG_GLOBAL: an offset in the MAP_GLOBAL
	 * value.
	 */
	int64_t imm;
};

static inline struct ir_arg arg_reg(int reg)
{
	return (struct ir_arg){ARG_REG, reg, 0};
}

static inline struct ir_arg arg_imm(int64_t imm)
{
	return (struct ir_arg){ARG_IMM, 0, imm};
}

struct ir_insn {
	uint8_t op;   /* enum ir_op */
	uint8_t size; /* 1, 2, 4 or 8 bytes */
	uint8_t cc;
	bool sgn;
	bool atomic; /* IR_AGG: the update must be atomic */
	int dst, a, b;
	int32_t off;
	int32_t boff; /* IR_COPY, IR_COPYSTR: offset of the destination from b */
	/*
	 * IR_GLOBAL: index of the map. IR_AGG: index of the aggregation. IR_NOP: version of a value
	 * recorded by irb_memo_add().
	 */
	int id;
	int64_t imm;
	int t, f; /* target blocks; only IR_BR uses f */
	uint8_t narg;
	struct ir_arg *arg;
};

/* The verifier's knowledge about a pointer, which decides how memory is loaded through it. */
enum ptr_class {
	PC_ANY, /* a number, or a pointer of unknown origin */
	/*
	 * an argument of the hook, or the current task: not NULL, and points to an object of its
	 * type
	 */
	PC_TRUSTED,
	/*
	 * loaded from a member of an object behind a trusted pointer, or argument of a traced
	 * function: NULL or valid
	 */
	PC_CHAIN,
	PC_SAFE, /* loads through the pointer cannot fault; from a bad address they give 0 */
};

struct ir_reg {
	bool is_var;
	bool is_const;
	int64_t value; /* the value, if is_const */
	uint8_t pc;    /* enum ptr_class */
	/* the verifier may treat the register as a pointer and refuse arithmetic */
	bool ptr;
	bool or_null;       /* for PC_CHAIN: the verifier requires a test for NULL before any use */
	struct type *ptype; /* the struct that the register points to, as the verifier sees it */
	/*
	 * The operation that computes the register, if it can be merged with an equal one; else
	 * IR_NOP. For a variable, @size is the number of bytes that can hold each value assigned so
	 * far, as an unsigned number.
	 */
	uint8_t op, size;
	bool sgn;
};

struct ir_block {
	VEC(struct ir_insn) insn;
	bool placed;
	bool cold; /* the block is rarely executed, so it is placed after the other blocks */
	bool loop; /* the block is the header of a loop, so a later block may jump back to it */

	/*
	 * idom is the immediate dominator: every path to this block leads through the first `lim`
	 * instructions of idom. So the results of these instructions are available in this block.
	 * idom and lim are final once this block is placed.
	 */
	/* depth is the block's depth in the dominator tree. The entry has NOBLOCK and 0. */
	int idom, depth;
	int jump; /* an ancestor in the dominator tree, which lets a search take few steps */
	size_t lim;
	/* number of jumps to the block so far, without those back to the header of a loop */
	int npred;
	int nopen; /* number of references to the block; see ref_block() */
	const char *label;
};

/*
 * The scratch area of a function: memory for strings and long keys, which each CPU has separately.
 * If another run of the function can interrupt it, there are AREAS areas, and each run claims one.
 * The size is known once the function is built. The location is set before the function is
 * expanded.
 */
struct ir_area {
	uint32_t size; /* size of an area in bytes; 0 if no area is needed */
	bool claim;    /* there are AREAS areas, and each run claims one */
	/*
	 * index of the map with the area: MAP_ID_PERCPU, or another map with a value for each CPU
	 */
	int map;
	uint32_t off; /* offset in the map's value */
	/* offset in the MAP_PERCPU value of the words that mark areas as used; see area_claim() */
	uint32_t busy;
};

struct ir_func {
	struct arena *arena;
	const char *name;
	VEC(struct ir_block *) block; /* the blocks, indexed by their numbers */
	VEC(int) order;               /* the numbers of the blocks in topological order */
	VEC(struct ir_reg) reg;
	int32_t frame; /* size of the used stack in bytes, a multiple of 8 */
	int64_t ret;   /* the value that irb_ret() returns */
	struct ir_area area;
	/*
	 * register with the address of the scratch area, if values may be spilled there; else NOREG
	 */
	int spill_base;
	/* size in bytes of the space for spilled values at the end of the area */
	uint32_t spill_size;
	struct func_params params;
	/* index in the unit of the function's first instruction; set by bpf_generate() */
	uint32_t start;
};

/*
 * One unit: its entry function and the functions that it calls. Each function reads its parameters
 * at its very start, in ascending order.
 */
struct ir_unit {
	VEC(struct ir_func *) func; /* func 0 is the entry */
};

/* ------------------------------------------------------------------ builder */

struct cse_entry {
	struct ir_insn in;
	int block; /* block in which the value is computed */
	size_t at; /* index of the instruction in the block */
	uint32_t hash;
	size_t next; /* 1 + the index of an older entry of the same bucket; 0 if there is none */
};

/*
 * A known condition: in @block, and in blocks that it dominates, the condition a cc b (or a cc imm)
 * of @br is true if @holds, else false. The fact is dropped if another jump leads to @block.
 */
struct fact {
	struct ir_insn br;
	int block;
	bool holds;
	uint32_t hash;
	size_t next; /* 1 + the index of an older entry of the same bucket, as in cse_entry */
};

#define IRB_BUCKETS 1024

/*
 * The state while one function is built. The builder folds constants and eliminates common
 * subexpressions (CSE): it reuses a value that was computed on every path to the current block.
 * irb_push() and irb_pop() limit the search: irb_pop() forgets the values computed since
 * irb_push().
 */
struct irb {
	struct arena *arena;
	struct ir_func *f;
	int cur; /* current block */
	VEC(struct cse_entry) cse;
	VEC(struct fact) fact;
	VEC(size_t) scope, fact_scope;
	/* for each bucket, 1 + the index of its newest entry, or 0; allocated on first use */
	size_t *cse_bucket, *fact_bucket;
	bool no_cse;
	bool looping; /* set between irb_loop() and irb_loop_end() */
	/* the kernel's verifier will check the code, and it distinguishes pointers and numbers */
	bool verified;
	int32_t frame_used; /* bytes of stack in use */
	uint32_t ninsn;     /* number of instructions */
};

/* Starts an empty function called @name in the arena @a, at its entry block. */
void irb_init(struct irb *b, struct arena *a, const char *name);

/*
 * Make a block and return its number. Each block must be placed once, by irb_place(). A cold block
 * is rarely executed.
 */
int irb_block(struct irb *b, const char *label);
int irb_cold_block(struct irb *b, const char *label);
/* Makes @block the current block and appends it to the order of blocks. */
void irb_place(struct irb *b, int block);
/* Returns whether the current block has no terminator yet. */
bool irb_is_open(struct irb *b);

/*
 * Memoize the result of several operations. irb_memo_add() records that register @value has version
 * @when of the result for @what (any pointer). irb_memo_find() returns that register, or NOREG if
 * its value is not available in the current block.
 */
int irb_memo_find(struct irb *b, const void *what, int when);
void irb_memo_add(struct irb *b, const void *what, int when, int value);

/*
 * After irb_pop(), new code does not reuse a value that was computed since the matching irb_push().
 * It also does not rely on the result of a comparison since irb_push().
 */
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
 * irb_update() assigns @var op @y to @var. irb_updatei() assigns @var op @imm. Computing a value
 * and then assigning it would take more instructions.
 */
void irb_update(struct irb *b, enum ir_op op, int var, int y);
void irb_updatei(struct irb *b, enum ir_op op, int var, int32_t imm);

/*
 * A loop: for (i = 0; i < bound; i += step). The first round always runs.
 *
 *	struct irb_loop l;
 *	int i = irb_loop(b, &l, 256, 1), c, more = irb_block(b, "more");
 *
 *	c = irb_loadv(b, irb_bin(b, IR_ADD, text, i), 0, 1, false);
 *	irb_bri(b, CC_EQ, c, 0, l.done, more);         leaves the loop
 *	irb_place(b, more);
 *	irb_loop_end(b, &l);                           continues in l.done
 *
 * A jump to l.next continues with the next round. Values that a round passes to the next one, or
 * out of the loop, must be in variables that were assigned before the loop. If a variable holds a
 * pointer in any round, it must have held a pointer before the loop too. Memory that the loop
 * writes must be read with irb_loadv(). Loops cannot be nested. A round may call a function
 * (IR_LCALL) that has a loop, but then the verifier walks all rounds of the inner loop in each
 * round of the outer one.
 *
 * The verifier walks every round. It also walks the code after the loop once for each round that
 * can be the last, unless its states after these rounds are equal. They differ if it knows a result
 * of the loop exactly after each round, for example a length. So write such a result to scratch
 * memory, and read it again before you use it as an offset. If a branch in the loop can go either
 * way, one way should leave the loop. If both ways stay inside, each round doubles the verifier's
 * work. irb_select() chooses between values without a branch.
 */
struct irb_loop {
	/* blocks: the header, the end of a round, and the code after the loop */
	int head, next, done;
	int i; /* the counter, a variable */
	uint32_t bound, step;
};

/* Opens a loop and returns its counter, a variable. */
int irb_loop(struct irb *b, struct irb_loop *l, uint32_t bound, uint32_t step);

/* Ends the current round and closes the loop. The current block is l.done then. */
void irb_loop_end(struct irb *b, const struct irb_loop *l);

/*
 * The functions below that compute a value return the register with that value. IR_OPS describes
 * the operations that they append.
 */
int irb_const(struct irb *b, int64_t v);
/* irb_bin() computes x op y. irb_bini() computes x op imm. @op is one of IR_ADD to IR_SAR. */
int irb_bin(struct irb *b, enum ir_op op, int x, int y);
int irb_bini(struct irb *b, enum ir_op op, int x, int64_t imm);
int irb_neg(struct irb *b, int x);
/*
 * Choose without branches, because every branch may double the verifier's work. irb_select()
 * returns @x if all bits of @mask are set, and @y if @mask is 0. irb_at_least() returns 1 if @x >=
 * @least, else 0; @x and @least must differ by less than 2^63.
 */
int irb_select(struct irb *b, int mask, int x, int y);
int irb_at_least(struct irb *b, int x, int64_t least);
/*
 * Returns @x as a scalar: a value that the verifier does not regard as a pointer, so that all
 * arithmetic is allowed. Functions for arithmetic make scalars of their operands, except irb_neg(),
 * additions, subtractions, and comparisons of whole values.
 */
int irb_scalar(struct irb *b, int x);
int irb_ext(struct irb *b, int x, unsigned size, bool sgn);
int irb_swap(struct irb *b, int x, unsigned size);
int irb_set(struct irb *b, enum ir_cc cc, int x, int y);

/*
 * irb_ctx() returns the program's context, and irb_param() returns parameter @i of the function.
 * irb_load() and irb_loadv() return the @size bytes of memory at @base + @off, sign-extended if
 * @sgn. irb_loadv() is for memory that may change: the program reads it again each time.
 */
int irb_ctx(struct irb *b);
int irb_param(struct irb *b, unsigned i);
/*
 * Begins a function whose f->params is set: stores registers with its parameters in @param. The
 * function returns if a pointer is NULL, because the verifier assumes that it may be.
 */
void irb_take_params(struct irb *b, int param[FUNC_PARAMS]);
int irb_load(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
int irb_loadv(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
void irb_store(struct irb *b, int base, int32_t off, unsigned size, int v);
void irb_storei(struct irb *b, int base, int32_t off, unsigned size, int64_t imm);
void irb_atomic_add(struct irb *b, int base, int32_t off, int v);
/* Adds 1 to the counter at offset @off of this CPU's struct percpu. */
void irb_count(struct irb *b, int32_t off);
/* Atomically replaces the word at @base + @off by @v. Returns the old value. */
int irb_exchange(struct irb *b, int base, int32_t off, int v);
/* Atomically adds @v to the word at @base + @off. Returns the old word. */
int irb_fetch_add(struct irb *b, int base, int32_t off, int v);
/*
 * Returns a pointer through which the program can read and write the arena's memory at @address, a
 * number.
 */
int irb_arena(struct irb *b, int address);
/*
 * If the number of 8 bytes at @base equals @old, atomically replaces it by @v. Returns the old
 * number.
 */
int irb_cmpxchg(struct irb *b, int base, int old, int v);
/*
 * These functions return addresses. irb_addr() returns @base + @off. The next three return the
 * address of byte @off in the only value of map @map, in the MAP_GLOBAL value, and in this CPU's
 * MAP_PERCPU value. irb_task() returns the address of the current task.
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
 * Read memory by probe_read. irb_read() returns the number read, irb_copy() copies @len bytes to
 * @dst, and irb_copystr() copies a string of at most @len bytes. On a fault, the code jumps to
 * block @fault. If @fault is NOBLOCK, a bad address reads as 0.
 */
int irb_read(struct irb *b, int base, int32_t off, unsigned size, bool sgn, int fault);
void irb_copy(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
	      int fault);
void irb_copystr(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
		 int fault);
/*
 * irb_area() returns the scratch area of this run. If all areas are in use, the code jumps to block
 * @none. irb_area_release() releases the scratch area.
 */
int irb_area(struct irb *b, int none);
void irb_area_release(struct irb *b);
/* See IR_SKBPTR, IR_RESERVE and IR_AGG. A record must be committed or discarded on every path. */
int irb_skbptr(struct irb *b, int skb, bool tags);
int irb_reserve(struct irb *b, uint32_t size, int fail);
void irb_commit(struct irb *b, int rec);
void irb_discard(struct irb *b, int rec);
/*
 * Updates aggregation @agg. @word has the words of the key, as irb_take_words() sets them, or is
 * NULL if the key is in memory.
 */
void irb_agg(struct irb *b, int agg, struct ir_arg key, const struct ir_arg *word, unsigned nword,
	     int value, int incr, bool atomic);

/*
 * Turns a key on the stack into words in registers, because a load of a word would wait for the
 * shorter stores to its bytes. Collects the latest stores of the current block to the @size bytes
 * at frame offset @off. If these stores cover all bytes after the first @skip bytes, removes the
 * stores, sets @word to the 8-byte words as registers or numbers, and returns true. Otherwise
 * changes nothing and returns false.
 */
bool irb_take_words(struct irb *b, int32_t off, uint32_t size, uint32_t skip, struct ir_arg *word);

/*
 * Terminators, which end the current block. irb_br() and irb_bri() jump to block @t if x cc y (or x
 * cc imm) is true, else to block @f.
 */
void irb_jmp(struct irb *b, int t);
void irb_br(struct irb *b, enum ir_cc cc, int x, int y, int t, int f);
void irb_bri(struct irb *b, enum ir_cc cc, int x, int64_t imm, int t, int f);
void irb_ret(struct irb *b); /* returns f->ret */
/*
 * Returns 1 if x cc imm is known to be true in the current block, 0 if it is known to be false, and
 * -1 if it is not known.
 */
int irb_decided(struct irb *b, enum ir_cc cc, int x, int64_t imm);
void irb_ret_reg(struct irb *b, int v);

/*
 * irb_frame() allocates @size bytes of stack, aligned to 8 bytes, and returns their (negative)
 * offset from the frame pointer. irb_frame_release() frees all bytes that were allocated since
 * irb_frame_mark() returned @mark.
 */
int32_t irb_frame(struct irb *b, uint32_t size);
int32_t irb_frame_mark(struct irb *b);
void irb_frame_release(struct irb *b, int32_t mark);

/* Returns the description of a register. The pointer is valid until another register is made. */
struct ir_reg *irb_reg(struct irb *b, int reg);
/* Returns whether a register is a constant. If so, sets *@v to its value. */
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
 * Returns a pointer to the @i-th register, counted from 0, that an instruction reads. Returns NULL
 * if it reads no more registers. The register may be NOREG or FRAME.
 */
int *ir_use(struct ir_insn *in, unsigned i);

/* Appends the function as text, one line for each instruction. */
void ir_print(const struct ir_func *f, struct strbuf *out);

/* Aborts with BUG() if the function violates a rule of this header. */
void ir_check(const struct ir_func *f);

/*
 * A loop, described by two indexes in ir_func.order: of its header, and of the block that jumps
 * back.
 */
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
 * Returns @block if it is in no loop, else the last block before the loop. Code in the returned
 * block does not run in every round.
 */
int ir_before_loops(const struct ir_func *f, int block);

/*
 * Code sinking: a slow call runs only where its result is needed. Moves the call down to the last
 * block that is on every path to the instructions that use the result.
 */
void ir_sink(struct ir_func *f);

/*
 * Where a function should look up this CPU's MAP_PERCPU value (in block @percpu) and its scratch
 * area (in block @area); -1 if no instruction needs the result. The block is the nearest one that
 * dominates all instructions that need the result, and all reservations of records. If that block
 * is in a loop, it is the block before the loop instead. Within the block, the lookup goes before
 * the first instruction that needs the result or may jump.
 */
struct ir_lookups {
	int percpu, area;
	/* register with the address of the area; NOREG if there is no area */
	int area_reg;
	const struct ir_insn *area_insn;
};

/*
 * Finds the places for the lookups of @f, which must not be expanded yet. ir_needs_percpu() and
 * ir_needs_area() return whether an instruction needs this CPU's value or the area.
 */
struct ir_lookups ir_find_lookups(const struct ir_func *f, const struct program *p);
bool ir_needs_percpu(const struct program *p, const struct ir_insn *in);
bool ir_needs_area(const struct ir_func *f, const struct ir_lookups *l, struct ir_insn *in);

/* Drops functions that are never called, because the verifier refuses them. */
void ir_drop_functions(struct ir_unit *u);

/* Drops unreachable blocks, because the verifier refuses them. */
void ir_prune(struct ir_func *f);

/*
 * Drops unreachable blocks and unused values, and replaces uses of copies by uses of the originals.
 */
void ir_tidy(struct ir_func *f);

/*
 * Jump threading. A jump to a jump goes directly to the final target, and a jump to a test with a
 * known result goes directly to the block that the test selects. @f must be expanded.
 */
void ir_thread_jumps(struct ir_func *f);

/* Does what ir_tidy() does, merges probe reads of one object into one, and sinks slow calls. */
void ir_optimise(struct ir_func *f);

/*
 * Returns whether the function may read argument @arg of its hook, or the @size bytes at
 * offset @off of the memory that argument 0 points to. Returns true if a pointer goes where the
 * analysis cannot follow. @f must not be expanded yet.
 */
bool ir_may_read(const struct ir_func *f, uint32_t arg, int32_t off, uint32_t size);

/*
 * Returns whether the result of a function may depend on earlier runs of programs, or may change
 * the results of later runs. Returns true if the function uses random numbers, bytes [@from, @to)
 * of the MAP_GLOBAL value (global variables), or a map of variables (MAP_HASH, MAP_LRU_HASH,
 * MAP_TASK, MAP_SOCKET). Records do not count.
 */
bool ir_is_stateful(const struct ir_func *f, const struct map_def *map, int64_t from, int64_t to);

/* The capabilities of the kernel or VM that runs the code; set by link_target(). */
struct ir_target {
	bool replay;       /* code runs in dtrace's VM, where loads need no casts */
	bool rdonly_cast;  /* programs can call bpf_rdonly_cast() for a struct */
	bool skb_dynptr;   /* tracing programs can call bpf_dynptr_from_skb() */
	bool task_storage; /* bpf_task_storage_get() can allocate in any context */
	/* bpf_sk_storage_get() works at all hooks that get a socket or packet */
	bool socket_storage;
	uint32_t off_skb_len, off_skb_data_len, off_skb_data, off_skb_protocol;
	uint32_t iphdr_btf_id; /* BTF id of the struct that IR_SKBPTR casts to */
	uint32_t task_btf_id;  /* BTF id of task_struct */
	/* indexes in program.kfunc */
	int kfunc_cast, kfunc_dynptr_from_skb, kfunc_dynptr_slice;
};

/*
 * Rewrites the semantic operations of all functions into plain ones, and adds the functions that
 * the plain operations call. @p has the layouts of maps and aggregations. @zeros_off is the offset
 * in the MAP_GLOBAL value of a block of zeros, which is the value of a new key.
 */
void ir_expand(struct ir_unit *u, const struct program *p, const struct ir_target *t,
	       uint32_t zeros_off);

#endif
