/*
 * fit.c - tells which types fit where another type is needed.
 */
#include "compiler/meaning/typing/types/fit.h"

#include "compiler/meaning/expr.h"
#include "compiler/meaning/strclass.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/* Returns whether @t is the type of a string, or of characters in memory that can become one. */
static bool type_is_text(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_STRING ||
	       ((t->kind == T_ARRAY || t->kind == T_PTR) && type_strip(t->to)->is_char);
}

static bool type_is_open(struct type *t)
{
	return type_is(t, T_UNKNOWN) || type_is(t, T_ERROR);
}

bool type_assignable(struct type *to, struct type *from)
{
	if (type_is_open(to) || type_is_open(from))
		return true;
	if (type_is(to, T_STRING))
		return type_is_text(from);
	if (type_is(to, T_PTR))
		return type_is(from, T_PTR) || type_is_integer(from) || type_is(from, T_ARRAY);
	if (type_is_integer(to))
		return type_is_scalar(from);
	return type_same(to, from);
}

/* Returns whether a pointer to @from may be used as a pointer to @to. */
static bool pointee_fits(struct type *to, struct type *from)
{
	to = type_strip(to);
	from = type_strip(from);
	return to->kind == T_VOID || from->kind == T_VOID || type_same(to, from) ||
	       (to->kind == T_INT && from->kind == T_INT && to->size == from->size);
}

bool type_fits(struct type *to, const struct expr *e)
{
	struct type *from = e->type;

	if (!type_is(to, T_PTR))
		return type_assignable(to, from) && !(type_is_integer(to) && type_is(from, T_PTR));
	if (type_is(from, T_PTR) || type_is(from, T_ARRAY))
		return pointee_fits(type_strip(to)->to, type_strip(from)->to);
	return type_is_open(from) || (type_is_integer(from) && expr_is_zero(e));
}

bool inline_fits(struct type *to, const struct expr *e)
{
	return expr_is_xlated(e) ? type_same(to, type_strip(e->type)->to) : type_fits(to, e);
}

bool type_is_text_pointer(struct type *t)
{
	return type_is(t, T_PTR) && type_is_text(t);
}

bool expr_is_text(const struct expr *e)
{
	return type_is_text(e->type);
}

bool expr_may_be_string(const struct expr *e)
{
	return expr_is_text(e) || str_is_null(e);
}
