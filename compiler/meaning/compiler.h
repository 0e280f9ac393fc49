/*
 * compiler.h - one compile, and the structs of its subjects.
 *
 * Each subject has a struct and a header of its own. A file includes only the headers of the
 * subjects that it works on. struct compiler is small, so that typing on trial can use a copy with
 * another state and another diag (typing/typing.h).
 */
#ifndef COMPILER_MEANING_COMPILER_H
#define COMPILER_MEANING_COMPILER_H

struct arena;
struct compile_opts;
struct diag;
struct expr;
struct ir_target;
struct names;
struct probes;
struct typing;
struct wants;

struct compiler {
	struct arena *arena;            /* lives as long as the compile; owns nearly everything */
	struct diag *d;                 /* takes errors */
	const struct compile_opts *opt; /* options.h: options from the caller */
	const struct ir_target *target; /* ir/ir.h: what code for this kernel may use */
	struct names *names;            /* names.h: variables, inlines, types ... */
	struct probes *probes;          /* probes/probes.h: probes, and enabled clauses */
	struct typing *typing; /* typing/typing.h: state of the clause that is being typed */
	struct wants *wants;   /* wants.h: what the program needs at run time */
	/*
	 * Types one node: typing/node.c.  Typing is recursive: sema_expr() calls this, and the
	 * functions for each kind of node call sema_expr().
	 */
	int (*type_node)(struct compiler *c, struct expr *e);
};

#endif
