/*
 * agg_update.h - generates the code that updates a value of an aggregation.
 */
#ifndef IR_AGG_UPDATE_H
#define IR_AGG_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

struct agg_info;
struct ir_arg;
struct irb;

/* Describes an update in the function that is being built. */
struct agg_update {
	const struct agg_info *ai;
	/*
	 * the key, if the engine finds the value by the key (irb_agg_by_key()); @slot is unused
	 * then
	 */
	const struct ir_arg *key;
	int slot;    /* virtual register with the address that @off counts from */
	int32_t off; /* offset of the value in bytes */
	int value;   /* virtual register with the argument; 0 for count() */
	/* virtual register with the increment of a histogram; 0 if the program gave none */
	int incr;
	bool atomic; /* another program may interrupt this one and update the same value */
};

/*
 * Returns whether HELPER_agg_add can update the values of @ai. It can if an update only adds to one
 * word, and a constant to word 0.
 */
bool irb_agg_by_key(const struct agg_info *ai);

/* Appends code for the update @u to the current block of @b. */
void irb_agg_update(struct irb *b, const struct agg_update *u);

#endif
