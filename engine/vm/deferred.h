/*
 * deferred.h - additions to the values of a hash, carried out a few additions later.
 *
 * Finding a key costs two cache misses: the slot, then the entry. A program that counts by key
 * would wait for both at each packet. So an addition only computes the hash, prefetches the slot,
 * and enters a ring. Half a ring later its entry is prefetched, and a whole ring later the addition
 * is carried out, when both have arrived. Programs cannot read aggregations, so they notice
 * nothing; vm_map_read(), vm_map_delete() and vm_map_each_key() carry out pending additions first.
 */
#ifndef ENGINE_VM_DEFERRED_H
#define ENGINE_VM_DEFERRED_H

#include "engine/vm/map.h"

/*
 * Adds @by to word @word of the value of @key, and @also to word 0. Adds the key with a value of
 * zeros if it is new. If there is no room for that, or the map has no such word, the addition is
 * lost, and counted in m->deferred.drops. Returns 0.
 */
static inline uint64_t vm_map_add(struct vm_map *m, const void *key, uint64_t word, uint64_t by,
				  uint64_t also)
{
	return m->add(m, key, word, by, also);
}

/* Ignores the addition: the function for maps that take none. */
vm_add_fn vm_add_nothing;

/* Makes the hash @m take additions. */
void vm_deferred_init(struct vm_map *m);

/* Carries out all pending additions. */
void vm_deferred_flush(struct vm_map *m);

#endif
