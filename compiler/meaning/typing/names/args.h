/*
 * args.h - type-checks args[].
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_ARGS_H
#define COMPILER_MEANING_TYPING_NAMES_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct compiler;
struct expr;
struct probe;
struct probe_decl;

/* If no probe of the clause has the plain argument arg@i, warns that it is 0. */
void args_need_number(struct compiler *c, uint32_t i);

/* name of the constant 0 that is translated in place of an argument that a probe lacks */
#define MISSING_ARGUMENT "args"

/* Type-checks @e, "args[N]". Returns 0, or -1 with the error recorded. */
int sema_args(struct compiler *c, struct expr *e);

/*
 * Returns whether probes @p and @q make each argument from the same native arguments (arguments
 * before translation). Compares the arguments that all @n probes @all have, and at least the first
 * COMMON_ARGS arguments.
 */
bool args_alike(const struct probe *p, const struct probe *q, struct probe **all, uint32_t n);

/*
 * Returns a new expression at @loc, with its type: native argument @i of the probe that @d
 * declares.
 */
struct expr *args_native(struct compiler *c, const struct probe_decl *d, uint32_t i,
			 struct loc loc);

#endif
