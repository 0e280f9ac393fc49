/*
 * cast.c - type-checks casts, sizeof, offsetof and stringof.
 */
#include "compiler/meaning/typing/operators/cast.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Type-checks @e, the operand of sizeof. Only the type of @e is used, so the program never reads
 * its value.
 */
static int sema_measured(struct compiler *c, struct expr *e)
{
	bool outer = c->typing->measured;
	int bad;

	c->typing->measured = true;
	bad = sema_expr(c, e);
	c->typing->measured = outer;
	return bad;
}

int sema_sizeof(struct compiler *c, struct expr *e)
{
	struct type *t = e->ctype;
	uint32_t size;

	if (!t) {
		if (sema_measured(c, e->a))
			return -1;
		t = expr_is_unknown(e->a) ? &type_long : e->a->type;
		if (lvalue_is_bit_field(e->a))
			return diag_error(c->d, D_SIZEOF_BITFIELD, e->loc,
					  "cannot apply sizeof to a bit-field");
		if (e->a->kind == E_STR) {
			become_int(e, e->a->len + 1, &type_ulong);
			return 0;
		}
	}
	size = type_is(t, T_STRING) ? c->opt->strsize : type_strip(t)->size;
	if (!size)
		return diag_error(c->d, D_SIZEOF_TYPE, e->loc, "cannot apply sizeof to type \"%s\"",
				  type_text(c, t));
	become_int(e, size, &type_ulong);
	return 0;
}

int sema_offsetof(struct compiler *c, struct expr *e)
{
	struct member m;

	if (!type_is_sou(e->ctype))
		return diag_error(c->d, D_OFFSETOF_TYPE, e->loc,
				  "offsetof operand must be a struct or union type");
	if (!type_member(e->ctype, e->name, &m))
		return diag_error(c->d, D_UNKNOWN, e->loc,
				  "failed to determine offset of %s: %s has no such member",
				  e->name, type_text(c, e->ctype));
	if (m.bits)
		return diag_error(c->d, D_OFFSETOF_BITFIELD, e->loc,
				  "cannot take offset of a bit-field: %s", e->name);
	become_int(e, m.bitoff / 8, &type_ulong);
	return 0;
}

int sema_stringof(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a))
		return -1;
	if (!expr_is_text(e->a) && !type_is_scalar(e->a->type))
		return diag_error(c->d, D_STRINGOF_TYPE, e->loc,
				  "cannot apply stringof to a value of type \"%s\"",
				  type_text(c, e->a->type));
	if (expr_is_string(e->a)) {
		*e = *e->a;
		return 0;
	}
	e->written = written_as(c, e);
	e->kind = E_CAST;
	e->type = &type_string;
	e->op = conversion_to(e->type, e->a);
	return 0;
}

int sema_cast(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a))
		return -1;
	if (type_is(e->ctype, T_STRING))
		return sema_stringof(c, e);
	if (type_is(e->ctype, T_VOID)) {
		if (e->a->symkind == SYM_ACTION)
			return not_in_expression(c, e->a);
		e->type = e->ctype;
		e->op = CONV_DROP;
		return 0;
	}
	if (type_is(e->ctype, T_PTR) && expr_is_string(e->a)) {
		sema_chars(c, &e->a);
		e->type = e->ctype;
		e->op = CONV_KEEP;
		return 0;
	}
	if (type_is_sou(e->ctype) && type_same(e->ctype, e->a->type)) {
		*e = *e->a;
		return 0;
	}
	if (!type_is_scalar(e->ctype) ||
	    !(type_is_scalar(e->a->type) || type_is(e->a->type, T_ARRAY)))
		return diag_error(c->d, D_CAST_INVAL, e->loc,
				  "invalid cast expression: \"%s\" to \"%s\"",
				  type_text(c, e->a->type), type_text(c, e->ctype));
	e->type = e->ctype;
	e->op = conversion_to(e->type, e->a);
	return 0;
}
