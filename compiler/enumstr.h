/*
 * enumstr.h - names of the kernel's enum values, as strings of D.
 */
#ifndef COMPILER_ENUMSTR_H
#define COMPILER_ENUMSTR_H

#include "compiler/irgen.h"

/* Is the call @e right: does this kernel have the enum?  0, or -1 with the error recorded. */
int enumstr_check(struct compiler *c, const struct expr *e);

/* Bytes the longest name takes, its NUL included. */
uint32_t enumstr_room(struct compiler *c, const struct expr *e);

/* The value that is shown as @name; false: none is. */
bool enumstr_value(struct compiler *c, const struct expr *e, const char *name, int64_t *value);

/* A register with the index in program.str of the value's name. */
int enumstr_index(struct fire *g, const struct expr *e);

#endif
