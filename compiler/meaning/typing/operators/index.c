/*
 * index.c - type-checks a[...], where a is an array, a pointer, an associative array or an inline
 * with parameters.
 */
#include "compiler/meaning/typing/operators/index.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/typing/names/args.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/types/convert.h"
#include "compiler/meaning/typing/operators/element.h"
#include "compiler/meaning/typing/names/expand.h"
#include "compiler/meaning/typing/types/fit.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/calls/key.h"
#include "compiler/meaning/typing/operators/operand.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/typing/names/translate.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct var *assoc_var(struct compiler *c, const struct expr *e)
{
	struct var *v = NULL;

	if (e->a->kind == E_IDENT && !ident_bound(c, e->a->name))
		v = var_find(c->names, e->lib, DECL_GLOBAL, e->a->name);
	else if (e->a->kind == E_SELF)
		v = var_find(c->names, e->lib, DECL_SELF, e->a->name);
	return v && v->assoc ? v : NULL;
}

int sema_assoc(struct compiler *c, struct expr *e, struct var *v)
{
	if (ident_reserved(c, e->a))
		return -1;
	if (e->narg != v->nkey)
		return key_wrong_number(c, e, v->name, v->nkey);
	for (uint32_t i = 0; i < v->nkey; i++) {
		settle_type(c, &v->key[i], key_type(e->arg[i]));
		if (!type_assignable(v->key[i], e->arg[i]->type))
			return key_wrong_type(c, e, v->name, i, v->key[i], e->arg[i]->type);
		if (!type_is(v->key[i], T_STRING)) {
			sema_decay(c, &e->arg[i]);
			continue;
		}
		sema_show(c, &e->arg[i]);
		sema_string(c, &e->arg[i]);
		v->key_class[i] = str_union(v->key_class[i], str_class(c, e->arg[i]));
	}
	settle_type(c, &v->type, &type_unknown);
	e->symkind = SYM_VAR;
	e->ref.var = v;
	e->type = v->type;
	e->typed = true;
	return v->scope == DECL_SELF ? ident_need_thread(c, e) : 0;
}

struct var *declare_assoc(struct compiler *c, const struct expr *e, struct type *value)
{
	enum decl_scope scope = e->a->kind == E_SELF ? DECL_SELF : DECL_GLOBAL;
	struct var *v = var_add(c->names, e->lib, scope, e->a->name, value, NOT_DECLARED);

	v->assoc = true;
	v->nkey = e->narg;
	v->key = arena_newn(c->arena, struct type *, e->narg);
	v->key_class = arena_newn(c->arena, struct strclass, e->narg);
	for (uint32_t i = 0; i < e->narg; i++)
		v->key[i] = key_type(e->arg[i]);
	return v;
}

/*
 * Type-checks p[0], where p is a translated pointer. It means *p; the pointer has no other
 * elements.
 */
static int index_xlated(struct compiler *c, struct expr *e)
{
	if (e->narg != 1 || xlated_as(e->a)->kind != T_PTR || !expr_is_zero(e->arg[0]))
		return operand_not_xlated(c, e->a, "[ ]");
	e->type = type_xlated(c->arena, xlated_out(e->a));
	return 0;
}

int sema_index(struct compiler *c, struct expr *e)
{
	struct var *v = assoc_var(c, e);
	struct decl_inline *in;
	struct type *t;

	if (e->a->kind == E_IDENT && !strcmp(e->a->name, "args") && !ident_bound(c, e->a->name))
		return sema_args(c, e);
	if (e->a->kind == E_THIS && !var_find(c->names, e->lib, DECL_THIS, e->a->name))
		return diag_error(c->d, D_ARR_LOCAL, e->loc,
				  "local variables may not be used as associative arrays: %s",
				  e->a->name);
	if (e->a->kind == E_AGG)
		return diag_error(c->d, D_AGG_MDIM, e->loc,
				  "aggregation @%s has one list of keys: @%s[a, b], not [a][b]",
				  e->a->name, e->a->name);
	in = !v && e->a->kind == E_IDENT && !ident_bound(c, e->a->name)
		     ? inline_find(c->names, e->lib, e->a->name)
		     : NULL;
	if (in && in->nparam)
		return sema_inline_call(c, e, in);
	if (sema_keys(c, e->arg, e->narg, e->loc, KEY_OF_ARRAY))
		return -1;
	if (v)
		return sema_assoc(c, e, v);
	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_xlated(e->a))
		return index_xlated(c, e);
	if (expr_is_unknown(e->a))
		return become_unknown(e);
	t = decayed(c, e->a->type);
	if (e->narg == 1 && expr_is_string(e->a)) /* s[i] is a byte of the text of string s */
		t = type_ptr(c->arena, &type_char);
	if (e->narg == 1 && type_is_integer(t)) /* x[i] is *(x + i) */
		return diag_error(c->d, D_DEREF_NONPTR, e->loc,
				  "cannot dereference non-pointer type");
	if (e->narg != 1 || !type_is(t, T_PTR))
		return diag_error(c->d, D_ARR_BADREF, e->loc, "%s is not an array",
				  expr_source(c, e->a));
	if (!type_is_integer(e->arg[0]->type))
		return diag_error(c->d, D_OP_INT, e->loc, "array index must be an integer");
	e->type = type_strip(t)->to;
	element_see(c, e, e->a, e->arg[0]);
	return element_bounds(c, e);
}
