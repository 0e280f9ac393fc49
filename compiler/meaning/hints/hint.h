/*
 * hint.h - suggestions for what the user may have meant. Call them directly after the error.
 */
#ifndef COMPILER_MEANING_HINTS_HINT_H
#define COMPILER_MEANING_HINTS_HINT_H

#include <stdbool.h>

struct compiler;
struct expr;
struct probe_desc;
struct type;

/* Suggests a probe for description @d, which matches none. */
void hint_probe(struct compiler *c, const struct probe_desc *d);
/* Suggests a member for @name, which is no member of @t. */
void hint_member(struct compiler *c, const char *name, struct type *t);
/* Says what to compare with a string if typed operands @a and @b are incompatible. */
void hint_operands(struct compiler *c, const struct expr *a, const struct expr *b);
/* Suggest a name for @name, which is no aggregating function, no function, or no variable. */
void hint_aggregating(struct compiler *c, const char *name);
void hint_function(struct compiler *c, const char *name);
void hint_variable(struct compiler *c, const char *name);
/* Suggests a variable if there is no self->@name or this->@name. @scope is "self" or "this". */
void hint_scoped(struct compiler *c, const char *scope, const char *name);
/* Suggests NAME( ), below the error that the name of a function is used as a value. */
void hint_to_call(struct compiler *c, const char *name);

/*
 * Suggests an aggregating function, or a variable instead of aggregation @agg, which is used as a
 * value: as an operand of @e, or as the predicate (@e is @agg).
 */
void hint_not_aggregated(struct compiler *c, const struct expr *agg, const struct expr *e);
/* Suggests an argument if args is used without an index, at @e. */
void hint_args(struct compiler *c, const struct expr *e);
/*
 * There is no symbol @name: suggests the name of the same symbol on Linux. Returns false if the
 * name is not in the table.
 */
bool hint_symbol(struct compiler *c, const char *name);

/* Suggests an aggregation for @name, which is none. */
void hint_aggregation(struct compiler *c, const char *name);

/* ---- between the files of this folder ---- */

/* Explains @d if it is written as a bpftrace probe. Returns whether it is. */
bool hint_tracer(struct compiler *c, const struct probe_desc *d);
/* Returns what D on Linux has instead of variable @name of other tracers and systems, or NULL. */
const char *hint_variable_of(const char *name);

/* Suggests a member for @name, a member on other systems. Returns whether it knows @name. */
bool hint_foreign_member(struct compiler *c, const char *name);
/*
 * Suggests a member of one of the probe's arguments with this name, or whose name ends in "_" and
 * this name. Returns whether it did.
 */
bool hint_member_of_argument(struct compiler *c, const char *name);
/* Returns whether @name ends in "_" and @typed. @typed must have at least three characters. */
bool hint_ends_in(const char *name, const char *typed);
/* Returns the distance between a word and the typed one, in changes; less than 4 is near. */
unsigned hint_nearness(const char *typed, const char *word);

#endif
