/*
 * btf.c - reads the kernel's type information (BTF) in place.
 *
 * Opening makes one pass over the types, which records where every eighth type starts and which
 * types have names. Types are created when they are needed. Names are hashed at the first lookup.
 *
 * The type section has one record after the other, with IDs from 1:
 *
 *    0        4        8        12
 *    +--------+--------+--------+-----------------------------------+
 *    |  name  |  info  | size / | depends on the kind: "fixed" bytes|
 *    |  offset|        | type   | and vlen times "each" bytes       |
 *    +--------+--------+--------+-----------------------------------+
 *    info: bit 31 kind_flag, bits 24-28 kind, bits 0-15 vlen
 *
 * The data is not trusted: with any input, reading terminates and stays in bounds. Invalid
 * references (bad IDs, endless chains) become void.
 */
#include "ir/types/btf.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/xalloc.h"

#define BTF_MAGIC 0xeb9f
#define BTF_VERSION 1

struct header {
	uint16_t magic;
	uint8_t version;
	uint8_t flags;
	uint32_t hdr_len; /* length of the header; the offsets below count from its end */
	uint32_t type_off, type_len;
	uint32_t str_off, str_len;
};

enum kind {
	K_INT = 1,
	K_PTR,
	K_ARRAY,
	K_STRUCT,
	K_UNION,
	K_ENUM,
	K_FWD,
	K_TYPEDEF,
	K_VOLATILE,
	K_CONST,
	K_RESTRICT,
	K_FUNC,
	K_FUNC_PROTO,
	K_VAR,
	K_DATASEC,
	K_FLOAT,
	K_DECL_TAG,
	K_TYPE_TAG,
	K_ENUM64,
	K_MAX
};

#define REC 12 /* size in bytes of the part that the records of all types have */

/* The size of a record is fixed + vlen * each, in bytes. fixed is 0 for an unknown kind. */
static const struct {
	uint8_t fixed, each;
} layout[32] = {
	[K_INT] = {REC + 4, 0},    [K_PTR] = {REC, 0},          [K_ARRAY] = {REC + 12, 0},
	[K_STRUCT] = {REC, 12},    [K_UNION] = {REC, 12},       [K_ENUM] = {REC, 8},
	[K_FWD] = {REC, 0},        [K_TYPEDEF] = {REC, 0},      [K_VOLATILE] = {REC, 0},
	[K_CONST] = {REC, 0},      [K_RESTRICT] = {REC, 0},     [K_FUNC] = {REC, 0},
	[K_FUNC_PROTO] = {REC, 8}, [K_VAR] = {REC + 4, 0},      [K_DATASEC] = {REC, 12},
	[K_FLOAT] = {REC, 0},      [K_DECL_TAG] = {REC + 4, 0}, [K_TYPE_TAG] = {REC, 0},
	[K_ENUM64] = {REC, 12},
};

#define BIT(k) (1u << (k))
#define ENUM_KINDS (BIT(K_ENUM) | BIT(K_ENUM64))
#define TYPE_KINDS (BIT(K_STRUCT) | BIT(K_UNION) | ENUM_KINDS | BIT(K_TYPEDEF))
/* Kinds that only qualify or annotate the type that they refer to. */
#define QUALIFIERS \
	(BIT(K_VOLATILE) | BIT(K_CONST) | BIT(K_RESTRICT) | BIT(K_TYPE_TAG) | BIT(K_DECL_TAG) | \
	 BIT(K_VAR) | BIT(K_FUNC))
/* Kinds whose records have only the common part. */
#define BARE \
	(BIT(K_PTR) | BIT(K_FWD) | BIT(K_TYPEDEF) | BIT(K_VOLATILE) | BIT(K_CONST) | \
	 BIT(K_RESTRICT) | BIT(K_FUNC) | BIT(K_FLOAT) | BIT(K_TYPE_TAG))

#define MAX_CHAIN 64      /* limit of consecutive qualifiers and typedefs */
#define MAX_DEPTH 64      /* limit of nested pointers, arrays and typedefs */
#define ALIGN_BUDGET 4096 /* limit of members visited to compute one alignment */

/*
 * Only the offset of every STEP-th type is stored. Another type is found by walking from the
 * nearest stored offset before it. A full table would cost more in page faults than all these
 * walks.
 */
#define STEP 8

/* A name, and the ID of the type that has it. For an enumerator, the ID is that of its enum. */
struct named {
	uint32_t name, id;
};

/*
 * Names, in a hash table with open addressing that is at most two thirds full. A search finds equal
 * names in the order in which they were added.
 */
struct names {
	struct named *v;
	uint32_t n;
	/*
	 * for each slot, 1 + the index in @v, or 0 if the slot is free; NULL while nothing is
	 * hashed
	 */
	uint32_t *slot;
	uint32_t mask;
};

struct made_slot {
	uint32_t id;       /* BTF ID; 0 if the slot is free */
	struct type *type; /* the type, or &making while it is being created */
};

/*
 * The types created so far, by ID, in a hash table with open addressing that is at most half full.
 * Programs use a few hundred of a hundred thousand types.
 */
struct made {
	struct made_slot *slot;
	uint32_t n, cap; /* number of types; and number of slots, a power of two */
};

struct btf {
	struct arena *arena;
	struct btf *base;   /* the kernel's BTF if this is the BTF of a module, else NULL */
	uint32_t first;     /* first ID of this BTF; lower IDs belong to base */
	uint32_t str_first; /* first string offset of this BTF; lower offsets belong to base */
	void *blob;         /* the mapped file; NULL if the data is in memory of the caller */
	size_t blob_size;

	const unsigned char *types, *types_end;
	const char *strs;
	uint32_t str_len;

	/*
	 * off[i] is the offset in the type section of type i * STEP of this BTF, counted from 1;
	 * off[0] is unused
	 */
	uint32_t *off;
	uint32_t last; /* the last ID */
	/* the first and the last ID of a function; 0 if there are no functions */
	uint32_t first_func, last_func;
	struct made made;
	int depth;

	/*
	 * v has the types whose kind is in TYPE_KINDS, in BTF order: those with a name, and also
	 * enums without one
	 */
	struct names types_by_name;
	struct names funcs, enumerators;
};

static struct type making;

/* ----------------------------------------------------------------- records */

/* A parsed type record. */
struct rec {
	enum kind kind;
	bool flag;
	uint32_t vlen;
	uint32_t name; /* offset in the string section */
	uint32_t arg;  /* size of the type, or ID of the type that it refers to */
	const unsigned char *more;
};

static uint32_t get32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static enum kind rec_kind(const unsigned char *p)
{
	return (enum kind)(get32(p + 4) >> 24 & 31);
}

/* Returns the size of the record at @p in bytes, or 0 if its kind is unknown. */
static size_t rec_len(const unsigned char *p)
{
	uint32_t info = get32(p + 4), k = info >> 24 & 31;

	return layout[k].fixed + (size_t)(info & 0xffff) * layout[k].each;
}

/* Returns the record of type @id, which must exist. */
static const unsigned char *rec_at(const struct btf *b, uint32_t id)
{
	const unsigned char *p;
	uint32_t i = 1;

	if (id < b->first)
		b = b->base;
	p = b->types;
	id -= b->first - 1;
	if (id >= STEP) {
		p += b->off[id / STEP];
		i = id / STEP * STEP;
	}
	for (; i < id; i++)
		p += rec_len(p);
	return p;
}

/* Parses the record of type @id, which must exist. */
static struct rec rec_of(const struct btf *b, uint32_t id)
{
	const unsigned char *p = rec_at(b, id);
	uint32_t info = get32(p + 4);

	return (struct rec){
		.kind = rec_kind(p),
		.flag = info >> 31,
		.vlen = info & 0xffff,
		.name = get32(p),
		.arg = get32(p + 8),
		.more = p + REC,
	};
}

/* Parses the record of type @id. Returns false for ID 0 (void) and for IDs that do not exist. */
static bool get_rec(const struct btf *b, uint32_t id, struct rec *r)
{
	if (id == 0 || id > b->last)
		return false;
	*r = rec_of(b, id);
	return true;
}

/*
 * Returns the string at offset @off, and sets *@room to the number of bytes from there to the end
 * of the section, which ends with a NUL. Returns NULL for an empty string or an invalid offset.
 */
static const char *get_text(const struct btf *b, uint32_t off, size_t *room)
{
	if (off < b->str_first)
		b = b->base;
	off -= b->str_first;
	*room = off < b->str_len ? b->str_len - off : 0;
	return *room && b->strs[off] ? b->strs + off : NULL;
}

static const char *get_name(const struct btf *b, uint32_t off)
{
	size_t room;

	return get_text(b, off, &room);
}

/*
 * Follows types whose kinds are in @kinds, beginning with type @id. Returns the ID of the first
 * type of another kind, or 0 if the chain does not end.
 */
static uint32_t skip_kinds(const struct btf *b, uint32_t id, uint32_t kinds)
{
	struct rec r;
	int i;

	for (i = 0; i < MAX_CHAIN; i++) {
		if (!get_rec(b, id, &r) || !(BIT(r.kind) & kinds))
			return id;
		id = r.arg;
	}
	return 0;
}

/* ------------------------------------------------------------------- names */

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

static void hash_names(const struct btf *b, struct names *t)
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

static uint32_t find_type(struct btf *b, uint32_t kinds, const char *name)
{
	uint32_t at = first_slot(name);
	const struct named *e;
	struct rec r;

	if (!b->types_by_name.slot)
		hash_names(b, &b->types_by_name);
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

/* -------------------------------------------------------------- alignments */

/* Returns the largest power of two that divides @size, but at most @max. */
static uint32_t pow2_in(uint32_t size, uint32_t max)
{
	uint32_t low = size & -size;

	return low == 0 || low > max ? max : low;
}

static uint32_t align_of(const struct btf *b, uint32_t id, int depth, uint32_t *budget);

/*
 * Returns the alignment of a struct, which is the largest alignment of its members. The size of the
 * struct is a multiple of its alignment, so the search usually ends at the first pointer. Only
 * __int128 and attributes give alignments above 8; these are ignored.
 */
static uint32_t align_of_struct(const struct btf *b, const struct rec *r, int depth,
				uint32_t *budget)
{
	uint32_t i, a, best = 1, most = pow2_in(r->arg, 8);

	for (i = 0; i < r->vlen && best < most && *budget; i++) {
		a = align_of(b, get32(r->more + 12 * i + 4), depth, budget);
		if (a > best)
			best = a < most ? a : most;
	}
	return best;
}

static uint32_t align_of(const struct btf *b, uint32_t id, int depth, uint32_t *budget)
{
	struct rec r;

	if (*budget == 0 || depth == 0)
		return 1;
	--*budget;
	id = skip_kinds(b, id, QUALIFIERS | BIT(K_TYPEDEF));
	if (!get_rec(b, id, &r))
		return 1;
	switch (r.kind) {
	case K_INT:
	case K_FLOAT:
	case K_ENUM:
	case K_ENUM64:
		return r.arg ? pow2_in(r.arg, 16) : 1;
	case K_PTR:
		return sizeof(void *);
	case K_ARRAY:
		return align_of(b, get32(r.more), depth - 1, budget);
	case K_STRUCT:
	case K_UNION:
		return align_of_struct(b, &r, depth - 1, budget);
	case K_FWD:
	case K_TYPEDEF:
	case K_VOLATILE:
	case K_CONST:
	case K_RESTRICT:
	case K_FUNC:
	case K_FUNC_PROTO:
	case K_VAR:
	case K_DATASEC:
	case K_DECL_TAG:
	case K_TYPE_TAG:
	case K_MAX:
		break;
	}
	return 1;
}

/* ------------------------------------------------------------ making types */

/*
 * Returns the BTF ID that a program may use for type @id, or 0 if the type has no such ID. Only
 * types of the kernel itself have such an ID, not those of modules.
 */
static uint32_t known_id(const struct btf *b, uint32_t id)
{
	return b->base ? 0 : id;
}

static struct type *new_type(struct btf *b, enum type_kind kind, uint32_t id, const struct rec *r)
{
	struct type *t = arena_new(b->arena, struct type);

	t->kind = kind;
	t->name = get_name(b, r->name);
	t->btf_id = known_id(b, id);
	t->lazy_id = id;
	t->align = 1;
	return t;
}

/* Returns whether the size of an integer is one that code generation supports. */
static bool int_size_ok(uint32_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
}

static struct type *make_int(struct btf *b, uint32_t id, const struct rec *r)
{
	enum { SIGNED = 1, CHAR = 2 };
	uint32_t enc = get32(r->more) >> 24 & 15;
	struct type *t;

	if (!int_size_ok(r->arg))
		return &type_void;
	t = new_type(b, T_INT, id, r);
	t->size = t->align = r->arg;
	t->sgn = enc & SIGNED;
	/* Few compilers set CHAR for plain char. */
	t->is_char = t->size == 1 && ((enc & CHAR) || (t->name && strstr(t->name, "char")));
	return t;
}

static struct type *make_float(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, T_FLOAT, id, r);

	t->size = r->arg;
	t->align = r->arg ? pow2_in(r->arg, 16) : 1;
	return t;
}

/*
 * Returns the value of the enumerator at @p. An enumerator is { name, value } with 32 bits each, or
 * { name, low, high } in an ENUM64. kind_flag means that the values are signed.
 */
static int64_t enum_value(const struct rec *r, const unsigned char *p)
{
	uint64_t low = get32(p + 4);

	if (r->kind == K_ENUM64)
		return (int64_t)(low | (uint64_t)get32(p + 8) << 32);
	return r->flag ? (int32_t)low : (int64_t)low;
}

static struct type *make_enum(struct btf *b, uint32_t id, const struct rec *r)
{
	const unsigned char *p = r->more;
	struct type *t;
	const char *name;
	uint32_t i;

	if (!int_size_ok(r->arg))
		return &type_void;
	t = new_type(b, T_ENUM, id, r);
	t->size = t->align = r->arg;
	t->sgn = r->flag;
	t->nenumerator = r->vlen;
	t->enumerator = arena_newn(b->arena, struct enumerator, r->vlen);
	for (i = 0; i < r->vlen; i++, p += layout[r->kind].each) {
		name = get_name(b, get32(p));
		t->enumerator[i].name = name ? name : "";
		t->enumerator[i].value = enum_value(r, p);
	}
	return t;
}

static struct type *make_sou(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, r->kind == K_STRUCT ? T_STRUCT : T_UNION, id, r);
	uint32_t budget = ALIGN_BUDGET;

	t->size = r->arg;
	t->align = align_of_struct(b, r, MAX_CHAIN, &budget);
	t->lazy = b;
	return t;
}

/*
 * Returns the complete struct or union of the same name if there is one, because the deduplication
 * of BTF leaves some forward declarations unresolved.
 */
static struct type *make_fwd(struct btf *b, uint32_t id, const struct rec *r)
{
	const char *name = get_name(b, r->name);
	uint32_t kind = BIT(r->flag ? K_UNION : K_STRUCT),
		 full = name ? find_type(b, kind, name) : 0;

	if (name && !full && b->base)
		full = find_type(b->base, kind, name);
	return full ? btf_type(b, full) : new_type(b, T_FWD, id, r);
}

static struct type *make_array(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = type_array(b->arena, btf_type(b, get32(r->more)), get32(r->more + 8));

	t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_ptr(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = type_ptr(b->arena, btf_type(b, r->arg));

	if (!t->btf_id)
		t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_typedef(struct btf *b, uint32_t id, const struct rec *r)
{
	const char *name = get_name(b, r->name);
	struct type *to = btf_type(b, r->arg), *t;

	t = type_typedef(b->arena, name ? name : "", to);
	t->btf_id = known_id(b, id);
	return t;
}

static struct type *make_func(struct btf *b, uint32_t id, const struct rec *r)
{
	struct type *t = new_type(b, T_FUNC, id, r);

	t->to = btf_type(b, r->arg);
	t->lazy = b;
	return t;
}

static struct type *make(struct btf *b, uint32_t id, const struct rec *r)
{
	switch (r->kind) {
	case K_INT:
		return make_int(b, id, r);
	case K_FLOAT:
		return make_float(b, id, r);
	case K_ENUM:
	case K_ENUM64:
		return make_enum(b, id, r);
	case K_STRUCT:
	case K_UNION:
		return make_sou(b, id, r);
	case K_FWD:
		return make_fwd(b, id, r);
	case K_ARRAY:
		return make_array(b, id, r);
	case K_PTR:
		return make_ptr(b, id, r);
	case K_TYPEDEF:
		return make_typedef(b, id, r);
	case K_FUNC_PROTO:
		return make_func(b, id, r);
	case K_VOLATILE:
	case K_CONST:
	case K_RESTRICT:
	case K_TYPE_TAG:
	case K_DECL_TAG:
	case K_FUNC:
	case K_VAR: /* the caller skips these kinds */
	case K_DATASEC:
	case K_MAX:
		break;
	}
	return &type_void;
}

static struct made_slot *find_made(const struct made *m, uint32_t id)
{
	uint32_t at = id * 0x9e3779b1u;

	for (at = at >> 16 ^ at; m->slot[at & (m->cap - 1)].id; at++)
		if (m->slot[at & (m->cap - 1)].id == id)
			break;
	return &m->slot[at & (m->cap - 1)];
}

static void set_made(struct made *m, uint32_t id, struct type *t)
{
	struct made old = *m;
	struct made_slot *s;

	if (m->n >= m->cap / 2) {
		m->cap = old.cap ? old.cap * 2 : 256;
		m->slot = xcalloc(m->cap, sizeof(*m->slot));
		for (uint32_t i = 0; i < old.cap; i++)
			if (old.slot[i].id)
				*find_made(m, old.slot[i].id) = old.slot[i];
		xfree(old.slot);
	}
	s = find_made(m, id);
	m->n += !s->id;
	*s = (struct made_slot){id, t};
}

/*
 * A pointer, array, typedef or function type is created together with the type that it refers to
 * (for a function, its return type). The types of members and parameters are created later. In C,
 * only a member or a parameter can lead back to the type itself. So a type that refers to itself
 * while it is being created, or that nests very deeply, is not from C, and becomes void.
 */
struct type *btf_type(struct btf *b, uint32_t id)
{
	struct type *t;
	struct rec r;

	id = skip_kinds(b, id, QUALIFIERS);
	if (!get_rec(b, id, &r))
		return &type_void;
	if (id < b->first)
		return btf_type(b->base, id);
	t = b->made.cap ? find_made(&b->made, id)->type : NULL;
	if (t)
		return t == &making ? &type_void : t;
	if (b->depth == MAX_DEPTH)
		return &type_void;
	set_made(&b->made, id, &making);
	b->depth++;
	t = make(b, id, &r);
	b->depth--;
	set_made(&b->made, id, t);
	return t;
}

/* ------------------------------------------------------- completing types */

/*
 * Sets the width and offset of a bit-field in BTF without kind_flag. In such BTF, the type of a
 * bit-field is an integer whose encoding has the width in bits 0-7 and the offset in bits 16-23.
 */
static void legacy_bits(const struct btf *b, uint32_t id, struct member *m)
{
	uint32_t bits, shift, v;
	struct rec r;

	id = skip_kinds(b, id, QUALIFIERS | BIT(K_TYPEDEF));
	if (!get_rec(b, id, &r) || r.kind != K_INT)
		return;
	v = get32(r.more);
	bits = v & 0xff;
	shift = v >> 16 & 0xff;
	if (bits == 0 || (bits == r.arg * 8 && shift == 0))
		return;
	m->bits = bits;
	m->bitoff += shift;
}

/*
 * Reads the members of a struct or union. A member is { name, type, offset in bits }. With
 * kind_flag, the top byte of the offset is the width of a bit-field.
 */
static void complete_sou(struct btf *b, struct type *t, const struct rec *r)
{
	const unsigned char *p = r->more;
	struct member *m = arena_newn(b->arena, struct member, r->vlen);
	uint32_t i;

	t->member = m;
	t->nmember = r->vlen;
	for (i = 0; i < r->vlen; i++, p += 12, m++) {
		m->name = get_name(b, get32(p));
		m->type = btf_type(b, get32(p + 4));
		m->bitoff = get32(p + 8);
		if (r->flag) {
			m->bits = m->bitoff >> 24;
			m->bitoff &= 0xffffff;
		} else {
			legacy_bits(b, get32(p + 4), m);
		}
	}
}

/*
 * Returns whether the parameters end with "...". A parameter is { name, type }, and for "..." both
 * are 0.
 */
static bool has_dots(const struct rec *r)
{
	const unsigned char *last;

	if (!r->vlen)
		return false;
	last = r->more + 8 * ((size_t)r->vlen - 1);
	return !get32(last) && !get32(last + 4);
}

static void complete_func(struct btf *b, struct type *t, const struct rec *r)
{
	const unsigned char *p = r->more;
	uint32_t i, n = r->vlen;
	struct member *m;

	n -= has_dots(r);
	m = arena_newn(b->arena, struct member, n);
	t->member = m;
	t->nmember = n;
	for (i = 0; i < n; i++, p += 8, m++) {
		m->name = get_name(b, get32(p));
		m->type = btf_type(b, get32(p + 4));
	}
}

void btf_complete(struct btf *b, struct type *t)
{
	struct rec r;

	t->lazy = NULL;
	if (!get_rec(b, t->lazy_id, &r))
		return;
	if (r.kind == K_FUNC_PROTO)
		complete_func(b, t, &r);
	else if (r.kind == K_STRUCT || r.kind == K_UNION)
		complete_sou(b, t, &r);
}

/* -------------------------------------------------------- opening, closing */

/*
 * Records where the types are, and which types have names. This runs at every start, so it does no
 * more than necessary. The arrays are allocated for the maximum number of types; memory that is not
 * touched costs nothing. The code first tests whether a record has a fixed size. If so, the
 * processor need not wait for the load of the record's length.
 */
static bool index_types(struct btf *b)
{
	size_t left = (size_t)(b->types_end - b->types), len;
	struct named *named = xmalloc((left / REC + 1) * sizeof(*named));
	const unsigned char *p = b->types;
	uint32_t id, n = 0, from = b->base ? b->base->last : 0;
	enum kind k;

	b->types_by_name.v = named;
	b->off = xmalloc((left / REC / STEP + 1) * sizeof(*b->off));
	for (id = 1, b->first = from + 1; left >= REC; id++, p += len, left -= len) {
		k = rec_kind(p);
		len = REC;
		if (!(BIT(k) & BARE)) {
			len = rec_len(p);
			if (len == 0 || len > left)
				return false;
		}
		if (id % STEP == 0)
			b->off[id / STEP] = (uint32_t)(p - b->types);
		if (BIT(k) & TYPE_KINDS) {
			named[n] = (struct named){get32(p), from + id};
			n += named[n].name || (BIT(k) & ENUM_KINDS);
		} else if (k == K_FUNC) {
			if (!b->first_func)
				b->first_func = from + id;
			b->last_func = from + id;
		}
	}
	b->types_by_name.n = n;
	b->last = from + id - 1;
	return left == 0;
}

static bool section_ok(size_t size, const struct header *h, uint32_t off, uint32_t len)
{
	return (uint64_t)h->hdr_len + off + len <= size;
}

static bool find_sections(struct btf *b, const unsigned char *data, size_t size)
{
	struct header h;

	if (size < sizeof(h))
		return false;
	memcpy(&h, data, sizeof(h));
	if (h.magic != BTF_MAGIC || h.version != BTF_VERSION || h.hdr_len < sizeof(h) ||
	    !section_ok(size, &h, h.type_off, h.type_len) ||
	    !section_ok(size, &h, h.str_off, h.str_len))
		return false;
	b->types = data + h.hdr_len + h.type_off;
	b->types_end = b->types + h.type_len;
	b->strs = (const char *)data + h.hdr_len + h.str_off;
	b->str_len = h.str_len;
	return h.str_len > 0 && b->strs[h.str_len - 1] == '\0';
}

struct btf *btf_parse_on(struct btf *base, const void *data, size_t size, struct arena *a)
{
	struct btf *b = xcalloc(1, sizeof(*b));

	b->arena = a;
	b->base = base;
	b->str_first = base ? base->str_len : 0;
	if (!find_sections(b, data, size) || !index_types(b)) {
		btf_close(b);
		errno = EINVAL;
		return NULL;
	}
	return b;
}

struct btf *btf_parse(const void *data, size_t size, struct arena *a)
{
	return btf_parse_on(NULL, data, size, a);
}

/*
 * Reads the @size bytes of file @fd into anonymous memory, for kernels that cannot map their BTF.
 * MAP_POPULATE halves the cost.
 */
static void *read_blob(int fd, size_t size)
{
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	size_t len = 0;
	ssize_t n;

	if (p == MAP_FAILED)
		return p;
	while (len < size) {
		n = read(fd, p + len, size - len);
		if (n > 0)
			len += (size_t)n;
		else if (n == 0 || errno != EINTR)
			break;
	}
	if (len == size)
		return p;
	munmap(p, size);
	return MAP_FAILED;
}

/*
 * Maps or reads the contents of @fd, and sets *@size to their size. The caller unmaps the result.
 * Returns NULL and sets errno on failure.
 */
static void *load(int fd, size_t *size)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) < 0)
		return NULL;
	errno = EINVAL;
	if (!S_ISREG(st.st_mode) || st.st_size <= 0)
		return NULL;
	*size = (size_t)st.st_size;
	p = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		p = read_blob(fd, *size);
	return p == MAP_FAILED ? NULL : p;
}

struct btf *btf_open_on(struct btf *base, const char *path, struct arena *a)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;
	struct btf *b = NULL;
	size_t size;
	void *blob;

	if (fd < 0)
		return NULL;
	blob = load(fd, &size);
	if (blob)
		b = btf_parse_on(base, blob, size, a);
	err = errno;
	close(fd);
	if (b) {
		b->blob = blob;
		b->blob_size = size;
		return b;
	}
	if (blob)
		munmap(blob, size);
	errno = err;
	return NULL;
}

struct btf *btf_open(const char *path, struct arena *a)
{
	return btf_open_on(NULL, path, a);
}

static void names_release(struct names *t)
{
	xfree(t->v);
	xfree(t->slot);
}

void btf_close(struct btf *b)
{
	if (!b)
		return;
	if (b->blob)
		munmap(b->blob, b->blob_size);
	xfree(b->off);
	xfree(b->made.slot);
	names_release(&b->types_by_name);
	names_release(&b->funcs);
	names_release(&b->enumerators);
	xfree(b);
}

/* ---------------------------------------------------------------- look-ups */

struct type *btf_find(struct btf *b, enum tag_kind kind, const char *name)
{
	uint32_t id = *name ? find_type(b, tag_kinds(kind), name) : 0;

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

static void index_funcs(struct btf *b)
{
	struct names *t = &b->funcs;
	const unsigned char *p;
	uint32_t id;

	t->v = xmalloc((b->last_func - b->first_func + 1) * sizeof(*t->v));
	p = b->first_func ? rec_at(b, b->first_func) : b->types_end;
	for (id = b->first_func; p < b->types_end && id <= b->last_func; id++, p += rec_len(p))
		if (rec_kind(p) == K_FUNC)
			t->v[t->n++] = (struct named){get32(p), id};
	hash_names(b, t);
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
	if (!b->funcs.slot)
		index_funcs(b);
	e = next_named(b, &b->funcs, name, &at);
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
	if (!b->funcs.slot)
		index_funcs(b);
	for (uint32_t i = 0; i < b->funcs.n; i++) {
		const char *name = get_name(b, b->funcs.v[i].name);

		if (name)
			fn(ctx, name, b->funcs.v[i].id);
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
	hash_names(b, t);
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
