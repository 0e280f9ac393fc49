/*
 * symtab.h - a hash table that finds the meanings of interned names.
 *
 * The library (the D texts that are built in) and the program have separate names. A program sees
 * its own names first, then the library's; a library text does not see a program's names.
 */
#ifndef COMPILER_MEANING_SYMTAB_H
#define COMPILER_MEANING_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>

struct symtab_slot;

enum name_kind {
	NAME_GLOBAL, /* the first three have the values of enum decl_scope */
	NAME_THIS,
	NAME_SELF,
	NAME_INLINE,
	NAME_AGG,
	NAME_EXTERN, /* a kernel symbol that is declared with extern */
	NAME_TEXT,   /* a text of program.str; the meaning is a pointer to its index */
	NAME_PROTO,  /* the text of a prototype; the meaning is its type */
};

struct symtab {
	struct symtab_slot *slot;
	size_t n, cap; /* cap is a power of two */
	/*
	 * Called for a library's name that is not in the table. If a library text that is not
	 * parsed yet declares the name, parses the declaration and returns true. NULL if all names
	 * are in the table.
	 */
	bool (*declare)(void *ctx, enum name_kind kind, const char *name);
	/*
	 * Parses all declarations of the library whose names are not in the table. NULL if all
	 * names are in it.
	 */
	void (*declare_all)(void *ctx);
	void *ctx;
};

/* Frees the table. A struct symtab that is all zeros is an empty table. */
void symtab_release(struct symtab *t);

/*
 * Sets the meaning of interned @name, in library texts if @lib is set, else in the program.
 * Replaces an earlier meaning.
 */
void symtab_put(struct symtab *t, enum name_kind kind, bool lib, const char *name, void *what);

/*
 * Returns the meaning of a name, or NULL. Parses the declaration of a library's name that is not in
 * the table yet.
 */
void *symtab_get(const struct symtab *t, enum name_kind kind, bool lib, const char *name);

/* Calls @fn for each name, in undefined order. */
void symtab_each(const struct symtab *t,
		 void (*fn)(void *ctx, enum name_kind kind, bool lib, const char *name), void *ctx);

#endif
