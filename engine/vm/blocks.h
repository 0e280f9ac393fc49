/*
 * blocks.h - what sparse values are made of: blocks of SPARSE_WORDS words, which stay where they
 * are.
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

/* All zero: none, and none may be had. */
struct vm_blocks {
	VEC(struct vm_block_chunk) chunk;
	struct vm_block *free; /* the first word of each: the next */
	uint64_t left;         /* so many more may be had */
};

/* One with all words 0, or NULL. */
struct vm_block *vm_block_new(struct vm_blocks *p);
void vm_block_free(struct vm_blocks *p, struct vm_block *b);

/* Do the @len bytes at @addr lie in a block that was handed out? */
bool vm_blocks_hold(const struct vm_blocks *p, uint64_t addr, size_t len);

void vm_blocks_release(struct vm_blocks *p);

#endif
