/*
 * call.h - type-checks calls.
 */
#ifndef COMPILER_MEANING_TYPING_CALLS_CALL_H
#define COMPILER_MEANING_TYPING_CALLS_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct expr;

/*
 * Returns whether @e is a call of __either(), which the type checker replaces by one of its
 * arguments.
 */
bool call_is_either(const struct expr *e);

/* Type-checks @e, a call of a subroutine or action. Returns 0, or -1 with the error recorded. */
int sema_call(struct compiler *c, struct expr *e);

/*
 * Checks that the call has @min to @max arguments. Returns 0, or -1 with an error of tag @tag
 * recorded.
 */
int sema_nargs(struct compiler *c, const struct expr *call, uint32_t min, uint32_t max,
	       enum dtag tag);

/*
 * Records that the type of argument @i does not fit the parameter, whose type is the text @proto.
 * Returns -1.
 */
int sema_bad_arg(struct compiler *c, const struct expr *call, uint32_t i, const char *proto);

/*
 * Records that there is no function with the name in @call, or none that aggregates if @aggregating
 * is set. Returns -1.
 */
int unknown_function(struct compiler *c, const struct expr *call, bool aggregating);

/* Records that @call, a call of an action or aggregating function, has no value. Returns -1. */
int not_in_expression(struct compiler *c, const struct expr *call);

#endif
