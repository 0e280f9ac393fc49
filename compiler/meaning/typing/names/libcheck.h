/*
 * libcheck.h - mistakes in definitions that can be seen before anybody uses them.
 */
#ifndef COMPILER_LIBCHECK_H
#define COMPILER_LIBCHECK_H

#include <stdbool.h>

struct ast;
struct compiler;
struct decl_inline;

/*
 * Checks the names in one parsed text, when all names are known: 0, or -1 with the error recorded.
 * @trusted: its names are right, only its providers are recorded.
 */
int library_check(struct compiler *c, const struct ast *t, bool trusted);

/* The same of an inline of a program's. */
int inline_check_names(struct compiler *c, const struct decl_inline *in);

#endif
