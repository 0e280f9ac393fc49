/*
 * map_slots.h - finds a key in the hash tables of maps. Included by map.c and deferred.c.
 *
 * The tables use open addressing with linear probing over 8-byte slots. A slot has the address of
 * an entry and 16 bits of the entry's hash (the tag), so a search seldom reads the entry of another
 * key. Entries live in chunks that never move.
 */
#ifndef ENGINE_VM_MAP_SLOTS_H
#define ENGINE_VM_MAP_SLOTS_H

#include <string.h>

#include "base/hash.h"
#include "engine/vm/map.h"

struct vm_entry {
	uint64_t hash; /* hash of the key; 0 if the entry is deleted */
	/*
	 * the key, followed by the value; a deleted entry has the address of the next deleted entry
	 * here
	 */
	uint64_t key[];
};

enum { VM_TAG_SHIFT = 48 };
/* a bit that is set in every hash, so that no hash is 0; it is above the bits that select a slot */
#define VM_HASH_LIVE (1ULL << 47)
#define VM_ADDR_MASK ((1ULL << VM_TAG_SHIFT) - 1)

/*
 * Sizes of keys in bytes for which functions are compiled separately, so that a key stays in
 * registers.
 */
#define VM_KEY_SIZES(X) X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(36) X(40)
/* number of words of the longest of these keys, rounded up to an even number */
enum { VM_KEY_WORDS = 6 };

/* Marks functions that the compiler specialises for each of these sizes. */
#define VM_SPECIALIZED static inline __attribute__((always_inline))

/*
 * Returns word @i of a key of @size bytes, zero-padded. Programs build keys with 4-byte stores just
 * before they look them up. A CPU cannot forward two such stores to one 8-byte load, so two 4-byte
 * loads are several times faster. The empty asm keeps the compiler from joining them.
 */
VM_SPECIALIZED uint64_t vm_key_word(const unsigned char *key, uint32_t i, uint32_t size)
{
	uint32_t lo = 0, hi = 0, left = size - i * 8;
	uint64_t tail = 0;

	key += (size_t)i * 8;
	if (left >= 8) {
		memcpy(&lo, key, 4);
		memcpy(&hi, key + 4, 4);
		__asm__("" : "+r"(hi));
		return lo | (uint64_t)hi << 32;
	}
	if (left == 4) {
		memcpy(&lo, key, 4);
		return lo;
	}
	memcpy(&tail, key, left);
	return tail;
}

/* Loads a key of @size bytes into @w. Words after the key are 0. */
VM_SPECIALIZED void vm_key_load(uint64_t w[VM_KEY_WORDS], const void *key, uint32_t size)
{
#pragma GCC unroll 6
	for (uint32_t i = 0; i < VM_KEY_WORDS; i++)
		w[i] = i < (size + 7) / 8 ? vm_key_word(key, i, size) : 0;
}

/* Returns the hash of a key of @size bytes in @w, as vm_map_hash() does. */
VM_SPECIALIZED uint64_t vm_key_hash(const uint64_t w[VM_KEY_WORDS], uint32_t size)
{
	unsigned __int128 sum = 0;

#pragma GCC unroll 3
	for (uint32_t i = 0; i < (size + 7) / 8; i += 2)
		sum += hash_pair(&hash_key, i / 2, w[i], w[i + 1]);
	return hash_end(&hash_key, sum, 0) | VM_HASH_LIVE;
}

/*
 * Returns the slot where the search for @hash begins. The low bits of @hash are the number of the
 * slot, and the high bits are the tag. They must not overlap.
 */
static inline uint64_t *vm_first_slot(const struct vm_map *m, uint64_t hash)
{
	return &m->slot[hash & m->mask];
}

static inline uint64_t *vm_next_slot(const struct vm_map *m, uint64_t *s)
{
	return &m->slot[(uint64_t)(s - m->slot + 1) & m->mask];
}

static inline struct vm_entry *vm_slot_entry(uint64_t slot)
{
	return (struct vm_entry *)(uintptr_t)(slot & VM_ADDR_MASK);
}

static inline void *vm_entry_value(const struct vm_map *m, struct vm_entry *e)
{
	return (unsigned char *)e + m->value_off;
}

/* Returns the entry of the key of @size bytes in @w, or NULL. @hash is the hash of the key. */
VM_SPECIALIZED struct vm_entry *vm_find_entry(const struct vm_map *m,
					      const uint64_t w[VM_KEY_WORDS], uint32_t size,
					      uint64_t hash)
{
	for (uint64_t *s = vm_first_slot(m, hash); *s; s = vm_next_slot(m, s)) {
		struct vm_entry *e = vm_slot_entry(*s);
		uint64_t diff = 0;

		if (*s >> VM_TAG_SHIFT != hash >> VM_TAG_SHIFT)
			continue;
#pragma GCC unroll 6
		for (uint32_t i = 0; i < (size + 7) / 8; i++)
			diff |= e->key[i] ^ w[i];
		if (!diff)
			return e;
	}
	return NULL;
}

/*
 * Returns the hash of @key. All keys of a map have the same size, so the hash does not include the
 * size.
 */
uint64_t vm_map_hash(const struct vm_map *m, const void *key);

/* Returns the entry of @key, whose hash is @hash, or NULL. */
struct vm_entry *vm_map_find(const struct vm_map *m, const void *key, uint64_t hash);

/*
 * Adds @key, whose hash is @hash, with a value of zeros. Returns its entry, or NULL if the map is
 * full.
 */
struct vm_entry *vm_map_insert(struct vm_map *m, const void *key, uint64_t hash);

#endif
