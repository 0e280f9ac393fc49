/*
 * table_code.h - code that aggregations' tables and arrays share (ir/table.h).
 */
#ifndef IR_TABLE_CODE_H
#define IR_TABLE_CODE_H

#include "ir/ir.h"

/*
 * Emits code that continues a hash with one word of the key, as table_hash() does. @h and @word are
 * registers with the hash so far and the word. @factor is a register with TABLE_HASH_FACTOR.
 * Returns the register with the new hash.
 */
static inline int irb_table_hash(struct irb *b, int h, int word, int factor)
{
	h = irb_bin(b, IR_MUL, irb_bin(b, IR_XOR, h, word), factor);
	return irb_bin(b, IR_XOR, h, irb_bini(b, IR_SHR, h, 32));
}

#endif
