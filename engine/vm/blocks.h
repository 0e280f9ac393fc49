/*
 * blocks.h - allocates blocks of SPARSE_WORDS words. The values of histograms are sparse: a group
 * of SPARSE_WORDS words has a block only if one of the words is not 0. A block never moves.
 */
#ifndef ENGINE_VM_BLOCKS_H
#define ENGINE_VM_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct vm_block {
	uint64_t word[16];
};

struct vm_block_chunk {
	struct vm_block *v;
	size_t used, cap;
};

/* An allocator of blocks. If all members are 0, it has no blocks and may not allocate any. */
struct vm_blocks {
	VEC(struct vm_block_chunk) chunk;
	struct vm_block *free; /* free blocks; the first word of each is the address of the next */
	uint64_t left;         /* number of blocks that may still be given out */
};

/* Returns a block of zeros, owned by @p, or NULL if no further block may be given out. */
struct vm_block *vm_block_new(struct vm_blocks *p);
void vm_block_free(struct vm_blocks *p, struct vm_block *b);

/* Returns whether the @len bytes at @addr are in one block of @p. */
bool vm_blocks_hold(const struct vm_blocks *p, uint64_t addr, size_t len);

void vm_blocks_release(struct vm_blocks *p);

#endif
