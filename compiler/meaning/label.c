/*
 * label.c - what a column is called that shows an expression.
 */
#include <stddef.h>

#include "compiler/meaning/sema.h"

/* A calculation with constants has the label of its variable part: "us" for this->us / 1000. */
static const char *of_two(const struct expr *a, const struct expr *b)
{
	if (a->is_const || a->kind == E_STR)
		return expr_label(b);
	return b->is_const || b->kind == E_STR ? expr_label(a) : NULL;
}

const char *expr_label(const struct expr *e)
{
	const char *last;

	if (e->written)
		e = e->written;
	switch (e->kind) {
	case E_IDENT:
	case E_THIS:
	case E_SELF:
	case E_MEMBER:
	case E_CALL:
		return e->name;
	case E_UNARY:
	case E_INDEX:
	case E_CAST:
	case E_STRINGOF:
	case E_XLATE:
		return e->a ? expr_label(e->a) : e->name;
	case E_BINARY:
		return of_two(e->a, e->b);
	case E_COND: /* a choice of values; of literals only the condition has a name */
		last = expr_label(e->b) ? expr_label(e->b) : expr_label(e->c);
		return last ? last : expr_label(e->a);
	case E_ASSIGN:
		return expr_label(e->a);
	default:
		return NULL;
	}
}
