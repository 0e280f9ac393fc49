/*
 * array.h - the code that reads and changes associative arrays in the arena (ir/table.h).
 */
#ifndef IR_ARRAY_H
#define IR_ARRAY_H

#include "ir/ir.h"

/* A MAP_ARRAY: its index in program.map, and its number in the arena. */
struct array_ref {
	uint32_t map, number;
	uint32_t key_size; /* bytes, a multiple of 8 */
	uint32_t slots;    /* of the back, a power of two */
	uint32_t wake;     /* index of the MAP_WAKE */
	uint32_t ncpu;     /* number of lists */
};

/*
 * A key: the address of its bytes, which are in the frame or in scratch memory. If @word is not
 * NULL, it has the words of the key instead, and the code stores them at @at where it needs that.
 */
struct array_key {
	struct ir_arg at;
	const int *word;
};

/* Emits code that reads the number of @key. Returns its register; 0: there is no such key. */
int irb_array_read(struct irb *b, const struct array_ref *t, struct array_key key, int get);

/*
 * Emits code that stores @value, or deletes the key if @value is 0. The code then continues in
 * block @done, or in @full if there is no room for the key.
 */
void irb_array_write(struct irb *b, const struct array_ref *t, struct array_key key, int value,
		     int set, int done, int full);

/*
 * Emit the bodies of functions of a unit. @b is empty. All arrays with keys of the same size have
 * the same functions: their first parameter is the number of the array, and @t may be any of these
 * arrays. The parameters of some C functions are other functions of the unit.
 *
 * search  (array, key, hash, slot) -> entry << 32 | number of the first slot with the key, except
 *         @slot; 0: there is none
 * get     (array, key) -> its number, or 0
 * place   (array, hash, entry) -> ARRAY_PLACED | number of the slot; 0: lost a race, try again;
 *         ARRAY_NO_SLOT: all its slots are in use
 * take    (array) -> a free entry, or 0
 * release (array, entry)
 * set     (array, key, number) -> 0, or 1 if there is no room for the key
 */
#define ARRAY_PLACED (1 << 30)
#define ARRAY_NO_SLOT 1
void irb_array_search(struct irb *b, const struct array_ref *t);
void irb_array_get(struct irb *b, const struct array_ref *t, int search);
void irb_array_place(struct irb *b, const struct array_ref *t);
void irb_array_take(struct irb *b, const struct array_ref *t);
void irb_array_release(struct irb *b, const struct array_ref *t);
void irb_array_set(struct irb *b, const struct array_ref *t, int search, int place, int take,
		   int release);

#endif
