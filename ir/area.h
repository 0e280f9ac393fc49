/*
 * area.h - claims a scratch area (memory for strings and long keys), for programs that another run
 * of the same program can interrupt.
 */
#ifndef IR_AREA_H
#define IR_AREA_H

#include "ir/ir.h"

#define AREAS 4
/* size in bytes of the words that mark areas as used: each is a u64 with 1 or 0 */
#define AREA_BUSY (8 * AREAS)

/*
 * Claims a free area. Register @busy has the address of the words that mark areas as used. If
 * another run claims the same area first, the code tries again, a few times. Jumps to @none if all
 * attempts fail, or if no area is free. Continues in a new block. Returns a register with the
 * number of the area, which the verifier knows to be less than AREAS.
 */
int area_claim(struct irb *b, int busy, int none);

/*
 * Returns a register with the address of the word that marks area @n as used. Storing 0 there
 * releases the area.
 */
int area_word(struct irb *b, int busy, int n);

#endif
