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
	LIB_TRANSLATOR, /* to the struct of that tag; "": to a struct without a tag */
	LIB_PRAGMA,     /* about stability; the name is "" */
};

/* A declaration: bytes [from, to) of a text. */
struct lib_item {
	uint32_t from, to;
	uint32_t text; /* index of the text */
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
	uint16_t decl;  /* item of the provider */
	uint16_t deriv; /* item of the derivation; NO_ITEM: none */
	uint32_t off;   /* byte offset of the derivation's probe in its text */
};

#define NO_ITEM UINT16_MAX

/* A description of a hidden clause. */
struct lib_clause {
	uint32_t off; /* byte offset of the description in its text */
	uint32_t set; /* names that the clause may set: nset elements of libindex.set from here */
	uint16_t nset;
	uint16_t item;
	uint16_t desc;  /* index of the description in the clause */
	uint16_t chain; /* index of the first lib_clause of a clause and its alternatives */
};

struct libindex {
	const struct lib_item *item; /* in the order of the texts */
	const struct lib_name *name; /* sorted by the name's text, then by kind, then by item */
	const struct lib_probe *probe;
	const struct lib_clause *clause;
	const uint32_t *set;
	const char *text; /* texts of all names; other members have offsets into it */
	uint32_t nitem, nname, nprobe, nclause, nset, ntext;
};

/* Returns the first of the names of that kind and text, or x->nname if there is none. */
uint32_t libindex_find(const struct libindex *x, enum lib_kind kind, const char *name);

/*
 * Returns whether name @i exists and has that kind and text. A caller counts @i up from the result
 * of libindex_find() while this is true.
 */
bool libindex_is(const struct libindex *x, uint32_t i, enum lib_kind kind, const char *name);

/*
 * Parses @texts and makes their index. @types: texts of the types that @texts may refer to without
 * declaring them; NULL: none. A NULL name ends each list. Everything is allocated in @a. Returns 0,
 * or -1 with the error in @d.
 */
int libindex_make(struct arena *a, const struct library_text *types,
		  const struct library_text *texts, struct libindex *out, struct diag *d);

#endif
