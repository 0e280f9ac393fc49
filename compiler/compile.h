/*
 * compile.h - compiles a D program to a struct program, together with the declarations that it uses
 * from the library: D texts that are built into dtrace, or read with -L.
 */
#ifndef COMPILER_COMPILE_H
#define COMPILER_COMPILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/stability.h"
#include "compiler/options.h"
#include "compiler/syntax/parse.h"
#include "ir/program.h"

struct awaited;
struct compiler;
struct probe;
struct probe_desc;

/*
 * Strings for -S and -x dump=: each stage of the compiler appends its result, as text, to its
 * string.
 */
struct compile_dump {
	struct strbuf *ast, *typed, *ir, *plain, *bpf; /* each is NULL if it is not wanted */
};

/*
 * Creates a compiler and reads the libraries. The compiler owns everything that its functions
 * return, programs included. @d must outlive the compiler. Never returns NULL: after a failure the
 * error is in @d, and the caller may only free the compiler, which owns the source text that the
 * error points to.
 */
struct compiler *compiler_new(const struct compile_opts *o, struct diag *d);
void compiler_free(struct compiler *c);

/*
 * Parses the D program @src and enables its clauses. @src must live as long as the compiler. Sets
 * @matched to the number of probes that the clauses match, and appends the syntax tree to
 * @ast_dump, which may be NULL. compiler_option() returns the options of "#pragma D option" lines.
 * Returns 0, or -1 with the error recorded.
 */
int compiler_add(struct compiler *c, const struct src *src, const struct parse_opts *o,
		 unsigned *matched, struct strbuf *ast_dump);

/*
 * Generates the program from everything that was added. Returns NULL with the error in the diag
 * that compiler_new() got.
 */
struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump);

/*
 * Sets @name, @value and @loc to those of the @n-th "#pragma D option", counted from 0. @value
 * becomes NULL if the line gives no value. Returns false if there are no more such lines.
 */
bool compiler_option(struct compiler *c, unsigned n, const char **name, const char **value,
		     struct loc *loc);

/* A matched probe and its arguments, for listings. */
struct probe_listing {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	uint32_t narg;
	/* types of the arguments as text; set only if the caller wants details */
	const char **arg;
	/* the kernel hooks that fire the probe, such as "rawtp:::netif_receive_skb" */
	const char **hook;
	uint32_t nhook;
	/* if nhook is 0: what this kernel lacks for the probe, such as a function's name */
	const char *missing;
	/*
	 * The groups of hooks that do not fit this kernel, each as "HOOK: reason (file, line N)".
	 */
	const char **passed;
	uint32_t npassed;
	bool stable;
	struct stability desc, args; /* set only if the caller wants details */
};

/*
 * Lists the probes that the descriptions in @src match. An empty text matches all probes. @o is
 * used as in compiler_add(). Calls @fn for each probe, and @none for a description that matches
 * nothing. The argument @lacks of @none names what this kernel lacks for the description, or is
 * NULL. An unknown probe ID is an error. If @verbose is set, the listings also have arguments,
 * hooks and stability. Returns 0, or -1 with the error recorded.
 */
int compiler_list(struct compiler *c, const struct src *src, const struct parse_opts *o,
		  bool verbose, void (*fn)(void *ctx, const struct probe_listing *l),
		  void (*none)(void *ctx, const char *desc, const char *lacks), void *ctx);

struct program_stability {
	struct stability desc; /* the least stability of the probe descriptions */
	struct stability body; /* the least stability of the names that the clauses use */
};

/*
 * Computes the stability of the D program @src. Call it before compiler_finish(), which adds
 * clauses of the library to those of the program. Calls @fn for each description of the program;
 * @fn may be NULL.
 */
struct program_stability compiler_stability(struct compiler *c, const struct src *src,
					    void (*fn)(void *ctx, const char *desc,
						       const struct probe_listing *l),
					    void *ctx);

/*
 * Returns the awaited probes: -Z allows them although they do not exist yet. Sets @n to their
 * number. attach_point.awaited is the number of such a probe, from 1. The probes live as long as
 * the compiler.
 */
const struct awaited *compiler_awaited(const struct compiler *c, unsigned *n);

/*
 * Returns the @n-th warning, for example that a probe does not exist on this kernel. Returns NULL
 * if there are no more.
 */
const char *compiler_warning(struct compiler *c, unsigned n);

#endif
