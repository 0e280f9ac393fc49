/*
 * intern.c - a hash set of strings with open addressing.
 */
#include "base/intern.h"

#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

void intern_init(struct intern *t, struct arena *a)
{
	t->arena = a;
	t->n = 0;
	t->cap = 1024; /* room for the names of a small program */
	t->slot = xcalloc(t->cap, sizeof(*t->slot));
}

void intern_release(struct intern *t)
{
	xfree(t->slot);
	t->slot = NULL;
	t->n = t->cap = 0;
}

static const char **find(const char **slot, size_t cap, const char *s, size_t n)
{
	size_t i = hash_bytes(s, n) & (cap - 1);

	for (; slot[i]; i = (i + 1) & (cap - 1))
		if (!strncmp(slot[i], s, n) && !slot[i][n])
			break;
	return &slot[i];
}

static void grow(struct intern *t)
{
	size_t cap = t->cap * 2, i;
	const char **slot = xcalloc(cap, sizeof(*slot));

	for (i = 0; i < t->cap; i++)
		if (t->slot[i])
			*find(slot, cap, t->slot[i], strlen(t->slot[i])) = t->slot[i];
	xfree(t->slot);
	t->slot = slot;
	t->cap = cap;
}

const char *intern_n(struct intern *t, const char *s, size_t n)
{
	const char **p;

	if (t->n * 2 >= t->cap)
		grow(t);
	p = find(t->slot, t->cap, s, n);
	if (!*p) {
		*p = arena_strndup(t->arena, s, n);
		t->n++;
	}
	return *p;
}

const char *intern(struct intern *t, const char *s)
{
	return intern_n(t, s, strlen(s));
}

size_t intern_probes(const struct intern *t)
{
	size_t sum = 0, i;

	for (i = 0; i < t->cap; i++)
		if (t->slot[i])
			sum += 1 +
			       ((i - hash_bytes(t->slot[i], strlen(t->slot[i]))) & (t->cap - 1));
	return sum;
}
