/*
 * expand.c - replaces the name of an inline by its definition. Translators use the same functions.
 *
 * A definition is cloned for each use, and the clone is type-checked there. The definition sees its
 * own parameters, but no parameters of the definition that uses it.
 */
#include "compiler/meaning/typing/names/expand.h"

#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/types/fold.h"
#include "compiler/meaning/typing/calls/key.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

#define NODES_MAX 400000 /* maximum number of nodes that definitions may add to one clause */

static uint32_t count_nodes(const struct expr *e)
{
	uint32_t n = 1;

	if (!e)
		return 0;
	for (uint32_t i = 0; i < e->narg; i++)
		n += count_nodes(e->arg[i]);
	return n + count_nodes(e->a) + count_nodes(e->b) + count_nodes(e->c);
}

struct expr *expand_copy(struct compiler *c, const struct expr *def, const struct expr *e)
{
	c->typing->nodes += count_nodes(def);
	if (c->typing->nodes > NODES_MAX) {
		diag_error(c->d, D_LIMIT, e->loc,
			   "expression is too long: after inlines and translators are expanded, it "
			   "has more than %d parts",
			   NODES_MAX);
		return NULL;
	}
	if (def->lib && e->loc.src && e->loc.src->kind != SRC_LIB)
		return expr_clone_at(c->arena, def, e->loc);
	return expr_clone(c->arena, def);
}

/*
 * Type-checks @body, a library's definition, for a clause that never runs. If @body needs something
 * that this kernel lacks, @body becomes a value of unknown type.
 */
static int sema_absent(struct compiler *c, struct expr *body)
{
	struct attempt a;
	int bad;

	attempt_begin(&a, c);
	bad = sema_expr(&a.c, body);
	if (!bad)
		attempt_keep(&a, c);
	attempt_end(&a);
	if (!bad)
		return 0;
	become_unknown(body);
	body->height = 1;
	body->typed = true;
	return 0;
}

int expand_type(struct compiler *c, struct expr *body, size_t from)
{
	size_t saved = c->typing->bind_from;
	int bad;

	c->typing->bind_from = from;
	c->typing->depth++;
	bad = c->typing->absent && body->lib ? sema_absent(c, body) : sema_expr(c, body);
	c->typing->depth--;
	c->typing->bind_from = saved;
	c->typing->bind.n = from;
	return bad;
}

int inline_incompatible(struct compiler *c, const struct decl_inline *in, const struct expr *body,
			struct loc loc)
{
	return diag_error(c->d, D_OP_INCOMPAT, loc,
			  "inline %s definition uses incompatible types: %s", in->name,
			  type_texts(c, in->type, "=", body->type));
}

int expand_inline(struct compiler *c, struct expr *e, struct decl_inline *in, struct expr **arg,
		  uint32_t narg)
{
	size_t mark = c->typing->bind.n;
	struct expr *body;

	if (narg != in->nparam)
		return diag_error(c->d, D_PROTO_LEN, e->loc,
				  "%s[ ] prototype mismatch: %u key%s passed, %u expected",
				  in->name, narg, narg == 1 ? "" : "s", in->nparam);
	if (c->typing->depth >= DEPTH_MAX)
		return diag_error(c->d, D_LIMIT, e->loc,
				  "inline '%s' refers to itself, or inlines are nested too deeply: "
				  "more than %d levels",
				  in->name, DEPTH_MAX);
	if (in->lib && !e->lib)
		thread_note(c, in->name);
	body = expand_copy(c, in->expr, e);
	if (!body)
		return -1;
	for (uint32_t i = 0; i < narg; i++)
		vec_apush(c->arena, &c->typing->bind, ((struct binding){in->param[i], arg[i]}));
	if (expand_type(c, body, mark))
		return -1;
	if (!inline_fits(in->type, body))
		return inline_incompatible(c, in, body, e->loc);
	/*
	 * A body that already has the inline's type is not converted, so a computed value keeps its
	 * 64 bits.
	 */
	if (expr_is_xlated(body) || type_same(in->type, body->type)) {
		body->written = written_as(c, e);
		body->type = expr_is_xlated(body) ? body->type : in->type;
		*e = *body;
	} else {
		become_conversion(c, e, body, in->type);
	}
	return 0;
}

/*
 * Checks that *@arg fits a parameter of type @t, and converts a number to this type. Returns 0, or
 * -1 if *@arg does not fit.
 */
static int inline_argument(struct compiler *c, struct expr **arg, struct type *t)
{
	if (!inline_fits(t, *arg))
		return -1;
	if (type_is_integer(t) && type_is_integer((*arg)->type) && !type_same(t, (*arg)->type)) {
		*arg = convert(c, *arg, conversion_to(t, *arg), t);
		(*arg)->ctype = t;
		fold_note(*arg);
	}
	return 0;
}

int sema_inline_call(struct compiler *c, struct expr *e, struct decl_inline *in)
{
	for (uint32_t i = 0; i < e->narg; i++) {
		if (sema_expr(c, e->arg[i]))
			return -1;
		if (i < in->nparam && inline_argument(c, &e->arg[i], in->param_type[i]))
			return key_wrong_type(c, e, in->name, i, in->param_type[i],
					      e->arg[i]->type);
	}
	return expand_inline(c, e, in, e->arg, e->narg);
}
