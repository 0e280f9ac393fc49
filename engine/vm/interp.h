/*
 * interp.h - the interpreter. It is included by fast.c and checked.c, which define these macros:
 *
 *	INTERP      name of the function to define
 *	LABELS      name of the function that returns the labels of the interpreter
 *	CHECK_STEP(at)  whether the instruction at index `at` may run
 *
 * The interpreter uses direct threading: the code of each operation ends with a jump to the code of
 * the next operation, at its label. There is no loop and no common jump, so the CPU predicts each
 * of these jumps separately.
 */
#include <endian.h>
#include <string.h>

#include "engine/vm/atomic.h"
#include "engine/vm/deferred.h"
#include "engine/vm/helpers.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"
#include "engine/vm/ops.h"

#define unlikely(x) __builtin_expect(!!(x), 0)

/*
 * Functions that load and store numbers at any address, aligned or not. The memory of programs has
 * no C type, so they use memcpy().
 */
#define DEFINE_ACCESS(bits) \
	static inline uint##bits##_t load##bits(uint64_t addr) \
	{ \
		uint##bits##_t v; \
\
		memcpy(&v, vm_ptr(addr), sizeof(v)); \
		return v; \
	} \
\
	static inline void store##bits(uint64_t addr, uint##bits##_t v) \
	{ \
		memcpy(vm_ptr(addr), &v, sizeof(v)); \
	}
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)
DEFINE_ACCESS(32)
DEFINE_ACCESS(64)

static inline uint64_t at_off(uint64_t base, int16_t off)
{
	return base + (uint64_t)(int64_t)off;
}

/* The effects of loads and stores on registers and memory. o is the operation. */
#define SX(imm) ((uint64_t)(int64_t)(imm))
#define DO_LDX(bits, conv, o) \
	do { \
		uint64_t addr_ = at_off(r[(o)->src], (o)->off); \
\
		r[(o)->dst] = unlikely(addr_ < VM_LOW_ADDR) ? 0 : SX(conv load##bits(addr_)); \
	} while (0)
#define DO_STX(bits, o) store##bits(at_off(r[(o)->dst], (o)->off), (uint##bits##_t)r[(o)->src])
#define DO_ST(bits, o) store##bits(at_off(r[(o)->dst], (o)->off), (uint##bits##_t)SX((o)->imm))

/*
 * Clang merges all indirect jumps into one, and separates them again in a late pass. If the source
 * has many indirect jumps, clang's passes for sanitizers take time proportional to jumps times
 * labels. So clang gets code with only one indirect jump.
 */
#ifdef __clang__
#define NEXT_LABEL() goto thread
#else
#define NEXT_LABEL() goto * op->label
#endif
#define DISPATCH() \
	do { \
		if (unlikely(!CHECK_STEP((uint32_t)(op - ex->code->op)))) \
			return 0; \
		NEXT_LABEL(); \
	} while (0)
#define NEXT(n) \
	do { \
		op += (n); \
		DISPATCH(); \
	} while (0)

/*
 * Runs the unit of @ex. If @want is not NULL, only stores the table of labels in *@want, because
 * labels are visible only inside this function.
 */
static uint64_t interp(struct vm_exec *ex, const void *const **want)
{
	static const void *const label[] = {
#define ALU(n, e) &&n##64K, &&n##64X, &&n##32K, &&n##32X,
#define OTHER(n) &&n,
		VM_ALU_OPS(ALU) VM_JMP_OPS(ALU) VM_OTHER_OPS(OTHER)
#undef ALU
#undef OTHER
	};
	uint64_t r[VM_REGS];
	const struct vm_op *op;

	if (want) {
		*want = label;
		return 0;
	}
	op = ex->code->op;
	/*
	 * Clears the registers one by one, because compilers turn a loop or an initialiser into a
	 * slow string instruction.
	 */
	r[0] = r[2] = r[3] = r[4] = r[5] = r[6] = r[7] = r[8] = r[9] = 0;
	r[1] = vm_addr(ex->ctx);
	r[10] = vm_addr(vm_frame_base(ex, 0) + VM_FRAME_SIZE);
	DISPATCH();

	/* arithmetic */
#define TYPES(bits) \
	typedef uint##bits##_t U __attribute__((unused)); \
	typedef int##bits##_t S __attribute__((unused));
#define ALU_ONE(name, bits, operand, e) \
name: { \
	TYPES(bits) \
	U a = (U)r[op->dst], b = (U)(operand); \
\
	(void)a, (void)b; \
	r[op->dst] = (U)(e); \
	NEXT(1); \
}
#define ALU(n, e) \
	ALU_ONE(n##64K, 64, SX(op->imm), e) \
	ALU_ONE(n##64X, 64, r[op->src], e) \
	ALU_ONE(n##32K, 32, op->imm, e) \
	ALU_ONE(n##32X, 32, r[op->src], e)
	VM_ALU_OPS(ALU)

#define UNARY(name, e) \
name: { \
	uint64_t a = r[op->src]; \
\
	r[op->dst] = (uint64_t)(e); \
	NEXT(1); \
}
	UNARY(MOVSX8, (int64_t)(int8_t)a)
	UNARY(MOVSX16, (int64_t)(int16_t)a)
	UNARY(MOVSX32, (int64_t)(int32_t)a)
	UNARY(MOVSX8W, (uint32_t)(int32_t)(int8_t)a)
	UNARY(MOVSX16W, (uint32_t)(int32_t)(int16_t)a)
#undef UNARY
#define UNARY(name, e) \
name: { \
	uint64_t a = r[op->dst]; \
\
	r[op->dst] = (uint64_t)(e); \
	NEXT(1); \
}
	UNARY(SWAP16, __builtin_bswap16((uint16_t)a))
	UNARY(SWAP32, __builtin_bswap32((uint32_t)a))
	UNARY(SWAP64, __builtin_bswap64(a))
	UNARY(LE16, htole16((uint16_t)a))
	UNARY(LE32, htole32((uint32_t)a))
	UNARY(LE64, htole64(a))
	UNARY(BE16, htobe16((uint16_t)a))
	UNARY(BE32, htobe32((uint32_t)a))
	UNARY(BE64, htobe64(a))

IMM64:
	r[op->dst] = op[1].value;
	NEXT(2);

	/* jumps */
#define JMP_ONE(name, bits, operand, e) \
name: { \
	TYPES(bits) \
	U a = (U)r[op->dst], b = (U)(operand); \
\
	if (e) \
		NEXT(1 + op->off); \
	NEXT(1); \
}
#define JMP(n, e) \
	JMP_ONE(n##64K, 64, SX(op->imm), e) \
	JMP_ONE(n##64X, 64, r[op->src], e) \
	JMP_ONE(n##32K, 32, op->imm, e) \
	JMP_ONE(n##32X, 32, r[op->src], e)
	VM_JMP_OPS(JMP)

JA:
	NEXT(1 + op->imm);

	/* memory */
#define SIMPLE(name, what) \
name: \
	what; \
	NEXT(1);
	SIMPLE(LDXB, DO_LDX(8, , op))
	SIMPLE(LDXH, DO_LDX(16, , op))
	SIMPLE(LDXW, DO_LDX(32, , op))
	SIMPLE(LDXDW, DO_LDX(64, , op))
	SIMPLE(LDSXB, DO_LDX(8, (int8_t), op))
	SIMPLE(LDSXH, DO_LDX(16, (int16_t), op))
	SIMPLE(LDSXW, DO_LDX(32, (int32_t), op))
	SIMPLE(STB, DO_ST(8, op))
	SIMPLE(STH, DO_ST(16, op))
	SIMPLE(STW, DO_ST(32, op))
	SIMPLE(STDW, DO_ST(64, op))
	SIMPLE(STXB, DO_STX(8, op))
	SIMPLE(STXH, DO_STX(16, op))
	SIMPLE(STXW, DO_STX(32, op))
	SIMPLE(STXDW, DO_STX(64, op))
	SIMPLE(ATOMIC32, vm_atomic32(op, r))
	SIMPLE(ATOMIC64, vm_atomic64(op, r))

ATOMIC_ADD64: {
	uint64_t addr = at_off(r[op->dst], op->off);

	store64(addr, load64(addr) + r[op->src]);
	NEXT(1);
}

	/* calls */
	SIMPLE(CALL, r[0] = vm_helpers[op->imm].fn(ex, r))
	SIMPLE(CALL_LOOKUP, r[0] = vm_addr(vm_map_lookup(vm_ptr(r[1]), vm_ptr(r[2]))))
	SIMPLE(CALL_ADD, r[0] = vm_map_add(vm_ptr(r[1]), vm_ptr(r[2]), r[3], r[4], r[5]))
	SIMPLE(CALL_TIME, r[0] = ex->vm->env.time_ns)
	SIMPLE(CALL_CPU, r[0] = ex->vm->env.cpu)
	SIMPLE(CALL_TASK, r[0] = vm_addr(ex->vm->env.task))
	SIMPLE(CALL_CAST, r[0] = r[1])
	SIMPLE(CALL_CTX, r[0] = load64(r[1]))

CALL_LOCAL: {
	struct vm_frame *f = &ex->frame[ex->depth];

	if (unlikely(ex->depth + 1 >= VM_FRAMES)) {
		vm_trap(ex, (uint32_t)(op - ex->code->op), "calls are nested too deep");
		return 0;
	}
	f->ret = op + 1;
	memcpy(f->saved, &r[6], sizeof(f->saved));
	ex->depth++;
	r[10] = vm_addr(vm_frame_base(ex, ex->depth) + VM_FRAME_SIZE);
	NEXT(1 + op->imm);
}

EXIT: {
	const struct vm_frame *f;

	if (!ex->depth)
		return r[0];
	f = &ex->frame[--ex->depth];
	memcpy(&r[6], f->saved, sizeof(f->saved));
	op = f->ret;
	DISPATCH();
}

#ifdef __clang__
thread:
	goto * op->label;
#endif
}

uint64_t INTERP(struct vm_exec *ex)
{
	return interp(ex, NULL);
}

const void *const *LABELS(void)
{
	const void *const *label;

	interp(NULL, &label);
	return label;
}
