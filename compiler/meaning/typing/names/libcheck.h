/*
 * libcheck.h - finds mistakes in definitions before a program uses the definitions.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_LIBCHECK_H
#define COMPILER_MEANING_TYPING_NAMES_LIBCHECK_H

#include <stdbool.h>

struct ast;
struct compiler;
struct decl_inline;

/*
 * Checks the names and the providers in a parsed library text. Called when all names are known.
 * Returns 0, or -1 with the error recorded.
 */
int library_check(struct compiler *c, const struct ast *t);

/* Checks the names in an inline of a program. Returns 0, or -1 with the error recorded. */
int inline_check_names(struct compiler *c, const struct decl_inline *in);

#endif
