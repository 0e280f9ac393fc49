/*
 * agg_update.h - emits the code that updates one value of an aggregation.
 */
#ifndef IR_AGG_UPDATE_H
#define IR_AGG_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

struct agg_info;
struct irb;

/* One update, in terms of the program that is being built. */
struct agg_update {
	const struct agg_info *ai;
	int slot;    /* the virtual register with the address that @off counts from */
	int32_t off; /* of the value, in bytes */
	int value;   /* virtual registers: the argument, 0 for count() ... */
	int incr;    /* ... and a histogram's increment, 0 if the program gave none */
	bool atomic; /* another program may interrupt this one and update the same value */
};

/* Appends the update @u to the current block of @b. */
void irb_agg_update(struct irb *b, const struct agg_update *u);

#endif
