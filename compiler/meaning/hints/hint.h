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

/* Suggests a probe for description @d, which matches no probe. */
void hint_probe(struct compiler *c, const struct probe_desc *d);
/* Suggests a member of @t for @name, which is no member of @t. */
void hint_member(struct compiler *c, const char *name, struct type *t);
/*
 * Says what a string can be compared with, if the operands @a and @b, which are type-checked, are
 * incompatible.
 */
void hint_operands(struct compiler *c, const struct expr *a, const struct expr *b);
/*
 * Suggest a known name that is similar to @name: of a function or a variable. @aggregating is set
 * if only an aggregating function may stand there.
 */
void hint_function(struct compiler *c, const char *name, bool aggregating);
void hint_variable(struct compiler *c, const char *name);
/* Suggests a variable if there is no self->@name or this->@name. @scope is "self" or "this". */
void hint_scoped(struct compiler *c, const char *scope, const char *name);
/* Suggests NAME( ). Called after the error that the name of a function is used as a value. */
void hint_to_call(struct compiler *c, const char *name);

/*
 * Suggests an aggregating function, or a variable in place of aggregation @agg. The program uses
 * @agg as a value: as an operand of @e, or as a predicate, where @e is @agg itself.
 */
void hint_not_aggregated(struct compiler *c, const struct expr *agg, const struct expr *e);

/*
 * Suggests an aggregation in place of variable @lhs, or a statement without the variable. The
 * program assigns @call, which has no value, to the variable.
 */
void hint_no_value(struct compiler *c, const struct expr *lhs, const struct expr *call);
/* If @e is written as in bpftrace, args.NAME or args->NAME, suggests how D names this argument. */
void hint_args(struct compiler *c, const struct expr *e);
/*
 * Suggests the name that kernel symbol @name of another system has on Linux. Returns false if @name
 * is not in the table.
 */
bool hint_symbol(struct compiler *c, const char *name);

/* Suggests a similar name if there is no aggregation @name. */
void hint_aggregation(struct compiler *c, const char *name);

/* ---- between the files of this folder ---- */

/* Suggests D's probe if @d is written as a bpftrace probe. Returns whether it is. */
bool hint_tracer(struct compiler *c, const struct probe_desc *d);
/*
 * Returns what D on Linux has at the probes of the clause in place of variable @name of other
 * tracers and systems, or NULL.
 */
const char *hint_variable_of(const struct compiler *c, const char *name);

/*
 * Suggests the member that corresponds to member @name of other systems. Returns false if @name is
 * not in the table.
 */
bool hint_foreign_member(struct compiler *c, const char *name);
/*
 * Suggests a member of one of the probe's arguments that has the name @name, or whose name ends in
 * "_" and @name. Returns whether there is one.
 */
bool hint_member_of_argument(struct compiler *c, const char *name);
/* Returns whether @name ends in "_" and @typed. @typed must have at least three characters. */
bool hint_ends_in(const char *name, const char *typed);
/*
 * Returns how different @word is from the typed name, as a number of characters: 0 if only upper
 * and lower case differ; at most 2 if @typed abbreviates @word, as "recv" abbreviates "receive"; 64
 * if one of the two is too long to compare.
 */
unsigned hint_nearness(const char *typed, const char *word);

#endif
