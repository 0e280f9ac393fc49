/*
 * area.c - claims scratch areas for programs that another run of the same program can interrupt.
 *
 * At the hooks of a cgroup, the kernel may start a program again on the same CPU before the first
 * run has ended: for a packet in an interrupt, or for a task that preempted the first task. So each
 * run claims an area by setting its word. A counter of the nesting depth would not do: runs need
 * not end in reverse order, so the area at the current depth could still be in use.
 */
#include "ir/area.h"

/* number of attempts: another run may claim an area after this run has found it free */
#define TRIES 3

/*
 * Returns a register with the number of the first free area, or with AREAS - 1 if there is none.
 * Sets *@all to a register that is not 0 if all areas are in use.
 */
static int first_free(struct irb *b, int busy, int *all)
{
	int n = irb_const(b, 0);

	*all = irb_loadv(b, busy, 0, 8, false);
	/* The code has no branches, because the verifier would follow both ways of each. */
	for (int i = 1; i < AREAS; i++) {
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
		irb_bri(b, CC_EQ, irb_exchange(b, area_word(b, busy, n), 0, one), 0, done, taken);
		irb_place(b, taken);
	}
	irb_jmp(b, full);
	irb_place(b, full);
	irb_jmp(b, none);
	irb_place(b, done);
	return irb_value(b, mine);
}
