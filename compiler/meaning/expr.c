/* expr.c - facts about expressions that have been type-checked. */
#include "compiler/meaning/expr.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "compiler/meaning/compiler.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

const struct expr *expr_kept(const struct expr *e)
{
	for (e = expr_target(e); e->kind == E_CAST && e->op == CONV_KEEP;)
		e = expr_target(e->a);
	return e;
}

bool expr_changes(const struct expr *e)
{
	if (!e)
		return false;
	e = expr_target(e);
	if (e->kind == E_ASSIGN || (e->kind == E_UNARY && e->op >= U_PREINC))
		return true;
	for (uint32_t i = 0; i < e->narg; i++)
		if (expr_changes(e->arg[i]))
			return true;
	return expr_changes(e->a) || expr_changes(e->b) || expr_changes(e->c);
}

struct type *expr_pointee(const struct expr *e)
{
	struct type *t = type_strip(e->type);

	return type_strip(t->kind == T_PTR ? t->to : t);
}

struct member expr_member(const struct expr *e)
{
	struct member m;

	if (!type_member(e->arrow ? expr_pointee(e->a) : type_strip(e->a->type), e->name, &m))
		BUG("member %s has gone", e->name);
	return m;
}

/* If one operand is a constant, returns the label of the other one: "us" for this->us / 1000. */
static const char *label_of_two(const struct expr *a, const struct expr *b)
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
		return label_of_two(e->a, e->b);
	case E_COND: /* x ? 1 : 2 has the label of x, because literals have none */
		last = expr_label(e->b) ? expr_label(e->b) : expr_label(e->c);
		return last ? last : expr_label(e->a);
	case E_ASSIGN:
		return expr_label(e->a);
	default:
		return NULL;
	}
}

const char *expr_source(const struct compiler *c, const struct expr *e)
{
	struct strbuf b = {0};

	expr_text(e, &b);
	return arena_take(c->arena, &b);
}

const char *type_text(const struct compiler *c, struct type *t)
{
	struct strbuf b = {0};

	if (type_is(t, T_XLATED))
		strbuf_adds(&b, "translated ");
	type_name(t, &b);
	return arena_take(c->arena, &b);
}

const char *type_texts(const struct compiler *c, struct type *a, const char *op, struct type *b)
{
	const char *x = type_text(c, a), *y = type_text(c, b);

	return arena_printf(c->arena, "\"%s\" %s \"%s\"%s", x, op, y,
			    strcmp(x, y) || type_same(a, b) ? "" : ": two different types");
}
