/*
 * ident.c - finds the meaning and the type of an identifier.
 */
#include "compiler/meaning/typing/names/ident.h"

#include <string.h>

#include "agg/agg.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/hints/doubt.h"
#include "compiler/meaning/hints/hint.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/typing/types/become.h"
#include "compiler/meaning/typing/names/args.h"
#include "compiler/meaning/typing/names/expand.h"
#include "compiler/meaning/typing/types/settle.h"
#include "compiler/meaning/typing/names/symbol.h"
#include "compiler/meaning/typing/typing.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/types/type.h"

struct expr *ident_bound(struct compiler *c, const char *name)
{
	for (size_t i = c->typing->bind.n; i-- > c->typing->bind_from;)
		if (c->typing->bind.v[i].name == name)
			return c->typing->bind.v[i].expr;
	return NULL;
}

static bool is_argn(const char *name, uint64_t *n)
{
	if (strncmp(name, "arg", 3) || name[3] < '0' || name[3] > '9' || name[4])
		return false;
	*n = (uint64_t)(name[3] - '0');
	return true;
}

bool name_is_builtin(const struct lang *l, const char *name)
{
	int64_t value;
	uint64_t n;

	return lang_var(l, name) || is_argn(name, &n) || !strcmp(name, "args") ||
	       !strcmp(name, "NULL") || !strcmp(name, "__live") || !strcmp(name, "__keeps") ||
	       l->constant(name, &value);
}

int name_reserved(struct compiler *c, const char *name, struct loc loc)
{
	if (strncmp(name, "__", 2))
		return 0;
	return diag_error(c->d, D_IDENT_BADREF, loc,
			  "%s: names that begin with two underscores are reserved for the library",
			  name);
}

int ident_reserved(struct compiler *c, const struct expr *e)
{
	return e->lib ? 0 : name_reserved(c, e->name, e->loc);
}

int ident_need_thread(struct compiler *c, const struct expr *e)
{
	struct expr *tid;

	if (c->wants->thread)
		return 0;
	tid = arena_new(c->arena, struct expr);
	*tid = (struct expr){.kind = E_IDENT,
			     .loc = e->loc,
			     .lib = true,
			     .name = intern(&c->names->intern,
					    c->opt->replay ? "tid" : "__thread")};
	if (expand_type(c, tid, c->typing->bind.n))
		return -1;
	/* in a clause whose probes do not exist here, types may be unknown */
	if (!c->typing->absent)
		c->wants->thread = tid;
	return 0;
}

static int use_var(struct compiler *c, struct expr *e, struct var *v)
{
	if (v->assoc)
		return diag_error(c->d, D_ARR_BADREF, e->loc,
				  "%s may not be referenced without an index", e->name);
	settle_type(c, &v->type, &type_unknown);
	e->symkind = SYM_VAR;
	e->ref.var = v;
	e->type = v->type;
	return v->scope == DECL_SELF ? ident_need_thread(c, e) : 0;
}

const char *function_kind(const struct lang *l, const char *name)
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
		hint_to_call(c, e->name);
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

static int sema_builtin(struct compiler *c, struct expr *e, const struct builtin_var *b)
{
	if (!e->lib)
		thread_note(c, e->name);
	e->symkind = SYM_BUILTIN;
	e->ref.builtin = b;
	e->type = lang_type(c, b->type);
	if (!e->type)
		BUG("builtin %s has no type '%s'", b->name, b->type);
	return 0;
}

/* Finds the constant called @name. If there is one, sets @value and @t, and returns true. */
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

/*
 * Type-checks a name that neither the program nor the library declares: a built-in variable, a
 * constant, or an unknown name.
 */
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
		if (!e->lib)
			args_need_number(c, (uint32_t)n);
		return 0;
	}
	if (!strcmp(e->name, "args")) {
		diag_error(c->d, D_ARR_BADREF, e->loc,
			   "args may not be referenced without an index");
		hint_args(c, e);
		return -1;
	}
	if (!constant_name(c, e->name, e->lib, &value, &t))
		return unknown_ident(c, e);
	become_int(e, value, t);
	return 0;
}

int sema_ident(struct compiler *c, struct expr *e)
{
	struct expr *b = ident_bound(c, e->name);
	struct decl_inline *in;
	struct var *v;

	if (!b && e->lib && !strcmp(e->name, "__keeps"))
		b = c->wants->keeps;
	if (b)
		return use_binding(e, b);
	if (!e->mod && !e->lib && symbol_declared(c, e->name))
		e->mod = "";
	if (e->mod)
		return sema_symbol(c, e);
	if (ident_reserved(c, e))
		return -1;
	v = var_find(c->names, e->lib, DECL_GLOBAL, e->name);
	if (v)
		return use_var(c, e, v);
	in = inline_find(c->names, e->lib, e->name);
	if (in && !e->lib)
		in->used = true;
	return in ? expand_inline(c, e, in, NULL, 0) : sema_given(c, e);
}

int sema_scoped(struct compiler *c, struct expr *e, enum decl_scope scope)
{
	const char *of = scope == DECL_THIS ? "this" : "self";
	struct var *v = var_find(c->names, e->lib, scope, e->name);

	if (ident_reserved(c, e))
		return -1;
	if (!v) {
		diag_error(c->d, D_VAR_UNDEF, e->loc,
			   "%s->%s has not yet been declared or assigned", of, e->name);
		hint_scoped(c, of, e->name);
		return -1;
	}
	return use_var(c, e, v);
}

bool ident_is_symbol(struct compiler *c, struct expr *e)
{
	if (e->kind != E_IDENT || e->mod)
		return e->kind == E_IDENT;
	if (e->lib || ident_bound(c, e->name) || !symbol_declared(c, e->name))
		return false;
	e->mod = "";
	return true;
}
