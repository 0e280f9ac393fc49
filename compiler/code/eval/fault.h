/* fault.h - faults: errors of a clause at run time, such as a bad address, which ERROR reports. */
#ifndef COMPILER_CODE_EVAL_FAULT_H
#define COMPILER_CODE_EVAL_FAULT_H

#include <stdint.h>

#include "ir/program.h"

struct fire;

/*
 * Returns a block that reports fault @code. @value is a register with the value to report, or
 * NOREG. Emit the jump to the block before the next call of fault_block(), because that call may
 * place all blocks that wait.
 */
int fault_block(struct fire *g, enum fault_code code, int value);

/*
 * Places the blocks that fault_block() has returned and that are not placed yet. Call it at the end
 * of the clause.
 */
void place_faults(struct fire *g);

/* Reports fault @code here, and continues in an unreachable block. */
void gen_fault(struct fire *g, enum fault_code code, int value);

/*
 * Emits a test that reports fault @code unless @v, as an unsigned number, is at most @most. Returns
 * a register with the same value, which the caller must use immediately and instead of @v. The
 * register @v may be spilled to the stack, and before Linux 6.9 the verifier forgets the tested
 * bounds of a spilled value.
 */
int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value);

#endif
