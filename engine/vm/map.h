/*
 * map.h - the maps of the virtual machine.
 *
 * Values never move, so a pointer that a program got stays valid until the key is deleted.
 * vm_map_each_key() visits keys in the order in which they were added, but a new key may take the
 * place of a deleted one. If an LRU hash is full, a new key replaces the least recently used key.
 */
#ifndef ENGINE_VM_MAP_H
#define ENGINE_VM_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/vm/blocks.h"
#include "ir/program.h"

struct vm_map;
typedef void *vm_lookup_fn(const struct vm_map *m, const void *key);
typedef uint64_t vm_add_fn(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
			   uint64_t also);

/*
 * A chunk of memory for entries. An entry consists of hash, key and value, each padded to 8 bytes.
 */
struct vm_chunk {
	unsigned char *mem;
	size_t used, cap; /* number of entries in use, and number of entries with memory */
};

/* Additions that are not carried out yet; see deferred.h. */
struct vm_deferred {
	/* ring of additions, owned; NULL if the map does not support additions */
	struct vm_addition *ring;
	uint32_t oldest;
	uint32_t words;  /* number of words of a value; 0 if values are sparse */
	uint64_t *drops; /* counter of additions that found no room; NULL if they are not counted */
};

struct vm_map {
	vm_lookup_fn *lookup;
	vm_add_fn *add; /* see vm_map_add() in deferred.h */
	enum map_kind kind;
	uint32_t key_size, value_size;
	uint32_t max_entries; /* maximum number of keys of a hash */
	/* slots of a hash; each is tag << 48 | address of the entry, or 0 if empty */
	uint64_t *slot;
	uint64_t mask; /* number of slots - 1; the number of slots is a power of two */
	uint32_t value_off, entry_size;
	size_t n;
	VEC(struct vm_chunk) chunk;
	struct vm_entry *free; /* list of deleted entries */
	void *value;           /* the value, if the map is a MAP_GLOBAL or MAP_PERCPU */
	/*
	 * size in bytes of a whole sparse value, or 0 if values are not sparse. If they are,
	 * value_size is the size of a value's table of blocks.
	 */
	uint32_t dense_size;
	uint64_t *dense; /* buffer for one whole sparse value; owned */
	struct vm_blocks blocks;
	/*
	 * for sparse values and an unbounded number of keys: the memory of a key, counted in blocks
	 */
	uint32_t key_blocks;
	size_t ring_max; /* maximum size of a record, if the map is a MAP_RING */
	struct vm_deferred deferred;
	/*
	 * for a MAP_LRU_HASH: lru[0] is the most recently used key, lru[1] the least recently used
	 * key; owned
	 */
	struct vm_entry **lru;
};

/*
 * Initialises @m as an empty map. A hash whose @def does not bound the number of keys takes up to 1
 * GiB, including blocks.
 */
void vm_map_init(struct vm_map *m, const struct map_def *def);
void vm_map_release(struct vm_map *m);

/* Returns the value of @key, owned by @m, or NULL. */
static inline void *vm_map_lookup(const struct vm_map *m, const void *key)
{
	return m->lookup(m, key);
}

/*
 * Work like the kernel helpers map_update_elem and map_delete_elem. Return 0 or a negative errno.
 */
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags);
int vm_map_delete(struct vm_map *m, const void *key);

/*
 * Allocates a block of a sparse value, and stores its address at @entry, which is in the value's
 * table of blocks. Returns the block, or NULL if no memory is left.
 */
struct vm_block *vm_map_block(struct vm_map *m, uint64_t *entry);

/*
 * Returns the whole value of @key in the hash @m, or NULL if there is no such key. A sparse value
 * is copied to a buffer of @m, and is valid until the next call.
 */
const void *vm_map_read(struct vm_map *m, const void *key);

/*
 * Calls @fn for each key of the hash @m, with values as vm_map_read() returns them. If @fn returns
 * true, deletes the key.
 */
void vm_map_each_key(struct vm_map *m, bool (*fn)(void *ctx, const void *key, const void *value),
		     void *ctx);

/*
 * Returns how many slots of the hash @m would be visited if each key were looked up once. Tests use
 * this to check that lookups stay fast.
 */
uint64_t vm_map_probes(const struct vm_map *m);

/* Returns whether the @len bytes at @addr are in one value of the map. */
bool vm_map_holds(const struct vm_map *m, uint64_t addr, size_t len);

static inline bool vm_map_kind_is_hash(enum map_kind kind)
{
	return kind == MAP_HASH || kind == MAP_PERCPU_HASH || kind == MAP_LRU_HASH;
}

static inline bool vm_map_is_hash(const struct vm_map *m)
{
	return vm_map_kind_is_hash(m->kind);
}

#endif
