/*
 * table.h - hash tables in an arena: the memory that programs and the engine share.
 *
 * A table holds the keys of one aggregation (MAP_TABLE).  Programs find and add keys
 * (ir/agg_table.c); the engine makes tables, lets them grow, reads them and takes keys out
 * (engine/kernel/arena.c).
 *
 *	head      struct table_head
 *	index     slots of 8 bytes, a power of two; linear probing from the key's hash:
 *	          upper 32 bits of the hash | number of the entry + 1.  0: free
 *	keys      entry by entry
 *	values    for each CPU an array of its own, entry by entry
 *
 * To add a key, a program first takes an entry: an unused one of its CPU, else a released one, else
 * the next.  If another CPU adds the same key first, the program's CPU keeps the entry as unused.
 *
 * A program writes a key first and its slot after that, by compare-and-swap.  So a program that
 * sees the slot sees the key.  Two CPUs may add one key at the same time, and a key may be in the
 * index twice while the engine replaces the index.  Both are harmless, because the consumer adds
 * up equal keys.
 *
 * Addresses are those of the process.  Programs use their low 32 bits.
 */
#ifndef IR_TABLE_H
#define IR_TABLE_H

#include <stdint.h>

#define TABLE_KEY_MAX 128       /* bytes of a key, at most: code compares keys word by word */
#define TABLE_PROBES 32         /* maximum number of slots visited for one key */
#define TABLE_DEAD (1ull << 32) /* slot of a removed key */

struct table_head {
	/* low 32 bits: those of the address of the first slot; high 32 bits: number of slots - 1 */
	uint64_t index;
	uint64_t keys;      /* address of the first entry's key */
	uint64_t values;    /* address of the first entry's value for CPU 0 */
	uint64_t stride;    /* bytes from the values of one CPU to those of the next */
	uint64_t room;      /* entries that have memory */
	uint64_t next;      /* entries allocated, without reused ones; may exceed room */
	uint64_t mark;      /* the program that allocates this entry wakes the engine */
	uint64_t seed;      /* of the hash */
	uint64_t free;      /* address of a ring buffer with the numbers of released entries */
	uint64_t free_mask; /* size of the ring buffer - 1 */
	uint64_t free_head; /* next position that a program reads; only incremented */
	uint64_t free_tail; /* next position that the engine writes */
	uint64_t spare; /* address of a word for each CPU: number of an unused entry + 1, or 0 */
	uint64_t pad[3];
};

/* Offset of the head of table @i in the arena. */
#define TABLE_HEAD(i) ((i) * (uint64_t)sizeof(struct table_head))

/* One step of the hash of a key: one for each word of 8 bytes. */
#define TABLE_HASH_FACTOR 0x9e3779b97f4a7c15ull

static inline uint64_t table_hash(uint64_t h, uint64_t word)
{
	h = (h ^ word) * TABLE_HASH_FACTOR;
	return h ^ h >> 32;
}

#endif
