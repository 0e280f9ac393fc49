/*
 * libindex_make.c - makes the index of the library by parsing its texts.
 *
 * The parser reports where each declaration begins and ends. The names of declared types are in the
 * scope, and all other declared names are in the tree.
 */
#include "compiler/syntax/libindex.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/parse.h"
#include "ir/types/type.h"

struct type_name {
	const char *name;
	enum tag_kind kind;
};

struct maker {
	struct arena *arena;
	struct intern names;
	struct scope types, scope;
	struct diag *d;

	uint32_t text;    /* index of the text that is being parsed */
	size_t text_item; /* index of the first item of that text */
	VEC(struct lib_item) item;
	VEC(struct lib_name) name;
	VEC(struct lib_probe) probe;
	VEC(struct lib_clause) clause;
	VEC(uint32_t) set;
	struct strbuf blob;
	struct scope seen;           /* the names of the types that already belong to an item */
	VEC(struct type_name) fresh; /* the types that the current item declares */
};

/* ------------------------------------------------------------------- texts */

/* Returns the offset of @name in the text of all names, which has each name once. */
static uint32_t text_of(struct maker *m, const char *name)
{
	size_t n = strlen(name) + 1;

	for (size_t at = 0; at < m->blob.len; at += strlen(m->blob.s + at) + 1)
		if (!strcmp(m->blob.s + at, name))
			return (uint32_t)at;
	strbuf_add(&m->blob, name, n);
	return (uint32_t)(m->blob.len - n);
}

static void add_name(struct maker *m, enum lib_kind kind, const char *name, uint32_t item)
{
	struct lib_name n = {text_of(m, name), (uint16_t)kind, (uint16_t)item};

	vec_apush(m->arena, &m->name, n);
}

/* Returns the index of the item of the current text that contains byte @off. */
static uint16_t item_at(const struct maker *m, uint32_t off)
{
	size_t i = m->text_item;

	while (i < m->item.n && !(off >= m->item.v[i].from && off < m->item.v[i].to))
		i++;
	return (uint16_t)i;
}

/* ------------------------------------------------------------------- types */

/* Notes a type that the current item declares. A forward reference declares nothing. */
static void note_type(void *ctx, enum tag_kind kind, const char *name, struct type *t)
{
	struct maker *m = ctx;

	if (t->kind == T_FWD || scope_own(&m->seen, kind, name))
		return;
	scope_add(&m->seen, kind, name, &type_int);
	vec_apush(m->arena, &m->fresh, ((struct type_name){name, kind}));
}

static int by_type_name(const void *a, const void *b)
{
	const struct type_name *x = a, *y = b;
	int cmp = strcmp(x->name, y->name);

	return cmp ? cmp : (int)x->kind - (int)y->kind;
}

static void note_item(void *ctx, uint32_t from, uint32_t to)
{
	struct maker *m = ctx;
	struct lib_item item = {from, to, m->text};

	vec_apush(m->arena, &m->item, item);
	m->fresh.n = 0;
	scope_each(&m->scope, note_type, m);
	if (m->fresh.n) /* scopes have no order, and an index must be the same in each build */
		qsort(m->fresh.v, m->fresh.n, sizeof(*m->fresh.v), by_type_name);
	for (size_t i = 0; i < m->fresh.n; i++)
		add_name(m, (enum lib_kind)m->fresh.v[i].kind, m->fresh.v[i].name,
			 (uint32_t)m->item.n - 1);
}

/* ------------------------------------------------------- variables and such */

static void note_names(struct maker *m, const struct ast *t)
{
	static const enum lib_kind kinds[] =
		{[DECL_GLOBAL] = LIB_GLOBAL, [DECL_THIS] = LIB_THIS, [DECL_SELF] = LIB_SELF};

	for (const struct decl_var *v = t->var; v; v = v->next)
		add_name(m, v->is_extern ? LIB_EXTERN : kinds[v->scope], v->name,
			 item_at(m, v->loc.off));
	for (const struct decl_inline *in = t->inl; in; in = in->next)
		add_name(m, LIB_INLINE, in->name, item_at(m, in->loc.off));
	for (const struct translator *x = t->xl; x; x = x->next) {
		const char *tag = type_strip(x->out)->name;

		add_name(m, LIB_TRANSLATOR, tag ? tag : "", item_at(m, x->loc.off));
	}
}

/* A pragma is a line between declarations, and gets an item of its own. */
static void note_pragmas(struct maker *m, const struct ast *t, const struct src *src)
{
	for (const struct pragma *p = t->pragma; p; p = p->next) {
		const char *from = src->text + p->loc.off, *end = strchr(from, '\n');
		struct lib_item item = {p->loc.off, 0, m->text};

		item.to = (uint32_t)((end ? end : src->text + src->len) - src->text);
		vec_apush(m->arena, &m->item, item);
		add_name(m, LIB_PRAGMA, "", (uint32_t)m->item.n - 1);
	}
}

/* ------------------------------------------------------------------ probes */

static void note_providers(struct maker *m, const struct ast *t)
{
	for (const struct provider_decl *p = t->prov; p; p = p->next)
		for (const struct probe_decl *d = p->probe; d; d = d->next) {
			struct lib_probe row = {text_of(m, p->name), text_of(m, d->name),
						item_at(m, p->loc.off), NO_ITEM, 0};

			vec_apush(m->arena, &m->probe, row);
		}
}

static void note_derivations(struct maker *m, const struct ast *t)
{
	for (const struct derivation *d = t->deriv; d; d = d->next)
		for (size_t i = 0; i < m->probe.n; i++) {
			struct lib_probe *p = &m->probe.v[i];

			if (strcmp(m->blob.s + p->prov, d->probe.field[PD_PROV]) ||
			    strcmp(m->blob.s + p->name, d->probe.field[PD_NAME]))
				continue;
			p->deriv = item_at(m, d->loc.off);
			p->off = d->loc.off;
		}
}

/* ----------------------------------------------------------- hidden clauses */

/*
 * Returns the name of the variable that statement @e sets, or NULL. For a call, returns the name of
 * the function: some subroutines change their later results, and the index does not know which.
 */
static const char *set_by(const struct expr *e)
{
	if (e->kind == E_CALL)
		return e->name;
	if (e->kind != E_ASSIGN && !(e->kind == E_UNARY && e->op >= U_PREINC))
		return NULL;
	if (e->kind == E_ASSIGN && e->a->kind == E_THIS)
		return NULL; /* this->x belongs to the clause */
	e = e->a;
	if (e->kind == E_INDEX)
		e = e->a;
	return e->kind == E_IDENT || e->kind == E_THIS ? e->name : NULL;
}

static void note_clauses(struct maker *m, const struct ast *t)
{
	size_t chain = m->clause.n;

	for (const struct clause *cl = t->clause; cl; cl = cl->next) {
		struct lib_clause row = {.set = (uint32_t)m->set.n,
					 .item = item_at(m, cl->loc.off)};

		for (const struct stmt *s = cl->body; s; s = s->next) {
			const char *name = s->kind == S_EXPR ? set_by(s->expr) : NULL;

			if (name)
				vec_apush(m->arena, &m->set, text_of(m, name));
		}
		row.nset = (uint16_t)(m->set.n - row.set);
		if (!cl->alternative)
			chain = m->clause.n;
		row.chain = (uint16_t)chain;
		for (; row.desc < cl->ndesc; row.desc++) {
			row.off = cl->desc[row.desc].loc.off;
			vec_apush(m->arena, &m->clause, row);
		}
	}
}

/* -------------------------------------------------------------------- index */

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct maker *m = ctx;
	const struct lib_name *x = a, *y = b;
	int cmp = strcmp(m->blob.s + x->name, m->blob.s + y->name);

	if (cmp)
		return cmp;
	return x->kind != y->kind ? (int)x->kind - (int)y->kind : (int)x->item - (int)y->item;
}

/*
 * Records an error if the library declares a name twice. The meaning of such a name would depend on
 * which declaration a program needs first. Also records an error if the library has more
 * declarations than an index can count.
 */
static int check_unique(struct maker *m)
{
	for (size_t i = 1; i < m->name.n; i++) {
		const struct lib_name *x = &m->name.v[i - 1], *y = &m->name.v[i];

		if (x->name == y->name && x->kind == y->kind && x->kind != LIB_TRANSLATOR &&
		    x->kind != LIB_PRAGMA)
			return diag_error(m->d, D_DECL_IDRED, NOLOC,
					  "the library declares %s twice", m->blob.s + x->name);
	}
	if (m->item.n < NO_ITEM && m->clause.n < NO_ITEM)
		return 0;
	return diag_error(m->d, D_LIMIT, NOLOC, "the library has too many declarations");
}

static int parse_text(struct maker *m, struct scope *scope, const struct library_text *l,
		      bool noted)
{
	struct parse_opts o = {.right = PD_RIGHT_NAME, .lib = true};
	struct src *src = arena_new(m->arena, struct src);
	struct ast t;

	if (noted) {
		o.declared = note_item;
		o.ctx = m;
	}
	*src = (struct src){SRC_LIB, l->name, l->text, l->len, true};
	m->text_item = m->item.n;
	if (parse_program(m->arena, &m->names, scope, src, &o, &t, m->d))
		return -1;
	if (!noted)
		return 0;
	note_names(m, &t);
	note_providers(m, &t);
	note_derivations(m, &t);
	note_clauses(m, &t);
	note_pragmas(m, &t, src);
	m->text++;
	return 0;
}

static int parse_texts(struct maker *m, const struct library_text *types,
		       const struct library_text *texts)
{
	for (const struct library_text *l = types; l && l->name; l++)
		if (parse_text(m, &m->types, l, false))
			return -1;
	for (const struct library_text *l = texts; l->name; l++)
		if (parse_text(m, &m->scope, l, true))
			return -1;
	qsort_r(m->name.v, m->name.n, sizeof(*m->name.v), by_name, m);
	return check_unique(m);
}

int libindex_make(struct arena *a, const struct library_text *types,
		  const struct library_text *texts, struct libindex *out, struct diag *d)
{
	struct maker m = {.arena = a, .d = d};
	int bad;

	intern_init(&m.names, a);
	scope_init(&m.types, a, NULL, NULL);
	scope_init(&m.scope, a, &m.types, NULL);
	scope_init(&m.seen, a, NULL, NULL);
	bad = parse_texts(&m, types, texts);
	*out = (struct libindex){.item = m.item.v,
				 .name = m.name.v,
				 .probe = m.probe.v,
				 .clause = m.clause.v,
				 .set = m.set.v,
				 .nitem = (uint32_t)m.item.n,
				 .nname = (uint32_t)m.name.n,
				 .nprobe = (uint32_t)m.probe.n,
				 .nclause = (uint32_t)m.clause.n,
				 .nset = (uint32_t)m.set.n,
				 .ntext = (uint32_t)m.blob.len};
	out->text = arena_memdup(a, m.blob.s, m.blob.len);
	strbuf_release(&m.blob);
	intern_release(&m.names);
	return bad;
}
