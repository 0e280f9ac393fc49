/*
 * ident.h - typing of names.
 */
#ifndef COMPILER_MEANING_TYPING_IDENT_H
#define COMPILER_MEANING_TYPING_IDENT_H

#include <stdbool.h>

#include "base/diag.h"
#include "compiler/syntax/ast.h"

struct compiler;
struct lang;

/* Types @e, a name or a kernel symbol.  0, or -1 with the error recorded. */
int sema_ident(struct compiler *c, struct expr *e);

/* Types @e, this->name or self->name.  0, or -1 with the error recorded. */
int sema_scoped(struct compiler *c, struct expr *e, enum decl_scope scope);

/* The expression that is bound to @name here; NULL: none is. */
struct expr *ident_bound(struct compiler *c, const char *name);

/* Is @e a kernel symbol: `x, or x where the program has declared it with extern? */
bool ident_is_symbol(struct compiler *c, struct expr *e);

/* Does the language itself give the name a meaning: timestamp, args, NULL? */
bool name_is_builtin(const struct lang *l, const char *name);

/* Names with two leading underscores are the library's: 0, or -1 with the error recorded. */
int name_reserved(struct compiler *c, const char *name, struct loc loc);

/* The same for a name in an expression, which library text may use. */
int ident_reserved(struct compiler *c, const struct expr *e);

/* Makes sure that the key of self-> variables is typed.  0, or -1 with the error recorded. */
int ident_need_thread(struct compiler *c, const struct expr *e);

/* "function", "tracing function" ... if @name is one; otherwise NULL. */
const char *function_kind(const struct lang *l, const char *name);

#endif
