/*
 * socket_vars.c - finds the memory of a socket: its entry in the table of sockets (socket_table.h),
 * or else the storage that the kernel keeps for the socket.
 *
 * The kernel gives storage only for a pointer that the verifier knows as a socket.
 * meaning/probes/socket_at.c has checked this for all pointers.
 */
#include "compiler/code/memory/socket_vars.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/socket_table.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/probes/socket_at.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "providers/provider.h"

enum { STORAGE_CREATE = 1 };

/* Keys of irb_memo_add(), for the results of socket_find(), socket_make() and socket_entry(). */
static const char of_found, of_made, of_entry;

/* A search for the memory of a socket. */
struct found {
	int at;        /* variable with the address of the memory, or with 0 */
	int done;      /* block after the search */
	int64_t flags; /* STORAGE_CREATE to create missing storage, or 0 */
};

/* Sets f->at to the storage of the socket in register @sk, which is not NULL. */
static void get(struct fire *g, const struct found *f, int sk)
{
	irb_assign(g->b, f->at,
		   irb_call(g->b, IR_CALL, HELPER_sk_storage_get, 4,
			    (struct ir_arg[]){{ARG_MAP, 0, g->layout->socket_map},
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
 * As get(), for the socket of the hook's context: the context itself, or a member of it. The code
 * loads the socket from the context again, because the verifier does not recognise the value of
 * @key as a socket. If @key chooses between this socket and NULL, the code first tests @key for
 * NULL.
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

/*
 * Returns a register with the pointer @key. An argument of the hook that may be NULL is usually
 * cast, so that loads through it are safe (nullable_arg()). Here it is not cast, because the
 * verifier does not accept a cast pointer as a socket. For the same reason, pointers are loaded
 * again without casts (g->typed).
 */
static int pointer_of(struct fire *g, const struct expr *key)
{
	const struct hook *h = &g->hook->host->hook;
	bool arg = key->kind == E_IDENT &&
		   (key->symkind == SYM_HOSTARG || key->symkind == SYM_NATIVE);
	int sk;

	g->typed = true;
	sk = arg && h->nullable >> key->ival & 1 ? gen_typed_arg(g, key->ival) : gen(g, key);
	g->typed = false;
	return sk;
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

/*
 * Sets f->at to the storage of socket @key, and jumps to f->done. If f->flags is STORAGE_CREATE,
 * creates missing storage.
 */
static void get_storage(struct fire *g, const struct found *f, const struct expr *key)
{
	int some = irb_cold_block(g->b, "spilled");

	irb_assign_imm(g->b, f->at, 0);
	if (f->flags) {
		socket_table_spill(g);
		irb_jmp(g->b, some);
	} else {
		irb_bri(g->b, CC_EQ, socket_table_spilled(g), 0, f->done, some);
	}
	irb_place(g->b, some);
	get_of(g, f, key);
}

/*
 * Returns a register with the address of the memory of socket @key. Register @sk has the pointer to
 * the socket. If @flags is STORAGE_CREATE and the socket has no memory yet, creates storage for it.
 */
static int memory(struct fire *g, const struct expr *key, int sk, int64_t flags)
{
	struct irb *b = g->b;
	struct found f = {.at = irb_var(b), .flags = flags};
	int there = irb_block(b, "entry"), none = irb_cold_block(b, "no entry"), entry;

	f.done = irb_block(b, "memory");
	entry = socket_table_search(g, sk, there, none);
	irb_place(b, there);
	irb_assign(b, f.at, entry);
	irb_jmp(b, f.done);
	irb_place(b, none);
	get_storage(g, &f, key);
	irb_place(b, f.done);
	return irb_value(b, f.at);
}

/*
 * Returns the version that irb_memo_find() and irb_memo_add() compare, for results about the socket
 * in register @sk. The version changes when the unit may have made or freed memory of a socket
 * (u->storage_version). A register stands for one socket: a this-> variable keeps its register, and
 * clauses of the library assign only one socket to it in a firing (one run of a probe's clauses).
 */
static int version(struct fire *g, int sk)
{
	return (int)((uint32_t)g->u->storage_version << 20) + sk;
}

int socket_entry(struct fire *g, int sk)
{
	struct irb *b = g->b;
	int when = version(g, sk), p = irb_memo_find(b, &of_entry, when), at, found, done;

	if (!g->layout->socket_map)
		return irb_const(b, 0);
	if (p != NOREG)
		return p;
	at = irb_var(b);
	found = irb_block(b, "entry");
	done = irb_block(b, "searched");
	irb_assign_imm(b, at, 0);
	p = socket_table_search(g, sk, found, done);
	irb_place(b, found);
	irb_assign(b, at, p);
	irb_jmp(b, done);
	irb_place(b, done);
	p = irb_value(b, at);
	irb_memo_add(b, &of_entry, when, p);
	return p;
}

void socket_enter(struct fire *g, int sk)
{
	if (g->layout->socket_map)
		socket_table_enter(g, sk);
	g->u->storage_version++;
}

static void copy_value(struct fire *g, int to, int from)
{
	uint32_t size = g->layout->map.v[g->layout->socket_map].value_size;

	for (int32_t at = 0; at < (int32_t)size; at += 8)
		irb_store(g->b, to, at, 8, irb_loadv(g->b, from, at, 8, false));
}

int socket_inherit(struct fire *g, const struct expr *child, int from)
{
	struct irb *b = g->b;
	struct found f = {.at = irb_var(b), .flags = STORAGE_CREATE};
	int found = irb_block(b, "inherit"), there = irb_block(b, "entry"),
	    none = irb_cold_block(b, "no entry"), some = irb_cold_block(b, "some"),
	    done = irb_block(b, "inherited"), entered = irb_var(b), sk;

	if (!g->layout->socket_map)
		return irb_const(b, 0);
	f.done = irb_cold_block(b, "storage");
	irb_assign_imm(b, entered, 0);
	sk = gen(g, child);
	from = socket_table_search(g, from, found, done);
	irb_place(b, found);
	socket_table_enter(g, sk);
	sk = socket_table_search(g, sk, there, none);
	irb_place(b, there);
	copy_value(g, sk, from);
	irb_assign_imm(b, entered, 1);
	irb_jmp(b, done);
	irb_place(b, none);
	get_storage(g, &f, child);
	irb_place(b, f.done);
	irb_bri(b, CC_EQ, irb_value(b, f.at), 0, done, some);
	irb_place(b, some);
	copy_value(g, irb_value(b, f.at), from);
	irb_jmp(b, done);
	irb_place(b, done);
	g->u->storage_version++;
	return irb_value(b, entered);
}

void socket_leave(struct fire *g, int sk)
{
	if (g->layout->socket_map)
		socket_table_leave(g, sk);
	g->u->storage_version++;
}

/* Does the work of socket_find(), or of socket_make() if @flags is STORAGE_CREATE. */
static int find(struct fire *g, const struct expr *e, int64_t flags)
{
	const struct expr *entered = socket_entered(e->arg[0]);
	int sk, when, p;

	if (entered)
		return socket_entry(g, gen(g, entered));
	sk = gen(g, e->arg[0]);
	when = version(g, sk);
	p = irb_memo_find(g->b, flags ? &of_made : &of_found, when);
	if (p != NOREG)
		return p;
	p = memory(g, e->arg[0], sk, flags);
	if (flags) {
		g->u->storage_version++; /* storage that was missing before may exist now */
		when = version(g, sk);
		irb_memo_add(g->b, &of_made, when, p);
	}
	irb_memo_add(g->b, &of_found, when, p);
	return p;
}

int socket_find(struct fire *g, const struct expr *e)
{
	return find(g, e, 0);
}

int socket_make(struct fire *g, const struct expr *e)
{
	return find(g, e, STORAGE_CREATE);
}
