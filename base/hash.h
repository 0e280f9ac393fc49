/*
 * hash.h - the hash function of all hash tables.
 *
 * The hash has a random key. Otherwise the author of a capture or a program could choose names and
 * addresses that all collide. The function is NH, as in UMAC (RFC 4418). It reads the bytes as
 * pairs of words. Each pair (a, b) adds (a + k)(b + k') to a sum of 128 bits, where k and k' are
 * two words of the key that belong to the position of the pair. One more keyed multiplication mixes
 * the sum.
 *
 * Hash values differ from run to run. So no output may depend on hash values, or on the order of
 * the entries in a hash table.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

enum { HASH_PAIRS = 4 }; /* pairs per block */

struct hash_key {
	uint64_t word[HASH_PAIRS * 2];
	uint64_t end[2];
};

/*
 * The random key, chosen before main(). Only tests may change the key, while no hash table exists.
 */
extern struct hash_key hash_key;

/* Returns the term that pair @i of a block adds to the block's sum. */
static inline unsigned __int128 hash_pair(const struct hash_key *k, unsigned i, uint64_t a,
					  uint64_t b)
{
	return (unsigned __int128)(a + k->word[i * 2]) * (b + k->word[i * 2 + 1]);
}

/*
 * Returns the hash of a block whose sum is @sum. @before is the hash of the previous block. For the
 * first block, @before is the number of bytes to hash, or any constant.
 */
static inline uint64_t hash_end(const struct hash_key *k, unsigned __int128 sum, uint64_t before)
{
	unsigned __int128 p = (unsigned __int128)(((uint64_t)sum ^ before) + k->end[0]) *
			      ((uint64_t)(sum >> 64) + k->end[1]);

	return (uint64_t)p ^ (uint64_t)(p >> 64);
}

/* Returns the hash of the @n bytes at @p with hash_key, for hash tables. */
uint64_t hash_bytes(const void *p, size_t n);

/*
 * Returns the hash of the @n bytes at @p with a fixed key. The value is the same in every run, so
 * it may be shown. Do not use it for tables with keys that others choose.
 */
uint64_t hash_bytes_fixed(const void *p, size_t n);

/* Makes a key from @seed. Equal seeds give equal keys. */
struct hash_key hash_key_of(uint64_t seed);

#endif
