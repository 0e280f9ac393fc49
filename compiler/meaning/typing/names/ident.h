/*
 * ident.h - finds the meanings and types of names.
 */
#ifndef COMPILER_MEANING_TYPING_NAMES_IDENT_H
#define COMPILER_MEANING_TYPING_NAMES_IDENT_H

#include <stdbool.h>

#include "base/diag.h"
#include "compiler/syntax/ast.h"

struct compiler;
struct lang;

/* Type-checks @e, a name or a kernel symbol. Returns 0, or -1 with the error recorded. */
int sema_ident(struct compiler *c, struct expr *e);

/* Type-checks @e, this->name or self->name. Returns 0, or -1 with the error recorded. */
int sema_scoped(struct compiler *c, struct expr *e, enum decl_scope scope);

/*
 * Returns the expression that parameter @name of the current definition stands for, or NULL if it
 * has no such parameter.
 */
struct expr *ident_bound(struct compiler *c, const char *name);

/*
 * Returns whether @e is a kernel symbol: `x, or x if the program has declared x with extern. Sets
 * e->mod to "" in the second case.
 */
bool ident_is_symbol(struct compiler *c, struct expr *e);

/* Returns whether the language itself defines the name, as it does for timestamp, args and NULL. */
bool name_is_builtin(const struct lang *l, const char *name);

/*
 * Checks the name of a declaration in a program: two leading underscores are reserved for the
 * library. Returns 0, or -1 with the error recorded.
 */
int name_reserved(struct compiler *c, const char *name, struct loc loc);

/* Like name_reserved(), for the name in @e. Expressions in library texts may use reserved names. */
int ident_reserved(struct compiler *c, const struct expr *e);

/*
 * Sets c->wants->thread, the key of self-> variables, and type-checks it, unless this was done
 * before. In a clause whose probes do not exist here, only type-checks the key. Returns 0, or -1
 * with the error recorded.
 */
int ident_need_thread(struct compiler *c, const struct expr *e);

/*
 * Returns which kind of function @name is, for messages: "function", "tracing function" ... Returns
 * NULL if @name is no function that a program may call.
 */
const char *function_kind(const struct lang *l, const char *name);

#endif
