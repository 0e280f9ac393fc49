/*
 * atomic.h - the atomic instructions but for the plain 64-bit addition.
 *
 * One thread runs a machine, so nothing needs a locked instruction.
 */
#ifndef ENGINE_VM_ATOMIC_H
#define ENGINE_VM_ATOMIC_H

#include <stdint.h>

struct vm_op;

/* What @op does, of 4 or 8 bytes, to registers @r and the memory they point to. */
void vm_atomic32(const struct vm_op *op, uint64_t *r);
void vm_atomic64(const struct vm_op *op, uint64_t *r);

#endif
