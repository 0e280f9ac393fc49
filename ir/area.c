/*
 * area.c - areas of memory for programs that run again before they have ended.
 *
 * Where the kernel does not keep a program from running while it runs already on the CPU
 * (at the hooks of a cgroup: another packet in an interrupt, another task that has preempted
 * the first), each run takes an area by setting its word.  Not a depth that is
 * counted up and down: a run need not end before one that began earlier, so what lies
 * at the depth that is left may still be in use.
 */
#include "ir/area.h"

#define TRIES 3 /* between looking for a free area and taking it another may have taken it */

/* The number of the first area that is free, AREAS - 1 if none is; all: whether all are taken. */
static int first_free(struct irb *b, int busy, int *all)
{
	int n = irb_const(b, 0);

	*all = irb_loadv(b, busy, 0, 8, false);
	for (int i = 1; i < AREAS; i++) { /* without branches: the verifier would follow each */
		n = irb_bin(b, IR_ADD, n, *all);
		*all = irb_bin(b, IR_AND, *all, irb_loadv(b, busy, 8 * i, 8, false));
	}
	return irb_bini(b, IR_AND, n, AREAS - 1);
}

int area_word(struct irb *b, int busy, int n)
{
	int off = irb_bini(b, IR_SHL, n, 3);

	return irb_bin(b, IR_ADD, busy, off);
}

int area_claim(struct irb *b, int busy, int none)
{
	int mine = irb_var(b), done = irb_block(b, "claimed"),
	    full = irb_cold_block(b, "none free");

	for (int i = 0; i < TRIES; i++) {
		int try = irb_block(b, "free"), taken = irb_cold_block(b, "taken");
		int all, n = first_free(b, busy, &all), one;

		irb_assign(b, mine, n);
		irb_bri(b, CC_EQ, all, 0, try, full);
		irb_place(b, try);
		one = irb_const(b, 1);
		irb_bri(b, CC_EQ, irb_exchange(b, area_word(b, busy, n), one), 0, done, taken);
		irb_place(b, taken);
	}
	irb_jmp(b, full);
	irb_place(b, full);
	irb_jmp(b, none);
	irb_place(b, done);
	return irb_value(b, mine);
}
