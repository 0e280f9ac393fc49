/*
 * arena.h - memory that is freed all at once.
 *
 * One arena per compile and one per run: nobody frees a single node.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena_chunk;
struct strbuf;

struct arena {
	struct arena_chunk *chunk; /* newest first */
	size_t used;               /* bytes taken of the newest chunk */
	size_t total;              /* bytes of all chunks */
};

/* An all-zero struct arena is an empty arena; arena_init makes one. */
void arena_init(struct arena *a);

/* Frees everything ever allotted from @a and leaves it empty. */
void arena_release(struct arena *a);

/* @size zeroed bytes, aligned to 16.  Never NULL: aborts when memory is out. */
void *arena_alloc(struct arena *a, size_t size);

/* The same for @n objects of @size bytes each. */
void *arena_alloc_n(struct arena *a, size_t n, size_t size);

/* A copy of the @n bytes at @s, with a NUL after them. */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);

/* A copy of what @b holds, which is released. */
char *arena_take(struct arena *a, struct strbuf *b);

/* A copy of @n bytes, aligned to 16. */
void *arena_memdup(struct arena *a, const void *p, size_t n);

/* Text made as printf() makes it. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);

#define arena_new(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define arena_newn(a, T, n) ((T *)arena_alloc_n((a), (n), sizeof(T)))

#endif
