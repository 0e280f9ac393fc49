/*
 * parse_find.c - finds types by name, and prints their names.
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
	mod = mod && *mod ? mod : NULL;
	/*
	 * Library texts name the module of a type, because searching the types of all modules takes
	 * long.
	 */
	if (p->o->lib)
		return scope_find_of(p->scope, mod, kind, name);
	return scope_find_far(p->scope, mod, kind, name);
}
