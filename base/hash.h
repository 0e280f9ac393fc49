/*
 * hash.h - the hash function of all tables.
 *
 * It is keyed: whoever makes a capture or a program must not know which keys
 * collide, lest he choose keys that all do.  Words go in pairs to the sum of
 * (a + k)(b + k'), 128 bits wide, each with a part of the key of its own, so that no
 * choice of a and b makes a product known (this is NH, of UMAC); one more
 * multiplication by keyed operands spreads the sum.  Numbers differ from run to
 * run: nothing that is shown may depend on them, nor the order of visits.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_PAIRS = 4 }; /* to a block */

struct hash_key {
	uint64_t word[HASH_PAIRS * 2];
	uint64_t end[2];
};

/* Random, made before main().  Only tests may change it, while there are no tables. */
extern struct hash_key hash_key;

/* The block's pair @i, for the sum. */
static inline unsigned __int128 hash_pair(const struct hash_key *k, unsigned i, uint64_t a,
					  uint64_t b)
{
	return (unsigned __int128)(a + k->word[i * 2]) * (b + k->word[i * 2 + 1]);
}

/* The hash of a block and what was before it; @before of the first: the length, or any constant. */
static inline uint64_t hash_end(const struct hash_key *k, unsigned __int128 sum, uint64_t before)
{
	unsigned __int128 p = (unsigned __int128)(((uint64_t)sum ^ before) + k->end[0]) *
			      ((uint64_t)(sum >> 64) + k->end[1]);

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* Of any bytes, for a table: with hash_key. */
uint64_t hash_bytes(const void *p, size_t n);

/* For what is no table and must be the same in every run: with a key that everybody knows. */
uint64_t hash_bytes_fixed(const void *p, size_t n);

/* A key made of @seed. */
struct hash_key hash_key_of(uint64_t seed);

#endif
