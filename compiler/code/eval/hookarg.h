/*
 * hookarg.h - the arguments of the hook and of the probe.
 */
#ifndef COMPILER_CODE_EVAL_HOOKARG_H
#define COMPILER_CODE_EVAL_HOOKARG_H

#include <stdint.h>

struct fire;

/* Returns a register with argument @i of the hook. An argument that the hook does not have is 0. */
int gen_hostarg(struct fire *g, uint64_t i);

/*
 * Returns a register with the pointer that is argument @i of a tracepoint, as the verifier knows
 * it: without the cast that gen_hostarg() adds if the argument may be NULL.
 */
int gen_typed_arg(struct fire *g, uint64_t i);

/*
 * Returns a register with native argument @i, an argument of the probe before translation. The
 * derivation of the probe (library text) computes it from the hook's arguments.
 */
int gen_native(struct fire *g, uint64_t i);

/*
 * Returns a register with the thread that the probe fires for. This is the current task, unless the
 * derivation names another thread (`as`).
 */
int gen_thread(struct fire *g);

#endif
