/*
 * map.h - the maps of the virtual machine.
 *
 * Values never move: a pointer handed to a program stays valid until the key is deleted. Keys are
 * visited in the order in which they were added, except that a new key may take the place of a
 * deleted one. If an LRU hash is full, a new key replaces the least recently used key.
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

/* A chunk of entries. An entry is hash, key and value, each padded to 8 bytes. */
struct vm_chunk {
	unsigned char *mem;
	size_t used, cap; /* numbers of entries */
};

/* Additions that are not carried out yet; see deferred.h. */
struct vm_deferred {
	struct vm_addition *ring; /* owned; NULL: the map takes none */
	uint32_t oldest;
	uint64_t *drops; /* counter of additions that found no room; NULL: not counted */
};

struct vm_map {
	vm_lookup_fn *lookup;
	vm_add_fn *add; /* see vm_map_add() in deferred.h */
	enum map_kind kind;
	uint32_t key_size, value_size;
	uint32_t max_entries; /* hashes only */
	uint64_t *slot;       /* hashes: tag << 48 | address of the entry; 0: empty */
	uint64_t mask;        /* number of slots - 1; the number is a power of two */
	uint32_t value_off, entry_size;
	size_t n;
	VEC(struct vm_chunk) chunk;
	struct vm_entry *free; /* list of deleted entries */
	void *value;           /* MAP_GLOBAL, MAP_PERCPU */
	/*
	 * bytes of a whole sparse value; value_size is then the size of its table of blocks. 0:
	 * values are not sparse
	 */
	uint32_t dense_size;
	uint64_t *dense; /* buffer for one whole sparse value; owned */
	struct vm_blocks blocks;
	/* sparse values without a bound: a key uses the memory of this many blocks */
	uint32_t key_blocks;
	size_t ring_max; /* MAP_RING: maximum size of a record */
	struct vm_deferred deferred;
	struct vm_entry **lru; /* MAP_LRU_HASH: [0] used last, [1] used longest ago; owned */
};

/*
 * Initialises @m as an empty map. A hash whose @def has no bound takes up to 1 GiB, including
 * blocks.
 */
void vm_map_init(struct vm_map *m, const struct map_def *def);
void vm_map_release(struct vm_map *m);

/* Returns the value of @key, owned by @m, or NULL. */
static inline void *vm_map_lookup(const struct vm_map *m, const void *key)
{
	return m->lookup(m, key);
}

/* Work as the kernel helpers map_update_elem and map_delete_elem. Return 0 or a negative errno. */
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags);
int vm_map_delete(struct vm_map *m, const void *key);

/*
 * For sparse values: makes a block and stores its address at @entry of a value's table. Returns the
 * block, or NULL if no memory is left.
 */
struct vm_block *vm_map_block(struct vm_map *m, uint64_t *entry);

/*
 * For hashes: returns the whole value of @key, or NULL if there is none. A sparse value is in a
 * buffer of @m until the next call.
 */
const void *vm_map_read(struct vm_map *m, const void *key);

/*
 * For hashes: calls @fn for each key, with values as vm_map_read() returns them. If @fn returns
 * true, deletes the key.
 */
void vm_map_each_key(struct vm_map *m, bool (*fn)(void *ctx, const void *key, const void *value),
		     void *ctx);

/* For hashes: returns the number of slots that looking up each key once would visit. */
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
