/*
 * lang.c - rows of the tables that the compiler was given, by name.
 */
#include <string.h>

#include "compiler/meaning/sema.h"

const struct builtin_var *lang_var(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->nvar; i++)
		if (!strcmp(l->var[i].name, name))
			return &l->var[i];
	return NULL;
}

const struct subr *lang_subr(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->nsubr; i++)
		if (!strcmp(l->subr[i].name, name))
			return &l->subr[i];
	return NULL;
}

const struct action_def *lang_action(const struct lang *l, const char *name)
{
	for (uint32_t i = 0; i < l->naction; i++)
		if (!strcmp(l->action[i].name, name))
			return &l->action[i];
	return NULL;
}
