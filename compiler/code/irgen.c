/*
 * irgen.c - scalar expressions to IR.
 *
 * Integers are computed in 64 bits; types decide how memory is widened, how
 * values compare and how they are cut when they are cast or stored.
 */
#include <string.h>

#include "base/xalloc.h"
#include "compiler/code/irgen.h"

/* ------------------------------------------------------------------- faults */

int fault_block(struct fire *g, enum fault_code code, int value)
{
	struct fault_site site = {irb_cold_block(g->b, "fault"), code, g->action, value, g->fault};

	vec_apush(g->c->arena, &g->fault_site, site);
	return site.block;
}

/*
 * The blocks come when all jumps to them have been made, which is when the clause
 * is complete: only then is it known what is known in them.
 */
void place_faults(struct fire *g)
{
	struct irb *b = g->b;

	for (size_t i = 0; i < g->fault_site.n; i++) {
		const struct fault_site *s = &g->fault_site.v[i];

		irb_place(b, s->block);
		if (s->value)
			irb_assign(b, g->fault_value, s->value);
		else
			irb_assign_imm(b, g->fault_value, 0);
		irb_assign_imm(b, g->fault_info, (int64_t)s->action << 16 | s->code);
		irb_assign(b, g->fault_pc, irb_pc(b));
		irb_jmp(b, s->handler);
	}
	g->fault_site.n = 0;
}

void gen_fault(struct fire *g, enum fault_code code, int value)
{
	struct irb *b = g->b;
	int rest = irb_block(b, "unreachable"), zero = irb_var(b);

	/* The test cannot be decided at compile time, so what follows stays reachable to us. */
	irb_assign_imm(b, zero, 0);
	irb_bri(b, CC_EQ, zero, 0, fault_block(g, code, value), rest);
	irb_place(b, rest);
}

/* ------------------------------------------------------------------- memory */

/*
 * Pointer members that the verifier takes for "or NULL" even where it lets other
 * members pass unchecked (6.12 and later: BTF_TYPE_SAFE_*_OR_NULL).
 */
static bool member_or_null(const struct type *owner, const char *name)
{
	return owner && owner->name && !strcmp(name, "sk") &&
	       (!strcmp(owner->name, "sk_buff") || !strcmp(owner->name, "request_sock") ||
		!strcmp(owner->name, "socket"));
}

/* Marks the register that holds a pointer just loaded from @m. */
static void mark_pointer(struct fire *g, int reg, struct mem m, struct type *t, const char *name)
{
	struct ir_reg *base = m.base > 0 ? irb_reg(g->b, m.base) : NULL;
	struct ir_reg *r = irb_reg(g->b, reg);
	struct type *to = type_is(t, T_PTR) ? type_strip(type_strip(t)->to) : NULL;

	if (!base || !to || !type_is_sou(to) || r->pc != PC_ANY)
		return;
	if (base->ptype != m.owner || base->pc == PC_ANY)
		return;
	if (m.lib && base->or_null && !g->c->target.rdonly_cast) /* mem_load() had to copy it */
		return;
	r->or_null = member_or_null(m.owner, name);
	r->pc = base->pc == PC_SAFE ? PC_SAFE : PC_CHAIN;
	r->ptype = to;
}

/*
 * How to load from memory that a pointer leads to:
 *
 *	pointer to an object of that type      the user's text      library text
 *	the hook's, the current task           load                 load
 *	out of such an object: NULL or valid   test, fault          load
 *	made readable by the kernel            read, fault          load
 *	any other                              read, fault          cast and load; replay: read, fault
 *
 * (in replay, library text also casts an object to a larger one, and loads from IP headers).
 * A guard or hidden clause has nobody to tell of a fault: it sees 0.  In replay nothing
 * else protects what lies beside the packet.  `read` is probe_read_kernel.
 */
enum { IP4_HEADER = 20, IP6_HEADER = 40 };
enum access { LOAD, LOAD_CAST, LOAD_IP6, TEST_FAULT, TEST_ZERO, READ_FAULT, READ_ZERO };

static enum access access_lib(const struct fire *g, const struct mem *m, const struct ir_reg *typed)
{
	if (typed && !typed->or_null)
		return LOAD;
	return m->owner && m->owner->btf_id && g->c->target.rdonly_cast ? LOAD_CAST : READ_ZERO;
}

/*
 * Replay's objects may be cast to larger ones, and what they point to is there unless the
 * kernel itself says "or NULL"; of the bytes of a packet only the first are sure to be there.
 */
static enum access access_lib_replay(const struct fire *g, const struct mem *m, const struct ir_reg *r,
				     uint32_t n)
{
	bool header = m->ip_header || (r && r->pc == PC_SAFE);
	int64_t end = (int64_t)m->off + n;

	if (header && m->off >= 0 && end <= IP4_HEADER)
		return m->or_null ? TEST_ZERO : LOAD;
	if (header && m->off >= 0 && end <= IP6_HEADER && g->epid && !m->or_null)
		return LOAD_IP6;
	if (!r || r->pc == PC_ANY || header || m->off < 0 || end > REPLAY_ROOM)
		return g->epid ? READ_FAULT : READ_ZERO;
	return r->or_null ? TEST_ZERO : LOAD;
}

/* For @n bytes. */
static enum access access_of(struct fire *g, const struct mem *m, uint32_t n)
{
	const struct ir_reg *r = m->base > 0 ? irb_reg(g->b, m->base) : NULL;
	const struct ir_reg *typed = r && r->pc != PC_ANY && r->ptype == m->owner ? r : NULL;

	if (m->own || m->base == FRAME || (typed && typed->pc == PC_TRUSTED))
		return LOAD;
	if (m->lib)
		return g->c->target.replay ? access_lib_replay(g, m, r, n) : access_lib(g, m, typed);
	return typed && typed->pc == PC_CHAIN && !g->c->target.replay ? TEST_FAULT : READ_FAULT;
}

static void test_null(struct fire *g, struct mem m)
{
	int ok = irb_block(g->b, "not null");

	irb_bri(g->b, CC_EQ, m.base, 0, fault_block(g, FAULT_BADADDR, irb_const(g->b, m.off)), ok);
	irb_place(g->b, ok);
}

/* A pointer to the same memory through which the verifier allows loads of m.owner. */
static int cast_base(struct fire *g, struct mem m)
{
	int p = irb_cast(g->b, m.base, m.owner->btf_id);

	irb_reg(g->b, p)->pc = PC_SAFE;
	irb_reg(g->b, p)->ptype = m.owner;
	return p;
}

/* An IP header's bytes behind the 20 that all have: an IPv6 header was captured whole. */
static void test_ip6(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int first = irb_load(b, m.base, 0, 1, false), version = irb_bini(b, IR_SHR, first, 4), ok, bad;

	if (irb_decided(b, CC_EQ, version, 4) == 0 || irb_decided(b, CC_EQ, version, 6) == 1)
		return;
	ok = irb_block(b, "IPv6");
	bad = fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off));
	irb_bri(b, CC_EQ, version, 6, ok, bad);
	irb_place(b, ok);
}

/* 0 if the pointer is NULL. */
static int load_unless_null(struct fire *g, struct mem m, unsigned size, bool sgn)
{
	struct irb *b = g->b;
	int some = irb_block(b, "not null"), done = irb_block(b, "loaded"), v = irb_var(b);

	irb_assign_imm(b, v, 0);
	irb_bri(b, CC_EQ, m.base, 0, done, some);
	irb_place(b, some);
	irb_assign(b, v, irb_load(b, m.base, m.off, size, sgn));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

int mem_load(struct fire *g, struct mem m, unsigned size, bool sgn)
{
	struct irb *b = g->b;

	if (m.own)
		return irb_loadv(b, m.base, m.off, size, sgn);
	switch (access_of(g, &m, size)) {
	case LOAD_CAST:
		m.base = cast_base(g, m);
		break;
	case LOAD_IP6:
		test_ip6(g, m);
		break;
	case TEST_FAULT:
		test_null(g, m);
		break;
	case TEST_ZERO:
		return load_unless_null(g, m, size, sgn);
	case READ_ZERO:
		return irb_read(b, m.base, m.off, size, sgn, NOBLOCK);
	case READ_FAULT:
		m.base = irb_number(b, m.base);
		return irb_read(b, m.base, m.off, size, sgn,
				fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off)));
	case LOAD:
		break;
	}
	return irb_load(b, m.base, m.off, size, sgn);
}

static unsigned chunk(int32_t off, uint32_t left)
{
	unsigned n = 8;

	while (n > left || off % (int)n)
		n /= 2;
	return n;
}

/* Rather by one probe read than word by word?  Of our own memory that is the slower way for long. */
static bool copies_at_once(enum access how, const struct mem *m, uint32_t n)
{
	return how == READ_FAULT || how == READ_ZERO || how == TEST_ZERO || n > (m->own ? 512 : 64);
}

/* Stores the low @n bytes of @v where only @align bytes may be stored at once. */
static void store_parts(struct irb *b, int base, int32_t off, unsigned n, unsigned align, int v)
{
	for (unsigned at = 0; at < n; at += align)
		irb_store(b, base, off + (int32_t)at, align < n ? align : n, irb_bini(b, IR_SHR, v, 8 * at));
}

/*
 * What is copied out of our memory is loaded in whole words, however it is stored: other
 * CPUs may change a variable, and a string's tag and first bytes must be of one time.
 */
static void copy_words(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	for (uint32_t i = 0, k; i < n; i += k) {
		unsigned a = chunk(d.off + doff + (int)i, n - i), s = chunk(m.off + (int)i, n - i);
		struct mem at = m;

		k = a < s && !m.own ? a : s;
		at.off += (int)i;
		store_parts(g->b, d.base, d.off + doff + (int)i, k, a, mem_load(g, at, k, false));
	}
}

void mem_copy(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	struct irb *b = g->b;
	enum access how = access_of(g, &m, n);

	if (how == TEST_FAULT)
		test_null(g, m);
	if (how == LOAD_IP6)
		test_ip6(g, m);
	if (!copies_at_once(how, &m, n)) {
		copy_words(g, m, d, doff, n);
		return;
	}
	if (!m.own)
		m.base = irb_number(b, m.base);
	irb_copy(b, d.base, d.off + doff, m.base, m.off, n,
		 how == TEST_FAULT || how == READ_FAULT
			 ? fault_block(g, FAULT_BADADDR, irb_addr(b, m.base, m.off))
			 : NOBLOCK);
}

void mem_copy_whole(struct fire *g, struct mem m, struct dest d, int32_t doff, uint32_t n)
{
	if (!m.own)
		m.owner = NULL;
	mem_copy(g, m, d, doff, n);
}

static struct type *pointee(const struct expr *e)
{
	struct type *t = type_strip(e->type);

	return type_strip(t->kind == T_PTR || t->kind == T_ARRAY ? t->to : t);
}

/* The sk_buff whose member @name the expression is; NULL: something else. */
static const struct expr *skb_member(const struct expr *e, const char *name)
{
	struct type *of;

	e = expr_target(e);
	of = e->kind == E_MEMBER && e->arrow ? pointee(e->a) : NULL;
	return of && of->name && !strcmp(of->name, "sk_buff") && !strcmp(e->name, name) ? expr_target(e->a) : NULL;
}

static bool same_ident(const struct expr *x, const struct expr *y)
{
	return x && y && x->kind == E_IDENT && y->kind == E_IDENT && x->symkind == y->symkind &&
	       x->ival == y->ival && x->sym == y->sym && (x->symkind == SYM_HOSTARG || x->symkind == SYM_NATIVE);
}

/* Does it point to an sk_buff's IP header (at head + network_header, or data)?  @null: or to nothing. */
static bool at_ip_header(const struct fire *g, const struct expr *e, bool *null)
{
	int64_t c;

	e = expr_target(e);
	switch (e->kind) {
	case E_INT:
		*null = true;
		return expr_const(e, &c) && !c;
	case E_CALL:
		return !strcmp(e->name, "__ip_header");
	case E_CAST:
		return at_ip_header(g, e->a, null);
	case E_COND:
		return at_ip_header(g, e->b, null) && at_ip_header(g, e->c, null);
	case E_IDENT:
		return e->symkind == SYM_NATIVE && g->hook->native &&
		       at_ip_header(g, g->hook->native[e->ival], null);
	case E_BINARY:
		return e->op == B_ADD && same_ident(skb_member(e->a, "head"), skb_member(e->b, "network_header"));
	default:
		return skb_member(e, "data");
	}
}

static struct mem at_pointer(struct fire *g, const struct expr *ptr, const struct expr *whole)
{
	struct mem m = {.base = gen(g, ptr), .owner = pointee(ptr), .lib = expr_is_lib(whole)};

	m.ip_header = g->c->target.replay && m.lib && at_ip_header(g, ptr, &m.or_null);
	return m;
}

struct member expr_member(const struct expr *e)
{
	struct member m;

	if (!type_member(e->arrow ? pointee(e->a) : type_strip(e->a->type), e->name, &m))
		BUG("member %s has gone", e->name);
	return m;
}

static struct mem member_mem(struct fire *g, const struct expr *e, bool write)
{
	struct mem at = e->arrow ? at_pointer(g, e->a, e) : gen_lvalue(g, e->a, write);

	at.off += (int32_t)(expr_member(e).bitoff / 8);
	return at;
}

int address_of(struct fire *g, struct mem m)
{
	const struct ir_reg *r = m.base > 0 ? irb_reg(g->b, m.base) : NULL;

	if (r && (r->or_null || r->is_var))
		m.base = irb_number(g->b, m.base);
	return irb_addr(g->b, m.base, m.off);
}

static bool within(struct type *t, int64_t i)
{
	t = type_strip(t);
	return t->kind == T_ARRAY && i >= 0 && i < t->nelem;
}

/* The index, which must be one of an array of ours. */
static int checked_index(struct fire *g, const struct expr *e)
{
	int i = irb_number(g->b, gen(g, e->arg[0])), in = irb_block(g->b, "in the array");

	irb_bri(g->b, CC_ULT, i, type_strip(e->a->type)->nelem, in, fault_block(g, FAULT_BADADDR, i));
	irb_place(g->b, in);
	return i;
}

static struct mem index_mem(struct fire *g, const struct expr *e, bool write)
{
	struct type *elem = type_strip(e->type);
	struct mem at = type_is(e->a->type, T_ARRAY) ? gen_lvalue(g, e->a, write) : at_pointer(g, e->a, e);
	int index;
	int64_t i;

	if (expr_const(e->arg[0], &i) && i * elem->size >= INT32_MIN / 2 && i * elem->size <= INT32_MAX / 2) {
		at.off += (int32_t)(i * elem->size);
		if (i && !within(e->a->type, i))
			at.owner = NULL; /* not in the object that the pointer is known to point to */
		return at;
	}
	if (at.own) {
		index = irb_bini(g->b, IR_MUL, checked_index(g, e), elem->size);
		at.base = irb_bin(g->b, IR_ADD, at.base, index);
		return at;
	}
	index = irb_bini(g->b, IR_MUL, irb_number(g->b, gen(g, e->arg[0])), elem->size);
	at.base = irb_number(g->b, address_of(g, at));
	at.base = irb_bin(g->b, IR_ADD, at.base, index);
	at.off = 0;
	at.owner = NULL;
	at.ip_header = false;
	return at;
}

struct mem gen_lvalue(struct fire *g, const struct expr *e, bool write)
{
	e = expr_target(e);
	if (e->symkind == SYM_VAR)
		return var_mem(g, e->sym, e, write);
	switch (e->kind) {
	case E_MEMBER:
		return member_mem(g, e, write);
	case E_INDEX:
		return index_mem(g, e, write);
	case E_UNARY:
		if (e->op == U_DEREF)
			return at_pointer(g, e->a, e);
		break;
	case E_CAST:
		return gen_mem(g, e->a);
	case E_ASSIGN:
		gen_effect(g, e);
		return gen_mem(g, e->a);
	case E_COMMA:
		gen_effect(g, e->a);
		return gen_mem(g, e->b);
	case E_COND: /* of structs: whichever it is */
		return (struct mem){.base = gen(g, e), .lib = expr_is_lib(e)};
	default:
		break;
	}
	BUG("expression %d has no memory", e->kind);
}

struct mem gen_mem(struct fire *g, const struct expr *e)
{
	return gen_lvalue(g, e, false);
}

/* The value at a place: arrays and structs stand for their address. */
static int gen_place(struct fire *g, const struct expr *e)
{
	struct place p = place_of(g, e, false);
	int v;

	if (!type_is_scalar(e->type))
		return address_of(g, p.at);
	v = place_load(g, &p);
	if (p.where != IN_MEM || p.at.own || p.bits)
		return v;
	if (p.type->size == 8) /* a union may have a pointer where we see a number */
		irb_reg(g->b, v)->ptr = true;
	mark_pointer(g, v, p.at, p.type, e->kind == E_MEMBER ? e->name : "");
	return v;
}


/* ------------------------------------------------------------- hook arguments */

static bool nullable(const struct fire *g, uint64_t i)
{
	return !g->c->target.replay && i < 32 && g->hook->host->hook.nullable >> i & 1;
}

/*
 * What some kernels' verifiers take for never NULL, and would then load from without
 * protection: as a pointer of unknown origin, through which loads cannot go wrong.
 */
static int nullable_arg(struct fire *g, int v, struct type *to)
{
	if (!g->c->target.rdonly_cast || !to->btf_id)
		return v;
	v = irb_cast(g->b, v, to->btf_id);
	irb_reg(g->b, v)->pc = PC_SAFE;
	irb_reg(g->b, v)->ptype = to;
	return v;
}

static int gen_hostarg(struct fire *g, uint64_t i)
{
	struct irb *b = g->b;
	struct type *t = type_strip(g->hook->host->hook.arg[i]);
	const struct hook *h = g->u->hook;
	int v;

	if (g->u->fault_arg[0])
		return i < FAULT_ARGS ? g->u->fault_arg[i] : irb_const(b, 0);
	if (h->behind)
		return g->u->behind;
	if (h->at_return && (i == 0 || t->kind == T_VOID))
		return irb_const(b, 0);
	if (h->at_return) /* the kernel has the parameters first, then the result */
		i = i == 1 ? g->hook->host->hook.narg - 2 : i - 2;
	v = irb_load(b, irb_ctx(b), (int32_t)(8 * i), 8, false);
	if (t->kind == T_PTR && type_is_sou(t->to) && nullable(g, i)) {
		v = nullable_arg(g, v, type_strip(t->to));
	} else if (t->kind == T_PTR && type_is_sou(t->to)) {
		irb_reg(b, v)->pc = h->function ? PC_CHAIN : PC_TRUSTED;
		irb_reg(b, v)->ptype = type_strip(t->to);
	} else if (type_is_integer(t)) {
		v = irb_ext(b, v, t->size, type_is_signed(t));
	}
	return v;
}

/* A derivation's expressions see the hook's arguments, not the probe's. */
static int gen_native(struct fire *g, uint64_t i)
{
	if (!g->hook->native)
		return gen_hostarg(g, i);
	return gen(g, g->hook->native[i]);
}

/*
 * What an inline was given: evaluated once, not wherever the parameter is written, as long as
 * nothing was changed meanwhile.
 */
static int gen_bound(struct fire *g, const struct expr *e)
{
	int v;

	if (e->kind == E_IDENT || e->kind == E_THIS || e->kind == E_INT || expr_changes(e))
		return gen(g, e);
	v = irb_recall(g->b, e, g->changes);
	if (v)
		return v;
	v = gen(g, e);
	if (irb_reg(g->b, v)->is_var)
		v = irb_value(g->b, v);
	irb_note(g->b, e, g->changes, v);
	return v;
}

static int gen_ident(struct fire *g, const struct expr *e)
{
	const struct probe_decl *d;

	switch ((enum sym_kind)e->symkind) {
	case SYM_BOUND:
		return gen_bound(g, e->sym);
	case SYM_VALUE:
		return (int)e->ival;
	case SYM_VAR:
		return gen_place(g, e);
	case SYM_BUILTIN:
		return ((const struct builtin_var *)e->sym)->emit(g, e);
	case SYM_HOSTARG:
		return gen_hostarg(g, e->ival);
	case SYM_NATIVE:
		return gen_native(g, e->ival);
	case SYM_PROBEARG:
		d = g->probe->decl;
		if (!d->arg[e->ival].nin)
			return irb_const(g->b, 0);
		return gen_native(g, d->arg[e->ival].in[0]);
	default:
		BUG("identifier '%s' means nothing", e->name);
	}
}

/* ---------------------------------------------------------------- operators */

static bool unsigned_op(const struct expr *e)
{
	struct type *a = type_strip(e->a->type), *b = type_strip(e->b->type);
	unsigned ra, rb;

	if (!type_is_integer(a) || !type_is_integer(b))
		return true; /* pointers */
	ra = a->kind == T_ENUM ? 32 : a->size * 8 + !a->sgn;
	rb = b->kind == T_ENUM ? 32 : b->size * 8 + !b->sgn;
	return ra >= rb ? a->kind != T_ENUM && !a->sgn : b->kind != T_ENUM && !b->sgn;
}

int gen_before(struct fire *g, const struct expr *e, const struct expr *next)
{
	int v = gen(g, e), keep;

	if (!irb_reg(g->b, v)->is_var || !expr_changes(next))
		return v;
	keep = irb_var(g->b);
	irb_assign(g->b, keep, v);
	return keep;
}

/* |v|, and v's sign as 0 or -1 */
static int magnitude(struct irb *b, int v, int *sign)
{
	*sign = irb_bini(b, IR_SAR, v, 63);
	return irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, v, *sign), *sign);
}

/* eBPF divides unsigned (signed division needs a 6.6 kernel). */
static int gen_divide(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	enum ir_op op = e->op == B_DIV ? IR_DIV : IR_MOD;
	int x = gen_before(g, e->a, e->b), y = gen(g, e->b), sx, sy, r, next;
	int64_t c;

	if (irb_is_const(b, y, &c) && !c) {
		gen_fault(g, FAULT_DIVZERO, NOREG);
		return irb_const(b, 0);
	}
	if (!irb_is_const(b, y, &c)) {
		next = irb_block(b, "divide");
		irb_bri(b, CC_EQ, y, 0, fault_block(g, FAULT_DIVZERO, NOREG), next);
		irb_place(b, next);
	}
	if (unsigned_op(e))
		return irb_bin(b, op, x, y);
	x = magnitude(b, x, &sx);
	y = magnitude(b, y, &sy);
	r = irb_bin(b, op, x, y);
	if (e->op == B_DIV)
		sx = irb_bin(b, IR_XOR, sx, sy);
	return irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, r, sx), sx);
}

static uint32_t scale_of(const struct expr *e)
{
	struct type *t = type_strip(e->type);

	if (t->kind != T_PTR && t->kind != T_ARRAY)
		return 1;
	return type_strip(t->to)->size ? type_strip(t->to)->size : 1;
}

static int gen_additive(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int x = gen_before(g, e->a, e->b), y = gen(g, e->b);
	uint32_t sx = scale_of(e->a), sy = scale_of(e->b);
	enum ir_op op = e->op == B_ADD ? IR_ADD : IR_SUB;

	if (sx > 1 && sy > 1) { /* the distance of two pointers, in elements */
		int d, s;

		x = irb_number(b, x);
		y = irb_number(b, y);
		d = irb_bin(b, IR_SUB, x, y);
		d = magnitude(b, d, &s);
		d = irb_bini(b, IR_DIV, d, sx);
		return irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, d, s), s);
	}
	if (sx > 1)
		y = irb_bini(b, IR_MUL, y, sx);
	if (sy > 1)
		x = irb_bini(b, IR_MUL, x, sy);
	x = irb_number(b, x);
	y = irb_number(b, y);
	return irb_bin(b, op, x, y);
}

/* 1 if the condition holds, else 0. */
static int gen_bool(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "true"), no = irb_block(b, "false"), done = irb_block(b, "bool");
	int v = irb_var(b);

	gen_cond(g, e, yes, no);
	irb_place(b, yes);
	irb_assign_imm(b, v, 1);
	irb_jmp(b, done);
	irb_place(b, no);
	irb_assign_imm(b, v, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

static enum ir_cc compare_cc(const struct expr *e)
{
	bool u = unsigned_op(e);

	switch ((enum binary_op)e->op) {
	case B_EQ:
		return CC_EQ;
	case B_NE:
		return CC_NE;
	case B_LT:
		return u ? CC_ULT : CC_SLT;
	case B_LE:
		return u ? CC_ULE : CC_SLE;
	case B_GT:
		return u ? CC_UGT : CC_SGT;
	default:
		return u ? CC_UGE : CC_SGE;
	}
}

static bool compares_strings(const struct expr *e)
{
	return e->op >= B_EQ && e->op <= B_GE && (expr_is_string(e->a) || expr_is_string(e->b));
}

static int gen_binary(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int x, y;

	switch ((enum binary_op)e->op) {
	case B_ADD:
	case B_SUB:
		return gen_additive(g, e);
	case B_DIV:
	case B_MOD:
		return gen_divide(g, e);
	case B_LOR:
	case B_LXOR:
	case B_LAND:
		return gen_bool(g, e);
	case B_EQ:
	case B_NE:
	case B_LT:
	case B_LE:
	case B_GT:
	case B_GE:
		if (compares_strings(e))
			return gen_bool(g, e);
		x = gen_before(g, e->a, e->b);
		return irb_set(b, compare_cc(e), x, gen(g, e->b));
	case B_MUL:
		x = gen_before(g, e->a, e->b);
		return irb_bin(b, IR_MUL, x, gen(g, e->b));
	case B_AND:
		x = gen_before(g, e->a, e->b);
		return irb_bin(b, IR_AND, x, gen(g, e->b));
	case B_OR:
		x = gen_before(g, e->a, e->b);
		return irb_bin(b, IR_OR, x, gen(g, e->b));
	case B_XOR:
		x = gen_before(g, e->a, e->b);
		return irb_bin(b, IR_XOR, x, gen(g, e->b));
	case B_SHL:
		x = gen_before(g, e->a, e->b);
		y = gen(g, e->b);
		return irb_bin(b, IR_SHL, x, y);
	case B_SHR:
		x = gen_before(g, e->a, e->b);
		y = gen(g, e->b);
		return irb_bin(b, type_is_signed(e->a->type) ? IR_SAR : IR_SHR, x, y);
	case B_NONE:
		break;
	}
	BUG("binary operator %d", e->op);
}

static int gen_incdec(struct fire *g, const struct expr *e)
{
	bool inc = e->op == U_PREINC || e->op == U_POSTINC;
	bool post = e->op == U_POSTINC || e->op == U_POSTDEC;
	struct place p = place_of(g, e->a, true);
	int old = place_load(g, &p), keep = old, now;

	if (irb_reg(g->b, old)->is_var && post) { /* this->x lives in a register that changes now */
		keep = irb_var(g->b);
		irb_assign(g->b, keep, old);
	}
	now = irb_bini(g->b, inc ? IR_ADD : IR_SUB, irb_number(g->b, old), scale_of(e->a));
	now = place_cut(g, &p, now);
	place_store(g, &p, now);
	g->changes++;
	return post ? keep : now;
}

static int gen_unary(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	struct mem m;
	int v;

	switch ((enum unary_op)e->op) {
	case U_NEG:
		return irb_neg(b, gen(g, e->a));
	case U_PLUS:
		return gen(g, e->a);
	case U_NOT:
		v = gen(g, e->a);
		return irb_set(b, CC_EQ, v, irb_const(b, 0));
	case U_BITNOT:
		return irb_bini(b, IR_XOR, gen(g, e->a), -1);
	case U_DEREF:
		return gen_place(g, e);
	case U_ADDR:
		m = gen_mem(g, e->a);
		return address_of(g, m);
	case U_PREINC:
	case U_PREDEC:
	case U_POSTINC:
	case U_POSTDEC:
		return gen_incdec(g, e);
	}
	BUG("unary operator %d", e->op);
}

/*
 * Does the expression give the same each time it is evaluated in a firing?  It does if it
 * looks at nothing but the hook's arguments and what they lead to.
 */
static bool is_steady(const struct fire *g, const struct expr *e)
{
	if (!e)
		return true;
	switch (e->kind) {
	case E_INT:
		return true;
	case E_IDENT:
		if (e->symkind == SYM_BOUND)
			return is_steady(g, e->sym);
		if (e->symkind == SYM_NATIVE && g->hook->native)
			return is_steady(g, g->hook->native[e->ival]);
		return e->symkind == SYM_HOSTARG || e->symkind == SYM_NATIVE;
	case E_UNARY:
		return e->op <= U_ADDR && is_steady(g, e->a);
	case E_CALL:
		return e->symkind == SYM_SUBR && ((const struct subr *)e->sym)->pure && is_steady(g, e->arg[0]);
	case E_BINARY:
	case E_COND:
	case E_MEMBER:
	case E_CAST:
		return is_steady(g, e->a) && is_steady(g, e->b) && is_steady(g, e->c);
	default:
		return false;
	}
}

static int gen_select(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int yes, no, done, v;
	bool steady;
	int64_t c;

	if (expr_const(e->a, &c))
		return gen(g, c ? e->b : e->c);
	steady = expr_is_lib(e) && is_steady(g, e);
	v = steady ? irb_recall(b, e, 0) : NOREG;
	if (v)
		return v;
	yes = irb_block(b, "then");
	no = irb_block(b, "else");
	done = irb_block(b, "value");
	v = irb_var(b);
	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	irb_assign(b, v, gen(g, e->b));
	irb_jmp(b, done);
	irb_place(b, no);
	irb_assign(b, v, gen(g, e->c));
	irb_jmp(b, done);
	irb_place(b, done);
	if (!steady)
		return v;
	v = irb_value(b, v); /* it does not change any more: what is read through it is found again too */
	irb_note(b, e, 0, v);
	return v;
}

/* What e->a, which holds @old, becomes by e->op. */
static int compound(struct fire *g, const struct expr *e, int old)
{
	struct expr was = {.kind = E_IDENT, .symkind = SYM_VALUE, .ival = (uint64_t)old, .type = e->a->type};
	struct expr op = {.kind = E_BINARY, .op = e->op, .loc = e->loc, .type = e->a->type,
			  .a = &was, .b = e->b};

	return gen_binary(g, &op);
}

/* A struct or union becomes a copy of another; of NULL: an entry of an array goes. */
static int assign_memory(struct fire *g, const struct expr *e)
{
	struct mem from, to;

	if (str_is_null(e->b)) {
		var_erase(g, e->a->sym, e->a);
		return irb_const(g->b, 0);
	}
	from = gen_mem(g, e->b);
	to = place_of(g, e->a, true).at;
	mem_copy_whole(g, from, (struct dest){.base = to.base, .off = to.off}, 0, type_strip(e->a->type)->size);
	return address_of(g, to);
}

static int gen_assign(struct fire *g, const struct expr *e)
{
	struct place p;
	int value;

	if (type_is(e->a->type, T_STRING)) {
		var_store_str(g, e->a->sym, e->a, e->b);
		return irb_const(g->b, 0);
	}
	if (!type_is_scalar(e->a->type))
		return assign_memory(g, e);
	value = e->op ? NOREG : gen_before(g, e->b, e->a);
	p = place_of(g, e->a, true);
	if (e->op)
		value = compound(g, e, place_load(g, &p));
	value = place_cut(g, &p, value);
	place_store(g, &p, value);
	return value;
}

static int gen_cast(struct fire *g, const struct expr *e)
{
	struct type *t = type_strip(e->type);
	int v = gen(g, e->a);

	if (type_is_integer(t) && t->size < 8)
		return irb_ext(g->b, v, t->size, type_is_signed(t));
	return v;
}

int gen(struct fire *g, const struct expr *e)
{
	int64_t c;
	int v;

	if (expr_const(e, &c))
		return irb_const(g->b, c);
	switch (e->kind) {
	case E_INT:
		return irb_const(g->b, (int64_t)e->ival);
	case E_IDENT:
	case E_THIS:
	case E_SELF:
		return gen_ident(g, e);
	case E_UNARY:
		return gen_unary(g, e);
	case E_BINARY:
		return gen_binary(g, e);
	case E_ASSIGN:
		v = gen_assign(g, e);
		g->changes++;
		return v;
	case E_COND:
		return gen_select(g, e);
	case E_CALL:
		v = ((const struct subr *)e->sym)->emit(g, e->arg, e->narg);
		g->changes += !((const struct subr *)e->sym)->pure;
		return v;
	case E_INDEX:
		if (e->symkind != SYM_VAR && expr_is_string(e->a))
			return gen_str_byte(g, e->a, e->arg[0]);
		return gen_place(g, e);
	case E_MEMBER:
		return gen_place(g, e);
	case E_CAST:
		return gen_cast(g, e);
	case E_COMMA:
		gen_effect(g, e->a);
		return gen(g, e->b);
	case E_XLATE:
		return gen(g, e->a);
	case E_STR:
	case E_AGG:
	case E_SIZEOF:
	case E_OFFSETOF:
	case E_STRINGOF:
		break;
	}
	BUG("expression %d has no scalar value", e->kind);
}

void gen_effect(struct fire *g, const struct expr *e)
{
	struct dest slot;

	if (e->kind == E_CAST && type_is(e->type, T_VOID)) {
		gen_effect(g, e->a);
	} else if (type_is_scalar(e->type) || e->kind == E_ASSIGN ||
		   (e->symkind == SYM_SUBR && type_is(e->type, T_VOID))) {
		gen(g, e);
	} else if (expr_is_string(e)) {
		slot = scratch_slot(g, str_class(g->c, e).size);
		slot.null = NULL_KEEP;
		gen_str(g, e, slot);
	}
}

/* --------------------------------------------------------------- conditions */

static void cond_logical(struct fire *g, const struct expr *e, int t, int f)
{
	struct irb *b = g->b;
	int second = irb_block(b, e->op == B_LAND ? "and" : "or");

	if (e->op == B_LAND)
		gen_cond(g, e->a, second, f);
	else
		gen_cond(g, e->a, t, second);
	irb_place(b, second);
	gen_cond(g, e->b, t, f);
}

/*
 * Can it not be NULL?  An address that a library text computes from a pointer, and where
 * an sk_buff has its bytes.
 */
static bool never_null(const struct fire *g, const struct expr *e)
{
	struct type *of;

	e = expr_target(e);
	switch (e->kind) {
	case E_CAST:
		return type_is(e->type, T_PTR) && never_null(g, e->a);
	case E_BINARY:
		return e->op == B_ADD && type_is(e->type, T_PTR) && expr_is_lib(e);
	case E_COND:
		return never_null(g, e->b) && never_null(g, e->c);
	case E_IDENT:
		return e->symkind == SYM_NATIVE && g->hook->native && never_null(g, g->hook->native[e->ival]);
	case E_MEMBER:
		of = e->arrow ? pointee(e->a) : NULL;
		return of && of->name && expr_is_lib(e) && !strcmp(of->name, "sk_buff") &&
		       (!strcmp(e->name, "data") || !strcmp(e->name, "head"));
	default:
		return false;
	}
}

static void cond_binary(struct fire *g, const struct expr *e, int t, int f)
{
	int x, y;
	int64_t c;

	if ((e->op == B_EQ || e->op == B_NE) && expr_const(e->b, &c) && !c && never_null(g, e->a)) {
		irb_jmp(g->b, e->op == B_EQ ? f : t);
		return;
	}

	if (compares_strings(e)) {
		if (e->op == B_NE)
			gen_str_equal(g, e->a, e->b, f, t);
		else if (e->op == B_EQ)
			gen_str_equal(g, e->a, e->b, t, f);
		else
			gen_str_order(g, e->op, e->a, e->b, t, f);
		return;
	}
	if (e->op == B_AND && expr_const(e->b, &c) && c >= 0 && c <= INT32_MAX) {
		irb_bri(g->b, CC_BITS, gen(g, e->a), c, t, f);
		return;
	}
	if (e->op < B_EQ || e->op > B_GE) {
		irb_bri(g->b, CC_NE, gen_binary(g, e), 0, t, f);
		return;
	}
	x = gen_before(g, e->a, e->b);
	y = gen(g, e->b);
	irb_br(g->b, compare_cc(e), x, y, t, f);
}

static void cond_select(struct fire *g, const struct expr *e, int t, int f)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else");

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	gen_cond(g, e->b, t, f);
	irb_place(b, no);
	gen_cond(g, e->c, t, f);
}

void gen_require(struct fire *g, const struct expr *e, int otherwise)
{
	int yes;

	e = expr_target(e);
	if (e->kind == E_BINARY && e->op == B_LAND) {
		gen_require(g, e->a, otherwise);
		gen_require(g, e->b, otherwise);
		return;
	}
	yes = irb_block(g->b, "and");
	gen_cond(g, e, yes, otherwise);
	irb_place(g->b, yes);
}

/* Is its value 0 or 1, which no cast changes? */
static bool is_truth(const struct expr *e)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_CAST:
		return type_is_integer(e->type) && is_truth(e->a);
	case E_COND:
		return is_truth(e->b) && is_truth(e->c);
	case E_UNARY:
		return e->op == U_NOT;
	case E_BINARY:
		return e->op >= B_LOR && e->op <= B_GE && e->op != B_AND && e->op != B_OR && e->op != B_XOR;
	case E_INT:
		return e->ival <= 1;
	default:
		return false;
	}
}

void gen_cond(struct fire *g, const struct expr *e, int t, int f)
{
	int64_t c;

	e = expr_target(e);
	if (expr_const(e, &c)) {
		irb_jmp(g->b, c ? t : f);
		return;
	}
	if (e->kind == E_UNARY && e->op == U_NOT) {
		gen_cond(g, e->a, f, t);
		return;
	}
	if (e->kind == E_CAST && type_is_integer(e->type) && is_truth(e->a)) {
		gen_cond(g, e->a, t, f);
		return;
	}
	if (e->kind == E_BINARY && (e->op == B_LAND || e->op == B_LOR)) {
		cond_logical(g, e, t, f);
		return;
	}
	if (e->kind == E_COND) {
		cond_select(g, e, t, f);
		return;
	}
	if (e->kind == E_BINARY && e->op == B_LXOR) {
		int x = gen_bool(g, e->a);

		irb_br(g->b, CC_NE, x, gen_bool(g, e->b), t, f);
		return;
	}
	if (e->kind == E_BINARY) {
		cond_binary(g, e, t, f);
		return;
	}
	irb_bri(g->b, CC_NE, gen(g, e), 0, t, f);
}
