/*
 * typing.h - the state of the type checker for one clause, definition or hook, and tentative type
 * checks.
 *
 * To type-check an expression means to find the meanings of its names and to set the types of its
 * nodes. The state is a local variable of the function that starts a check. typing_in() makes a
 * compiler that works with that state. An attempt is a state with its own diag: if the attempt
 * fails, its error and its counts disappear.
 */
#ifndef COMPILER_MEANING_TYPING_TYPING_H
#define COMPILER_MEANING_TYPING_TYPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"

struct clause;
struct expr;
struct host_probe;
struct probe;
struct probe_desc;

/*
 * A name that stands for an expression with its types: a parameter of an inline, or an input of a
 * translator.
 */
struct binding {
	const char *name;
	struct expr *expr;
};

/* How a clause uses memory that it allocates by alloca() or writes through pointers. */
enum { MEMORY_USED = 1, MEMORY_SIZED = 2 /* a size is not a constant */ };

struct typing {
	/* The place of the expressions that are being checked. */
	struct probe **probe; /* the probes of the clause; nprobe is 0 outside of clauses */
	uint32_t nprobe;
	struct probe **all; /* all probes of the description, while a group of them is checked */
	uint32_t nall;      /* length of @all; 0 if @probe has all of them */
	const struct probe_desc *desc; /* the clause's description */
	const struct clause *clause;   /* the clause, which may have more descriptions */
	/* the hook whose guard (condition) and arguments are being checked, or NULL */
	struct host_probe *host;
	VEC(struct binding) bind;
	size_t bind_from; /* the definition does not see bindings before this index */
	/* the clause's probes do not exist here, so the clause is checked but never runs */
	bool absent;
	bool defining; /* a definition is being checked by itself, without a use */
	bool measured; /* the expression is the operand of sizeof: only its type matters */
	int level;     /* number of nested calls of sema_expr() */
	int depth;     /* number of nested inlines and translators */

	/* Results of the check. */
	/* the check of a library's definition failed, because it does not fit this kernel */
	bool lacks;
	/*
	 * an argument comes from different native arguments at different probes, so the caller must
	 * check the probes in groups
	 */
	bool mixed;
	uint32_t nodes;  /* number of expressions that definitions have added */
	unsigned memory; /* MEMORY_*: how the clause uses memory */
	/* bits of the rows of hints/thread.c: names of the current thread that the text uses */
	unsigned thread;
	unsigned owner; /* rows whose counterpart in csinfo_t the text uses */
};

/* Returns a copy of @c that works with state @t. */
static inline struct compiler typing_in(const struct compiler *c, struct typing *t)
{
	struct compiler in = *c;

	in.typing = t;
	return in;
}

/* A tentative type check. Pass the member c to the functions that type-check. */
struct attempt {
	struct compiler c;
	struct typing typing;
	struct diag d;
};

/*
 * Begins an attempt with a copy of the state of @c. The caller may set a->typing to another state
 * instead.
 */
void attempt_begin(struct attempt *a, const struct compiler *c);

/*
 * Adds the counts of a successful attempt to @c. The attempt must have begun with the state of @c.
 */
void attempt_keep(const struct attempt *a, struct compiler *c);

/*
 * Ends the attempt, whether it succeeded or failed: frees its diag, with the error and the hints in
 * it.
 */
void attempt_end(struct attempt *a);

#endif
