/* arena.c - allocates objects from chunks of memory, each filled from front to back. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/strbuf.h"
#include "base/xalloc.h"

#define ARENA_ALIGN 16
#define ARENA_CHUNK 65536
#define ARENA_HUGE_AFTER (32 * ARENA_CHUNK)
#define ARENA_HUGE (2u << 20)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size;
	_Alignas(ARENA_ALIGN) unsigned char mem[];
};

void arena_init(struct arena *a)
{
	a->chunk = NULL;
	a->used = 0;
	a->total = 0;
}

void arena_release(struct arena *a)
{
	struct arena_chunk *c = a->chunk, *next;

	for (; c; c = next) {
		next = c->next;
		xfree(c);
	}
	arena_init(a);
}

/*
 * Allocates a chunk of one huge page, or returns NULL. An arena that has become this large will
 * grow more, and the kernel provides one huge page four times as fast as 512 small ones. Without
 * huge pages, the kernel still provides only the small pages that are touched.
 */
static struct arena_chunk *huge_chunk(void)
{
	void *p = aligned_alloc(ARENA_HUGE, ARENA_HUGE);

	if (p)
		madvise(p, ARENA_HUGE, MADV_HUGEPAGE);
	return p;
}

static void arena_grow(struct arena *a, size_t need)
{
	size_t size = need > ARENA_CHUNK ? need : ARENA_CHUNK;
	struct arena_chunk *c = NULL;

	if (a->total >= ARENA_HUGE_AFTER && need <= ARENA_HUGE - sizeof(*c))
		c = huge_chunk();
	if (c)
		size = ARENA_HUGE - sizeof(*c);
	else
		c = xmalloc(sizeof(*c) + size);
	c->next = a->chunk;
	c->size = size;
	a->chunk = c;
	a->used = 0;
	a->total += size;
}

static size_t round_up(size_t size)
{
	return (size + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	if (size > SIZE_MAX / 2) /* so that rounding up cannot wrap around */
		xalloc_failed();
	size = round_up(size);
	a->used = round_up(a->used); /* arena_words() may leave a->used unaligned */
	if (!a->chunk || a->chunk->size < a->used || a->chunk->size - a->used < size)
		arena_grow(a, size);
	p = a->chunk->mem + a->used;
	a->used += size;
	return memset(p, 0, size);
}

void *arena_words(struct arena *a, size_t n)
{
	void *p;

	if (n > SIZE_MAX / 16)
		xalloc_failed();
	if (!a->chunk || a->chunk->size - a->used < 8 * n)
		arena_grow(a, 8 * n);
	p = a->chunk->mem + a->used;
	a->used += 8 * n;
	return p;
}

bool arena_extend(struct arena *a, void *p, size_t old, size_t size)
{
	size_t at, end = round_up(old);

	if (!a->chunk || size > SIZE_MAX / 2 || a->used < end)
		return false;
	at = a->used - end;
	if (p != a->chunk->mem + at || a->chunk->size - at < round_up(size))
		return false;
	a->used = at + round_up(size);
	memset((unsigned char *)p + old, 0, size - old);
	return true;
}

void *arena_alloc_n(struct arena *a, size_t n, size_t size)
{
	size_t all;

	if (__builtin_mul_overflow(n, size, &all))
		xalloc_failed();
	return arena_alloc(a, all);
}

void *arena_memdup(struct arena *a, const void *p, size_t n)
{
	void *q = arena_alloc(a, n);

	if (n)
		memcpy(q, p, n);
	return q;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n)
		memcpy(p, s, n);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

static char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}

char *arena_take(struct arena *a, struct strbuf *b)
{
	char *s = arena_strndup(a, strbuf_text(b), b->len);

	strbuf_release(b);
	return s;
}
