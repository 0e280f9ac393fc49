/*
 * compile.h - D texts in, one struct program out.
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

/* The results of each stage, for -S and -x dump=; texts are appended as stages run. */
struct compile_dump {
	struct strbuf *ast, *typed, *ir, *plain, *bpf; /* NULL: not wanted */
};

/*
 * Reads the libraries.  If that fails the error is in @d, and the compiler is good
 * for compiler_free() only: it owns the text that the error points into.  It owns
 * everything it returns, programs included.
 */
struct compiler *compiler_new(const struct compile_opts *o, struct diag *d);
void compiler_free(struct compiler *c);

/*
 * Parses one text and enables its clauses.  @src and the texts in it must live
 * as long as the compiler.  Sets @matched to the number of probes over all its
 * clauses.  Options of pragmas are kept: compiler_options().
 */
int compiler_add(struct compiler *c, const struct src *src, const struct parse_opts *o,
		 unsigned *matched, struct strbuf *ast_dump);

/* Generates the program; NULL with the error in the diag given to compiler_new(). */
struct program *compiler_finish(struct compiler *c, const struct compile_dump *dump);

/* The n-th "#pragma D option"; false: there are no more. */
bool compiler_option(struct compiler *c, unsigned n, const char **name, const char **value,
		     struct loc *loc);

/* For the listing: what a matched probe is called and what its arguments are. */
struct probe_listing {
	uint32_t id;
	const char *prov, *mod, *func, *name;
	uint32_t narg;
	const char **arg;  /* types, as text; only when asked for */
	const char **hook; /* hooks in use, "rawtp:::netif_receive_skb" */
	uint32_t nhook;
	const char *missing; /* what this kernel lacks, if nhook is 0 */
	/* groups of hooks that are not for this kernel: "HOOK: reason (file, line N)" */
	const char **passed;
	uint32_t npassed;
	bool stable;
	struct stability desc, args; /* only when asked for */
};

/*
 * Lists the probes that the descriptions in text match ("" all; @o as for compiler_add):
 * calls @fn for each probe, @none for each description that matches none, with what the kernel
 * @lacks for it (NULL: that is not known).  0, or -1 on an error.
 */
int compiler_list(struct compiler *c, const struct src *src, const struct parse_opts *o,
		  bool verbose, void (*fn)(void *ctx, const struct probe_listing *l),
		  void (*none)(void *ctx, const char *desc, const char *lacks), void *ctx);

/*
 * How stable what text @src enabled is: the least of its descriptions, and of what its clauses
 * use.  @fn, if it is given, is called for each description.
 */
struct program_stability {
	struct stability desc, body;
};
struct program_stability compiler_stability(struct compiler *c, const struct src *src,
					    void (*fn)(void *ctx, const char *desc,
						       const struct probe_listing *l),
					    void *ctx);

/*
 * The probes of processes that were asked for and do not exist yet (-Z), @n of them, in the order
 * of their numbers (attach_point.awaited); they live as long as the compiler.
 */
const struct awaited *compiler_awaited(const struct compiler *c, unsigned *n);

/* Warnings of the enabling, such as a probe that does not exist here; NULL: no more. */
const char *compiler_warning(struct compiler *c, unsigned n);

#endif
