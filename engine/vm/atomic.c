/*
 * atomic.c - carries out atomic instructions. These are rare, so the interpreter and native code
 * call functions for them.
 */
#include "engine/vm/atomic.h"

#include <stdbool.h>
#include <string.h>

#include "engine/vm/internal.h"
#include "engine/vm/isa.h"

static uint64_t atomic_new(int32_t kind, uint64_t old, uint64_t v, bool equal)
{
	switch (kind & ~ATOMIC_FETCH) {
	case ATOMIC_ADD:
		return old + v;
	case ATOMIC_OR:
		return old | v;
	case ATOMIC_AND:
		return old & v;
	case ATOMIC_XOR:
		return old ^ v;
	case ATOMIC_CMPXCHG & ~ATOMIC_FETCH:
		return equal ? v : old;
	}
	return v; /* ATOMIC_XCHG */
}

static void atomic_result(const struct vm_op *op, uint64_t *r, uint64_t old)
{
	if (op->imm == ATOMIC_CMPXCHG)
		r[0] = old;
	else if (op->imm & ATOMIC_FETCH)
		r[op->src] = old;
}

static void *address_of(const struct vm_op *op, const uint64_t *r)
{
	return vm_ptr(r[op->dst] + (uint64_t)(int64_t)op->off);
}

void vm_atomic32(const struct vm_op *op, uint64_t *r)
{
	void *p = address_of(op, r);
	uint32_t old, new;

	memcpy(&old, p, sizeof(old));
	new = (uint32_t)atomic_new(op->imm, old, r[op->src], old == (uint32_t)r[0]);
	memcpy(p, &new, sizeof(new));
	atomic_result(op, r, old);
}

void vm_atomic64(const struct vm_op *op, uint64_t *r)
{
	void *p = address_of(op, r);
	uint64_t old, new;

	memcpy(&old, p, sizeof(old));
	new = atomic_new(op->imm, old, r[op->src], old == r[0]);
	memcpy(p, &new, sizeof(new));
	atomic_result(op, r, old);
}
