/*
 * lang.h - the tables that define the D language's built-in variables, subroutines and actions.
 *
 * The rows are in compiler/builtins/. The caller of the compiler supplies the tables (struct
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

/* A row of the table of built-in variables. */
struct builtin_var {
	const char *name;
	const char *type; /* type of the variable, as D text */
	/* for a number: emits code, and returns the register with the value */
	int (*emit)(struct fire *g, const struct expr *e);
	/* for a string whose text is known at compile time: returns the text */
	const char *(*text)(const struct fire *g);
	const struct stability *stability; /* NULL stands for Stable/Stable/Common */
	bool arg; /* set for arg0, arg1 ..., whose value is an argument of the probe */
	/* if @text is set: the variable's value is this field of the probe's name (PD_PROV ...) */
	unsigned field;
};

/* A row of the table of subroutines: functions that return a value. */
struct subr {
	const char *name;
	const char *proto; /* prototype as D text, such as "string (string, int [, int])" */
	enum str_form str; /* form of the string that it returns, unless @chars is set */
	int (*emit)(struct fire *g, struct expr **arg, uint32_t narg);
	bool lib_only; /* only library texts may call it */
	bool keeps;    /* a call changes the results of later calls: see probes/hidden.c */
	bool pure;     /* the result is a number that depends only on the arguments' values */
	/* the result is 0 if the first argument is a full socket, not one in TIME_WAIT */
	bool of_small;
	bool typed; /* the result is a pointer whose type the verifier knows */
	/* the result is a socket's entry in the table of sockets (socket_table.h), or NULL */
	bool entry;
	bool ip_header; /* the result is a pointer to the IP header of a packet, or NULL */
	/* Writes the resulting string as characters to @d, which has room for strsize bytes. */
	void (*chars)(struct fire *g, const struct expr *call, struct dest d);
	bool may_be_null;
	bool shrinks; /* the result is never longer than the first argument */
	/*
	 * name of a subroutine that is called instead if the last argument, a constant, is given
	 * and is not 0
	 */
	const char *flagged;
	/*
	 * the subroutine uses the position that strtok() keeps between its calls in one firing of a
	 * probe
	 */
	bool tokens;
	/*
	 * Checks the arguments, beyond the types in the prototype. Returns 0, or -1 with the error
	 * recorded. May be NULL.
	 */
	int (*check)(struct compiler *c, const struct expr *call);
	const struct stability *stability; /* NULL stands for Stable/Stable/Common */
};

/* A row of the table of actions, such as printf() and stack(). */
struct action_def {
	const char *name;
	enum action_kind kind;
	/* prototype as D text, such as "void (int)"; NULL if @check type-checks the arguments */
	const char *proto;
	/*
	 * Checks the arguments beyond @proto. Returns 0, or -1 with the error recorded. May be
	 * NULL.
	 */
	int (*check)(struct compiler *c, struct expr *call);
	/* Adds the action's fields to the record. NULL if the action records nothing. */
	void (*emit)(struct fire *g, const struct expr *call, struct action_info *out);
	/* Writes a field of the record, if the expression of the field is the call itself. */
	void (*write)(struct fire *g, const struct expr *call, struct dest d);
	/*
	 * Emits code that does the action when the probe fires. NULL if dtrace does the action
	 * later, when it reads the record.
	 */
	void (*act)(struct fire *g, const struct expr *call);
	bool destructive;
	const char *impossible; /* why Linux cannot carry out the action; NULL if it can */
};

struct lang {
	const struct builtin_var *var;
	const struct subr *subr;
	const struct action_def *action;
	uint32_t nvar, nsubr, naction;
	/*
	 * Returns why Linux cannot have @name, a variable or function that D has on other systems.
	 * Returns NULL for other names.
	 */
	const char *(*why_never)(const char *name);
	/*
	 * Finds the value of a constant of D's libraries, such as SIGINT, EIO or DTRACEFLT_BADADDR.
	 */
	bool (*constant)(const char *name, int64_t *value);
};

/*
 * Returns the type that @text, the D text of a row, describes. Returns NULL if this kernel has no
 * such type.
 */
struct type *lang_type(struct compiler *c, const char *text);

/* Return the row with the name @name, or NULL. */
const struct builtin_var *lang_var(const struct lang *l, const char *name);
const struct subr *lang_subr(const struct lang *l, const char *name);
const struct action_def *lang_action(const struct lang *l, const char *name);

#endif
