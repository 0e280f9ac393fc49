/*
 * btf_data.h - BTF (the kernel's type information) in memory, and its records. Only btf.c and
 * btf_find.c include this file.
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
#ifndef IR_TYPES_BTF_DATA_H
#define IR_TYPES_BTF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena;
struct type;

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

#define SOME_FUNCS 4 /* if more beginnings of names are looked up, all functions are hashed */

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

/*
 * The functions whose names begin with the same bytes. Most programs look up a few functions, and
 * hashing the names of all functions would take a tenth of the time to start.
 */
struct some_funcs {
	char first[4];
	struct names names;
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
	struct some_funcs some[SOME_FUNCS];
};

/* A parsed type record. */
struct rec {
	enum kind kind;
	bool flag;
	uint32_t vlen;
	uint32_t name; /* offset in the string section */
	uint32_t arg;  /* size of the type, or ID of the type that it refers to */
	const unsigned char *more;
};

static inline uint32_t get32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline enum kind rec_kind(const unsigned char *p)
{
	return (enum kind)(get32(p + 4) >> 24 & 31);
}

/* Returns the size of the record at @p in bytes, or 0 if its kind is unknown. */
static inline size_t rec_len(const unsigned char *p)
{
	uint32_t info = get32(p + 4), k = info >> 24 & 31;

	return layout[k].fixed + (size_t)(info & 0xffff) * layout[k].each;
}

/* Returns the record of type @id, which must exist. */
static inline const unsigned char *rec_at(const struct btf *b, uint32_t id)
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
static inline struct rec rec_of(const struct btf *b, uint32_t id)
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
static inline bool get_rec(const struct btf *b, uint32_t id, struct rec *r)
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
static inline const char *get_text(const struct btf *b, uint32_t off, size_t *room)
{
	if (off < b->str_first)
		b = b->base;
	off -= b->str_first;
	*room = off < b->str_len ? b->str_len - off : 0;
	return *room && b->strs[off] ? b->strs + off : NULL;
}

static inline const char *get_name(const struct btf *b, uint32_t off)
{
	size_t room;

	return get_text(b, off, &room);
}

/*
 * Follows types whose kinds are in @kinds, beginning with type @id. Returns the ID of the first
 * type of another kind, or 0 if the chain does not end.
 */
static inline uint32_t skip_kinds(const struct btf *b, uint32_t id, uint32_t kinds)
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

/*
 * Returns the value of the enumerator at @p. An enumerator is { name, value } with 32 bits each, or
 * { name, low, high } in an ENUM64. kind_flag means that the values are signed.
 */
static inline int64_t enum_value(const struct rec *r, const unsigned char *p)
{
	uint64_t low = get32(p + 4);

	if (r->kind == K_ENUM64)
		return (int64_t)(low | (uint64_t)get32(p + 8) << 32);
	return r->flag ? (int32_t)low : (int64_t)low;
}

/*
 * Returns whether the parameters end with "...". A parameter is { name, type }, and for "..." both
 * are 0.
 */
static inline bool has_dots(const struct rec *r)
{
	const unsigned char *last;

	if (!r->vlen)
		return false;
	last = r->more + 8 * ((size_t)r->vlen - 1);
	return !get32(last) && !get32(last + 4);
}

/* Frees the names. */
void names_release(struct names *t);

/* Returns the ID of the first type called @name whose kind is in @kinds, or 0 if there is none. */
uint32_t btf_find_type(struct btf *b, uint32_t kinds, const char *name);

#endif
