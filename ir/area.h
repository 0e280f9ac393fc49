/*
 * area.h - one of several areas of memory, claimed by a program that may run again on its
 * CPU before it has ended.
 */
#ifndef IR_AREA_H
#define IR_AREA_H

#include "ir/ir.h"

#define AREAS 4
#define AREA_BUSY (8 * AREAS) /* bytes that say which areas are in use: a u64 each, 1 or 0 */

/*
 * Takes a free area; @busy: register, where it says which are.  No area is free, or others
 * were faster every time: to @none.  Goes on in a new block.  Returns the area's number, in a
 * register that the verifier knows to be below AREAS.
 */
int area_claim(struct irb *b, int busy, int none);

/* Where area @n's word is: 0 is stored there when the area is given back. */
int area_word(struct irb *b, int busy, int n);

#endif
