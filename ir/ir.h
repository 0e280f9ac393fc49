/*
 * ir.h - the intermediate representation of one unit.
 *
 * A function is a graph of blocks.  They are kept in topological order (a block comes
 * after every block that jumps to it), but for loops: D has none, routines need them.  A
 * loop has one header, the only way in, and one jump back to it, and none is within
 * another; see irb_loop().
 * Values are virtual registers of 64 bits.  All but those made by irb_var() are
 * assigned in one place; a variable register is assigned in several arms and read after
 * they meet, or in every round of a loop.
 *
 * There are two levels.  irgen makes semantic operations too (update an
 * aggregation, make packet bytes readable, reserve a record); expand.c rewrites
 * them into plain ones, which bpf/ turns into instructions.
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

/* X(op, name, pure): pure operations may be merged and dropped. */
#define IR_OPS(X) \
	X(IR_NOP, "nop", 0) \
	X(IR_CONST, "const", 1) /* dst = imm */ \
	X(IR_MOV, "mov", 0)     /* dst = a; how a variable register is assigned */ \
	X(IR_ADD, "add", 1)     /* dst = a op b, or a op imm when b is NOREG */ \
	X(IR_SUB, "sub", 1) \
	X(IR_MUL, "mul", 1) \
	X(IR_DIV, "div", 1) /* unsigned; the divisor was tested */ \
	X(IR_MOD, "mod", 1) \
	X(IR_AND, "and", 1) \
	X(IR_OR, "or", 1) \
	X(IR_XOR, "xor", 1) \
	X(IR_SHL, "shl", 1) \
	X(IR_SHR, "shr", 1) \
	X(IR_SAR, "sar", 1) \
	X(IR_NEG, "neg", 1)           /* dst = -a */ \
	X(IR_EXT, "ext", 1)           /* dst = low `size` bytes of a, sign-extended if sgn */ \
	X(IR_SWAP, "swap", 1)         /* dst = low `size` bytes of a, host <-> network order */ \
	X(IR_SET, "set", 1)           /* dst = a cc b ? 1 : 0 */ \
	X(IR_CTX, "ctx", 1)           /* dst = the program's context */ \
	X(IR_PARAM, "param", 1)       /* dst = parameter imm of the function, from 0 */ \
	X(IR_LOAD, "load", 1)         /* dst = `size` bytes at a + off; cannot fault */ \
	X(IR_LOADV, "loadv", 0)       /* the same from memory that programs change */ \
	X(IR_STORE, "store", 0)       /* `size` bytes at a + off = b or imm */ \
	X(IR_ATOMIC, "atomic", 0)     /* *(u64 *)(a + off) += b */ \
	X(IR_XCHG, "xchg", 0)         /* dst = *(u64 *)(a + off), which becomes b, at once */ \
	X(IR_FETCH, "fetch", 0)       /* dst = *(u64 *)(a + off), which grows by b, at once */ \
	X(IR_ARENA, "arena", 1)       /* dst = pointer to address a of the arena */ \
	X(IR_ADDR, "addr", 1)         /* dst = a + off (a may be FRAME) */ \
	X(IR_GLOBAL, "global", 1)     /* dst = address of byte imm of the value of map id */ \
	X(IR_PERCPU, "percpu", 1)     /* dst = address of byte imm of this CPU's value */ \
	X(IR_TASK, "task", 1)         /* dst = current task_struct */ \
	X(IR_CALL, "call", 0)         /* dst = kernel helper imm (arg ...) */ \
	X(IR_PURECALL, "purecall", 1) /* the same, when nobody minds if it is not called */ \
	X(IR_KCALL, "kcall", 0)       /* dst = kfunc imm (arg ...) */ \
	X(IR_LCALL, "lcall", 0)       /* dst = function imm of the unit (arg ...) */ \
	X(IR_CMPXCHG, "cmpxchg", 0)   /* dst = *(u64 *)(arg 0), which becomes arg 2 if that was \
				       * arg 1, at once; registers as for a call */ \
	X(IR_CAST, "cast", 1)         /* dst = a, readable as struct with BTF id imm */ \
	X(IR_PC, "pc", 0)             /* dst = byte offset of this instruction in the unit */ \
	/* semantic */ \
	X(IR_READ, "read", 0)       /* dst = `size` bytes at a + off, by probe_read; a fault */ \
				    /* goes to block t, or gives 0 when that is NOBLOCK */ \
	X(IR_COPY, "copy", 0)       /* imm bytes at b + boff = bytes at a + off, by probe_read */ \
	X(IR_COPYSTR, "copystr", 0) /* the same, up to and with a NUL, by probe_read_str */ \
	X(IR_SKBPTR, "skbptr", 1)   /* dst = where the IP header at skb a's data is readable, \
				     * or 0; imm: there may be VLAN tags before it */ \
	X(IR_RESERVE, "reserve", 0) /* dst = record of imm bytes; none: block t */ \
	X(IR_AREA, "area", 0)       /* dst = the scratch of this run; none is free: block t */ \
	X(IR_AREA_RELEASE, "leave", 0) /* it is given back */ \
	X(IR_COMMIT, "commit", 0)      /* record a goes to the consumer */ \
	X(IR_DISCARD, "discard", 0) \
	X(IR_COUNT, "count", 0) /* the counter at imm of this CPU's struct percpu += 1 */ \
	X(IR_AGG, "agg", 0)     /* aggregation id: key at arg 0, value b, increment a */ \
	/* terminators */ \
	X(IR_JMP, "jmp", 0) /* to block t */ \
	X(IR_BR, "br", 0)   /* if a cc b (or imm) to block t, else f */ \
	X(IR_RET, "ret", 0) /* a, or imm when that is NOREG */

enum ir_op {
#define X(op, name, pure) op,
	IR_OPS(X)
#undef X
};

/* Conditions: U unsigned, S signed; SETBITS: a & b != 0. */
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

/* Nothing is 0: register 0 is never used, and nobody jumps to the entry, block 0. */
enum { NOREG = 0, FRAME = -1, NOBLOCK = 0 };

/* An argument of a call; materialised straight into its register. */
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
	int32_t boff; /* IR_COPY, IR_COPYSTR: of b */
	int id;       /* IR_GLOBAL: map; IR_AGG: aggregation; IR_NOP: when it was noted */
	int64_t imm;
	int t, f; /* blocks that it may jump to; f: IR_BR's alone */
	uint8_t narg;
	struct ir_arg *arg;
};

/*
 * What the verifier will know of a pointer, so that loads through it can be chosen.
 */
enum ptr_class {
	PC_ANY,     /* a number to the verifier, or nobody knows */
	PC_TRUSTED, /* argument of the hook, current task: not NULL, points to its type */
	/* loaded from a pointer member of such, argument of a function: NULL or valid */
	PC_CHAIN,
	PC_SAFE, /* loads of the type it points to cannot fault, they give 0 */
};

struct ir_reg {
	bool is_var;
	bool is_const;
	int64_t value; /* is_const */
	uint8_t pc;    /* enum ptr_class */
	/* the verifier may take it for a pointer, with which it forbids to calculate */
	bool ptr;
	bool or_null;       /* PC_CHAIN: the verifier wants a test before any use */
	struct type *ptype; /* the struct it points to, as the verifier sees it */
	uint8_t op, size;   /* the mergeable operation that makes it; IR_NOP: another */
			    /*
			     * is_var: size, bytes that hold all that was assigned so far, without
			     * a sign
			     */
	bool sgn;
};

struct ir_block {
	VEC(struct ir_insn) insn;
	bool placed;
	bool cold; /* laid out behind the others */
	bool loop; /* the header of a loop: a later block may jump back to it */

	/*
	 * Every way to this block leads through the first `lim` instructions of block
	 * idom: what they computed is known here.  Final when the block is placed.
	 */
	int idom, depth; /* NOBLOCK, 0: the entry */
	int jump;        /* a block further up: finds what is far away in few steps */
	size_t lim;
	int npred; /* jumps to it so far */
	int nopen; /* why a later place may be led to through this one; see release() */
	const char *label;
};

/*
 * Scratch memory of a function: on each CPU an area that no other has.  Where it may run again
 * before it has ended there are AREAS of them, and each run claims one, for which it has busy
 * words.  How much it needs is known when it is made; where that is, before it is expanded.
 */
struct ir_area {
	uint32_t size; /* bytes of one; 0: it needs none */
	bool claim;
	int map;       /* MAP_ID_PERCPU, or a map like it */
	uint32_t off;  /* in the value */
	uint32_t busy; /* offset in the MAP_PERCPU value; see area_claim() */
};

struct ir_func {
	struct arena *arena;
	const char *name;
	VEC(struct ir_block *) block; /* by number */
	VEC(int) order;               /* topological */
	VEC(struct ir_reg) reg;
	int32_t frame; /* bytes of stack in use, a multiple of 8 */
	int64_t ret;   /* what the program returns on every path */
	struct ir_area area;
	int spill_base;      /* register: its area, if values may wait there; else NOREG */
	uint32_t spill_size; /* bytes at the end of the area that are for them */
	struct func_params params;
	/* where its code begins in the unit's; made by bpf_generate() */
	uint32_t start;
};

/*
 * One program: a function, and those it calls.  Parameters are taken in ascending order at
 * the very start of a function.
 */
struct ir_unit {
	VEC(struct ir_func *) func; /* 0: where it starts */
};

/* ------------------------------------------------------------------ builder */

struct cse_entry {
	struct ir_insn in;
	int block; /* where it is computed */
	size_t at; /* as which instruction of the block */
	uint32_t hash;
	size_t next; /* 1 + an older one of the same bucket; 0: none */
};

/* In block @block, if only the branch came there, a cc b (or imm) is known to hold or not. */
struct fact {
	struct ir_insn br;
	int block;
	bool holds;
	uint32_t hash;
	size_t next; /* as in cse_entry */
};

#define IRB_BUCKETS 1024

/*
 * Builds one function.  Folds constants, and finds a value again that was
 * computed on every way to where it is wanted.  Between irb_push and irb_pop only
 * bounds the search: what was computed there is forgotten.
 */
struct irb {
	struct arena *arena;
	struct ir_func *f;
	int cur; /* block under construction */
	VEC(struct cse_entry) cse;
	VEC(struct fact) fact;
	VEC(size_t) scope, fact_scope;
	size_t *cse_bucket, *fact_bucket; /* 1 + the newest; 0: none.  Made when first used */
	bool no_cse;
	bool looping;  /* a loop is open */
	bool verified; /* by the kernel, which tells pointers from numbers */
	int32_t frame_used;
	uint32_t ninsn; /* operations so far */
};

/* An empty function called @name, with its entry to be filled. */
void irb_init(struct irb *b, struct arena *a, const char *name);

/* Blocks: made, then placed once where their code goes. */
int irb_block(struct irb *b, const char *label);
int irb_cold_block(struct irb *b, const char *label);
void irb_place(struct irb *b, int block);
/* Has the current block no terminator yet? */
bool irb_is_open(struct irb *b);

/*
 * The register that @what, as of @when, was noted to be in, if that is known here, else NOREG:
 * for what is made by more than one operation.
 */
int irb_memo_find(struct irb *b, const void *what, int when);
void irb_memo_add(struct irb *b, const void *what, int when, int value);

/* What is computed from here to there is forgotten behind it. */
void irb_push(struct irb *b);
void irb_pop(struct irb *b);

/* Appends an instruction as it is. */
void irb_append(struct irb *b, const struct ir_insn *in);

/* A register that IR_MOV may assign more than once. */
int irb_var(struct irb *b);
void irb_assign(struct irb *b, int var, int value);
/* What @var holds now, as a value. */
int irb_value(struct irb *b, int var);
void irb_assign_imm(struct irb *b, int var, int64_t imm);

/* @var becomes @var op @y, or op @imm: less code than assigning a value made so. */
void irb_update(struct irb *b, enum ir_op op, int var, int y);
void irb_updatei(struct irb *b, enum ir_op op, int var, int32_t imm);

/*
 * A loop: for (i = 0; i < bound; i += step).  The first round is always made.
 *
 *	struct irb_loop l;
 *	int i = irb_loop(b, &l, 256, 1), c, more = irb_block(b, "more");
 *
 *	c = irb_loadv(b, irb_bin(b, IR_ADD, text, i), 0, 1, false);
 *	irb_bri(b, CC_EQ, c, 0, l.done, more);         leaves the loop
 *	irb_place(b, more);
 *	irb_loop_end(b, &l);                           the code behind is in l.done
 *
 * A jump to l.next goes on with the next round.  What one round hands to the next, or to the
 * code behind, is held in variables that were assigned before the loop; a variable that
 * holds a pointer in any round must have held one before.  What the loop itself writes is
 * read with irb_loadv.  There is no loop within a loop: a round may call a function
 * (IR_LCALL) that has one, but the verifier walks all its rounds in each of ours.
 *
 * The verifier walks every round, and whatever follows for each round that can be the last,
 * unless it sees no difference: what comes out of the loop (a length, which it knows exactly
 * in each) should be written to scratch and read again before it is used as an offset.
 * Where it does not know which way a branch goes, one way must leave the loop: if both stay
 * within, each round doubles what it walks.  Choose between values without branches.
 */
struct irb_loop {
	int head, next, done; /* blocks */
	int i;                /* register, a variable */
	uint32_t bound, step;
};

/* Opens a loop; the counter, a variable. */
int irb_loop(struct irb *b, struct irb_loop *l, uint32_t bound, uint32_t step);
void irb_loop_end(struct irb *b, const struct irb_loop *l);

/* What makes a value gives its register; those of ir_op are as IR_OPS above says of them. */
int irb_const(struct irb *b, int64_t v);
/* @op is one of IR_ADD ... IR_SAR. */
int irb_bin(struct irb *b, enum ir_op op, int x, int y);
int irb_bini(struct irb *b, enum ir_op op, int x, int64_t imm);
int irb_neg(struct irb *b, int x);
/*
 * Without a branch, each of which may double what the verifier walks: @x where @mask is all ones,
 * else (0) @y; 1 if @x >= @least, else 0, of numbers that differ by less than 2^63.
 */
int irb_select(struct irb *b, int mask, int x, int y);
int irb_at_least(struct irb *b, int x, int64_t least);
/*
 * @x as a number, with which everything may be calculated: all but irb_neg, additions
 * and the comparison of whole values ask for it by themselves.
 */
int irb_scalar(struct irb *b, int x);
int irb_ext(struct irb *b, int x, unsigned size, bool sgn);
int irb_swap(struct irb *b, int x, unsigned size);
int irb_set(struct irb *b, enum ir_cc cc, int x, int y);

/*
 * The context, and the function's parameter @i.  Memory: @size bytes at @base + @off, extended by
 * the sign if @sgn; what somebody else may change is read by irb_loadv(), which asks again each
 * time.
 */
int irb_ctx(struct irb *b);
int irb_param(struct irb *b, unsigned i);
int irb_load(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
int irb_loadv(struct irb *b, int base, int32_t off, unsigned size, bool sgn);
void irb_store(struct irb *b, int base, int32_t off, unsigned size, int v);
void irb_storei(struct irb *b, int base, int32_t off, unsigned size, int64_t imm);
void irb_atomic_add(struct irb *b, int base, int32_t off, int v);
/* Adds 1 to the counter at @off of this CPU's struct percpu. */
void irb_count(struct irb *b, int32_t off);
/* The word at @base becomes @v, at once; gives what it was. */
int irb_exchange(struct irb *b, int base, int v);
/* The word at @base + @off grows by @v, at once; gives what it was. */
int irb_fetch_add(struct irb *b, int base, int32_t off, int v);
/* A pointer through which the arena's memory at @address, a number, is read and written. */
int irb_arena(struct irb *b, int address);
/* The word at @base becomes @v if it is @old, at once; gives what it was. */
int irb_cmpxchg(struct irb *b, int base, int old, int v);
/*
 * Addresses: @base + @off; of a map's one value, of ours (MAP_GLOBAL), of this CPU's (MAP_PERCPU);
 * the current task.
 */
int irb_addr(struct irb *b, int base, int32_t off);
int irb_map_value(struct irb *b, int map, int64_t off);
int irb_global(struct irb *b, int64_t off);
int irb_percpu(struct irb *b, int64_t off);
int irb_task(struct irb *b);
/* @p, through which the struct of that ID may be read; where this instruction is. */
int irb_cast(struct irb *b, int p, uint32_t btf_id);
int irb_pc(struct irb *b);

/* @op: IR_CALL and others of its kind; @arg is copied. */
int irb_call(struct irb *b, enum ir_op op, int func, unsigned narg, const struct ir_arg *arg);

/* By probe_read: what cannot be read goes to block @fault, or gives 0 where that is NOBLOCK. */
int irb_read(struct irb *b, int base, int32_t off, unsigned size, bool sgn, int fault);
void irb_copy(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
	      int fault);
void irb_copystr(struct irb *b, int dst, int32_t dstoff, int src, int32_t off, uint32_t len,
		 int fault);
/* Where this run's scratch begins; @none: block, if there is none.  Given back by irb_area_release.
 */
int irb_area(struct irb *b, int none);
void irb_area_release(struct irb *b);
/*
 * See IR_SKBPTR; a record of the ring, which is committed or discarded on every way; an
 * aggregation's update.
 */
int irb_skbptr(struct irb *b, int skb, bool tags);
int irb_reserve(struct irb *b, uint32_t size, int fail);
void irb_commit(struct irb *b, int rec);
void irb_discard(struct irb *b, int rec);
void irb_agg(struct irb *b, int agg, struct ir_arg key, int value, int incr, bool atomic);

/* They end the block. */
void irb_jmp(struct irb *b, int t);
void irb_br(struct irb *b, enum ir_cc cc, int x, int y, int t, int f);
void irb_bri(struct irb *b, enum ir_cc cc, int x, int64_t imm, int t, int f);
void irb_ret(struct irb *b); /* f->ret */
/* Is it known here whether x cc imm?  1: it holds, 0: it does not, -1: not known. */
int irb_decided(struct irb *b, enum ir_cc cc, int x, int64_t imm);
void irb_ret_reg(struct irb *b, int v);

/*
 * Stack memory of @size bytes, 8-aligned; returns its (negative) offset from the
 * frame pointer.  irb_frame_mark/release bracket code whose slots may be reused.
 */
int32_t irb_frame(struct irb *b, uint32_t size);
int32_t irb_frame_mark(struct irb *b);
void irb_frame_release(struct irb *b, int32_t mark);

/* What is known of it, until another is made. */
struct ir_reg *irb_reg(struct irb *b, int reg);
/* The constant a register holds; false: it is not one. */
bool irb_is_const(struct irb *b, int reg, int64_t *v);

/* What holds when @cc does not; CC_BITS has none. */
enum ir_cc ir_cc_invert(enum ir_cc cc);
/* Does it hold of numbers? */
bool ir_fold_cc(enum ir_cc cc, int64_t x, int64_t y);

/* Do all ways to block @b lead through block @d? */
bool ir_dominates(const struct ir_func *f, int d, int b);

/* The last block that all ways to both @x and @y lead through: it may be one of them. */
int ir_common_dominator(const struct ir_func *f, int x, int y);

/* ------------------------------------------------------------------- passes */

/*
 * The @i'th register that an instruction reads, from 0: where it stands.  It may be NOREG or
 * FRAME; NULL: there are no more.
 */
int *ir_use(struct ir_insn *in, unsigned i);

/* One line an instruction; appended. */
void ir_print(const struct ir_func *f, struct strbuf *out);

/* BUG()s if the function breaks a rule of this header. */
void ir_check(const struct ir_func *f);

/* A loop: places in ir_func.order of its header and of the block that jumps back to it. */
struct ir_span {
	size_t from, to;
};
struct ir_loops {
	struct ir_span *v;
	size_t n, cap;
};

/* The loops of @f in the order of their ends; vec_free() them. */
void ir_find_loops(const struct ir_func *f, struct ir_loops *l);

/*
 * @block, or where it is in a loop the last before that: what is done there is not done in each
 * round.
 */
int ir_before_loops(const struct ir_func *f, int block);

/* Moves what takes the kernel long to say, and nobody may want, to where it is wanted. */
void ir_sink(struct ir_func *f);

/*
 * Where a function is to look up this CPU's value, and its area: the last blocks that all ways to
 * those that want them lead through; -1: it does not.  In such a block, before the first
 * instruction that wants it, or that may jump.
 */
struct ir_lookups {
	int percpu, area;
	int area_reg;                    /* register: the area; NOREG: it has none */
	const struct ir_insn *area_insn; /* where the code asked for it */
};

/* Of a function that is not expanded yet; whether an instruction is one of those that want it. */
struct ir_lookups ir_find_lookups(const struct ir_func *f, const struct program *p);
bool ir_needs_percpu(const struct program *p, const struct ir_insn *in);
bool ir_needs_area(const struct ir_func *f, const struct ir_lookups *l, struct ir_insn *in);

/* Drops the functions that nobody calls: the verifier refuses them. */
void ir_drop_functions(struct ir_unit *u);

/* Drops blocks that nobody reaches: the verifier refuses them. */
void ir_prune(struct ir_func *f);

/* That, and values nobody uses, and copies of values. */
void ir_tidy(struct ir_func *f);

/*
 * Jumps to jumps go where those go; where it is known how the test at the end of a jump comes out,
 * behind it.  For functions that are expanded.
 */
void ir_thread_jumps(struct ir_func *f);

/* That, and probe reads of one object merged into one. */
void ir_optimise(struct ir_func *f);

/*
 * May the function look at argument @arg of its hook (not 0), or at the @size bytes at
 * @off behind argument 0?  The answer is yes when either pointer goes where it cannot be
 * followed.  For functions that are not expanded yet.
 */
bool ir_may_read(const struct ir_func *f, uint32_t arg, int32_t off, uint32_t size);

/*
 * May what the function does hang on what was run before it, or change what others do: does it look
 * at bytes @from to @to of the MAP_GLOBAL value, where variables are, at hashes other than
 * aggregations', or at random numbers?  Records are not looked for.
 */
bool ir_is_stateful(const struct ir_func *f, const struct map_def *map, int64_t from, int64_t to);

/* What the target can do, found out by trying (link_target()). */
struct ir_target {
	bool replay;       /* our VM: loads need no cast */
	bool rdonly_cast;  /* bpf_rdonly_cast() to a struct */
	bool skb_dynptr;   /* bpf_dynptr_from_skb() in tracing programs */
	bool task_storage; /* bpf_task_storage_get() takes memory at any place of the kernel */
	uint32_t off_skb_len, off_skb_data_len, off_skb_data, off_skb_protocol;
	uint32_t iphdr_btf_id;                                     /* for IR_SKBPTR's cast */
	int kfunc_cast, kfunc_dynptr_from_skb, kfunc_dynptr_slice; /* indices into program.kfunc */
};

/*
 * Rewrites the semantic operations of all functions, and adds the functions that these need;
 * @p gives map and aggregation layouts.
 */
void ir_expand(struct ir_unit *u, const struct program *p, const struct ir_target *t,
	       uint32_t zeros_off);

#endif
