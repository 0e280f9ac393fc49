/*
 * lang.h - the language's tables: built-in variables, subroutines, actions; a row each.
 *
 * compiler/builtins/ has the rows.  The caller of the compiler hands the tables in (struct
 * compile_opts), so the compiler knows their layout and names none of their rows.
 */
#ifndef COMPILER_MEANING_LANG_H
#define COMPILER_MEANING_LANG_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/meaning/strclass.h"
#include "ir/program.h"

struct compiler;
struct dest;
struct expr;
struct fire;
struct stability;
struct type;

/* A built-in variable: one row. */
struct builtin_var {
	const char *name;
	const char *type;                                  /* D text */
	int (*emit)(struct fire *g, const struct expr *e); /* integers: gives a register */
	const char *(*text)(const struct fire *g);         /* strings known at compile time */
	const struct stability *stability;                 /* NULL: Stable/Stable/Common */
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
	/*
	 * Checks that the arguments' types cannot express: 0, or -1 with the error recorded; NULL:
	 * none.
	 */
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
	/* Writes the action's part of the record, which the consumer acts on; NULL: it has none. */
	void (*emit)(struct fire *g, const struct expr *call, struct action_info *out);
	/* a field that is the call itself */
	void (*write)(struct fire *g, const struct expr *call, struct dest d);
	/* Emits code that acts at once; may be NULL if something is recorded. */
	void (*act)(struct fire *g, const struct expr *call);
	bool destructive;
	const char *impossible; /* why it cannot be done here; NULL: it can */
};

struct lang {
	const struct builtin_var *var;
	const struct subr *subr;
	const struct action_def *action;
	uint32_t nvar, nsubr, naction;
	/* Why Linux cannot have something that D has elsewhere; NULL: D has no such name. */
	const char *(*why_never)(const char *name);
	/* The number that a constant of D's libraries stands for: SIGINT, EIO, DTRACEFLT_BADADDR.
	 */
	bool (*constant)(const char *name, int64_t *value);
};

/* The type that the D text of a row means; NULL: it names a type that does not exist here. */
struct type *lang_type(struct compiler *c, const char *text);

/* The row of that name; NULL: there is none. */
const struct builtin_var *lang_var(const struct lang *l, const char *name);
const struct subr *lang_subr(const struct lang *l, const char *name);
const struct action_def *lang_action(const struct lang *l, const char *name);

#endif
