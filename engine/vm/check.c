/*
 * check.c - tests each instruction, before it runs, for everything that the verifier would refuse.
 *
 * vm_check_step() looks at the original instruction and the registers, and remembers which
 * registers and bytes of stack were written. It allows the instruction or traps. It records the
 * effects of an instruction before the instruction runs. It sees only at the next instruction
 * whether a call returned NULL.
 */
#include <string.h>

#include "engine/vm/helpers.h"
#include "engine/vm/internal.h"
#include "engine/vm/isa.h"

#define BIT(reg) ((uint16_t)(1u << (reg)))
#define ARG_REGS ((uint16_t)0x3e)    /* r1-r5 */
#define SAVED_REGS ((uint16_t)0x7c0) /* r6-r10 */

/* The instruction that is tested. */
struct step {
	struct vm_exec *ex;
	struct vm_check *c;
	const struct insn *in;
	const uint64_t *r;
	uint32_t at;
};

#define trap(s, ...) vm_trap((s)->ex, (s)->at, __VA_ARGS__)

/* --------------------------------------------------------------- registers */

static bool reads(const struct step *s, unsigned reg)
{
	if (s->c->init & BIT(reg))
		return true;
	return trap(s, "r%u is read, but has no value", reg);
}

static void writes(const struct step *s, unsigned reg)
{
	s->c->init |= BIT(reg);
	s->c->null &= (uint16_t)~BIT(reg);
}

/* -------------------------------------------------------------------- memory */

enum access { READ, WRITE };

static bool in_frames(const struct step *s, uint64_t addr, size_t len)
{
	uint64_t off = addr - vm_addr(s->ex->stack), at = off % VM_FRAME_SIZE;
	uint64_t first = (uint64_t)(VM_FRAMES - 1 - s->ex->depth) * VM_FRAME_SIZE;

	return off >= first && off < VM_STACK && len <= VM_FRAME_SIZE - at;
}

static bool use_stack(const struct step *s, uint64_t addr, size_t len, enum access how)
{
	bool *written = s->c->written + (addr - vm_addr(s->ex->stack));

	if (how == WRITE) {
		memset(written, true, len);
		return true;
	}
	for (size_t i = 0; i < len; i++)
		if (!written[i])
			return trap(s, "reads byte %zu of the stack, which was never written",
				    (size_t)(addr + i - vm_addr(s->ex->stack)) % VM_FRAME_SIZE);
	return true;
}

static bool in_own_record(const struct step *s, uint64_t addr, size_t len)
{
	for (const struct vm_rec *rec = s->ex->vm->all; rec; rec = rec->all)
		if (rec->owner == s->ex && len <= rec->size &&
		    addr - vm_addr(rec->data) <= rec->size - len)
			return true;
	return false;
}

static bool in_ctx(const struct step *s, uint64_t addr, size_t len)
{
	size_t size = (size_t)s->ex->nctx * sizeof(uint64_t);

	return len <= size && addr - vm_addr(s->ex->ctx) <= size - len;
}

static bool can_reach(const struct step *s, uint64_t addr, size_t len, enum access how)
{
	if (in_own_record(s, addr, len) || vm_in_map(s->ex->vm, addr, len))
		return true;
	return how == READ && (in_ctx(s, addr, len) || vm_in_region(s->ex->vm, addr, len));
}

static bool use_mem(const struct step *s, uint64_t addr, size_t len, enum access how)
{
	if (!len)
		return true;
	if (in_frames(s, addr, len))
		return use_stack(s, addr, len, how);
	if (can_reach(s, addr, len, how))
		return true;
	return trap(s, "%zu bytes at %#llx may not be %s", len, (unsigned long long)addr,
		    how == READ ? "read" : "written");
}

/* --------------------------------------------------------- loads and stores */

static uint64_t effective(const struct step *s, unsigned reg)
{
	return s->r[reg] + (uint64_t)(int64_t)s->in->off;
}

static bool follows_pointer(const struct step *s, unsigned reg)
{
	if (s->c->null & BIT(reg))
		return trap(s, "r%u is used as an address, but a helper returned it as NULL", reg);
	return reads(s, reg);
}

static bool check_ldx(const struct step *s)
{
	uint64_t addr = effective(s, s->in->src);

	if (!follows_pointer(s, s->in->src))
		return false;
	if (addr >= VM_LOW_ADDR && !use_mem(s, addr, isa_bytes(s->in->code), READ))
		return false;
	writes(s, s->in->dst);
	return true;
}

static bool check_atomic(const struct step *s)
{
	if (!use_mem(s, effective(s, s->in->dst), isa_bytes(s->in->code), READ))
		return false;
	if (s->in->imm == ATOMIC_CMPXCHG) {
		if (!reads(s, 0))
			return false;
		writes(s, 0);
	} else if (s->in->imm & ATOMIC_FETCH) {
		writes(s, s->in->src);
	}
	return true;
}

static bool check_store(const struct step *s)
{
	bool stx = isa_class(s->in->code) == CL_STX;
	uint64_t addr = effective(s, s->in->dst);

	if (!follows_pointer(s, s->in->dst) || (stx && !reads(s, s->in->src)))
		return false;
	if (stx && isa_mode(s->in->code) == MODE_ATOMIC && !check_atomic(s))
		return false;
	return use_mem(s, addr, isa_bytes(s->in->code), WRITE);
}

/* --------------------------------------------------------------- arithmetic */

/*
 * Checks an arithmetic instruction. The NULL of a failed lookup plus a number is still a pointer
 * that no program may dereference.
 */
static bool check_alu(const struct step *s)
{
	unsigned op = isa_op(s->in->code), dst = s->in->dst, src = s->in->src;
	bool x = (s->in->code & SRC_X) && op != ALU_END, null = false;

	if ((x && !reads(s, src)) || (op != ALU_MOV && !reads(s, dst)))
		return false;
	if (isa_class(s->in->code) == CL_ALU64)
		null = op == ALU_MOV ? x && (s->c->null & BIT(src))
				     : op == ALU_ADD && (s->c->null & BIT(dst));
	writes(s, dst);
	if (null)
		s->c->null |= BIT(dst);
	return true;
}

/* -------------------------------------------------------------------- calls */

static const struct vm_map *as_map(const struct step *s, uint64_t addr)
{
	const struct vm *vm = s->ex->vm;

	for (uint32_t i = 0; i < vm->nmap; i++)
		if (addr == vm_addr(&vm->map[i]))
			return &vm->map[i];
	return NULL;
}

static bool is_own_record(const struct step *s, uint64_t data)
{
	for (const struct vm_rec *rec = s->ex->vm->all; rec; rec = rec->all)
		if (rec->owner == s->ex && vm_addr(rec->data) == data)
			return true;
	return false;
}

/*
 * Checks that the string at @addr can be read up to its NUL, but at most @max bytes of it: the
 * helper compares it with a string of this length.
 */
static bool check_str(const struct step *s, uint64_t addr, size_t max)
{
	for (size_t i = 0; i < max; i++) {
		if (!use_mem(s, addr + i, 1, READ))
			return false;
		if (!*(const char *)vm_ptr(addr + i))
			break;
	}
	return true;
}

static bool check_map_arg(const struct step *s, bool ring)
{
	const struct vm_map *m = as_map(s, s->r[1]);

	if (m && (m->kind == MAP_RING) == ring)
		return true;
	return trap(s, "r1 is not a map of the right kind");
}

static bool check_arg(const struct step *s, const struct vm_helper *h, unsigned i)
{
	unsigned reg = i + 1;
	uint64_t v = s->r[reg], size = i < 4 ? s->r[reg + 1] : 0;
	const struct vm_map *m;

	if (!reads(s, reg))
		return false;
	switch ((enum vm_arg)h->arg[i]) {
	case ARG_NONE:
	case ARG_ANY:
		return true;
	case ARG_SIZE:
		/* the previous argument, which is a pointer to memory, was tested with this size */
		return true;
	case ARG_MAP:
		return check_map_arg(s, false);
	case ARG_RING:
		return check_map_arg(s, true);
	case ARG_KEY:
		m = as_map(s, s->r[1]);
		return use_mem(s, v, m->key_size, READ);
	case ARG_VALUE:
		m = as_map(s, s->r[1]);
		return use_mem(s, v, m->value_size, READ);
	case ARG_MEM:
		return reads(s, reg + 1) && use_mem(s, v, size, READ);
	case ARG_OUT:
		return reads(s, reg + 1) && use_mem(s, v, size, WRITE);
	case ARG_OUT_OPT:
		return reads(s, reg + 1) && (!v || use_mem(s, v, size, WRITE));
	case ARG_STR:
		return check_str(s, v, s->r[2]);
	case ARG_RECORD:
		return is_own_record(s, v) || trap(s, "r%u is not a record that is reserved", reg);
	case ARG_DYNPTR:
		return use_mem(s, v, 16, READ);
	case ARG_DYNPTR_OUT:
		return use_mem(s, v, 16, WRITE);
	case ARG_CTX:
		return (v == vm_addr(s->ex->ctx) && s->ex->nctx) ||
		       trap(s, "r%u is not the context", reg);
	}
	return true;
}

static unsigned count_reserved(const struct step *s)
{
	unsigned n = 0;

	for (const struct vm_rec *rec = s->ex->vm->all; rec; rec = rec->all)
		n += rec->owner == s->ex;
	return n;
}

static bool check_helper(const struct step *s, int row)
{
	const struct vm_helper *h = &vm_helpers[row];

	for (unsigned i = 0; i < 5 && h->arg[i] != ARG_NONE; i++)
		if (!check_arg(s, h, i))
			return false;
	if (h->arg[0] == ARG_RING && count_reserved(s) >= VM_MAX_RESERVED)
		return trap(s, "more than %d records are reserved", VM_MAX_RESERVED);
	s->c->init &= (uint16_t)~ARG_REGS;
	s->c->null &= (uint16_t)~ARG_REGS;
	writes(s, 0);
	s->c->may_be_null = h->or_null;
	return true;
}

static bool check_local_call(const struct step *s)
{
	struct vm_check *c = s->c;
	unsigned depth = s->ex->depth;

	if (depth + 1 >= VM_FRAMES)
		return trap(s, "calls are nested more than %d deep", VM_FRAMES - 1);
	c->saved_init[depth] = c->init & SAVED_REGS;
	c->saved_null[depth] = c->null & SAVED_REGS;
	c->init &= ARG_REGS | BIT(10);
	c->null &= ARG_REGS;
	memset(c->written + (vm_frame_base(s->ex, depth + 1) - s->ex->stack), false, VM_FRAME_SIZE);
	return true;
}

static bool check_exit(const struct step *s)
{
	struct vm_check *c = s->c;
	unsigned depth = s->ex->depth, n;

	if (!reads(s, 0))
		return false;
	c->returned = true;
	if (depth) {
		c->init = c->saved_init[depth - 1] | BIT(0);
		c->null = c->saved_null[depth - 1] | (c->null & BIT(0));
		return true;
	}
	n = count_reserved(s);
	return !n || trap(s, "%u records are neither submitted nor discarded", n);
}

static bool check_jump(const struct step *s)
{
	unsigned op = isa_op(s->in->code);

	switch (op) {
	case JMP_JA:
		return true;
	case JMP_CALL:
		if (s->in->src == INSN_LOCAL)
			return check_local_call(s);
		return check_helper(s, s->ex->code->op[s->at].imm);
	case JMP_EXIT:
		return check_exit(s);
	}
	return reads(s, s->in->dst) && (!(s->in->code & SRC_X) || reads(s, s->in->src));
}

/* -------------------------------------------------------------------- steps */

void vm_check_start(struct vm_exec *ex)
{
	struct vm_check *c = ex->check;

	*c = (struct vm_check){.init = BIT(1) | BIT(10)};
}

static bool check_insn(const struct step *s)
{
	switch ((enum vm_class)isa_class(s->in->code)) {
	case CL_LD:
		writes(s, s->in->dst);
		return true;
	case CL_LDX:
		return check_ldx(s);
	case CL_ST:
	case CL_STX:
		return check_store(s);
	case CL_ALU:
	case CL_ALU64:
		return check_alu(s);
	case CL_JMP:
	case CL_JMP32:
		return check_jump(s);
	}
	return true;
}

/* Limits backward jumps, so that a program ends. Returns from functions do not count. */
static bool count_back_jump(const struct step *s)
{
	struct vm_check *c = s->c;
	bool back = s->at <= c->last && c->steps && !c->returned;

	c->last = s->at;
	c->returned = false;
	if (!back || ++c->back_jumps <= VM_MAX_BACK_JUMPS)
		return true;
	return trap(s, "jumps back more than %d times", VM_MAX_BACK_JUMPS);
}

bool vm_check_step(struct vm_exec *ex, const uint64_t *r, uint32_t at)
{
	struct step s = {ex, ex->check, &ex->code->insn[at], r, at};

	if (s.c->may_be_null && !r[0])
		s.c->null |= BIT(0);
	s.c->may_be_null = false;
	if (!count_back_jump(&s))
		return false;
	if (++s.c->steps > ex->vm->max_steps)
		return trap(&s, "executes more than %u instructions", ex->vm->max_steps);
	return check_insn(&s);
}
