/*
 * deferred.h - defers additions to the values of a hash, to hide cache misses.
 *
 * Finding a key costs two cache misses: the slot of the hash table, then the entry. A program that
 * counts by key would wait for both at each packet. So vm_map_add() only computes the hash,
 * prefetches the slot, and puts the addition into a ring. Half a ring later the entry is
 * prefetched. A whole ring later slot and entry are in the cache, and the addition is carried out.
 * Programs cannot read aggregations, so they notice nothing. Other code reads them by
 * vm_map_read(), vm_map_delete() and vm_map_each_key(), which first carry out the pending
 * additions.
 */
#ifndef ENGINE_VM_DEFERRED_H
#define ENGINE_VM_DEFERRED_H

#include "engine/vm/map.h"

/*
 * Adds @by to word @word of the value of @key, and @also to word 0. If the key is new, first adds
 * it with a value of zeros. Returns 0.
 *
 * The addition, or a part of it, is lost and counted in *m->deferred.drops if there is no room for
 * the key or for a block of its value, or if the value has no such word.
 */
static inline uint64_t vm_map_add(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
				  uint64_t also)
{
	return m->add(m, key, word, by, also);
}

/* Ignores an addition. This is vm_map.add of maps that do not support additions. */
vm_add_fn vm_add_nothing;

/* Prepares the hash @m for additions. */
void vm_deferred_init(struct vm_map *m);

/* Carries out all pending additions. */
void vm_deferred_flush(struct vm_map *m);

#endif
