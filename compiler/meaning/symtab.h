/*
 * symtab.h - what names stand for: a hash from interned names.
 *
 * Library texts and programs have names of their own: a program sees the library's
 * behind its own, a library text sees no program's.
 */
#ifndef COMPILER_SYMTAB_H
#define COMPILER_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>

struct symtab_slot;

enum name_kind {
	NAME_GLOBAL, /* the first three: as enum decl_scope */
	NAME_THIS,
	NAME_SELF,
	NAME_INLINE,
	NAME_AGG,
	NAME_EXTERN, /* declared with extern: what the kernel has under that name */
	NAME_TEXT,   /* of program.str: a pointer to its index */
	NAME_PROTO,  /* the text of a prototype: its type */
};

struct symtab {
	struct symtab_slot *slot;
	size_t n, cap; /* cap is a power of two */
};

/* An all-zero symtab is empty. */
void symtab_release(struct symtab *t);

/* @name is interned; @lib: the library's.  A name that is there already gets the new meaning. */
void symtab_put(struct symtab *t, enum name_kind kind, bool lib, const char *name, void *what);

/* NULL: it stands for nothing there. */
void *symtab_get(const struct symtab *t, enum name_kind kind, bool lib, const char *name);

/* Calls @fn for each name, in no order. */
void symtab_each(const struct symtab *t,
		 void (*fn)(void *ctx, enum name_kind kind, bool lib, const char *name), void *ctx);

#endif
