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
#ifndef IR_TABLE_H
#define IR_TABLE_H

#include <stdint.h>

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

/* Offset of the head of table @i in the arena. */
#define TABLE_HEAD(i) ((i) * (uint64_t)sizeof(struct table_head))

/* The hash of a key is computed by table_hash(), once for each word of 8 bytes. */
#define TABLE_HASH_FACTOR 0x9e3779b97f4a7c15ull

static inline uint64_t table_hash(uint64_t h, uint64_t word)
{
	h = (h ^ word) * TABLE_HASH_FACTOR;
	return h ^ h >> 32;
}

#endif
