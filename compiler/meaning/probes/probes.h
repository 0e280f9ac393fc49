/*
 * probes.h - probes: which ones a description means, how they fire here, which are enabled.
 */
#ifndef COMPILER_MEANING_PROBES_H
#define COMPILER_MEANING_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "compiler/syntax/ast.h"
#include "providers/provider.h"

struct compiler;
struct hidden;
struct recording;
struct type;

/* A hook of a probe: a host probe, and how the probe is derived from it.  Expressions are typed. */
struct hook_use {
	struct host_probe *host;
	struct expr *guard;   /* NULL: none */
	struct expr *filter;  /* what the user wants to see, tested after the guard; NULL: all */
	struct expr *as;      /* the thread that it fires for; NULL: the running one */
	struct expr **native; /* NULL for host probes: the hook's own arguments */
	uint32_t nnative;
};

struct probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct probe_decl *decl; /* stable probes */
	struct derivation *deriv;
	const struct hook_on *group; /* the group of @deriv in use, on host probes; NULL: none */
	struct host_probe *host;     /* host probes */
	/* order on one hook: position of the derivation or hidden clause in the library's texts */
	uint32_t rank;

	bool resolved;
	struct hook_use *hook; /* after resolving; nhook 0: does not exist here */
	uint32_t nhook;
	const char *missing;      /* what this kernel lacks */
	VEC(const char *) passed; /* groups of hooks that were passed over, and why */
	bool left_out;            /* a warning said that it is left out */
	int32_t info;             /* index in program.probe, -1: not used yet */
	struct family *family;    /* NULL: it belongs to none */
	uint32_t number;          /* in its family */
	/* of a family: types of args[], in place of the declared ones.  NULL: none */
	struct type **typed;
	uint32_t ntyped;
};

/*
 * Probes of one hook that differ by a number: they have one firing (providers/family.c).  The
 * probes of a stable provider are numbered by its names, and the last native argument tells the
 * number.  Host probes get their numbers from the linker, and their attachments tell the number.
 */
struct family {
	const struct family_names *names; /* NULL: they are host probes */
	struct hook_use *use;             /* host probes: the hook of all of them */
	VEC(struct probe *) at;           /* host probes by number: those that are enabled */
	unsigned varies;                  /* bit PD_x: that field is not the same for all of them */
	/* as declared; not a probe itself.  Its last native argument is the number */
	struct probe *first;
	struct probe **member;       /* by number; NULL: not asked for yet */
	struct probe_decl decl;      /* their declaration: that of @first without the number */
	uint32_t id, step;           /* the probe with number n has ID id + step * n */
	const struct enabling *seen; /* the newest enabling that the linker has gathered */
	uint32_t str;                /* index in program.str of the first name; has_str */
	bool has_str;                /* the names stand side by side there */
};

/* One clause for one of its descriptions: compiled once, run at each of the probes. */
struct enabling {
	struct clause *clause;
	const struct probe_desc *desc; /* NULL: a hidden clause */
	struct expr *pred;             /* typed */
	struct stmt *body;             /* typed */
	struct probe **probe;
	uint32_t nprobe;
	bool hidden;                 /* a library's: makes no records, the user does not see it */
	unsigned memory;             /* MEMORY_*, see typing.h */
	struct recording *recording; /* code/clause.c: what it records; NULL: not laid out yet */
	struct enabling *next;
};

/* The result of host_find(); NULL: it is not on this kernel. */
struct found_host {
	const struct host_provider *prov;
	const char *func, *name;
	struct host_probe *host;
};

struct probes {
	struct host_env env;        /* what host providers may look at */
	VEC(struct probe *) stable; /* in the order of their IDs */
	VEC(struct probe *) host;   /* of host providers: those in use */
	struct probe **host_slot;   /* the same by name: a hash table of @host_slots entries */
	size_t host_slots;          /* a power of two */
	VEC(struct family *) host_family;
	VEC(struct found_host) found;
	struct enabling *enablings, **enablings_end; /* in program order, hidden ones last */
	VEC(struct hidden *) hidden;                 /* all of the library's, in its order */
	bool awaits;       /* a description that matches nothing means what modules bring later */
	bool filters;      /* the library has an inline FILTER */
	bool task_filters; /* the library has an inline FILTER_TASK */
};

/* Does a provider of dtrace's own have that name, or one that such a pattern matches? */
bool probes_provided(const struct compiler *c, const char *pattern);

/*
 * Calls @fn for each probe that @desc matches, in ID order.  Returns how many, -1 on an error
 * (recorded).  Hooks are not resolved yet.
 */
int probes_match(struct compiler *c, const struct probe_desc *desc,
		 void (*fn)(void *ctx, struct probe *p), void *ctx);

/* The probe of a host provider that @desc names exactly; NULL: not on this kernel. */
struct host_probe *host_find(struct compiler *c, const struct probe_desc *desc);

/*
 * The facility that the probe named by @desc would need and that this kernel, or any Linux, lacks;
 * NULL: nothing is known about it.
 */
const char *probe_lacks(struct compiler *c, const struct probe_desc *desc);

/*
 * Makes the declared probe @p, number @i of the @n probes of its provider, stand for the probes of
 * a family.
 */
void family_make(struct compiler *c, struct probe *p, const struct family_names *names, uint32_t i,
		 uint32_t n);

/* Finds out how @p exists on this kernel; p->nhook is 0 and p->missing says why if not. */
void probe_resolve(struct compiler *c, struct probe *p);

/* ---- probe_args.c ---- */

/* Returns the host provider whose probes have the provider name @name, or NULL. */
const struct host_provider *probe_provider(const char *name);

/*
 * Gives args[] of a family's probe the types of its function.  Call it before the functions below.
 */
void probe_type(struct compiler *c, struct probe *p);

/* The number of arguments as args[] shows them, and the type of argument @i. */
uint32_t probe_nargs(const struct probe *p);
struct type *probe_arg_type(const struct probe *p, uint32_t i);

/* The kernel's name for argument @i; NULL: not known. */
const char *probe_arg_name(struct compiler *c, const struct probe *p, uint32_t i);

/* Does a translator give argument @i, rather than the native argument itself? */
bool probe_arg_xlated(const struct probe_decl *d, uint32_t i);

#endif
