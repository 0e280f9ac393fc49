/*
 * socket_at.c - whether the kernel can find the storage of a socket that an expression denotes.
 */
#include "compiler/meaning/probes/socket_at.h"

#include <string.h>

#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/typing/stmt.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/types/type.h"
#include "providers/kernel.h"
#include "providers/provider.h"

bool socket_is_of_ctx(const struct hook_use *use, const struct expr *e)
{
	const char *sock = use->host->hook.socket.of_ctx;

	e = expr_target(e);
	if (e->is_const)
		return !e->value;
	if (e->kind == E_CAST)
		return socket_is_of_ctx(use, e->a);
	if (e->kind == E_COND)
		return socket_is_of_ctx(use, e->b) && socket_is_of_ctx(use, e->c);
	if (e->kind == E_IDENT && e->symkind == SYM_NATIVE && use->native)
		return socket_is_of_ctx(use, use->native[e->ival]);
	if (!sock)
		return false;
	if (!*sock)
		return e->kind == E_IDENT && e->symkind == SYM_HOSTARG;
	return e->kind == E_MEMBER && !strcmp(e->name, sock) &&
	       expr_target(e->a)->symkind == SYM_HOSTARG;
}

bool socket_is_full(const struct hook_use *use, const struct expr *e)
{
	const struct hook *h = &use->host->hook;

	e = expr_kept(e);
	if (h->socket.of_ctx && socket_is_of_ctx(use, e))
		return true;
	if (e->kind == E_IDENT && e->symkind == SYM_NATIVE && use->native)
		return socket_is_full(use, use->native[e->ival]);
	return h->socket.full && e->kind == E_IDENT && e->ival == 0 &&
	       (e->symkind == SYM_NATIVE || e->symkind == SYM_HOSTARG);
}

bool socket_is_key(const struct var *v)
{
	return v->lib && v->assoc && v->nkey == 1 && type_is(v->key[0], T_PTR) &&
	       kernel_is(type_strip(type_strip(v->key[0])->to), KS_SOCK);
}

const struct expr *socket_entered(const struct expr *key)
{
	key = expr_target(key);
	while (key->kind == E_CAST)
		key = expr_target(key->a);
	return key->kind == E_CALL && key->symkind == SYM_SUBR && key->ref.subr->entry ? key->arg[0]
										       : NULL;
}

/*
 * Returns whether the verifier knows the type of argument @i of the hook. If @inside, the program
 * loads members through the argument. In this case, arguments that may be NULL (hook.nullable) do
 * not count, because some verifiers refuse the loads.
 */
static bool typed_arg(const struct hook_use *use, uint64_t i, bool inside)
{
	const struct hook *h = &use->host->hook;

	return hook_kind_info(h->kind)->socket_storage && !h->behind && !h->args_at.regs &&
	       i < h->narg && type_is(h->arg[i], T_PTR) && !(inside && h->nullable >> i & 1);
}

/* Returns whether member @name of @t is in a union. The verifier does not trust such members. */
static bool in_union(struct type *t, const char *name)
{
	struct member at;
	uint32_t n;
	struct member *m = type_members(t, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (m[i].name && *m[i].name) {
			if (!strcmp(m[i].name, name))
				return t->kind == T_UNION;
			continue;
		}
		if (type_is_sou(type_strip(m[i].type)) &&
		    type_member(type_strip(m[i].type), name, &at))
			return t->kind == T_UNION || in_union(type_strip(m[i].type), name);
	}
	return true;
}

/* Returns the struct or union that has member @e. */
static struct type *outer_of(const struct expr *e)
{
	return e->arrow ? expr_pointee(e->a) : type_strip(e->a->type);
}

/*
 * Returns whether the verifier knows the type of the object that pointer @e leads to. It knows this
 * type for three kinds of pointers: arguments of the hook, pointers that are loaded without a cast
 * from an object of known type, and the socket of a file.
 */
static bool is_typed(const struct hook_use *use, const struct expr *e, bool inside)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_INT:
		return e->is_const && !e->value;
	case E_IDENT:
		if (e->symkind == SYM_NATIVE && use->native)
			return is_typed(use, use->native[e->ival], inside);
		return (e->symkind == SYM_NATIVE || e->symkind == SYM_HOSTARG) &&
		       typed_arg(use, e->ival, inside);
	case E_CALL:
		return e->symkind == SYM_SUBR && e->ref.subr->typed;
	case E_CAST:
		if (e->is_const)
			return !e->value;
		return inside ? expr_target(e->a)->kind == E_CALL && is_typed(use, e->a, true)
			      : is_typed(use, e->a, false);
	case E_COND:
		return !inside && is_typed(use, e->b, false) && is_typed(use, e->c, false);
	case E_MEMBER:
		for (; !e->arrow && e->a->kind == E_MEMBER; e = e->a)
			if (in_union(outer_of(e), e->name))
				return false;
		return e->arrow && !in_union(outer_of(e), e->name) && is_typed(use, e->a, true);
	default:
		return false;
	}
}

/* The search for a socket whose storage cannot be found. */
struct search {
	const struct hook_use *use;
	bool found;
};

static void search_expr(struct search *s, const struct expr *e)
{
	if (!e || s->found)
		return;
	if (e->kind == E_IDENT && e->symkind == SYM_BOUND) {
		search_expr(s, e->ref.bound);
		return;
	}
	if (e->kind == E_INDEX && e->symkind == SYM_VAR && socket_is_key(e->ref.var) &&
	    !socket_entered(e->arg[0]) &&
	    !(socket_is_of_ctx(s->use, e->arg[0]) && s->use->host->hook.socket.ctx_off >= 0) &&
	    !is_typed(s->use, e->arg[0], false))
		s->found = true;
	search_expr(s, e->a);
	search_expr(s, e->b);
	search_expr(s, e->c);
	for (uint32_t i = 0; i < e->narg; i++)
		search_expr(s, e->arg[i]);
}

static void search_stmt(void *ctx, struct stmt *stmt)
{
	search_expr(ctx, stmt->expr);
}

bool socket_finds_all(const struct enabling *en, struct stmt *body)
{
	struct search s = {0};

	for (uint32_t i = 0; i < en->nprobe; i++)
		for (uint32_t k = 0; k < en->probe[i]->nhook; k++) {
			s.use = &en->probe[i]->hook[k];
			search_expr(&s, s.use->guard);
			search_expr(&s, s.use->as);
			search_expr(&s, s.use->filter);
			search_expr(&s, en->pred);
			stmt_each(body, search_stmt, &s);
		}
	return !s.found;
}

void socket_decide(struct compiler *c)
{
	/*
	 * A filter by owner rejects most packets. If owners are kept in hashes, a small array
	 * (__owner_near) rejects most packets and saves the look-up, which takes 18 ns. So do not
	 * keep owners with sockets then.
	 */
	bool keeps = c->target->socket_storage && !c->opt->filter_owner;

	for (struct enabling *en = c->probes->enablings; en; en = en->next)
		keeps &= socket_finds_all(en, en->body);
	c->wants->keeps->value = keeps;
	c->wants->keeps->ival = keeps;
	c->wants->keeps->is_const = true;
}
