/*
 * alloca.c - memory that clauses allocate by alloca(), copyin() and similar subroutines.
 *
 * The clauses of a firing share an area in the scratch memory of their unit (the eBPF program of
 * the hook). The area is empty when a clause starts. Each call takes the next bytes of the area.
 *
 * As on other systems, a later clause of the firing can still read what an earlier clause
 * allocated, until it allocates itself. Scripts use this: soconnect.d of the DTrace book copies an
 * address in one clause and prints it in the next. So no other memory may overlap the area during
 * the firing.
 *
 * A store through a pointer must go to allocated bytes, or to a variable that is a struct or array.
 * Any other store is a fault. Before such a store, generated code compares the address with the
 * bounds of the area and the variables. Then it computes the address again, as an offset from the
 * area or the variable, because the verifier accepts stores only through such an address.
 */
#include "compiler/code/memory/alloca.h"

#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

/*
 * Returns the number of spare bytes that the area needs at its end. If a size is known only at run
 * time, the verifier knows that offset <= scratchsize and size <= scratchsize. So it checks the
 * accesses as if offset + size could be 2 * scratchsize.
 */
static uint32_t spare_bytes(const struct fire *g, unsigned memory)
{
	return memory & MEMORY_SIZED ? g->c->opt->scratchsize : 0;
}

void alloca_room(struct fire *g, unsigned memory)
{
	if (!memory)
		return;
	g->memory.size = g->c->opt->scratchsize;
	g->memory.off = scratch_slot(g, g->memory.size + spare_bytes(g, memory)).off;
}

void alloca_begin(struct fire *g, const struct enabling *en)
{
	if (!en->memory)
		return;
	g->memory.top = irb_var(g->b);
	irb_assign_imm(g->b, g->memory.top, 0);
}

static int area(struct fire *g)
{
	return irb_addr(g->b, g->u->scratch_base, g->memory.off);
}

/* Emits a test that reports fault @code with @value if @v > @most. */
static void need(struct fire *g, int v, int64_t most, enum fault_code code, int value)
{
	int ok = irb_block(g->b, "within");

	irb_bri(g->b, CC_ULE, v, most, ok, fault_block(g, code, value));
	irb_place(g->b, ok);
}

/*
 * As alloca_take(), for a constant size @n. The test of the offset shows the verifier that the
 * bytes are in the area.
 */
static int take_known(struct fire *g, int64_t n)
{
	struct irb *b = g->b;
	int top = irb_value(b, g->memory.top), at;
	uint64_t room = ((uint64_t)n + 7) & ~7ull;

	if ((uint64_t)n > g->memory.size || room > g->memory.size) {
		gen_fault(g, FAULT_NOSCRATCH, NOREG);
		return irb_const(b, 0);
	}
	top = gen_bounded(g, top, (int64_t)(g->memory.size - room), FAULT_NOSCRATCH, NOREG);
	at = irb_bin(b, IR_ADD, area(g), top);
	irb_assign(b, g->memory.top, irb_bini(b, IR_ADD, top, (int64_t)room));
	return at;
}

int alloca_take(struct fire *g, int n)
{
	struct irb *b = g->b;
	int top, at, next;
	int64_t c;

	if (irb_is_const(b, n, &c))
		return take_known(g, c);
	need(g, n, g->memory.size, FAULT_NOSCRATCH, NOREG);
	top = gen_bounded(g, irb_value(b, g->memory.top), g->memory.size, FAULT_NOSCRATCH, NOREG);
	at = irb_bin(b, IR_ADD, area(g), top);
	next = irb_bini(b, IR_AND, irb_bini(b, IR_ADD, n, 7), -8);
	next = irb_bin(b, IR_ADD, next, top);
	need(g, next, g->memory.size, FAULT_NOSCRATCH, NOREG);
	irb_assign(b, g->memory.top, next);
	return at;
}

/*
 * Returns a register with the offset of address @addr in the area. It is a fault if some of the @n
 * bytes at @addr are not allocated.
 */
static int offset_of(struct fire *g, int addr, int n)
{
	struct irb *b = g->b;
	int off, end, begin = irb_scalar(b, area(g)), ok = irb_block(b, "taken"), in;
	int64_t c = 0;

	addr = irb_scalar(b, addr);
	off = irb_bin(b, IR_SUB, addr, begin);
	if (irb_is_const(b, n, &c) && (uint64_t)c > g->memory.size)
		/* more bytes than the area has, so always a fault at run time */
		c = g->memory.size + 1;
	if (c > g->memory.size)
		gen_fault(g, FAULT_BADADDR, addr);
	if (!c)
		need(g, n, g->memory.size, FAULT_BADADDR, addr);
	in = irb_bin(b, IR_ADD, off, n);
	end = irb_scalar(b, in);
	irb_br(b, CC_ULE, end, g->memory.top, ok, fault_block(g, FAULT_BADADDR, addr));
	irb_place(b, ok);
	return gen_bounded(g, off, g->memory.size - (c > g->memory.size ? 0 : c), FAULT_BADADDR,
			   addr);
}

int alloca_at(struct fire *g, int addr, int n)
{
	int off = offset_of(g, addr, n);

	return irb_bin(g->b, IR_ADD, area(g), off);
}

/*
 * Emits code that tests whether the @n bytes at @addr are among the @size bytes at @begin. If so,
 * the code sets variable @at to the address and jumps to @done. It computes @at from @begin, so
 * that the verifier accepts stores through @at.
 */
static void try_room(struct fire *g, int addr, uint32_t n, int begin, uint32_t size, int at,
		     int done)
{
	struct irb *b = g->b;
	int off, in = irb_block(b, "of a variable"), not = irb_block(b, "of no variable");

	if (size < n)
		return;
	off = irb_bin(b, IR_SUB, addr, irb_scalar(b, begin));
	irb_bri(b, CC_ULE, off, size - n, in, not);
	irb_place(b, in);
	off = gen_bounded(g, off, size - n, FAULT_BADADDR, addr);
	irb_assign(b, at, irb_bin(b, IR_ADD, begin, off));
	irb_jmp(b, done);
	irb_place(b, not);
}

struct mem writable_mem(struct fire *g, struct mem m, uint32_t size)
{
	struct irb *b = g->b;
	int addr = irb_addr(b, irb_scalar(b, m.base), m.off), at = irb_var(b),
	    done = irb_block(b, "ours");

	try_room(g, addr, size, irb_global(b, (int32_t)g->layout->mem_off), g->layout->mem_size, at,
		 done);
	try_room(g, addr, size, irb_addr(b, g->u->scratch_base, g->locals.memory.off),
		 g->locals.memory.size, at, done);
	irb_assign(b, at, alloca_at(g, addr, irb_const(b, size)));
	irb_jmp(b, done);
	irb_place(b, done);
	return (struct mem){.base = at, .own = true, .lib = true};
}

void alloca_fill(struct fire *g, int at, int n, int from, bool user)
{
	struct irb *b = g->b;
	struct ir_arg size = {ARG_REG, n, 0};
	int ok = irb_block(b, "copied"), r;
	int64_t c;

	from = irb_scalar(b, from);
	if (irb_is_const(b, n, &c))
		size = (struct ir_arg){ARG_IMM, 0, c <= g->memory.size ? c : 0};
	else
		size.reg = gen_bounded(g, n, g->memory.size, FAULT_BADADDR, from);
	r = irb_call(b, IR_CALL, user ? HELPER_probe_read_user : HELPER_probe_read_kernel, 3,
		     (struct ir_arg[]){{ARG_REG, at, 0}, size, {ARG_REG, from, 0}});
	irb_bri(b, CC_EQ, r, 0, ok, fault_block(g, FAULT_BADADDR, from));
	irb_place(b, ok);
}

void alloca_copy_out(struct fire *g, int to, int at, int n, uint32_t most)
{
	struct irb *b = g->b;
	struct ir_arg size = {ARG_REG, n, 0};
	int some = irb_block(b, "some"), ok = irb_block(b, "written"), r;
	int64_t c;

	to = irb_scalar(b, to);
	irb_bri(b, CC_UGE, n, 1, some, ok);
	irb_place(b, some);
	need(g, n, most, FAULT_BADADDR, to);
	if (irb_is_const(b, n, &c))
		/*
		 * The verifier accepts only a size of at least 1. The code above has excluded 0 and
		 * sizes above @most.
		 */
		size = (struct ir_arg){ARG_IMM, 0, c && (uint64_t)c <= most ? c : 1};
	r = irb_call(b, IR_CALL, HELPER_probe_write_user, 3,
		     (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_REG, at, 0}, size});
	irb_bri(b, CC_EQ, r, 0, ok, fault_block(g, FAULT_BADADDR, to));
	irb_place(b, ok);
}

int alloca_mark(struct fire *g)
{
	return irb_value(g->b, g->memory.top);
}

void alloca_release(struct fire *g, int mark)
{
	irb_assign(g->b, g->memory.top, mark);
}
