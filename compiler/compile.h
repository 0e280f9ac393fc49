/*
 * compile.h - compiles D texts to one struct program.
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

/* Texts with the results of each stage, for -S and -x dump=. Stages append to them. */
struct compile_dump {
	struct strbuf *ast, *typed, *ir, *plain, *bpf; /* NULL: not wanted */
};

/*
 * Creates a compiler and reads the libraries. The compiler owns everything that it returns,
 * programs included. @d must outlive the compiler. On failure the error is in @d, and the caller
 * may only free the compiler, which owns the text that the error points to.
 */
struct compiler *compiler_new(const struct compile_opts *o, struct diag *d);
void compiler_free(struct compiler *c);

/*
 * Parses text @src and enables its clauses. @src must live as long as the compiler. Sets @matched
 * to the number of probes that its clauses match, and appends the tree to @ast_dump (may be NULL).
 * compiler_option() returns the options of pragmas. Returns 0, or -1 with the error recorded.
 */
int compiler_add(struct compiler *c, const struct src *src, const struct parse_opts *o,
		 unsigned *matched, struct strbuf *ast_dump);

/* Generates the program. Returns NULL with the error in the diag given to compiler_new(). */
struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump);

/*
 * Returns the @n-th "#pragma D option" in @name, @value (NULL: none) and @loc, or false if there
 * are no more.
 */
bool compiler_option(struct compiler *c, unsigned n, const char **name, const char **value,
		     struct loc *loc);

/* A matched probe and its arguments, for listings. */
struct probe_listing {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	uint32_t narg;
	const char **arg;  /* types as text; only if asked for */
	const char **hook; /* hooks in use, "rawtp:::netif_receive_skb" */
	uint32_t nhook;
	const char *missing; /* what this kernel lacks, if nhook is 0 */
	/* groups of hooks that do not fit this kernel: "HOOK: reason (file, line N)" */
	const char **passed;
	uint32_t npassed;
	bool stable;
	struct stability desc, args; /* only if asked for */
};

/*
 * Lists the probes that the descriptions in text @src match ("" matches all; @o as for
 * compiler_add()). Calls @fn for each probe. Calls @none for each description without a match, with
 * what the kernel lacks for it (NULL: unknown). @verbose: also finds arguments, hooks and
 * stability. Returns 0, or -1 with the error recorded.
 */
int compiler_list(struct compiler *c, const struct src *src, const struct parse_opts *o,
		  bool verbose, void (*fn)(void *ctx, const struct probe_listing *l),
		  void (*none)(void *ctx, const char *desc, const char *lacks), void *ctx);

struct program_stability {
	struct stability desc; /* the least stability of the probe descriptions */
	struct stability body; /* the least stability of the names that the clauses use */
};

/* Computes the stability of text @src. Calls @fn, unless it is NULL, for each description. */
struct program_stability compiler_stability(struct compiler *c, const struct src *src,
					    void (*fn)(void *ctx, const char *desc,
						       const struct probe_listing *l),
					    void *ctx);

/*
 * Returns the probes that do not exist yet (-Z), and their number in @n, in the order of
 * attach_point.awaited. They live as long as the compiler.
 */
const struct awaited *compiler_awaited(const struct compiler *c, unsigned *n);

/* Returns the @n-th warning, such as that a probe does not exist on this kernel; NULL: no more. */
const char *compiler_warning(struct compiler *c, unsigned n);

#endif
