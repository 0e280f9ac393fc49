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
	mod = mod && *mod ? mod : NULL;
	/* The library names the module, because it takes long to read all modules. */
	if (p->o->lib)
		return scope_find_of(p->scope, mod, kind, name);
	return scope_find_far(p->scope, mod, kind, name);
}
