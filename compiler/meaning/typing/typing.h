/*
 * typing.h - the state of typing one clause, definition or hook, and typing on trial.
 *
 * A state is a local variable of the function that types something.  typing_in() makes the compiler
 * that works with it.  An attempt is a state with a diag of its own: if the attempt fails, neither
 * its error nor its counts are left behind.
 */
#ifndef COMPILER_MEANING_TYPING_H
#define COMPILER_MEANING_TYPING_H

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

/* A name that stands for a typed expression: a parameter of an inline, an input of a translator. */
struct binding {
	const char *name;
	struct expr *expr;
};

/* A clause's use of memory that it asks for: alloca(), stores through pointers. */
enum { MEMORY_USED = 1, MEMORY_SIZED = 2 /* of computed size */ };

struct typing {
	/* The kind of text that is typed. */
	struct probe **probe; /* a clause: the probes that it runs at; nprobe 0: no clause */
	uint32_t nprobe;
	const struct probe_desc *desc; /* the clause's description */
	struct host_probe *host;       /* a hook's guard and arguments: the hook; else NULL */
	VEC(struct binding) bind;
	size_t bind_from; /* earlier bindings belong to the user of this inline or translator */
	bool absent;      /* the clause's probes do not exist here: it is typed, never run */
	bool defining;    /* a definition is checked by itself */
	bool measured;    /* sizeof wants the type alone: nothing is read */
	int level;        /* sema_expr() calls inside each other */
	int depth;        /* inlines and translators inside each other */

	/* The result. */
	bool lacks;      /* a library's definition failed: it is not for this kernel */
	uint32_t nodes;  /* expressions that definitions have added */
	unsigned memory; /* MEMORY_*: what the clause does */
};

/* @c, but with typing state @t. */
static inline struct compiler typing_in(const struct compiler *c, struct typing *t)
{
	struct compiler in = *c;

	in.typing = t;
	return in;
}

/* Typing on trial: hand &attempt.c to whatever types. */
struct attempt {
	struct compiler c;
	struct typing typing;
	struct diag d;
};

/* Starts from the state of @c.  The caller may set a->typing to another state instead. */
void attempt_begin(struct attempt *a, const struct compiler *c);

/* The attempt succeeded and went on from the state of @c: what it counted counts there. */
void attempt_keep(const struct attempt *a, struct compiler *c);

/* Frees the attempt's diag. */
void attempt_end(struct attempt *a);

#endif
