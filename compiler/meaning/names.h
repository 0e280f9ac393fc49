/*
 * names.h - the names of one compile, for library texts and for the program.
 *
 * The driver adds names while it reads texts. Typing adds variables that clauses declare by
 * assigning them. Library texts see the library's names; a program sees its own names first.
 */
#ifndef COMPILER_MEANING_NAMES_H
#define COMPILER_MEANING_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "base/stability.h"
#include "base/vec.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/symtab.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct agg_fn_def;
struct arena;
struct btf;

/* --------------------------------------------------------------- variables */

struct var {
	enum decl_scope scope;
	const char *name;
	struct type *type;
	bool assoc;
	struct type **key;
	struct strclass *key_class; /* classes of the string keys: union over all uses */
	uint32_t nkey;
	struct strclass cls; /* class of a string variable: union over all assignments */
	bool assigned;       /* assigned anywhere; otherwise it is always 0 */
	uint32_t nassign;    /* number of assignments in the program */
	bool lib;            /* declared by the library; its arrays are LRU hashes */
	bool needed;         /* lib: compiled code reads it */
	uint32_t order;      /* declared by the library: its place in all library texts */

	/* Where the variable is kept; set by code/layout.c. */
	/* global: offset in MAP_GLOBAL; this: in the unit's scratch; self: see with_task */
	int32_t off;
	int map;        /* associative arrays, self: index in program.map */
	bool with_task; /* self: in task storage, at @off of the value of @map */
	uint32_t index; /* number of the variable, in the order of declaration */
	uint32_t key_size, size;
	struct var *next;
};

/* Returns whether the variable is in a hash or in task storage, where an entry may be missing. */
bool var_in_map(const struct var *v);

/* Returns whether the variable is a struct, union, array or float, rather than a number or text. */
bool var_in_memory(const struct var *v);

/* ------------------------------------------------------------ aggregations */

struct agg {
	const char *name;
	const struct agg_fn_def *fn; /* NULL: not updated so far */
	int64_t param[4];
	int nparam;
	uint32_t nkey;
	struct type **key;
	struct strclass *key_class;
	/* another aggregation of the same printa(), if one of the two has keys of unknown type */
	struct agg *beside;
	const char **key_label; /* headings of the keys, from the first use; entries may be NULL */
	uint32_t index;         /* in program.agg */
	struct loc loc;
	unsigned nunits;  /* number of units that update the aggregation */
	size_t last_unit; /* the last unit counted in @nunits, from 1; 0: none */
	struct agg *next;
};

/* --------------------------------------------------------------- all names */

/* A pragma about the stability of a provider's probes. */
struct provider_attrs {
	const char *prov;
	struct provider_stability is;
};

/* A pragma about the stability of an identifier. */
struct ident_attrs {
	const char *name;
	bool lib;
	struct stability is;
};

/*
 * Functions that parse declarations of library texts when a program first needs them. NULL
 * functions: the texts are parsed completely.
 */
struct undeclared {
	/* Declares the translators to structs with tag @tag ("": to structs without a tag). */
	void (*translators)(void *ctx, const char *tag);
	void (*pragmas)(void *ctx);
	/* Parses a declaration by its number in the index. */
	void (*item)(void *ctx, uint32_t item);
	void *ctx;
};

/* A library text, and the number of bytes of all library texts before it. */
struct text_place {
	const struct src *src;
	uint32_t order;
};

struct names {
	struct arena *arena;            /* of the compile */
	struct intern intern;           /* each text once */
	struct btf *btf;                /* the kernel's types; NULL in replay */
	struct scope kernel, lib, user; /* types: each scope sees the ones before it */
	struct symtab syms;             /* variables, inlines, aggregations and so on */
	VEC(struct translator *) xl;
	VEC(struct provider_attrs) provider_attrs;
	VEC(struct ident_attrs) ident_attrs;
	struct var *vars, **vars_end; /* in the order of declaration */
	struct agg *aggs, **aggs_end;
	uint32_t nvar, nagg;
	struct undeclared undeclared;
	VEC(struct text_place) texts; /* of the library */
};

/*
 * Returns the offset of @loc in all library texts, as if they were one text; NOT_DECLARED if @loc
 * is in none of them.
 */
uint32_t names_place(const struct names *n, struct loc loc);

/* Returns the variable that @name means in library text (@lib) or in a program, or NULL. */
struct var *var_find(const struct names *n, bool lib, enum decl_scope scope, const char *name);

/*
 * Declares a variable, which must not exist yet. It lives as long as the compile. @order is the
 * result of names_place() for its declaration, or NOT_DECLARED. The list of variables is sorted by
 * @order, because the library's declarations may be parsed in any order.
 */
struct var *var_add(struct names *n, bool lib, enum decl_scope scope, const char *name,
		    struct type *type, uint32_t order);

/* Order of a variable that a program declares, or that an assignment creates. */
#define NOT_DECLARED UINT32_MAX

/* Returns the inline that @name means in library text (@lib) or in a program, or NULL. */
struct decl_inline *inline_find(const struct names *n, bool lib, const char *name);

/* Returns the aggregation of that name, or NULL. */
struct agg *agg_find(const struct names *n, const char *name);

/* Returns whether some aggregation has keys. */
bool agg_any_keys(const struct names *n);

/* As agg_find(), but creates a missing aggregation. @loc: position of the name. */
struct agg *agg_get(struct names *n, const char *name, struct loc loc);

#endif
