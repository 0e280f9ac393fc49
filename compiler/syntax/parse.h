/*
 * parse.h - D text to tree.
 */
#ifndef COMPILER_PARSE_H
#define COMPILER_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/* Macro variables: $1 .. $n, $$1, $pid ...; the lexer substitutes them. */
struct macros {
	const char *const *arg; /* arg[0] is $0 */
	unsigned narg;          /* arg[0] included */
	bool *used;             /* used[i] set when $i was referenced; narg entries, may be NULL */
	bool defaultargs;       /* an argument that was not given is 0 or "" */
	int32_t target;         /* $target; -1: none */
};

/* How the fields of a probe description in command-line text bind (-P -m -f -n). */
enum pd_right { PD_RIGHT_PROV, PD_RIGHT_MOD, PD_RIGHT_FUNC, PD_RIGHT_NAME };

struct parse_opts {
	enum pd_right right; /* PD_RIGHT_NAME in scripts and -n */
	bool bare;           /* a description without body is allowed (command line) */
	bool empty;          /* nothing is a program too */
	bool lib;            /* library text: derivations are allowed */
	/* ... that is known to be right: derivations are read when they are asked for */
	bool later;
	const struct macros *macros;
	/* descriptions may have a field before the provider: for which hosts they are.  NULL: no */
	const char *host;
};

/*
 * Parses @src.  Type names are looked up in, and declared types added to,
 * @scope.  Everything is allotted from @a and interned in @names.  0 with the
 * tree in @out; -1 with the error in @d.
 */
int parse_program(struct arena *a, struct intern *names, struct scope *scope, const struct src *src,
		  const struct parse_opts *o, struct ast *out, struct diag *d);

/*
 * Reads the groups of a derivation that parse_program() passed over (parse_opts.later); else does
 * nothing.
 * @scope: that of its text.  0, or -1 with the error in @d.
 */
int parse_derivation(struct arena *a, struct intern *names, struct scope *scope,
		     struct derivation *dv, struct diag *d);

/*
 * Parses a prototype of the built-in tables: "uint16_t (uint16_t, ...)" or a
 * type name alone.  NULL with the error in @d.  A function is a T_FUNC type: its
 * nelem says how many arguments it needs at least ("string (int [, int])" needs
 * one), and a last parameter of type void stands for "...".
 */
struct type *parse_proto(struct arena *a, struct intern *names, struct scope *scope,
			 const char *text, struct diag *d);

/*
 * Finds the next "#pragma D option" line of @src from *@off on, before the text is parsed. Comments
 * and strings are skipped; errors are left for parse_program() to report.  Sets @name and @value
 * (NULL: none), interned in @names, and moves *@off behind the line.  False: there are no more.
 */
bool next_option(struct intern *names, const struct src *src, uint32_t *off, const char **name,
		 const char **value);

/* Splits "prov:mod:func:name" text as a clause would; for -l -P, -m, -f, -n, -i. */
int parse_desc(struct arena *a, struct intern *names, const struct src *src, enum pd_right right,
	       struct probe_desc *out, struct diag *d);

#endif
