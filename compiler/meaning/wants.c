/*
 * wants.c - collects the texts of program.str.
 */
#include "compiler/meaning/wants.h"

#include "base/arena.h"
#include "base/intern.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/symtab.h"

void str_add(struct compiler *c, const char *s)
{
	const char *text = intern(&c->names->intern, s);
	uint32_t *at;

	if (!symtab_get(&c->names->syms, NAME_TEXT, true, text)) {
		at = arena_new(c->arena, uint32_t);
		*at = (uint32_t)c->wants->str.n;
		symtab_put(&c->names->syms, NAME_TEXT, true, text, at);
	}
	vec_apush(c->arena, &c->wants->str, s);
}

uint32_t str_index(struct compiler *c, const char *s)
{
	const uint32_t *at = symtab_get(&c->names->syms, NAME_TEXT, true,
					intern(&c->names->intern, s));

	if (at)
		return *at;
	str_add(c, s);
	return (uint32_t)c->wants->str.n - 1;
}
