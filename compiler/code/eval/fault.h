/* fault.h - faults: errors of a clause at run time, such as a bad address, which ERROR reports. */
#ifndef COMPILER_CODE_EVAL_FAULT_H
#define COMPILER_CODE_EVAL_FAULT_H

#include <stdint.h>

#include "ir/program.h"

struct fire;

/*
 * Returns a block that reports fault @code. @value is a register with the value to report, or
 * NOREG. Emit the jump to the block before you call fault_block() again, because the next call may
 * place all waiting blocks.
 */
int fault_block(struct fire *g, enum fault_code code, int value);

/* Places the blocks of fault_block() that are not placed yet. Call it at the end of the clause. */
void place_faults(struct fire *g);

/* Reports fault @code here, and continues in an unreachable block. */
void gen_fault(struct fire *g, enum fault_code code, int value);

/*
 * Emits a test that reports fault @code if @v > @most, as unsigned numbers. Returns a register with
 * the value of @v. Use the returned register at once and instead of @v: if @v is spilled to the
 * stack, a verifier before Linux 6.9 forgets the bounds that were tested.
 */
int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value);

#endif
