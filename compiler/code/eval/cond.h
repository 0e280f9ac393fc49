/*
 * cond.h - comparisons and truth values.
 */
#ifndef COMPILER_CODE_EVAL_COND_H
#define COMPILER_CODE_EVAL_COND_H

#include <stdbool.h>

#include "ir/ir.h"

struct expr;
struct fire;

/* Returns the condition code of comparison @e. */
enum ir_cc compare_cc(const struct expr *e);

/* Returns whether E_BINARY @e compares strings. */
bool compares_strings(const struct expr *e);

/* Returns a register with 1 if @e is not 0, else with 0. */
int gen_bool(struct fire *g, const struct expr *e);

#endif
