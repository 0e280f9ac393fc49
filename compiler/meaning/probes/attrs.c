/*
 * attrs.c - computes the stability of a program: how far its probes and names may change in later
 * versions.
 *
 * A program is as stable as the least stable name in its text. A library name has the stability
 * that the library declares, whatever its definition uses. A name that the program declares has the
 * stability in the program's pragma. Without a pragma it is Stable, but an inline then has the
 * stability of its definition.
 */
#include "compiler/meaning/probes/attrs.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/stability.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/symtab.h"
#include "compiler/meaning/typing/names/ident.h"
#include "compiler/meaning/typing/names/symbol.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"
#include "providers/provider.h"

#define MOST ((struct stability){ST_STANDARD, ST_STANDARD, STC_COMMON})
#define INLINES_MAX 64 /* maximum depth of nested inlines */

/* ------------------------------------------------------------------ pragmas */

/*
 * Handles "#pragma D attributes N/D/C provider NAME PART", which sets the stability of all probes
 * of a provider.
 */
static int add_provider_part(struct compiler *c, const struct pragma *p, struct stability is)
{
	int part = p->arg[3] ? stability_part(p->arg[3]) : -1;
	struct provider_attrs *a;

	if (part < 0)
		return diag_error(c->d, D_PRAGMA_INVAL, p->loc,
				  "invalid component \"%s\" in attribute #pragma for "
				  "provider %s",
				  p->arg[3] ? p->arg[3] : "", p->arg[2]);
	for (size_t i = 0; i < c->names->provider_attrs.n; i++)
		if (c->names->provider_attrs.v[i].prov == p->arg[2]) {
			c->names->provider_attrs.v[i].is.part[part] = is;
			return 0;
		}
	vec_apush(c->arena, &c->names->provider_attrs,
		  ((struct provider_attrs){.prov = p->arg[2]}));
	a = &c->names->provider_attrs.v[c->names->provider_attrs.n - 1];
	for (int i = 0; i < STP_PARTS; i++)
		a->is.part[i] = PRIVATE_UNKNOWN;
	a->is.part[part] = is;
	return 0;
}

static int add_attributes(struct compiler *c, const struct pragma *p)
{
	struct stability is;

	if (!stability_parse(p->arg[0], &is))
		return diag_error(c->d, D_PRAGMA_INVAL, p->loc,
				  "invalid attributes specified by pragma");
	if (p->arg[2])
		return add_provider_part(c, p, is);
	vec_apush(c->arena, &c->names->ident_attrs,
		  ((struct ident_attrs){p->arg[1], p->loc.src->kind == SRC_LIB, is}));
	return 0;
}

/* Returns whether the text is a version such as "1.2" or "1.2.3". */
static bool is_version(const char *text)
{
	return *text >= '0' && *text <= '9' && strchr(text, '.') &&
	       strspn(text, "0123456789.") == strlen(text);
}

int attrs_add(struct compiler *c, const struct ast *t)
{
	for (const struct pragma *p = t->pragma; p; p = p->next) {
		if (!strcmp(p->name, "attributes") && add_attributes(c, p))
			return -1;
		if (!strcmp(p->name, "binding") && !is_version(p->arg[0]))
			return diag_error(c->d, D_PRAGMA_INVAL, p->loc,
					  "invalid version string specified by pragma");
	}
	return 0;
}

/*
 * Returns whether @name is declared in library text if @lib is set, else in the program. A name
 * that the program declares with extern counts in both cases.
 */
static bool is_own(struct compiler *c, bool lib, const char *name)
{
	return symtab_get(&c->names->syms, NAME_GLOBAL, lib, name) ||
	       symtab_get(&c->names->syms, NAME_INLINE, lib, name) || symbol_declared(c, name);
}

static bool is_type(struct compiler *c, const char *name)
{
	return scope_find(&c->names->user, TAG_TYPEDEF, name) ||
	       scope_find(&c->names->user, TAG_STRUCT, name);
}

int attrs_check(struct compiler *c, const struct ast *t)
{
	for (const struct pragma *p = t->pragma; p; p = p->next) {
		bool lib = p->loc.src->kind == SRC_LIB;

		if ((strcmp(p->name, "attributes") && strcmp(p->name, "binding")) || p->arg[2] ||
		    lib || is_own(c, lib, p->arg[1]) || is_type(c, p->arg[1]))
			continue;
		if (name_is_builtin(c->opt->lang, p->arg[1]) ||
		    lang_subr(c->opt->lang, p->arg[1]) || lang_action(c->opt->lang, p->arg[1]) ||
		    is_own(c, true, p->arg[1]))
			return diag_error(c->d, D_PRAGMA_SCOPE, p->loc,
					  "#pragma %s cannot modify entity defined outside program "
					  "scope",
					  p->name);
		return diag_error(c->d, D_PRAGMA_UNUSED, p->loc,
				  "unused #pragma %s: there is no %s", p->name, p->arg[1]);
	}
	return 0;
}

/* ------------------------------------------------------------------- probes */

/*
 * Parses the library's pragmas, unless that was done before. They are parsed late, because only
 * stability depends on them.
 */
static void read_pragmas(struct compiler *c)
{
	if (c->names->undeclared.pragmas)
		c->names->undeclared.pragmas(c->names->undeclared.ctx);
}

static const struct provider_stability *of_provider(struct compiler *c, const struct probe *p)
{
	static const struct provider_stability unknown = {{PRIVATE_UNKNOWN, PRIVATE_UNKNOWN,
							   PRIVATE_UNKNOWN, PRIVATE_UNKNOWN,
							   PRIVATE_UNKNOWN}};

	read_pragmas(c);
	for (size_t i = 0; i < c->names->provider_attrs.n; i++)
		if (!strcmp(c->names->provider_attrs.v[i].prov, p->prov))
			return &c->names->provider_attrs.v[i].is;
	for (int i = 0; host_providers[i]; i++)
		if (host_provider_is(host_providers[i], p->prov) && host_providers[i]->stability)
			return host_providers[i]->stability;
	return &unknown;
}

/*
 * The stability of the provider always counts. The stability of module, function and name counts
 * only if @desc names them exactly: not by an empty field or a pattern.
 */
struct stability attrs_of_probe(struct compiler *c, const struct probe *p,
				const struct probe_desc *desc)
{
	const struct provider_stability *s = of_provider(c, p);
	struct stability is = s->part[STP_PROVIDER];

	for (int i = PD_MOD; i <= PD_NAME; i++)
		if (*desc->field[i] && !glob_is_pattern(desc->field[i]))
			is = stability_min(is, s->part[i]);
	return is;
}

struct stability attrs_of_args(struct compiler *c, const struct probe *p)
{
	return of_provider(c, p)->part[STP_ARGS];
}

struct stability attrs_of_desc(struct compiler *c, const struct enabling *en)
{
	struct stability is = MOST;

	for (uint32_t i = 0; i < en->nprobe; i++)
		is = stability_min(is, attrs_of_probe(c, en->probe[i], en->desc));
	return is;
}

/* -------------------------------------------------------------- expressions */

/* A walk over the expressions of a clause. */
struct walk {
	struct compiler *c;
	const struct enabling *en;
	struct stability is;    /* stability of the clause: the minimum of all things seen so far */
	struct stability least; /* stability that each thing must reach */
	int depth;              /* number of inlines around the current expression */
	int bad;                /* -1 after an error, else 0 */
};

/*
 * Notes that @e uses a thing with stability @is: w->is, the stability of the clause, becomes at
 * most that. Records an error if @is is below w->least. For the message, @kind is the word for the
 * thing, and @name is its name.
 */
static void take(struct walk *w, struct stability is, const struct expr *e, const char *kind,
		 const char *name)
{
	w->is = stability_min(w->is, is);
	if (w->bad || stability_reaches(is, w->least))
		return;
	w->bad = diag_error(w->c->d, D_ATTR_MIN, e->loc,
			    "attributes for %s %s (%s/%s/%s) are less than predefined minimum",
			    kind, name, stability_level_name(is.name),
			    stability_level_name(is.data), stability_class_name(is.class));
}

static const struct ident_attrs *given(struct compiler *c, const char *name, bool lib)
{
	read_pragmas(c);
	for (size_t i = c->names->ident_attrs.n; i-- > 0;)
		if (c->names->ident_attrs.v[i].name == name &&
		    c->names->ident_attrs.v[i].lib == lib)
			return &c->names->ident_attrs.v[i];
	return NULL;
}

static void walk_args(struct walk *w, const struct expr *e)
{
	for (uint32_t i = 0; i < w->en->nprobe; i++)
		take(w, attrs_of_args(w->c, w->en->probe[i]), e, "associative array", "args");
}

static void walk_expr(struct walk *w, const struct expr *e);

static void walk_inline(struct walk *w, const struct decl_inline *in)
{
	if (in->lib || w->depth >= INLINES_MAX)
		return;
	w->depth++;
	walk_expr(w, in->expr);
	w->depth--;
}

static void walk_ident(struct walk *w, const struct expr *e)
{
	const struct ident_attrs *g;
	const struct builtin_var *b = lang_var(w->c->opt->lang, e->name);
	const struct decl_inline *in = inline_find(w->c->names, false, e->name);

	if (e->mod) {
		take(w, PRIVATE_UNKNOWN, e, "symbol",
		     arena_printf(w->c->arena, "%s`%s", e->mod, e->name));
		return;
	}
	g = given(w->c, e->name, false);
	if (!g && !symtab_get(&w->c->names->syms, NAME_GLOBAL, false, e->name) && (!in || in->lib))
		g = given(w->c, e->name, true);
	if (g)
		take(w, g->is, e, "scalar", e->name);
	else if (!strcmp(e->name, "args"))
		walk_args(w, e);
	else if (in)
		walk_inline(w, in);
	else
		take(w, b && b->stability ? *b->stability : STABLE_COMMON, e, "scalar", e->name);
}

static void walk_call(struct walk *w, const struct expr *e)
{
	const struct subr *s = lang_subr(w->c->opt->lang, e->name);

	take(w, s && s->stability ? *s->stability : STABLE_COMMON, e, "function", e->name);
}

static void walk_expr(struct walk *w, const struct expr *e)
{
	if (!e)
		return;
	if (e->kind == E_IDENT)
		walk_ident(w, e);
	else if (e->kind == E_CALL)
		walk_call(w, e);
	for (uint32_t i = 0; i < e->narg; i++)
		walk_expr(w, e->arg[i]);
	walk_expr(w, e->a);
	walk_expr(w, e->b);
	walk_expr(w, e->c);
}

static void walk_statement(void *ctx, struct stmt *s)
{
	walk_expr(ctx, s->expr);
}

static int walk_clause(struct walk *w)
{
	struct diag *d = w->c->d;

	w->is = STABLE_COMMON;
	d->now = DIAG_IN_PREDICATE;
	walk_expr(w, w->en->clause->pred);
	d->now = DIAG_IN_ACTIONS;
	stmt_each(w->en->clause->body, walk_statement, w);
	d->now = DIAG_OUTSIDE;
	return w->bad;
}

struct stability attrs_of_body(struct compiler *c, const struct enabling *en)
{
	struct walk w = {.c = c, .en = en};

	walk_clause(&w);
	return w.is;
}

int attrs_check_least(struct compiler *c, const struct enabling *en)
{
	struct walk w = {.c = c, .en = en, .least = c->opt->amin};
	struct stability is;

	if (stability_reaches((struct stability){0}, c->opt->amin))
		return 0; /* no stability is required */
	is = attrs_of_desc(c, en);
	if (!stability_reaches(is, c->opt->amin))
		return diag_error(c->d, D_ATTR_MIN, en->desc->loc,
				  "attributes for probe description %s (%s/%s/%s) are less than "
				  "predefined minimum",
				  en->desc->text, stability_level_name(is.name),
				  stability_level_name(is.data), stability_class_name(is.class));
	return walk_clause(&w);
}
