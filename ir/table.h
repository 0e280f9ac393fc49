/*
 * table.h - hash tables in an arena: the memory that programs and the engine share.
 *
 * A table holds the keys of one aggregation (MAP_TABLE). Programs find and add keys
 * (ir/agg_table.c). The engine makes tables, lets them grow, reads them and removes keys
 * (engine/kernel/arena.c). A table has these parts:
 *
 *	head      The struct table_head.
 *	index     Slots of 8 bytes; their number is a power of two. A search begins at the slot that
 *	          the key's hash selects, and goes on to the next slots (linear probing). A slot has
 *	          the upper 32 bits of the hash, and 1 + the number of the entry. 0 is a free slot.
 *	keys      The keys of all entries.
 *	values    For each CPU an array with the values of all entries.
 *
 * To add a key, a program first takes an entry: the spare entry of its CPU, else an entry that was
 * released, else the first entry that was never used. If another program takes the slot first, the
 * entry becomes the spare entry of its CPU.
 *
 * A program writes the key first and then its slot, by compare-and-swap. So a program that sees the
 * slot sees the key. Two CPUs may add one key at the same time, and a key may be in the index twice
 * while the engine replaces the index. Both are harmless, because the consumer adds up equal keys.
 *
 * Addresses are those of dtrace's process. Programs use their low 32 bits.
 */
/*
 * An array holds the keys of one associative array (MAP_ARRAY). Each key has a value, which is a
 * number, or memory: a string or a struct. Programs find, add and delete keys (ir/array.c). The
 * engine makes arrays and lets them grow.
 *
 *	head      struct array_head
 *	slots     8 bytes each. The first slots are the front, and the others are the back. The
 *	          number of slots never changes.
 *	entries   The key and the value of each entry. If the values are memory, a count precedes
 *	          them. Entry 0 is never used.
 *	links     For each released entry, the next one in its list.
 *	lines     For each CPU, a line of 64 bytes: the list of the entries that it released, and
 *	          the numbers of ARRAY_SPARES spare entries, which are in no list.
 *
 * A key is in one of ARRAY_FRONT_PROBES slots of the front, or else in one of ARRAY_PROBES slots of
 * the back. The front is small, so a small array touches few pages. This matters most for speed. In
 * both parts, the home of a key is the slot that its hash selects, and probe i is the slot
 * i (i + 1) / 2 slots after the home.
 *
 * The lower half of a slot is called its place. It has the number of an entry, or 0 (the bits
 * ARRAY_ENTRY), and above it the generation of the slot. Each change of the entry increments the
 * generation. The upper half describes the keys that have this slot as their home: bit i is set if
 * one of these keys was ever at probe i. In the front, ARRAY_IN_BACK is set if one of them was ever
 * in the back. These bits are never cleared. So most searches visit one slot, even if they find
 * nothing.
 *
 * No key has the number 0, because storing 0 deletes the key. All changes of a place are
 * compare-and-swaps, so each step is atomic, also for programs that interrupt others:
 *
 *	add     The program writes a free entry, sets the bit of its probe, and puts the entry into
 *	        a slot that has none.
 *	store   The program writes a spare entry of its CPU, and puts that into the slot instead of
 *	        the old entry, which becomes the spare one. So the value of an entry in a slot never
 *	        changes.
 *	delete  The program takes the entry out of the slot, and releases it.
 *
 * A program that finds a key remembers the place. If another program has changed the slot since
 * then, the generation differs, although the slot may have the same entry, now with another key.
 * So the swap fails. Then nothing remains to be done: the result is the same as if the program had
 * stored or deleted just before the other program. A program that reads a number compares the place
 * again after the read.
 *
 * An entry may leave its slot, and get another key, before a program has compared its key. So a
 * program that finds another key compares the place again, too. It knows that a key is missing only
 * if no slot changed while it searched.
 *
 * A program that reads memory copies it. Other programs may store to the key all the time, so the
 * place has often changed when the copy ends. So the reader compares the entry's count instead: a
 * program increments the count of an entry before and after it writes the entry. An attempt to copy
 * fails in two cases only: the place changed before the reader had read the count, or the entry
 * left the slot and was written again before the copy ended. The result of a copy is the value that
 * the key had when the copy began.
 *
 * A generation has 12 bits. So a program would overlook changes only if other programs changed the
 * slot 4,096 times, or a multiple of this, between two steps of the program, and ended with the
 * same entry.
 *
 * A spare entry is a word of the line. A program takes it by an exchange with 0, and writes a spare
 * entry back to the same word. So even if the array is full, ARRAY_SPARES programs may interrupt
 * each other within stores on one CPU.
 *
 * Two programs may add the same key at the same time, at different probes. Each program searches
 * again after it has added the key, so at least one of them sees both. That program deletes the key
 * in the slot with the greater number.
 */
#ifndef IR_TABLE_H
#define IR_TABLE_H

#include <stdint.h>

#include "base/minmax.h"

/* maximum size of a key in bytes: code compares keys word by word */
#define TABLE_KEY_MAX 128
#define TABLE_PROBES 32         /* maximum number of slots visited for one key */
#define TABLE_DEAD (1ull << 32) /* the value of a slot whose key was removed */

struct table_head {
	/* low 32 bits: those of the address of the first slot; high 32 bits: number of slots - 1 */
	uint64_t index;
	uint64_t keys;   /* address of the first entry's key */
	uint64_t values; /* address of the first entry's value for CPU 0 */
	uint64_t stride; /* number of bytes from the values of one CPU to those of the next */
	uint64_t room;   /* number of entries that have memory */
	/* number of entries allocated so far, without reused ones; may exceed room */
	uint64_t next;
	uint64_t mark;      /* number of an entry; the program that allocates it wakes the engine */
	uint64_t seed;      /* start value of the hash */
	uint64_t free;      /* address of a ring buffer with the numbers of released entries */
	uint64_t free_mask; /* size of the ring buffer - 1 */
	uint64_t free_head; /* next position that a program reads; only incremented */
	uint64_t free_tail; /* next position that the engine writes */
	/*
	 * address of an array with a word for each CPU: 1 + the number of its spare entry, or 0 if
	 * it has none
	 */
	uint64_t spare;
	uint64_t pad[3];
};

#define ARRAY_FRONT_BITS 12
#define ARRAY_FRONT (1 << ARRAY_FRONT_BITS) /* number of slots in the front; the back follows */
#define ARRAY_FRONT_PROBES 8
#define ARRAY_PROBES 32 /* maximum number of slots of the back visited for one key */
#define ARRAY_IN_BACK (1 << 30)
#define ARRAY_LINE 64       /* bytes of a CPU's line; its first word is the head of the list */
#define ARRAY_SPARES 7      /* spare entries of a CPU, the other words of its line */
#define ARRAY_GEN (1 << 20) /* added to a place for the next generation */
#define ARRAY_ENTRY (ARRAY_GEN - 1) /* bits of a place that are the number of the entry */
#define ARRAY_MEMORY_MAX 1020       /* maximum size of a string or struct that is a value */

/* Returns the number of slots in the back of an array for @max keys: a power of two. */
static inline uint32_t array_slots(uint32_t max)
{
	return (uint32_t)power_of_two(2 * (uint64_t)max);
}

/*
 * Returns the size in bytes of an entry of an array: the key, which takes a multiple of 8 bytes,
 * and the value. Generated code and the engine must agree on it.
 */
static inline uint32_t array_entry_size(uint32_t key_size, uint32_t value_size)
{
	return key_size + ((value_size + 7) & ~7u);
}

/*
 * Returns roughly how many bytes of the arena's addresses an array takes, for @max keys and values
 * of the given sizes in bytes.
 */
static inline uint64_t array_bytes(uint32_t key_size, uint32_t value_size, uint32_t max)
{
	uint64_t entry = key_size + value_size + 4; /* 4 bytes for the link */

	return 8 * ((uint64_t)ARRAY_FRONT + array_slots(max)) + entry * max;
}

struct array_head {
	uint64_t slots;   /* address of the first slot */
	uint64_t entries; /* address of entry 0 */
	uint64_t links;   /* address of the link of entry 0; links are u32 */
	/* address of the line of CPU 0. The head of its list is: tag << 32 | first entry, or 0 */
	uint64_t lines;
	uint64_t room; /* as in struct table_head; entry 0 counts */
	uint64_t next; /* as in struct table_head */
	uint64_t mark; /* as in struct table_head */
	uint64_t seed; /* as in struct table_head */
	uint64_t pad[8];
};

_Static_assert(sizeof(struct array_head) == sizeof(struct table_head),
	       "TABLE_HEAD() is for both structs");

/* Offset of the head of table or array @i in the arena. */
#define TABLE_HEAD(i) ((i) * (uint64_t)sizeof(struct table_head))

/* The hash of a key is computed by table_hash(), once for each word of 8 bytes. */
#define TABLE_HASH_FACTOR 0x9e3779b97f4a7c15ull

static inline uint64_t table_hash(uint64_t h, uint64_t word)
{
	h = (h ^ word) * TABLE_HASH_FACTOR;
	return h ^ h >> 32;
}

#endif
