/*
 * trust.c - which loads the verifier accepts, and which memory replay has. No other file knows
 * these rules.
 *
 * The compiler tracks where a pointer comes from (ir_reg.pc). Code loads through some pointers
 * directly, through others after a test, and through most by probe_read_kernel().
 */
#include "compiler/code/memory/trust.h"

#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"
#include "providers/kernel.h"

/*
 * Facts about members of kernel structs.
 *
 * OR_NULL: since 6.12, the verifier knows that this pointer may be NULL (BTF_TYPE_SAFE_*_OR_NULL),
 * so a test is needed. Other members of the same struct may need no test.
 *
 * NEVER_NULL: the member is never NULL, because every sk_buff has its bytes.
 */
enum belief { NOTHING, OR_NULL, NEVER_NULL };

static const struct {
	enum kernel_member member;
	enum belief is;
} members[] = {
	{KM_SKB_SK, OR_NULL},      {KM_REQUEST_SK, OR_NULL},  {KM_SOCKET_SK, OR_NULL},
	{KM_SKB_DATA, NEVER_NULL}, {KM_SKB_HEAD, NEVER_NULL},
};

static enum belief belief(const struct type *owner, const char *name)
{
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (kernel_is_member(owner, name, members[i].member))
			return members[i].is;
	return NOTHING;
}

void trust(struct irb *b, int reg, enum ptr_class pc, struct type *to)
{
	irb_reg(b, reg)->pc = pc;
	irb_reg(b, reg)->ptype = to;
}

void trust_loaded(struct fire *g, int reg, struct mem m, struct type *t, const char *name)
{
	struct ir_reg *base = m.base > 0 ? irb_reg(g->b, m.base) : NULL;
	struct ir_reg *r = irb_reg(g->b, reg);
	struct type *to = type_is(t, T_PTR) ? type_strip(type_strip(t)->to) : NULL;

	if (!base || !to || !type_is_sou(to) || r->pc != PC_ANY)
		return;
	if (base->ptype != m.owner || base->pc == PC_ANY)
		return;
	/*
	 * the value may come from probe_read_kernel(), and then the verifier knows no type for it
	 */
	if (m.lib && base->or_null && !g->c->target->rdonly_cast)
		return;
	/* a pointer that was loaded through a cast can be NULL, but needs no test */
	r->or_null = !m.cast && belief(m.owner, name) == OR_NULL;
	r->pc = base->pc == PC_SAFE ? PC_SAFE : PC_CHAIN;
	r->ptype = to;
}

/*
 * If a program loads a pointer through a pointer that the verifier trusts, the verifier looks up
 * types such as sk_buff__safe_trusted, and compares the names of all types of the kernel for each
 * of them (btf_nested_type_is_trusted() in kernel/bpf/verifier.c). For a program that needs the
 * owners of sockets, these searches took two thirds of the time to start. The verifier does not
 * search if the program casts the first pointer.
 *
 * The loaded pointer is then not trusted. Helpers for sockets need a trusted pointer, so the code
 * loads a socket again, without a cast, for such a helper (g->typed).
 */
bool trust_needs_cast(struct fire *g, const struct mem *m, struct type *t)
{
	return !g->typed && !g->c->target->replay && g->c->target->rdonly_cast &&
	       type_is(t, T_PTR) && m->owner && m->owner->btf_id && m->base > 0 &&
	       irb_reg(g->b, m->base)->pc == PC_TRUSTED &&
	       g->u->hook->socket.cookie != COOKIE_LOADED;
}

/*
 * How access_of() loads through a pointer to an object of the right type:
 *
 *   origin of the pointer                              user's text    library text
 *   PC_TRUSTED: hook's argument, current task          load           load
 *   PC_CHAIN: argument of a traced function, or        test, fault    load; cast if it may be NULL
 *       loaded through a PC_TRUSTED or PC_CHAIN
 *   PC_SAFE: a cast, or loaded through a PC_SAFE       read, fault    load
 *   PC_ANY: any other                                  read, fault    cast; replay: read, fault
 *
 * `load` is a plain load. Through a PC_TRUSTED, most pointers are loaded by `cast` instead
 * (trust_needs_cast()). `test` tests the pointer for NULL first. `read` is probe_read_kernel().
 * `cast` is bpf_rdonly_cast() before a plain load. `fault` means that a bad address is a fault. If
 * the kernel has no cast, library text reads, and a bad address gives 0.
 *
 * In replay, the user's text reads through a PC_CHAIN, too. Library text may also cast an object to
 * a larger one, such as a sock to a tcp_sock, and load from IP headers. A guard (condition of a
 * hook) or hidden clause (clause of the library) cannot report a fault, so a bad address gives 0
 * there. In replay, nothing but these rules protects the memory beside the packet.
 */
enum { IP4_HEADER = 20, IP6_HEADER = 40 };

static enum access access_lib(struct fire *g, const struct mem *m, const struct ir_reg *typed)
{
	if (typed && (!typed->or_null || irb_decided(g->b, CC_EQ, m->base, 0) == 0))
		return LOAD;
	return m->owner && m->owner->btf_id && g->c->target->rdonly_cast ? LOAD_CAST : READ_ZERO;
}

/*
 * As access_lib(), in replay. The type of an object does not matter, because library text may cast
 * it to a larger one. Pointers to objects are valid, except those that may be NULL in the kernel
 * too. Only the first bytes of a packet's IP header are sure to exist.
 */
static enum access access_lib_replay(const struct fire *g, const struct mem *m,
				     const struct ir_reg *r, uint32_t n)
{
	bool header = m->ip_header || (r && r->pc == PC_SAFE);
	int64_t end = (int64_t)m->off + n;

	if (header && m->off >= 0 && end <= IP4_HEADER)
		return m->or_null ? TEST_ZERO : LOAD;
	if (header && m->off >= 0 && end <= IP6_HEADER && g->epid && !m->or_null)
		return LOAD_IP6;
	if (!r || r->pc == PC_ANY || header || m->off < 0 || end > REPLAY_READABLE)
		return g->epid ? READ_FAULT : READ_ZERO;
	return r->or_null ? TEST_ZERO : LOAD;
}

static bool within(struct type *t, int64_t off, uint32_t n);

/*
 * Returns whether the verifier accepts a load of @n bytes that begins in member @m of a struct.
 * @off is the offset of the load in the struct.
 */
static bool within_member(const struct member *m, int64_t off, uint32_t n)
{
	struct type *t = type_strip(m->type);
	int64_t end = t->size;

	off -= m->bitoff / 8;
	while (t->kind == T_ARRAY && type_strip(t->to)->size) {
		t = type_strip(t->to);
		/* bytes from this element to the end of the member */
		end -= off / t->size * t->size;
		off %= t->size;
	}
	if (type_is_sou(t))
		return within(t, off, n);
	return t->kind == T_PTR ? !off && n == t->size : off + n <= end;
}

/*
 * Returns whether the verifier accepts a load of @n bytes at offset @off through a pointer to @t.
 * The bytes must be in one member, and a pointer must be loaded whole (btf_struct_walk() in
 * kernel/bpf/btf.c).
 */
static bool within(struct type *t, int64_t off, uint32_t n)
{
	uint32_t nmember;
	struct member *m;

	t = type_strip(t);
	m = type_is_sou(t) ? type_members(t, &nmember) : NULL;
	if (!m || off < 0 || off + n > t->size)
		return false;
	for (uint32_t i = 0; i < nmember && off + n > m[i].bitoff / 8; i++) {
		int64_t first = m[i].bitoff / 8, end = ((int64_t)m[i].bitoff + m[i].bits + 7) / 8;

		if (m[i].bits && off <= first && end <= off + n)
			return true;
		if (!m[i].bits && off < first)
			return false;
		if (!m[i].bits && off < first + type_strip(m[i].type)->size)
			return within_member(&m[i], off, n);
	}
	return false;
}

enum access access_of(struct fire *g, const struct mem *m, uint32_t n)
{
	const struct ir_reg *r = m->base > 0 ? irb_reg(g->b, m->base) : NULL;
	const struct ir_reg *typed = r && r->pc != PC_ANY && r->ptype == m->owner ? r : NULL;

	if (m->own || m->base == FRAME)
		return LOAD;
	if (m->owner && !g->c->target->replay && !within(m->owner, m->off, n))
		return m->lib ? READ_ZERO : READ_FAULT;
	if (typed && typed->pc == PC_TRUSTED)
		return m->cast ? LOAD_CAST : LOAD;
	if (m->lib)
		return g->c->target->replay ? access_lib_replay(g, m, r, n)
					    : access_lib(g, m, typed);
	return typed && typed->pc == PC_CHAIN && !g->c->target->replay ? TEST_FAULT : READ_FAULT;
}

/*
 * If @e is member @m of an sk_buff, returns the expression of the pointer to that sk_buff, else
 * NULL.
 */
static const struct expr *skb_member(const struct expr *e, enum kernel_member m)
{
	e = expr_target(e);
	if (e->kind != E_MEMBER || !e->arrow || !kernel_is_member(expr_pointee(e->a), e->name, m))
		return NULL;
	return expr_target(e->a);
}

static bool same_ident(const struct expr *x, const struct expr *y)
{
	return x && y && x->kind == E_IDENT && y->kind == E_IDENT && x->symkind == y->symkind &&
	       x->ival == y->ival && x->ref.any == y->ref.any &&
	       (x->symkind == SYM_HOSTARG || x->symkind == SYM_NATIVE);
}

bool is_ip_header(const struct fire *g, const struct expr *e, bool *null)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_INT:
		*null = true;
		return !e->value;
	case E_CALL:
		return e->symkind == SYM_SUBR && e->ref.subr->ip_header;
	case E_CAST:
		return is_ip_header(g, e->a, null);
	case E_COND:
		return is_ip_header(g, e->b, null) && is_ip_header(g, e->c, null);
	case E_IDENT:
		return e->symkind == SYM_NATIVE && g->hook->native &&
		       is_ip_header(g, g->hook->native[e->ival], null);
	case E_BINARY:
		return e->op == B_ADD && same_ident(skb_member(e->a, KM_SKB_HEAD),
						    skb_member(e->b, KM_SKB_NETWORK_HEADER));
	default:
		return skb_member(e, KM_SKB_DATA);
	}
}

/*
 * The verifier accepts plain loads of arguments that are numbers, or pointers to structs, unions,
 * integers or void (btf_ctx_access() in kernel/bpf/btf.c). Before 6.14 it refuses pointers to const
 * void, which look like pointers to void here. So the user's text does not load pointers to void
 * directly. Library text does, because its author knows which of these arguments the kernels allow.
 */
bool arg_in_context(const struct fire *g, const struct type *t)
{
	if (g->c->target->replay)
		return true;
	if (t->kind != T_PTR)
		return !type_is_sou((struct type *)t);
	switch (type_strip(t->to)->kind) {
	case T_VOID:
		return g->in_native || g->hidden;
	case T_INT:
	case T_STRUCT:
	case T_UNION:
		return true;
	default:
		return false;
	}
}

static bool nullable(const struct fire *g, uint64_t i)
{
	return !g->c->target->replay && i < 32 && g->hook->host->hook.nullable >> i & 1;
}

/*
 * Returns the register to use for argument @v, which may be NULL. Some verifiers do not know that
 * it may be NULL, and would allow an unprotected load. So this function casts the argument, or
 * leaves it PC_ANY. In both cases, a load through it cannot crash.
 */
static int nullable_arg(struct fire *g, int v, struct type *to)
{
	if (!g->c->target->rdonly_cast || !to->btf_id)
		return v;
	v = irb_cast(g->b, v, to->btf_id);
	trust(g->b, v, PC_SAFE, to);
	return v;
}

int trust_arg(struct fire *g, int v, uint64_t i, struct type *to)
{
	if (nullable(g, i))
		return nullable_arg(g, v, to);
	trust(g->b, v, g->u->hook->function ? PC_CHAIN : PC_TRUSTED, to);
	return v;
}

bool never_null(const struct fire *g, const struct expr *e)
{
	struct type *of;

	e = expr_target(e);
	switch (e->kind) {
	case E_CAST:
		return type_is(e->type, T_PTR) && never_null(g, e->a);
	case E_BINARY:
		return e->op == B_ADD && type_is(e->type, T_PTR) && e->lib;
	case E_COND:
		return never_null(g, e->b) && never_null(g, e->c);
	case E_IDENT:
		return e->symkind == SYM_NATIVE && g->hook->native &&
		       never_null(g, g->hook->native[e->ival]);
	case E_MEMBER:
		of = e->arrow ? expr_pointee(e->a) : NULL;
		return e->lib && belief(of, e->name) == NEVER_NULL;
	default:
		return false;
	}
}

bool trust_storage(const struct hook_use *use)
{
	return !use->as && hook_kind_info(use->host->hook.kind)->task_storage;
}
