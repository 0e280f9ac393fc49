/*
 * fault.h - faults.
 */
#ifndef COMPILER_CODE_EVAL_FAULT_H
#define COMPILER_CODE_EVAL_FAULT_H

#include <stdint.h>

#include "ir/program.h"

struct fire;

/*
 * Returns a block that reports fault @code. @value: register with the value to report, or NOREG.
 * Jump there before you ask for the next block, because blocks that wait may be placed then.
 */
int fault_block(struct fire *g, enum fault_code code, int value);

/* Places the blocks of fault_block() that wait. Call it at the end of the clause. */
void place_faults(struct fire *g);

/* Reports fault @code here, and continues in an unreachable block. */
void gen_fault(struct fire *g, enum fault_code code, int value);

/*
 * Reports fault @code unless @v is at most @most, unsigned. Returns a register with the same value,
 * which must be used at once. The caller must not use @v: it may be spilled to the stack, and
 * before Linux 6.9 the verifier loses the bounds of a spilled value that was tested.
 */
int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value);

#endif
