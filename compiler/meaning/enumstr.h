/*
 * enumstr.h - turns values of the kernel's enums into their names, as D strings.
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

/* Returns how many bytes are enough for each result of call @e, with its NUL. */
uint32_t enumstr_room(struct compiler *c, const struct expr *e);

/*
 * Sets @value to the value that call @e would show as @name. Returns false if the enum has no such
 * value.
 */
bool enumstr_value(struct compiler *c, const struct expr *e, const char *name, int64_t *value);

/* Returns the name that call @e shows for enumerator @i, or NULL if there are not so many. */
const char *enumstr_name(struct compiler *c, const struct expr *e, uint32_t i);

/*
 * Returns where program.str has the names of the enum of call @e. The first call for an enum adds
 * its names. The compiler owns the result.
 */
const struct enum_names *enumstr_table(struct compiler *c, const struct expr *e);

/* Text of values without a name. */
#define ENUMSTR_UNKNOWN "<unknown>"

#endif
