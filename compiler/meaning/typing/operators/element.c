/*
 * element.c - finds the array and the index of an element, also for a pointer that comes from an
 * array's name.
 */
#include "compiler/meaning/typing/operators/element.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/types/fold.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

static struct expr *moved(struct compiler *c, enum binary_op op, struct expr *i, struct expr *by)
{
	struct expr *n = arena_new(c->arena, struct expr);

	*n = (struct expr){.kind = E_BINARY,
			   .op = op,
			   .loc = by->loc,
			   .lib = by->lib,
			   .type = &type_long,
			   .a = i,
			   .b = by,
			   .typed = true,
			   .height = (uint16_t)(1 +
						(i->height > by->height ? i->height : by->height))};
	fold_note(n);
	return n;
}

/*
 * Returns whether the type-checked pointer @p leads to an element of an array that is a
 * variable. If so, sets @array to the array and @i to the index.
 */
static bool points_to_element(struct compiler *c, struct expr *p, struct expr **array,
			      struct expr **i)
{
	struct expr *of = p->a, *by = p->b;

	if (p->kind == E_CAST && p->op == CONV_ADDRESS && lvalue_var(of)) {
		*array = of;
		*i = arena_new(c->arena, struct expr);
		**i = (struct expr){.loc = p->loc, .height = 1, .typed = true};
		become_int(*i, 0, &type_long);
		return true;
	}
	if (p->kind == E_UNARY && p->op == U_ADDR && of->kind == E_INDEX &&
	    type_is(of->a->type, T_ARRAY) && lvalue_var(of->a)) {
		*array = of->a;
		*i = of->arg[0];
		return true;
	}
	if (p->kind != E_BINARY || !type_is(p->type, T_PTR))
		return false;
	if (type_is_integer(of->type)) { /* the number comes first, as in 2 + g */
		of = p->b;
		by = p->a;
	}
	if (!points_to_element(c, of, array, i))
		return false;
	*i = moved(c, p->op, *i, by);
	return true;
}

bool element_see(struct compiler *c, struct expr *e, struct expr *p, struct expr *n)
{
	struct expr *array, *i;

	if (!points_to_element(c, p, &array, &i))
		return false;
	become_element(c, e, array, n ? moved(c, B_ADD, i, n) : i);
	return true;
}

/*
 * Returns whether @e is an array of one element at the end of a struct, outside of the program's
 * variables. In C, such an array stands for as many elements as memory was allocated for.
 */
static bool is_trailing(const struct expr *e)
{
	struct member *m;
	struct type *of;
	uint32_t n;

	e = expr_target(e);
	if (e->kind != E_MEMBER || type_strip(e->type)->nelem != 1 || lvalue_var(e))
		return false;
	of = type_strip(e->arrow ? type_strip(e->a->type)->to : e->a->type);
	m = type_members(of, &n);
	return of->kind == T_STRUCT && n && m[n - 1].name && !strcmp(m[n - 1].name, e->name);
}

int element_bounds(struct compiler *c, const struct expr *e)
{
	struct type *t = type_strip(e->a->type);
	int64_t i = e->arg[0]->value;

	if (t->kind == T_ARRAY && is_trailing(e->a))
		return 0;
	if (t->kind != T_ARRAY || !t->nelem || !e->arg[0]->is_const || (i >= 0 && i < t->nelem))
		return 0;
	return diag_error(c->d, D_ARR_BOUNDS, e->loc, "index outside array bounds: %lld, max is %u",
			  (long long)i, t->nelem);
}
