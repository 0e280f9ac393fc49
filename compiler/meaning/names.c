/*
 * names.c - finds and adds variables, inlines and aggregations by name.
 *
 * symtab.c has the hash table. The type checker decides what a name in an expression means.
 */
#include "compiler/meaning/names.h"

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/symtab.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

uint32_t names_place(const struct names *n, struct loc loc)
{
	for (size_t i = 0; i < n->texts.n; i++)
		if (n->texts.v[i].src == loc.src)
			return n->texts.v[i].order + loc.off;
	return NOT_DECLARED;
}

/*
 * Returns what @name means in library text if @lib is set, else in a program. Returns NULL if it
 * means nothing there. A program sees its own names first, then the library's names except this->
 * variables.
 */
static void *look_up(const struct names *n, enum name_kind kind, bool lib, const char *name)
{
	void *what = symtab_get(&n->syms, kind, lib, name);

	return what || lib || kind == NAME_THIS ? what : symtab_get(&n->syms, kind, true, name);
}

struct var *var_find(const struct names *n, bool lib, enum decl_scope scope, const char *name)
{
	return look_up(n, (enum name_kind)scope, lib, name);
}

static void insert(struct names *n, struct var *v)
{
	struct var **at = v->order == NOT_DECLARED ? n->vars_end : &n->vars;

	while (*at && (*at)->order <= v->order)
		at = &(*at)->next;
	v->next = *at;
	*at = v;
	if (!v->next)
		n->vars_end = &v->next;
}

struct var *var_add(struct names *n, bool lib, enum decl_scope scope, const char *name,
		    struct type *type, uint32_t order)
{
	struct var *v = arena_new(n->arena, struct var);

	v->scope = scope;
	v->name = name;
	v->type = type;
	v->lib = lib;
	v->map = -1;
	v->index = n->nvar++;
	v->order = order;
	insert(n, v);
	symtab_put(&n->syms, (enum name_kind)scope, lib, name, v);
	return v;
}

bool var_is_kept(const struct var *v)
{
	return !v->lib || (v->needed && v->assigned);
}

bool var_in_map(const struct var *v)
{
	return v->assoc || v->scope == DECL_SELF;
}

bool var_in_memory(const struct var *v)
{
	return type_is_sou(v->type) || type_is(v->type, T_ARRAY) || type_is(v->type, T_FLOAT);
}

struct decl_inline *inline_find(const struct names *n, bool lib, const char *name)
{
	return look_up(n, NAME_INLINE, lib, name);
}

struct agg *agg_find(const struct names *n, const char *name)
{
	return symtab_get(&n->syms, NAME_AGG, false, name);
}

bool agg_any_keys(const struct names *n)
{
	for (const struct agg *a = n->aggs; a; a = a->next)
		if (a->nkey)
			return true;
	return false;
}

struct agg *agg_get(struct names *n, const char *name, struct loc loc)
{
	struct agg *a = agg_find(n, name);

	if (a)
		return a;
	a = arena_new(n->arena, struct agg);
	a->name = name;
	a->loc = loc;
	a->index = n->nagg++;
	*n->aggs_end = a;
	n->aggs_end = &a->next;
	symtab_put(&n->syms, NAME_AGG, false, name, a);
	return a;
}
