/*
 * parse_find.c - types by name, and their names as text.
 */
#include "compiler/syntax/parse_int.h"

#include "base/strbuf.h"
#include "ir/types/type.h"

const char *p_type_text(struct parser *p, struct type *t)
{
	struct strbuf b = {0};

	type_name(t, &b);
	return arena_take(p->a, &b);
}

struct type *p_find_type(struct parser *p, const char *mod, enum tag_kind kind, const char *name)
{
	/* The library does without a type that only a kernel module has. */
	if (p->o->lib)
		return scope_find(p->scope, kind, name);
	return scope_find_far(p->scope, mod && *mod ? mod : NULL, kind, name);
}
