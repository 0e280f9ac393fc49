/*
 * irgen.h - typed trees to IR: what the parts of the generator share.
 */
#ifndef COMPILER_IRGEN_H
#define COMPILER_IRGEN_H

#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/shape.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "ir/ir.h"
#include "providers/kernel.h"
#include "compiler/code/text.h"
#include "compiler/code/trust.h"

#define ERROR_FUNC 1
#define FAULT_ARGS 6 /* ERROR's arg0 to arg5 mean something */

/* Parameters of ERROR_FUNC.  It returns 1 if exit() was called, else 0. */
enum { ERROR_CTX, ERROR_WHERE, ERROR_PC, ERROR_VALUE, ERROR_SCRATCH, ERROR_NPARAM };

/* One unit being built. */
struct unit_build {
	struct hook *hook;
	uint32_t index; /* in program.unit */
	uint32_t scratch_used, scratch_max;
	int scratch_base;          /* register: where this run's scratch begins */
	int gate;                  /* register: the gate as it was found; NOREG: it is open */
	int end;                   /* block: what is done at the end of every run */
	bool has_error;            /* ERROR's clauses are function ERROR_FUNC of the unit */
	bool error_exits;          /* one of them calls exit() */
	bool error_ctx;            /* they look at the context */
	int fault_arg[FAULT_ARGS]; /* in that function: registers of arg0 ... */
	/* register: the kernel's object behind the context; see struct hook */
	int behind;
	/* how often what is kept with the thread may have got its place; see vars.c */
	int kept;
	struct routines *routines;
};

/* A test that may fail, and what is to be reported then. */
struct fault_site {
	int block;
	enum fault_code code;
	int action;
	int value; /* register; NOREG: none */
	int handler;
};

/* Where a fault goes that finds a record reserved. */
struct late {
	int block, rec;
};

/* An expression that gives the same throughout a firing; see steady_copy(). */
struct steady {
	const struct expr *e;
	uint32_t hash;
	bool told; /* evaluated where the user is told of a fault */
	struct steady *next;
};

#define NSTEADY 128

/* A probe firing inside a unit: the state while its clauses are generated. */
struct fire {
	struct compiler *c;
	struct layout *layout;
	struct irb *b;
	struct program *p;
	struct unit_build *u;
	struct probe *probe;
	struct hook_use *hook;
	struct steady *steady[NSTEADY]; /* by hash */
	/* assignments so far, and what else may change what expressions give */
	int changes;
	/* generating a guard or native argument: curthread is the current task */
	bool in_native;
	bool hidden; /* its clauses are hidden ones */

	/* of the clause */
	uint32_t epid;        /* of a family: of the first probe of the clause's */
	int epid_at;          /* register: of the one that fires; NOREG: it is epid */
	int number;           /* register: which of a family fires; NOREG: known, see probe */
	struct probe **among; /* of a family: those that the clause is at */
	uint32_t namong;
	struct recording *recording; /* clause.c: its actions, and where in the record they write */
	size_t next_action;          /* among them: the next to be generated */
	int next;                    /* block: what comes behind it */
	int action;                  /* 1-based; 0: in the predicate */
	int rec;                     /* register: the record; NOREG before it is reserved */
	struct {
		int block;                   /* handles faults now */
		int value, info, pc;         /* variable registers that describe the fault */
		VEC(struct fault_site) site; /* blocks not placed yet */
	} fault;
	VEC(struct late) late;

	struct {
		int32_t off; /* in scratch */
		uint32_t size;
		int top; /* register: bytes taken so far */
	} memory;        /* of the clause: see memory.c */

	struct {
		struct {
			int32_t off;
			uint32_t size;
		} memory;     /* this-> structs and arrays, side by side in scratch */
		int *reg;     /* by var index: registers of this-> scalars */
		int32_t *off; /* by var index: scratch offsets of this-> strings */
	} locals;             /* D's clause-local variables */
	int32_t token_off;    /* scratch offset of the string that strtok() splits */
};

/* What becomes of a string that is NULL where it goes. */
enum null_string { NULL_FAULT, NULL_EMPTY, NULL_KEEP };

/* A place in memory that a string or key goes to. */
struct dest {
	int base; /* register or FRAME */
	int32_t off;
	uint32_t size; /* of the slot */
	bool zero;     /* unused bytes must be zero: keys, and what is compared */
	bool text;     /* characters are wanted, whatever the cheapest form */
	enum null_string null;
};

/* Memory that an expression denotes. */
struct mem {
	int base;
	int32_t off;
	struct type *owner; /* the struct that base points to, for the verifier; may be NULL */
	bool lib;           /* library text: no faults */
	bool user;          /* the current process's memory: copied in, or a fault */
	bool own;           /* our memory (map value, scratch): plain loads */
	bool ip_header;     /* replay: base points to a packet's IP header, */
	bool or_null;       /* or is NULL */
};

/*
 * The thread that the probe fires for: the one that runs, unless its derivation says another
 * (`as`).
 */
int gen_thread(struct fire *g);

/* The value of a scalar expression, widened to 64 bits by its type. */
int gen(struct fire *g, const struct expr *e);

/* The same of what comes before @next, which may change the variable that it is. */
int gen_before(struct fire *g, const struct expr *e, const struct expr *next);

/* Evaluates for its effect. */
void gen_effect(struct fire *g, const struct expr *e);

/* Goes to block @t if the expression is not 0, else to @f. */
void gen_cond(struct fire *g, const struct expr *e, int t, int f);

/*
 * Goes on, in a new block, if the expression is not 0, else to @otherwise.  What
 * it computed on the way stays known, so the caller must be within a scope that
 * ends before @otherwise is placed.
 */
void gen_require(struct fire *g, const struct expr *e, int otherwise);

/* The memory of an lvalue, array or struct expression. */
struct mem gen_mem(struct fire *g, const struct expr *e);

/* The same; @write: it will be written to. */
struct mem gen_lvalue(struct fire *g, const struct expr *e, bool write);

/*
 * @v, which must be at most @most, else there is a fault: as a value of its own, which is to be
 * used at once.  @v itself may wait on the stack, and before Linux 6.9 the verifier does not know
 * of what is loaded from there what a test of an earlier load has told.
 */
int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value);

/* The address of @m.  The verifier lets nobody add to a pointer that may be NULL. */
int address_of(struct fire *g, struct mem m);

/* @size bytes of it. */
int mem_load(struct fire *g, struct mem m, unsigned size, bool sgn);

/* Copies @n bytes of it to @d at @doff, 8 at a time where alignment allows. */
void mem_copy(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

/*
 * The same of a whole struct: the verifier wants loads of what it knows to be of one member each.
 */
void mem_copy_whole(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n);

/* Goes to the fault handler from here, and goes on in an unreachable block. */
void gen_fault(struct fire *g, enum fault_code code, int value);

/*
 * Sends the @size bytes at @rec of the frame as a record of their own, and goes on in block @told,
 * behind which code is put.  Where there is no room for them block @lost adds 1 to @counter of
 * struct percpu.
 */
void gen_send(struct irb *b, int32_t rec, uint32_t size, int32_t counter, int lost, int told);

/*
 * A block that reports the fault; the check that fails jumps there.  That jump is to be made before
 * the next such block is asked for, as waiting ones may be placed then.
 */
int fault_block(struct fire *g, enum fault_code code, int value);

/* Generates the blocks that fault_block() promised and that wait still. */
void place_faults(struct fire *g);

/* ---- place.c ---- */

/* Where a value is kept that is read and written: what an lvalue is. */
struct place {
	enum { IN_REG, IN_MEM, IN_MAP } where;
	struct type *type;       /* without typedefs */
	const struct var *var;   /* IN_REG, IN_MAP: all of this variable */
	const struct expr *expr; /* IN_MAP: says which entry */
	struct mem at;           /* IN_MEM */
	/* of a bit-field: its first bit in there, its width; 0: it is none */
	unsigned bit, bits;
	unsigned unit; /* and in how many bytes it lies */
};

/* The place of an lvalue, array or struct; @write: it will be written to. */
struct place place_of(struct fire *g, const struct expr *e, bool write);

/* The scalar that is there, widened to 64 bits by its type. */
int place_load(struct fire *g, const struct place *p);

/* Scalar @v as it will be found there: cut to the size of the type. */
int place_cut(struct fire *g, const struct place *p, int v);
void place_store(struct fire *g, const struct place *p, int v);

/* ---- memory.c ---- */

/* The clause has all of its memory to take. */
void memory_begin(struct fire *g, const struct enabling *en);

/* The address of the next @n bytes; a fault if they are not there. */
int memory_take(struct fire *g, int n);

/* The address @addr, through which @n bytes may be written: a fault if they were not taken. */
int memory_at(struct fire *g, int addr, int n);

/*
 * The same of the @size bytes at @m, which may also be of a variable that is memory (none in a
 * hash).
 */
struct mem memory_to(struct fire *g, struct mem m, uint32_t size);

/*
 * Copies @n bytes to @at from address @from, of the kernel or of the process; a fault if they are
 * not there.
 */
void memory_fill(struct fire *g, int at, int n, int from, bool user);

/*
 * Copies @n bytes, at most @most, from @at, which is ours, to the process's @to; a fault if it lets
 * us not.
 */
void memory_out(struct fire *g, int to, int at, int n, uint32_t most);

/* memory_take() for a moment: what it took is given back when register @mark is put back. */
int memory_mark(struct fire *g);
void memory_release(struct fire *g, int mark);

/* ---- strings.c ---- */

/* The same of string expression @e. */
void gen_str(struct fire *g, const struct expr *e, struct dest d);

/* To @t if the strings compare so (strcmp order), else to @f. */
void gen_str_order(struct fire *g, enum binary_op op, const struct expr *x, const struct expr *y,
		   int t, int f);

/* To @t if the strings are equal, else to @f. */
void gen_str_equal(struct fire *g, const struct expr *x, const struct expr *y, int t, int f);

/* The byte of the string at @index: 0 behind its end, a fault where no string has one. */
int gen_str_byte(struct fire *g, const struct expr *e, const struct expr *index);

/*
 * The characters of string @e in scratch memory, for a routine of text.h: a register with the
 * address of the first.  NULL is a fault.
 */
int gen_chars(struct fire *g, const struct expr *e);

/*
 * The address of its characters in the clause's memory, where they stay until it ends; 0 if it is
 * NULL.
 */
int gen_str_address(struct fire *g, const struct expr *e);

/*
 * Writes string @value, its NUL included, to memory: to lvalue @to of type string.  NULL is a
 * fault.
 */
void gen_str_store(struct fire *g, const struct expr *to, const struct expr *value);

/* As gen_chars(), to @d in scratch memory, which has room for a text of text.h. */
void gen_chars_at(struct fire *g, const struct expr *e, struct dest d);

/* The firing's state of strtok(), of text.h; it begins empty. */
struct dest token_state(struct fire *g);
void token_init(struct fire *g);

/* How many bytes of scratch, from g->token_off, it keeps for that. */
uint32_t token_size(const struct compiler *c);

/* The base of numbers that is given: 2 to 36, else a fault. */
int gen_base(struct fire *g, const struct expr *e);

/* Words for a routine: a register with their address. */
int gen_words(struct fire *g);

/* Calls a routine of text.h, for texts of these sizes, with these registers. */
void gen_text(struct fire *g, enum text_routine r, struct text_size s, unsigned n, const int *reg);

/* Where the characters of slot @d go: all of it is made zero if it asks for that. */
int gen_chars_into(struct fire *g, struct dest d);

/*
 * A condition as a number: make the blocks, have the condition lead to @yes or @no, then take the
 * value, which is 1 behind the one and 0 behind the other.
 */
struct truth {
	int yes, no;
	int done, v;
};

/* Makes the blocks, or takes the value: the code behind is in a block of its own then. */
struct truth truth_blocks(struct irb *b);
int truth_value(struct irb *b, const struct truth *t);

/*
 * Of all copies of a library's expression that give the same throughout the firing, always the
 * same one: its value may be noted by it.  NULL: it may give something else each time.
 */
const struct expr *steady_copy(struct fire *g, const struct expr *e);

/* Of a choice, what @value gives of the branch that is taken. */
int gen_either(struct fire *g, const struct expr *e,
	       int (*value)(struct fire *g, const struct expr *e));

/*
 * The @n bytes behind a pointer: &hdr->saddr is the member itself.  What goes beyond the object
 * that is pointed at is not loaded as a part of it.
 */
struct mem gen_pointed(struct fire *g, const struct expr *e, uint32_t n);

/*
 * Goes on at @quad if the IPv6 address at @m holds an IPv4 address in its last four bytes (mapped,
 * compatible), else at @groups; gives those four bytes.
 */
struct mem gen_quad_or_groups(struct fire *g, struct mem m, int quad, int groups);

/*
 * Makes IPv4's address of what slot @d holds, if inet_ntop() writes that with an IPv4 address at
 * its end.
 */
void slot_as_ip4(struct fire *g, struct dest d);

/* Writes the address at @m, of @n bytes (4 or 16), into slot @d. */
void put_address_of(struct fire *g, struct dest d, struct mem m, unsigned n);

/*
 * Writes the link address that @e points to, of Ethernet or @infiniband, as characters into slot
 * @d.
 */
void gen_link_text(struct fire *g, const struct expr *e, bool infiniband, struct dest d);
/* The IPv6 address that @e points to as text in slot @d, by RFC 5952. */
void gen_strict_text(struct fire *g, const struct expr *e, struct dest d);

/* strlen(e), as a register. */
int gen_strlen(struct fire *g, const struct expr *e);

/*
 * Goes on at block @null if the string in slot @d is NULL, which is known only when it runs, else
 * at @some.
 */
void branch_null(struct fire *g, struct dest d, int null, int some);

/* Writes NULL, or what @d wants instead: a fault where the text is the user's. */
void gen_str_null(struct fire *g, const struct expr *e, struct dest d);

/* A scratch slot of this firing, 8-aligned, address in a register-based dest. */
struct dest scratch_slot(struct fire *g, uint32_t size);

/* What was taken since g->u->scratch_used was @mark is free for what comes behind. */
void scratch_release(struct fire *g, uint32_t mark);

/* ---- addr.c ---- */

/*
 * 1 if the address (text, or a pointer to it) lies in the network, a literal; what is no address
 * lies nowhere.
 */
int gen_cidr(struct fire *g, const struct expr *address, const struct expr *network);

/* Writes the network of call net(address, bits) into a scratch slot, in binary form. */
struct dest gen_net(struct fire *g, const struct expr *call);

/* ---- routine.c ---- */

struct routines;

/*
 * What the language needs at run time and would be long written out at each place: a function
 * of the unit, made once, when it is first called, and verified once.
 */
struct routine {
	const char *name; /* for dumps and the kernel's list of symbols */
	/*
	 * Makes the function: takes the parameters by irb_param(), which are not NULL, and ends in
	 * irb_ret().  It sees neither the clause nor the context, only its parameters,
	 * and @with, which it was asked for with.  At most 96 bytes of stack: what is larger is the
	 * caller's scratch.  It may call others, of the same unit.
	 */
	void (*gen)(struct irb *b, struct routines *all, uint32_t with);
	/*
	 * How many parameters there are, and the bytes that each points to, 0 for a number.  NULL:
	 * it is verified at each call, as it does what the verifier allows with no memory whatever
	 * it is.
	 */
	uint32_t (*params)(uint32_t with, uint32_t size[FUNC_PARAMS]);
};

/* The routines of a unit so far. */
struct routines {
	struct ir_unit *unit;
	struct compiler *c;
	bool verified;
	VEC(struct made_routine {
		const struct routine *r;
		uint32_t with;
		int func;
	})
	made;
};

/* Calls @r, made for @with, with @narg (up to 5) arguments; the register of its result. */
int call_routine(struct irb *b, struct routines *all, const struct routine *r, uint32_t with,
		 unsigned narg, const struct ir_arg *arg);
int gen_routine(struct fire *g, const struct routine *r, uint32_t with, unsigned narg,
		const struct ir_arg *arg);

/* ---- stack.c ---- */

/* Writes the stack at the hook into slot @d, all of it. */
void gen_stack(struct fire *g, const struct expr *e, struct dest d);

/* Writes the address that sym(), usym() ... is to name into slot @d, a process's with its pid. */
void gen_symbol(struct fire *g, const struct expr *e, struct dest d);

/* caller, ucaller, and how many frames there are: stackdepth, ustackdepth. */
int gen_caller(struct fire *g, const struct expr *e);
int gen_ucaller(struct fire *g, const struct expr *e);
int gen_stackdepth(struct fire *g, const struct expr *e);

/* ---- keys.c ---- */

/* Stores a key expression at @d's base + off as a field of type @t. */
void gen_key_field(struct fire *g, const struct expr *e, struct type *t, struct dest d);

/* Key layout: fields after @start bytes.  Returns the key's size. */
uint32_t key_layout(struct compiler *c, struct type **key, const struct strclass *cls, uint32_t n,
		    uint32_t start, struct field *out);

/* A value of that type at the next aligned place from @off on, which goes behind it. */
struct field field_of(struct compiler *c, struct type *t, struct strclass cls, uint32_t *off);

/* ---- vars.c ---- */

/* The memory of a variable that is kept as such, to be read, or @write: written too. */
struct mem var_mem(struct fire *g, const struct var *v, const struct expr *e, bool write);
int var_load(struct fire *g, const struct var *v, const struct expr *e);
void var_store(struct fire *g, const struct var *v, const struct expr *e, int value);
/* The entry of a variable in a map is no more. */
void var_erase(struct fire *g, const struct var *v, const struct expr *e);
/* Writes what a string variable holds, as it holds it. */
void var_load_str(struct fire *g, const struct var *v, const struct expr *e, struct dest d);
/* Gives the slot in scratch memory in which the value that was stored still stands. */
struct dest var_store_str(struct fire *g, const struct var *v, const struct expr *e,
			  const struct expr *value);
void this_init(struct fire *g);
/* Gives the firing's this-> structs and arrays their room. */
void this_room(struct fire *g);
/*
 * Is the variable a this-> one that clauses of this firing may use?  Hidden clauses have their own.
 */
bool this_of(bool hidden, const struct var *v);
/* Sets an entry that is not there to 1, at once for all CPUs: 1 if it was not there, else 0. */
int var_claim(struct fire *g, const struct expr *e);

/* ---- enumgen.c ---- */

/* A register with the index in program.str of the value's name. */
int enumstr_index(struct fire *g, const struct expr *e);

/* ---- family.c ---- */

/* The firing's number is found out, or it goes to @skip. */
void family_number(struct fire *g, int skip);
/* The same, where it is compared with that of one probe and needs no bound. */
void family_one(struct fire *g);
/* A register with the cookie that a host probe was attached with. */
int family_cookie(struct fire *g);

/*
 * Of the @n probes at @p, one fires: which, counted from 1, is in the register that comes back.
 * To @skip if none of them.
 */
int family_which(struct fire *g, struct probe **p, uint32_t n, int skip);

/* A host probe of a family is enabled: it gets its number. */
void family_join(struct compiler *c, struct probe *p);

/* Is that string one of the probe's names that the number tells only when it fires? */
bool family_names_it(const struct fire *g, const struct expr *e);

/* Such a name's index in program.str. */
int family_name(struct fire *g, const struct expr *e);

/* Its characters: @size bytes that end with NULs. */
struct mem family_chars(struct fire *g, const struct expr *e, uint32_t *size);

/* To @t if @s is that name, else to @f. */
void family_equal(struct fire *g, const struct expr *e, const char *s, int t, int f);

/* A register with the probe's ID. */
int family_id(struct fire *g);

/*
 * How many rows a table by number has; what row the probe that fires has in such a one, of @size
 * bytes each.
 */
uint32_t family_rows(const struct family *f);
int family_look(struct fire *g, const void *table, unsigned size);

/* ---- places.c ---- */

/* Argument @i of a static probe; @at: where it is asked for. */
int gen_placed(struct fire *g, uint64_t i, struct loc at);

/* ---- clause.c ---- */

/* ns since 1970. */
int gen_walltime(struct fire *g);

/* The clause's epid at the probe that fires. */
int fire_epid(struct fire *g);

#define RECORD_MAX (16u << 20) /* bytes of a record */

/* Generates one clause of the firing. */
void gen_clause(struct fire *g, struct enabling *en, struct clause_info *ci, uint32_t epid);

/* The record of the clause belongs to speculation @id in its @turn. */
void record_speculatively(struct fire *g, int id, int turn);

/*
 * Nothing more of the clause runs, and nothing of it is recorded; goes on in an unreachable block.
 */
void leave_clause(struct fire *g);

/* What a recording action writes: an expression into a field of the record. */
void record_arg(struct fire *g, struct action_info *act, const struct expr *e);

#endif
