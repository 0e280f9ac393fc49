/*
 * hidden.c - finds the hidden clauses (clauses of the library) that a program needs.
 *
 * A hidden clause is needed if it assigns a variable that an enabled clause, or another needed
 * clause, reads. Some subroutines, such as __cookie, change their own later results. A statement
 * that only calls such a subroutine counts as an assignment to its name; all other calls of the
 * subroutine count as reads.
 */
#include "compiler/meaning/probes/hidden.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/vec.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/meaning/typing/stmt.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "compiler/syntax/libindex.h"
#include "providers/provider.h"

struct hidden {
	struct clause *clause;
	const struct probe_desc *desc;
	uint32_t rank;
	size_t chain;           /* number that a clause and its alternatives have in common */
	VEC(const char *) sets; /* names that the clause sets, interned */
	/*
	 * The clause in the library's index, with the names that the clause may set. NULL once the
	 * clause is parsed.
	 */
	const struct libindex *index;
	const struct lib_clause *row;
	/* the clause sets a needed name, and has been type-checked or replaced */
	bool done;
	/*
	 * NULL in three cases: the clause is not needed, it does not fit this kernel, or an earlier
	 * alternative replaces it
	 */
	struct enabling *en;
	struct stmt *left; /* type-checked statements that no code has needed so far */
};

/* The names that enabled code and needed clauses read. */
struct need {
	struct compiler *c;
	VEC(const char *) name;
	const struct enabling *en; /* the clause that is being examined */
};

/* ------------------------------------------------------------- what it sets */

static const char *set_by(const struct lang *l, const struct expr *e)
{
	const struct subr *s;

	if (e->kind == E_CALL) {
		s = lang_subr(l, e->name);
		return s && s->keeps ? e->name : NULL;
	}
	if (e->kind == E_ASSIGN || (e->kind == E_UNARY && e->op >= U_PREINC))
		e = e->a;
	else
		return NULL;
	if (e->kind == E_INDEX)
		e = e->a;
	return e->kind == E_IDENT || e->kind == E_THIS ? e->name : NULL;
}

/*
 * Returns whether @e assigns this->x. Such a variable belongs to one hidden clause; no other hidden
 * clause relies on it.
 */
static bool is_local(const struct expr *e)
{
	return e->kind == E_ASSIGN && e->a->kind == E_THIS;
}

static bool makes_output(const struct lang *l, const struct stmt *s)
{
	const struct expr *e = s->expr;

	return s->kind != S_EXPR || (e->kind == E_ASSIGN && e->a->kind == E_AGG) ||
	       (e->kind == E_CALL && lang_action(l, e->name));
}

/*
 * Returns the clause with rank @rank (its position in the library texts), if hidden_announce() has
 * added it and it is not parsed yet. Else returns NULL.
 */
static struct hidden *announced(struct compiler *c, uint32_t rank)
{
	for (size_t i = 0; i < c->probes->hidden.n; i++)
		if (c->probes->hidden.v[i]->row && c->probes->hidden.v[i]->rank == rank)
			return c->probes->hidden.v[i];
	return NULL;
}

void hidden_announce(struct compiler *c, const struct libindex *x, const struct src *text)
{
	size_t first = c->probes->hidden.n;

	for (uint32_t i = 0; i < x->nclause; i++) {
		struct hidden *h = arena_new(c->arena, struct hidden);

		h->index = x;
		h->row = &x->clause[i];
		h->rank = names_place(c->names,
				      (struct loc){&text[x->item[h->row->item].text], h->row->off});
		h->chain = first + h->row->chain;
		vec_apush(c->arena, &c->probes->hidden, h);
	}
}

/*
 * Returns whether the clause may set a name that is needed. A clause that sets none need not be
 * parsed.
 */
static bool may_set(const struct need *n, const struct hidden *h)
{
	const uint32_t *set = h->index->set + h->row->set;

	for (uint32_t i = 0; i < h->row->nset; i++)
		for (size_t k = 0; k < n->name.n; k++)
			if (!strcmp(h->index->text + set[i], n->name.v[k]))
				return true;
	return false;
}

int hidden_add(struct compiler *c, struct clause *cl)
{
	size_t chain = c->probes->hidden.n;

	for (const struct stmt *s = cl->body; s; s = s->next)
		if (makes_output(c->opt->lang, s))
			return diag_error(c->d, D_FUNC_IDENT, s->loc,
					  "a clause of a library text can only assign variables");
	if (cl->alternative && c->probes->hidden.n)
		chain = c->probes->hidden.v[c->probes->hidden.n - 1]->chain;
	for (uint32_t i = 0; i < cl->ndesc; i++) {
		uint32_t rank = names_place(c->names, cl->desc[i].loc);
		struct hidden *known = announced(c, rank), *h = known;

		if (!known)
			h = arena_new(c->arena, struct hidden);
		*h = (struct hidden){.clause = cl,
				     .desc = &cl->desc[i],
				     .rank = rank,
				     .chain = known ? known->chain : chain};
		for (const struct stmt *s = cl->body; s; s = s->next) {
			const char *name = s->kind == S_EXPR ? set_by(c->opt->lang, s->expr) : NULL;

			if (name && !is_local(s->expr))
				vec_apush(c->arena, &h->sets, name);
		}
		if (!known)
			vec_apush(c->arena, &c->probes->hidden, h);
	}
	return 0;
}

/* --------------------------------------------------------- reads */

static bool is_needed(const struct need *n, const char *name)
{
	for (size_t i = 0; i < n->name.n; i++)
		if (n->name.v[i] == name)
			return true;
	return false;
}

static void need_name(struct need *n, const char *name)
{
	if (!is_needed(n, name))
		vec_push(&n->name, name);
}

/*
 * Notes that code reads @v. Variables of the program do not count, because no hidden clause assigns
 * them. If @v is kept with sockets, the clauses that enter sockets in the table of sockets and
 * remove them are needed, too.
 */
static void need_var(struct need *n, const struct var *v)
{
	if (v->lib)
		need_name(n, v->name);
	if (socket_is_key(v)) {
		need_name(n, intern(&n->c->names->intern, "__enter"));
		need_name(n, intern(&n->c->names->intern, "__leave"));
	}
}

static void need_expr(struct need *n, const struct expr *e);

/*
 * Notes what native argument @i (an argument before translation) reads, at every probe of the
 * clause.
 */
static void need_native(struct need *n, uint64_t i)
{
	for (uint32_t p = 0; p < n->en->nprobe; p++)
		for (uint32_t h = 0; h < n->en->probe[p]->nhook; h++) {
			const struct hook_use *use = &n->en->probe[p]->hook[h];

			if (use->native && i < use->nnative)
				need_expr(n, use->native[i]);
		}
}

static void need_ident(struct need *n, const struct expr *e)
{
	const struct probe_decl *d;

	switch ((enum sym_kind)e->symkind) {
	case SYM_BOUND:
		need_expr(n, e->ref.bound);
		break;
	case SYM_VAR:
		need_var(n, e->ref.var);
		break;
	case SYM_NATIVE:
		need_native(n, e->ival);
		break;
	case SYM_BUILTIN:
		if (e->ref.builtin->arg)
			need_native(n, e->ival);
		break;
	case SYM_PROBEARG:
		d = n->en->probe[0]->decl;
		for (uint32_t i = 0; i < d->arg[e->ival].nin; i++)
			need_native(n, d->arg[e->ival].in[i]);
		break;
	default:
		break;
	}
}

/* Returns whether @e is a native argument that is NULL at every hook. */
static bool never_there(const struct need *n, const struct expr *e)
{
	e = expr_kept(e);
	if (e->kind != E_IDENT || e->symkind != SYM_NATIVE)
		return false;
	for (uint32_t p = 0; p < n->en->nprobe; p++)
		for (uint32_t h = 0; h < n->en->probe[p]->nhook; h++) {
			const struct hook_use *use = &n->en->probe[p]->hook[h];

			/* the filter of one probe may name an argument that another lacks */
			if (!use->native || e->ival >= use->nnative ||
			    !expr_is_zero(use->native[e->ival]))
				return false;
		}
	return true;
}

/* Returns whether @e is "x == NULL ? a : b" with an argument x that is always NULL. */
static bool takes_first(const struct need *n, const struct expr *e)
{
	e = expr_target(e->a);
	return e->kind == E_BINARY && e->op == B_EQ && never_there(n, e->a) && expr_is_zero(e->b);
}

/*
 * Returns whether @e is __small(x), and x is never in TIME_WAIT (a small socket) at the hooks of
 * the clause.
 */
static bool never_small(const struct need *n, const struct expr *e)
{
	e = expr_kept(e);
	if (e->kind != E_CALL || e->symkind != SYM_SUBR || !e->ref.subr->of_small)
		return false;
	for (uint32_t p = 0; p < n->en->nprobe; p++)
		for (uint32_t h = 0; h < n->en->probe[p]->nhook; h++)
			if (!socket_is_full(&n->en->probe[p]->hook[h], e->arg[0]))
				return false;
	return true;
}

/* The value of a condition. DEPENDS: the value is known only at run time. */
enum truth { IS_FALSE, IS_TRUE, DEPENDS };

static enum truth both(enum truth a, enum truth b)
{
	if (a == IS_FALSE || b == IS_FALSE)
		return IS_FALSE;
	return a == IS_TRUE && b == IS_TRUE ? IS_TRUE : DEPENDS;
}

static enum truth not(enum truth a) {
	return a == DEPENDS   ? DEPENDS
	       : a == IS_TRUE ? IS_FALSE
			      : IS_TRUE;
}

/*
 * Returns the value of condition @e. Compares literal strings too, because scripts compare their
 * arguments ($$1) with words.
 */
static enum truth truth_of(const struct expr *e)
{
	const struct expr *a, *b;

	e = expr_kept(e);
	if (e->is_const)
		return e->value ? IS_TRUE : IS_FALSE;
	if (e->kind == E_UNARY && e->op == U_NOT)
		return not(truth_of(e->a));
	if (e->kind != E_BINARY)
		return DEPENDS;
	if (e->op == B_LAND)
		return both(truth_of(e->a), truth_of(e->b));
	if (e->op == B_LOR)
		return not(both(not(truth_of(e->a)), not(truth_of(e->b))));
	a = expr_kept(e->a);
	b = expr_kept(e->b);
	if (a->kind != E_STR || b->kind != E_STR || (e->op != B_EQ && e->op != B_NE))
		return DEPENDS;
	return !strcmp(a->str, b->str) == (e->op == B_EQ) ? IS_TRUE : IS_FALSE;
}

/*
 * Notes what the left side @e of an assignment reads: keys and indexes, but not the variable
 * itself.
 */
static void need_place(struct need *n, const struct expr *e)
{
	for (; e; e = e->a) {
		for (uint32_t i = 0; i < e->narg; i++)
			need_expr(n, e->arg[i]);
		need_expr(n, e->b);
	}
}

static void need_expr(struct need *n, const struct expr *e)
{
	if (!e)
		return;
	if (e->kind == E_COND && truth_of(e->a) != DEPENDS) {
		need_expr(n, truth_of(e->a) == IS_TRUE ? e->b : e->c);
		return;
	}
	if (e->kind == E_COND && takes_first(n, e)) {
		need_expr(n, e->b);
		return;
	}
	if (e->kind == E_COND && never_small(n, e->a)) {
		need_expr(n, e->c);
		return;
	}
	if (e->kind == E_IDENT || e->kind == E_THIS || e->kind == E_SELF) {
		need_ident(n, e);
		return;
	}
	if (e->kind == E_INDEX && e->symkind == SYM_VAR)
		need_var(n, e->ref.var);
	else if (e->kind == E_CALL && e->symkind == SYM_SUBR && e->ref.subr->keeps)
		need_name(n, e->name);
	if (e->kind == E_ASSIGN && !e->op)
		need_place(n, e->a);
	else if (e->kind != E_INDEX || e->symkind != SYM_VAR)
		need_expr(n, e->a);
	need_expr(n, e->b);
	need_expr(n, e->c);
	for (uint32_t i = 0; i < e->narg; i++)
		need_expr(n, e->arg[i]);
}

static void need_statement(struct need *n, const struct expr *e)
{
	/*
	 * A statement that only calls a subroutine counts as an assignment to the subroutine's
	 * name, and does not read this name.
	 */
	if (n->en->hidden && e->kind == E_CALL && e->symkind == SYM_SUBR) {
		for (uint32_t i = 0; i < e->narg; i++)
			need_expr(n, e->arg[i]);
		return;
	}
	need_expr(n, e);
}

static void need_stmt(void *ctx, struct stmt *s)
{
	need_statement(ctx, s->expr);
}

static void need_hook(struct need *n, const struct hook_use *use)
{
	need_expr(n, use->guard);
	need_expr(n, use->as);
	need_expr(n, use->filter);
}

static void need_enabling(struct need *n, const struct enabling *en)
{
	n->en = en;
	if (!en->pred || truth_of(en->pred) != IS_FALSE) {
		need_expr(n, en->pred);
		stmt_each(en->body, need_stmt, n);
	}
	for (uint32_t p = 0; p < en->nprobe; p++)
		for (uint32_t h = 0; h < en->probe[p]->nhook; h++)
			need_hook(n, &en->probe[p]->hook[h]);
}

/* ------------------------------------------------------------------ typing */

static bool is_wanted(const struct need *n, const struct hidden *h)
{
	const struct undeclared *u = &n->c->names->undeclared;

	if (h->row && !may_set(n, h))
		return false;
	if (h->row)
		u->item(u->ctx, h->row->item);
	for (size_t i = 0; i < h->sets.n; i++)
		if (is_needed(n, h->sets.v[i]))
			return true;
	return false;
}

static int type_clause(struct compiler *c, struct hidden *h, struct enabling *en)
{
	if (h->clause->pred) {
		en->pred = expr_clone(c->arena, h->clause->pred);
		if (sema_predicate(c, en->pred))
			return -1;
	}
	h->left = stmt_clone(c->arena, h->clause->body);
	return sema_stmts(c, h->left);
}

/*
 * Type-checks the clause for this kernel. If the kernel lacks the clause's hook or a struct member,
 * or cannot find the storage of a socket there, h->en stays NULL.
 */
static void type_hidden(struct compiler *c, struct hidden *h)
{
	struct host_probe *host = host_find_alone(c, h->desc);
	struct attempt a;
	struct enabling *en;
	struct probe *p;

	if (!host)
		return;
	p = arena_new(c->arena, struct probe);
	*p = (struct probe){.id = host->id,
			    .prov = host->prov,
			    .mod = host->mod,
			    .func = host->func,
			    .name = host->name,
			    .host = host,
			    .rank = h->rank,
			    .resolved = true,
			    .nhook = 1,
			    .info = -1};
	p->hook = arena_new(c->arena, struct hook_use);
	p->hook->host = host;
	probe_type(c, p);
	en = arena_new(c->arena, struct enabling);
	*en = (struct enabling){.clause = h->clause, .nprobe = 1, .hidden = true};
	en->probe = arena_new(c->arena, struct probe *);
	en->probe[0] = p;
	attempt_begin(&a, c);
	a.typing = (struct typing){.host = host};
	if (!type_clause(&a.c, h, en) && socket_finds_all(en, h->left))
		h->en = en;
	attempt_end(&a);
}

/*
 * Moves the statements that are needed by now from h->left to the clause, in the order of the text.
 * Returns whether there were any.
 */
static bool keep_needed(struct need *n, struct hidden *h)
{
	struct stmt **from = &h->left, **to = &h->en->body, *s;
	bool changed = false;

	while ((s = *from)) {
		const char *name = set_by(n->c->opt->lang, s->expr);

		if (name && !is_needed(n, name)) {
			from = &s->next;
			continue;
		}
		while (*to && (*to)->loc.off < s->loc.off)
			to = &(*to)->next;
		*from = s->next;
		s->next = *to;
		*to = s;
		n->en = h->en;
		need_statement(n, s->expr);
		changed = true;
	}
	return changed;
}

static void mark_vars(struct need *n)
{
	for (struct var *v = n->c->names->vars; v; v = v->next)
		v->needed = v->lib && is_needed(n, v->name);
}

/* Returns whether an earlier alternative of @h fits this kernel. */
static bool is_replaced(const struct compiler *c, const struct hidden *h)
{
	for (size_t i = h->chain; c->probes->hidden.v[i] != h; i++)
		if (c->probes->hidden.v[i]->en && c->probes->hidden.v[i]->clause != h->clause)
			return true;
	return false;
}

/*
 * If clause @h is needed by now, type-checks it and keeps its statements that are needed by now.
 * Returns whether it kept any.
 */
static bool go_on(struct need *n, struct hidden *h)
{
	if (!h->done && is_wanted(n, h)) {
		h->done = true;
		if (!is_replaced(n->c, h))
			type_hidden(n->c, h);
		if (h->en) {
			*n->c->probes->enablings_end = h->en;
			n->c->probes->enablings_end = &h->en->next;
			need_enabling(n, h->en);
		}
	}
	return h->en && keep_needed(n, h);
}

void hidden_enable(struct compiler *c)
{
	struct need n = {.c = c};
	bool changed;

	for (struct enabling *en = c->probes->enablings; en; en = en->next)
		need_enabling(&n, en);
	do {
		changed = false;
		for (size_t i = 0; i < c->probes->hidden.n; i++)
			changed |= go_on(&n, c->probes->hidden.v[i]);
	} while (changed);
	mark_vars(&n);
	vec_free(&n.name);
}
