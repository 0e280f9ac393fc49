/*
 * btf_find.c - finds types, functions and enumerators in BTF by their names.
 *
 * Names are hashed at the first look-up.
 */
#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "ir/types/btf.h"
#include "ir/types/btf_data.h"

/*
 * Hashes the string at @s, which ends with a NUL within @room bytes. Reads eight bytes at a time,
 * because the function is called for tens of thousands of names.
 */
static uint32_t hash_str(const char *s, size_t room)
{
	uint64_t h = 0, w, nul;

	for (;; s += 8, room -= 8) {
		w = 0;
		memcpy(&w, s, room < 8 ? room : 8);
		w = le64toh(w);
		/* The lowest bit that is set is the top bit of the first NUL byte. */
		nul = (w - 0x0101010101010101u) & ~w & 0x8080808080808080u;
		if (nul)
			w &= (nul & -nul) - 1;
		h = (h ^ w) * 0x9e3779b97f4a7c15u;
		h ^= h >> 32;
		if (nul)
			return (uint32_t)h;
	}
}

/* number of names whose text is prefetched, because most of these reads are cache misses */
#define AHEAD 8

/* Creates the hash table of the names t->v. */
static void names_hash(const struct btf *b, struct names *t)
{
	uint32_t i, at, cap = 16;
	const char *name;
	size_t room;

	while (cap / 3 * 2 < t->n)
		cap *= 2;
	t->slot = xcalloc(cap, sizeof(*t->slot));
	t->mask = cap - 1;
	for (i = 0; i < t->n; i++) {
		if (i + AHEAD < t->n)
			__builtin_prefetch(get_text(b, t->v[i + AHEAD].name, &room));
		name = get_text(b, t->v[i].name, &room);
		if (!name)
			continue;
		at = hash_str(name, room) & t->mask;
		while (t->slot[at])
			at = (at + 1) & t->mask;
		t->slot[at] = i + 1;
	}
}

/*
 * Returns the first entry called @name from slot *@at on, and sets *@at to the slot after that
 * entry. Returns NULL if there is none.
 */
static const struct named *next_named(const struct btf *b, const struct names *t, const char *name,
				      uint32_t *at)
{
	const struct named *e;

	while (t->slot[*at & t->mask]) {
		e = &t->v[t->slot[(*at)++ & t->mask] - 1];
		if (!strcmp(get_name(b, e->name), name))
			return e;
	}
	return NULL;
}

static uint32_t first_slot(const char *name)
{
	return hash_str(name, strlen(name) + 1);
}

uint32_t btf_find_type(struct btf *b, uint32_t kinds, const char *name)
{
	uint32_t at = first_slot(name);
	const struct named *e;
	struct rec r;

	if (!b->types_by_name.slot)
		names_hash(b, &b->types_by_name);
	while ((e = next_named(b, &b->types_by_name, name, &at))) {
		r = rec_of(b, e->id);
		if ((BIT(r.kind) & ENUM_KINDS) && r.vlen == 0)
			continue; /* forward declaration */
		if (BIT(r.kind) & kinds)
			return e->id;
	}
	return 0;
}

static uint32_t tag_kinds(enum tag_kind kind)
{
	switch (kind) {
	case TAG_STRUCT:
		return BIT(K_STRUCT);
	case TAG_UNION:
		return BIT(K_UNION);
	case TAG_ENUM:
		return ENUM_KINDS;
	case TAG_TYPEDEF:
		return BIT(K_TYPEDEF);
	case TAG_ENUMERATOR:
		break; /* btf_enumerator() finds enumerators */
	}
	return 0;
}

void names_release(struct names *t)
{
	xfree(t->v);
	xfree(t->slot);
}

/* ---------------------------------------------------------------- look-ups */

struct type *btf_find(struct btf *b, enum tag_kind kind, const char *name)
{
	uint32_t id = *name ? btf_find_type(b, tag_kinds(kind), name) : 0;

	return id ? btf_type(b, id) : NULL;
}

/*
 * Finds a function by binary search. pahole usually sorts functions by name, so this search finds
 * most functions in a few steps, without an index. Returns 0 if it does not find the function.
 */
static uint32_t search_func(const struct btf *b, const char *name)
{
	uint32_t lo = b->first_func, hi = b->last_func, id;
	const unsigned char *p;
	const char *have;
	int cmp;

	while (lo && lo <= hi) {
		id = lo + (hi - lo) / 2;
		for (p = rec_at(b, id); rec_kind(p) != K_FUNC && id < hi; id++)
			p += rec_len(p);
		have = get_name(b, get32(p));
		cmp = rec_kind(p) == K_FUNC && have ? strcmp(name, have) : -1;
		if (cmp == 0)
			return id;
		if (cmp > 0)
			lo = id + 1;
		else
			hi = lo + (hi - lo) / 2 - 1;
	}
	return 0;
}

/* Fills @t with all functions or, if @first is not NULL, with those whose names begin with it. */
static void index_funcs(struct btf *b, struct names *t, const char *first)
{
	const unsigned char *p;
	const char *name;
	size_t room;
	uint32_t id;

	t->v = xmalloc((b->last_func - b->first_func + 1) * sizeof(*t->v));
	p = b->first_func ? rec_at(b, b->first_func) : b->types_end;
	for (id = b->first_func; p < b->types_end && id <= b->last_func; id++, p += rec_len(p)) {
		if (rec_kind(p) != K_FUNC)
			continue;
		name = first ? get_text(b, get32(p), &room) : NULL;
		if (!first || (name && room >= sizeof(b->some->first) &&
			       !memcmp(name, first, sizeof(b->some->first))))
			t->v[t->n++] = (struct named){get32(p), id};
	}
	names_hash(b, t);
}

static const struct names *all_funcs(struct btf *b)
{
	if (!b->funcs.slot)
		index_funcs(b, &b->funcs, NULL);
	return &b->funcs;
}

/* Returns a table of functions. It contains the function @name, if that exists. */
static const struct names *funcs_with(struct btf *b, const char *name)
{
	struct some_funcs *s = b->some;

	if (b->funcs.slot || strlen(name) < sizeof(s->first))
		return all_funcs(b);
	for (; s < b->some + SOME_FUNCS; s++) {
		if (!s->names.slot) {
			memcpy(s->first, name, sizeof(s->first));
			index_funcs(b, &s->names, s->first);
		}
		if (!memcmp(s->first, name, sizeof(s->first)))
			return &s->names;
	}
	return all_funcs(b);
}

uint32_t btf_find_func(struct btf *b, const char *name)
{
	uint32_t at = first_slot(name), id;
	const struct named *e;

	if (!*name)
		return 0;
	id = search_func(b, name);
	if (id)
		return id;
	e = next_named(b, funcs_with(b, name), name, &at);
	return e ? e->id : 0;
}

/* Returns whether the section with record @p, which has @n entries, contains the variable @var. */
static bool has_var(const unsigned char *p, uint32_t n, uint32_t var)
{
	for (p += REC; n--; p += 12)
		if (get32(p) == var)
			return true;
	return false;
}

/* Returns the name of the section that contains the variable, or NULL if none does. */
static const char *var_section(const struct btf *b, uint32_t var)
{
	const unsigned char *p = b->types;

	for (; p < b->types_end; p += rec_len(p))
		if (rec_kind(p) == K_DATASEC && has_var(p, get32(p + 4) & 0xffff, var))
			return get_name(b, get32(p));
	return NULL;
}

struct type *btf_find_var(struct btf *b, const char *name, bool *percpu)
{
	const unsigned char *p = b->types;
	const char *have, *section;

	for (uint32_t id = b->first; p < b->types_end; id++, p += rec_len(p)) {
		have = rec_kind(p) == K_VAR ? get_name(b, get32(p)) : NULL;
		if (!have || strcmp(have, name))
			continue;
		section = var_section(b, id);
		*percpu = section && strstr(section, "percpu");
		return btf_type(b, get32(p + 8));
	}
	return NULL;
}

struct type *btf_func_type(struct btf *b, uint32_t id)
{
	struct type *t;
	struct rec r;

	if (!get_rec(b, id, &r) || r.kind != K_FUNC)
		return NULL;
	t = btf_type(b, r.arg);
	return t->kind == T_FUNC ? t : NULL;
}

bool btf_func_has_dots(struct btf *b, uint32_t id)
{
	struct rec r;

	return get_rec(b, id, &r) && r.kind == K_FUNC && get_rec(b, r.arg, &r) &&
	       r.kind == K_FUNC_PROTO && has_dots(&r);
}

void btf_each_func(struct btf *b, void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx)
{
	const struct names *t = all_funcs(b);

	for (uint32_t i = 0; i < t->n; i++) {
		const char *name = get_name(b, t->v[i].name);

		if (name)
			fn(ctx, name, t->v[i].id);
	}
}

void btf_each_typedef(struct btf *b, const char *prefix,
		      void (*fn)(void *ctx, const char *name, uint32_t id), void *ctx)
{
	const struct names *t = &b->types_by_name;
	size_t len = strlen(prefix);
	const char *name;
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		name = get_name(b, t->v[i].name);
		if (name && (!len || *name == *prefix) && !strncmp(name, prefix, len) &&
		    rec_kind(rec_at(b, t->v[i].id)) == K_TYPEDEF)
			fn(ctx, name, t->v[i].id);
	}
}

/* ------------------------------------------------------------- enumerators */

static void add_enumerators(const struct rec *r, uint32_t id, struct names *t)
{
	const unsigned char *p = r->more;
	uint32_t i;

	for (i = 0; i < r->vlen; i++, p += layout[r->kind].each)
		t->v[t->n++] = (struct named){get32(p), id};
}

static void index_enumerators(struct btf *b)
{
	const struct names *types = &b->types_by_name;
	struct names *t = &b->enumerators;
	struct rec r;
	uint32_t i;

	/*
	 * Allocate for the maximum number of enumerators; memory that is not touched costs nothing.
	 */
	t->v = xmalloc((size_t)(b->types_end - b->types) / layout[K_ENUM].each * sizeof(*t->v));
	for (i = 0; i < types->n; i++) {
		r = rec_of(b, types->v[i].id);
		if (BIT(r.kind) & ENUM_KINDS)
			add_enumerators(&r, types->v[i].id, t);
	}
	names_hash(b, t);
}

int btf_enumerator(struct btf *b, const char *name, int64_t *value, struct type **type)
{
	uint32_t at = first_slot(name);
	const unsigned char *p;
	const struct named *e;
	struct rec r;

	if (!b->enumerators.slot)
		index_enumerators(b);
	e = next_named(b, &b->enumerators, name, &at);
	if (!e)
		return -1;
	r = rec_of(b, e->id);
	for (p = r.more; get32(p) != e->name; p += layout[r.kind].each)
		;
	*value = enum_value(&r, p);
	if (type)
		*type = btf_type(b, e->id);
	return 0;
}
