/*
 * sema.h - what names mean: the tables the compiler builds while it reads.
 *
 * One struct compiler compiles one program: the library texts, then the user's
 * texts, to one struct program.
 */
#ifndef COMPILER_SEMA_H
#define COMPILER_SEMA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/filter.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes.h"
#include "compiler/meaning/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/* -------------------------------------------------------------------- calls */

/* Types @e in place.  0, or -1 with the error recorded. */
int sema_expr(struct compiler *c, struct expr *e);

/* Where a value is shown, or a key of what is shown, an array of characters is the text in it. */
void sema_show(struct compiler *c, struct expr **e);

/* Does the call have @min to @max arguments?  0, or -1 with the error recorded under @tag. */
int sema_nargs(struct compiler *c, const struct expr *call, uint32_t min, uint32_t max,
	       enum dtag tag);

/* Argument @i, typed, is not the @proto that the function takes: records that, returns -1. */
int sema_bad_arg(struct compiler *c, const struct expr *call, uint32_t i, const char *proto);

/* Types a clause's actions, and its predicate.  0, or -1 with the error recorded. */
int sema_stmts(struct compiler *c, struct stmt *s);
int sema_predicate(struct compiler *c, struct expr *e);

/*
 * Gives variables and keys a type that only clauses of absent probes assign: they are numbers,
 * which stay 0.  To be called when all clauses are typed.
 */
void sema_settle(struct compiler *c);

/*
 * May the actions of a clause, all typed, stand together as they do?  0, or -1 with the error
 * recorded.
 */
int sema_order(struct compiler *c, const struct stmt *s);

/* Is the definition right?  Of an inline that is being declared, and is not known yet. */
int sema_inline(struct compiler *c, struct decl_inline *in);

/* Checks what a translator says of its output, a program's completely, and makes it known. */
int sema_translator(struct compiler *c, struct translator *x);

/* Is there a translator for each of the arguments, and does it take what it is given? */
int sema_provider(struct compiler *c, const struct provider_decl *pd);

/* Types the guard and native arguments of one `on` for hook @h; clones them first. */
int sema_hook(struct compiler *c, struct probe *p, const struct hook_on *on, struct host_probe *h,
	      struct hook_use *out);

/* Names in two underscores are not for programs: 0, or -1 with the error recorded. */
int name_reserved(struct compiler *c, const char *name, struct loc loc);
/* Does the language itself give the name a meaning: timestamp, args, NULL? */
bool name_is_builtin(const struct lang *l, const char *name);

/* ---- dump.c ---- */

/* All clauses as they are compiled, hidden ones too: what -x dump=typed shows. */
void sema_dump(struct compiler *c, struct strbuf *out);

/* ---- hintname.c ---- */

/* Right after the error that there is no aggregation @name: a near one. */
void hint_aggregation(struct compiler *c, const char *name);

/* ---- prefix.c ---- */

/* May cidr( ), net( ) be called so?  0, or -1 with the error recorded. */
int sema_cidr(struct compiler *c, const struct expr *call);
int sema_net(struct compiler *c, const struct expr *call);

/* ---- shape.c ---- */

/* The type as plain data; in the arena. */
const struct shape *shape_of(struct compiler *c, struct type *named);

/* ---- shown.c ---- */

/* Types a call of stack( ), which the caller has found to be recorded. */
int sema_stack(struct compiler *c, struct expr *call);

/* The same of ustack( ) and jstack( ), and of sym( ), func( ), usym( ) ... */
int sema_ustack(struct compiler *c, struct expr *call);
int sema_symaddr(struct compiler *c, struct expr *call);

/* Is it of a type that is recorded only, and shown in a way of its own? */
bool type_is_shown(struct type *t);

#endif
