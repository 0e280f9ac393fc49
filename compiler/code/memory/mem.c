/*
 * mem.c - loads from memory through pointers, and copies memory. trust.c decides how each load is
 * done.
 */
#include "compiler/code/memory/mem.h"

#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/trust.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

static void test_null(struct fire *g, struct mem m)
{
	int ok = irb_block(g->b, "not null");

	irb_bri(g->b, CC_EQ, m.base, 0, fault_block(g, FAULT_BADADDR, irb_const(g->b, m.off)), ok);
	irb_place(g->b, ok);
}

/*
 * Returns a register with m.base, cast to a pointer through which the verifier allows loads of type
 * m.owner.
 */
static int cast_base(struct fire *g, struct mem m)
{
	int p = irb_cast(g->b, m.base, m.owner->btf_id);

	trust(g->b, p, PC_SAFE, m.owner);
	return p;
}

/*
 * Reports a fault unless the IP header has version 6. Loads after the first 20 bytes need this
 * test, because an IPv4 header may end there. A captured IPv6 header is complete.
 */
static void test_ip6(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int first = irb_load(b, m.base, 0, 1, false), version = irb_bini(b, IR_SHR, first, 4), ok,
	    bad;

	if (irb_decided(b, CC_EQ, version, 4) == 0 || irb_decided(b, CC_EQ, version, 6) == 1)
		return;
	ok = irb_block(b, "IPv6");
	bad = fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off));
	irb_bri(b, CC_EQ, version, 6, ok, bad);
	irb_place(b, ok);
}

/* Returns a register with the loaded value, or with 0 if the pointer is NULL. */
static int load_unless_null(struct fire *g, struct mem m, unsigned size, bool sgn)
{
	struct irb *b = g->b;
	int some = irb_block(b, "not null"), done = irb_block(b, "loaded"), v = irb_var(b);

	irb_assign_imm(b, v, 0);
	irb_bri(b, CC_EQ, m.base, 0, done, some);
	irb_place(b, some);
	irb_assign(b, v, irb_load(b, m.base, m.off, size, sgn));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

/* Copies @n bytes of the current process to @d at @doff. */
static void copy_in(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	struct irb *b = g->b;
	int from = irb_addr(b, irb_scalar(b, m.base), m.off), ok = irb_block(b, "copied in"), r;

	r = irb_call(b, IR_CALL, HELPER_probe_read_user, 3,
		     (struct ir_arg[]){{ARG_REG, irb_addr(b, d.base, d.off + doff), 0},
				       {ARG_IMM, 0, n},
				       {ARG_REG, from, 0}});
	irb_bri(b, CC_EQ, r, 0, ok, fault_block(g, FAULT_BADADDR, from));
	irb_place(b, ok);
}

static int load_in(struct fire *g, struct mem m, unsigned size, bool sgn)
{
	struct dest d = scratch_slot(g, 8);

	copy_in(g, m, d, 0, size);
	return irb_loadv(g->b, d.base, d.off, size, sgn);
}

int mem_load(struct fire *g, struct mem m, unsigned size, bool sgn)
{
	struct irb *b = g->b;

	if (m.user)
		return load_in(g, m, size, sgn);
	if (m.own)
		return irb_loadv(b, m.base, m.off, size, sgn);
	switch (access_of(g, &m, size)) {
	case LOAD_CAST:
		m.base = cast_base(g, m);
		break;
	case LOAD_IP6:
		test_ip6(g, m);
		break;
	case TEST_FAULT:
		test_null(g, m);
		break;
	case TEST_ZERO:
		return load_unless_null(g, m, size, sgn);
	case READ_ZERO:
		return irb_read(b, m.base, m.off, size, sgn, NOBLOCK);
	case READ_FAULT:
		m.base = irb_scalar(b, m.base);
		return irb_read(b, m.base, m.off, size, sgn,
				fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off)));
	case LOAD:
		break;
	}
	return irb_load(b, m.base, m.off, size, sgn);
}

static unsigned chunk(int32_t off, uint32_t left)
{
	unsigned n = 8;

	while (n > left || off % (int)n)
		n /= 2;
	return n;
}

/*
 * Returns whether mem_copy() uses one probe read instead of a load for each word. For memory of
 * dtrace (m->own), the probe read is slower up to 512 bytes.
 */
static bool copies_at_once(enum access how, const struct mem *m, uint32_t n)
{
	return how == READ_FAULT || how == READ_ZERO || how == TEST_ZERO || n > (m->own ? 512 : 64);
}

/* Stores the low @n bytes of @v, at most @align bytes at a time. */
static void store_parts(struct irb *b, int base, int32_t off, unsigned n, unsigned align, int v)
{
	for (unsigned at = 0; at < n; at += align)
		irb_store(b, base, off + (int32_t)at, align < n ? align : n,
			  irb_bini(b, IR_SHR, v, 8 * at));
}

/*
 * Copies word by word. A word of dtrace's memory is always read with one load, even if the
 * alignment of the destination requires several smaller stores. Between two loads, another CPU
 * could change the variable. The copy could then have the tag of one string and the first bytes of
 * another.
 */
static void copy_words(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	for (uint32_t i = 0, k; i < n; i += k) {
		unsigned a = chunk(d.off + doff + (int)i, n - i), s = chunk(m.off + (int)i, n - i);
		struct mem at = m;

		k = a < s && !m.own ? a : s;
		at.off += (int)i;
		store_parts(g->b, d.base, d.off + doff + (int)i, k, a, mem_load(g, at, k, false));
	}
}

bool mem_is_loaded(struct fire *g, const struct mem *m, uint32_t n)
{
	return !m->user && !copies_at_once(access_of(g, m, n), m, n);
}

void mem_copy(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	struct irb *b = g->b;
	enum access how = access_of(g, &m, n);

	if (m.user) {
		copy_in(g, m, d, doff, n);
		return;
	}
	if (how == TEST_FAULT)
		test_null(g, m);
	if (how == LOAD_IP6)
		test_ip6(g, m);
	if (!copies_at_once(how, &m, n)) {
		copy_words(g, m, d, doff, n);
		return;
	}
	if (!m.own)
		m.base = irb_scalar(b, m.base);
	irb_copy(b, d.base, d.off + doff, m.base, m.off, n,
		 how == TEST_FAULT || how == READ_FAULT
			 ? fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off))
			 : NOBLOCK);
}

void mem_copy_whole(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	if (!m.own)
		m.owner = NULL;
	mem_copy(g, m, d, doff, n);
}

int address_of(struct fire *g, struct mem m)
{
	const struct ir_reg *r = m.base > 0 ? irb_reg(g->b, m.base) : NULL;

	if (r && (r->or_null || r->is_var))
		m.base = irb_scalar(g->b, m.base);
	return irb_addr(g->b, m.base, m.off);
}
