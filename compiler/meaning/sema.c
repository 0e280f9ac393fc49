/*
 * sema.c - gives every expression its type and every name its meaning.
 *
 * Works in place on a clone of the tree: inlines and translator members are
 * replaced by copies of their definitions, so that what is left for irgen is
 * plain.  D's rules, where they differ from C's: docs/compat.md and the D
 * chapter of the reference.
 */
#include <stdio.h>
#include <string.h>

#include "base/xalloc.h"
#include "agg/agg.h"
#include "compiler/meaning/enumstr.h"
#include "compiler/meaning/hint.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/libcheck.h"
#include "compiler/meaning/sema.h"
#include "compiler/meaning/symbol.h"

#define DEPTH_MAX 64 /* inlines and translators inside each other */
/* Height of an expression tree after definitions are inlined: passes recurse that deep. */
#define TREE_MAX 2000
#define NODES_MAX 400000 /* that definitions may add to one clause */

/* @e: what only a probe tells that does not exist here, or a part of that. */
static int becomes_unknown(struct expr *e)
{
	*e = (struct expr){.kind = E_IDENT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .name = "args",
			   .symkind = SYM_PARAM,
			   .type = &type_unknown};
	return 0;
}

static int err(struct compiler *c, enum dtag tag, const struct expr *e, const char *msg)
{
	return diag_error(c->d, tag, e->loc, "%s", msg);
}

/* ------------------------------------------------------------ constants */

/* The value of @e, whose operands are typed; false: it is not constant. */
static bool fold(const struct expr *e, int64_t *v)
{
	const struct expr *taken;

	switch (e->kind) {
	case E_INT:
		*v = (int64_t)e->ival;
		return true;
	case E_IDENT:
		e = expr_target(e);
		*v = e->value;
		return e->is_const;
	case E_UNARY:
		return e->a->is_const && const_unary(e->op, e->a->value, v);
	case E_BINARY: /* both are of one type, but for how far something is shifted */
		return e->a->is_const && e->b->is_const &&
		       const_binary(e->op, type_is_signed(e->a->type), e->a->value, e->b->value, v);
	case E_COND:
		taken = e->a->value ? e->b : e->c;
		*v = taken->value;
		return e->a->is_const && taken->is_const;
	case E_CAST:
		*v = type_is_integer(e->type) ? const_cut(e->type, e->a->value) : 0;
		return e->a->is_const && type_is_integer(e->type);
	default:
		return false;
	}
}

/* What pointer @e, typed, was written as the address of. */
static const struct expr *pointed_object(const struct expr *e)
{
	e = expr_target(e);
	if (!type_is(e->type, T_PTR))
		return NULL;
	if (e->kind == E_CAST && e->op == CONV_KEEP)
		return expr_target(e->a)->object;
	if ((e->kind == E_UNARY && e->op == U_ADDR) || (e->kind == E_CAST && e->op == CONV_ADDRESS))
		return e->a;
	return NULL;
}

static void note_value(struct expr *e)
{
	e->is_const = fold(e, &e->value);
	e->object = pointed_object(e);
}

/* As it was before what it stands for takes its place. */
static const struct expr *as_written(struct compiler *c, const struct expr *e)
{
	return e->written ? e->written : arena_memdup(c->arena, e, sizeof(*e));
}

static void make_int(struct expr *e, int64_t v, struct type *t)
{
	e->kind = E_INT;
	e->ival = (uint64_t)v;
	e->type = t;
	e->ctype = NULL;
	e->a = NULL;
	e->symkind = SYM_NONE;
	note_value(e);
}

/* ------------------------------------------------------------ conversions */

static bool is_lvalue(const struct expr *e);

/*
 * Is every number that @e may be one of type @to?  What is computed has 64 bits, whatever its type.
 */
static bool holds(struct type *to, const struct expr *e)
{
	const struct type *t = type_strip(e->type);

	to = type_strip(to);
	if (t->kind != T_INT || !is_lvalue(e) || (e->symkind != SYM_NONE && e->symkind != SYM_VAR))
		return false;
	return t->sgn == to->sgn ? t->size <= to->size : to->sgn && t->size < to->size;
}

/* How @e, typed, becomes a @to. */
static enum conversion conversion(struct type *to, const struct expr *e)
{
	if (type_is(to, T_VOID))
		return CONV_DROP;
	if (type_is(to, T_STRING))
		return expr_is_string(e) ? CONV_KEEP : expr_is_zero(e) ? CONV_NULL : CONV_TEXT;
	if (type_is(e->type, T_ARRAY))
		return CONV_ADDRESS;
	return type_is_integer(to) && type_strip(to)->size < 8 && !holds(to, e) ? CONV_CUT
										: CONV_KEEP;
}

static struct expr *converted(struct compiler *c, struct expr *e, enum conversion how,
			      struct type *to)
{
	struct expr *n = arena_new(c->arena, struct expr);

	*n = (struct expr){.kind = E_CAST,
			   .op = how,
			   .loc = e->loc,
			   .lib = e->lib,
			   .type = to,
			   .a = e,
			   .height = (uint16_t)(e->height + 1),
			   .written = e->written ? e->written : e,
			   .typed = true};
	if (how == CONV_KEEP) {
		n->is_const = e->is_const;
		n->value = e->value;
	}
	n->object = pointed_object(n);
	return n;
}

/* The pointer behind which lvalue @e lies; NULL: it is behind none. */
static const struct expr *pointer_to(const struct expr *e)
{
	for (e = expr_target(e);; e = expr_target(e->a)) {
		if (e->symkind == SYM_VAR)
			return NULL;
		if (e->kind == E_UNARY && e->op == U_DEREF)
			return e->a;
		if (e->kind != E_MEMBER && e->kind != E_INDEX)
			return NULL;
		if (e->arrow || (e->kind == E_INDEX && !type_is(e->a->type, T_ARRAY)))
			return e->a;
	}
}

/* Is it in the memory of a process? */
static bool behind_userland(const struct expr *e)
{
	const struct expr *p = pointer_to(e);

	return p && type_is_userland(p->type);
}

static struct type *address_type(struct compiler *c, const struct expr *of, struct type *to)
{
	return behind_userland(of) ? type_userland_ptr(c->arena, to) : type_ptr(c->arena, to);
}

/* An array's name is a pointer to its first element. */
static struct type *decay(struct compiler *c, struct type *t)
{
	return type_is(t, T_ARRAY) ? type_ptr(c->arena, type_strip(t)->to) : t;
}

/* Where an address is wanted, an array is that of its first element: @e, typed, becomes so. */
static void sema_decay(struct compiler *c, struct expr **e)
{
	if (type_is((*e)->type, T_ARRAY))
		*e = converted(c, *e, CONV_ADDRESS,
			       address_type(c, *e, type_strip((*e)->type)->to));
}

/* What stands where a string is wanted is one. */
static void to_string(struct compiler *c, struct expr **e)
{
	if (!expr_is_string(*e))
		*e = converted(c, *e, conversion(&type_string, *e), &type_string);
}

void sema_show(struct compiler *c, struct expr **e)
{
	struct type *t = type_strip((*e)->type);

	if (t->kind == T_ARRAY && type_strip(t->to)->is_char)
		to_string(c, e);
}

/* The address of string @e: its characters are in the clause's memory then, or it is NULL. */
static void sema_chars(struct compiler *c, struct expr **e)
{
	*e = converted(c, *e, CONV_CHARS, type_ptr(c->arena, &type_char));
	c->typing->memory |= MEMORY_USED;
}

/* A number is seen as one of type @to, or as a pointer of that type. */
static void see_as(struct compiler *c, struct expr **e, struct type *to)
{
	const struct type *is = type_strip((*e)->type), *want = type_strip(to);

	if (is->kind != T_INT || want->kind != T_INT || is->size != want->size ||
	    is->sgn != want->sgn)
		*e = converted(c, *e, CONV_KEEP, to);
}

/* ------------------------------------------------------------- identifiers */

static struct expr *bound(struct compiler *c, const char *name)
{
	for (size_t i = c->typing->bind.n; i-- > c->typing->bind_from;)
		if (c->typing->bind.v[i].name == name)
			return c->typing->bind.v[i].expr;
	return NULL;
}

/* A string, or characters in memory that one can be made of. */
static bool is_text(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_STRING ||
	       ((t->kind == T_ARRAY || t->kind == T_PTR) && type_strip(t->to)->is_char);
}

static bool fits_all(struct type *t)
{
	return type_is(t, T_UNKNOWN) || type_is(t, T_ERROR);
}

/* Does a value of type @from go into one of type @to? */
static bool assignable(struct type *to, struct type *from)
{
	if (fits_all(to) || fits_all(from))
		return true;
	if (type_is(to, T_STRING))
		return is_text(from);
	if (type_is(to, T_PTR))
		return type_is(from, T_PTR) || type_is_integer(from) || type_is(from, T_ARRAY);
	if (type_is_integer(to))
		return type_is_scalar(from);
	return type_same(to, from);
}

/* May what points to @from be said to point to @to? */
static bool pointee_fits(struct type *to, struct type *from)
{
	to = type_strip(to);
	from = type_strip(from);
	return to->kind == T_VOID || from->kind == T_VOID || type_same(to, from) ||
	       (to->kind == T_INT && from->kind == T_INT && to->size == from->size);
}

/* assignable(), and pointers only to where their like point: what is stored is believed later. */
static bool fits(struct type *to, const struct expr *e)
{
	struct type *from = e->type;

	if (!type_is(to, T_PTR))
		return assignable(to, from) && !(type_is_integer(to) && type_is(from, T_PTR));
	if (type_is(from, T_PTR) || type_is(from, T_ARRAY))
		return pointee_fits(type_strip(to)->to, type_strip(from)->to);
	return fits_all(from) || (type_is_integer(from) && expr_is_zero(e));
}

/* What an inline gives or takes; it may also be translated. */
static bool inline_fits(struct type *to, const struct expr *e)
{
	return expr_is_xlated(e) ? type_same(to, type_strip(e->type)->to) : fits(to, e);
}

static int too_high(struct compiler *c, const struct expr *e)
{
	return diag_error(c->d, D_LIMIT, e->loc,
			  "expression is too long: more than %d levels with its inlines in place",
			  TREE_MAX);
}

static uint32_t count_nodes(const struct expr *e)
{
	uint32_t n = 1;

	if (!e)
		return 0;
	for (uint32_t i = 0; i < e->narg; i++)
		n += count_nodes(e->arg[i]);
	return n + count_nodes(e->a) + count_nodes(e->b) + count_nodes(e->c);
}

/*
 * A copy of @def for @e to become; NULL: too much.  What is wrong with a library's text
 * there is the user's doing.
 */
static struct expr *definition(struct compiler *c, const struct expr *def, const struct expr *e)
{
	c->typing->nodes += count_nodes(def);
	if (c->typing->nodes > NODES_MAX) {
		diag_error(c->d, D_LIMIT, e->loc,
			   "expression is too long: inlines and translators make more than "
			   "%d parts of it",
			   NODES_MAX);
		return NULL;
	}
	if (def->lib && e->loc.src && e->loc.src->kind != SRC_LIB)
		return expr_clone_at(c->arena, def, e->loc);
	return expr_clone(c->arena, def);
}

/*
 * The library's definition of what this kernel lacks is unknown: only a clause that never runs may
 * use it.
 */
static int sema_absent(struct compiler *c, struct expr *body)
{
	struct attempt a;
	int bad;

	attempt_begin(&a, c);
	bad = sema_expr(&a.c, body);
	if (!bad)
		attempt_keep(&a, c);
	attempt_end(&a);
	if (!bad)
		return 0;
	becomes_unknown(body);
	body->height = 1;
	body->typed = true;
	return 0;
}

/* Types @body, which sees the names bound from @from on and not those of whoever uses it. */
static int sema_definition(struct compiler *c, struct expr *body, size_t from)
{
	size_t saved = c->typing->bind_from;
	int bad;

	c->typing->bind_from = from;
	c->typing->depth++;
	bad = c->typing->absent && body->lib ? sema_absent(c, body) : sema_expr(c, body);
	c->typing->depth--;
	c->typing->bind_from = saved;
	c->typing->bind.n = from;
	return bad;
}

/* @e becomes @body, stored as a @t: cut to its size. */
static void becomes(struct compiler *c, struct expr *e, struct expr *body, struct type *t)
{
	const struct expr *was = as_written(c, e);

	*e = (struct expr){.kind = E_CAST,
			   .op = conversion(t, body),
			   .loc = body->loc,
			   .lib = body->lib,
			   .type = t,
			   .ctype = t,
			   .a = body,
			   .written = was};
}

static int inline_incompatible(struct compiler *c, const struct decl_inline *in,
			       const struct expr *body, struct loc loc)
{
	return diag_error(c->d, D_OP_INCOMPAT, loc,
			  "inline %s definition uses incompatible types: \"%s\" = \"%s\"", in->name,
			  type_text(c, in->type), type_text(c, body->type));
}

/* An inline is its definition, converted to its type, in place of the name. */
static int expand_inline(struct compiler *c, struct expr *e, struct decl_inline *in,
			 struct expr **arg, uint32_t narg)
{
	size_t mark = c->typing->bind.n;
	struct expr *body;

	if (narg != in->nparam)
		return diag_error(c->d, D_PROTO_LEN, e->loc,
				  "%s[ ] prototype mismatch: %u key%s passed, %u expected",
				  in->name, narg, narg == 1 ? "" : "s", in->nparam);
	if (c->typing->depth >= DEPTH_MAX)
		return diag_error(c->d, D_LIMIT, e->loc,
				  "inline '%s' refers to itself, or inlines are nested too deeply: "
				  "more than %d levels",
				  in->name, DEPTH_MAX);
	body = definition(c, in->expr, e);
	if (!body)
		return -1;
	for (uint32_t i = 0; i < narg; i++)
		vec_apush(c->arena, &c->typing->bind, ((struct binding){in->param[i], arg[i]}));
	if (sema_definition(c, body, mark))
		return -1;
	if (!inline_fits(in->type, body))
		return inline_incompatible(c, in, body, e->loc);
	/* not stored: what is computed further on */
	if (expr_is_xlated(body) || type_same(in->type, body->type)) {
		body->written = as_written(c, e);
		body->type = expr_is_xlated(body) ? body->type : in->type;
		*e = *body;
	} else {
		becomes(c, e, body, in->type);
	}
	return 0;
}

/* Is argument @k of both probes made of the same native arguments? */
static bool same_inputs(const struct probe *p, const struct probe *q, uint32_t k)
{
	const struct probe_arg *a, *b;

	if (!p->decl || !q->decl || !p->decl->has_args || !q->decl->has_args)
		return !p->decl == !q->decl;
	a = &p->decl->arg[k];
	b = &q->decl->arg[k];
	return a->nin == b->nin && (!a->nin || !memcmp(a->in, b->in, a->nin * sizeof(*a->in)));
}

/*
 * Is every probe of the clause typed alike, so that args[] means one thing?  One that
 * has more behind what the others have (ip:::drop) may be among them.
 */
static int args_stable(struct compiler *c, const struct expr *e, uint32_t *nargs)
{
	const struct probe *p = c->typing->probe[0];

	*nargs = probe_nargs(p);
	for (uint32_t i = 1; i < c->typing->nprobe; i++) {
		const struct probe *q = c->typing->probe[i];
		bool same = (!strcmp(p->prov, q->prov) && !p->typed) || probe_nargs(q) == *nargs;

		if (probe_nargs(q) < *nargs)
			*nargs = probe_nargs(q);
		for (uint32_t k = 0; same && k < *nargs; k++)
			same = type_same(probe_arg_type(p, k), probe_arg_type(q, k)) &&
			       same_inputs(p, q, k);
		if (!same)
			return diag_error(c->d, D_ARGS_MULTI, e->loc,
					  "args[ ] may not be referenced because probe description "
					  "%s "
					  "matches an unstable set of probes",
					  c->typing->desc->text);
	}
	return 0;
}

static struct expr *native_expr(struct compiler *c, const struct probe_decl *d, uint32_t i,
				struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_IDENT,
			   .loc = loc,
			   .lib = true,
			   .name = "native",
			   .symkind = SYM_NATIVE,
			   .ival = i,
			   .type = d->param[i],
			   .height = 1,
			   .typed = true};
	return e;
}

/*
 * A family's native arguments are numbers: args[i] is one of them, as the type that it has there.
 */
static int typed_argument(struct compiler *c, struct expr *e, const struct probe *p, uint32_t i)
{
	bool lib = e->lib;

	becomes(c, e, native_expr(c, p->decl, i, e->loc), p->typed[i]);
	e->lib = lib;
	return 0;
}

static int sema_args(struct compiler *c, struct expr *e)
{
	const struct probe *p;
	uint32_t nargs;
	int64_t i;

	if (e->narg != 1 || sema_expr(c, e->arg[0]))
		return e->narg == 1 ? -1 : err(c, D_ARR_BADREF, e, "args[ ] takes one index");
	if (!e->arg[0]->is_const)
		return err(c, D_ARGS_TYPE, e, "args[ ] index must be an integer constant");
	i = e->arg[0]->value;
	if (c->typing->host) {
		if (i < 0 || i >= c->typing->host->hook.narg)
			return diag_error(c->d, D_ARGS_IDX, e->loc,
					  "index %lld is out of range for %s", (long long)i,
					  c->typing->host->name);
		*e = (struct expr){.kind = E_IDENT,
				   .loc = e->loc,
				   .lib = e->lib,
				   .name = "args",
				   .symkind = SYM_HOSTARG,
				   .ival = (uint64_t)i,
				   .type = c->typing->host->hook.arg[i],
				   .written = as_written(c, e)};
		return 0;
	}
	if (!c->typing->nprobe && c->typing->absent)
		return becomes_unknown(e);
	if (!c->typing->nprobe)
		return err(c, D_ARGS_NONE, e,
			   "args[ ] may not be referenced outside a probe clause");
	for (uint32_t k = 0; k < c->typing->nprobe; k++)
		probe_type(c, c->typing->probe[k]);
	if (args_stable(c, e, &nargs))
		return -1;
	p = c->typing->probe[0];
	if (i < 0 || i >= nargs)
		return diag_error(c->d, D_ARGS_IDX, e->loc,
				  "index %lld is out of range for %s args[ ]", (long long)i,
				  c->typing->desc->text);
	if (p->typed)
		return typed_argument(c, e, p, (uint32_t)i);
	*e = (struct expr){.kind = E_IDENT,
			   .loc = e->loc,
			   .lib = e->lib,
			   .name = "args",
			   .ival = (uint64_t)i,
			   .symkind = p->host ? SYM_HOSTARG : SYM_PROBEARG,
			   .type = probe_arg_type(p, (uint32_t)i),
			   .written = as_written(c, e)};
	if (!p->host && probe_arg_xlated(p->decl, (uint32_t)i))
		e->type = type_xlated(c->arena, e->type);
	if (p->decl && !p->decl->has_args)
		e->symkind = SYM_NATIVE;
	return 0;
}

static bool is_argn(const char *name, uint64_t *n)
{
	if (strncmp(name, "arg", 3) || name[3] < '0' || name[3] > '9' || name[4])
		return false;
	*n = (uint64_t)(name[3] - '0');
	return true;
}

static int sema_builtin(struct compiler *c, struct expr *e, const struct builtin_var *b)
{
	e->symkind = SYM_BUILTIN;
	e->ref.builtin = b;
	e->type = lang_type(c, b->type);
	if (!e->type)
		BUG("builtin %s has no type '%s'", b->name, b->type);
	return 0;
}

/* Names that the language has taken, whatever the libraries say. */
bool name_is_builtin(const struct lang *l, const char *name)
{
	int64_t value;
	uint64_t n;

	return lang_var(l, name) || is_argn(name, &n) || !strcmp(name, "args") ||
	       !strcmp(name, "NULL") || !strcmp(name, "__live") || l->constant(name, &value);
}

/* May the program's text use the name? */
static int reserved(struct compiler *c, const struct expr *e)
{
	return e->lib ? 0 : name_reserved(c, e->name, e->loc);
}

int name_reserved(struct compiler *c, const char *name, struct loc loc)
{
	if (strncmp(name, "__", 2))
		return 0;
	return diag_error(c->d, D_IDENT_BADREF, loc,
			  "%s: names that begin with two underscores are the library's", name);
}

/* self-> is kept by thread: by what the library says tid is. */
static int need_thread(struct compiler *c, const struct expr *e)
{
	struct expr *tid;

	if (c->wants->thread)
		return 0;
	tid = arena_new(c->arena, struct expr);
	*tid = (struct expr){.kind = E_IDENT,
			     .loc = e->loc,
			     .lib = true,
			     .name = intern(&c->names->intern, "tid")};
	if (sema_definition(c, tid, c->typing->bind.n))
		return -1;
	if (!c->typing->absent) /* there it may be unknown */
		c->wants->thread = tid;
	return 0;
}

/*
 * The type of variable or key *@t where one of type @is is used in its place: a type that is not
 * known yet becomes that.  A clause that runs knows all its types.
 */
static void settle(struct compiler *c, struct type **t, struct type *is)
{
	if (!type_is(*t, T_UNKNOWN))
		return;
	if (!type_is(is, T_UNKNOWN))
		*t = is;
	else if (!c->typing->absent)
		*t = &type_long;
}

static void settle_all(struct compiler *c, struct type **t, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		settle(c, &t[i], &type_unknown);
}

/* What is printed in the same columns has keys of the same types. */
static void settle_beside(struct agg *a)
{
	for (uint32_t k = 0; a->beside && k < a->nkey; k++)
		if (type_is(a->key[k], T_UNKNOWN)) {
			a->key[k] = a->beside->key[k];
			a->key_class[k] = a->beside->key_class[k];
		}
}

void sema_settle(struct compiler *c)
{
	/* one may be beside the first of a printa(), and that beside another */
	for (int i = 0; i < 2; i++)
		for (struct agg *a = c->names->aggs; a; a = a->next)
			settle_beside(a);
	for (struct var *v = c->names->vars; v; v = v->next) {
		settle_all(c, &v->type, 1);
		settle_all(c, v->key, v->nkey);
	}
	for (struct agg *a = c->names->aggs; a; a = a->next)
		settle_all(c, a->key, a->nkey);
}

static int use_var(struct compiler *c, struct expr *e, struct var *v)
{
	if (v->assoc)
		return diag_error(c->d, D_ARR_BADREF, e->loc,
				  "%s may not be referenced without an index", e->name);
	settle(c, &v->type, &type_unknown);
	e->symkind = SYM_VAR;
	e->ref.var = v;
	e->type = v->type;
	return v->scope == DECL_SELF ? need_thread(c, e) : 0;
}

/* What a name means that is no variable's; NULL: nothing. */
static const char *function_kind(const struct lang *l, const char *name)
{
	const struct subr *s = lang_subr(l, name);

	if (s && !s->lib_only)
		return "function";
	return lang_action(l, name) ? "tracing function"
	       : agg_fn_find(name)  ? "aggregating function"
				    : NULL;
}

static int bad_reference(struct compiler *c, const struct expr *e, const char *is,
			 const char *wanted)
{
	return diag_error(c->d, D_IDENT_BADREF, e->loc, "%s '%s' may not be referenced as %s", is,
			  e->name, wanted);
}

static int unknown_ident(struct compiler *c, const struct expr *e)
{
	c->typing->lacks |= e->lib;
	if (function_kind(c->opt->lang, e->name)) {
		bad_reference(c, e, function_kind(c->opt->lang, e->name), "scalar");
		hint_not_called(c, e->name);
		return -1;
	}
	if (c->opt->lang->why_never(e->name))
		return diag_error(c->d, D_UNSUPPORTED, e->loc, "there is no %s here: %s", e->name,
				  c->opt->lang->why_never(e->name));
	diag_error(c->d, D_IDENT_UNDEF, e->loc, "failed to resolve %s: Unknown variable name",
		   e->name);
	hint_variable(c, e->name);
	return -1;
}

static int use_binding(struct expr *e, struct expr *b)
{
	e->written = b->written ? b->written : b;
	e->symkind = SYM_BOUND;
	e->ref.bound = b;
	e->type = b->type;
	return 0;
}

/* A number that a name stands for. */
static bool constant_name(struct compiler *c, const char *name, bool lib, int64_t *value,
			  struct type **t)
{
	*t = &type_int;
	if (!strcmp(name, "__live")) {
		*value = !c->opt->replay;
		return true;
	}
	if (!strcmp(name, "NULL")) {
		*value = 0;
		return true;
	}
	return scope_enumerator(lib ? &c->names->lib : &c->names->user, name, value, t) ||
	       c->opt->lang->constant(name, value);
}

/* What no program has declared. */
static int sema_given(struct compiler *c, struct expr *e)
{
	const struct builtin_var *bv = lang_var(c->opt->lang, e->name);
	struct type *t;
	int64_t value;
	uint64_t n;

	if (bv)
		return sema_builtin(c, e, bv);
	if (is_argn(e->name, &n)) {
		e->symkind = SYM_BUILTIN;
		e->ref.builtin = lang_var(c->opt->lang, "arg0-9");
		e->ival = n;
		e->type = &type_long;
		return 0;
	}
	if (!strcmp(e->name, "args")) {
		err(c, D_ARR_BADREF, e, "args may not be referenced without an index");
		hint_args(c, e);
		return -1;
	}
	if (!constant_name(c, e->name, e->lib, &value, &t))
		return unknown_ident(c, e);
	make_int(e, value, t);
	return 0;
}

static int sema_ident(struct compiler *c, struct expr *e)
{
	struct expr *b = bound(c, e->name);
	struct decl_inline *in;
	struct var *v;

	if (b)
		return use_binding(e, b);
	if (!e->mod && !e->lib && symbol_declared(c, e->name))
		e->mod = "";
	if (e->mod)
		return sema_symbol(c, e);
	if (reserved(c, e))
		return -1;
	v = var_find(c->names, e->lib, DECL_GLOBAL, e->name);
	if (v)
		return use_var(c, e, v);
	in = inline_find(c->names, e->lib, e->name);
	return in ? expand_inline(c, e, in, NULL, 0) : sema_given(c, e);
}

static int sema_scoped(struct compiler *c, struct expr *e, enum decl_scope scope)
{
	const char *of = scope == DECL_THIS ? "this" : "self";
	struct var *v = var_find(c->names, e->lib, scope, e->name);

	if (reserved(c, e))
		return -1;
	if (!v) {
		diag_error(c->d, D_VAR_UNDEF, e->loc,
			   "%s->%s has not yet been declared or assigned", of, e->name);
		hint_scoped(c, of, e->name);
		return -1;
	}
	return use_var(c, e, v);
}

/* ------------------------------------------------------------ translators */

static struct translator *xl_find(struct compiler *c, struct type *out, struct type *in)
{
	for (size_t i = c->names->xl.n; i-- > 0;)
		if (type_same(c->names->xl.v[i]->out, out) &&
		    type_same(c->names->xl.v[i]->in_type[0], in))
			return c->names->xl.v[i];
	return NULL;
}

/* The pointer or struct that a translated expression stands for. */
static struct type *xlated_as(const struct expr *e)
{
	return type_strip(type_strip(e->type)->to);
}

/* The struct whose members it has. */
static struct type *xlated_out(const struct expr *e)
{
	struct type *t = xlated_as(e);

	return t->kind == T_PTR ? t->to : type_strip(e->type)->to;
}

/*
 * Where a translated expression comes from, behind * and [0]: args[N], xlate, or a choice of such.
 */
static const struct expr *xlated_from(const struct expr *e)
{
	e = expr_target(e);
	while (e->kind == E_UNARY || e->kind == E_INDEX)
		e = expr_target(e->a);
	return e;
}

static struct expr *zero_expr(struct compiler *c, struct type *t, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_INT,
			   .loc = loc,
			   .lib = true,
			   .type = t,
			   .height = 1,
			   .typed = true,
			   .is_const = true};
	return e;
}

/* The value that is translated: NULL for an argument that the probe has not got. */
static struct expr *xlated_value(struct compiler *c, const struct expr *e)
{
	const struct expr *from = xlated_from(e);
	const struct probe_decl *d;
	struct expr *v;

	if (from->kind == E_XLATE)
		return from->a;
	if (from->kind == E_IDENT) {
		d = c->typing->probe[0]->decl;
		return native_expr(c, d, d->arg[from->ival].in[0], e->loc);
	}
	v = arena_memdup(c->arena, from, sizeof(*from)); /* a choice, or behind a comma */
	v->b = xlated_value(c, from->b);
	if (from->kind == E_COND)
		v->c = xlated_value(c, from->c);
	v->type = v->b->type;
	return v;
}

/*
 * Binds a translator's inputs: the native arguments of args[N], or xlate's operand.
 * Inputs that are not given are 0.
 */
static void bind_inputs(struct compiler *c, const struct translator *xl, const struct expr *base,
			struct loc loc)
{
	const struct probe_decl *d;
	const struct probe_arg *arg;
	uint32_t i = 0;

	if (base->kind == E_XLATE) {
		vec_apush(c->arena, &c->typing->bind,
			  ((struct binding){xl->in_name[i++], base->a}));
	} else {
		d = c->typing->probe[0]->decl;
		arg = &d->arg[base->ival];
		for (; i < xl->nin && i < arg->nin; i++)
			vec_apush(c->arena, &c->typing->bind,
				  ((struct binding){xl->in_name[i],
						    native_expr(c, d, arg->in[i], loc)}));
	}
	for (; i < xl->nin; i++)
		vec_apush(c->arena, &c->typing->bind,
			  ((struct binding){xl->in_name[i], zero_expr(c, xl->in_type[i], loc)}));
}

static int no_translator(struct compiler *c, const struct expr *e, struct type *in,
			 struct type *out)
{
	return diag_error(c->d, D_XLATE_NONE, e->loc, "no translator of \"%s\" to \"%s\"",
			  type_text(c, in), type_text(c, out));
}

static int no_member(struct compiler *c, const struct expr *e, struct type *t)
{
	c->typing->lacks |= e->lib;
	diag_error(c->d, D_TYPE_MEMBER, e->loc, "%s is not a member of %s", e->name,
		   type_text(c, t));
	hint_member(c, e->name, t);
	return -1;
}

static int member_incompatible(struct compiler *c, const char *name, struct type *t,
			       const struct expr *body, struct loc loc)
{
	return diag_error(c->d, D_XLATE_INCOMPAT, loc,
			  "translator member %s definition uses incompatible types: \"%s\" = "
			  "\"%s\"",
			  name, type_text(c, t), type_text(c, body->type));
}

/* (x ? args[2] : args[3])->member is x ? args[2]->member : args[3]->member; so of a comma. */
static int member_of_each(struct compiler *c, struct expr *e, const struct expr *from)
{
	struct expr *all = arena_memdup(c->arena, from, sizeof(*from));
	struct expr **branch[] = {&all->b, &all->c};

	for (int i = 0; i < (from->kind == E_COND ? 2 : 1); i++) {
		struct expr *m = arena_memdup(c->arena, e, sizeof(*e));

		m->a = *branch[i];
		m->arrow = xlated_as(m->a)->kind == T_PTR;
		*branch[i] = m;
	}
	all->typed = false;
	all->loc = e->loc;
	all->written = as_written(c, e);
	*e = *all;
	return sema_expr(c, e);
}

static struct translator *xl_of(struct compiler *c, const struct expr *from)
{
	return xl_find(c, xlated_out(from), xlated_value(c, from)->type);
}

/* args[N]->member: the member's definition takes the place of the expression. */
static int sema_translated(struct compiler *c, struct expr *e)
{
	const struct expr *from = xlated_from(e->a);
	struct type *out = xlated_out(from);
	size_t mark = c->typing->bind.n;
	const struct expr *def = NULL;
	struct translator *xl;
	struct expr *body;
	struct member m;

	if (e->arrow != (xlated_as(e->a)->kind == T_PTR))
		return diag_error(c->d, D_OP_SOU, e->loc,
				  "operator %s cannot be applied to type \"%s\"; use %s",
				  e->arrow ? "->" : ".", type_text(c, e->a->type),
				  e->arrow ? "." : "->");
	if (from->kind == E_COND || from->kind == E_COMMA)
		return member_of_each(c, e, from);
	xl = xl_of(c, from);
	if (!xl)
		return no_translator(c, e, xlated_value(c, from)->type, out);
	if (!type_member(out, e->name, &m))
		return no_member(c, e, out);
	for (uint32_t i = 0; i < xl->nmember; i++)
		if (xl->member[i].name == e->name)
			def = xl->member[i].expr;
	if (!def)
		return diag_error(c->d, D_XLATE_NOCONV, e->loc,
				  "translator does not define conversion for member: %s", e->name);
	if (c->typing->depth >= DEPTH_MAX)
		return diag_error(c->d, D_LIMIT, e->loc,
				  "the translator of %s refers to itself, or translators are "
				  "nested too deeply: "
				  "more than %d levels",
				  type_text(c, out), DEPTH_MAX);
	body = definition(c, def, e);
	if (!body)
		return -1;
	bind_inputs(c, xl, from, e->loc);
	if (sema_definition(c, body, mark))
		return -1;
	if (!fits(m.type, body))
		return member_incompatible(c, e->name, m.type, body, e->loc);
	becomes(c, e, body, m.type);
	return 0;
}

static int sema_member(struct compiler *c, struct expr *e)
{
	struct type *t;
	struct member m;

	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a))
		return becomes_unknown(e);
	if (expr_is_xlated(e->a))
		return sema_translated(c, e);
	t = e->a->type;
	if (type_is(t, T_FWD) ||
	    (e->arrow && type_is(t, T_PTR) && type_is(type_strip(t)->to, T_FWD)))
		return diag_error(c->d, D_OP_INCOMPLETE, e->loc,
				  "operator %s cannot be applied to a forward declaration: no %s "
				  "definition is "
				  "available",
				  e->arrow ? "->" : ".",
				  type_text(c, e->arrow ? type_strip(t)->to : t));
	if (e->arrow) {
		if (!type_is(t, T_PTR))
			return err(c, D_OP_PTR, e, "operator -> must be applied to a pointer");
		if (!type_is_sou(type_strip(t)->to))
			return diag_error(c->d, D_OP_SOU, e->loc,
					  "operator -> cannot be applied to pointer to type "
					  "\"%s\"; must be applied to "
					  "a struct or union pointer",
					  type_text(c, type_strip(t)->to));
		t = type_strip(t)->to;
	} else if (!type_is_sou(t)) {
		return diag_error(c->d, D_OP_SOU, e->loc,
				  "operator . cannot be applied to type \"%s\"; must be applied to "
				  "a "
				  "struct or union",
				  type_text(c, t));
	}
	if (!type_member(t, e->name, &m))
		return no_member(c, e, t);
	e->type = m.type;
	return 0;
}

/* ---------------------------------------------------------------- operators */

/* What is calculated with a @t is one; with an enum's value an int. */
static struct type *calculated(struct type *t)
{
	return type_is(t, T_ENUM) ? &type_int : t;
}

/* D's rule: rank is the size in bits, one more if unsigned; the higher rank wins. */
static struct type *promote(struct type *a, struct type *b)
{
	struct type *x = type_strip(calculated(a)), *y = type_strip(calculated(b));
	unsigned rx = x->size * 8 + !x->sgn, ry = y->size * 8 + !y->sgn;

	return calculated(rx >= ry ? a : b);
}

static const char *const op_text[] = {"?",  "||", "^^", "&&", "|",  "^", "&", "==", "!=", "<",
				      "<=", ">",  ">=", "<<", ">>", "+", "-", "*",  "/",  "%"};

static int incompatible(struct compiler *c, const struct expr *e, const char *op)
{
	diag_error(c->d, D_OP_INCOMPAT, e->loc,
		   "operands have incompatible types: \"%s\" %s \"%s\"", type_text(c, e->a->type),
		   op, type_text(c, e->b->type));
	hint_not_aggregated(c, e->a->kind == E_AGG ? e->a : e->b, e);
	return -1;
}

static bool stringlike(const struct expr *e)
{
	return is_text(e->type);
}

/* Both operands become what an operation on the two works on; gives that. */
static struct type *promote_both(struct compiler *c, struct expr **a, struct expr **b)
{
	struct type *t = promote((*a)->type, (*b)->type);

	see_as(c, a, t);
	see_as(c, b, t);
	return t;
}

/* A translated pointer is NULL if what is translated is. */
static void compare_xlated(struct compiler *c, struct expr *e)
{
	struct expr **x = expr_is_xlated(e->a) ? &e->a : &e->b;
	const struct expr *other = x == &e->a ? e->b : e->a;

	if (expr_is_xlated(*x) && xlated_as(*x)->kind == T_PTR && expr_is_zero(other))
		*x = xlated_value(c, *x);
}

/* What may be compared with a string, or stand beside one: text in memory, NULL. */
static bool stringish(const struct expr *e)
{
	return stringlike(e) || str_is_null(e);
}

/* Of two addresses, or an address and a number, both are addresses. */
static void compare_numbers(struct compiler *c, struct expr *e)
{
	sema_decay(c, &e->a);
	sema_decay(c, &e->b);
	if (type_is_integer(e->a->type) && type_is_integer(e->b->type))
		promote_both(c, &e->a, &e->b);
	else if (type_is_integer(e->a->type))
		see_as(c, &e->a, e->b->type);
	else if (type_is_integer(e->b->type))
		see_as(c, &e->b, e->a->type);
}

static int sema_compare(struct compiler *c, struct expr *e)
{
	e->type = &type_int;
	if (expr_is_unknown(e->a) || expr_is_unknown(e->b))
		return 0;
	if (e->op == B_EQ || e->op == B_NE)
		compare_xlated(c, e);
	if ((expr_is_string(e->a) && stringish(e->b)) ||
	    (expr_is_string(e->b) && stringish(e->a))) {
		to_string(c, &e->a);
		to_string(c, &e->b);
		return 0;
	}
	if (type_is_scalar(decay(c, e->a->type)) && type_is_scalar(decay(c, e->b->type))) {
		compare_numbers(c, e);
		return 0;
	}
	incompatible(c, e, op_text[e->op]);
	hint_operands(c, e->a, e->b);
	return -1;
}

/* A pointer that can be moved: to something whose size is known. */
static bool is_movable(struct type *t)
{
	return type_is(t, T_PTR) && !type_is(type_strip(t)->to, T_VOID) &&
	       !type_is(type_strip(t)->to, T_FUNC);
}

static int sema_additive(struct compiler *c, struct expr *e)
{
	struct type *a = decay(c, e->a->type), *b = decay(c, e->b->type);

	if (type_is_integer(a) && type_is_integer(b))
		e->type = promote_both(c, &e->a, &e->b);
	else if (is_movable(a) && type_is_integer(b))
		e->type = a;
	else if (type_is_integer(a) && is_movable(b) && e->op == B_ADD)
		e->type = b;
	else if (is_movable(a) && is_movable(b) && e->op == B_SUB)
		e->type = &type_long;
	else
		return incompatible(c, e, op_text[e->op]);
	sema_decay(c, &e->a);
	sema_decay(c, &e->b);
	return 0;
}

/* In a comparison, an enumeration on the left lets the right name one of its tags. */
static bool enum_tag(struct expr *left, struct expr *right)
{
	struct type *t = left->type ? type_strip(left->type) : NULL;
	uint32_t n;

	if (!t || t->kind != T_ENUM || right->kind != E_IDENT || right->mod)
		return false;
	type_members(t, &n);
	for (uint32_t i = 0; i < t->nenumerator; i++)
		if (!strcmp(t->enumerator[i].name, right->name)) {
			make_int(right, t->enumerator[i].value, left->type);
			return true;
		}
	return false;
}

static bool divides_by_zero(enum binary_op op, const struct expr *by)
{
	return (op == B_DIV || op == B_MOD) && expr_is_zero(by);
}

/* Operators for which a translated pointer is nothing at all. */
static int not_xlated(struct compiler *c, const struct expr *e, const char *op)
{
	if (!expr_is_xlated(e))
		return 0;
	return diag_error(c->d, D_OP_DYN, e->loc,
			  "operator %s cannot be applied to %s, which is translated: only its "
			  "members exist",
			  op, expr_source(c, e));
}

/* @what: "operator && requires operands" ... */
static int need_scalar(struct compiler *c, const struct expr *e, const char *op, const char *what)
{
	if (not_xlated(c, e, op))
		return -1;
	if (type_is_scalar(e->type) || type_is(e->type, T_ERROR))
		return 0;
	return diag_error(c->d, D_OP_SCALAR, e->loc, "operator %s %s of scalar type", op, what);
}

static int sema_binary(struct compiler *c, struct expr *e)
{
	enum binary_op op = e->op;

	if (sema_expr(c, e->a))
		return -1;
	if (!(op >= B_EQ && op <= B_GE && enum_tag(e->a, e->b)) && sema_expr(c, e->b))
		return -1;
	if (op >= B_EQ && op <= B_GE)
		return sema_compare(c, e);
	if ((expr_is_unknown(e->a) || expr_is_unknown(e->b)) && op != B_LOR && op != B_LAND &&
	    op != B_LXOR)
		return becomes_unknown(e);
	if (op == B_ADD || op == B_SUB)
		return sema_additive(c, e);
	if (op == B_LOR || op == B_LAND || op == B_LXOR) {
		e->type = &type_int;
		for (int i = 0; i < 2; i++)
			if (need_scalar(c, i ? e->b : e->a, op_text[op], "requires operands"))
				return -1;
		return 0;
	}
	if (not_xlated(c, e->a, op_text[op]) || not_xlated(c, e->b, op_text[op]))
		return -1;
	if (!type_is_integer(e->a->type) || !type_is_integer(e->b->type)) {
		bool arith = op == B_MUL || op == B_DIV;

		return diag_error(c->d, arith ? D_OP_ARITH : D_OP_INT, e->loc,
				  "operator %s requires operands of %s type", op_text[op],
				  arith ? "arithmetic" : "integral");
	}
	if (divides_by_zero(op, e->b))
		return err(c, D_DIV_ZERO, e, "expression contains division by zero");
	e->type = op == B_SHL || op == B_SHR ? calculated(e->a->type)
					     : promote_both(c, &e->a, &e->b);
	return 0;
}

static bool is_bit_field(const struct expr *e)
{
	struct type *t = e->kind == E_MEMBER ? type_strip(e->a->type) : NULL;
	struct member m;

	if (t && e->arrow)
		t = type_strip(t->to);
	return t && type_is_sou(t) && type_member(t, e->name, &m) && m.bits;
}

static bool is_lvalue(const struct expr *e)
{
	switch (e->kind) {
	case E_MEMBER:
		return true;
	case E_INDEX:
		return e->symkind == SYM_VAR || !expr_is_string(e->a);
	case E_UNARY:
		return e->op == U_DEREF;
	case E_IDENT:
	case E_THIS:
	case E_SELF:
		return e->symkind == SYM_VAR;
	default:
		return false;
	}
}

/* The variable that lvalue @e is, or is a part of; NULL: it is behind a pointer, or none. */
static struct var *var_of(const struct expr *e)
{
	e = expr_target(e);
	while (e->symkind != SYM_VAR) {
		if (e->kind != E_INDEX && (e->kind != E_MEMBER || e->arrow))
			return NULL;
		if (e->kind == E_INDEX && !type_is(e->a->type, T_ARRAY))
			return NULL;
		e = expr_target(e->a);
	}
	return e->ref.var;
}

/*
 * May what a pointer points to be tried to be written?  If it comes out of a variable or is
 * memory that was asked for; whether it points to such memory shows when it is done.
 */
static bool may_point_to_ours(const struct expr *e)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_CALL:
		return e->symkind == SYM_SUBR && type_is(e->type, T_PTR) && !e->ref.subr->lib_only;
	case E_CAST:
	case E_UNARY:
	case E_MEMBER:
	case E_ASSIGN:
		return may_point_to_ours(e->a);
	case E_INDEX:
		return e->symkind == SYM_VAR || may_point_to_ours(e->a);
	case E_BINARY:
		return may_point_to_ours(e->a) || may_point_to_ours(e->b);
	case E_COND:
		return may_point_to_ours(e->b) && may_point_to_ours(e->c);
	case E_COMMA:
		return may_point_to_ours(e->b);
	default:
		return e->symkind == SYM_VAR;
	}
}

/*
 * What @e, an assignment or increment, changes must be a variable or a part of one, or behind a
 * pointer.
 */
static int need_variable(struct compiler *c, const struct expr *e, const char *op)
{
	const struct expr *to = e->a;

	if (var_of(to)) {
		var_of(to)->assigned = true;
		var_of(to)->nassign++;
		return 0;
	}
	if (is_lvalue(to) && !to->lib && pointer_to(to) && may_point_to_ours(pointer_to(to))) {
		c->typing->memory |= MEMORY_USED;
		return 0;
	}
	if (is_lvalue(to) || (to->kind == E_IDENT && to->symkind)) {
		diag_error(c->d, D_OP_WRITE, e->loc,
			   "operator %s can only be applied to a writable variable", op);
		if (c->d->now == DIAG_IN_PREDICATE)
			diag_hint(c->d, "'==' compares, '=' assigns");
		return -1;
	}
	diag_error(c->d, D_OP_LVAL, e->loc, "operator %s requires modifiable lvalue as an operand",
		   op);
	if (c->d->now == DIAG_IN_PREDICATE)
		diag_hint(c->d, "'==' compares, '=' assigns");
	return -1;
}

static int sema_counter(struct compiler *c, struct expr *e);

static int sema_incdec(struct compiler *c, struct expr *e, const char *op)
{
	if (not_xlated(c, e->a, op))
		return -1;
	if (!type_is_scalar(e->a->type)) {
		diag_error(c->d, D_OP_SCALAR, e->loc, "operator %s requires operand of scalar type",
			   op);
		hint_not_aggregated(c, e->a, e);
		return -1;
	}
	if (is_lvalue(e->a) && (type_is_integer(e->a->type) ? false : !is_movable(e->a->type)))
		return diag_error(c->d, D_OP_VFPTR, e->loc,
				  "operator %s requires an operand of known size", op);
	if (need_variable(c, e, op))
		return -1;
	e->type = e->a->type;
	return 0;
}

static int sema_assign(struct compiler *c, struct expr *e);

/* A name of the kernel's: `x, or x where the program has declared it with extern. */
static bool is_symbol(struct compiler *c, struct expr *e)
{
	if (e->kind != E_IDENT || e->mod)
		return e->kind == E_IDENT;
	if (e->lib || bound(c, e->name) || !symbol_declared(c, e->name))
		return false;
	e->mod = "";
	return true;
}

static int array_bounds(struct compiler *c, const struct expr *e);

/* @e is element @i of the array @a. */
static void make_element(struct compiler *c, struct expr *e, struct expr *a, struct expr *i)
{
	const struct expr *was = as_written(c, e);

	*e = (struct expr){.kind = E_INDEX,
			   .loc = e->loc,
			   .lib = e->lib,
			   .type = type_strip(a->type)->to,
			   .a = a,
			   .arg = arena_memdup(c->arena, &i, sizeof(struct expr *)),
			   .narg = 1,
			   .written = was};
}

static struct expr *moved(struct compiler *c, enum binary_op op, struct expr *i, struct expr *by)
{
	struct expr *n = arena_new(c->arena, struct expr);

	*n = (struct expr){.kind = E_BINARY,
			   .op = op,
			   .loc = by->loc,
			   .lib = by->lib,
			   .type = &type_long,
			   .a = i,
			   .b = by,
			   .typed = true,
			   .height = (uint16_t)(1 +
						(i->height > by->height ? i->height : by->height))};
	note_value(n);
	return n;
}

/* Does pointer @p, typed, lead to an element of a variable's array?  To which of which. */
static bool points_to_element(struct compiler *c, struct expr *p, struct expr **array,
			      struct expr **i)
{
	struct expr *of = p->a, *by = p->b;

	if (p->kind == E_CAST && p->op == CONV_ADDRESS && var_of(of)) {
		*array = of;
		*i = arena_new(c->arena, struct expr);
		**i = (struct expr){.loc = p->loc, .height = 1, .typed = true};
		make_int(*i, 0, &type_long);
		return true;
	}
	if (p->kind == E_UNARY && p->op == U_ADDR && of->kind == E_INDEX &&
	    type_is(of->a->type, T_ARRAY) && var_of(of->a)) {
		*array = of->a;
		*i = of->arg[0];
		return true;
	}
	if (p->kind != E_BINARY || !type_is(p->type, T_PTR))
		return false;
	if (type_is_integer(of->type)) { /* 2 + g */
		of = p->b;
		by = p->a;
	}
	if (!points_to_element(c, of, array, i))
		return false;
	*i = moved(c, p->op, *i, by);
	return true;
}

/*
 * p[n], and *p where @n is NULL: of a pointer made of an array's name, as g + 2 or &g[1], it is an
 * element of that array, whose bounds are known.
 */
static bool see_element(struct compiler *c, struct expr *e, struct expr *p, struct expr *n)
{
	struct expr *array, *i;

	if (!points_to_element(c, p, &array, &i))
		return false;
	make_element(c, e, array, n ? moved(c, B_ADD, i, n) : i);
	return true;
}

static int sema_deref(struct compiler *c, struct expr *e)
{
	if (expr_is_xlated(e->a) && xlated_as(e->a)->kind == T_PTR) {
		e->type = type_xlated(c->arena, xlated_out(e->a));
		return 0;
	}
	if (!type_is(decay(c, e->a->type), T_PTR))
		return err(c, D_DEREF_NONPTR, e, "cannot dereference non-pointer type");
	e->type = type_strip(decay(c, e->a->type))->to;
	if (type_is(e->type, T_VOID))
		return err(c, D_DEREF_VOID, e, "cannot dereference pointer to void");
	if (type_is(e->type, T_FUNC))
		return err(c, D_DEREF_FUNC, e, "cannot dereference pointer to function");
	sema_decay(c, &e->a);
	return see_element(c, e, e->a, NULL) ? array_bounds(c, e) : 0;
}

/* @named: an identifier stood there, whatever it is by now. */
static int sema_address(struct compiler *c, struct expr *e, bool named)
{
	if (e->a->symkind == SYM_VAR || e->a->kind == E_AGG || e->a->kind == E_IDENT || named)
		return err(c, D_ADDROF_VAR, e, "cannot take address of dynamic variable");
	if (not_xlated(c, e->a, "&"))
		return -1;
	if (!is_lvalue(e->a))
		return err(c, D_ADDROF_LVAL, e, "operator & requires an lvalue as an operand");
	if (is_bit_field(e->a))
		return err(c, D_ADDROF_BITFIELD, e, "cannot take address of a bit-field");
	e->type = address_type(c, e->a, e->a->type);
	return 0;
}

static int sema_sign(struct compiler *c, struct expr *e, const char *op)
{
	if (not_xlated(c, e->a, op))
		return -1;
	if (!type_is_integer(e->a->type))
		return diag_error(c->d, e->op == U_BITNOT ? D_OP_INT : D_OP_ARITH, e->loc,
				  "operator %s requires an operand of %s type", op,
				  e->op == U_BITNOT ? "integral" : "arithmetic");
	e->type = calculated(e->a->type);
	return 0;
}

static int sema_unary(struct compiler *c, struct expr *e)
{
	static const char *const name[] = {"-", "+", "!", "~", "*", "&", "++", "--", "++", "--"};
	bool counter = e->op >= U_PREINC;
	bool named = e->a->kind == E_IDENT && !e->a->mod; /* before an inline takes its place */

	if (e->op == U_ADDR && is_symbol(c, e->a))
		return sema_symbol_address(c, e);
	if (counter ? sema_counter(c, e->a) : sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a) && !counter && e->op != U_NOT)
		return becomes_unknown(e);
	switch ((enum unary_op)e->op) {
	case U_NEG:
	case U_PLUS:
	case U_BITNOT:
		return sema_sign(c, e, name[e->op]);
	case U_NOT:
		e->type = &type_int;
		return need_scalar(c, e->a, "!", "requires an operand");
	case U_DEREF:
		return sema_deref(c, e);
	case U_ADDR:
		return sema_address(c, e, named);
	case U_PREINC:
	case U_PREDEC:
	case U_POSTINC:
	case U_POSTDEC:
		return sema_incdec(c, e, name[e->op]);
	}
	return -1;
}

static bool calls_action(const struct lang *l, const struct expr *e)
{
	return e->kind == E_CALL && !lang_subr(l, e->name) && lang_action(l, e->name);
}

/* Both branches are pointers. */
static void choose_pointer(struct compiler *c, struct expr *e)
{
	struct expr **branch[] = {&e->b, &e->c};

	for (int i = 0; i < 2; i++) {
		sema_decay(c, branch[i]);
		if (!type_is((*branch[i])->type, T_PTR))
			see_as(c, branch[i], e->type);
	}
}

static int sema_cond(struct compiler *c, struct expr *e)
{
	struct type *x, *y;

	if (calls_action(c->opt->lang, e->b) || calls_action(c->opt->lang, e->c))
		return err(c, D_OP_ACT, e, "action cannot be used in a conditional context");
	if (sema_expr(c, e->a) || sema_expr(c, e->b) || sema_expr(c, e->c))
		return -1;
	if (need_scalar(c, e->a, "?:", "expression must be"))
		return -1;
	if (type_is(e->b->type, T_AGG) || type_is(e->c->type, T_AGG))
		return err(c, D_OP_DYN, e, "operator ?: operands cannot be of dynamic type");
	x = decay(c, e->b->type);
	y = decay(c, e->c->type);
	if (expr_is_unknown(e->b) || expr_is_unknown(e->c))
		e->type = expr_is_unknown(e->b) ? y : x;
	else if ((type_is(x, T_STRING) && stringish(e->c)) ||
		 (type_is(y, T_STRING) && stringish(e->b)))
		e->type = &type_string;
	else if (type_is_integer(x) && type_is_integer(y))
		e->type = promote_both(c, &e->b, &e->c);
	else if (type_is(x, T_PTR) && type_is_scalar(y))
		e->type = e->b->kind == E_INT && type_is(y, T_PTR) ? y : x;
	else if (type_is(y, T_PTR) && type_is_scalar(x))
		e->type = y;
	else if (type_same(x, y))
		e->type = x;
	else
		return diag_error(c->d, D_OP_INCOMPAT, e->loc,
				  "operator ?: operands have incompatible types: \"%s\" : \"%s\"",
				  type_text(c, x), type_text(c, y));
	if (type_is(e->type, T_PTR))
		choose_pointer(c, e);
	if (!type_is(e->type, T_STRING))
		return 0;
	to_string(c, &e->b);
	to_string(c, &e->c);
	return 0;
}

/* ------------------------------------------------------- arrays and keys */

/* @name: "a" or "@a". */
static int wrong_nkeys(struct compiler *c, const struct expr *e, const char *name, uint32_t nkey)
{
	return diag_error(c->d, D_PROTO_LEN, e->loc,
			  "%s[ ] prototype mismatch: %u key%s passed, %u expected", name, e->narg,
			  e->narg == 1 ? "" : "s", nkey);
}

static int wrong_key(struct compiler *c, const struct expr *e, const char *name, uint32_t i,
		     struct type *want, struct type *is)
{
	return diag_error(c->d, D_PROTO_ARG, e->loc,
			  "%s[ ] key #%u is incompatible with prototype:\n\tprototype: %s\n\t      "
			  "key: %s",
			  name, i + 1, type_text(c, want), type_text(c, is));
}

#define ARRAY "associative array"
#define AGGREGATION "aggregation"

/* A number, an address, a string, or a struct or union, whose bytes are the key. */
static bool is_key(const struct expr *e)
{
	return type_is_scalar(e->type) || stringlike(e) ||
	       (type_is_sou(e->type) && type_strip(e->type)->size);
}

/* @what: one of these; a stack may only be a key of an aggregation. */
static int sema_keys(struct compiler *c, struct expr **arg, uint32_t narg, struct loc loc,
		     const char *what)
{
	for (uint32_t i = 0; i < narg; i++) {
		if (sema_expr(c, arg[i]))
			return -1;
		if (type_is_shown(arg[i]->type) && !strcmp(what, AGGREGATION))
			continue;
		if (!is_key(arg[i]))
			return diag_error(c->d, D_KEY_TYPE, loc,
					  "%s expression may not be used as %s index: key #%u",
					  type_text(c, arg[i]->type), what, i + 1);
	}
	return 0;
}

/* The type of an array's key that @arg is the first of. */
static struct type *key_type(const struct expr *arg)
{
	return stringlike(arg) ? &type_string : arg->type;
}

static int sema_assoc(struct compiler *c, struct expr *e, struct var *v)
{
	if (reserved(c, e->a))
		return -1;
	if (e->narg != v->nkey)
		return wrong_nkeys(c, e, v->name, v->nkey);
	for (uint32_t i = 0; i < v->nkey; i++) {
		settle(c, &v->key[i], key_type(e->arg[i]));
		if (!assignable(v->key[i], e->arg[i]->type))
			return wrong_key(c, e, v->name, i, v->key[i], e->arg[i]->type);
		if (!type_is(v->key[i], T_STRING)) {
			sema_decay(c, &e->arg[i]);
			continue;
		}
		to_string(c, &e->arg[i]);
		v->key_class[i] = str_union(v->key_class[i], str_class(c, e->arg[i]));
	}
	settle(c, &v->type, &type_unknown);
	e->symkind = SYM_VAR;
	e->ref.var = v;
	e->type = v->type;
	e->typed = true;
	return v->scope == DECL_SELF ? need_thread(c, e) : 0;
}

/* name[...] where name is not yet anything: the first assignment declares an array. */
static struct var *declare_assoc(struct compiler *c, const struct expr *e, struct type *value)
{
	enum decl_scope scope = e->a->kind == E_SELF ? DECL_SELF : DECL_GLOBAL;
	struct var *v = var_add(c->names, e->lib, scope, e->a->name, value);

	v->assoc = true;
	v->nkey = e->narg;
	v->key = arena_newn(c->arena, struct type *, e->narg);
	v->key_class = arena_newn(c->arena, struct strclass, e->narg);
	for (uint32_t i = 0; i < e->narg; i++)
		v->key[i] = key_type(e->arg[i]);
	return v;
}

static struct var *assoc_var(struct compiler *c, const struct expr *e)
{
	struct var *v = NULL;

	if (e->a->kind == E_IDENT && !bound(c, e->a->name))
		v = var_find(c->names, e->lib, DECL_GLOBAL, e->a->name);
	else if (e->a->kind == E_SELF)
		v = var_find(c->names, e->lib, DECL_SELF, e->a->name);
	return v && v->assoc ? v : NULL;
}

/*
 * An array of one element that ends a struct of the kernel's: there are as many as it has room for.
 */
static bool is_trailing(const struct expr *e)
{
	struct member *m;
	struct type *of;
	uint32_t n;

	e = expr_target(e);
	if (e->kind != E_MEMBER || type_strip(e->type)->nelem != 1 || var_of(e))
		return false;
	of = type_strip(e->arrow ? type_strip(e->a->type)->to : e->a->type);
	m = type_members(of, &n);
	return of->kind == T_STRUCT && n && m[n - 1].name && !strcmp(m[n - 1].name, e->name);
}

/* A constant index must be within the array; one that is computed may fault. */
static int array_bounds(struct compiler *c, const struct expr *e)
{
	struct type *t = type_strip(e->a->type);
	int64_t i = e->arg[0]->value;

	if (t->kind == T_ARRAY && is_trailing(e->a))
		return 0;
	if (t->kind != T_ARRAY || !t->nelem || !e->arg[0]->is_const || (i >= 0 && i < t->nelem))
		return 0;
	return diag_error(c->d, D_ARR_BOUNDS, e->loc, "index outside array bounds: %lld, max is %u",
			  (long long)i, t->nelem);
}

/* p[0] is *p, and there is no other. */
static int index_xlated(struct compiler *c, struct expr *e)
{
	if (e->narg != 1 || xlated_as(e->a)->kind != T_PTR || !expr_is_zero(e->arg[0]))
		return not_xlated(c, e->a, "[ ]");
	e->type = type_xlated(c->arena, xlated_out(e->a));
	return 0;
}

/* What a parameter of type @t stands for: a number as one of that type. */
static int inline_argument(struct compiler *c, struct expr **arg, struct type *t)
{
	if (!inline_fits(t, *arg))
		return -1;
	if (type_is_integer(t) && type_is_integer((*arg)->type) && !type_same(t, (*arg)->type)) {
		*arg = converted(c, *arg, conversion(t, *arg), t);
		(*arg)->ctype = t;
		note_value(*arg);
	}
	return 0;
}

/* name[args] where name is an inline with parameters. */
static int sema_inline_call(struct compiler *c, struct expr *e, struct decl_inline *in)
{
	for (uint32_t i = 0; i < e->narg; i++) {
		if (sema_expr(c, e->arg[i]))
			return -1;
		if (i < in->nparam && inline_argument(c, &e->arg[i], in->param_type[i]))
			return wrong_key(c, e, in->name, i, in->param_type[i], e->arg[i]->type);
	}
	return expand_inline(c, e, in, e->arg, e->narg);
}

static int sema_index(struct compiler *c, struct expr *e)
{
	struct var *v = assoc_var(c, e);
	struct decl_inline *in;
	struct type *t;

	if (e->a->kind == E_IDENT && !strcmp(e->a->name, "args") && !bound(c, e->a->name))
		return sema_args(c, e);
	if (e->a->kind == E_THIS && !var_find(c->names, e->lib, DECL_THIS, e->a->name))
		return diag_error(c->d, D_ARR_LOCAL, e->loc,
				  "local variables may not be used as associative arrays: %s",
				  e->a->name);
	if (e->a->kind == E_AGG)
		return diag_error(c->d, D_AGG_MDIM, e->loc,
				  "aggregation @%s has one list of keys: @%s[a, b], not [a][b]",
				  e->a->name, e->a->name);
	in = !v && e->a->kind == E_IDENT && !bound(c, e->a->name)
		     ? inline_find(c->names, e->lib, e->a->name)
		     : NULL;
	if (in && in->nparam)
		return sema_inline_call(c, e, in);
	if (sema_keys(c, e->arg, e->narg, e->loc, ARRAY))
		return -1;
	if (v)
		return sema_assoc(c, e, v);
	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_xlated(e->a))
		return index_xlated(c, e);
	if (expr_is_unknown(e->a))
		return becomes_unknown(e);
	t = decay(c, e->a->type);
	if (e->narg == 1 && expr_is_string(e->a)) /* a byte of its text */
		t = type_ptr(c->arena, &type_char);
	if (e->narg == 1 && type_is_integer(t)) /* x[i] is *(x + i) */
		return err(c, D_DEREF_NONPTR, e, "cannot dereference non-pointer type");
	if (e->narg != 1 || !type_is(t, T_PTR))
		return diag_error(c->d, D_ARR_BADREF, e->loc, "%s is not an array",
				  expr_source(c, e->a));
	if (!type_is_integer(e->arg[0]->type))
		return err(c, D_OP_INT, e, "array index must be an integer");
	e->type = type_strip(t)->to;
	see_element(c, e, e->a, e->arg[0]);
	return array_bounds(c, e);
}

/* -------------------------------------------------------------- assignment */

static int not_in_expression(struct compiler *c, const struct expr *call)
{
	return diag_error(c->d, D_CG_EXPR, call->loc,
			  "%s( ) may not be called from a D expression (D program context "
			  "required)",
			  call->name);
}

/* May a variable be made to hold it? */
static int check_value(struct compiler *c, const struct expr *lhs, const struct expr *rhs,
		       struct type *t)
{
	if (expr_is_xlated(rhs))
		return diag_error(c->d, D_OP_INCOMPAT, lhs->loc,
				  "%s cannot hold %s, which is translated: only its members exist",
				  lhs->name, expr_source(c, rhs));
	if (type_is(t, T_VOID) || type_is(t, T_AGG)) {
		diag_error(c->d, D_OP_INCOMPAT, lhs->loc,
			   "operands have incompatible types: \"%s\" = \"%s\"", type_text(c, t),
			   type_text(c, t));
		hint_not_aggregated(c, rhs, rhs);
		return -1;
	}
	if (type_is(t, T_ARRAY))
		return diag_error(c->d, D_OP_ARRFUN, lhs->loc,
				  "operator = may not be applied to operand of type \"%s\"",
				  type_text(c, t));
	return 0;
}

/* The type of a variable that @e is the first value of. */
static struct type *value_type(const struct expr *e)
{
	return stringlike(e) && !type_is(e->type, T_PTR) ? &type_string : e->type;
}

static int assign_new(struct compiler *c, struct expr *lhs, const struct expr *rhs)
{
	enum decl_scope scope = lhs->kind == E_THIS   ? DECL_THIS
				: lhs->kind == E_SELF ? DECL_SELF
						      : DECL_GLOBAL;
	struct type *t = value_type(rhs);
	struct var *v;

	if (reserved(c, lhs) || check_value(c, lhs, rhs, t))
		return -1;
	v = var_add(c->names, lhs->lib, scope, lhs->name, t);
	lhs->ref.var = v;
	lhs->symkind = SYM_VAR;
	lhs->type = t;
	lhs->typed = true;
	return scope == DECL_SELF ? need_thread(c, lhs) : 0;
}

static bool is_new_var(struct compiler *c, const struct expr *e)
{
	if (e->kind == E_THIS)
		return !var_find(c->names, e->lib, DECL_THIS, e->name);
	if (e->kind == E_SELF)
		return !var_find(c->names, e->lib, DECL_SELF, e->name);
	return e->kind == E_IDENT && !e->mod && !bound(c, e->name) &&
	       !var_find(c->names, e->lib, DECL_GLOBAL, e->name) &&
	       !inline_find(c->names, e->lib, e->name) && !name_is_builtin(c->opt->lang, e->name) &&
	       !function_kind(c->opt->lang, e->name);
}

static bool is_new_assoc(struct compiler *c, const struct expr *e)
{
	return e->kind == E_INDEX && (e->a->kind == E_IDENT || e->a->kind == E_SELF) &&
	       is_new_var(c, e->a);
}

/* What ++, += and the like change may be new: then it is an int64_t that was 0. */
static int sema_counter(struct compiler *c, struct expr *e)
{
	struct expr zero = {.kind = E_INT,
			    .type = &type_long,
			    .loc = e->loc,
			    .lib = e->lib,
			    .is_const = true};

	if (is_new_var(c, e))
		return assign_new(c, e, &zero);
	if (is_new_assoc(c, e))
		return sema_keys(c, e->arg, e->narg, e->loc, ARRAY)
			       ? -1
			       : sema_assoc(c, e, declare_assoc(c, e, &type_long));
	return sema_expr(c, e);
}

/* The variable or array that @e, not typed yet, names; NULL: none. */
static struct var *var_named(struct compiler *c, const struct expr *e)
{
	if (e->kind == E_INDEX)
		return assoc_var(c, e);
	if (e->kind == E_THIS || e->kind == E_SELF)
		return var_find(c->names, e->lib, e->kind == E_THIS ? DECL_THIS : DECL_SELF,
				e->name);
	return e->kind == E_IDENT && !e->mod && !bound(c, e->name)
		       ? var_find(c->names, e->lib, DECL_GLOBAL, e->name)
		       : NULL;
}

static int sema_lhs(struct compiler *c, struct expr *e)
{
	struct expr *lhs = e->a;

	if (e->op)
		return sema_counter(c, lhs);
	if (is_new_var(c, lhs))
		return assign_new(c, lhs, e->b);
	if (is_new_assoc(c, lhs)) {
		struct type *t = value_type(e->b);

		if (sema_keys(c, lhs->arg, lhs->narg, lhs->loc, ARRAY))
			return -1;
		if (check_value(c, lhs->a, e->b, t))
			return -1;
		return sema_assoc(c, lhs, declare_assoc(c, lhs, t));
	}
	if (var_named(c, lhs))
		settle(c, &var_named(c, lhs)->type, value_type(e->b));
	return sema_expr(c, lhs);
}

/* Does it point to characters? */
static bool type_is_text_pointer(struct type *t)
{
	return type_is(t, T_PTR) && is_text(t);
}

/* s = 0, s = NULL: it is NULL again, an entry of an array gone, whatever its type. */
static bool frees(const struct expr *e)
{
	if (e->op || !str_is_null(e->b))
		return false;
	return type_is(e->a->type, T_STRING) ||
	       (e->a->symkind == SYM_VAR && var_in_map(e->a->ref.var) &&
		var_in_memory(e->a->ref.var));
}

/* a op= b computes in the type that a op b would have, and stores that. */
static void computed_in(struct compiler *c, struct expr *e)
{
	e->ctype = e->a->type;
	if (!type_is_integer(e->a->type) || e->op == B_SHL || e->op == B_SHR)
		return;
	e->ctype = promote(e->a->type, e->b->type);
	see_as(c, &e->b, e->ctype);
}

/*
 * What is assigned is of the type of what it is assigned to; numbers are cut where they are stored.
 */
static void assigned_as(struct compiler *c, struct expr *e)
{
	struct var *v = var_of(e->a);

	if (type_is(e->a->type, T_STRING)) {
		to_string(c, &e->b);
		if (e->a->symkind == SYM_VAR)
			v->cls = str_union(v->cls, str_class(c, e->b));
	} else if (frees(e)) {
		e->b = converted(c, e->b, CONV_NULL, e->a->type);
	} else {
		sema_decay(c, &e->b);
	}
}

static int sema_assign(struct compiler *c, struct expr *e)
{
	if (e->a->kind == E_AGG && e->b->kind == E_CALL)
		return not_in_expression(c, e->b);
	if (sema_expr(c, e->b))
		return -1;
	if (type_is_shown(e->b->type))
		return not_in_expression(c, e->b);
	if (sema_lhs(c, e) ||
	    need_variable(c, e, arena_printf(c->arena, "%s=", e->op ? op_text[e->op] : "")))
		return -1;
	if (type_is(e->a->type, T_ARRAY))
		return diag_error(c->d, D_OP_ARRFUN, e->loc,
				  "operator %s= may not be applied to operand of type \"%s\"",
				  e->op ? op_text[e->op] : "", type_text(c, e->a->type));
	if (e->op && (!type_is_scalar(e->a->type) || !type_is_integer(e->b->type)))
		return incompatible(c, e, arena_printf(c->arena, "%s=", op_text[e->op]));
	if (divides_by_zero(e->op, e->b))
		return err(c, D_DIV_ZERO, e, "expression contains division by zero");
	if (!e->op && type_is_text_pointer(e->a->type) && expr_is_string(e->b))
		sema_chars(c, &e->b);
	if (!frees(e) && !e->op && !fits(e->a->type, e->b))
		return incompatible(c, e, "=");
	if (e->op)
		computed_in(c, e);
	else
		assigned_as(c, e);
	e->type = e->a->type;
	return 0;
}

/* -------------------------------------------------------------------- calls */

int sema_nargs(struct compiler *c, const struct expr *call, uint32_t min, uint32_t max,
	       enum dtag tag)
{
	const char *how = min == max ? "" : call->narg < min ? "at least " : "at most ";
	uint32_t want = call->narg < min ? min : max;

	if (call->narg >= min && call->narg <= max)
		return 0;
	return diag_error(c->d, tag, call->loc,
			  "%s( ) prototype mismatch: %u arg%s passed, %s%u expected", call->name,
			  call->narg, call->narg == 1 ? "" : "s", how, want);
}

int sema_bad_arg(struct compiler *c, const struct expr *call, uint32_t i, const char *proto)
{
	return diag_error(c->d, D_PROTO_ARG, call->loc,
			  "%s( ) argument #%u is incompatible with prototype:\n\tprototype: %s\n\t "
			  "argument: %s",
			  call->name, i + 1, proto, type_text(c, call->arg[i]->type));
}

/*
 * "struct in6_addr *" stands for any address of a host: text, a pointer, or an array of its bytes.
 */
static bool wants_address(struct type *want)
{
	const char *name = type_is(want, T_PTR) ? type_strip(type_strip(want)->to)->name : NULL;

	return name && !strcmp(name, "in6_addr");
}

/* A uintptr_t is an address of a process: a number or a pointer. */
static bool wants_number_or_pointer(const struct type *want)
{
	return want->kind == T_TYPEDEF && !strcmp(want->name, "uintptr_t");
}

/*
 * A pointer of any type is one to memory of no type; the address of a string's characters is one as
 * a char *.
 */
static bool arg_fits(struct compiler *c, struct type *want, const struct expr *arg)
{
	struct type *is = decay(c, arg->type);

	if (expr_is_unknown(arg))
		return true;
	if (type_is(want, T_STRING))
		return str_is_null(arg) || stringish(arg);
	if (wants_address(want))
		return expr_is_string(arg) || addr_size(arg->type) != 0;
	if (!type_is(want, T_PTR))
		return type_is_integer(is) || (wants_number_or_pointer(want) && type_is(is, T_PTR));
	if ((type_is_text_pointer(want) && expr_is_string(arg)) ||
	    (type_is_integer(is) && expr_is_zero(arg)))
		return true;
	if (type_is(type_strip(want)->to, T_VOID) || type_is_text_pointer(want))
		return type_is(is, T_PTR) || (type_is_integer(is) && arg->lib);
	return type_is(is, T_PTR) && type_same(want, is);
}

/* Types argument @i, which must be what is @want. */
static int sema_arg(struct compiler *c, struct expr *call, uint32_t i, struct type *want)
{
	bool string = type_is(want, T_STRING);

	if (sema_expr(c, call->arg[i]))
		return -1;
	if (!arg_fits(c, want, call->arg[i]))
		return sema_bad_arg(c, call, i,
				    string                ? "const char *"
				    : wants_address(want) ? "address"
							  : type_text(c, want));
	if (string)
		to_string(c, &call->arg[i]);
	else if (wants_address(want))
		return 0;
	else if (expr_is_string(call->arg[i]))
		sema_chars(c, &call->arg[i]);
	else
		sema_decay(c, &call->arg[i]);
	return 0;
}

/*
 * Types the arguments of a call by prototype @text; gives what the call gives.  NULL: they are
 * wrong.
 */
static struct type *sema_proto(struct compiler *c, struct expr *call, const char *text)
{
	struct type *fn = lang_type(c, text);
	struct member *param;
	uint32_t n;

	if (!fn) {
		diag_error(c->d, D_UNSUPPORTED, call->loc,
			   "%s( ) is not possible here: there are no types for \"%s\"", call->name,
			   text);
		return NULL;
	}
	param = type_members(fn, &n);
	if (sema_nargs(c, call, fn->nelem, n, D_PROTO_LEN))
		return NULL;
	for (uint32_t i = 0; i < call->narg; i++)
		if (sema_arg(c, call, i, param[i].type))
			return NULL;
	return fn->to;
}

/* An action or an aggregating function has no value; whoever wants one says so. */
static int sema_action(struct compiler *c, struct expr *e)
{
	const struct action_def *act = lang_action(c->opt->lang, e->name);

	e->type = &type_void;
	if (act) {
		e->symkind = SYM_ACTION;
		e->ref.action = act;
		c->wants->destructive |= act->destructive;
		if (act->impossible)
			c->wants->impossible = arena_printf(c->arena, "%s( ) is not possible: %s",
							    act->name, act->impossible);
		if (act->proto && !sema_proto(c, e, act->proto))
			return -1;
		return act->check ? act->check(c, e) : 0; /* stack() does have a type */
	}
	for (uint32_t i = 0; i < e->narg; i++)
		if (sema_expr(c, e->arg[i]))
			return -1;
	return 0;
}

static int unknown_function(struct compiler *c, const struct expr *e)
{
	if (lang_var(c->opt->lang, e->name) || var_find(c->names, e->lib, DECL_GLOBAL, e->name) ||
	    inline_find(c->names, e->lib, e->name)) {
		diag_error(c->d, D_FUNC_IDKIND, e->loc,
			   "scalar '%s' may not be referenced as a function", e->name);
		diag_hint(c->d, "a variable is written without parentheses: %s", e->name);
		return -1;
	}
	if (c->opt->lang->why_never(e->name))
		return diag_error(c->d, D_UNSUPPORTED, e->loc, "there is no %s( ) here: %s",
				  e->name, c->opt->lang->why_never(e->name));
	diag_error(c->d, D_FUNC_UNDEF, e->loc, "undefined function name: %s", e->name);
	hint_function(c, e->name);
	return -1;
}

/*
 * The row that call @e of @s means: a flag, its last argument, may choose another.  NULL with an
 * error.
 */
static const struct subr *by_flag(struct compiler *c, const struct expr *e, const struct subr *s)
{
	const struct expr *flag = e->arg[e->narg - 1];

	if (!s->flagged || e->narg < 2)
		return s;
	if (!flag->is_const) {
		diag_error(c->d, D_PROTO_ARG, flag->loc, "%s( ) argument #%u must be a constant",
			   e->name, e->narg);
		return NULL;
	}
	return flag->value ? lang_subr(c->opt->lang, s->flagged) : s;
}

static int sema_call(struct compiler *c, struct expr *e)
{
	const struct subr *s = lang_subr(c->opt->lang, e->name);

	if (!s || (s->lib_only && !e->lib))
		return lang_action(c->opt->lang, e->name) || agg_fn_find(e->name)
			       ? sema_action(c, e)
			       : unknown_function(c, e);
	e->type = sema_proto(c, e, s->proto);
	if (!e->type)
		return -1;
	if (e->narg)
		s = by_flag(c, e, s);
	if (!s || (s->str == S_ENUM && enumstr_check(c, e)))
		return -1;
	if (s->check && s->check(c, e))
		return -1;
	c->wants->uses_tokens |= s->tokens;
	e->symkind = SYM_SUBR;
	e->ref.subr = s;
	return 0;
}

/* Of which the type is wanted and nothing else: what it reads need not be there. */
static int sema_measured(struct compiler *c, struct expr *e)
{
	bool outer = c->typing->measured;
	int bad;

	c->typing->measured = true;
	bad = sema_expr(c, e);
	c->typing->measured = outer;
	return bad;
}

static int sema_sizeof(struct compiler *c, struct expr *e)
{
	struct type *t = e->ctype;
	uint32_t size;

	if (!t) {
		if (sema_measured(c, e->a))
			return -1;
		t = expr_is_unknown(e->a) ? &type_long : e->a->type;
		if (is_bit_field(e->a))
			return err(c, D_SIZEOF_BITFIELD, e, "cannot apply sizeof to a bit-field");
		if (e->a->kind == E_STR) {
			make_int(e, e->a->len + 1, &type_ulong);
			return 0;
		}
	}
	size = type_is(t, T_STRING) ? c->opt->strsize : type_strip(t)->size;
	if (!size)
		return diag_error(c->d, D_SIZEOF_TYPE, e->loc, "cannot apply sizeof to type \"%s\"",
				  type_text(c, t));
	make_int(e, size, &type_ulong);
	return 0;
}

static int sema_offsetof(struct compiler *c, struct expr *e)
{
	struct member m;

	if (!type_is_sou(e->ctype))
		return diag_error(c->d, D_OFFSETOF_TYPE, e->loc,
				  "offsetof operand must be a struct or union type");
	if (!type_member(e->ctype, e->name, &m))
		return diag_error(c->d, D_UNKNOWN, e->loc,
				  "failed to determine offset of %s: %s has no such member",
				  e->name, type_text(c, e->ctype));
	if (m.bits)
		return diag_error(c->d, D_OFFSETOF_BITFIELD, e->loc,
				  "cannot take offset of a bit-field: %s", e->name);
	make_int(e, m.bitoff / 8, &type_ulong);
	return 0;
}

static int sema_stringof(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a))
		return -1;
	if (!stringlike(e->a) && !type_is_scalar(e->a->type))
		return diag_error(c->d, D_STRINGOF_TYPE, e->loc,
				  "cannot apply stringof to a value of type \"%s\"",
				  type_text(c, e->a->type));
	if (expr_is_string(e->a)) {
		*e = *e->a;
		return 0;
	}
	e->written = as_written(c, e);
	e->kind = E_CAST;
	e->type = &type_string;
	e->op = conversion(e->type, e->a);
	return 0;
}

static int sema_cast(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a))
		return -1;
	if (type_is(e->ctype, T_STRING))
		return sema_stringof(c, e);
	if (type_is(e->ctype, T_VOID)) {
		if (e->a->symkind == SYM_ACTION)
			return not_in_expression(c, e->a);
		e->type = e->ctype;
		e->op = CONV_DROP;
		return 0;
	}
	if (type_is(e->ctype, T_PTR) && expr_is_string(e->a)) {
		sema_chars(c, &e->a);
		e->type = e->ctype;
		e->op = CONV_KEEP;
		return 0;
	}
	if (type_is_sou(e->ctype) && type_same(e->ctype, e->a->type)) {
		*e = *e->a;
		return 0;
	}
	if (!type_is_scalar(e->ctype) ||
	    !(type_is_scalar(e->a->type) || type_is(e->a->type, T_ARRAY)))
		return diag_error(c->d, D_CAST_INVAL, e->loc,
				  "invalid cast expression: \"%s\" to \"%s\"",
				  type_text(c, e->a->type), type_text(c, e->ctype));
	e->type = e->ctype;
	e->op = conversion(e->type, e->a);
	return 0;
}

static int sema_xlate(struct compiler *c, struct expr *e)
{
	struct type *out = type_is(e->ctype, T_PTR) ? type_strip(e->ctype)->to : e->ctype;
	struct translator *xl;

	if (sema_expr(c, e->a))
		return -1;
	if (expr_is_unknown(e->a))
		return becomes_unknown(e);
	xl = xl_find(c, out, e->a->type);
	if (!xl)
		return no_translator(c, e, e->a->type, out);
	e->type = type_xlated(c->arena, e->ctype);
	return 0;
}

static bool is_action(const struct expr *e)
{
	return e->kind == E_CALL && (type_is(e->type, T_VOID) || type_is_shown(e->type));
}

static int sema_comma(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e->a) || sema_expr(c, e->b))
		return -1;
	if (type_is(e->a->type, T_AGG) || type_is(e->b->type, T_AGG))
		return err(c, D_OP_DYN, e, "operator , operands cannot be of dynamic type");
	if (is_action(e->a) || is_action(e->b))
		return err(c, D_OP_ACT, e, "operator , operands cannot be actions");
	if (expr_is_xlated(e->a))
		e->a = xlated_value(c, e->a);
	e->type = e->b->type;
	return 0;
}

static int sema_node(struct compiler *c, struct expr *e)
{
	switch (e->kind) {
	case E_INT:
		return 0;
	case E_STR:
		e->type = &type_string;
		return 0;
	case E_IDENT:
		return sema_ident(c, e);
	case E_THIS:
		return sema_scoped(c, e, DECL_THIS);
	case E_SELF:
		return sema_scoped(c, e, DECL_SELF);
	case E_AGG:
		e->type = &type_agg;
		return 0;
	case E_UNARY:
		return sema_unary(c, e);
	case E_BINARY:
		return sema_binary(c, e);
	case E_ASSIGN:
		return sema_assign(c, e);
	case E_COND:
		return sema_cond(c, e);
	case E_CALL:
		return sema_call(c, e);
	case E_INDEX:
		return sema_index(c, e);
	case E_MEMBER:
		return sema_member(c, e);
	case E_CAST:
		return sema_cast(c, e);
	case E_SIZEOF:
		return sema_sizeof(c, e);
	case E_OFFSETOF:
		return sema_offsetof(c, e);
	case E_STRINGOF:
		return sema_stringof(c, e);
	case E_XLATE:
		return sema_xlate(c, e);
	case E_COMMA:
		return sema_comma(c, e);
	}
	return -1;
}

static unsigned height_of(const struct expr *e)
{
	return e ? e->height : 0;
}

/* Of what became of @e: definitions hang in it, and what names are bound to. */
static unsigned new_height(const struct expr *e)
{
	const struct expr *bound = e->kind == E_IDENT && e->symkind == SYM_BOUND ? e->ref.bound
										 : NULL;
	unsigned h = height_of(bound);

	for (uint32_t i = 0; i < e->narg; i++)
		h = h > height_of(e->arg[i]) ? h : height_of(e->arg[i]);
	h = h > height_of(e->a) ? h : height_of(e->a);
	h = h > height_of(e->b) ? h : height_of(e->b);
	h = h > height_of(e->c) ? h : height_of(e->c);
	return h + 1;
}

/*
 * What a pointer into a process's memory leads to; a pointer that is found there leads there, too.
 */
static int in_process(struct compiler *c, struct expr *e)
{
	if ((e->kind != E_UNARY && e->kind != E_MEMBER && e->kind != E_INDEX) ||
	    !behind_userland(e))
		return 0;
	if (c->opt->replay && !c->typing->measured)
		return diag_error(c->d, D_UNSUPPORTED, e->loc,
				  "%s is not possible in replay: a capture holds nothing of "
				  "processes' memory",
				  expr_source(c, e));
	if (type_is(e->type, T_PTR))
		e->type = type_userland_ptr(c->arena, type_strip(e->type)->to);
	return 0;
}

int sema_expr(struct compiler *c, struct expr *e)
{
	unsigned h;
	int bad;

	if (e->typed) /* shared by a binding */
		return 0;
	if (c->typing->level >= TREE_MAX)
		return too_high(c, e);
	c->typing->level++;
	bad = sema_node(c, e);
	c->typing->level--;
	if (bad || in_process(c, e))
		return -1;
	h = new_height(e);
	if (h > TREE_MAX)
		return too_high(c, e);
	e->height = (uint16_t)h;
	note_value(e);
	e->typed = true;
	return 0;
}

/* ------------------------------------------------------------ aggregations */

/* Keys of different kinds are not told apart by their bytes. */
static enum type_kind key_kind(struct type *t)
{
	return type_is(t, T_STRING) || type_is_shown(t) ? type_strip(t)->kind : T_INT;
}

static bool key_fits(struct type *first, struct type *t)
{
	if (type_is_sou(first) || type_is_sou(t))
		return type_same(first, t);
	return key_kind(first) == key_kind(t);
}

static int agg_keys(struct compiler *c, struct agg *a, struct expr *e)
{
	const char *name = arena_printf(c->arena, "@%s", a->name);
	bool first = !a->fn;

	if (sema_keys(c, e->arg, e->narg, e->loc, AGGREGATION))
		return -1;
	if (first) {
		a->nkey = e->narg;
		a->key = arena_newn(c->arena, struct type *, e->narg);
		a->key_class = arena_newn(c->arena, struct strclass, e->narg);
		a->key_label = arena_newn(c->arena, const char *, e->narg);
	} else if (a->nkey != e->narg) {
		return wrong_nkeys(c, e, name, a->nkey);
	}
	for (uint32_t i = 0; i < a->nkey; i++) {
		struct type *t;

		sema_show(c, &e->arg[i]);
		t = e->arg[i]->type;
		if (first) {
			a->key[i] = t;
			a->key_label[i] = expr_label(e->arg[i]);
		}
		settle(c, &a->key[i], t);
		if (!expr_is_unknown(e->arg[i]) && !key_fits(a->key[i], t))
			return wrong_key(c, e, name, i, a->key[i], t);
		if (!type_is_scalar(t) && type_strip(t)->size > type_strip(a->key[i])->size)
			a->key[i] = t; /* a number is cut to the first one's size, as others do */
		if (type_is(t, T_STRING))
			a->key_class[i] = str_union(a->key_class[i], str_class(c, e->arg[i]));
	}
	return 0;
}

/* The constant parameters behind the value: the same in every clause. */
static int agg_params(struct compiler *c, struct agg *a, const struct agg_fn_def *fn,
		      struct expr *call)
{
	int64_t param[4] = {0};
	enum dtag tag = D_UNKNOWN;
	int n = 0;
	const char *msg;

	for (uint32_t i = fn->nvalue; i < call->narg && n < fn->nparam_max; i++, n++)
		if (call->arg[i]->is_const)
			param[n] = call->arg[i]->value;
		else
			return diag_error(c->d, fn->param[n].not_const, call->loc,
					  "%s( ) argument #%d must be %s", fn->name, n + 1,
					  fn->param[n].want);
	msg = fn->check ? fn->check(param, n, &tag) : NULL;
	if (msg)
		return diag_error(c->d, tag, call->loc, "%s( ) %s", fn->name, msg);
	for (int i = 0; a->fn && i < fn->nparam_max; i++)
		if (a->param[i] != param[i])
			return diag_error(c->d, fn->param[i].differs, call->loc,
					  "%s (argument #%d) doesn't match previous declaration: "
					  "expected %lld, "
					  "found %lld",
					  fn->param[i].name, i + 1, (long long)a->param[i],
					  (long long)param[i]);
	memcpy(a->param, param, sizeof(param));
	a->nparam = n;
	return 0;
}

static int agg_args(struct compiler *c, const struct agg_fn_def *fn, struct expr *call)
{
	unsigned min = fn->nvalue + fn->nparam_min;
	unsigned max = fn->nvalue + fn->nparam_max + fn->weighted;

	if (sema_nargs(c, call, min, max, D_PROTO_LEN))
		return -1;
	for (uint32_t i = 0; i < call->narg; i++)
		if (sema_expr(c, call->arg[i]))
			return -1;
	if (fn->nvalue && !type_is_scalar(call->arg[0]->type))
		return diag_error(c->d, D_AGG_SCALAR, call->loc,
				  "%s( ) argument #1 must be of scalar type", fn->name);
	if (fn->weighted && call->narg == max && !type_is_scalar(call->arg[max - 1]->type))
		return diag_error(c->d, D_PROTO_ARG, call->loc,
				  "%s( ) increment value (argument #%u) must be of scalar type",
				  fn->name, max);
	return 0;
}

static int redefined(struct compiler *c, const struct expr *e, const struct agg *a,
		     const struct agg_fn_def *fn)
{
	char line[32] = "";
	unsigned at, col;

	if (a->loc.src->kind != SRC_CMDLINE) {
		loc_line(a->loc, &at, &col, NULL);
		snprintf(line, sizeof(line), " : line %u", at);
	}
	return diag_error(c->d, D_AGG_REDEF, e->loc,
			  "aggregation redefined: @%s\n\t current: @%s = %s( )\n\tprevious: @%s = "
			  "%s( )%s",
			  a->name, a->name, fn->name, a->name, a->fn->name, line);
}

/* @name[keys] = function(args) */
static int sema_agg(struct compiler *c, struct expr *e)
{
	struct expr *lhs = e->a, *call = e->b;
	const struct agg_fn_def *fn;
	struct agg *a;

	if (call->kind != E_CALL || e->op) {
		diag_error(c->d, D_AGG_FUNC, e->loc,
			   "aggregation @%s must be assigned the result of an aggregating "
			   "function",
			   lhs->name);
		hint_not_aggregated(c, lhs, e);
		return -1;
	}
	fn = agg_fn_find(call->name);
	if (!fn) {
		if (function_kind(c->opt->lang, call->name))
			diag_error(c->d, D_AGG_FUNC, call->loc,
				   "%s( ) is not an aggregating function", call->name);
		else
			unknown_function(c, call);
		hint_aggregating(c, call->name);
		return -1;
	}
	a = agg_get(c->names, lhs->name, lhs->loc);
	if (a->fn && a->fn != fn)
		return redefined(c, e, a, fn);
	if (agg_args(c, fn, call) || agg_params(c, a, fn, call) || agg_keys(c, a, lhs))
		return -1;
	a->fn = fn;
	lhs->symkind = SYM_AGG;
	lhs->ref.agg = a;
	lhs->type = e->type = &type_void;
	return 0;
}

/* -------------------------------------------------------------- statements */

static int sema_statement(struct compiler *c, struct expr *e)
{
	if (e->kind == E_ASSIGN && e->a->kind == E_AGG)
		return sema_agg(c, e);
	if (e->kind == E_AGG)
		return diag_error(c->d, D_AGG_NULL, e->loc, "expression has null effect: @%s",
				  e->name);
	if (e->kind == E_CALL && agg_fn_find(e->name))
		return not_in_expression(c, e);
	if (sema_expr(c, e))
		return -1;
	if (expr_is_xlated(e))
		*e = *xlated_value(c, e);
	return 0;
}

static int sema_if(struct compiler *c, struct stmt *s)
{
	if (sema_expr(c, s->expr))
		return -1;
	if (!type_is_scalar(s->expr->type))
		return diag_error(c->d, D_PRED_SCALAR, s->expr->loc,
				  "if( ) condition must be of scalar type");
	return sema_stmts(c, s->body) || sema_stmts(c, s->other) ? -1 : 0;
}

int sema_stmts(struct compiler *c, struct stmt *s)
{
	for (; s; s = s->next)
		if (s->kind == S_IF ? sema_if(c, s) : sema_statement(c, s->expr))
			return -1;
	return 0;
}

int sema_predicate(struct compiler *c, struct expr *e)
{
	if (sema_expr(c, e))
		return -1;
	if (!type_is_scalar(e->type)) {
		diag_error(c->d, D_PRED_SCALAR, e->loc, "predicate result must be of scalar type");
		hint_not_aggregated(c, e, e);
		return -1;
	}
	return 0;
}

/* --------------------------------------------------- definitions, when declared */

static void bind_param(struct compiler *c, const char *name, struct type *t, struct loc loc)
{
	struct expr *e = arena_new(c->arena, struct expr);

	*e = (struct expr){.kind = E_IDENT,
			   .loc = loc,
			   .name = name,
			   .symkind = SYM_PARAM,
			   .type = t,
			   .height = 1,
			   .typed = true};
	vec_apush(c->arena, &c->typing->bind, ((struct binding){name, e}));
}

/* What args[] is depends on who uses the definition, also where another inline has it. */
static bool uses_args(struct compiler *c, const struct expr *e)
{
	const struct decl_inline *in;

	if (!e)
		return false;
	if (e->kind == E_IDENT && !strcmp(e->name, "args"))
		return true;
	in = (e->kind == E_IDENT || e->kind == E_INDEX) && e->name
		     ? inline_find(c->names, e->lib, e->name)
		     : NULL;
	if (in && in->uses_args)
		return true;
	for (uint32_t i = 0; i < e->narg; i++)
		if (uses_args(c, e->arg[i]))
			return true;
	return uses_args(c, e->a) || uses_args(c, e->b) || uses_args(c, e->c);
}

/* By itself: a parameter of a struct's type may be given what is translated to it. */
static int check_definition(struct compiler *c, struct expr *body, size_t mark)
{
	int bad;

	c->typing->defining = true;
	bad = sema_definition(c, body, mark);
	c->typing->defining = false;
	return bad;
}

int sema_inline(struct compiler *c, struct decl_inline *in)
{
	struct expr *body = expr_clone(c->arena, in->expr);
	size_t mark = c->typing->bind.n;

	in->uses_args = uses_args(c, in->expr);
	if (in->uses_args)
		return inline_check_names(c, in);
	c->typing->nodes = 0;
	for (uint32_t i = 0; i < in->nparam; i++)
		bind_param(c, in->param[i], in->param_type[i], in->loc);
	if (check_definition(c, body, mark))
		return -1;
	return inline_fits(in->type, body) ? 0 : inline_incompatible(c, in, body, body->loc);
}

static int check_member(struct compiler *c, const struct translator *x, const struct xl_member *m)
{
	struct expr *body = expr_clone(c->arena, m->expr);
	size_t mark = c->typing->bind.n;
	struct member out;

	if (!type_member(x->out, m->name, &out))
		return diag_error(c->d, D_XLATE_MEMB, m->loc,
				  "translator member %s is not a member of %s", m->name,
				  type_text(c, x->out));
	if (body->lib) /* the kernel's members are looked at when they are wanted */
		return 0;
	for (uint32_t i = 0; i < x->nin; i++)
		bind_param(c, x->in_name[i], x->in_type[i], x->loc);
	if (check_definition(c, body, mark))
		return -1;
	return fits(out.type, body) ? 0
				    : member_incompatible(c, m->name, out.type, body, body->loc);
}

int sema_translator(struct compiler *c, struct translator *x)
{
	const struct translator *old = xl_find(c, x->out, x->in_type[0]);

	if (!type_is_sou(x->out))
		return diag_error(c->d, D_XLATE_SOU, x->loc,
				  "translator output type must be a struct or union, not \"%s\"",
				  type_text(c, x->out));
	/* A library file may replace another's. */
	if (old && (old->loc.src == x->loc.src || x->loc.src->kind != SRC_LIB))
		return diag_error(c->d, D_XLATE_REDECL, x->loc,
				  "translator from \"%s\" to \"%s\" redeclared",
				  type_text(c, x->in_type[0]), type_text(c, x->out));
	c->typing->nodes = 0;
	for (uint32_t i = 0; i < x->nmember; i++)
		if (check_member(c, x, &x->member[i]))
			return -1;
	vec_apush(c->arena, &c->names->xl, x);
	return 0;
}

static int check_inputs(struct compiler *c, const struct probe_decl *d, uint32_t i)
{
	const struct probe_arg *a = &d->arg[i];
	struct type *out = type_strip(a->type)->to;
	const struct translator *xl = xl_find(c, out, d->param[a->in[0]]);

	if (!xl)
		return diag_error(c->d, D_PROV_PRXLATOR, d->loc,
				  "argument %u of probe %s: no translator of \"%s\" to \"%s\"", i,
				  d->name, type_text(c, d->param[a->in[0]]), type_text(c, out));
	if (a->nin > xl->nin)
		return diag_error(c->d, D_PROV_PRARGLEN, d->loc,
				  "argument %u of probe %s: the translator to \"%s\" has %u "
				  "inputs, %u given",
				  i, d->name, type_text(c, out), xl->nin, a->nin);
	for (uint32_t k = 1; k < a->nin; k++) {
		struct expr given = {.kind = E_IDENT, .type = d->param[a->in[k]]};

		if (!fits(xl->in_type[k], &given))
			return diag_error(c->d, D_PROTO_ARG, d->loc,
					  "argument %u of probe %s: input %u of the translator to "
					  "\"%s\" is a %s, not a %s",
					  i, d->name, k + 1, type_text(c, out),
					  type_text(c, xl->in_type[k]), type_text(c, given.type));
	}
	return 0;
}

int sema_provider(struct compiler *c, const struct provider_decl *pd)
{
	for (const struct probe_decl *d = pd->probe; d; d = d->next)
		for (uint32_t i = 0; i < d->narg; i++)
			if (probe_arg_xlated(d, i) && check_inputs(c, d, i))
				return -1;
	return 0;
}

/* What a derivation says is evaluated whenever it is wanted, or not at all. */
static int keeps_variables(struct compiler *c, const struct expr *e)
{
	if (!expr_changes(e))
		return 0;
	return diag_error(c->d, D_UNSUPPORTED, e->loc,
			  "a derivation cannot change variables: a clause at its hook can");
}

int sema_hook(struct compiler *outer, struct probe *p, const struct hook_on *on,
	      struct host_probe *h, struct hook_use *out)
{
	struct typing t = {.host = h};
	struct compiler in = typing_in(outer, &t), *c = &in;

	*out = (struct hook_use){.host = h, .nnative = on->narg};
	if (on->narg != p->decl->nparam)
		return diag_error(c->d, D_PROTO_LEN, on->loc,
				  "%s:::%s has %u native arguments, %u given", p->prov, p->name,
				  p->decl->nparam, on->narg);
	out->native = arena_newn(c->arena, struct expr *, on->narg);
	if (on->guard) {
		out->guard = expr_clone(c->arena, on->guard);
		if (sema_expr(c, out->guard) || keeps_variables(c, out->guard))
			return -1;
	}
	if (on->as) {
		out->as = expr_clone(c->arena, on->as);
		if (sema_expr(c, out->as) || keeps_variables(c, out->as))
			return -1;
	}
	for (uint32_t i = 0; i < on->narg; i++) {
		out->native[i] = expr_clone(c->arena, on->arg[i]);
		if (sema_expr(c, out->native[i]) || keeps_variables(c, out->native[i]))
			return -1;
		sema_decay(c, &out->native[i]);
		if (!fits(p->decl->param[i], out->native[i])) {
			diag_error(c->d, D_PROTO_ARG, out->native[i]->loc,
				   "argument %u of %s:::%s is a %s, not a %s", i, p->prov, p->name,
				   type_text(c, p->decl->param[i]),
				   type_text(c, out->native[i]->type));
			return -1;
		}
	}
	out->filter = probe_filter(c, p, on->loc);
	if (out->filter && sema_expr(c, out->filter))
		return -1;
	return 0;
}
