/*
 * socket_vars.c - finds the storage of a socket, where arrays of the library with that key are
 * kept.
 *
 * meaning/probes/socket_at.c has checked that the verifier knows each pointer that is used here.
 */
#include "compiler/code/memory/socket_vars.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "providers/provider.h"

enum { STORAGE_CREATE = 1 };

/* The result: a variable with the address of the storage, and the block where it is known. */
struct found {
	const struct var *v;
	int at, done;
	int64_t flags;
};

/* Sets the result to the storage of the socket in register @sk, which is not NULL. */
static void get(struct fire *g, const struct found *f, int sk)
{
	irb_assign(g->b, f->at,
		   irb_call(g->b, IR_CALL, HELPER_sk_storage_get, 4,
			    (struct ir_arg[]){{ARG_MAP, 0, f->v->map},
					      {ARG_REG, sk, 0},
					      {ARG_IMM, 0, 0},
					      {ARG_IMM, 0, f->flags}}));
	irb_jmp(g->b, f->done);
}

static void need_socket(struct fire *g, const struct found *f, int sk)
{
	int some = irb_block(g->b, "socket");

	irb_bri(g->b, CC_EQ, sk, 0, f->done, some);
	irb_place(g->b, some);
}

/*
 * The socket of the context, as the verifier knows it: the context itself, or a member of it. An
 * expression that chooses between that socket and NULL is tested, too.
 */
static void get_of_ctx(struct fire *g, const struct found *f, const struct expr *key)
{
	const struct hook *h = &g->hook->host->hook;
	int sk;

	if (expr_target(key)->kind != E_MEMBER)
		need_socket(g, f, gen(g, key));
	if (!*h->socket.of_ctx) {
		get(g, f, irb_ctx(g->b));
		return;
	}
	sk = irb_load(g->b, irb_ctx(g->b), h->socket.ctx_off, 8, false);
	need_socket(g, f, sk);
	get(g, f, sk);
}

static void get_of(struct fire *g, const struct found *f, const struct expr *key);

static void get_native(struct fire *g, const struct found *f, const struct expr *key)
{
	bool outer = g->in_native;

	g->in_native = true;
	get_of(g, f, key);
	g->in_native = outer;
}

static void get_chosen(struct fire *g, const struct found *f, const struct expr *key)
{
	int yes = irb_block(g->b, "then"), no = irb_block(g->b, "else");

	gen_cond(g, key->a, yes, no);
	irb_place(g->b, yes);
	get_of(g, f, key->b);
	irb_place(g->b, no);
	get_of(g, f, key->c);
}

/* An argument that may be NULL is passed as it is, without the cast that protects loads. */
static int pointer_of(struct fire *g, const struct expr *key)
{
	const struct hook *h = &g->hook->host->hook;
	bool arg = key->kind == E_IDENT &&
		   (key->symkind == SYM_HOSTARG || key->symkind == SYM_NATIVE);

	return arg && h->nullable >> key->ival & 1 ? gen_typed_arg(g, key->ival) : gen(g, key);
}

static void get_of(struct fire *g, const struct found *f, const struct expr *key)
{
	int sk;

	key = expr_target(key);
	while (key->kind == E_CAST)
		key = expr_target(key->a);
	if (key->is_const) {
		irb_jmp(g->b, f->done);
		return;
	}
	if (key->kind == E_IDENT && key->symkind == SYM_NATIVE && g->hook->native) {
		get_native(g, f, g->hook->native[key->ival]);
		return;
	}
	if (g->hook->host->hook.socket.of_ctx && socket_is_of_ctx(g->hook, key)) {
		get_of_ctx(g, f, key);
		return;
	}
	if (key->kind == E_COND) {
		get_chosen(g, f, key);
		return;
	}
	sk = pointer_of(g, key);
	if (irb_reg(g->b, sk)->pc != PC_TRUSTED)
		need_socket(g, f, sk);
	get(g, f, sk);
}

static int storage(struct fire *g, const struct var *v, const struct expr *e, int64_t flags)
{
	struct found f = {.v = v, .at = irb_var(g->b), .flags = flags};

	f.done = irb_block(g->b, "storage");
	irb_assign_imm(g->b, f.at, 0);
	get_of(g, &f, e->arg[0]);
	irb_place(g->b, f.done);
	return irb_value(g->b, f.at);
}

/*
 * Returns a number that is the same for all keys that certainly are one socket: the register of the
 * pointer. The number also counts the storage that the unit may have created so far.
 */
static int version(struct fire *g, const struct expr *key)
{
	return (int)((uint32_t)g->u->kept << 20) + gen(g, key);
}

int socket_find(struct fire *g, const struct var *v, const struct expr *e)
{
	int when = version(g, e->arg[0]), p = irb_memo_find(g->b, &g->u->hook, when);

	if (p != NOREG)
		return p;
	p = storage(g, v, e, 0);
	irb_memo_add(g->b, &g->u->hook, when, p);
	return p;
}

int socket_make(struct fire *g, const struct var *v, const struct expr *e)
{
	int when = version(g, e->arg[0]), p = irb_memo_find(g->b, &g->u->nests, when);

	if (p != NOREG)
		return p;
	p = storage(g, v, e, STORAGE_CREATE);
	g->u->kept++; /* storage that was missing before may exist now */
	when = version(g, e->arg[0]);
	irb_memo_add(g->b, &g->u->hook, when, p);
	irb_memo_add(g->b, &g->u->nests, when, p);
	return p;
}
