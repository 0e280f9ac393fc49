/*
 * atomic.h - functions for atomic instructions. The common one, 64-bit addition without fetch, is
 * not here but in the interpreter and in native code.
 *
 * One thread runs a virtual machine, so none of the functions needs a locked instruction.
 */
#ifndef ENGINE_VM_ATOMIC_H
#define ENGINE_VM_ATOMIC_H

#include <stdint.h>

struct vm_op;

/*
 * Carry out the 4-byte or 8-byte atomic instruction @op on the registers @r and the memory that
 * they point to.
 */
void vm_atomic32(const struct vm_op *op, uint64_t *r);
void vm_atomic64(const struct vm_op *op, uint64_t *r);

#endif
