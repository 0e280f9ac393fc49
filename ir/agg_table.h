/*
 * agg_table.h - the code that looks up a key of an aggregation in its table (ir/table.h).
 */
#ifndef IR_AGG_TABLE_H
#define IR_AGG_TABLE_H

#include "ir/ir.h"

/* Describes a table. */
struct table_ref {
	uint32_t map;        /* index of the table's map in program.map */
	uint32_t number;     /* number of the table in the arena */
	uint32_t key_size;   /* size of a key in bytes, a multiple of 8 */
	uint32_t value_size; /* size of a value in bytes, a multiple of 8 */
	uint32_t wake;       /* index of the MAP_WAKE, which wakes the engine */
};

/*
 * Emits code that looks up the key at @key. If @word is not NULL, it has registers with the words
 * of the key; the code then stores the words at @key only where they must be in memory. Function
 * @add of the unit (the eBPF program) adds a missing key. If the key is found or added, the code
 * sets the variable @slot to the address of this CPU's value and goes to @found. If there is no
 * room for the key, the code goes to @none.
 */
void irb_table_find(struct irb *b, const struct table_ref *t, struct ir_arg key, const int *word,
		    int add, int slot, int found, int none);

/*
 * Emits the body of a function into @b, which must be empty. The function finds a key, or adds the
 * key if it is missing. The function's parameter is the address of the key. It returns the address
 * of this CPU's value in the arena. It returns 0 if there is no room, or if another key took the
 * slot meanwhile.
 */
void irb_table_add(struct irb *b, const struct table_ref *t);

#endif
