/* blocks.c - allocates blocks of words from chunks of memory that double in size. */
#include "engine/vm/blocks.h"

#include <string.h>

#include "base/xalloc.h"
#include "ir/program.h"

enum { FIRST_CHUNK = 32 };

_Static_assert(sizeof(struct vm_block) == SPARSE_WORDS * 8,
	       "programs assume SPARSE_WORDS words in a block");

static struct vm_block *from_chunks(struct vm_blocks *p)
{
	struct vm_block_chunk *c = p->chunk.n ? &p->chunk.v[p->chunk.n - 1] : NULL;

	if (!c || c->used == c->cap) {
		size_t cap = c ? c->cap * 2 : FIRST_CHUNK;
		struct vm_block_chunk fresh = {.v = xmalloc(cap * sizeof(*fresh.v)), .cap = cap};

		vec_push(&p->chunk, fresh);
		c = &p->chunk.v[p->chunk.n - 1];
	}
	return &c->v[c->used++];
}

struct vm_block *vm_block_new(struct vm_blocks *p)
{
	struct vm_block *b = p->free;

	if (!p->left)
		return NULL;
	p->left--;
	if (b)
		p->free = (struct vm_block *)(uintptr_t)b->word[0];
	else
		b = from_chunks(p);
	memset(b, 0, sizeof(*b));
	return b;
}

void vm_block_free(struct vm_blocks *p, struct vm_block *b)
{
	b->word[0] = (uintptr_t)p->free;
	p->free = b;
	p->left++;
}

bool vm_blocks_hold(const struct vm_blocks *p, uint64_t addr, size_t len)
{
	for (size_t i = 0; i < p->chunk.n; i++) {
		uint64_t off = addr - (uint64_t)(uintptr_t)p->chunk.v[i].v;

		if (off < p->chunk.v[i].used * sizeof(struct vm_block))
			return len <= sizeof(struct vm_block) - off % sizeof(struct vm_block);
	}
	return false;
}

void vm_blocks_release(struct vm_blocks *p)
{
	for (size_t i = 0; i < p->chunk.n; i++)
		xfree(p->chunk.v[i].v);
	vec_free(&p->chunk);
	*p = (struct vm_blocks){0};
}
