/*
 * session.h - one compiler and everything that it owns. Only the files of this folder use it.
 */
#ifndef COMPILER_SESSION_H
#define COMPILER_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "compiler/libdir.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/libindex.h"
#include "ir/ir.h"

/* A line "#pragma D option NAME=VALUE". */
struct option_setting {
	const char *name, *value;
	struct loc loc;
};

/* Built-in D texts, and which of their declarations the compiler has begun to parse. */
struct library {
	struct session *s;
	const struct libindex *index;
	struct scope *scope; /* scope of the types that the texts declare */
	struct src *src;
	bool *begun; /* begun[i] is set once the parsing of declaration i has begun */
};

/*
 * Name of the inline that -x slower sets. Its value is the least duration that the user wants to
 * see, in ns.
 */
#define SLOWER "slower"

struct session {
	/* must be first, because a struct compiler * is cast to a struct session * */
	struct compiler c;
	struct arena arena;
	struct names names;
	struct wants wants;
	struct probes probes;
	struct ir_target target;
	struct typing typing; /* state of the type checker outside of clauses */
	struct compile_opts o;
	struct libdir dir;   /* library files read with -L */
	VEC(struct ast) lib; /* syntax trees of the library texts */
	uint32_t order;      /* total bytes of the library texts so far: see names_place() */
	struct library own, ksim;
	VEC(struct option_setting) option;
	VEC(const char *) warning; /* warnings for the user */
	/* 1 + index of the one warning that lists the probes that a capture lacks; 0 if none yet */
	size_t skipped;
	bool filtered; /* some enabled probe is filtered */
	bool finished; /* compiler_finish() was called */
};

/* A function here that can fail returns 0, or -1 with the error recorded. */

/* ---- declarations.c ---- */

/* Checks that the enums of a program do not redeclare names. */
int check_enums(struct compiler *c, const struct decl_enum *d);

/*
 * Adds the inlines, variables and translators of @t that stand before byte @end, in the order of
 * the text, and removes them from @t.
 */
int add_names(struct compiler *c, struct ast *t, uint32_t end);

/* Adds the providers and derivations of @t. */
int add_declarations(struct compiler *c, const struct ast *t);

/*
 * Adds probe @name of provider @prov, which is declared in D, with the next free ID. Returns the
 * new probe.
 */
struct probe *stable_add(struct compiler *c, const char *prov, const char *name);

/* ---- compile.c ---- */

/* Returns whether the text that contains @loc has "#pragma D option quiet". */
bool text_is_quiet(const struct session *s, struct loc loc);

/* ---- libraries.c ---- */

/* Opens the kernel's types, or the types of replay. */
int libraries_open_types(struct session *s);

/*
 * Reads the index of the library, whose declarations are parsed when they are needed. Then reads
 * the files of -L.
 */
int libraries_load(struct session *s);

/* Returns whether there is a provider that matches @name and has probes. */
bool libraries_have(struct compiler *c, const char *name);

/* ---- enable.c ---- */

/*
 * Enables clause @cl for description @desc. Adds to @matched the number of probes that @desc
 * matches.
 */
int enable_clause(struct session *s, struct clause *cl, const struct probe_desc *desc,
		  unsigned *matched);

/* Returns @desc with all four fields, as text in the arena. */
const char *desc_full_text(struct compiler *c, const struct probe_desc *desc);

/* Records the error that no probe has the ID in @desc. Returns -1. */
int desc_unknown_id(struct compiler *c, const struct probe_desc *desc);

#endif
