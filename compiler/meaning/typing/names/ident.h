/*
 * ident.h - typing of names.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_IDENT_H
#define COMPILER_MEANING_TYPING_NAMES_IDENT_H

#include <stdbool.h>

#include "base/diag.h"
#include "compiler/syntax/ast.h"

struct compiler;
struct lang;

/* Types @e, a name or a kernel symbol. Returns 0, or -1 with the error recorded. */
int sema_ident(struct compiler *c, struct expr *e);

/* Types @e, this->name or self->name. Returns 0, or -1 with the error recorded. */
int sema_scoped(struct compiler *c, struct expr *e, enum decl_scope scope);

/* Returns the expression that is bound to @name here, or NULL. */
struct expr *ident_bound(struct compiler *c, const char *name);

/* Returns whether @e is a kernel symbol: `x, or x if the program has declared it with extern. */
bool ident_is_symbol(struct compiler *c, struct expr *e);

/* Returns whether the language itself defines the name, as timestamp, args or NULL. */
bool name_is_builtin(const struct lang *l, const char *name);

/*
 * Checks a declared name: two leading underscores are reserved for the library. Returns 0, or -1
 * with the error recorded.
 */
int name_reserved(struct compiler *c, const char *name, struct loc loc);

/* As name_reserved(), for the name in @e. Expressions of library texts may use reserved names. */
int ident_reserved(struct compiler *c, const struct expr *e);

/*
 * Makes sure that the key of self-> variables is typed. Returns 0, or -1 with the error recorded.
 */
int ident_need_thread(struct compiler *c, const struct expr *e);

/* Returns what @name is, such as "function" or "tracing function", or NULL if it is no function. */
const char *function_kind(const struct lang *l, const char *name);

#endif
