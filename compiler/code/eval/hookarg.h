/*
 * hookarg.h - the arguments of the hook and of the probe.
 */
#ifndef COMPILER_CODE_EVAL_HOOKARG_H
#define COMPILER_CODE_EVAL_HOOKARG_H

#include <stdint.h>

struct fire;

/* Returns a register with argument @i of the hook. Missing arguments are 0. */
int gen_hostarg(struct fire *g, uint64_t i);

/* Returns a register with native argument @i, as the derivation computes it. */
int gen_native(struct fire *g, uint64_t i);

/*
 * Returns a register with the thread that the probe fires for: the current task, unless the
 * derivation names another (`as`).
 */
int gen_thread(struct fire *g);

#endif
