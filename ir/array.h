/*
 * array.h - the code that reads and changes associative arrays in the arena (ir/table.h).
 */
#ifndef IR_ARRAY_H
#define IR_ARRAY_H

#include "ir/ir.h"

/*
 * Describes an array. @map is the index of its MAP_ARRAY in program.map, and @number is its number
 * in the arena.
 */
struct array_ref {
	uint32_t map, number;
	uint32_t key_size; /* size of a key in bytes, a multiple of 8 */
	/* size of a string or struct in bytes, a multiple of 4; 0 if the values are numbers */
	uint32_t memory;
	uint32_t slots; /* number of slots in the back, a power of two */
	uint32_t wake;  /* index of the MAP_WAKE */
	uint32_t ncpu;  /* number of CPUs; each has a list of released entries */
};

/*
 * A key. @at is the address of its bytes, which are in the frame or in scratch memory. If @word is
 * not NULL, @word has registers with the words of the key; the code then stores these words at @at
 * only where they must be in memory.
 */
struct array_key {
	struct ir_arg at;
	const int *word;
};

/*
 * Emits code that reads the number of @key. Returns a variable with the number, which is 0 if there
 * is no such key. @get is the function "get" of the unit, described below.
 */
int irb_array_read(struct irb *b, const struct array_ref *t, struct array_key key, int get);

/*
 * Emits code that stores @value, or deletes the key if @value is 0. The code then continues in
 * block @done, or in @full if there is no room for the key. @set is the function "set" of the unit,
 * described below.
 */
void irb_array_write(struct irb *b, const struct array_ref *t, struct array_key key, int value,
		     int set, int done, int full);

/*
 * Emit the bodies of functions of a unit into @b, which must be empty. All arrays with keys and
 * values of the same sizes share these functions. The first parameter of each function is the
 * number of the array, and @t may be any of these arrays. The other parameters of some C functions,
 * such as @scan, are the numbers of other functions of the unit. The value of a function is a
 * number, or if the array has memory, the address of array_ref.memory bytes.
 *
 * scan    (array, key, hash, slot) looks once into all slots for the key, except @slot. Returns
 *         place << 32 | number of the first slot with the key, or 0 if there is none. Returns
 *         ARRAY_CHANGED if another program changed a slot meanwhile, so that the key may exist; the
 *         caller then scans again.
 * get     (array, key) returns the key's number, or 0.
 * place   (array, hash, entry) puts the entry in a slot, and returns
 *         place << 32 | ARRAY_PLACED | number of the slot. Returns ARRAY_NO_SLOT if all slots for
 *         that hash are in use, and 0 if another program took the slot first, so that the caller
 *         must try again.
 * take    (array) returns a free entry, or 0 if it got none.
 * release (array, entry) makes the entry free again.
 * fill    (array, entry, key, value) writes an entry that is in no slot. Only for memory.
 * replace (array, key, value, place << 32 | slot) stores the value of a key that is in that slot.
 *         Returns 0, or 1 if all spare entries of the CPU are in use.
 * set     (array, key, value) stores the value. Returns 0, or 1 if there is no room for the key.
 * copy    (array, key, to) copies the value to memory. Returns ARRAY_FOUND, ARRAY_NONE if there is
 *         no such key, or ARRAY_BUSY if the value changed in each attempt. Only for memory.
 * drop    (array, key) deletes the key. Only for memory.
 */
#define ARRAY_PLACED (1 << 30)
#define ARRAY_NO_SLOT 1
#define ARRAY_CHANGED 1
enum { ARRAY_NONE, ARRAY_FOUND, ARRAY_BUSY };
void irb_array_scan(struct irb *b, const struct array_ref *t);
void irb_array_get(struct irb *b, const struct array_ref *t, int scan);
void irb_array_place(struct irb *b, const struct array_ref *t);
void irb_array_take(struct irb *b, const struct array_ref *t);
void irb_array_release(struct irb *b, const struct array_ref *t);
void irb_array_fill(struct irb *b, const struct array_ref *t);
void irb_array_replace(struct irb *b, const struct array_ref *t, int fill);
void irb_array_copy(struct irb *b, const struct array_ref *t, int scan);
void irb_array_drop(struct irb *b, const struct array_ref *t, int scan, int release);

/* The functions that set() calls. @fill is 0 if the values are numbers. */
struct array_callees {
	int scan, place, take, release, replace, fill;
};
void irb_array_set(struct irb *b, const struct array_ref *t, const struct array_callees *f);

#endif
