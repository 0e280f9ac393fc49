/*
 * type.h - C and D types, from D text, from ksim.h (replay's copies of the kernel's structs), or
 * from the kernel's BTF.
 *
 * A struct type does not change once it is complete. Types from BTF are created when they are
 * needed, and their members when type_members() is called, because start-up must not pay for a
 * hundred thousand types.
 *
 * Data model: LP64, little endian. Bit-field positions are counted from the least significant bit
 * on.
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
	/* array of nelem elements; nelem is 0 if the array is flexible or of unknown size */
	T_ARRAY,
	T_STRUCT,
	T_UNION,
	T_FWD, /* forward declaration of a struct or union */
	T_FUNC,
	T_TYPEDEF, /* a typedef: a name for the type @to, which type_strip() skips */
	T_STRING,  /* D's string */
	/*
	 * the result of a translator to @to, a pointer or struct; only members of the result can be
	 * used
	 */
	T_XLATED,
	/* the result of stack() with up to nelem frames; it can only be recorded */
	T_STACK,
	/*
	 * the result of sym(), usym() and similar actions: an address printed as a name; it can
	 * only be recorded
	 */
	T_SYMBOL,
	T_AGG, /* an aggregation used as a value; nothing accepts it */
	/* a value of a probe that does not exist here; it is accepted everywhere */
	T_UNKNOWN,
	T_ERROR, /* the type of an expression with an error; it suppresses further errors */
};

struct member {
	/*
	 * name of the member; NULL for an anonymous struct or union, whose members belong to the
	 * enclosing type
	 */
	const char *name;
	struct type *type;
	uint32_t bitoff; /* offset in bits from the start of the enclosing struct */
	uint32_t bits;   /* width of a bit-field in bits; 0 if the member is none */
};

struct enumerator {
	const char *name;
	int64_t value;
};

struct type {
	enum type_kind kind;
	/*
	 * size in bytes; 0 for void, functions and forward declarations. For the size of strings,
	 * see struct scope.
	 */
	uint32_t size;
	uint32_t align;
	const char *name; /* name of an int or typedef, or tag; NULL if the type is anonymous */
	/*
	 * for T_PTR, T_ARRAY, T_TYPEDEF and T_XLATED: the type that this type refers to. For
	 * T_FUNC: the return type.
	 */
	struct type *to;
	uint32_t nelem; /* for T_ARRAY: number of elements */
	bool sgn;       /* for T_INT and T_ENUM: the type is signed */
	bool is_char;   /* for T_INT of one byte: the type is a character type */
	bool userland;  /* for T_PTR: the type has D's userland qualifier */
	uint8_t field;  /* for T_STACK and T_SYMBOL: enum field_kind of the recorded value */

	/* Members of T_STRUCT and T_UNION, parameters of T_FUNC. Read them with type_members(). */
	struct member *member;
	uint32_t nmember;
	struct enumerator *enumerator; /* for T_ENUM: the enumerators */
	uint32_t nenumerator;

	/*
	 * BTF ID in the running kernel's BTF; 0 if the type has none there, or belongs to a module
	 */
	uint32_t btf_id;
	uint32_t lazy_id; /* BTF ID in the BTF @lazy */
	/* BTF that still has to be read for the members; NULL if the type is complete */
	struct btf *lazy;

	struct type *ptr_to_me; /* cache of type_ptr() */
};

/* Built-in types, shared by all compiles. */
extern struct type type_void, type_string, type_agg, type_unknown, type_error;
extern struct type type_char, type_schar, type_uchar, type_short, type_ushort, type_int, type_uint,
	type_long, type_ulong, type_llong, type_ullong, type_bool, type_float, type_double,
	type_ldouble;

/* Returns @t without typedefs. The result is never NULL, and its kind is never T_TYPEDEF. */
struct type *type_strip(struct type *t);

/*
 * Returns the members of the struct or union @t, or the parameters of the function @t (after
 * type_strip()), and sets *@n to their number. Reads them from BTF first if necessary. Returns NULL
 * and sets *@n to 0 if there are none.
 */
struct member *type_members(struct type *t, uint32_t *n);

/* Returns the enumerators of the enum @t, and sets *@n to their number. */
struct enumerator *type_enumerators(struct type *t, uint32_t *n);

/*
 * Finds the member @name of the struct or union @t, also in anonymous members. Sets *@out to the
 * member, with bitoff relative to @t. Returns false if there is no such member.
 */
bool type_member(struct type *t, const char *name, struct member *out);

/*
 * Returns the type of a pointer to @to, which is allocated from @a. Unless @to is a built-in type,
 * it keeps a pointer to the result, so @a must live as long as @to.
 */
struct type *type_ptr(struct arena *a, struct type *to);
/* Makes a pointer to memory of a process (D's userland qualifier). */
struct type *type_userland_ptr(struct arena *a, struct type *to);
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
 * Returns whether two types are the same in D. Typedefs do not matter. Structs, unions and enums
 * are the same if they have the same name. An unknown type is the same as every other.
 */
bool type_same(struct type *a, struct type *b);

/* Appends the type as D writes it, such as "struct sk_buff *", "uint32_t" or "char [16]". */
void type_name(struct type *t, struct strbuf *out);

/* ------------------------------------------------------------------ scopes */

enum tag_kind { TAG_STRUCT, TAG_UNION, TAG_ENUM, TAG_TYPEDEF, TAG_ENUMERATOR };

/*
 * A scope of type names. Scopes are chained: first the program's, then the library's, then the
 * kernel's (from BTF or ksim.h). The first scope that has a complete type of a name wins.
 */
struct scope {
	struct scope *outer;
	/* BTF in which names are looked up; NULL if the scope has only added names */
	struct btf *btf;
	struct arena *arena;       /* arena for the entries of added names */
	struct scope_entry *entry; /* added names, as a trie of hashes */
	/* the type `string` in this scope, whose size depends on D's strsize */
	struct type *string;
	/*
	 * In the outermost scope: looks up a type of the kernel module @mod, or of any module if
	 * @mod is NULL. The member is NULL if there are no modules.
	 */
	struct type *(*modules)(void *ctx, const char *mod, enum tag_kind kind, const char *name);
	void *modules_ctx;
	/*
	 * Called for a name that was not added. If this scope's text declares the name and the
	 * declaration was not parsed so far, adds the name and returns true. The member is NULL if
	 * the whole text was parsed.
	 */
	bool (*declare)(void *ctx, enum tag_kind kind, const char *name);
	void *declare_ctx;
};

/*
 * Initializes an empty scope. Names that were not added are looked up in @btf and in @outer, which
 * may both be NULL.
 */
void scope_init(struct scope *s, struct arena *a, struct scope *outer, struct btf *btf);

/*
 * For tests: adds up, over all added names, the number of entries that a search for the name
 * visits.
 */
uint64_t scope_probes(const struct scope *s);

/* Calls @fn for each name added to @s itself, in undefined order. */
void scope_each(const struct scope *s,
		void (*fn)(void *ctx, enum tag_kind kind, const char *name, struct type *t),
		void *ctx);

/*
 * Adds name @name with type @t to @s itself. If the name was added before, as for an incomplete
 * type, replaces its type. The caller checks for redeclarations.
 */
void scope_add(struct scope *s, enum tag_kind kind, const char *name, struct type *t);

/*
 * Returns the type that was added to @s itself under that name, or NULL. For TAG_ENUMERATOR,
 * returns the enum that contains the enumerator.
 */
struct type *scope_own(struct scope *s, enum tag_kind kind, const char *name);

/*
 * Looks up a name in the chain of scopes. Returns NULL if the name is unknown. TAG_TYPEDEF also
 * finds the usual type names of C that no text declares (int8_t, uint32_t, size_t, pid_t, u_char
 * ...).
 */
struct type *scope_find(struct scope *s, enum tag_kind kind, const char *name);

/* Like scope_find(), but looks in the kernel module @mod first, unless @mod is NULL. */
struct type *scope_find_of(struct scope *s, const char *mod, enum tag_kind kind, const char *name);

/*
 * Like scope_find(), but also looks in kernel modules: first in @mod, unless @mod is NULL, and then
 * in any module. This reads files, so it should be used only where the name would otherwise be an
 * error.
 */
struct type *scope_find_far(struct scope *s, const char *mod, enum tag_kind kind, const char *name);

/*
 * Finds the enumerator @name in any enum. Sets *@value to its value, and *@type to its enum if
 * @type is not NULL. Returns false if there is no such enumerator.
 */
bool scope_enumerator(struct scope *s, const char *name, int64_t *value, struct type **type);

#endif
