/*
 * expr.h - questions about typed expressions.
 *
 * Every part of the compiler behind the parser asks them, code generation most of all.
 */
#ifndef COMPILER_MEANING_EXPR_H
#define COMPILER_MEANING_EXPR_H

#include <stdbool.h>

#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct compiler;

static inline bool expr_is_string(const struct expr *e)
{
	return type_is(e->type, T_STRING);
}

/* Does a translator give it?  Then only its members exist. */
static inline bool expr_is_xlated(const struct expr *e)
{
	return type_is(e->type, T_XLATED);
}

/* Does its type depend on a probe that does not exist here? */
static inline bool expr_is_unknown(const struct expr *e)
{
	return type_is(e->type, T_UNKNOWN);
}

/* Is it the constant 0? */
static inline bool expr_is_zero(const struct expr *e)
{
	return e->is_const && !e->value;
}

/* Sees through bound names: the expression that @e stands for. */
static inline const struct expr *expr_target(const struct expr *e)
{
	while (e->kind == E_IDENT && e->symkind == SYM_BOUND)
		e = e->ref.bound;
	return e;
}

/* The same, and sees through conversions that leave the value as it is. */
const struct expr *expr_kept(const struct expr *e);

/* Does evaluating it change a variable?  NULL does not. */
bool expr_changes(const struct expr *e);

/* The type that a pointer or array leads to, without typedefs; otherwise the type itself. */
struct type *expr_pointee(const struct expr *e);

/* The member that @e, an E_MEMBER, names. */
struct member expr_member(const struct expr *e);

/*
 * The heading of a column that shows @e: the name of the member, variable or function.  NULL: it
 * has no name.
 */
const char *expr_label(const struct expr *e);

/* The expression as D text, for messages.  In the arena. */
const char *expr_source(const struct compiler *c, const struct expr *e);

/* The type as D text: "string", "struct sk_buff *".  In the arena. */
const char *type_text(const struct compiler *c, struct type *t);

#endif
