/*
 * usdt_arg.h - arguments of static probes.
 */
#ifndef COMPILER_CODE_EVAL_USDT_ARG_H
#define COMPILER_CODE_EVAL_USDT_ARG_H

#include <stdint.h>

#include "base/diag.h"

struct fire;

/*
 * Returns a register with argument @i of the static probe that fires. An argument that the probe
 * does not have is 0. If a program cannot read the argument, an error is recorded at position @at.
 */
int gen_usdt_arg(struct fire *g, uint64_t i, struct loc at);

#endif
