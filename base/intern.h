/*
 * intern.h - each distinct string once: equal strings are equal pointers.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stddef.h>

#include "base/arena.h"

struct intern {
	struct arena *arena; /* where the strings live; not owned */
	const char **slot;
	size_t n, cap; /* cap is a power of two */
};

/* Nothing yet; @a must live as long.  Releasing leaves the strings, which are the arena's. */
void intern_init(struct intern *t, struct arena *a);
void intern_release(struct intern *t);

/* The one copy of the @n bytes at @s (NUL-terminated, lives as long as the arena). */
const char *intern_n(struct intern *t, const char *s, size_t n);
const char *intern(struct intern *t, const char *s);

/* The slots that finding each string once looks at. */
size_t intern_probes(const struct intern *t);

#endif
