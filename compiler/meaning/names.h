/*
 * names.h - the names of one compile, for library texts (D texts that are built in, or read with
 * -L) and for the program.
 *
 * compiler/declarations.c adds names while the compiler reads texts. The type checker adds the
 * variables that clauses declare by assigning them. Library texts see the library's names only; a
 * program sees its own names first, then the library's.
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
	/*
	 * string class (forms that a string may have: strclass.h) of each key, over all uses of the
	 * array
	 */
	struct strclass *key_class;
	uint32_t nkey;
	struct strclass cls; /* string class of the variable, which covers all assignments */
	bool assigned;       /* the variable is assigned somewhere; otherwise it is always 0 */
	uint32_t nassign;    /* number of assignments that were type-checked */
	/* the library declares the variable; an array of the library is an LRU hash */
	bool lib;
	bool needed; /* for a variable of the library: compiled code reads it */
	/* position of a library's declaration in all library texts: see names_place() */
	uint32_t order;

	/* Where the variable is kept. code/layout.c sets these members. */
	/*
	 * Offset of the variable. global: in MAP_GLOBAL; this: in the scratch memory of the eBPF
	 * program; self: see with_task.
	 */
	int32_t off;
	int map; /* index in program.map, for an associative array or a self-> variable */
	/* a self-> variable in task storage: at offset @off in the value of map @map */
	bool with_task;
	/* an array whose only key is a socket: at offset @off in the value of map @map */
	bool with_socket;
	uint32_t index; /* number of the variable, in the order of declaration */
	uint32_t key_size, size;
	struct var *next;
};

/*
 * Returns whether the variable exists at run time. A variable of the library exists only if
 * something reads it and something assigns it.
 */
bool var_is_kept(const struct var *v);

/*
 * Returns whether the variable is in a hash, in an array in the arena, or in task storage (a BPF
 * map with a value for each thread). An entry may be missing there.
 */
bool var_in_map(const struct var *v);

/* Returns whether the variable is a struct, union, array or float, rather than a number or text. */
bool var_in_memory(const struct var *v);

/* ------------------------------------------------------------ aggregations */

struct agg {
	const char *name;
	/* aggregating function; NULL if no clause has updated the aggregation so far */
	const struct agg_fn_def *fn;
	int64_t param[4];
	int nparam;
	uint32_t nkey;
	struct type **key;
	struct strclass *key_class;
	/*
	 * Another aggregation that the same printa() prints in the same columns. Set only if one of
	 * the two has keys of unknown type; else NULL.
	 */
	struct agg *beside;
	const char **key_label; /* headings of the keys, from the first use; entries may be NULL */
	uint32_t index;         /* index in program.agg */
	struct loc loc;
	unsigned nunits; /* number of eBPF programs (units) that update the aggregation */
	/* number of the last unit that @nunits has counted, from 1, or 0 if none */
	size_t last_unit;
	struct agg *next;
};

/* --------------------------------------------------------------- all names */

/* The stability that pragmas give to a provider's probes. */
struct provider_attrs {
	const char *prov;
	struct provider_stability is;
};

/* The stability that a pragma gives to an identifier. */
struct ident_attrs {
	const char *name;
	bool lib;
	struct stability is;
};

/*
 * Functions that parse declarations of library texts, when a program first needs the declarations.
 * All are NULL if the library texts are parsed completely at the start.
 */
struct undeclared {
	/*
	 * Parses the translators to structs with tag @tag, or to structs without a tag if @tag is
	 * "".
	 */
	void (*translators)(void *ctx, const char *tag);
	void (*pragmas)(void *ctx);
	/* Parses the declaration with number @item in the library's index. */
	void (*item)(void *ctx, uint32_t item);
	void *ctx;
};

/* A library text, and the number of bytes of all library texts before it. */
struct text_place {
	const struct src *src;
	uint32_t order;
};

struct names {
	struct arena *arena; /* lives as long as the compile */
	/* the interned names, so that equal names have the same address */
	struct intern intern;
	struct btf *btf; /* the kernel's types; NULL in replay */
	/*
	 * Scopes of types. Library texts see the kernel's types too, and the user's program sees
	 * the types of all three.
	 */
	struct scope kernel, lib, user;
	struct symtab syms; /* variables, inlines, aggregations and so on */
	VEC(struct translator *) xl;
	VEC(struct provider_attrs) provider_attrs;
	VEC(struct ident_attrs) ident_attrs;
	/* sorted by var.order */
	struct var *vars, **vars_end;
	struct agg *aggs, **aggs_end;
	uint32_t nvar, nagg;
	struct undeclared undeclared;
	VEC(struct text_place) texts; /* the library texts, in order */
};

/*
 * Returns the offset of @loc in all library texts, as if they were one text. Returns NOT_DECLARED
 * if @loc is in none of them.
 */
uint32_t names_place(const struct names *n, struct loc loc);

/*
 * Returns the variable that @name means in library text if @lib is set, else in a program. Returns
 * NULL if it means none.
 */
struct var *var_find(const struct names *n, bool lib, enum decl_scope scope, const char *name);

/*
 * Declares a variable that does not exist yet. The variable lives as long as the compile. @order is
 * the result of names_place() for the declaration, or NOT_DECLARED. The list of variables is sorted
 * by @order, because the library's declarations may be parsed in any order.
 */
struct var *var_add(struct names *n, bool lib, enum decl_scope scope, const char *name,
		    struct type *type, uint32_t order);

/*
 * The @order of a variable that no library text declares: the program declares it, or an assignment
 * creates it.
 */
#define NOT_DECLARED UINT32_MAX

/*
 * Returns the inline that @name means in library text if @lib is set, else in a program. Returns
 * NULL if it means none.
 */
struct decl_inline *inline_find(const struct names *n, bool lib, const char *name);

/* Returns the aggregation of that name, or NULL. */
struct agg *agg_find(const struct names *n, const char *name);

/* Returns whether some aggregation has keys. */
bool agg_any_keys(const struct names *n);

/*
 * Like agg_find(), but creates the aggregation if it is missing. @loc is the position of the name.
 */
struct agg *agg_get(struct names *n, const char *name, struct loc loc);

#endif
