/*
 * area.h - claims a scratch area, for programs that can be interrupted by themselves.
 */
#ifndef IR_AREA_H
#define IR_AREA_H

#include "ir/ir.h"

#define AREAS 4
#define AREA_BUSY (8 * AREAS) /* size of the words that mark areas as used: a u64 each, 1 or 0 */

/*
 * Claims a free area; register @busy has the address of the words. If another run claims the same
 * area first, tries a few times more. Jumps to @none if that fails, or if no area is free.
 * Continues in a new block. Returns the area's number in a register that the verifier knows to be
 * below AREAS.
 */
int area_claim(struct irb *b, int busy, int none);

/* Returns the address of the word of area @n. Storing 0 there releases the area. */
int area_word(struct irb *b, int busy, int n);

#endif
