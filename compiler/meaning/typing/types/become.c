/*
 * become.c - replaces expressions in place by what their names mean.
 */
#include "compiler/meaning/typing/types/become.h"

#include "base/arena.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/types/fold.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

const struct expr *written_as(struct compiler *c, const struct expr *e)
{
	return e->written ? e->written : arena_memdup(c->arena, e, sizeof(*e));
}

int become_unknown(struct expr *e)
{
	*e = (struct expr){.kind = E_IDENT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .name = "args",
			   .symkind = SYM_PARAM,
			   .type = &type_unknown};
	return 0;
}

void become_int(struct expr *e, int64_t v, struct type *t)
{
	e->kind = E_INT;
	e->ival = (uint64_t)v;
	e->type = t;
	e->ctype = NULL;
	e->a = NULL;
	e->symkind = SYM_NONE;
	fold_note(e);
}

void become_conversion(struct compiler *c, struct expr *e, struct expr *body, struct type *t)
{
	const struct expr *was = written_as(c, e);

	*e = (struct expr){.kind = E_CAST,
			   .op = conversion_to(t, body),
			   .loc = body->loc,
			   .lib = body->lib,
			   .type = t,
			   .ctype = t,
			   .a = body,
			   .written = was};
}

void become_element(struct compiler *c, struct expr *e, struct expr *a, struct expr *i)
{
	const struct expr *was = written_as(c, e);

	*e = (struct expr){.kind = E_INDEX,
			   .loc = e->loc,
			   .lib = e->lib,
			   .type = type_strip(a->type)->to,
			   .a = a,
			   .arg = arena_memdup(c->arena, &i, sizeof(struct expr *)),
			   .narg = 1,
			   .written = was};
}
