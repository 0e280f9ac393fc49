/*
 * jit.c - compiles a unit: has the native code of each operation emitted, and makes the result
 * executable.
 */
#include "engine/vm/jit.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "engine/vm/atomic.h"
#include "engine/vm/helpers.h"

#if JIT_HERE

void jit_bytes(struct jit *j, const void *p, size_t n)
{
	if (j->n + n > j->cap) {
		j->cap = (j->n + n) * 2;
		j->buf = xrealloc(j->buf, j->cap);
	}
	memcpy(j->buf + j->n, p, n);
	j->n += n;
}

void jit_fixup(struct jit *j, uint32_t op, bool call)
{
	if (j->nfixup == j->capfixup) {
		j->capfixup = j->capfixup * 2 + 64;
		j->fixup = xrealloc(j->fixup, j->capfixup * sizeof(*j->fixup));
	}
	j->fixup[j->nfixup++] = (struct jit_fixup){(uint32_t)j->n, op, call};
}

/* --------------------------------------------------------------- safe addresses */

static void forget(struct jit *j, unsigned reg)
{
	j->known_valid &= (uint16_t)~(1u << reg);
	j->lookup_results &= (uint16_t)~(1u << reg);
}

static void copy_known(struct jit *j, unsigned dst, unsigned src)
{
	uint16_t safe = j->known_valid >> src & 1, looked = j->lookup_results >> src & 1;

	forget(j, dst);
	j->known_valid |= (uint16_t)(safe << dst);
	j->lookup_results |= (uint16_t)(looked << dst);
}

static bool is_known_valid(const struct jit *j, unsigned reg)
{
	return j->known_valid >> reg & 1;
}

/* Forgets everything about r0-r5, which a call changes. A call keeps r6-r10. */
static void after_call(struct jit *j)
{
	for (unsigned r = 0; r <= 5; r++)
		forget(j, r);
}

/*
 * Forgets everything about all registers except r10. This is necessary at a jump target and where a
 * function begins.
 */
static void forget_all(struct jit *j)
{
	j->known_valid = 1u << 10;
	j->lookup_results = 0;
}

/* -------------------------------------------------------------- an operation */

static struct jit_operand operand(const struct vm_op *op, bool is_reg)
{
	return (struct jit_operand){is_reg, op->src, op->imm};
}

static void do_alu(struct jit *j, unsigned opcode, const struct vm_op *op)
{
	enum jit_alu row = (opcode - OP_ADD64K) / 4;
	unsigned variant = (opcode - OP_ADD64K) % 4;
	bool wide = variant < 2, x = variant & 1;

	jit_alu(j, row, wide, op->dst, operand(op, x));
	if (wide && row == JIT_MOV && x)
		copy_known(j, op->dst, op->src);
	else if (!(wide && row == JIT_ADD && !x))
		forget(j, op->dst);
	else
		j->lookup_results &= (uint16_t)~(1u << op->dst);
}

static void do_jump_if(struct jit *j, unsigned opcode, const struct vm_op *op, uint32_t at)
{
	enum jit_cond row = (opcode - OP_JEQ64K) / 4;
	unsigned variant = (opcode - OP_JEQ64K) % 4;

	jit_jump_if(j, row, variant < 2, op->dst, operand(op, variant & 1),
		    at + 1 + (uint32_t)op->off);
	if (row == JIT_JEQ && variant == 0 && !op->imm && (j->lookup_results >> op->dst & 1))
		j->known_valid |= (uint16_t)(1u << op->dst);
}

static void do_load(struct jit *j, const struct vm_op *op, unsigned bytes, enum jit_extend how)
{
	jit_load(j, bytes, how, op->dst, op->src, op->off, !is_known_valid(j, op->src));
	forget(j, op->dst);
}

static void do_extend(struct jit *j, const struct vm_op *op, unsigned bits, bool wide)
{
	jit_extend(j, op->dst, op->src, bits, JIT_SIGN, wide);
	forget(j, op->dst);
}

/*
 * Emits code that reverses the bytes of dst: for a swap, and for a conversion to big endian,
 * because the CPU is little endian. A conversion to little endian (do_truncate()) only clears upper
 * bits.
 */
static void do_swap(struct jit *j, const struct vm_op *op, unsigned bits)
{
	jit_swap(j, op->dst, bits);
	forget(j, op->dst);
}

static void do_truncate(struct jit *j, const struct vm_op *op, unsigned bits)
{
	if (bits < 64)
		jit_extend(j, op->dst, op->dst, bits, JIT_ZERO, true);
	forget(j, op->dst);
}

/*
 * Emits the load of a constant, which may be an address. A load reaches at most 32 KiB below the
 * address in its register. So a register whose value is at least 2 * VM_LOW_ADDR is valid: loads
 * through it are never below VM_LOW_ADDR.
 */
static void do_imm64(struct jit *j, const struct vm_op *op)
{
	jit_imm64(j, op->dst, op[1].value);
	forget(j, op->dst);
	if (op[1].value >= 2 * VM_LOW_ADDR)
		j->known_valid |= (uint16_t)(1u << op->dst);
}

static void do_atomic(struct jit *j, const struct vm_op *op, bool wide)
{
	jit_call_out(j, wide ? vm_atomic64 : vm_atomic32, op);
	forget(j, op->src);
	forget(j, 0);
}

static unsigned nargs(const struct vm_helper *h)
{
	unsigned n = 0;

	while (n < 5 && h->arg[n] != ARG_NONE)
		n++;
	return n;
}

static void do_call(struct jit *j, const struct vm_op *op)
{
	const struct vm_helper *h = &vm_helpers[op->imm];

	jit_call_helper(j, h->fn, nargs(h));
	after_call(j);
}

/* Emits a load of the 64 bits at @p into r0. The address @p becomes part of the code. */
static void do_read(struct jit *j, const void *p)
{
	jit_imm64(j, 0, vm_addr(p));
	jit_load(j, 8, JIT_ZERO, 0, 0, 0, false);
	after_call(j);
}

static void do_cpu(struct jit *j)
{
	jit_imm64(j, 0, vm_addr(&j->vm->env.cpu));
	jit_load(j, 4, JIT_ZERO, 0, 0, 0, false);
	after_call(j);
}

static void emit_op(struct jit *j, unsigned opcode, uint32_t at)
{
	const struct vm_op *op = &j->c->op[at];

	if (opcode < OP_JEQ64K) {
		do_alu(j, opcode, op);
		return;
	}
	if (opcode < OP_LDXW) {
		do_jump_if(j, opcode, op, at);
		return;
	}
	switch ((enum vm_opcode)opcode) {
#define LOAD(name, bytes, how) \
	case OP_##name: \
		do_load(j, op, bytes, how); \
		break;
		LOAD(LDXB, 1, JIT_ZERO)
		LOAD(LDXH, 2, JIT_ZERO)
		LOAD(LDXW, 4, JIT_ZERO)
		LOAD(LDXDW, 8, JIT_ZERO)
		LOAD(LDSXB, 1, JIT_SIGN)
		LOAD(LDSXH, 2, JIT_SIGN)
		LOAD(LDSXW, 4, JIT_SIGN)
#define STORE(name, bytes) \
	case OP_ST##name: \
		jit_store(j, bytes, op->dst, op->off, operand(op, false)); \
		break; \
	case OP_STX##name: \
		jit_store(j, bytes, op->dst, op->off, operand(op, true)); \
		break;
		STORE(B, 1)
		STORE(H, 2)
		STORE(W, 4)
		STORE(DW, 8)
#define CASE(name, what) \
	case OP_##name: \
		what; \
		break;
		CASE(ATOMIC_ADD64, jit_atomic_add64(j, op->dst, op->off, op->src))
		CASE(ATOMIC32, do_atomic(j, op, false))
		CASE(ATOMIC64, do_atomic(j, op, true))
		CASE(MOVSX8, do_extend(j, op, 8, true))
		CASE(MOVSX16, do_extend(j, op, 16, true))
		CASE(MOVSX32, do_extend(j, op, 32, true))
		CASE(MOVSX8W, do_extend(j, op, 8, false))
		CASE(MOVSX16W, do_extend(j, op, 16, false))
		CASE(SWAP16, do_swap(j, op, 16))
		CASE(SWAP32, do_swap(j, op, 32))
		CASE(SWAP64, do_swap(j, op, 64))
		CASE(BE16, do_swap(j, op, 16))
		CASE(BE32, do_swap(j, op, 32))
		CASE(BE64, do_swap(j, op, 64))
		CASE(LE16, do_truncate(j, op, 16))
		CASE(LE32, do_truncate(j, op, 32))
		CASE(LE64, do_truncate(j, op, 64))
		CASE(IMM64, do_imm64(j, op))
		CASE(JA, jit_jump(j, at + 1 + (uint32_t)op->imm))
		CASE(EXIT, jit_leave(j))
		CASE(CALL, do_call(j, op))
		CASE(CALL_LOCAL, jit_call_function(j, at + 1 + (uint32_t)op->imm); after_call(j))
		CASE(CALL_LOOKUP, jit_call_map(j, offsetof(struct vm_map, lookup)); after_call(j);
		     j->lookup_results |= 1)
		CASE(CALL_ADD, jit_call_map(j, offsetof(struct vm_map, add)); after_call(j))
		CASE(CALL_TIME, do_read(j, &j->vm->env.time_ns))
		CASE(CALL_CPU, do_cpu(j))
		CASE(CALL_TASK, do_read(j, &j->vm->env.task))
		CASE(CALL_CAST, jit_alu(j, JIT_MOV, true, 0, (struct jit_operand){true, 1, 0});
		     after_call(j))
		CASE(CALL_CTX, jit_load(j, 8, JIT_ZERO, 0, 1, 0, false); after_call(j))
	default:
		BUG("operation %u has no code", opcode);
	}
}

/* ------------------------------------------------------------------- a unit */

enum { JUMPED_TO = 1, FUNCTION = 2 };

static bool is_jump(unsigned opcode)
{
	return opcode >= OP_JEQ64K && opcode < OP_LDXW;
}

static uint8_t *find_targets(const struct vm_code *c, const uint8_t *opcode, const bool *second)
{
	uint8_t *mark = xcalloc(c->n, 1);

	mark[0] = FUNCTION;
	for (uint32_t i = 0; i < c->n; i++) {
		if (second[i])
			continue;
		if (is_jump(opcode[i]))
			mark[i + 1 + (uint32_t)c->op[i].off] |= JUMPED_TO;
		else if (opcode[i] == OP_JA)
			mark[i + 1 + (uint32_t)c->op[i].imm] |= JUMPED_TO;
		else if (opcode[i] == OP_CALL_LOCAL)
			mark[i + 1 + (uint32_t)c->op[i].imm] |= FUNCTION;
	}
	return mark;
}

enum { UNKNOWN, VISITED = VM_FRAMES + 1 };

/*
 * Returns how many frames the function at @at needs, including the frames of the functions that it
 * calls. The result exceeds VM_FRAMES if functions are recursive. @need caches the results.
 */
static unsigned frames(const struct vm_code *c, const uint8_t *opcode, const uint8_t *mark,
		       const bool *second, uint8_t *need, uint32_t at)
{
	unsigned most = 1;

	if (need[at] != UNKNOWN)
		return need[at];
	need[at] = VISITED;
	for (uint32_t i = at; i < c->n && (i == at || !(mark[i] & FUNCTION)) && most <= VM_FRAMES;
	     i++) {
		unsigned d;

		if (second[i] || opcode[i] != OP_CALL_LOCAL)
			continue;
		d = 1 + frames(c, opcode, mark, second, need, i + 1 + (uint32_t)c->op[i].imm);
		if (d > most)
			most = d;
	}
	return need[at] = (uint8_t)(most > VM_FRAMES ? VISITED : most);
}

static bool nests_too_deep(const struct vm_code *c, const uint8_t *opcode, const uint8_t *mark,
			   const bool *second)
{
	uint8_t *need = xcalloc(c->n, 1);
	bool deep = frames(c, opcode, mark, second, need, 0) > VM_FRAMES;

	xfree(need);
	return deep;
}

static void begin_function(struct jit *j, uint32_t at)
{
	j->in_main = !at;
	j->entry[at] = (uint32_t)j->n;
	forget_all(j);
	if (!at) {
		jit_enter_unit(j);
		j->known_valid |= 1u << 1;
	} else {
		jit_enter_function(j);
	}
}

static bool write_code(struct jit *j, const uint8_t *opcode, const bool *second,
		       const uint8_t *mark)
{
	for (uint32_t i = 0; i < j->c->n; i++) {
		if (mark[i] & FUNCTION)
			begin_function(j, i);
		if (mark[i] & JUMPED_TO)
			forget_all(j);
		j->start[i] = (uint32_t)j->n;
		if (!second[i])
			emit_op(j, opcode[i], i);
	}
	for (size_t i = 0; i < j->nfixup; i++) {
		const struct jit_fixup *f = &j->fixup[i];

		if (!jit_patch(j, f, f->call ? j->entry[f->op] : j->start[f->op]))
			return false;
	}
	return true;
}

/*
 * Copies the code to executable memory and sets c->native. The memory is never writable and
 * executable at the same time.
 */
static void install(struct jit *j, struct vm_code *c)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), len = (j->n + page - 1) / page * page;
	void *mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (mem == MAP_FAILED)
		return;
	memcpy(mem, j->buf, j->n);
	if (mprotect(mem, len, PROT_READ | PROT_EXEC)) {
		munmap(mem, len);
		return;
	}
	__builtin___clear_cache((char *)mem, (char *)mem + j->n);
	memcpy(&c->native, &mem, sizeof(mem));
	c->native_len = len;
}

void jit_make(const struct vm *vm, struct vm_code *c, const uint8_t *opcode, const bool *second)
{
	struct jit j = {.vm = vm, .c = c};
	uint8_t *mark;

	mark = find_targets(c, opcode, second);
	if (!nests_too_deep(c, opcode, mark, second)) {
		j.start = xcalloc(c->n, sizeof(*j.start));
		j.entry = xcalloc(c->n, sizeof(*j.entry));
		if (write_code(&j, opcode, second, mark))
			install(&j, c);
	}
	xfree(mark);
	xfree(j.start);
	xfree(j.entry);
	xfree(j.fixup);
	xfree(j.buf);
}

#else

void jit_make(const struct vm *vm, struct vm_code *c, const uint8_t *opcode, const bool *second)
{
	(void)vm, (void)c, (void)opcode, (void)second;
}

#endif

void jit_free(struct vm_code *c)
{
	void *mem;

	if (!c->native)
		return;
	memcpy(&mem, &c->native, sizeof(mem));
	munmap(mem, c->native_len);
	c->native = NULL;
}
