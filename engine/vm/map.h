/*
 * map.h - the maps of the virtual machine.
 *
 * Values never move: a pointer handed to a program stays good until the key is
 * deleted.  Keys are visited in the order they were added.  In an LRU hash a new
 * key that finds no room takes that of the key looked up or stored longest ago.
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

/* A block of entries; each is hash, key, value, every part padded to 8 bytes. */
struct vm_chunk {
	unsigned char *mem;
	size_t used, cap; /* entries */
};

struct vm_map {
	vm_lookup_fn *lookup;
	enum map_kind kind;
	uint32_t key_size, value_size;
	uint32_t max_entries; /* hashes */
	uint64_t *slot;       /* hashes: tag << 48 | address of the entry; 0: empty */
	uint64_t mask;        /* slots - 1, a power of two less one */
	uint32_t value_off, entry_size;
	size_t n;
	VEC(struct vm_chunk) chunk;
	struct vm_entry *free; /* deleted entries */
	void *value;           /* MAP_GLOBAL, MAP_PERCPU */
	/* sparse: bytes of a value, of which value_size are the table of its blocks; else 0 */
	uint32_t dense_size;
	uint64_t *dense; /* for one; owned */
	struct vm_blocks blocks;
	uint32_t key_blocks;   /* sparse, without a bound: a key takes the memory of so many */
	size_t ring_max;       /* MAP_RING: largest record */
	struct vm_entry **lru; /* MAP_LRU_HASH: [0] used last, [1] used longest ago; owned */
};

/* A hash whose @def has no bound takes up to 1 GiB, blocks included. */
void vm_map_init(struct vm_map *m, const struct map_def *def);
void vm_map_release(struct vm_map *m);

/* The value of @key, or NULL. */
static inline void *vm_map_lookup(const struct vm_map *m, const void *key)
{
	return m->lookup(m, key);
}

/* As the kernel helpers: 0 or a negative errno. */
int vm_map_update(struct vm_map *m, const void *key, const void *value, uint64_t flags);
int vm_map_delete(struct vm_map *m, const void *key);

/*
 * Sparse: makes the block whose address is to be at @entry of the table.  NULL: there is no memory
 * for it.
 */
struct vm_block *vm_map_block(struct vm_map *m, uint64_t *entry);

/*
 * A hash: all bytes of @key's value, which of a sparse one are in @m until the next call.  NULL: no
 * such key.
 */
const void *vm_map_read(struct vm_map *m, const void *key);

/*
 * Visits the keys of a hash, with values as vm_map_read() has them; true from @fn deletes the key.
 */
void vm_map_each_key(struct vm_map *m, bool (*fn)(void *ctx, const void *key, const void *value),
		     void *ctx);

/* A hash: the slots that finding each of its keys once looks at. */
uint64_t vm_map_probes(const struct vm_map *m);

/* Do the @len bytes at @addr lie in one value of the map? */
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
