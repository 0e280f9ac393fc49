/*
 * libindex.h - an index of the declarations in the library's texts.
 *
 * The library is the D text that is built into dtrace. Most programs need little of it, so the
 * compiler parses a declaration when a program, or another declaration, first needs it. The index
 * says where the declaration of a name is. A build makes the index by parsing all texts
 * (libindex_make()) and writes it as C (tools/libindex.c).
 *
 * The tables contain offsets and no pointers, so they are read in place and need no relocation.
 */
#ifndef COMPILER_SYNTAX_LIBINDEX_H
#define COMPILER_SYNTAX_LIBINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct diag;

/* A D text that is built in. */
struct library_text {
	const char *name;
	const char *text; /* NUL-terminated */
	size_t len;
};

/* The kinds of names in the index. The first five are the values of enum tag_kind. */
enum lib_kind {
	LIB_STRUCT,
	LIB_UNION,
	LIB_ENUM,
	LIB_TYPEDEF,
	LIB_ENUMERATOR,
	LIB_GLOBAL,
	LIB_THIS,
	LIB_SELF,
	LIB_EXTERN,
	LIB_INLINE,
	/* a translator; the name is the tag of the output struct, or "" if it has none */
	LIB_TRANSLATOR,
	LIB_PRAGMA, /* a "#pragma D" line; the name is "" */
};

/* A declaration: the bytes [@from, @to) of a library text. */
struct lib_item {
	uint32_t from, to;
	uint32_t text; /* index of the library text */
};

/* A declared name. Several declarations may have the same kind and name. */
struct lib_name {
	uint32_t name;
	uint16_t kind; /* enum lib_kind */
	uint16_t item;
};

/* A probe of a provider declaration. */
struct lib_probe {
	uint32_t prov, name;
	uint16_t decl;  /* index of the item with the provider */
	uint16_t deriv; /* index of the item that says which hooks fire the probe, or NO_ITEM */
	uint32_t off;   /* byte offset of the derivation in its library text */
};

#define NO_ITEM UINT16_MAX

/*
 * One probe description of a hidden clause: a clause of the library, which saves values for other
 * definitions of the library.
 */
struct lib_clause {
	uint32_t off; /* byte offset of the description in its library text */
	/*
	 * the names that the clause may set: the @nset elements of libindex.set from this index on
	 */
	uint32_t set;
	uint16_t nset;
	uint16_t item;
	uint16_t desc;  /* index of the description in the clause */
	uint16_t chain; /* index of the first lib_clause of this clause and its alternatives */
};

struct libindex {
	const struct lib_item *item; /* in the order of the library texts */
	const struct lib_name *name; /* sorted by the name's text, then by kind, then by item */
	const struct lib_probe *probe;
	const struct lib_clause *clause;
	const uint32_t *set;
	const char *text; /* the names themselves; the other tables have offsets into this text */
	uint32_t nitem, nname, nprobe, nclause, nset, ntext;
};

/*
 * Returns the index of the first entry of x->name with kind @kind and name @name, or x->nname if
 * there is none.
 */
uint32_t libindex_find(const struct libindex *x, enum lib_kind kind, const char *name);

/*
 * Returns whether entry @i of x->name exists and has kind @kind and name @name. To visit all such
 * entries, a caller counts @i up from the result of libindex_find() while this function returns
 * true.
 */
bool libindex_is(const struct libindex *x, uint32_t i, enum lib_kind kind, const char *name);

/*
 * Parses @texts and makes their index. @types are texts with the types that @texts use without
 * declaring them, or NULL. A NULL name ends each list. Everything is allocated in @a. Returns 0, or
 * -1 with the error in @d.
 */
int libindex_make(struct arena *a, const struct library_text *types,
		  const struct library_text *texts, struct libindex *out, struct diag *d);

#endif
