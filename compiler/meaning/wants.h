/*
 * wants.h - what the program needs at run time, collected while its clauses are type-checked.
 *
 * The type checker sets the members. The linker (compiler/code/units/link.c) reads them when it
 * lays out maps and fills in struct program.
 */
#ifndef COMPILER_MEANING_WANTS_H
#define COMPILER_MEANING_WANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct compiler;
struct expr;
struct type;

/*
 * Where program.str has the names of an enum's values, without @prefix. For i < @n, the name of
 * value i is at index @first + i.
 */
struct enum_names {
	struct type *type;
	const char *prefix;
	uint32_t first, n;
};

struct wants {
	VEC(const char *) str; /* becomes program.str: the texts that the compiler knows */
	VEC(struct enum_names) enum_names;
	/*
	 * the expression tid, the key of self-> variables; NULL if the program has no such variable
	 */
	struct expr *thread;
	/*
	 * The value of __keeps, which socket_decide() makes a constant: 1 if arrays whose key is a
	 * socket are kept with the sockets, 0 if such arrays are not used.
	 */
	struct expr *keeps;
	bool speculates; /* the program calls speculation() or an action on speculations */
	/* the program shows S_NAMED strings, which dtrace looks up when it prints */
	bool uses_names;
	bool uses_tokens; /* the program uses the state of strtok() */
	bool chills;      /* the program calls chill() */
	bool stamps;      /* the program reads the time at which packets arrived */
	bool destructive; /* the program has a destructive action */
	bool may_destroy; /* with other constants, such as macro arguments, it would have one */
	/*
	 * why Linux cannot carry out one of the program's actions; NULL if it can carry out all of
	 * them
	 */
	const char *impossible;

	/*
	 * The following members are set when all clauses have been type-checked: see code/layout.c.
	 */
	/* the string classes (strclass.h) of all variables, and so of all strings, are final */
	bool classes_known;
	uint32_t name_room; /* size of the longest name of an enabled probe, with its NUL */
};

/* Appends @s to program.str, even if it is there already. */
void str_add(struct compiler *c, const char *s);

/*
 * Returns the index in program.str of the first text that equals @s. Appends @s if there is no such
 * text.
 */
uint32_t str_index(struct compiler *c, const char *s);

#endif
