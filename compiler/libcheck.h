/*
 * libcheck.h - mistakes in library texts that no kernel is the cause of.
 */
#ifndef COMPILER_LIBCHECK_H
#define COMPILER_LIBCHECK_H

#include "compiler/sema.h"

/* Looks through what was parsed of one text, when all are known: 0, or -1 with the error recorded. */
int library_check(struct compiler *c, const struct ast *t);

#endif
