/*
 * scope.c - looks up type names and enumerators.
 *
 * The parser looks up every identifier, so a scope keeps its names in a hash trie. The trie is
 * never resized, all nodes are in the arena, and a miss costs a few comparisons of hashes.
 */
#include "ir/types/type.h"

#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "ir/types/btf.h"

struct scope_entry {
	uint64_t hash;
	enum tag_kind kind;
	const char *name;
	struct type *type;
	struct scope_entry *child[4];
};

/* ------------------------------------------------------ predefined names */

#define C_NAME(id, target, bytes) \
	{ \
		.kind = T_TYPEDEF, \
		.size = bytes, \
		.align = bytes, \
		.name = id, \
		.to = &(target), /* the type is shared, so type.c must not cache a pointer here */ \
		.ptr_to_me = &type_error, \
	}

static struct type char_ptr = {
	.kind = T_PTR,
	.size = 8,
	.align = 8,
	.to = &type_char,
	.ptr_to_me = &type_error,
};

/*
 * Type names that scripts use although the kernel may not declare them. They are D's, C's and
 * Linux's own names, with the sizes that they have on Linux. Sorted by name, for c_name_find().
 */
static struct type c_name[] = {
	C_NAME("bool", type_bool, 1),          C_NAME("boolean_t", type_int, 4),
	C_NAME("caddr_t", char_ptr, 8),        C_NAME("clock_t", type_long, 8),
	C_NAME("dev_t", type_uint, 4),         C_NAME("gid_t", type_uint, 4),
	C_NAME("hrtime_t", type_long, 8),      C_NAME("id_t", type_int, 4),
	C_NAME("in_addr_t", type_uint, 4),     C_NAME("in_port_t", type_ushort, 2),
	C_NAME("ino_t", type_ulong, 8),        C_NAME("int16_t", type_short, 2),
	C_NAME("int32_t", type_int, 4),        C_NAME("int64_t", type_long, 8),
	C_NAME("int8_t", type_schar, 1),       C_NAME("intptr_t", type_long, 8),
	C_NAME("ipaddr_t", type_uint, 4),      C_NAME("loff_t", type_llong, 8),
	C_NAME("longlong_t", type_llong, 8),   C_NAME("mode_t", type_ushort, 2),
	C_NAME("netstackid_t", type_uint, 4),  C_NAME("nlink_t", type_uint, 4),
	C_NAME("off_t", type_long, 8),         C_NAME("pid_t", type_int, 4),
	C_NAME("processorid_t", type_int, 4),  C_NAME("ptrdiff_t", type_long, 8),
	C_NAME("s16", type_short, 2),          C_NAME("s32", type_int, 4),
	C_NAME("s64", type_llong, 8),          C_NAME("s8", type_schar, 1),
	C_NAME("sa_family_t", type_ushort, 2), C_NAME("size_t", type_ulong, 8),
	C_NAME("ssize_t", type_long, 8),       C_NAME("time_t", type_long, 8),
	C_NAME("u16", type_ushort, 2),         C_NAME("u32", type_uint, 4),
	C_NAME("u64", type_ullong, 8),         C_NAME("u8", type_uchar, 1),
	C_NAME("u_char", type_uchar, 1),       C_NAME("u_int", type_uint, 4),
	C_NAME("u_long", type_ulong, 8),       C_NAME("u_longlong_t", type_ullong, 8),
	C_NAME("u_short", type_ushort, 2),     C_NAME("uchar_t", type_uchar, 1),
	C_NAME("uid_t", type_uint, 4),         C_NAME("uint", type_uint, 4),
	C_NAME("uint16_t", type_ushort, 2),    C_NAME("uint32_t", type_uint, 4),
	C_NAME("uint64_t", type_ulong, 8),     C_NAME("uint8_t", type_uchar, 1),
	C_NAME("uint_t", type_uint, 4),        C_NAME("uintptr_t", type_ulong, 8),
	C_NAME("ulong", type_ulong, 8),        C_NAME("ulong_t", type_ulong, 8),
	C_NAME("ulonglong_t", type_ullong, 8), C_NAME("umode_t", type_ushort, 2),
	C_NAME("ushort", type_ushort, 2),      C_NAME("ushort_t", type_ushort, 2),
	C_NAME("zoneid_t", type_int, 4),
};

static struct type *c_name_find(const char *name)
{
	size_t lo = 0, hi = sizeof(c_name) / sizeof(c_name[0]), mid;
	int cmp;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		cmp = strcmp(name, c_name[mid].name);
		if (cmp == 0)
			return &c_name[mid];
		if (cmp < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

/* -------------------------------------------------------------------- trie */

/* Returns the hash of a name. The trie uses the top bits of the hash first. */
static uint64_t hash_name(enum tag_kind kind, const char *name)
{
	return hash_bytes(name, strlen(name)) + ((uint64_t)kind << 60);
}

static bool entry_is(const struct scope_entry *e, uint64_t hash, enum tag_kind kind,
		     const char *name)
{
	return e->hash == hash && e->kind == kind && !strcmp(e->name, name);
}

static struct type *find_entry(const struct scope *s, uint64_t hash, enum tag_kind kind,
			       const char *name)
{
	const struct scope_entry *e = s->entry;
	uint64_t h;

	for (h = hash; e; e = e->child[h >> 62], h <<= 2)
		if (entry_is(e, hash, kind, name))
			return e->type;
	return NULL;
}

static struct type *lookup(struct scope *s, uint64_t hash, enum tag_kind kind, const char *name)
{
	struct type *t = find_entry(s, hash, kind, name);

	if (t || !s->declare || !s->declare(s->declare_ctx, kind, name))
		return t;
	return find_entry(s, hash, kind, name);
}

void scope_init(struct scope *s, struct arena *a, struct scope *outer, struct btf *btf)
{
	s->outer = outer;
	s->btf = btf;
	s->arena = a;
	s->entry = NULL;
	s->string = outer ? outer->string : &type_string;
	s->modules = NULL;
	s->declare = NULL;
}

static void add_entry(struct scope *s, enum tag_kind kind, const char *name, struct type *t)
{
	uint64_t hash = hash_name(kind, name), h;
	struct scope_entry **at = &s->entry, *e;

	for (h = hash; *at; at = &(*at)->child[h >> 62], h <<= 2) {
		if (entry_is(*at, hash, kind, name)) {
			(*at)->type = t;
			return;
		}
	}
	e = arena_new(s->arena, struct scope_entry);
	e->hash = hash;
	e->kind = kind;
	e->name = name;
	e->type = t;
	*at = e;
}

/*
 * If @t is an enum, also adds its enumerators. They are added for a typedef of an enum too, because
 * the enum itself may have no name.
 */
void scope_add(struct scope *s, enum tag_kind kind, const char *name, struct type *t)
{
	struct type *e = type_strip(t);

	if (name)
		add_entry(s, kind, name, t);
	for (uint32_t i = 0; e->kind == T_ENUM && i < e->nenumerator; i++)
		if (!scope_own(s, TAG_ENUMERATOR, e->enumerator[i].name))
			add_entry(s, TAG_ENUMERATOR, e->enumerator[i].name, e);
}

struct type *scope_own(struct scope *s, enum tag_kind kind, const char *name)
{
	return lookup(s, hash_name(kind, name), kind, name);
}

static uint64_t depths(const struct scope_entry *e, uint64_t depth)
{
	uint64_t sum = depth;

	if (!e)
		return 0;
	for (int i = 0; i < 4; i++)
		sum += depths(e->child[i], depth + 1);
	return sum;
}

uint64_t scope_probes(const struct scope *s)
{
	return depths(s->entry, 1);
}

static void each_entry(const struct scope_entry *e,
		       void (*fn)(void *ctx, enum tag_kind kind, const char *name, struct type *t),
		       void *ctx)
{
	if (!e)
		return;
	fn(ctx, e->kind, e->name, e->type);
	for (int i = 0; i < 4; i++)
		each_entry(e->child[i], fn, ctx);
}

void scope_each(const struct scope *s,
		void (*fn)(void *ctx, enum tag_kind kind, const char *name, struct type *t),
		void *ctx)
{
	each_entry(s->entry, fn, ctx);
}

/* ------------------------------------------------------------------ chains */

static struct type *find_added(struct scope *s, enum tag_kind kind, const char *name,
			       struct type **fwd)
{
	uint64_t hash = hash_name(kind, name);
	struct type *t;

	for (; s; s = s->outer) {
		t = lookup(s, hash, kind, name);
		if (!t)
			continue;
		if (t->kind != T_FWD)
			return t;
		if (!*fwd)
			*fwd = t;
	}
	return NULL;
}

struct type *scope_find(struct scope *s, enum tag_kind kind, const char *name)
{
	struct type *fwd = NULL, *t;

	t = find_added(s, kind, name, &fwd);
	if (!t && kind == TAG_TYPEDEF)
		t = c_name_find(name);
	for (; !t && s; s = s->outer)
		if (s->btf)
			t = btf_find(s->btf, kind, name);
	return t ? t : fwd;
}

static struct type *find_in_modules(struct scope *s, const char *mod, enum tag_kind kind,
				    const char *name)
{
	while (s->outer)
		s = s->outer;
	return s->modules ? s->modules(s->modules_ctx, mod, kind, name) : NULL;
}

struct type *scope_find_of(struct scope *s, const char *mod, enum tag_kind kind, const char *name)
{
	struct type *t = mod ? find_in_modules(s, mod, kind, name) : NULL;

	return t ? t : scope_find(s, kind, name);
}

struct type *scope_find_far(struct scope *s, const char *mod, enum tag_kind kind, const char *name)
{
	struct type *t = scope_find_of(s, mod, kind, name);

	return t ? t : find_in_modules(s, NULL, kind, name);
}

/* ------------------------------------------------------------- enumerators */

static bool enum_value(struct type *t, const char *name, int64_t *value)
{
	uint32_t i;

	for (i = 0; i < t->nenumerator; i++) {
		if (!strcmp(t->enumerator[i].name, name)) {
			*value = t->enumerator[i].value;
			return true;
		}
	}
	return false;
}

bool scope_enumerator(struct scope *s, const char *name, int64_t *value, struct type **type)
{
	struct type *ignored;
	struct scope *own;

	if (!type)
		type = &ignored;
	for (own = s; own; own = own->outer) {
		struct type *t = scope_own(own, TAG_ENUMERATOR, name);

		if (t && enum_value(t, name, value)) {
			*type = t;
			return true;
		}
	}
	for (; s; s = s->outer)
		if (s->btf && btf_enumerator(s->btf, name, value, type) == 0)
			return true;
	return false;
}
