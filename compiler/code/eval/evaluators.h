/*
 * evaluators.h - the implementations behind eval.h. Only the table in evaluators.c names them.
 */
#ifndef COMPILER_CODE_EVAL_EVALUATORS_H
#define COMPILER_CODE_EVAL_EVALUATORS_H

#include <stdbool.h>

#include "compiler/code/eval/fire.h"

/* Implements gen(); in value.c. */
int eval_value(struct fire *g, const struct expr *e);

/* Implements gen_cond(); in cond.c. */
void eval_cond(struct fire *g, const struct expr *e, int t, int f);

/* Implements gen_lvalue(); in lvalue.c. */
struct mem eval_lvalue(struct fire *g, const struct expr *e, struct element *to);

/* Implements gen_str(); in strings/strings.c. */
void eval_str(struct fire *g, const struct expr *e, struct dest d);

extern const struct evaluators evaluators;

#endif
