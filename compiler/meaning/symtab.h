/*
 * symtab.h - hash table from interned names to their meanings.
 *
 * Library texts and programs have names of their own. A program sees the library's names after its
 * own; a library text does not see a program's.
 */
#ifndef COMPILER_MEANING_SYMTAB_H
#define COMPILER_MEANING_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>

struct symtab_slot;

enum name_kind {
	NAME_GLOBAL, /* the first three: as enum decl_scope */
	NAME_THIS,
	NAME_SELF,
	NAME_INLINE,
	NAME_AGG,
	NAME_EXTERN, /* declared with extern: a kernel symbol */
	NAME_TEXT,   /* text of program.str: a pointer to its index */
	NAME_PROTO,  /* text of a prototype: its type */
};

struct symtab {
	struct symtab_slot *slot;
	size_t n, cap; /* cap is a power of two */
	/*
	 * Called for a library's name that is not in the table. If a library text that is not
	 * parsed so far declares the name, declares it and returns true. NULL: all names are in the
	 * table.
	 */
	bool (*declare)(void *ctx, enum name_kind kind, const char *name);
	/* Declares all names of the library that are not in the table. NULL: all are in it. */
	void (*declare_all)(void *ctx);
	void *ctx;
};

/* An all-zero symtab is empty. */
void symtab_release(struct symtab *t);

/* Sets the meaning of interned @name. @lib: in library texts. An old meaning is replaced. */
void symtab_put(struct symtab *t, enum name_kind kind, bool lib, const char *name, void *what);

/* Returns the meaning of a name, or NULL. Declares a library's name that is not in the table. */
void *symtab_get(const struct symtab *t, enum name_kind kind, bool lib, const char *name);

/* Calls @fn for each name, in undefined order. */
void symtab_each(const struct symtab *t,
		 void (*fn)(void *ctx, enum name_kind kind, bool lib, const char *name), void *ctx);

#endif
