/*
 * compiler.h - the state of one compile, with a pointer to the struct of each subject, such as
 * names or probes.
 *
 * Each subject has a struct and a header of its own. A file includes only the headers of the
 * subjects that it works on. struct compiler is small, so that a tentative type check can use a
 * copy of it with another state and another diag (struct attempt in typing/typing.h).
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
	struct diag *d;                 /* records errors */
	const struct compile_opts *opt; /* the caller's options: see compiler/options.h */
	/* what eBPF code may use on this kernel: see ir/ir.h */
	const struct ir_target *target;
	struct names *names;   /* variables, inlines, types ...: see names.h */
	struct probes *probes; /* probes and enabled clauses: see probes/probes.h */
	/* state of the type checker in the current clause: see typing/typing.h */
	struct typing *typing;
	struct wants *wants; /* what the program needs at run time: see wants.h */
	/*
	 * Type-checks one node: type_node() of typing/node.c. The type checker is recursive:
	 * sema_expr() calls this function, and the functions for each kind of node call
	 * sema_expr().
	 */
	int (*type_node)(struct compiler *c, struct expr *e);
};

#endif
