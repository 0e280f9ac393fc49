/*
 * sema.c - the entry to the type checker: type-checks an expression and its operands.
 */
#include "compiler/meaning/typing/sema.h"

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/typing/types/fold.h"
#include "compiler/meaning/typing/operators/lvalue.h"
#include "compiler/meaning/typing/node.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

/*
 * Maximum height of an expression tree after definitions have replaced names. It is limited because
 * functions on trees are recursive.
 */
#define TREE_MAX 2000

static int too_high(struct compiler *c, const struct expr *e)
{
	return diag_error(c->d, D_LIMIT, e->loc,
			  "expression is nested too deeply: after inlines are expanded, it has "
			  "more than %d levels",
			  TREE_MAX);
}

static unsigned height_of(const struct expr *e)
{
	return e ? e->height : 0;
}

/*
 * Returns the height of @e after it was type-checked. Definitions are part of its tree then, and a
 * bound name has the height of the expression that it stands for.
 */
static unsigned new_height(const struct expr *e)
{
	const struct expr *bound = e->kind == E_IDENT && e->symkind == SYM_BOUND ? e->ref.bound
										 : NULL;
	unsigned h = height_of(bound);

	for (uint32_t i = 0; i < e->narg; i++)
		h = h > height_of(e->arg[i]) ? h : height_of(e->arg[i]);
	h = h > height_of(e->a) ? h : height_of(e->a);
	h = h > height_of(e->b) ? h : height_of(e->b);
	h = h > height_of(e->c) ? h : height_of(e->c);
	return h + 1;
}

/*
 * Does nothing if @e is not in the memory of a process. In replay, records an error, except for an
 * operand of sizeof. If @e is a pointer, gives it the type of a pointer into the process. Returns
 * 0, or -1 with the error recorded.
 */
static int in_process(struct compiler *c, struct expr *e)
{
	if ((e->kind != E_UNARY && e->kind != E_MEMBER && e->kind != E_INDEX) ||
	    !lvalue_is_users(e))
		return 0;
	if (c->opt->replay && !c->typing->measured)
		return diag_error(c->d, D_UNSUPPORTED, e->loc,
				  "%s is not possible in replay: captures do not have the "
				  "memory of processes",
				  expr_source(c, e));
	if (type_is(e->type, T_PTR))
		e->type = type_userland_ptr(c->arena, type_strip(e->type)->to);
	return 0;
}

int sema_expr(struct compiler *c, struct expr *e)
{
	unsigned h;
	int bad;

	if (e->typed) /* type-checked before: a bound value, or a node that the type checker made */
		return 0;
	if (c->typing->level >= TREE_MAX)
		return too_high(c, e);
	c->typing->level++;
	bad = c->type_node(c, e);
	c->typing->level--;
	if (bad || in_process(c, e))
		return -1;
	h = new_height(e);
	if (h > TREE_MAX)
		return too_high(c, e);
	e->height = (uint16_t)h;
	fold_note(e);
	e->typed = true;
	return 0;
}
