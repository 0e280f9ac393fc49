/*
 * typing.h - the state of typing one clause, definition or hook, and typing on trial.
 *
 * A state is a local variable of the function that types something. typing_in() makes a compiler
 * that works with the state. An attempt is a state with a diag of its own: if the attempt fails,
 * its error and its counts disappear.
 */
#ifndef COMPILER_MEANING_TYPING_TYPING_H
#define COMPILER_MEANING_TYPING_TYPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"

struct expr;
struct host_probe;
struct probe;
struct probe_desc;

/* A name bound to a typed expression: a parameter of an inline, or an input of a translator. */
struct binding {
	const char *name;
	struct expr *expr;
};

/* How a clause uses memory that it allocates by alloca() or writes through pointers. */
enum { MEMORY_USED = 1, MEMORY_SIZED = 2 /* a computed size */ };

struct typing {
	/* The text that is typed. */
	struct probe **probe; /* a clause: its probes; nprobe 0: no clause */
	uint32_t nprobe;
	struct probe **all; /* all probes of the description, if they are typed in groups */
	uint32_t nall;      /* 0: @probe has all of them */
	const struct probe_desc *desc; /* the clause's description */
	struct host_probe *host;       /* a hook's guard and arguments: the hook; else NULL */
	VEC(struct binding) bind;
	size_t bind_from; /* earlier bindings belong to the text around the definition */
	bool absent;      /* the clause's probes do not exist here: it is typed, but never runs */
	bool defining;    /* a definition is checked by itself, without a use */
	bool measured;    /* operand of sizeof: only its type matters */
	int level;        /* nested calls of sema_expr() */
	int depth;        /* nested inlines and translators */

	/* Results. */
	bool lacks;      /* a library's definition failed, so it is not for this kernel */
	bool mixed;      /* the probes make an argument in different ways: type them in groups */
	uint32_t nodes;  /* number of expressions that definitions have added */
	unsigned memory; /* MEMORY_*: what the clause uses */
};

/* Returns a copy of @c with typing state @t. */
static inline struct compiler typing_in(const struct compiler *c, struct typing *t)
{
	struct compiler in = *c;

	in.typing = t;
	return in;
}

/* Typing on trial: pass &attempt.c to the functions that type. */
struct attempt {
	struct compiler c;
	struct typing typing;
	struct diag d;
};

/* Begins with the state of @c. The caller may set a->typing to another state instead. */
void attempt_begin(struct attempt *a, const struct compiler *c);

/* Adds the counts of a successful attempt, which began with the state of @c, to @c. */
void attempt_keep(const struct attempt *a, struct compiler *c);

/* Ends the attempt, whether it succeeded or failed: frees its diag, with its error and hints. */
void attempt_end(struct attempt *a);

#endif
