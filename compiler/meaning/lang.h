/*
 * lang.h - the language's tables: built-in variables, subroutines, actions.
 *
 * compiler/builtins/ has the rows. The caller of the compiler supplies the tables (struct
 * compile_opts). So the compiler knows the layout of the rows, but no row by its name.
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

/* A row: a built-in variable. */
struct builtin_var {
	const char *name;
	const char *type;                                  /* D text */
	int (*emit)(struct fire *g, const struct expr *e); /* numbers: returns a register */
	const char *(*text)(const struct fire *g);         /* strings known at compile time */
	const struct stability *stability;                 /* NULL: Stable/Stable/Common */
	bool arg;       /* arg0, arg1 ...: the value is an argument of the probe */
	unsigned field; /* with @text: which part of the probe's name, PD_PROV ... */
};

/* A row: a subroutine. */
struct subr {
	const char *name;
	const char *proto; /* D text: "string (string, int [, int])" */
	enum str_form str; /* form of its string, unless ->chars writes characters */
	int (*emit)(struct fire *g, struct expr **arg, uint32_t narg);
	bool lib_only;  /* only library texts may call it */
	bool keeps;     /* a call changes the results of later calls: see hidden.c */
	bool pure;      /* the result is a number that depends only on the arguments' values */
	bool ip_header; /* the result is the IP header of a packet, or NULL */
	/* Writes the result as characters into slot @d, which has room for strsize bytes. */
	void (*chars)(struct fire *g, const struct expr *call, struct dest d);
	bool may_be_null;
	bool shrinks; /* the result is never longer than the first argument */
	/* the row to use if the last argument, a constant, is given and not 0 */
	const char *flagged;
	bool tokens; /* uses the firing's state of strtok() */
	/*
	 * Checks what the types of arguments cannot express. Returns 0, or -1 with the error
	 * recorded. May be NULL.
	 */
	int (*check)(struct compiler *c, const struct expr *call);
	const struct stability *stability; /* NULL: Stable/Stable/Common */
};

/* A row: an action. */
struct action_def {
	const char *name;
	enum action_kind kind;
	const char *proto; /* D text: "void (int)"; NULL: check() types the arguments */
	/* checks what proto does not express; may be NULL */
	int (*check)(struct compiler *c, struct expr *call);
	/* Adds the action's fields to the record. NULL: the action records nothing. */
	void (*emit)(struct fire *g, const struct expr *call, struct action_info *out);
	/* Writes a field whose expression is the call itself. */
	void (*write)(struct fire *g, const struct expr *call, struct dest d);
	/* Emits code that acts when the probe fires. NULL: the consumer acts on the record. */
	void (*act)(struct fire *g, const struct expr *call);
	bool destructive;
	const char *impossible; /* why Linux cannot carry out the action; NULL: it can */
};

struct lang {
	const struct builtin_var *var;
	const struct subr *subr;
	const struct action_def *action;
	uint32_t nvar, nsubr, naction;
	/*
	 * Returns why Linux cannot have a name that D has elsewhere, or NULL if D has no such name.
	 */
	const char *(*why_never)(const char *name);
	/*
	 * Finds the value of a constant of D's libraries, such as SIGINT, EIO or DTRACEFLT_BADADDR.
	 */
	bool (*constant)(const char *name, int64_t *value);
};

/* Returns the type that the D text of a row names, or NULL if the type does not exist here. */
struct type *lang_type(struct compiler *c, const char *text);

/* Return the row of that name, or NULL. */
const struct builtin_var *lang_var(const struct lang *l, const char *name);
const struct subr *lang_subr(const struct lang *l, const char *name);
const struct action_def *lang_action(const struct lang *l, const char *name);

#endif
