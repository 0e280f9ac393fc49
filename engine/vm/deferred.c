/*
 * deferred.c - keeps additions to values in a ring, and carries each out when its slot and entry
 * are in the cache.
 */
#include "engine/vm/deferred.h"

#include "base/xalloc.h"
#include "engine/vm/map_slots.h"

/*
 * RING: number of additions in the ring, a power of two. ENTRY_AHEAD: an entry is prefetched this
 * many additions before it is used.
 */
enum { RING = 16, ENTRY_AHEAD = RING / 2 };

struct vm_addition {
	uint64_t hash; /* hash of the key; 0 if this place in the ring is empty */
	uint64_t by, also;
	uint64_t word;
	uint64_t key[]; /* the key, padded with zeros to a multiple of 8 bytes */
};

/* Returns the size of a place in the ring, in bytes. For short keys it is a power of two. */
static inline size_t stride(uint32_t key_size)
{
	size_t size = sizeof(struct vm_addition) + (key_size + 7) / 8 * 8;

	return (size + 63) / 64 * 64;
}

static inline struct vm_addition *nth(const struct vm_map *m, uint32_t i, uint32_t key_size)
{
	return (struct vm_addition *)(void *)((unsigned char *)m->deferred.ring +
					      i % RING * stride(key_size));
}

/* ----------------------------------------------------------------- carrying out */

static void drop(const struct vm_map *m)
{
	if (m->deferred.drops)
		++*m->deferred.drops;
}

/*
 * Returns word @i of the sparse value at @v. Allocates the block of the word if it is missing.
 * Returns NULL if there is no room for the block.
 */
static uint64_t *sparse_word(struct vm_map *m, uint64_t *v, uint64_t i)
{
	uint64_t *entry = &v[i / SPARSE_WORDS];

	if (!*entry && !vm_map_block(m, entry))
		return NULL;
	return &((struct vm_block *)(uintptr_t)*entry)->word[i % SPARSE_WORDS];
}

/*
 * Carries out addition @a to the sparse value at @v. Returns false if a part of it was lost. Not
 * inline, because only histograms have sparse values.
 */
static __attribute__((noinline)) bool add_sparse(struct vm_map *m, uint64_t *v,
						 const struct vm_addition *a)
{
	uint64_t *w = a->word < m->dense_size / 8 ? sparse_word(m, v, a->word) : NULL;
	uint64_t *first = a->also ? sparse_word(m, v, 0) : NULL;

	if (w)
		*w += a->by;
	if (first)
		*first += a->also;
	return w && (first || !a->also);
}

/* Carries out addition @a to the value at @v. Returns false if a part of it was lost. */
static inline bool add_words(struct vm_map *m, uint64_t *v, const struct vm_addition *a)
{
	if (m->dense_size)
		return add_sparse(m, v, a);
	if (a->word >= m->value_size / 8)
		return false;
	v[a->word] += a->by;
	v[0] += a->also;
	return true;
}

/*
 * Carries out addition @a and empties its place in the ring. @e is the entry of the addition's key,
 * or NULL if the key is new.
 */
static void carry_out(struct vm_map *m, struct vm_addition *a, struct vm_entry *e)
{
	if (!e)
		e = vm_map_insert(m, a->key, a->hash);
	if (!e || !add_words(m, vm_entry_value(m, e), a))
		drop(m);
	a->hash = 0;
}

/* ---------------------------------------------------------------------- adding */

/*
 * Prefetches the entry that the first slot of @hash leads to. That is nearly always the entry of
 * the key itself.
 */
static inline void prefetch_entry(const struct vm_map *m, uint64_t hash)
{
	uintptr_t e = (uintptr_t)vm_slot_entry(*vm_first_slot(m, hash)); /* 0 if the slot is free */

	__builtin_prefetch((void *)e);
	/* the value may be in the next cache line */
	__builtin_prefetch((void *)(e + m->value_off));
}

/*
 * Carries out the oldest addition, and then calls m->add() again with the new one. @e is the entry
 * of the oldest addition's key, or NULL. This function is not inlined, and add_sized() calls it
 * last, so add_sized() need not save registers.
 */
static __attribute__((noinline)) uint64_t add_after_oldest(struct vm_map *m, const void *key,
							   uint64_t word, uint64_t by,
							   uint64_t also, struct vm_entry *e)
{
	carry_out(m, nth(m, m->deferred.oldest, m->key_size), e);
	return m->add(m, key, word, by, also);
}

/*
 * Does the work of vm_map_add() for keys of @size bytes, which is one of VM_KEY_SIZES. The new
 * addition takes the place of the oldest in the ring, so the oldest is carried out first.
 */
VM_SPECIALIZED uint64_t add_sized(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
				  uint64_t also, uint32_t size)
{
	uint32_t at = m->deferred.oldest;
	struct vm_addition *a = nth(m, at, size);
	uint64_t w[VM_KEY_WORDS], hash;

	if (__builtin_expect(a->hash, 1)) {
		struct vm_entry *e = vm_find_entry(m, a->key, size, a->hash);
		uint64_t *v;

		if (__builtin_expect(!e || a->word >= m->deferred.words, 0))
			return add_after_oldest(m, key, word, by, also, e);
		v = vm_entry_value(m, e);
		v[a->word] += a->by;
		v[0] += a->also;
	}
	m->deferred.oldest = ++at;
	prefetch_entry(m, nth(m, at + ENTRY_AHEAD, size)->hash);
	vm_key_load(w, key, size);
	hash = vm_key_hash(w, size);
	__builtin_prefetch(vm_first_slot(m, hash));
	a->hash = hash;
	a->word = word;
	a->by = by;
	a->also = also;
#pragma GCC unroll 6
	for (uint32_t i = 0; i < (size + 7) / 8; i++)
		a->key[i] = w[i];
	return 0;
}

#define X(bytes) \
	static uint64_t add_##bytes(struct vm_map *m, const void *key, uint64_t word, uint64_t by, \
				    uint64_t also) \
	{ \
		return add_sized(m, key, word, by, also, bytes); \
	}
VM_KEY_SIZES(X)
#undef X

static uint64_t add_any(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
			uint64_t also)
{
	struct vm_addition *a = nth(m, m->deferred.oldest, m->key_size);
	uint64_t hash = vm_map_hash(m, key);

	__builtin_prefetch(vm_first_slot(m, hash));
	prefetch_entry(m, nth(m, ++m->deferred.oldest + ENTRY_AHEAD, m->key_size)->hash);
	if (a->hash)
		carry_out(m, a, vm_map_find(m, a->key, a->hash));
	*a = (struct vm_addition){hash, by, also, word};
	memcpy(a->key, key, m->key_size);
	return 0;
}

static vm_add_fn *add_for(uint32_t key_size)
{
	switch (key_size) {
#define X(bytes) \
	case bytes: \
		return add_##bytes;
		VM_KEY_SIZES(X)
#undef X
	}
	return add_any;
}

uint64_t vm_add_nothing(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
			uint64_t also)
{
	(void)m, (void)key, (void)word, (void)by, (void)also;
	return 0;
}

/* --------------------------------------------------------- starting and flushing */

void vm_deferred_init(struct vm_map *m)
{
	m->deferred.ring = xcalloc(RING, stride(m->key_size));
	m->deferred.words = m->dense_size ? 0 : m->value_size / 8;
	m->add = add_for(m->key_size);
}

void vm_deferred_flush(struct vm_map *m)
{
	if (!m->deferred.ring)
		return;
	for (uint32_t i = 0; i < RING; i++) {
		struct vm_addition *a = nth(m, m->deferred.oldest++, m->key_size);

		if (a->hash)
			carry_out(m, a, vm_map_find(m, a->key, a->hash));
	}
}
