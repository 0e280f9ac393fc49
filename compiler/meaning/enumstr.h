/*
 * enumstr.h - names of the kernel's enum values, as strings of D.
 */
#ifndef COMPILER_MEANING_ENUMSTR_H
#define COMPILER_MEANING_ENUMSTR_H

#include <stdbool.h>
#include <stdint.h>

struct compiler;
struct enum_names;
struct expr;

/* Checks that this kernel has the enum of call @e. Returns 0, or -1 with the error recorded. */
int enumstr_check(struct compiler *c, const struct expr *e);

/* Returns a number of bytes in which each result of call @e fits, its NUL included. */
uint32_t enumstr_room(struct compiler *c, const struct expr *e);

/* Finds the value of the enum of call @e that has the text @name. Returns false if none has. */
bool enumstr_value(struct compiler *c, const struct expr *e, const char *name, int64_t *value);

/*
 * Returns where program.str has the names of the enum of call @e. The first call for an enum adds
 * them. The compiler owns the result.
 */
const struct enum_names *enumstr_table(struct compiler *c, const struct expr *e);

/* Text of values without a name. */
#define ENUMSTR_UNKNOWN "<unknown>"

#endif
