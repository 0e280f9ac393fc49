/*
 * strings.c - string expressions, kept in the cheapest form until somebody prints them.
 *
 * A string is written into a slot (tag and payload, see ir/program.h).  Which
 * forms an expression may take is known beforehand (str_class), so that slots
 * are no larger than needed: an address takes 20 bytes, a process name 20, a
 * literal 8.
 */
#include <arpa/inet.h>
#include <string.h>

#include "base/xalloc.h"
#include "compiler/irgen.h"

#define FORM(tag) (1u << (tag))
#define PAYLOAD 4

static struct strclass cls(unsigned forms, uint32_t payload)
{
	return (struct strclass){forms, PAYLOAD + ((payload + 3) & ~3u)};
}

struct strclass str_union(struct strclass a, struct strclass b)
{
	return (struct strclass){a.forms | b.forms, a.size > b.size ? a.size : b.size};
}

uint32_t str_index(struct compiler *c, const char *s)
{
	for (size_t i = 0; i < c->str.n; i++)
		if (!strcmp(c->str.v[i], s))
			return (uint32_t)i;
	vec_apush(c->arena, &c->str, s);
	return (uint32_t)c->str.n - 1;
}

bool str_is_address(const char *s, enum dstr_tag *tag, uint8_t addr[16])
{
	char back[INET6_ADDRSTRLEN];

	if (inet_pton(AF_INET, s, addr) == 1) {
		*tag = DSTR_IP4;
		return inet_ntop(AF_INET, addr, back, sizeof(back)) && !strcmp(back, s);
	}
	*tag = DSTR_IP6;
	return inet_pton(AF_INET6, s, addr) == 1;
}

/* The bytes a text of type @t may have, its NUL included. */
static uint32_t text_room(struct compiler *c, struct type *t)
{
	t = type_strip(t);
	return t->kind == T_ARRAY && t->nelem && t->nelem < c->strsize ? t->nelem : c->strsize;
}

static struct strclass call_class(struct compiler *c, const struct expr *e)
{
	struct strclass x, y;

	switch (((const struct subr *)e->sym)->str) {
	case SUBR_INET_NTOA:
		return cls(FORM(DSTR_IP4), 16);
	case SUBR_INET_NTOA6:
		return cls(FORM(DSTR_IP6) | FORM(DSTR_IP4), 16);
	case SUBR_INET_NTOP:
		return cls(FORM(DSTR_IP4) | FORM(DSTR_IP6), 16);
	case SUBR_LLTOSTR:
		return cls(FORM(DSTR_INT), 12);
	case SUBR_STRJOIN:
		x = str_class(c, e->arg[0]);
		y = str_class(c, e->arg[1]);
		return cls(FORM(DSTR_JOIN), 4 + x.size + y.size);
	case SUBR_NOT_STR:
		break;
	}
	BUG("%s is no string function", e->name);
}

struct strclass str_class(struct compiler *c, const struct expr *e)
{
	enum dstr_tag tag;
	uint8_t addr[16];

	e = expr_target(e);
	switch (e->kind) {
	case E_STR:
		if (str_is_address(e->str, &tag, addr))
			return cls(FORM(tag), 16);
		return cls(FORM(DSTR_INTERN), 4);
	case E_COND:
		return str_union(str_class(c, e->b), str_class(c, e->c));
	case E_CALL:
		return call_class(c, e);
	case E_CAST:
		return str_class(c, e->a);
	case E_COMMA:
		return str_class(c, e->b);
	case E_ASSIGN:
		return str_class(c, e->b);
	case E_IDENT:
	case E_THIS:
	case E_SELF:
	case E_INDEX:
		if (e->symkind == SYM_BUILTIN)
			return cls(FORM(DSTR_INTERN), 4);
		if (e->symkind == SYM_VAR)
			return str_union(((const struct var *)e->sym)->cls, cls(FORM(DSTR_TEXT), 4));
		break;
	case E_STRINGOF:
		return str_class(c, e->a);
	default:
		break;
	}
	return cls(FORM(DSTR_TEXT), text_room(c, e->type));
}

/* ---------------------------------------------------------------- writing */

static void put_tag(struct fire *g, struct dest d, enum dstr_tag tag)
{
	irb_storei(g->b, d.base, d.off, 4, tag);
}

/* Zeros from byte @from of the slot to its end, if the slot asks for that. */
static void zero_rest(struct fire *g, struct dest d, uint32_t from)
{
	unsigned n;

	for (; d.zero && from < d.size; from += n) {
		n = (d.off + (int32_t)from) % 8 == 0 && d.size - from >= 8 ? 8 : 4;
		irb_storei(g->b, d.base, d.off + (int32_t)from, n, 0);
	}
}

static void put_intern(struct fire *g, struct dest d, const char *s)
{
	put_tag(g, d, DSTR_INTERN);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, (int64_t)str_index(g->c, s));
	zero_rest(g, d, PAYLOAD + 4);
}

static void put_address(struct fire *g, struct dest d, enum dstr_tag tag, const uint8_t *addr)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16, w;

	put_tag(g, d, tag);
	for (uint32_t i = 0; i < n; i += 4) {
		memcpy(&w, addr + i, 4);
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)i, 4, (int32_t)w);
	}
	zero_rest(g, d, PAYLOAD + n);
}

static void put_literal(struct fire *g, struct dest d, const char *s)
{
	enum dstr_tag tag;
	uint8_t addr[16];

	if (str_is_address(s, &tag, addr))
		put_address(g, d, tag, addr);
	else
		put_intern(g, d, s);
}

/* The memory behind a pointer argument: &hdr->saddr is the member itself. */
static struct mem pointed(struct fire *g, const struct expr *e)
{
	const struct expr *p = expr_target(e);

	while (p->kind == E_CAST && type_is(p->type, T_PTR))
		p = expr_target(p->a);
	if (p->kind == E_UNARY && p->op == U_ADDR)
		return gen_mem(g, p->a);
	if (type_is(p->type, T_ARRAY))
		return gen_mem(g, p);
	return (struct mem){.base = gen(g, e),
			    .owner = type_is(e->type, T_PTR) ? type_strip(type_strip(e->type)->to) : NULL,
			    .lib = expr_is_lib(e)};
}

static void put_ip(struct fire *g, struct dest d, enum dstr_tag tag, struct mem m)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16;

	put_tag(g, d, tag);
	mem_copy(g, m, d, PAYLOAD, n);
	zero_rest(g, d, PAYLOAD + n);
}

/*
 * inet_ntoa6 prints v4-mapped addresses as dotted quads.  Where bytes are
 * compared (d.zero), they must then be an IPv4 address; else the consumer knows.
 */
static void put_ip6(struct fire *g, struct dest d, struct mem m)
{
	struct irb *b = g->b;
	int plain = irb_block(b, "version 6"), low = irb_block(b, "low"), map = irb_block(b, "mapped");
	int done = irb_block(b, "address");
	struct mem at = m;

	if (!d.zero) {
		put_ip(g, d, DSTR_IP6, m);
		return;
	}
	irb_bri(b, CC_EQ, mem_load(g, at, 8, false), 0, low, plain);
	irb_place(b, low);
	at.off += 8;
	irb_bri(b, CC_EQ, mem_load(g, at, 4, false), (int32_t)htonl(0xffff) & 0xffffffff, map, plain);
	irb_place(b, map);
	at.off += 4;
	put_ip(g, d, DSTR_IP4, at);
	irb_jmp(b, done);
	irb_place(b, plain);
	put_ip(g, d, DSTR_IP6, m);
	irb_jmp(b, done);
	irb_place(b, done);
}

/* inet_ntop(af, ptr): the family may be computed. */
static void put_ntop(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int v4 = irb_block(b, "inet"), not4 = irb_block(b, "not inet"), v6 = irb_block(b, "inet6");
	int done = irb_block(b, "address"), af = gen(g, e->arg[0]);

	irb_bri(b, CC_EQ, af, AF_INET, v4, not4);
	irb_place(b, v4);
	put_ip(g, d, DSTR_IP4, pointed(g, e->arg[1]));
	irb_jmp(b, done);
	irb_place(b, not4);
	irb_bri(b, CC_EQ, af, AF_INET6, v6, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, v6);
	put_ip6(g, d, pointed(g, e->arg[1]));
	irb_jmp(b, done);
	irb_place(b, done);
}

static void put_join(struct fire *g, const struct expr *e, struct dest d)
{
	struct strclass x = str_class(g->c, e->arg[0]), y = str_class(g->c, e->arg[1]);
	struct dest first = {d.base, d.off + 8, x.size, d.zero};
	struct dest second = {d.base, d.off + 8 + (int32_t)x.size, y.size, d.zero};

	put_tag(g, d, DSTR_JOIN);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, x.size);
	gen_str(g, e->arg[0], first);
	gen_str(g, e->arg[1], second);
	zero_rest(g, d, 8 + x.size + y.size);
}

static void put_lltostr(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int v = gen(g, e->arg[0]);

	put_tag(g, d, DSTR_INT);
	irb_store(b, d.base, d.off + PAYLOAD, 4, v);
	irb_store(b, d.base, d.off + PAYLOAD + 4, 4, irb_bini(b, IR_SHR, v, 32));
	if (e->narg > 1)
		irb_store(b, d.base, d.off + PAYLOAD + 8, 4, gen(g, e->arg[1]));
	else
		irb_storei(b, d.base, d.off + PAYLOAD + 8, 4, 10);
	zero_rest(g, d, PAYLOAD + 12);
}

static void put_call(struct fire *g, const struct expr *e, struct dest d)
{
	switch (((const struct subr *)e->sym)->str) {
	case SUBR_INET_NTOA:
		put_ip(g, d, DSTR_IP4, pointed(g, e->arg[0]));
		return;
	case SUBR_INET_NTOA6:
		put_ip6(g, d, pointed(g, e->arg[0]));
		return;
	case SUBR_INET_NTOP:
		put_ntop(g, e, d);
		return;
	case SUBR_STRJOIN:
		put_join(g, e, d);
		return;
	case SUBR_LLTOSTR:
		put_lltostr(g, e, d);
		return;
	case SUBR_NOT_STR:
		break;
	}
	BUG("%s is no string function", e->name);
}

/* Characters in kernel memory: an array in a known object, or whatever a pointer points to. */
static void put_text(struct fire *g, const struct expr *e, struct dest d)
{
	struct type *t = type_strip(e->type);
	uint32_t room = text_room(g->c, t);

	put_tag(g, d, DSTR_TEXT);
	if (t->kind == T_ARRAY && room == t->nelem && room <= 64 && room % 4 == 0) {
		mem_copy(g, gen_mem(g, e), d, PAYLOAD, room);
		zero_rest(g, d, PAYLOAD + room);
		return;
	}
	zero_rest(g, d, PAYLOAD);
	if (t->kind == T_ARRAY) {
		struct mem m = gen_mem(g, e);

		irb_copystr(g->b, d.base, d.off + PAYLOAD, m.base, m.off, room,
			    m.lib ? NOBLOCK
				  : fault_block(g, FAULT_BADADDR, irb_addr(g->b, m.base, m.off)));
	} else {
		int p = gen(g, e);

		irb_copystr(g->b, d.base, d.off + PAYLOAD, p, 0, room,
			    expr_is_lib(e) ? NOBLOCK : fault_block(g, FAULT_BADADDR, p));
	}
}

static void put_cond(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int yes, no, done;
	int64_t c;

	if (expr_const(e->a, &c)) {
		gen_str(g, c ? e->b : e->c, d);
		return;
	}
	yes = irb_block(b, "then");
	no = irb_block(b, "else");
	done = irb_block(b, "string");
	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	gen_str(g, e->b, d);
	irb_jmp(b, done);
	irb_place(b, no);
	gen_str(g, e->c, d);
	irb_jmp(b, done);
	irb_place(b, done);
}

void gen_str(struct fire *g, const struct expr *e, struct dest d)
{
	e = expr_target(e);
	switch (e->kind) {
	case E_STR:
		put_literal(g, d, e->str);
		return;
	case E_COND:
		put_cond(g, e, d);
		return;
	case E_CALL:
		put_call(g, e, d);
		return;
	case E_COMMA:
		gen_effect(g, e->a);
		gen_str(g, e->b, d);
		return;
	case E_ASSIGN:
		gen_effect(g, e);
		gen_str(g, e->a, d);
		return;
	case E_CAST:
	case E_STRINGOF:
		gen_str(g, e->a, d);
		return;
	case E_IDENT:
	case E_THIS:
	case E_SELF:
	case E_INDEX:
		if (e->symkind == SYM_BUILTIN) {
			put_literal(g, d, ((const struct builtin_var *)e->sym)->text(g));
			return;
		}
		if (e->symkind == SYM_VAR) {
			var_load_str(g, e->sym, e, d);
			return;
		}
		break;
	default:
		break;
	}
	put_text(g, e, d);
}

struct dest scratch_slot(struct fire *g, uint32_t size)
{
	struct dest d = {.base = g->u->scratch_base, .size = size, .zero = true};

	d.off = (int32_t)g->u->scratch_used + 4;
	g->u->scratch_used += (size + 4 + 7) & ~7u;
	return d;
}

/* -------------------------------------------------------------- comparing */

/* The text of a string that is known here; NULL: it is not. */
static const char *known(struct fire *g, const struct expr *e)
{
	e = expr_target(e);
	if (e->kind == E_STR)
		return e->str;
	if (e->kind == E_IDENT && e->symkind == SYM_BUILTIN && ((const struct builtin_var *)e->sym)->text)
		return ((const struct builtin_var *)e->sym)->text(g);
	return NULL;
}

/* To @t if the @n bytes of memory are those at @want, else to @f. */
static void equal_bytes(struct fire *g, struct mem m, const void *want, uint32_t n, int t, int f)
{
	struct irb *b = g->b;
	uint32_t i, k;

	for (i = 0; i < n; i += k) {
		struct mem at = m;
		int next = irb_block(b, "same");
		uint64_t w = 0;

		k = 8;
		while (k > n - i || (at.off + (int32_t)i) % (int32_t)k)
			k /= 2;
		at.off += (int32_t)i;
		memcpy(&w, (const char *)want + i, k);
		irb_bri(b, CC_EQ, mem_load(g, at, k, false), (int64_t)w, next, f);
		irb_place(b, next);
	}
	irb_jmp(b, t);
}

static void equal_ip6(struct fire *g, struct mem m, const uint8_t *addr, enum dstr_tag tag, int t, int f)
{
	uint8_t mapped[16] = {[10] = 0xff, [11] = 0xff}, compat[16] = {0};
	int second;

	if (tag == DSTR_IP6) {
		equal_bytes(g, m, addr, 16, t, f);
		return;
	}
	second = irb_block(g->b, "or compatible");
	memcpy(mapped + 12, addr, 4);
	memcpy(compat + 12, addr, 4);
	equal_bytes(g, m, mapped, 16, t, second);
	irb_place(g->b, second);
	equal_bytes(g, m, compat, 16, t, f);
}

static void equal_known(struct fire *g, const struct expr *e, const char *s, int t, int f);

/* Any string against a known one: written out, then its tag and payload looked at. */
static void equal_slot(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	struct irb *b = g->b;
	struct strclass k = str_class(g->c, e);
	struct dest d = scratch_slot(g, k.size);
	struct mem m = {.base = d.base, .off = d.off, .own = true, .lib = true}, pay = m;
	enum dstr_tag tag;
	uint8_t addr[16];
	uint32_t index = str_index(g->c, s);
	int next;

	pay.off += PAYLOAD;
	gen_str(g, e, d);
	if (str_is_address(s, &tag, addr) && (k.forms & FORM(tag))) {
		int is = irb_block(b, "address");

		next = irb_block(b, "not so");
		irb_bri(b, CC_EQ, mem_load(g, m, 4, false), tag, is, next);
		irb_place(b, is);
		equal_bytes(g, pay, addr, tag == DSTR_IP4 ? 4 : 16, t, f);
		irb_place(b, next);
	}
	if (k.forms & FORM(DSTR_INTERN)) {
		int is = irb_block(b, "interned");

		next = irb_block(b, "not so");
		irb_bri(b, CC_EQ, mem_load(g, m, 4, false), DSTR_INTERN, is, next);
		irb_place(b, is);
		equal_bytes(g, pay, &index, 4, t, f);
		irb_place(b, next);
	}
	if ((k.forms & FORM(DSTR_TEXT)) && strlen(s) + 1 + PAYLOAD <= k.size) {
		int is = irb_block(b, "text");

		irb_bri(b, CC_EQ, mem_load(g, m, 4, false), DSTR_TEXT, is, f);
		irb_place(b, is);
		equal_bytes(g, pay, s, (uint32_t)strlen(s) + 1, t, f);
	} else {
		irb_jmp(b, f);
	}
}

static void equal_cond(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else");

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	equal_known(g, e->b, s, t, f);
	irb_place(b, no);
	equal_known(g, e->c, s, t, f);
}

static void equal_call(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	enum subr_str kind = ((const struct subr *)e->sym)->str;
	enum dstr_tag tag;
	uint8_t addr[16];

	if (kind != SUBR_INET_NTOA && kind != SUBR_INET_NTOA6) {
		equal_slot(g, e, s, t, f);
		return;
	}
	if (!str_is_address(s, &tag, addr) || (kind == SUBR_INET_NTOA && tag != DSTR_IP4))
		irb_jmp(g->b, f);
	else if (kind == SUBR_INET_NTOA)
		equal_bytes(g, pointed(g, e->arg[0]), addr, 4, t, f);
	else
		equal_ip6(g, pointed(g, e->arg[0]), addr, tag, t, f);
}

/* To @t if string @e is the text @s. */
static void equal_known(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	const char *own;

	e = expr_target(e);
	own = known(g, e);
	if (own) {
		irb_jmp(g->b, !strcmp(own, s) ? t : f);
		return;
	}
	while (e->kind == E_CAST || e->kind == E_STRINGOF)
		e = expr_target(e->a);
	if (e->kind == E_COND)
		equal_cond(g, e, s, t, f);
	else if (e->kind == E_CALL)
		equal_call(g, e, s, t, f);
	else if (type_is(e->type, T_ARRAY) && strlen(s) < type_strip(e->type)->nelem)
		equal_bytes(g, gen_mem(g, e), s, (uint32_t)strlen(s) + 1, t, f);
	else if (type_is(e->type, T_ARRAY))
		irb_jmp(g->b, f);
	else
		equal_slot(g, e, s, t, f);
}

/* Forms whose bytes are equal exactly when the texts are. */
#define EXACT (FORM(DSTR_IP4) | FORM(DSTR_IP6) | FORM(DSTR_INTERN) | FORM(DSTR_NULL))

static int unsupported_compare(struct fire *g, const struct expr *e)
{
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "these two strings cannot be compared yet: neither is a literal");
	return -1;
}

void gen_str_equal(struct fire *g, const struct expr *x, const struct expr *y, int t, int f)
{
	const char *kx = known(g, x), *ky = known(g, y);
	struct strclass cx, cy, both;
	struct dest dx, dy;
	struct irb *b = g->b;

	if (ky || kx) {
		equal_known(g, ky ? x : y, ky ? ky : kx, t, f);
		return;
	}
	cx = str_class(g->c, x);
	cy = str_class(g->c, y);
	both = str_union(cx, cy);
	if ((both.forms & ~EXACT) && both.forms != FORM(DSTR_TEXT)) {
		unsupported_compare(g, x);
		irb_jmp(b, f);
		return;
	}
	dx = scratch_slot(g, both.size);
	dy = scratch_slot(g, both.size);
	gen_str(g, x, dx);
	gen_str(g, y, dy);
	for (uint32_t i = 0; i < both.size; i += 4) {
		int next = irb_block(b, "same");

		irb_br(b, CC_EQ, irb_loadv(b, dx.base, dx.off + (int32_t)i, 4, false),
		       irb_loadv(b, dy.base, dy.off + (int32_t)i, 4, false), next, f);
		irb_place(b, next);
	}
	irb_jmp(b, t);
}

/* ------------------------------------------------------------------- strlen */

static int strlen_text(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	struct strclass k = str_class(g->c, e);
	struct dest d = scratch_slot(g, k.size), copy = scratch_slot(g, k.size + 8);
	int r;

	gen_str(g, e, d);
	/* probe_read_kernel_str counts, the NUL included; the slot's own end is one too. */
	irb_storei(b, d.base, d.off + (int32_t)k.size - 1, 1, 0);
	r = irb_call(b, IR_CALL, 115, 3,
		     (struct ir_arg[]){{ARG_REG, irb_addr(b, copy.base, copy.off), 0},
				       {ARG_IMM, 0, k.size - PAYLOAD},
				       {ARG_REG, irb_addr(b, d.base, d.off + PAYLOAD), 0}});
	return irb_bini(b, IR_SUB, r, 1);
}

static int digits_of(struct fire *g, int octet)
{
	struct irb *b = g->b;

	return irb_bin(b, IR_ADD, irb_set(b, CC_UGE, octet, irb_const(b, 10)),
		       irb_set(b, CC_UGE, octet, irb_const(b, 100)));
}

static int strlen_ip4(struct fire *g, const struct expr *e)
{
	struct mem m = pointed(g, e->arg[0]);
	int n = irb_const(g->b, 7);

	for (int i = 0; i < 4; i++, m.off++)
		n = irb_bin(g->b, IR_ADD, n, digits_of(g, mem_load(g, m, 1, false)));
	return n;
}

int gen_strlen(struct fire *g, const struct expr *e)
{
	const char *s = known(g, e);
	const struct subr *fn;
	int x;

	e = expr_target(e);
	if (s)
		return irb_const(g->b, (int64_t)strlen(s));
	while (e->kind == E_CAST || e->kind == E_STRINGOF)
		e = expr_target(e->a);
	fn = e->kind == E_CALL ? e->sym : NULL;
	if (fn && fn->str == SUBR_STRJOIN) {
		x = gen_strlen(g, e->arg[0]);
		return irb_bin(g->b, IR_ADD, x, gen_strlen(g, e->arg[1]));
	}
	if (fn && fn->str == SUBR_INET_NTOA)
		return strlen_ip4(g, e);
	if (str_class(g->c, e).forms == FORM(DSTR_TEXT))
		return strlen_text(g, e);
	diag_error(g->c->d, D_UNSUPPORTED, e->loc, "strlen( ) of this string is not supported yet");
	return irb_const(g->b, 0);
}
