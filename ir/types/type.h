/*
 * type.h - C and D types, whoever defines them: D text, ksim.h or the kernel's BTF.
 *
 * A struct type is immutable once complete.  Types that come from BTF are made
 * when first asked for, and a struct's members only when type_members() needs
 * them: start-up must not pay for a hundred thousand types.
 *
 * Data model: LP64, little or big endian as the host; bit-field positions are
 * counted as the compiler lays them out (from the least significant bit on
 * little-endian machines).
 */
#ifndef TYPES_TYPE_H
#define TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct strbuf;

enum type_kind {
	T_VOID,
	T_INT, /* every integer type, char and _Bool included */
	T_FLOAT,
	T_ENUM,
	T_PTR,
	T_ARRAY, /* fixed size; nelem 0: flexible or unknown */
	T_STRUCT,
	T_UNION,
	T_FWD, /* struct or union of which only the name is known */
	T_FUNC,
	T_TYPEDEF, /* a name for ->to; type_strip() sees through it */
	T_STRING,  /* D's value type */
	/* what a translator gives: of the pointer or struct ->to, members and nothing else */
	T_XLATED,
	/* what stack() gives: nelem frames at most; only recorded, never computed with */
	T_STACK,
	T_SYMBOL, /* what sym(), usym() ... give: an address shown as a name; likewise */
	T_AGG,    /* an aggregation where a value should be: nothing accepts it */
	/* what a probe that does not exist here would tell: fits wherever a value does */
	T_UNKNOWN,
	T_ERROR, /* of an expression already complained about; silences follow-ups */
};

struct member {
	const char *name; /* NULL: anonymous struct or union, whose members count as ours */
	struct type *type;
	uint32_t bitoff; /* from the start of the enclosing struct */
	uint32_t bits;   /* width of a bit-field, 0: not one */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	/* bytes; 0 for void, functions, forwards; strings: see struct scope */
	uint32_t size;
	uint32_t align;
	const char *name; /* int, typedef, struct, union, enum tag; NULL: anonymous */
	/* T_PTR, T_ARRAY, T_TYPEDEF, T_XLATED: what to; T_FUNC: what it returns */
	struct type *to;
	uint32_t nelem; /* T_ARRAY */
	bool sgn;       /* T_INT, T_ENUM: signed */
	bool is_char;   /* T_INT of one byte that stands for a character */
	bool userland;  /* T_PTR: D's userland qualifier */
	uint8_t field;  /* T_STACK, T_SYMBOL: enum field_kind of what is recorded */

	/* T_STRUCT, T_UNION; T_FUNC uses members for parameters.  Through type_members(). */
	struct member *member;
	uint32_t nmember;
	struct enumerator *enumerator; /* T_ENUM */
	uint32_t nenumerator;

	uint32_t btf_id;  /* in the running kernel's BTF, 0: not from there, or a module's */
	uint32_t lazy_id; /* in what it is read from */
	struct btf *lazy; /* members not read yet; NULL: complete */

	struct type *ptr_to_me; /* cache for type_ptr() */
};

/* Built-in types, shared by all compiles. */
extern struct type type_void, type_string, type_agg, type_unknown, type_error;
extern struct type type_char, type_schar, type_uchar, type_short, type_ushort, type_int, type_uint,
	type_long, type_ulong, type_llong, type_ullong, type_bool, type_float, type_double,
	type_ldouble;

/* Without typedefs (never NULL, never T_TYPEDEF). */
struct type *type_strip(struct type *t);

/*
 * The members of struct or union @t (its typedefs stripped first), reading them
 * from BTF if that was not done yet.  Sets @n; NULL and 0 if it has none.
 */
struct member *type_members(struct type *t, uint32_t *n);

/* The same for the enumerators of enum @t. */
struct enumerator *type_enumerators(struct type *t, uint32_t *n);

/*
 * Finds @name in struct or union @t, looking into anonymous members.  Fills
 * @out with the member, its bitoff made relative to @t.  False: no such member.
 */
bool type_member(struct type *t, const char *name, struct member *out);

/*
 * Derived types; allotted from @a, pointers to one type are made once: @a must
 * live as long as @to (built-in types are exempt).
 */
struct type *type_ptr(struct arena *a, struct type *to);
/* The same into a process's memory. */
struct type *type_userland_ptr(struct arena *a, struct type *to);
/* Is it such a pointer? */
bool type_is_userland(struct type *t);
struct type *type_xlated(struct arena *a, struct type *to);
struct type *type_array(struct arena *a, struct type *of, uint32_t nelem);
struct type *type_typedef(struct arena *a, const char *name, struct type *to);

static inline bool type_is(struct type *t, enum type_kind k)
{
	return type_strip(t)->kind == k;
}

/* Integers, enums, and what is not known. */
bool type_is_integer(struct type *t);
/* Integers, enums and pointers. */
bool type_is_scalar(struct type *t);
/* Structs and unions. */
bool type_is_sou(struct type *t);
/* Value is signed when widened to 64 bits. */
bool type_is_signed(struct type *t);

/* The same type for D's purposes: equal after typedefs, by name for structs and unions. */
bool type_same(struct type *a, struct type *b);

/* The type as D users write it: "struct sk_buff *", "uint32_t", "char [16]". Appended. */
void type_name(struct type *t, struct strbuf *out);

/* ------------------------------------------------------------------ scopes */

enum tag_kind { TAG_STRUCT, TAG_UNION, TAG_ENUM, TAG_TYPEDEF, TAG_ENUMERATOR };

/*
 * Where type names are looked up.  Scopes are chained: the program's, the
 * library's, then the kernel's (BTF or ksim.h).  The first that knows a
 * complete type of that name wins.
 */
struct scope {
	struct scope *outer;
	struct btf *btf;           /* NULL: only what was added */
	struct arena *arena;       /* for what is added */
	struct scope_entry *entry; /* added names: a trie of hashes */
	/* what `string` is there: of D's strsize, as a part of something */
	struct type *string;
	/*
	 * The outermost one's: a type of module @mod of the kernel, or, NULL, of any of them.
	 * NULL: there are none.
	 */
	struct type *(*modules)(void *ctx, const char *mod, enum tag_kind kind, const char *name);
	void *modules_ctx;
};

/* Empty; what it does not know @outer may (NULL: nobody), or @btf (NULL: none). */
void scope_init(struct scope *s, struct arena *a, struct scope *outer, struct btf *btf);

/* The entries that finding each added name once looks at. */
uint64_t scope_probes(const struct scope *s);

/* Adds or completes a name in @s itself.  The caller has checked for redeclaration. */
void scope_add(struct scope *s, enum tag_kind kind, const char *name, struct type *t);

/* Only what was added to @s itself; NULL: nothing.  TAG_ENUMERATOR: the enum that has it. */
struct type *scope_own(struct scope *s, enum tag_kind kind, const char *name);

/*
 * Looks through the chain; NULL: unknown.  TAG_TYPEDEF also finds the C type
 * names that need no declaration (int8_t, uint32_t, size_t, pid_t, u_char ...).
 */
struct type *scope_find(struct scope *s, enum tag_kind kind, const char *name);

/*
 * The same where a text wants a type and has none in view: of @mod first (NULL: no module is
 * named), and at last of any module.  That reads files, so it is for what would else be an error.
 */
struct type *scope_find_far(struct scope *s, const char *mod, enum tag_kind kind, const char *name);

/* The value of enumerator @name in any enum in reach; false: none. Sets @type if not NULL. */
bool scope_enumerator(struct scope *s, const char *name, int64_t *value, struct type **type);

#endif
