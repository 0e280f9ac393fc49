/*
 * sema.h - what names mean: the tables the compiler builds while it reads.
 *
 * One struct compiler compiles one program: the library texts, then the user's
 * texts, to one struct program.
 */
#ifndef COMPILER_SEMA_H
#define COMPILER_SEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"
#include "ir/types/type.h"

/* ------------------------------------------------------------------ probes */

/* A hook of a probe: a host probe, and how the probe is derived from it. */
struct hook_use {
	struct host_probe *host;
	struct expr *guard; /* typed; NULL: none */
	/* what the user wants to see of it, tested behind the guard; typed; NULL: all */
	struct expr *filter;
	struct expr *as;      /* what curthread is there; typed; NULL: the current task */
	struct expr **native; /* typed; for host probes NULL: the hook's own arguments */
	uint32_t nnative;
};

struct probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct probe_decl *decl; /* stable probes */
	struct derivation *deriv;
	/* of it, the one in use, as hooks of host providers; NULL: none */
	const struct hook_on *group;
	struct host_probe *host; /* host probes */
	/* order on one hook: of derivations and hidden clauses in the texts */
	uint32_t rank;

	bool resolved;
	struct hook_use *hook; /* after resolving; nhook 0: does not exist here */
	uint32_t nhook;
	const char *missing;      /* what this kernel lacks */
	VEC(const char *) passed; /* groups of hooks that were passed over, and why */
	bool left_out;            /* and the user was told */
	int32_t info;             /* index in program.probe, -1: not used yet */
	struct family *family;    /* NULL: of none */
	uint32_t number;          /* which of it */
	/* of a family: types of args[], in place of the declared ones.  NULL: none */
	struct type **typed;
	uint32_t ntyped;
};

/*
 * Probes of one hook that differ by a number: they have one firing (providers/family.c).  Of a
 * stable provider's the numbers are the names', and the last native argument tells which it is;
 * host probes get theirs from the linker, and their attachments tell.
 */
struct family {
	const struct family_names *names; /* NULL: they are host probes */
	struct hook_use *use;             /* of host probes: of all of them */
	VEC(struct probe *) at;           /* host probes by number: those that are enabled */
	unsigned varies;                  /* bit PD_x: that field is not the same for all of them */
	/* as declared; not a probe itself.  Its last native argument is the number */
	struct probe *first;
	struct probe **member;       /* by number; NULL: not asked for yet */
	struct probe_decl decl;      /* what they are declared as: without the number */
	uint32_t id, step;           /* the ID of one is id + step * its number */
	const struct enabling *seen; /* the linker has gathered that one's */
	/* the names of all, side by side: index of the first in program.str */
	uint32_t str;
	bool has_str;
};

/* What a clause does with memory that it asks for: alloca(), stores through pointers. */
enum { MEMORY_USED = 1, MEMORY_SIZED = 2 /* of computed size */ };

#define FILTER_TASK "__filter_task" /* the inline that says which processes are wanted */
#define FILTER "__filter" /* the inline that says which packets and connections are wanted */

/* One clause for one of its descriptions: compiled once, run at each of the probes. */
struct enabling {
	struct clause *clause;
	const struct probe_desc *desc; /* of hidden clauses NULL */
	struct expr *pred;             /* typed */
	struct stmt *body;             /* typed */
	struct probe **probe;
	uint32_t nprobe;
	bool hidden;     /* of a library text: no records, the user knows nothing of it */
	unsigned memory; /* MEMORY_* */
	struct recording *recording; /* clause.c: what it records; NULL: not laid out yet */
	struct enabling *next;
};

/* ------------------------------------------------------- names, by symkind */

enum sym_kind {
	SYM_NONE,
	SYM_VAR,      /* sym: struct var */
	SYM_BUILTIN,  /* sym: struct builtin_var; ival: n of argN */
	SYM_PROBEARG, /* args[ival] of a stable probe */
	SYM_NATIVE,   /* native argument ival of a stable probe */
	SYM_HOSTARG,  /* argument ival of the hook */
	SYM_PARAM,    /* of a definition that is only checked */
	SYM_BOUND,    /* sym: a typed expression that the name stands for */
	SYM_SUBR,     /* sym: struct subr */
	SYM_ACTION,   /* sym: struct action_def */
	SYM_AGG,      /* sym: struct agg */
	SYM_VALUE,    /* while code is made: what register ival holds */
};

struct binding {
	const char *name;
	struct expr *expr;
};

struct hidden; /* hidden.c */

/* What host_find() found; NULL: it is not on this kernel. */
struct found_host {
	const struct host_provider *prov;
	const char *func, *name;
	struct host_probe *host;
};

struct compiler {
	const struct lang *lang; /* not owned */
	const struct compile_opts *opt;
	struct names *names;
	struct wants *wants;
	struct arena *arena; /* of the compile */
	struct diag *d;
	uint32_t spec_off; /* of their states in the MAP_GLOBAL value */
	struct host_env env;
	struct ir_target target;
	VEC(struct init) init; /* what code found wants in the globals */
	uint32_t init_off;     /* where the next goes */
	uint32_t placed_off;   /* likewise of struct placed_arg; 0: none is wanted so far */

	VEC(struct probe *) probe;      /* stable ones, in ID order */
	VEC(struct probe *) host_probe; /* of host providers: those in use */
	/* the same, by their names: a hash of host_slots, a power of two */
	struct probe **host_slot;
	size_t host_slots;
	VEC(struct family *) host_family;
	VEC(struct found_host) found;

	struct enabling *enablings, **enablings_end;
	VEC(struct hidden *) hidden; /* all that the library texts have, in their order */

	/* While typing one clause or derivation: */
	struct probe **cur_probe; /* probes it will run at */
	uint32_t ncur;
	const struct probe_desc *cur_desc;
	struct host_probe *cur_host; /* typing a derivation: its hook */
	VEC(struct binding) bind;
	size_t bind_from; /* an inline or translator does not see its caller's names */
	bool defining;    /* a definition is checked by itself */
	bool measured;    /* by sizeof: nothing is read */
	/* the error is of a library's definition: not for this kernel */
	bool lacks;
	/* the clause's probes do not exist here: it is typed, never run */
	bool absent;
	uint32_t nodes;  /* that definitions have added */
	unsigned memory; /* MEMORY_*, of the clause */
	/* in the MAP_GLOBAL value: the program's structs and arrays, side by side */
	uint32_t mem_off, mem_size;
	/* in the MAP_GLOBAL value: zeros, as many as the largest variable has */
	uint32_t zeros_off;
	int level; /* of sema_expr */
	int depth; /* of inlines and translators inside each other */

	/* descriptions that match nothing mean what modules bring later */
	bool awaits;
	int chill_map;
	bool filters;      /* the library has an inline FILTER */
	bool task_filters; /* likewise FILTER_TASK */
};

/* ----------------------------------------------------------------- builtins */

struct fire; /* irgen.h */
struct dest;

/* A built-in variable: one row. */
struct builtin_var {
	const char *name;
	const char *type;                                  /* D text */
	int (*emit)(struct fire *g, const struct expr *e); /* integers: gives a register */
	const char *(*text)(const struct fire *g);         /* strings known at compile time */
	const char *replay;                /* what it yields in replay, for the documentation */
	const struct stability *stability; /* NULL: Stable/Stable/Common */
};

/* A subroutine: one row. */
struct subr {
	const char *name;
	const char *proto; /* D text: "string (string, int [, int])" */
	enum str_form str; /* if it gives a string that is not made of characters by ->chars */
	int (*emit)(struct fire *g, struct expr **arg, uint32_t narg);
	bool lib_only; /* for library texts: not part of D */
	bool keeps;    /* calling it changes what later calls give: see hidden.c */
	bool pure;     /* a number made of its arguments' values alone */
	/* Writes its result as characters into slot @d, which has room for strsize of them. */
	void (*chars)(struct fire *g, const struct expr *call, struct dest d);
	bool may_be_null;
	bool shrinks; /* the result has no more characters than the first argument */
	/* the row that a call means whose last argument, a constant, is given and not 0 */
	const char *flagged;
	bool tokens; /* it works on the firing's state of strtok() */
	/* What the arguments' types do not say: 0, or -1 with the error recorded; NULL: nothing. */
	int (*check)(struct compiler *c, const struct expr *call);
	const struct stability *stability; /* NULL: Stable/Stable/Common */
};

/* An action: one row. */
struct action_def {
	const char *name;
	enum action_kind kind;
	const char *proto; /* D text: "void (int)"; NULL: check() types the arguments */
	/* what proto does not say; NULL: nothing */
	int (*check)(struct compiler *c, struct expr *call);
	/* What the record holds for the consumer, who carries it out; NULL: nothing. */
	void (*emit)(struct fire *g, const struct expr *call, struct action_info *out);
	/* a field that is the call itself */
	void (*write)(struct fire *g, const struct expr *call, struct dest d);
	/* What is done at once; may be NULL if something is recorded. */
	void (*act)(struct fire *g, const struct expr *call);
	bool destructive;
	const char *impossible; /* why it cannot be done here; NULL: it can */
};

/*
 * The tables of rows, which whoever makes the compiler hands in (compiler/builtins/lang.h): what is
 * compiled knows their form and none of them.
 */
struct lang {
	const struct builtin_var *var;
	const struct subr *subr;
	const struct action_def *action;
	uint32_t nvar, nsubr, naction;
	/* Does D have it, and Linux nothing to make it of?  Why; NULL: no. */
	const char *(*why_never)(const char *name);
	/* A number that D's libraries have a name for: SIGINT, EIO, DTRACEFLT_BADADDR. */
	bool (*constant)(const char *name, int64_t *value);
};

/* What the D text of a row stands for; NULL: it names a type that is not here. */
struct type *lang_type(struct compiler *c, const char *text);

/* The row of that name; NULL: there is none. */
const struct builtin_var *lang_var(const struct lang *l, const char *name);
const struct subr *lang_subr(const struct lang *l, const char *name);
const struct action_def *lang_action(const struct lang *l, const char *name);

/* -------------------------------------------------------------------- calls */

/* Does it point to characters? */
bool type_is_text_pointer(struct type *t);

/* Types @e in place.  0, or -1 with the error recorded. */
int sema_expr(struct compiler *c, struct expr *e);

/* Where an address is wanted, an array is that of its first element: @e, typed, becomes so. */
void sema_decay(struct compiler *c, struct expr **e);

/* Where a value is shown, or a key of what is shown, an array of characters is the text in it. */
void sema_show(struct compiler *c, struct expr **e);

/* The address of string @e: its characters are in the clause's memory then, or it is NULL. */
void sema_chars(struct compiler *c, struct expr **e);

/* Does the call have @min to @max arguments?  0, or -1 with the error recorded under @tag. */
int sema_nargs(struct compiler *c, const struct expr *call, uint32_t min, uint32_t max,
	       enum dtag tag);

/* Argument @i, typed, is not the @proto that the function takes: records that, returns -1. */
int sema_bad_arg(struct compiler *c, const struct expr *call, uint32_t i, const char *proto);

/* Types a clause's actions, and its predicate.  0, or -1 with the error recorded. */
int sema_stmts(struct compiler *c, struct stmt *s);
int sema_predicate(struct compiler *c, struct expr *e);

/*
 * Gives variables and keys a type that only clauses of absent probes assign: they are numbers,
 * which stay 0.  To be called when all clauses are typed.
 */
void sema_settle(struct compiler *c);

/*
 * May the actions of a clause, all typed, stand together as they do?  0, or -1 with the error
 * recorded.
 */
int sema_order(struct compiler *c, const struct stmt *s);

/* Is the definition right?  Of an inline that is being declared, and is not known yet. */
int sema_inline(struct compiler *c, struct decl_inline *in);

/* Checks what a translator says of its output, a program's completely, and makes it known. */
int sema_translator(struct compiler *c, struct translator *x);

/* Is there a translator for each of the arguments, and does it take what it is given? */
int sema_provider(struct compiler *c, const struct provider_decl *pd);

/* Types the guard and native arguments of one `on` for hook @h; clones them first. */
int sema_hook(struct compiler *c, struct probe *p, const struct hook_on *on, struct host_probe *h,
	      struct hook_use *out);

/* ---- filter.c ---- */

/* Does the probe tell of packets or connections, so that filters look at it? */
bool probe_is_filtered(const struct probe *p);

/*
 * What the filters look at and probe @p, which is filtered, declares no native argument for, in
 * words.  NULL: they find all of it.  @p tells of packets; a probe that has a socket alone lacks
 * nothing.
 */
const char *probe_filter_lacks(struct compiler *c, const struct probe *p);

/*
 * Does the probe tell of what the process that runs does, so that filters of processes look at it?
 */
bool probe_is_of_process(const struct probe *p);

/*
 * What filters ask at a hook of @p, of packets or of processes, to be typed; at @loc.  NULL:
 * nothing.
 */
struct expr *probe_filter(struct compiler *c, const struct probe *p, struct loc loc);

/*
 * Does one of its hooks have the socket, so that it may be known whose the packet is?  @p is
 * resolved.
 */
bool probe_has_owner(const struct probe *p);

/* Names in two underscores are not for programs: 0, or -1 with the error recorded. */
int name_reserved(struct compiler *c, const char *name, struct loc loc);
/* Does the language itself give the name a meaning: timestamp, args, NULL? */
bool name_is_builtin(const struct lang *l, const char *name);

/* Sees through bound names: the expression that @e stands for. */
const struct expr *expr_target(const struct expr *e);

/* The same, and through conversions that leave the value as it is. */
const struct expr *expr_kept(const struct expr *e);

/* The name of what @e shows, for a heading: the member, variable or function; NULL: it has none. */
const char *expr_label(const struct expr *e);

/* Does evaluating it change a variable? */
bool expr_changes(const struct expr *e);

/* Is it a constant, and 0? */
bool expr_is_zero(const struct expr *e);

/* Is it of a library text?  Is it of type string? */
bool expr_is_lib(const struct expr *e);
bool expr_is_string(const struct expr *e);

/* "string", "struct sk_buff *" ... in the arena, for messages. */
const char *type_text(struct compiler *c, struct type *t);

/* ---- dump.c ---- */

/* All clauses as they are compiled, hidden ones too: what -x dump=typed shows. */
void sema_dump(struct compiler *c, struct strbuf *out);

/* ---- hintname.c ---- */

/* Right after the error that there is no aggregation @name: a near one. */
void hint_aggregation(struct compiler *c, const char *name);

/* ---- prefix.c ---- */

/* May cidr( ), net( ) be called so?  0, or -1 with the error recorded. */
int sema_cidr(struct compiler *c, const struct expr *call);
int sema_net(struct compiler *c, const struct expr *call);

/* ---- shape.c ---- */

/* The type as plain data; in the arena. */
const struct shape *shape_of(struct compiler *c, struct type *named);

/* ---- shown.c ---- */

/* Types a call of stack( ), which the caller has found to be recorded. */
int sema_stack(struct compiler *c, struct expr *call);

/* The same of ustack( ) and jstack( ), and of sym( ), func( ), usym( ) ... */
int sema_ustack(struct compiler *c, struct expr *call);
int sema_symaddr(struct compiler *c, struct expr *call);

/* Is it of a type that is recorded only, and shown in a way of its own? */
bool type_is_shown(struct type *t);

/* ---- probes.c ---- */

/*
 * Has dtrace itself a provider of that name, or that such a pattern matches?  Those of processes do
 * not count.
 */
bool probes_provided(const struct compiler *c, const char *pattern);

/*
 * Calls @fn for each probe that @desc matches, in ID order.  Returns how many, -1
 * on an error (recorded).  Hooks are not resolved yet.
 */
int probes_match(struct compiler *c, const struct probe_desc *desc,
		 void (*fn)(void *ctx, struct probe *p), void *ctx);

/* The probe of a host provider that @desc names exactly; NULL: not on this kernel. */
struct host_probe *host_find(struct compiler *c, const struct probe_desc *desc);

/*
 * What the probe that @desc names would need, which this kernel or any Linux has not; NULL: nothing
 * is known of it.
 */
const char *probe_lacks(struct compiler *c, const struct probe_desc *desc);

/* Makes the declared probe @p, number @i of its provider's @n, stand for the probes of a family. */
void family_make(struct compiler *c, struct probe *p, const struct family_names *names, uint32_t i,
		 uint32_t n);

/* Finds out how @p exists on this kernel; p->nhook is 0 and p->missing says why if not. */
void probe_resolve(struct compiler *c, struct probe *p);

/*
 * Gives args[] of a family's probe the types of the function that it is of.  Before the following.
 */
void probe_type(struct compiler *c, struct probe *p);

/* Arguments as args[] shows them: their number, and the type of one. */
uint32_t probe_nargs(const struct probe *p);
struct type *probe_arg_type(const struct probe *p, uint32_t i);
/* What the kernel calls it; NULL: not known. */
const char *probe_arg_name(struct compiler *c, const struct probe *p, uint32_t i);
/* Is argument @i a translator's, and not the native argument itself? */
bool probe_arg_xlated(const struct probe_decl *d, uint32_t i);

#endif
