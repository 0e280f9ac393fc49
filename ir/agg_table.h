/*
 * agg_table.h - the code that looks up a key of an aggregation in its table (ir/table.h).
 */
#ifndef IR_AGG_TABLE_H
#define IR_AGG_TABLE_H

#include "ir/ir.h"

/*
 * A table: its map, its number in the arena, the sizes of its keys and values in bytes (multiples
 * of 8), and the map that wakes the engine (MAP_WAKE).
 */
struct table_ref {
	uint32_t map, number, key_size, value_size, wake;
};

/*
 * Emits code that looks up the key at @key. If @word is not NULL, it has the words of the key, and
 * the code stores them at @key only where it needs them in memory. If the key is in the table, or
 * function @add of the unit adds it, the code sets the variable @slot to this CPU's value and goes
 * to @found.  If there is no room for the key, the code goes to @none.
 */
void irb_table_find(struct irb *b, const struct table_ref *t, struct ir_arg key, const int *word,
		    int add, int slot, int found, int none);

/*
 * Emits the body of a function that finds or adds a key.  Its parameter is the key's address.  It
 * returns the address of this CPU's value in the arena, or 0 if there is no room.  @b is empty.
 */
void irb_table_add(struct irb *b, const struct table_ref *t);

#endif
