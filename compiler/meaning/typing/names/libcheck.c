/*
 * libcheck.c - checks the names in a text before the text is type-checked.
 *
 * Library text (D text that is built in, or read with -L) is type-checked only where a program uses
 * it, and definitions that do not fit this kernel are skipped. Skipping is right if a member, hook
 * or enumerator is missing, because these differ between kernels. But a variable, inline or
 * function that is never declared is a mistake on all kernels. An inline of a program is checked
 * here too, if its type depends on the clause that uses it.
 */
#include "compiler/meaning/typing/names/libcheck.h"

#include <string.h>

#include "base/diag.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/calls/call.h"
#include "compiler/meaning/typing/names/declare.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct check {
	struct compiler *c;
	const char *const *param; /* parameters of the current inline or translator */
	uint32_t nparam;
	struct symtab *set; /* variables that the text assigns */
	bool lib;           /* the text is a library text */
	bool collect;       /* only collect the assigned variables, and check nothing */
};

/* Returns the scope of name @e: a this-> variable, a self-> variable, or global. */
static enum decl_scope scope_of(const struct expr *e)
{
	return e->kind == E_THIS ? DECL_THIS : e->kind == E_SELF ? DECL_SELF : DECL_GLOBAL;
}

/*
 * Returns whether @e names a variable. An assignment declares a variable, except a global variable
 * in a library text.
 */
static bool is_variable(const struct check *k, const struct expr *e)
{
	enum decl_scope scope = scope_of(e);

	if ((scope != DECL_GLOBAL || !k->lib) &&
	    symtab_get(k->set, (enum name_kind)scope, k->lib, e->name))
		return true;
	return var_find(k->c->names, k->lib, scope, e->name);
}

static void note_assigned(struct check *k, const struct expr *e)
{
	const struct expr *to = e->a;

	if (e->kind != E_ASSIGN && !(e->kind == E_UNARY && e->op >= U_PREINC))
		return;
	if (to->kind == E_INDEX)
		to = to->a;
	if (to->kind == E_THIS || to->kind == E_SELF || to->kind == E_IDENT)
		symtab_put(k->set, (enum name_kind)scope_of(to), k->lib, to->name, k->set);
}

static bool is_param(const struct check *k, const char *name)
{
	for (uint32_t i = 0; i < k->nparam; i++)
		if (k->param[i] == name)
			return true;
	return false;
}

/*
 * Returns whether @name looks like an enumerator of a kernel: it has no small letters, and does not
 * begin with two underscores.
 */
static bool may_be_enumerator(const char *name)
{
	if (!strncmp(name, "__", 2))
		return false;
	for (; *name; name++)
		if (*name >= 'a' && *name <= 'z')
			return false;
	return true;
}

static int undefined(struct check *k, const struct expr *e)
{
	return diag_error(k->c->d, D_IDENT_UNDEF, e->loc,
			  "failed to resolve %s: Unknown variable name", e->name);
}

/*
 * Checks that inline @in is used with the right number of arguments. @nargs is the number of
 * arguments in brackets.
 */
static int check_inline(struct check *k, const struct expr *e, const struct decl_inline *in,
			uint32_t nargs)
{
	if (in->nparam == nargs)
		return 0;
	return diag_error(k->c->d, D_PROTO_LEN, e->loc,
			  "%s[ ] prototype mismatch: %u key%s passed, %u expected", in->name, nargs,
			  nargs == 1 ? "" : "s", in->nparam);
}

static int check_ident(struct check *k, const struct expr *e, uint32_t nargs)
{
	const struct decl_inline *in;

	if (e->mod && k->lib) /* no error: kernels differ in their symbols */
		return 0;
	if (is_param(k, e->name) || is_variable(k, e) || name_is_builtin(k->c->opt->lang, e->name))
		return k->lib ? 0 : name_reserved(k->c, e->name, e->loc);
	in = inline_find(k->c->names, k->lib, e->name);
	if (in)
		return in->nparam || !nargs ? check_inline(k, e, in, nargs) : 0;
	if ((k->lib && may_be_enumerator(e->name)) ||
	    scope_enumerator(k->lib ? &k->c->names->lib : &k->c->names->user, e->name,
			     &(int64_t){0}, NULL))
		return 0;
	return undefined(k, e);
}

static int check_expr(struct check *k, const struct expr *e);

static int check_parts(struct check *k, const struct expr *e)
{
	for (uint32_t i = 0; i < e->narg; i++)
		if (check_expr(k, e->arg[i]))
			return -1;
	return check_expr(k, e->a) || check_expr(k, e->b) || check_expr(k, e->c) ? -1 : 0;
}

static int check_expr(struct check *k, const struct expr *e)
{
	if (!e)
		return 0;
	note_assigned(k, e);
	if (k->collect)
		return check_parts(k, e);
	if (e->kind == E_IDENT)
		return check_ident(k, e, 0);
	if ((e->kind == E_THIS || e->kind == E_SELF) && !is_variable(k, e))
		return diag_error(k->c->d, D_VAR_UNDEF, e->loc,
				  "%s->%s has not yet been declared or assigned",
				  e->kind == E_THIS ? "this" : "self", e->name);
	if (e->kind == E_CALL && !call_is_either(e) &&
	    (!lang_subr(k->c->opt->lang, e->name) ||
	     (lang_subr(k->c->opt->lang, e->name)->lib_only && !k->lib)))
		return diag_error(k->c->d, D_FUNC_UNDEF, e->loc, "undefined function name: %s",
				  e->name);
	if (e->kind == E_INDEX && e->a->kind == E_IDENT) {
		for (uint32_t i = 0; i < e->narg; i++)
			if (check_expr(k, e->arg[i]))
				return -1;
		return check_ident(k, e->a, e->narg);
	}
	return check_parts(k, e);
}

static int check_clause(struct check *k, const struct clause *cl)
{
	if (check_expr(k, cl->pred))
		return -1;
	for (const struct stmt *s = cl->body; s; s = s->next)
		if (check_expr(k, s->expr))
			return -1;
	return 0;
}

static int check_group(struct check *k, const struct hook_on *on)
{
	for (; on; on = on->next) {
		if (check_expr(k, on->guard) || check_expr(k, on->as))
			return -1;
		for (uint32_t i = 0; i < on->narg; i++)
			if (check_expr(k, on->arg[i]))
				return -1;
	}
	return 0;
}

static int check_definitions(struct check *k, const struct ast *t)
{
	for (const struct decl_inline *in = t->inl; in; in = in->next) {
		k->param = in->param;
		k->nparam = in->nparam;
		if (check_expr(k, in->expr))
			return -1;
	}
	for (const struct translator *x = t->xl; x; x = x->next) {
		k->param = x->in_name;
		k->nparam = x->nin;
		for (uint32_t i = 0; i < x->nmember; i++)
			if (check_expr(k, x->member[i].expr))
				return -1;
	}
	k->nparam = 0;
	return 0;
}

static int check_text(struct check *k, const struct ast *t)
{
	if (check_definitions(k, t))
		return -1;
	for (const struct derivation *d = t->deriv; d; d = d->next)
		for (uint32_t i = 0; i < d->ngroup; i++)
			if (check_group(k, d->group[i]))
				return -1;
	for (const struct clause *cl = t->clause; cl; cl = cl->next)
		if (check_clause(k, cl))
			return -1;
	return 0;
}

static int check_names(struct compiler *c, const struct ast *t)
{
	struct symtab set = {0};
	struct check k = {.c = c, .set = &set, .lib = true, .collect = true};
	int bad;

	check_text(&k, t);
	k.collect = false;
	bad = check_text(&k, t);
	symtab_release(&set);
	return bad;
}

int library_check(struct compiler *c, const struct ast *t)
{
	int bad = check_names(c, t);

	for (const struct provider_decl *p = t->prov; p && !bad; p = p->next)
		bad = sema_provider(c, p);
	return bad;
}

int inline_check_names(struct compiler *c, const struct decl_inline *in)
{
	struct symtab set = {0};
	struct check k = {.c = c, .set = &set, .param = in->param, .nparam = in->nparam};
	int bad = check_expr(&k, in->expr);

	symtab_release(&set);
	return bad;
}
