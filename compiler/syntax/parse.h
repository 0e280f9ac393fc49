/*
 * parse.h - parses D text to a syntax tree.
 */
#ifndef COMPILER_SYNTAX_PARSE_H
#define COMPILER_SYNTAX_PARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Macro variables, which the lexer replaces. $1 is the first argument of the script, and $$1 is
 * that argument as a string. $pid and such have names.
 */
struct macros {
	const char *const *arg; /* arg[0] is $0 */
	unsigned narg;          /* number of arguments, including arg[0] */
	bool *used;             /* used[i] is set when $i is used; has narg entries; may be NULL */
	bool defaultargs;       /* an argument that was not given has the value 0 or "" */
	int32_t target;         /* value of $target, or -1 if there is none */
};

/*
 * The meaning of a description's last word: -P, -m, -f and -n give a provider, a module, a function
 * and a name.
 */
enum pd_right { PD_RIGHT_PROV, PD_RIGHT_MOD, PD_RIGHT_FUNC, PD_RIGHT_NAME };

struct parse_opts {
	enum pd_right right; /* see enum pd_right; PD_RIGHT_NAME in scripts and with -n */
	bool bare;           /* a description without body is allowed (command line) */
	bool empty;          /* a text without any declaration or clause is no error */
	bool lib;            /* the text is a library text, which may have derivations */
	/*
	 * The range of bytes to parse, which holds whole declarations. If @to is 0, the text is
	 * parsed to its end.
	 */
	uint32_t from, to;
	/*
	 * Called after each declaration or clause, with the offsets of its first byte and of its
	 * end. May be NULL.
	 */
	void (*declared)(void *ctx, uint32_t from, uint32_t to);
	void *ctx;
	const struct macros *macros;
	/* name of this host, if descriptions may begin with a field for host names; else NULL */
	const char *host;
};

/*
 * Parses @src. Looks type names up in @scope, and adds declared types to it. Everything is
 * allocated in @a, and names are interned in @names. Returns 0 with the tree in @out, or -1 with
 * the error in @d.
 */
int parse_program(struct arena *a, struct intern *names, struct scope *scope, const struct src *src,
		  const struct parse_opts *o, struct ast *out, struct diag *d);

/*
 * Parses a prototype from the tables of built-in functions, such as "uint16_t (uint16_t, ...)", or
 * a type name. The result for a function is a T_FUNC type: nelem is the number of required
 * arguments (1 for "string (int [, int])"), and a last parameter of type void stands for "...".
 * Returns NULL with the error in @d.
 */
struct type *parse_proto(struct arena *a, struct intern *names, struct scope *scope,
			 const char *text, struct diag *d);

/*
 * Finds the next "#pragma D option" line of @src from *@off on, before the text is parsed. Skips
 * comments and strings, and leaves errors to parse_program(). Sets @name and @value to strings that
 * are interned in @names; @value becomes NULL if the option has no value. Moves *@off after the
 * line. Returns false if there are no more such lines.
 */
bool next_option(struct intern *names, const struct src *src, uint32_t *off, const char **name,
		 const char **value);

/*
 * Parses the probe description in @src, the operand of an option (-l, -P, -m, -f, -n or -i), like
 * one in a clause. Returns 0, or -1 with the error in @d.
 */
int parse_desc(struct arena *a, struct intern *names, const struct src *src, enum pd_right right,
	       struct probe_desc *out, struct diag *d);

#endif
