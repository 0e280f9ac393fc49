/*
 * lang.c - finds rows of the language's tables by name.
 */
#include "compiler/meaning/lang.h"

#include <string.h>

#include "base/diag.h"
#include "base/intern.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/symtab.h"
#include "compiler/syntax/parse.h"

/*
 * Returns whether two names are equal. Compares the first letters first, because this runs for
 * every row of a table.
 */
static bool same(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

const struct builtin_var *lang_var(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->nvar; i++)
		if (same(l->var[i].name, name))
			return &l->var[i];
	return NULL;
}

const struct subr *lang_subr(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->nsubr; i++)
		if (same(l->subr[i].name, name))
			return &l->subr[i];
	return NULL;
}

const struct action_def *lang_action(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->naction; i++)
		if (same(l->action[i].name, name))
			return &l->action[i];
	return NULL;
}

struct type *lang_type(struct compiler *c, const char *text)
{
	const char *key = intern(&c->names->intern, text);
	struct type *t = symtab_get(&c->names->syms, NAME_PROTO, true, key);
	struct diag quiet = {0};

	if (t)
		return t;
	t = parse_proto(c->arena, &c->names->intern, &c->names->lib, text, &quiet);
	diag_release(&quiet);
	if (t)
		symtab_put(&c->names->syms, NAME_PROTO, true, key, t);
	return t;
}
