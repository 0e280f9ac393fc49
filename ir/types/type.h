/*
 * type.h - C and D types, from D text, ksim.h or the kernel's BTF.
 *
 * A struct type does not change once it is complete. Types from BTF are created when they are
 * needed, and their members when type_members() is called, because start-up must not pay for a
 * hundred thousand types.
 *
 * Data model: LP64, little or big endian as the host. Bit-field positions are counted as the
 * compiler lays them out, on little-endian machines from the least significant bit on.
 */
#ifndef IR_TYPES_TYPE_H
#define IR_TYPES_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct strbuf;

enum type_kind {
	T_VOID,
	T_INT, /* all integer types, including char and _Bool */
	T_FLOAT,
	T_ENUM,
	T_PTR,
	T_ARRAY, /* fixed size; nelem 0: flexible or unknown */
	T_STRUCT,
	T_UNION,
	T_FWD, /* forward declaration of a struct or union */
	T_FUNC,
	T_TYPEDEF, /* a name for ->to; type_strip() skips it */
	T_STRING,  /* D's string */
	/* the result of a translator to ->to (a pointer or struct); only members can be used */
	T_XLATED,
	/* the result of stack() with up to nelem frames; it can only be recorded */
	T_STACK,
	/* the result of sym(), usym() ...: an address printed as a name; it can only be recorded */
	T_SYMBOL,
	T_AGG, /* an aggregation used as a value; nothing accepts it */
	/* a value of a probe that does not exist here; accepted everywhere */
	T_UNKNOWN,
	T_ERROR, /* type of an expression with an error; suppresses further errors */
};

struct member {
	const char *name; /* NULL: anonymous struct or union, whose members belong to this type */
	struct type *type;
	uint32_t bitoff; /* offset in bits from the start of the enclosing struct */
	uint32_t bits;   /* width of a bit-field; 0: not a bit-field */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	/* in bytes; 0 for void, functions and forward declarations; for strings see struct scope */
	uint32_t size;
	uint32_t align;
	const char *name; /* name of an int or typedef, or tag; NULL: anonymous */
	/* T_PTR, T_ARRAY, T_TYPEDEF, T_XLATED: the type they refer to; T_FUNC: the return type */
	struct type *to;
	uint32_t nelem; /* T_ARRAY */
	bool sgn;       /* T_INT, T_ENUM: signed */
	bool is_char;   /* T_INT of one byte: a character */
	bool userland;  /* T_PTR: D's userland qualifier */
	uint8_t field;  /* T_STACK, T_SYMBOL: enum field_kind of the recorded value */

	/* Members of T_STRUCT and T_UNION, parameters of T_FUNC. Read them with type_members(). */
	struct member *member;
	uint32_t nmember;
	struct enumerator *enumerator; /* T_ENUM */
	uint32_t nenumerator;

	uint32_t btf_id;  /* id in the running kernel's BTF; 0: none, or a module's type */
	uint32_t lazy_id; /* id in @lazy */
	struct btf *lazy; /* BTF to read the members from; NULL: complete */

	struct type *ptr_to_me; /* cache of type_ptr() */
};

/* Built-in types, shared by all compiles. */
extern struct type type_void, type_string, type_agg, type_unknown, type_error;
extern struct type type_char, type_schar, type_uchar, type_short, type_ushort, type_int, type_uint,
	type_long, type_ulong, type_llong, type_ullong, type_bool, type_float, type_double,
	type_ldouble;

/* Returns @t without typedefs: never NULL, never T_TYPEDEF. */
struct type *type_strip(struct type *t);

/*
 * Returns the members of the struct or union @t (after type_strip()) and their number in @n. Reads
 * them from BTF first if necessary. Returns NULL and 0 if there are none.
 */
struct member *type_members(struct type *t, uint32_t *n);

/* Returns the enumerators of the enum @t and their number in @n. */
struct enumerator *type_enumerators(struct type *t, uint32_t *n);

/*
 * Finds the member @name of the struct or union @t, also in anonymous members. Sets @out to the
 * member, with bitoff relative to @t. Returns false if there is none.
 */
bool type_member(struct type *t, const char *name, struct member *out);

/*
 * Make derived types in the arena @a. Each type has only one pointer type, so @a must live as long
 * as @to, unless @to is built in.
 */
struct type *type_ptr(struct arena *a, struct type *to);
/* Makes a pointer to memory of a process (D's userland qualifier). */
struct type *type_userland_ptr(struct arena *a, struct type *to);
/* Returns whether @t is a userland pointer. */
bool type_is_userland(struct type *t);
struct type *type_xlated(struct arena *a, struct type *to);
struct type *type_array(struct arena *a, struct type *of, uint32_t nelem);
struct type *type_typedef(struct arena *a, const char *name, struct type *to);

static inline bool type_is(struct type *t, enum type_kind k)
{
	return type_strip(t)->kind == k;
}

/* Returns whether @t is an integer, an enum or an unknown type. */
bool type_is_integer(struct type *t);
/* Returns whether @t is an integer, an enum, an unknown type or a pointer. */
bool type_is_scalar(struct type *t);
/* Returns whether @t is a struct or a union. */
bool type_is_sou(struct type *t);
/* Returns whether values of @t are sign-extended to 64 bits. */
bool type_is_signed(struct type *t);

/*
 * Returns whether two types are the same in D: equal without typedefs; structs and unions by name.
 */
bool type_same(struct type *a, struct type *b);

/* Appends the type as D writes it: "struct sk_buff *", "uint32_t", "char [16]". */
void type_name(struct type *t, struct strbuf *out);

/* ------------------------------------------------------------------ scopes */

enum tag_kind { TAG_STRUCT, TAG_UNION, TAG_ENUM, TAG_TYPEDEF, TAG_ENUMERATOR };

/*
 * A scope of type names. Scopes are chained: the program's, the library's, then the kernel's (BTF
 * or ksim.h). The first one with a complete type of that name wins.
 */
struct scope {
	struct scope *outer;
	struct btf *btf;           /* NULL: only added names */
	struct arena *arena;       /* for added names */
	struct scope_entry *entry; /* added names: a trie of hashes */
	/* the type of `string` in this scope: D's strsize decides its size */
	struct type *string;
	/*
	 * In the outermost scope: looks up a type of the kernel module @mod, or of any module if
	 * @mod is NULL. NULL: no modules.
	 */
	struct type *(*modules)(void *ctx, const char *mod, enum tag_kind kind, const char *name);
	void *modules_ctx;
	/*
	 * Called for a name that was not added. Adds it and returns true if this scope's text
	 * declares it and was not parsed so far. NULL: the whole text was parsed.
	 */
	bool (*declare)(void *ctx, enum tag_kind kind, const char *name);
	void *declare_ctx;
};

/*
 * Initializes an empty scope. Unknown names are looked up in @btf and in @outer (both may be NULL).
 */
void scope_init(struct scope *s, struct arena *a, struct scope *outer, struct btf *btf);

/*
 * For tests: the number of entries that a search for each added name visits, summed over all names.
 */
uint64_t scope_probes(const struct scope *s);

/* Calls @fn for each name added to @s itself, in undefined order. */
void scope_each(const struct scope *s,
		void (*fn)(void *ctx, enum tag_kind kind, const char *name, struct type *t),
		void *ctx);

/* Adds a name to @s itself, or completes a type. The caller checks for redeclarations. */
void scope_add(struct scope *s, enum tag_kind kind, const char *name, struct type *t);

/*
 * Returns the type added to @s itself, or NULL. For TAG_ENUMERATOR, returns the enum that contains
 * it.
 */
struct type *scope_own(struct scope *s, enum tag_kind kind, const char *name);

/*
 * Looks up a name in the chain of scopes; NULL: unknown. TAG_TYPEDEF also finds C type names
 * without a declaration (int8_t, uint32_t, size_t, pid_t, u_char ...).
 */
struct type *scope_find(struct scope *s, enum tag_kind kind, const char *name);

/* Like scope_find(), but looks in the kernel module @mod first. NULL: no module is named. */
struct type *scope_find_of(struct scope *s, const char *mod, enum tag_kind kind, const char *name);

/*
 * Like scope_find(), but also looks in kernel modules: in @mod first (NULL: no module is named),
 * and at last in any module. This reads files, so it is used only where the name would otherwise be
 * an error.
 */
struct type *scope_find_far(struct scope *s, const char *mod, enum tag_kind kind, const char *name);

/*
 * Finds the enumerator @name in any enum. Sets @value, and @type if not NULL. Returns false if
 * there is none.
 */
bool scope_enumerator(struct scope *s, const char *name, int64_t *value, struct type **type);

#endif
