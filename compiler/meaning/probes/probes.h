/*
 * probes.h - probes: which ones a description matches, how they fire here, which are enabled.
 */
#ifndef COMPILER_MEANING_PROBES_PROBES_H
#define COMPILER_MEANING_PROBES_PROBES_H

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

/* A hook of a probe: a host probe, and how the probe is derived from it. Expressions are typed. */
struct hook_use {
	struct host_probe *host;
	struct expr *guard;   /* NULL: none */
	struct expr *filter;  /* the user's filter, tested after the guard; NULL: none */
	struct expr *as;      /* the thread that the probe fires for; NULL: the current one */
	struct expr **native; /* NULL for host probes, which have the hook's own arguments */
	uint32_t nnative;
};

struct probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	struct probe_decl *decl; /* stable probes; NULL before a description matches */
	struct derivation *deriv;
	/* items of the library's index that declare @decl and @deriv; NO_ITEM: none */
	uint16_t decl_item, deriv_item;
	const struct hook_on *group; /* the used group of @deriv; NULL: none */
	struct host_probe *host;     /* host probes */
	/* order on one hook: offset of the derivation or hidden clause in all library texts */
	uint32_t rank;

	bool resolved;
	struct hook_use *hook; /* after resolving; nhook 0: the probe does not exist here */
	uint32_t nhook;
	const char *missing;      /* what this kernel lacks */
	VEC(const char *) passed; /* groups that do not fit this kernel, and why */
	bool left_out;            /* the user was warned that the probe is left out */
	int32_t info;             /* index in program.probe; -1: not used yet */
	struct family *family;    /* NULL: none */
	uint32_t number;          /* in its family */
	/* of a family: types of args[] that replace the declared ones; NULL: none */
	struct type **typed;
	uint32_t ntyped;
};

/*
 * Probes that differ by a number and share one unit (providers/family.c). For a stable
 * provider, the number is an index into its names, and the last native argument of the probe. For
 * host probes, the linker assigns the number, which is the cookie of the attachment.
 */
struct family {
	const struct family_names *names; /* NULL: they are host probes */
	struct hook_use *use;             /* host probes: the hook of all of them */
	VEC(struct probe *) at;           /* host probes: the enabled ones, by number */
	unsigned varies;                  /* bit PD_x is set: field PD_x differs among the probes */
	/* the declared probe, which never fires itself; its last native argument is the number */
	struct probe *first;
	struct probe **member;  /* by number; NULL: not used so far */
	struct probe_decl decl; /* declaration of the members: that of @first without the number */
	uint32_t id, step;      /* the probe with number n has ID id + step * n */
	const struct enabling *seen; /* the last enabling that the linker has gathered */
	uint32_t str;                /* with has_str: index in program.str of the first name */
	bool has_str;                /* program.str has all the names, one after the other */
};

/* A clause with one of its descriptions: compiled once, run at each of the probes. */
struct enabling {
	struct clause *clause;
	const struct probe_desc *desc; /* NULL: a hidden clause */
	struct expr *pred;             /* typed */
	struct stmt *body;             /* typed */
	struct probe **probe;
	uint32_t nprobe;
	bool hidden;     /* a library's clause: it makes no records, and the user does not see it */
	unsigned memory; /* MEMORY_*, see typing.h */
	struct recording *recording; /* see code/clause.c; NULL: not laid out yet */
	struct enabling *next;
};

/* A host probe that was looked up by its names; NULL: it is not on this kernel. */
struct found_host {
	const struct host_provider *prov;
	const char *func, *name;
	struct host_probe *host;
};

struct probes {
	struct host_env env;        /* environment of host providers */
	VEC(struct probe *) stable; /* in the order of their IDs */
	VEC(struct probe *) host;   /* of host providers: those in use */
	struct probe **host_slot; /* the probes of @host, in a hash table of @host_slots entries */
	size_t host_slots;        /* a power of two */
	VEC(struct family *) host_family;
	VEC(struct found_host) found;
	struct enabling *enablings, **enablings_end; /* in program order, hidden ones last */
	VEC(struct hidden *) hidden; /* all hidden clauses, in the order of the texts */
	bool awaits;                 /* descriptions may match in modules that are loaded later */
	bool common;                 /* a pattern matches only probes that is_common() accepts */
	bool filters;                /* the library has an inline FILTER */
	bool task_filters;           /* the library has an inline FILTER_TASK */
};

/* Returns whether a provider of dtrace has a name that matches @pattern. */
bool probes_provided(const struct compiler *c, const char *pattern);

/*
 * Calls @fn for each probe that @desc matches, in the order of IDs. Hooks are not resolved yet.
 * Returns the number of probes, or -1 with the error recorded.
 */
int probes_match(struct compiler *c, const struct probe_desc *desc,
		 void (*fn)(void *ctx, struct probe *p), void *ctx);

/*
 * Returns the host probe that @desc, of a hidden clause, names exactly. NULL: this kernel has no
 * such probe, or the probe cannot have a unit of its own. A function that only a kprobe can trace,
 * such as one of a module, belongs to a family. For it, returns a copy of the probe that is in no
 * family.
 */
struct host_probe *host_find_alone(struct compiler *c, const struct probe_desc *desc);

/*
 * Returns what this kernel, or any Linux, lacks so that the probe that @desc names does not exist;
 * NULL: unknown.
 */
const char *probe_lacks(struct compiler *c, const struct probe_desc *desc);

/* Makes a family for declared probe @p, which is number @i of the @n probes of its provider. */
void family_make(struct compiler *c, struct probe *p, const struct family_names *names, uint32_t i,
		 uint32_t n);

/* Sets the declaration of a family's probes: @d without the last native argument, the number. */
void family_declare(struct family *f, const struct probe_decl *d);

/*
 * Finds the hooks of @p on this kernel. If there are none, p->nhook is 0 and p->missing says why.
 */
void probe_resolve(struct compiler *c, struct probe *p);

/* ---- probe_args.c ---- */

/* Returns the host provider whose probes have the provider name @name, or NULL. */
const struct host_provider *probe_provider(const char *name);

/* Sets types of args[] that are still unknown. Call it before the functions below. */
void probe_type(struct compiler *c, struct probe *p);

/* Return the number of arguments in args[], and the type of argument @i. */
uint32_t probe_nargs(const struct probe *p);
struct type *probe_arg_type(const struct probe *p, uint32_t i);

/*
 * Arguments that the probes of packets of one provider have in common: packet, owner, IP,
 * connection, and header of the transport. A pattern matches only probes that have them, or lack
 * them (void *, always NULL).
 */
#define COMMON_ARGS 5

/* Returns whether the probe has argument @i, which may be NULL only if there is no such data. */
bool probe_has_arg(const struct probe *p, uint32_t i);

/* Returns the kernel's name for argument @i, or NULL. */
const char *probe_arg_name(struct compiler *c, const struct probe *p, uint32_t i);

/* Returns whether a translator gives argument @i, rather than the native argument itself. */
bool probe_arg_xlated(const struct probe_decl *d, uint32_t i);

#endif
