/*
 * aggtab.c - rows by key.
 *
 * Rows are never deleted one by one: a table is filled, read and released.
 */
#include "consumer/aggtab.h"

#include <string.h>

#include "base/hash.h"
#include "base/xalloc.h"

void aggtab_release(struct aggtab *t)
{
	arena_release(&t->mem);
	vec_free(&t->row);
	xfree(t->slot);
	*t = (struct aggtab){0};
}

/* The slot where @key is, or where it would go. */
static struct agg_row **probe(const struct aggtab *t, uint64_t hash, const void *key, uint32_t klen)
{
	size_t i = hash & (t->nslot - 1);

	for (; t->slot[i]; i = (i + 1) & (t->nslot - 1)) {
		const struct agg_row *r = t->slot[i];

		if (r->hash == hash && r->klen == klen && (!klen || !memcmp(r->key, key, klen)))
			break;
	}
	return &t->slot[i];
}

static void grow(struct aggtab *t)
{
	t->nslot = t->nslot ? t->nslot * 2 : 16;
	xfree(t->slot);
	t->slot = xcalloc(t->nslot, sizeof(*t->slot));
	for (size_t i = 0; i < t->row.n; i++) {
		struct agg_row *r = t->row.v[i];

		*probe(t, r->hash, r->key, r->klen) = r;
	}
}

/* A new row has no value yet. */
static struct agg_row *find_or_add(struct aggtab *t, const void *key, uint32_t klen, bool *is_new)
{
	uint64_t hash = hash_bytes(key, klen);
	struct agg_row **at, *r;

	if (t->row.n * 2 >= t->nslot)
		grow(t);
	at = probe(t, hash, key, klen);
	*is_new = !*at;
	if (*at)
		return *at;
	r = arena_new(&t->mem, struct agg_row);
	r->hash = hash;
	r->key = arena_memdup(&t->mem, key, klen);
	r->klen = klen;
	vec_push(&t->row, r);
	*at = r;
	return r;
}

struct agg_row *aggtab_get(struct aggtab *t, const void *key, uint32_t klen, size_t value_size)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, &is_new);

	if (is_new)
		r->val = arena_alloc(&t->mem, value_size);
	else if (r->lent)
		r->val = arena_memdup(&t->mem, r->val, value_size);
	r->lent = false;
	return r;
}

bool aggtab_lend(struct aggtab *t, const void *key, uint32_t klen, const uint64_t *val)
{
	bool is_new;
	struct agg_row *r = find_or_add(t, key, klen, &is_new);

	if (!is_new)
		return false;
	r->lent = true;
	r->val = (uint64_t *)val;
	return true;
}

struct agg_row *aggtab_find(const struct aggtab *t, const void *key, uint32_t klen)
{
	return t->nslot ? *probe(t, hash_bytes(key, klen), key, klen) : NULL;
}

uint64_t aggtab_probes(const struct aggtab *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < t->nslot; i++)
		if (t->slot[i])
			sum += 1 + ((i - t->slot[i]->hash) & (t->nslot - 1));
	return sum;
}
