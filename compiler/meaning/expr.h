/*
 * expr.h - facts about expressions that have been type-checked, for everything in the compiler
 * after the parser.
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

/* Returns whether @e is the result of a translator. A program can use only its members. */
static inline bool expr_is_xlated(const struct expr *e)
{
	return type_is(e->type, T_XLATED);
}

/* Returns whether the type of @e depends on a probe that does not exist here. */
static inline bool expr_is_unknown(const struct expr *e)
{
	return type_is(e->type, T_UNKNOWN);
}

/* Returns whether @e is the constant 0. */
static inline bool expr_is_zero(const struct expr *e)
{
	return e->is_const && !e->value;
}

/*
 * Returns the expression that @e stands for. A name that is bound to an expression, such as a
 * parameter of an inline, stands for that expression.
 */
static inline const struct expr *expr_target(const struct expr *e)
{
	while (e->kind == E_IDENT && e->symkind == SYM_BOUND)
		e = e->ref.bound;
	return e;
}

/* Like expr_target(), but also skips conversions that keep the value. */
const struct expr *expr_kept(const struct expr *e);

/* Returns whether evaluating @e assigns to a variable. @e may be NULL. */
bool expr_changes(const struct expr *e);

/*
 * If @e is a pointer, returns the type that it points to; else returns the type of @e. Typedefs of
 * the result are resolved.
 */
struct type *expr_pointee(const struct expr *e);

/* Returns the member that @e names; @e is an E_MEMBER. */
struct member expr_member(const struct expr *e);

/*
 * Returns the heading of a column that shows @e: the name of the member, variable or function in
 * @e. Returns NULL if @e has no such name.
 */
const char *expr_label(const struct expr *e);

/* Returns @e as D text, for messages, in the arena. */
const char *expr_source(const struct compiler *c, const struct expr *e);

/* Returns the type as D text, such as "struct sk_buff *", in the arena. */
const char *type_text(const struct compiler *c, struct type *t);

/*
 * Returns the text "type of @a" @op "type of @b" for a message that the types do not fit. If both
 * types have the same text, such as "struct <anon>", says that they differ. The text is in the
 * arena.
 */
const char *type_texts(const struct compiler *c, struct type *a, const char *op, struct type *b);

#endif
