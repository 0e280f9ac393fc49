/*
 * evaluators.c - the table of functions that evaluate expressions.
 */
#include "compiler/code/eval/evaluators.h"

#include "compiler/code/eval/fire.h"

const struct evaluators evaluators = {eval_value, eval_cond, eval_lvalue, eval_str};
