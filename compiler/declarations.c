/*
 * declarations.c - checks the declarations of a D text and adds them to the compiler's tables of
 * names.
 */
#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/names/declare.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/names/symbol.h"
#include "compiler/meaning/typing/sema.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/session.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/libindex.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define PROVIDER_NAME_MAX 63

static bool is_lib(struct loc loc)
{
	return loc.src && loc.src->kind == SRC_LIB;
}

static bool is_function(const struct lang *l, const char *name)
{
	const struct subr *s = lang_subr(l, name);

	return (s && !s->lib_only) || lang_action(l, name) || agg_fn_find(name);
}

/*
 * Checks the name of a new global variable or inline. A program may not redefine a name that it can
 * see.
 */
static int check_global(struct compiler *c, const char *name, struct loc loc)
{
	bool lib = is_lib(loc);

	if (var_find(c->names, lib, DECL_GLOBAL, name) ||
	    (!lib && (inline_find(c->names, lib, name) || name_is_builtin(c->opt->lang, name) ||
		      is_function(c->opt->lang, name) || symbol_declared(c, name) ||
		      scope_own(&c->names->user, TAG_ENUMERATOR, name))))
		return diag_error(c->d, D_DECL_IDRED, loc, "identifier redeclared: %s", name);
	return lib ? 0 : name_reserved(c, name, loc);
}

static int check_scoped(struct compiler *c, const struct decl_var *dv)
{
	bool lib = is_lib(dv->loc);

	if (var_find(c->names, lib, dv->scope, dv->name))
		return diag_error(c->d, D_DECL_IDRED, dv->loc, "identifier redeclared: %s->%s",
				  dv->scope == DECL_THIS ? "this" : "self", dv->name);
	return lib ? 0 : name_reserved(c, dv->name, dv->loc);
}

static int add_var(struct compiler *c, const struct decl_var *dv)
{
	bool lib = is_lib(dv->loc);
	struct var *v = var_find(c->names, lib, dv->scope, dv->name);

	if (dv->is_extern && !v)
		return symbol_declare(c, dv);
	if (v && v->lib == lib && !v->assoc && !dv->nkey && type_same(v->type, dv->type))
		return 0; /* the same declaration was made before */
	if (dv->scope == DECL_GLOBAL ? check_global(c, dv->name, dv->loc) : check_scoped(c, dv))
		return -1;
	if (!type_is_scalar(dv->type) && !type_is(dv->type, T_STRING) && !type_is_sou(dv->type) &&
	    !type_is(dv->type, T_ARRAY) && !type_is(dv->type, T_FLOAT))
		return diag_error(c->d, D_UNSUPPORTED, dv->loc,
				  "variable %s: variables of type \"%s\" are not supported yet",
				  dv->name, type_text(c, dv->type));
	v = var_add(c->names, lib, dv->scope, dv->name, dv->type,
		    lib ? names_place(c->names, dv->loc) : NOT_DECLARED);
	/* counts as assigned, because clauses may assign only its members or elements */
	v->assigned = var_in_memory(v);
	if (!dv->nkey)
		return 0;
	v->assoc = true;
	v->nkey = dv->nkey;
	v->key = dv->key;
	v->key_class = arena_newn(c->arena, struct strclass, dv->nkey);
	return 0;
}

static int add_inline(struct compiler *c, struct decl_inline *in)
{
	if (in->loc.src->ours && symtab_get(&c->names->syms, NAME_INLINE, true, in->name))
		return 0; /* a library file of -L has replaced this inline */
	if (check_global(c, in->name, in->loc) || (!in->lib && sema_inline(c, in)))
		return -1;
	for (uint32_t i = 0; i < in->nparam; i++)
		if (!in->lib && name_reserved(c, in->param[i], in->loc))
			return -1;
	symtab_put(&c->names->syms, NAME_INLINE, in->lib, in->name, in);
	return 0;
}

/*
 * Returns the ID of stable probe number @n, counted from 0. A stable probe is one that is declared
 * in D. The first ones have small IDs; the others have IDs above ID_MORE_STABLE.
 */
static uint32_t stable_id(size_t n)
{
	return n < ID_CGROUP_SKB - ID_STABLE ? ID_STABLE + (uint32_t)n
					     : ID_MORE_STABLE + (uint32_t)n;
}

static struct probe *stable_find(struct compiler *c, const char *prov, const char *name)
{
	/*
	 * Compares the first letters before the whole names, because every start of dtrace searches
	 * here for each probe of the library.
	 */
	for (size_t i = 0; i < c->probes->stable.n; i++) {
		struct probe *p = c->probes->stable.v[i];

		if (*p->name == *name && !strcmp(p->name, name) && !strcmp(p->prov, prov))
			return p;
	}
	return NULL;
}

struct probe *stable_add(struct compiler *c, const char *prov, const char *name)
{
	struct probe *p = arena_new(c->arena, struct probe);

	*p = (struct probe){.id = stable_id(c->probes->stable.n),
			    .prov = prov,
			    .mod = "kernel",
			    .func = "none",
			    .name = name,
			    .decl_item = NO_ITEM,
			    .deriv_item = NO_ITEM,
			    .rank = UINT32_MAX,
			    .info = -1};
	vec_apush(c->arena, &c->probes->stable, p);
	return p;
}

static uint32_t count_probes(const struct provider_decl *pd)
{
	uint32_t n = 0;

	for (const struct probe_decl *d = pd->probe; d; d = d->next)
		n++;
	return n;
}

/*
 * Checks the name of provider @pd. No name may end with a digit, because in a description such as
 * pid1234:::entry, a process ID follows the provider's name.
 */
static int check_provider_name(struct compiler *c, const struct provider_decl *pd)
{
	size_t n = strlen(pd->name);

	if (n > PROVIDER_NAME_MAX)
		return diag_error(c->d, D_PROV_BADNAME, pd->loc,
				  "provider name may not be longer than %d characters: %s",
				  PROVIDER_NAME_MAX, pd->name);
	if (pd->name[n - 1] >= '0' && pd->name[n - 1] <= '9')
		return diag_error(c->d, D_PROV_BADNAME, pd->loc,
				  "provider name may not end with a digit: %s", pd->name);
	return 0;
}

static int add_provider(struct compiler *c, const struct provider_decl *pd)
{
	const struct family_names *names = family_names(pd->name);
	uint32_t n = 0;

	if (check_provider_name(c, pd))
		return -1;

	for (struct probe_decl *d = pd->probe; d; d = d->next) {
		struct probe *p = stable_find(c, pd->name, d->name);

		if (p && (p->decl || !pd->loc.src->ours))
			return diag_error(c->d, D_PROV_PRDUP, d->loc, "probe redeclared: %s:::%s",
					  pd->name, d->name);
		if (!p) {
			p = stable_add(c, pd->name, d->name);
			if (names && is_lib(pd->loc))
				family_make(c, p, names, n++, count_probes(pd));
		}
		p->decl = d;
		if (p->family)
			family_declare(p->family, d);
	}
	return 0;
}

static int add_derivation(struct compiler *c, struct derivation *dv)
{
	struct probe *p = stable_find(c, dv->probe.field[PD_PROV], dv->probe.field[PD_NAME]);

	if (!p)
		return diag_error(c->d, D_PDESC_ZERO, dv->loc,
				  "a derivation needs a declared probe, and no provider declares "
				  "%s",
				  dv->probe.text);
	/*
	 * The probe keeps the rank of its first derivation, which is the derivation's place among
	 * all library texts.
	 */
	if (p->rank == UINT32_MAX)
		p->rank = names_place(c->names, dv->loc);
	if (!dv->loc.src->ours || !p->deriv)
		/*
		 * A built-in derivation does not replace one of a -L file or of the program.
		 * Otherwise the newest derivation counts.
		 */
		p->deriv = dv;
	return 0;
}

/*
 * Returns whether the library defines the name of enumerator @en with the same value. For example,
 * <netinet/in.h> and the library both define IPPROTO_TCP.
 */
static bool library_agrees(struct compiler *c, const struct enumerator *en)
{
	struct expr e = {.kind = E_IDENT, .name = en->name, .lib = true};
	struct attempt a;
	bool same;

	attempt_begin(&a, c);
	same = !sema_expr(&a.c, &e) && e.is_const && e.value == en->value;
	attempt_end(&a);
	return same;
}

/* The parser has checked that no enumerator is declared twice. */
int check_enums(struct compiler *c, const struct decl_enum *d)
{
	for (; d; d = d->next)
		for (uint32_t i = 0; i < d->type->nenumerator; i++) {
			const char *name = d->type->enumerator[i].name;

			if ((var_find(c->names, false, DECL_GLOBAL, name) ||
			     inline_find(c->names, false, name) ||
			     name_is_builtin(c->opt->lang, name) ||
			     is_function(c->opt->lang, name)) &&
			    !library_agrees(c, &d->type->enumerator[i]))
				return diag_error(c->d, D_DECL_IDRED, d->loc,
						  "identifier redeclared: %s", name);
		}
	return 0;
}

/*
 * Looks at the first of the inlines, variables and translators that are left in @t. If this
 * declaration stands before byte @end of the source, adds it and removes it from @t. Returns 1 if a
 * declaration was added, 0 if there was none, or -1 with the error recorded.
 */
static int add_name(struct compiler *c, struct ast *t, uint32_t end)
{
	struct translator *xl = t->xl;
	struct decl_inline *in = t->inl;
	struct decl_var *var = t->var;

	if (in && in->loc.off < end && !(var && var->loc.off < in->loc.off) &&
	    !(xl && xl->loc.off < in->loc.off)) {
		t->inl = in->next;
		return add_inline(c, in) ? -1 : 1;
	}
	if (var && var->loc.off < end && !(xl && xl->loc.off < var->loc.off)) {
		t->var = var->next;
		return add_var(c, var) ? -1 : 1;
	}
	if (!xl || xl->loc.off >= end)
		return 0;
	t->xl = xl->next;
	return sema_translator(c, xl) ? -1 : 1;
}

int add_names(struct compiler *c, struct ast *t, uint32_t end)
{
	int r;

	do
		r = add_name(c, t, end);
	while (r > 0);
	return r;
}

int add_declarations(struct compiler *c, const struct ast *t)
{
	for (struct provider_decl *p = t->prov; p; p = p->next)
		if (add_provider(c, p))
			return -1;
	for (struct derivation *d = t->deriv; d; d = d->next)
		if (add_derivation(c, d))
			return -1;
	return 0;
}
