/*
 * intern.h - keeps one copy of each distinct string, so that equal strings are equal pointers.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

#include "base/arena.h"

struct intern {
	struct arena *arena; /* allocates the strings; borrowed */
	const char **slot;
	size_t n, cap; /* cap is a power of two */
};

/* Makes an empty table. The strings are allocated from @a, which must outlive them. */
void intern_init(struct intern *t, struct arena *a);

/* Frees the table. The strings stay valid: the arena owns them. */
void intern_release(struct intern *t);

/*
 * Returns the table's copy of the @n bytes at @s. The copy has a NUL; the arena owns it. intern()
 * does the same for a NUL-terminated string.
 */
const char *intern_n(struct intern *t, const char *s, size_t n);
const char *intern(struct intern *t, const char *s);

/* For tests. Returns how many slots would be visited if each string were looked up once. */
size_t intern_probes(const struct intern *t);

#endif
