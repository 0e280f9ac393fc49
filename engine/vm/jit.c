/*
 * jit.c - compiles a unit: emits the native code of each operation, by the templates for this CPU,
 * and makes the result executable.
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
	j->known.valid &= (uint16_t)~(1u << reg);
	j->known.lookup_results &= (uint16_t)~(1u << reg);
}

static void copy_known(struct jit *j, unsigned dst, unsigned src)
{
	uint16_t safe = j->known.valid >> src & 1, looked = j->known.lookup_results >> src & 1;

	forget(j, dst);
	j->known.valid |= (uint16_t)(safe << dst);
	j->known.lookup_results |= (uint16_t)(looked << dst);
}

static bool is_known_valid(const struct jit *j, unsigned reg)
{
	return j->known.valid >> reg & 1;
}

/* Forgets everything about r0-r5, which a call changes. A call keeps r6-r10. */
static void after_call(struct jit *j)
{
	for (unsigned r = 0; r <= 5; r++)
		forget(j, r);
}

/*
 * Forgets everything about all registers except r10. This is necessary at the target of a jump
 * backwards and where a function begins.
 */
static void forget_all(struct jit *j)
{
	j->known = (struct jit_known){.valid = 1u << 10};
}

/* Keeps in @known only what @other knows too. */
static void known_also(struct jit_known *known, const struct jit_known *other)
{
	known->valid &= other->valid;
	known->lookup_results &= other->lookup_results;
}

/* Called at a jump to operation @to. Keeps in j->known_at[to] only facts that hold here, too. */
static void known_at_jump(struct jit *j, uint32_t to)
{
	known_also(&j->known_at[to], &j->known);
}

/* Notes that nothing falls through to the next operation. */
static void known_at_end(struct jit *j)
{
	j->known = (struct jit_known){UINT16_MAX, UINT16_MAX};
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
		j->known.lookup_results &= (uint16_t)~(1u << op->dst);
}

static void do_jump_if(struct jit *j, unsigned opcode, const struct vm_op *op, uint32_t at)
{
	enum jit_cond row = (opcode - OP_JEQ64K) / 4;
	unsigned variant = (opcode - OP_JEQ64K) % 4;
	uint32_t to = at + 1 + (uint32_t)op->off;

	jit_jump_if(j, row, variant < 2, op->dst, operand(op, variant & 1), to);
	known_at_jump(j, to);
	if (row == JIT_JEQ && variant == 0 && !op->imm && (j->known.lookup_results >> op->dst & 1))
		j->known.valid |= (uint16_t)(1u << op->dst);
}

static void do_jump(struct jit *j, uint32_t to)
{
	jit_jump(j, to);
	known_at_jump(j, to);
	known_at_end(j);
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
 * Emits code that reverses the bytes of dst. The CPU is little endian, so a conversion to big
 * endian is a swap, and a conversion to little endian (do_truncate()) only clears upper bits.
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
 * Emits the load of a constant, which may be an address. The offset of a load is at least -32 KiB.
 * So if a register has at least 2 * VM_LOW_ADDR, no load through it is below VM_LOW_ADDR, and the
 * register is valid.
 */
static void do_imm64(struct jit *j, const struct vm_op *op)
{
	jit_imm64(j, op->dst, op[1].value);
	forget(j, op->dst);
	if (op[1].value >= 2 * VM_LOW_ADDR)
		j->known.valid |= (uint16_t)(1u << op->dst);
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
		CASE(JA, do_jump(j, at + 1 + (uint32_t)op->imm))
		CASE(EXIT, jit_leave(j); known_at_end(j))
		CASE(CALL, do_call(j, op))
		CASE(CALL_LOCAL, jit_call_function(j, at + 1 + (uint32_t)op->imm); after_call(j))
		CASE(CALL_LOOKUP, jit_call_map(j, offsetof(struct vm_map, lookup)); after_call(j);
		     j->known.lookup_results |= 1)
		CASE(CALL_ADD, jit_call_map(j, offsetof(struct vm_map, add)); after_call(j))
		CASE(CALL_TIME, do_read(j, &j->vm->env.time_ns))
		CASE(CALL_CPU, do_cpu(j))
		CASE(CALL_TASK, do_read(j, &j->vm->env.task))
		CASE(CALL_CAST, jit_alu(j, JIT_MOV, true, 0, (struct jit_operand){true, 1, 0});
		     after_call(j))
		CASE(CALL_CTX, jit_load(j, 8, JIT_ZERO, 0, 1, 0, false); after_call(j))
	default:
		BUG("operation %u has no machine code", opcode);
	}
}

/* ------------------------------------------------------------------- a unit */

/* Marks of an operation: the target of a jump backwards, and the first of a function. */
enum { JUMPED_BACK_TO = 1, FUNCTION = 2 };

static bool is_jump(unsigned opcode)
{
	return opcode >= OP_JEQ64K && opcode < OP_LDXW;
}

/* Returns the target of operation @at if it is a jump within a function, else 0. */
static uint32_t jump_target(const struct vm_code *c, const uint8_t *opcode, uint32_t at)
{
	if (is_jump(opcode[at]))
		return at + 1 + (uint32_t)c->op[at].off;
	return opcode[at] == OP_JA ? at + 1 + (uint32_t)c->op[at].imm : 0;
}

static uint8_t *find_targets(const struct vm_code *c, const uint8_t *opcode, const bool *second)
{
	uint8_t *mark = xcalloc(c->n, 1);

	mark[0] = FUNCTION;
	for (uint32_t i = 0; i < c->n; i++) {
		if (second[i])
			continue;
		if (is_jump(opcode[i]) || opcode[i] == OP_JA) {
			uint32_t to = jump_target(c, opcode, i);

			mark[to] |= to <= i ? JUMPED_BACK_TO : 0;
		} else if (opcode[i] == OP_CALL_LOCAL) {
			mark[i + 1 + (uint32_t)c->op[i].imm] |= FUNCTION;
		}
	}
	return mark;
}

/* ------------------------------------------------------- registers of a unit */

#define BIT(r) (1u << (r))
#define ALL_REGS (BIT(VM_REGS) - 1)
#define CALL_WRITES 0x3fu /* r0 to r5 */

/* Returns the registers that a call of helper @h reads. */
static unsigned argument_regs(const struct vm_helper *h)
{
	return (BIT(nargs(h)) - 1) << 1;
}

/* Returns the registers that operation @op may read, and stores in *@writes those it writes. */
static unsigned op_regs(unsigned opcode, const struct vm_op *op, unsigned *writes)
{
	unsigned dst = BIT(op->dst), src = BIT(op->src);

	*writes = 0;
	if (opcode < OP_JEQ64K) {
		unsigned reads = (opcode - OP_ADD64K) % 2 ? src : 0;

		*writes = dst;
		return (opcode - OP_ADD64K) / 4 == JIT_MOV ? reads : reads | dst;
	}
	if (opcode < OP_LDXW)
		return (opcode - OP_JEQ64K) % 2 ? dst | src : dst;
	switch ((enum vm_opcode)opcode) {
	case OP_LDXW:
	case OP_LDXH:
	case OP_LDXB:
	case OP_LDXDW:
	case OP_LDSXW:
	case OP_LDSXH:
	case OP_LDSXB:
	case OP_MOVSX8:
	case OP_MOVSX16:
	case OP_MOVSX32:
	case OP_MOVSX8W:
	case OP_MOVSX16W:
		*writes = dst;
		return src;
	case OP_IMM64:
		*writes = dst;
		return 0;
	case OP_STW:
	case OP_STH:
	case OP_STB:
	case OP_STDW:
	case OP_SWAP16:
	case OP_SWAP32:
	case OP_SWAP64:
	case OP_LE16:
	case OP_LE32:
	case OP_LE64:
	case OP_BE16:
	case OP_BE32:
	case OP_BE64:
		return dst;
	case OP_STXW:
	case OP_STXH:
	case OP_STXB:
	case OP_STXDW:
	case OP_ATOMIC_ADD64:
		return dst | src;
	case OP_JA:
		return 0;
	case OP_EXIT:
		return BIT(0);
	case OP_CALL:
	case OP_CALL_LOOKUP:
	case OP_CALL_ADD:
	case OP_CALL_TIME:
	case OP_CALL_CPU:
	case OP_CALL_TASK:
	case OP_CALL_CAST:
	case OP_CALL_CTX:
		*writes = CALL_WRITES;
		return argument_regs(&vm_helpers[op->imm]);
	default: /* CALL_LOCAL, and atomic operations that save and restore all registers */
		return ALL_REGS;
	}
}

/*
 * Finds the registers that the main function uses, and those that it may read before it writes
 * them. `set` has the registers that are written on every path to the current operation. Where a
 * loop begins (a jump goes back there), only the unit's arguments count as written.
 */
static void find_regs(struct jit *j, const uint8_t *opcode, const bool *second, const uint8_t *mark)
{
	const unsigned given = BIT(1) | BIT(10);
	uint16_t *set_at = xmalloc(j->c->n * sizeof(*set_at));
	unsigned set = given, writes, reads;

	memset(set_at, 0xff, j->c->n * sizeof(*set_at));
	for (uint32_t i = 0; i < j->c->n && (!i || !(mark[i] & FUNCTION)); i++) {
		const struct vm_op *op = &j->c->op[i];

		if (second[i])
			continue;
		set &= set_at[i];
		if (mark[i] & JUMPED_BACK_TO)
			set = given;
		reads = op_regs(opcode[i], op, &writes);
		j->used |= (uint16_t)(reads | writes);
		j->unset |= (uint16_t)(reads & ~set);
		set |= writes;
		if (is_jump(opcode[i]) || opcode[i] == OP_JA)
			set_at[jump_target(j->c, opcode, i)] &= (uint16_t)set;
		if (opcode[i] == OP_JA || opcode[i] == OP_EXIT)
			set = ALL_REGS; /* nothing falls through to the next operation */
	}
	xfree(set_at);
	for (uint32_t i = 0; i < j->c->n; i++)
		if (!second[i])
			j->needs_ex |= opcode[i] == OP_CALL || opcode[i] == OP_ATOMIC32 ||
				       opcode[i] == OP_ATOMIC64;
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
		j->known.valid |= 1u << 1;
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
		known_also(&j->known, &j->known_at[i]);
		if (mark[i] & JUMPED_BACK_TO)
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
		find_regs(&j, opcode, second, mark);
		j.start = xcalloc(c->n, sizeof(*j.start));
		j.known_at = xmalloc(c->n * sizeof(*j.known_at));
		memset(j.known_at, 0xff, c->n * sizeof(*j.known_at));
		j.entry = xcalloc(c->n, sizeof(*j.entry));
		if (write_code(&j, opcode, second, mark))
			install(&j, c);
	}
	xfree(mark);
	xfree(j.start);
	xfree(j.entry);
	xfree(j.known_at);
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
