/*
 * convert.c - adds conversions: nodes that change the type of an expression.
 *
 * Code generation converts nothing by itself. So the type checker adds a node wherever D converts a
 * value.
 */
#include "compiler/meaning/typing/types/convert.h"

#include "base/arena.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/types/fold.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Returns whether every value of @e fits in type @to. A computed value may need 64 bits, whatever
 * its type is.
 */
static bool holds(struct type *to, const struct expr *e)
{
	const struct type *t = type_strip(e->type);

	to = type_strip(to);
	if (t->kind != T_INT || !lvalue_is(e) || (e->symkind != SYM_NONE && e->symkind != SYM_VAR))
		return false;
	return t->sgn == to->sgn ? t->size <= to->size : to->sgn && t->size < to->size;
}

enum conversion conversion_to(struct type *to, const struct expr *e)
{
	if (type_is(to, T_VOID))
		return CONV_DROP;
	if (type_is(to, T_STRING))
		return expr_is_string(e) ? CONV_KEEP : expr_is_zero(e) ? CONV_NULL : CONV_TEXT;
	if (type_is(e->type, T_ARRAY))
		return CONV_ADDRESS;
	return type_is_integer(to) && type_strip(to)->size < 8 && !holds(to, e) ? CONV_CUT
										: CONV_KEEP;
}

struct expr *convert(struct compiler *c, struct expr *e, enum conversion how, struct type *to)
{
	struct expr *n = arena_new(c->arena, struct expr);

	*n = (struct expr){.kind = E_CAST,
			   .op = how,
			   .loc = e->loc,
			   .lib = e->lib,
			   .type = to,
			   .a = e,
			   .height = (uint16_t)(e->height + 1),
			   .written = e->written ? e->written : e,
			   .typed = true};
	if (how == CONV_KEEP) {
		n->is_const = e->is_const;
		n->value = e->value;
	}
	n->object = fold_object(n);
	return n;
}

struct type *sema_address_of(struct compiler *c, const struct expr *of, struct type *to)
{
	return lvalue_is_users(of) ? type_userland_ptr(c->arena, to) : type_ptr(c->arena, to);
}

struct type *decayed(struct compiler *c, struct type *t)
{
	return type_is(t, T_ARRAY) ? type_ptr(c->arena, type_strip(t)->to) : t;
}

void sema_decay(struct compiler *c, struct expr **e)
{
	if (type_is((*e)->type, T_ARRAY))
		*e = convert(c, *e, CONV_ADDRESS,
			     sema_address_of(c, *e, type_strip((*e)->type)->to));
}

void sema_string(struct compiler *c, struct expr **e)
{
	if (!expr_is_string(*e))
		*e = convert(c, *e, conversion_to(&type_string, *e), &type_string);
}

void sema_show(struct compiler *c, struct expr **e)
{
	struct type *t = type_strip((*e)->type);

	if (t->kind == T_ARRAY && type_strip(t->to)->is_char)
		*e = convert(c, *e, CONV_ARRAY, &type_string);
}

void sema_chars(struct compiler *c, struct expr **e)
{
	*e = convert(c, *e, CONV_CHARS, type_ptr(c->arena, &type_char));
	c->typing->memory |= MEMORY_USED;
}

void sema_see_as(struct compiler *c, struct expr **e, struct type *to)
{
	const struct type *is = type_strip((*e)->type), *want = type_strip(to);

	if (is->kind != T_INT || want->kind != T_INT || is->size != want->size ||
	    is->sgn != want->sgn)
		*e = convert(c, *e, CONV_KEEP, to);
}
