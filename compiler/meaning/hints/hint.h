/*
 * hint.h - what the user may have meant.  To be called right after the error.
 */
#ifndef COMPILER_HINT_H
#define COMPILER_HINT_H

#include <stdbool.h>

struct compiler;
struct expr;
struct probe_desc;
struct type;

/* @d matches no probe. */
void hint_probe(struct compiler *c, const struct probe_desc *d);
/* @t has no member @name. */
void hint_member(struct compiler *c, const char *name, struct type *t);
/* @a and @b are incompatible operands, already typed. */
void hint_operands(struct compiler *c, const struct expr *a, const struct expr *b);
/* No such name: of an aggregating function, a function, a variable. */
void hint_aggregating(struct compiler *c, const char *name);
void hint_function(struct compiler *c, const char *name);
void hint_variable(struct compiler *c, const char *name);
/* No self->name, or this->name: @scope is "self" or "this". */
void hint_scoped(struct compiler *c, const char *scope, const char *name);
/* A function's name stands where a value is wanted. */
void hint_not_called(struct compiler *c, const char *name);

/*
 * An aggregation, @agg, stands where a value is wanted: an operand of @e, or the predicate itself.
 */
void hint_not_aggregated(struct compiler *c, const struct expr *agg, const struct expr *e);
/* The name args stands without an index, at @e. */
void hint_args(struct compiler *c, const struct expr *e);
/* No symbol @name: says what Linux calls it; false: that is not known. */
bool hint_symbol(struct compiler *c, const char *name);

/* There is no aggregation @name. */
void hint_aggregation(struct compiler *c, const char *name);

/* ---- between the files of this folder ---- */

/* Is @d written as bpftrace writes probes? Then what it is here is said. */
bool hint_tracer(struct compiler *c, const struct probe_desc *d);
/* The name here of a variable of other tracers and systems; NULL: it is not known. */
const char *hint_variable_of(const char *name);

/* Is it what other systems call a member of the kernel's?  Then what it is here is said. */
bool hint_foreign_member(struct compiler *c, const char *name);
/*
 * Has an argument of the probe a member of this name, or one that ends so behind a _?  Then which
 * is said.
 */
bool hint_member_of_argument(struct compiler *c, const char *name);
/* Is @typed, of at least three characters, the part of @name behind its last or an earlier _? */
bool hint_ends_in(const char *name, const char *typed);
/* The distance between a word and the typed one, in changes; less than 4 is near. */
unsigned hint_nearness(const char *typed, const char *word);

#endif
