/*
 * symtab.c - a hash table with open addressing that finds the meanings of names.
 */
#include "compiler/meaning/symtab.h"

#include <stdint.h>

#include "base/xalloc.h"

struct symtab_slot {
	const char *name; /* NULL if the entry is free */
	void *what;
	uint8_t kind;
	bool lib;
};

void symtab_release(struct symtab *t)
{
	xfree(t->slot);
	*t = (struct symtab){0};
}

/*
 * Returns the first entry to try for a name. Hashes the address of the interned name without its
 * lowest 4 bits, because interned names are at least 16 bytes apart.
 */
static size_t hash(const struct symtab *t, enum name_kind kind, bool lib, const char *name)
{
	uint64_t h = ((uint64_t)(uintptr_t)name >> 4) * 16 + kind * 2u + lib;

	return (size_t)(h * 0x9e3779b97f4a7c15u >> 32) & (t->cap - 1);
}

static struct symtab_slot *find(const struct symtab *t, enum name_kind kind, bool lib,
				const char *name)
{
	size_t i = hash(t, kind, lib, name);

	for (; t->slot[i].name; i = (i + 1) & (t->cap - 1))
		if (t->slot[i].name == name && t->slot[i].kind == kind && t->slot[i].lib == lib)
			break;
	return &t->slot[i];
}

static void grow(struct symtab *t)
{
	struct symtab old = *t;

	t->cap = old.cap ? old.cap * 2 : 256;
	t->slot = xcalloc(t->cap, sizeof(*t->slot));
	for (size_t i = 0; i < old.cap; i++) {
		const struct symtab_slot *s = &old.slot[i];

		if (s->name)
			*find(t, s->kind, s->lib, s->name) = *s;
	}
	xfree(old.slot);
}

void symtab_put(struct symtab *t, enum name_kind kind, bool lib, const char *name, void *what)
{
	struct symtab_slot *s;

	if (t->n * 2 >= t->cap)
		grow(t);
	s = find(t, kind, lib, name);
	t->n += !s->name;
	*s = (struct symtab_slot){name, what, kind, lib};
}

static void *known(const struct symtab *t, enum name_kind kind, bool lib, const char *name)
{
	return t->cap ? find(t, kind, lib, name)->what : NULL;
}

void *symtab_get(const struct symtab *t, enum name_kind kind, bool lib, const char *name)
{
	void *what = known(t, kind, lib, name);

	if (what || !lib || !t->declare || !t->declare(t->ctx, kind, name))
		return what;
	return known(t, kind, lib, name);
}

void symtab_each(const struct symtab *t,
		 void (*fn)(void *ctx, enum name_kind kind, bool lib, const char *name), void *ctx)
{
	if (t->declare_all)
		t->declare_all(t->ctx);
	for (size_t i = 0; i < t->cap; i++)
		if (t->slot[i].name && t->slot[i].what)
			fn(ctx, t->slot[i].kind, t->slot[i].lib, t->slot[i].name);
}
