/*
 * arena.h - memory that is freed all at once.
 *
 * Each compile has one arena, and each run has one. No object in an arena is freed on its own. The
 * allocating functions abort when memory is out, so none returns NULL. Objects are aligned to 16
 * bytes, except those of arena_words().
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct strbuf;

struct arena {
	struct arena_chunk *chunk; /* newest first */
	size_t used;               /* bytes used in the newest chunk */
	size_t total;              /* bytes in all chunks */
};

/* Makes @a an empty arena. An all-zero struct arena is empty, too. */
void arena_init(struct arena *a);

/* Frees all memory allocated from @a and leaves @a empty. */
void arena_release(struct arena *a);

/* Allocates @size bytes, all zero. */
void *arena_alloc(struct arena *a, size_t size);

/*
 * Allocates @n words of 8 bytes, aligned to 8 and not zeroed. The caller writes all of them.
 */
void *arena_words(struct arena *a, size_t n);

/* Allocates an array of @n objects of @size bytes each, all zero. */
void *arena_alloc_n(struct arena *a, size_t n, size_t size);

/*
 * Extends the object at @p from @old to @size bytes in all, without moving it. The new bytes are
 * zero. Returns false if the object is not the newest one of @a, or if its chunk has no room.
 */
bool arena_extend(struct arena *a, void *p, size_t old, size_t size);

/* Copies the @n bytes at @s and adds a NUL. */
char *arena_strndup(struct arena *a, const char *s, size_t n);

/* Copies the string @s. */
char *arena_strdup(struct arena *a, const char *s);

/* Copies the text of @b into the arena, then releases @b. */
char *arena_take(struct arena *a, struct strbuf *b);

/* Copies the @n bytes at @p. */
void *arena_memdup(struct arena *a, const void *p, size_t n);

/* Formats a string as printf() does. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define arena_new(a, T) ((T *)arena_alloc((a), sizeof(T)))
#define arena_newn(a, T, n) ((T *)arena_alloc_n((a), (n), sizeof(T)))

#endif
