/*
 * area.c - areas of memory for programs that run again before they have ended.
 *
 * Where the kernel does not keep a program from running while it runs already on the CPU
 * (at the hooks of a cgroup: another packet in an interrupt, another task that has preempted
 * the first), each run takes an area by setting its bit in a word.  Not a depth that is
 * counted up and down: a run need not end before one that began earlier, so what lies
 * at the depth that is left may still be in use.
 */
#include "compiler/area.h"

#define TRIES 3 /* between looking for a free bit and setting it another may have taken it */

int area_claim(struct irb *b, int busy, int none)
{
	int mine = irb_var(b), done = irb_block(b, "claimed"), full = irb_cold_block(b, "none free");

	for (int i = 0; i < TRIES; i++) {
		int try = irb_block(b, "free"), taken = irb_cold_block(b, "taken");
		int word = irb_loadv(b, busy, 0, 8, false), above = irb_bini(b, IR_ADD, word, 1);
		int bit = irb_bin(b, IR_AND, irb_bini(b, IR_XOR, word, -1), above);

		irb_assign(b, mine, bit);
		irb_bri(b, CC_ULT, bit, 1 << AREAS, try, full);
		irb_place(b, try);
		irb_br(b, CC_BITS, irb_fetch_or(b, busy, bit), bit, taken, done);
		irb_place(b, taken);
	}
	irb_jmp(b, full);
	irb_place(b, full);
	irb_jmp(b, none);
	irb_place(b, done);
	return irb_value(b, mine);
}

/*
 * Bit 1, 2, 4 or 8 is number 0 to 3.  Without a branch: the verifier would look at all that
 * follows once for each.
 */
int area_number(struct irb *b, int bit)
{
	int high = irb_bini(b, IR_SHR, bit, 3);
	int n = irb_bin(b, IR_SUB, irb_bini(b, IR_SHR, bit, 1), high);

	return irb_bini(b, IR_AND, n, AREAS - 1);
}

void area_give_back(struct irb *b, int busy, int bit)
{
	int less = irb_neg(b, bit);

	irb_atomic_add(b, busy, 0, less);
}
