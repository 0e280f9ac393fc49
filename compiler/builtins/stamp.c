/*
 * stamp.c - computes the age of a packet: the time since its stamp. A stamp is the time when the
 * packet arrived, or will be sent.
 *
 * A stamp is a time of CLOCK_REALTIME or CLOCK_MONOTONIC. A program usually reads only
 * CLOCK_MONOTONIC, once for the age and for the variable `timestamp`. To convert a stamp of
 * CLOCK_REALTIME, it adds the difference of the two clocks, which the engine keeps in
 * globals.real_offset.
 *
 * When somebody sets CLOCK_REALTIME, the difference is wrong until the engine notices. So if an age
 * is negative, or at least CHECK_NS, the program also reads CLOCK_REALTIME. If the difference of
 * the clocks is wrong, or if the clock was set after the stamp, the age is 0.
 */
#include "compiler/builtins/stamp.h"

#include <stddef.h>

#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/wants.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

enum {
	CHECK_NS = 1000000,
	/*
	 * tolerances for the difference of the two clocks, in ns: a virtual machine's CPU may pause
	 * between the two readings
	 */
	EARLY_NS = 1000000,
	LATE_NS = 10000000,
};

/* Values of the kernel's enum skb_tstamp_type. */
enum { SKB_REALTIME, SKB_MONOTONIC };

int emit_stamp(struct fire *g, struct expr **arg, uint32_t narg)
{
	(void)narg;
	g->c->wants->stamps = true;
	return gen(g, arg[0]);
}

static int global(struct irb *b, size_t off)
{
	return irb_loadv(b, irb_global(b, (int64_t)off), 0, 8, false);
}

/*
 * Variable @age has the time since a stamp, and @now is the time of CLOCK_MONOTONIC. The code sets
 * @age to 0 if it is negative, or if CLOCK_REALTIME was set after the stamp or after the engine's
 * last update of globals.real_offset. Then it jumps to @done.
 */
static void check_age(struct fire *g, int age, int now, int done)
{
	struct irb *b = g->b;
	int unknown = irb_block(b, "no age"), past = irb_block(b, "not in the future");
	int right = irb_block(b, "clock is right"), off, span;

	irb_bri(b, CC_SLT, age, 0, unknown, past);
	irb_place(b, past);
	off = irb_bin(b, IR_SUB, gen_walltime(g), now);
	off = irb_bin(b, IR_SUB, off, global(b, offsetof(struct globals, real_offset)));
	irb_bri(b, CC_ULE, irb_bini(b, IR_ADD, off, EARLY_NS), EARLY_NS + LATE_NS, right, unknown);
	irb_place(b, right);
	span = irb_bin(b, IR_SUB, now, global(b, offsetof(struct globals, clock_set)));
	irb_br(b, CC_ULE, age, span, done, unknown);
	irb_place(b, unknown);
	irb_assign_imm(b, age, 0);
	irb_jmp(b, done);
}

int emit_stamp_age(struct fire *g, struct expr **arg, uint32_t narg)
{
	struct irb *b = g->b;
	/* Read the clock before any branch, so that all uses of the clock share this reading. */
	int now = irb_call(b, IR_PURECALL, HELPER_ktime_get_ns, 0, NULL);
	int age = irb_var(b), stamp = gen(g, arg[0]);
	int some = irb_block(b, "has a stamp"), real = irb_block(b, "real time");
	int other = irb_block(b, "other clock"), mono = irb_block(b, "monotonic");
	int check = irb_cold_block(b, "check the age"), late = irb_block(b, "sent later");
	int done = irb_block(b, "age"), clock;

	(void)narg;
	g->c->wants->stamps = true;
	irb_assign_imm(b, age, 0);
	irb_bri(b, CC_EQ, stamp, 0, done, some);
	irb_place(b, some);
	clock = gen(g, arg[1]);
	irb_bri(b, CC_EQ, clock, SKB_REALTIME, real, other);

	irb_place(b, real);
	irb_assign(b, age,
		   irb_bin(b, IR_SUB,
			   irb_bin(b, IR_ADD, now,
				   global(b, offsetof(struct globals, real_offset))),
			   stamp));
	irb_bri(b, CC_ULT, age, CHECK_NS, done, check);
	irb_place(b, check);
	check_age(g, age, now, done);

	irb_place(b, other);
	irb_bri(b, CC_EQ, clock, SKB_MONOTONIC, mono, done);
	irb_place(b, mono);
	irb_assign(b, age, irb_bin(b, IR_SUB, now, stamp));
	irb_bri(b, CC_SLT, age, 0, late, done);
	irb_place(b, late);
	irb_assign_imm(b, age, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return irb_value(b, age);
}
