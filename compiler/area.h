/*
 * area.h - one of several areas of memory, claimed by a program that may run again on its
 * CPU before it has ended.
 */
#ifndef COMPILER_AREA_H
#define COMPILER_AREA_H

#include "ir/ir.h"

#define AREAS 4

/*
 * Takes a free area, which is told by its bit in the u64 at register @busy.  No area is
 * free, or others were faster every time: to @none.  Goes on in a new block.  Returns the bit.
 */
int area_claim(struct irb *b, int busy, int none);

/* The number of the area with that bit, from 0. */
int area_number(struct irb *b, int bit);

void area_give_back(struct irb *b, int busy, int bit);

#endif
