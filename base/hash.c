/*
 * hash.c - the random key, and the hash of bytes.
 */
#include "base/hash.h"

#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>

struct hash_key hash_key;

/* Returns the next number of the generator splitmix64. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

struct hash_key hash_key_of(uint64_t seed)
{
	struct hash_key k;

	for (size_t i = 0; i < HASH_PAIRS * 2; i++)
		k.word[i] = next_random(&seed);
	k.end[0] = next_random(&seed);
	k.end[1] = next_random(&seed);
	return k;
}

/*
 * Returns random bytes that the kernel passes to every process at its start. They exist even before
 * getrandom() is ready.
 */
static uint64_t fallback_seed(void)
{
	const void *at = (const void *)getauxval(AT_RANDOM);
	uint64_t w[2] = {0};

	if (at)
		memcpy(w, at, sizeof(w));
	return w[0] ^ w[1];
}

static __attribute__((constructor)) void make_key(void)
{
	if (getrandom(&hash_key, sizeof(hash_key), GRND_NONBLOCK) != sizeof(hash_key))
		hash_key = hash_key_of(fallback_seed());
}

/*
 * Reads the first 8 of the @n bytes at @p as a number, padded with zeros if there are fewer. Uses
 * no loop and no call, because most strings to hash are short names.
 */
static uint64_t word_at(const unsigned char *p, size_t n)
{
	uint64_t w;
	uint32_t first, last;

	if (n >= sizeof(w)) {
		memcpy(&w, p, sizeof(w));
		return w;
	}
	if (n >= sizeof(first)) { /* read two halves, which may overlap */
		memcpy(&first, p, sizeof(first));
		memcpy(&last, p + n - sizeof(last), sizeof(last));
		return first | (uint64_t)last << 8 * (n - sizeof(last));
	}
	if (!n)
		return 0;
	return p[0] | (uint64_t)p[n / 2] << 8 * (n / 2) | (uint64_t)p[n - 1] << 8 * (n - 1);
}

/* Returns the sum of one block: @n bytes, padded with zeros to whole pairs of 8 bytes. */
static unsigned __int128 sum_pairs(const struct hash_key *k, const unsigned char *p, size_t n)
{
	unsigned __int128 sum = 0;

	for (unsigned i = 0; i * 16 < n; i++) {
		size_t at = i * 16, left = n - at;

		sum += hash_pair(k, i, word_at(p + at, left),
				 left > 8 ? word_at(p + at + 8, left - 8) : 0);
	}
	return sum;
}

static uint64_t hash_with_key(const struct hash_key *k, const unsigned char *p, size_t n)
{
	uint64_t h = n;

	do {
		size_t part = n < HASH_PAIRS * 16 ? n : HASH_PAIRS * 16;

		h = hash_end(k, sum_pairs(k, p, part), h);
		p += part;
		n -= part;
	} while (n);
	return h;
}

uint64_t hash_bytes(const void *p, size_t n)
{
	return hash_with_key(&hash_key, p, n);
}

uint64_t hash_bytes_fixed(const void *p, size_t n)
{
	const struct hash_key known = hash_key_of(0);

	return hash_with_key(&known, p, n);
}
