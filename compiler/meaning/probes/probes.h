/*
 * probes.h - the probes of a compile: those that a description matches, their hooks on this kernel,
 * and the enabled clauses. A hook is a place where the kernel runs a program. A host probe is a
 * hook itself. A stable probe is declared in D; its derivation says which hooks fire it, under
 * which condition (guard), and how they compute its native arguments. Translators make args[] of
 * the native arguments.
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

/*
 * A hook that fires a probe: a host probe (a kernel hook itself), and the conditions and arguments
 * of the probe at this hook. All expressions are type-checked already.
 */
struct hook_use {
	struct host_probe *host;
	/* condition under which the hook fires the probe; NULL if there is none */
	struct expr *guard;
	/* the user's filter, which is tested after the guard; NULL if there is none */
	struct expr *filter;
	/* the thread that the probe fires for; NULL stands for the current thread */
	struct expr *as;
	/*
	 * the probe's native arguments; NULL for a host probe, whose arguments are the hook's own
	 */
	struct expr **native;
	uint32_t nnative;
};

struct probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	/* declaration of a stable probe; NULL until it is first needed and parsed */
	struct probe_decl *decl;
	struct derivation *deriv;
	/* The items of the library's index that contain @decl and @deriv, or NO_ITEM. */
	uint16_t decl_item, deriv_item;
	/* the hooks that fire the probe on this kernel, from derive_group(), or NULL */
	const struct hook_on *group;
	/* set if the probe is a kernel hook itself; NULL for a stable probe */
	struct host_probe *host;
	/*
	 * The probes of one hook fire in the order of this number: the offset of the derivation, or
	 * of the hidden clause, in all library texts. Host probes of the user's clauses have
	 * UINT32_MAX and fire last.
	 */
	uint32_t rank;

	bool resolved;
	/* set by probe_resolve(); nhook is 0 if the probe does not exist here */
	struct hook_use *hook;
	uint32_t nhook;
	/* if nhook is 0: what this kernel lacks for the first group of hooks */
	const char *missing;
	VEC(const char *) passed; /* groups of hooks that do not fit this kernel, and why */
	/* the user was warned that the probe is left out, or that no filter can match there */
	bool left_out;
	int32_t info;          /* index in program.probe, or -1 if the probe is not used yet */
	struct family *family; /* NULL if the probe belongs to no family */
	uint32_t number;       /* number of the probe in its family */
	/* For a probe of a family, the types of args[] that replace the declared ones, or NULL. */
	struct type **typed;
	uint32_t ntyped;
};

/*
 * A family: similar probes that differ by a number and share one eBPF program (unit); see
 * providers/family.c. In a family of stable probes, the number is an index into @names, and the
 * last native argument of the probe. In a family of host probes, the linker assigns the number,
 * which is also the cookie of the attachment.
 */
struct family {
	const struct family_names *names; /* NULL for a family of host probes */
	struct hook_use *use;             /* host probes: the hook that all of them share */
	VEC(struct probe *) at;           /* host probes: the enabled ones, indexed by number */
	/* bit PD_x is set if field PD_x of the probes' names differs among the probes */
	unsigned varies;
	/*
	 * The probe that the provider declares. It never fires itself. Its last native argument is
	 * the number of the probe that fires.
	 */
	struct probe *first;
	/* the probes, indexed by number; NULL for a number that is not used yet */
	struct probe **member;
	struct probe_decl decl; /* declaration of the probes: first->decl without the number */
	uint32_t id, step;      /* the probe with number n has ID @id + @step * n */
	/* the last enabling that the linker has processed for this family */
	const struct enabling *seen;
	/* if @has_str is set: index in program.str of the first name */
	uint32_t str;
	/* program.str has all names of the family, one after the other */
	bool has_str;
};

/*
 * An enabling: a clause with one of its descriptions. It is compiled once and runs at each of its
 * probes.
 */
struct enabling {
	struct clause *clause;
	const struct probe_desc *desc; /* NULL for a hidden clause */
	struct expr *pred;             /* copy of the predicate with its types */
	struct stmt *body;             /* copy of the statements with their types */
	struct probe **probe;
	uint32_t nprobe;
	/* a clause of the library, which makes no records and which the user does not see */
	bool hidden;
	unsigned memory; /* MEMORY_* of typing.h: how the clause uses memory */
	unsigned thread; /* rows of hints/thread.c: names whose thread is not the socket's owner */
	/* what the clause records: see code/clause.c; NULL until the layout is known */
	struct recording *recording;
	struct enabling *next;
};

/* A host probe that was looked up by its names, or NULL if this kernel does not have it. */
struct found_host {
	const struct host_provider *prov;
	const char *func, *name;
	struct host_probe *host;
};

struct probes {
	struct host_env env;        /* environment of host providers */
	VEC(struct probe *) stable; /* stable probes, in the order of their IDs */
	VEC(struct probe *) host;   /* host probes that clauses use */
	struct probe **host_slot; /* hash table of the probes of @host, with @host_slots entries */
	size_t host_slots;        /* a power of two */
	VEC(struct family *) host_family;
	VEC(struct found_host) found;
	/* the enabled clauses in the order of the program, followed by the hidden clauses */
	struct enabling *enablings, **enablings_end;
	VEC(struct hidden *) hidden; /* all hidden clauses, in the order of the texts */
	/* descriptions may also match probes of kernel modules that are loaded later */
	bool awaits;
	/* patterns match only probes for which is_common() is true */
	bool common;
	bool filters;      /* the library has an inline FILTER */
	bool task_filters; /* the library has an inline FILTER_TASK */
};

/* Returns whether dtrace has a provider whose name matches @pattern. */
bool probes_provided(const struct compiler *c, const char *pattern);

/*
 * Calls @fn for each probe that @desc matches, in the order of IDs. The hooks of these probes need
 * not be resolved yet. Returns the number of probes, or -1 with the error recorded.
 */
int probes_match(struct compiler *c, const struct probe_desc *desc,
		 void (*fn)(void *ctx, struct probe *p), void *ctx);

/*
 * Returns the host probe that @desc, the description of a hidden clause, names exactly. Returns
 * NULL if this kernel has no such probe, or if the probe cannot have an eBPF program of its own.
 * Some functions, such as those of modules, can only be traced by kprobes, and their probes belong
 * to a family. For these, returns a copy of the probe that is in no family.
 */
struct host_probe *host_find_alone(struct compiler *c, const struct probe_desc *desc);

/*
 * Returns what this kernel, or any Linux, lacks for the probe that @desc names, or NULL if that is
 * unknown.
 */
const char *probe_lacks(struct compiler *c, const struct probe_desc *desc);

/* Makes a family for declared probe @p, which is number @i of the @n probes of its provider. */
void family_make(struct compiler *c, struct probe *p, const struct family_names *names, uint32_t i,
		 uint32_t n);

/*
 * Sets the declaration of a family's probes to @d without its last native argument, which is the
 * number.
 */
void family_declare(struct family *f, const struct probe_decl *d);

/*
 * Finds the hooks of @p on this kernel. If there are none, sets p->nhook to 0 and p->missing to
 * what the kernel lacks.
 */
void probe_resolve(struct compiler *c, struct probe *p);

/* ---- probe_args.c ---- */

/* Returns the host provider whose probes have the provider name @name, or NULL. */
const struct host_provider *probe_provider(const char *name);

/*
 * Sets the types of args[] of probe @p if they are not known yet. Must be called before the
 * functions below.
 */
void probe_type(struct compiler *c, struct probe *p);

/*
 * probe_nargs() returns the number of arguments in args[]. probe_arg_type() returns the type of
 * argument @i.
 */
uint32_t probe_nargs(const struct probe *p);
struct type *probe_arg_type(const struct probe *p, uint32_t i);

/*
 * Number of arguments that a provider's probes of packets have in common: packet, owner, IP,
 * connection, and transport header. A pattern matches only probes at which each of these arguments
 * has its usual type or is missing (a void * that is always NULL).
 */
#define COMMON_ARGS 5

/*
 * Returns whether the probe has argument @i. An argument that is declared without a native argument
 * is always NULL, and does not count.
 */
bool probe_has_arg(const struct probe *p, uint32_t i);

/* Returns whether arg@i of the probe, which is a plain number, can be other than 0. */
bool probe_has_number(const struct probe *p, uint32_t i);

/* Returns the kernel's name for argument @i, or NULL. */
const char *probe_arg_name(struct compiler *c, const struct probe *p, uint32_t i);

/*
 * Returns whether a translator produces argument @i. Otherwise the argument is the native argument
 * itself, or is always NULL.
 */
bool probe_arg_xlated(const struct probe_decl *d, uint32_t i);

#endif
