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

/*
 * A fault block is placed after the jumps to it, because they tell what is known in the block.
 * Until then each block keeps its value in a register or on the stack, so at most this many wait.
 */
enum { FAULTS_WAITING = 16 };

static void place_waiting_faults(struct fire *g)
{
	int rest = irb_block(g->b, "behind faults");

	irb_jmp(g->b, rest);
	place_faults(g);
	irb_place(g->b, rest);
}

int fault_block(struct fire *g, enum fault_code code, int value)
{
	struct fault_site site = {.code = code,
				  .action = g->action,
				  .value = value,
				  .handler = g->fault.block};

	if (g->fault.site.n >= FAULTS_WAITING)
		place_waiting_faults(g);
	site.block = irb_cold_block(g->b, "fault");
	vec_apush(g->c->arena, &g->fault.site, site);
	return site.block;
}

void place_faults(struct fire *g)
{
	struct irb *b = g->b;

	for (size_t i = 0; i < g->fault.site.n; i++) {
		const struct fault_site *s = &g->fault.site.v[i];

		irb_place(b, s->block);
		if (s->value)
			irb_assign(b, g->fault.value, s->value);
		else
			irb_assign_imm(b, g->fault.value, 0);
		irb_assign_imm(b, g->fault.info, (int64_t)s->action << 16 | s->code);
		irb_assign(b, g->fault.pc, irb_pc(b));
		irb_jmp(b, s->handler);
	}
	g->fault.site.n = 0;
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

static struct mem at_pointer(struct fire *g, const struct expr *ptr, const struct expr *whole)
{
	struct mem m = {.base = gen(g, ptr),
			.owner = expr_pointee(ptr),
			.lib = whole->lib,
			.user = type_is_userland(ptr->type)};

	m.ip_header = g->c->target->replay && m.lib && at_ip_header(g, ptr, &m.or_null);
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
		m.base = irb_scalar(g->b, m.base);
	return irb_addr(g->b, m.base, m.off);
}

static bool within(struct type *t, int64_t i)
{
	t = type_strip(t);
	return t->kind == T_ARRAY && i >= 0 && i < t->nelem;
}

static void need_at_most(struct fire *g, int v, int64_t most, enum fault_code code, int value)
{
	int ok = irb_block(g->b, "within");

	irb_bri(g->b, CC_ULE, v, most, ok, fault_block(g, code, value));
	irb_place(g->b, ok);
}

int gen_bounded(struct fire *g, int v, int64_t most, enum fault_code code, int value)
{
	int64_t mask;
	int k;

	if (irb_is_const(g->b, v, &mask) && mask >= 0 && mask <= most)
		return v;
	for (mask = 1; mask < most; mask = mask * 2 + 1)
		;
	need_at_most(g, v, most, code, value);
	k = irb_bini(g->b, IR_AND, v, mask);
	if (mask > most)
		need_at_most(g, k, most, code, value);
	return k;
}

/* i & 15, in the library's text: as the verifier sees, too, it is one of 16. */
static bool is_masked(const struct expr *e, int64_t most)
{
	while (e->kind == E_CAST)
		e = e->a;
	return e->lib && e->kind == E_BINARY && e->op == B_AND && e->b->is_const &&
	       e->b->value >= 0 && e->b->value <= most;
}

/* @at has an array: at element @i of it, which must be one of it if it is ours. */
static struct mem at_element(struct fire *g, struct mem at, const struct expr *e, int i)
{
	struct irb *b = g->b;
	uint32_t size = type_strip(e->type)->size;
	int64_t most;

	if (at.own) {
		most = (int64_t)type_strip(e->a->type)->nelem - 1;
		if (!is_masked(e->arg[0], most))
			i = gen_bounded(g, i, most, FAULT_BADADDR, i);
		at.base = irb_bin(b, IR_ADD, at.base, irb_bini(b, IR_MUL, i, size));
		return at;
	}
	i = irb_bini(b, IR_MUL, i, size);
	at.base = irb_scalar(b, address_of(g, at));
	at.base = irb_bin(b, IR_ADD, at.base, i);
	at.off = 0;
	at.owner = NULL;
	at.ip_header = false;
	return at;
}

static bool at_constant(const struct expr *e, struct mem *at)
{
	int64_t i = e->arg[0]->value, off;

	if (!e->arg[0]->is_const || __builtin_mul_overflow(i, type_strip(e->type)->size, &off) ||
	    __builtin_add_overflow(off, at->off, &off) || off < INT32_MIN / 2 ||
	    off > INT32_MAX / 2)
		return false;
	at->off = (int32_t)off;
	if (i && !within(e->a->type, i))
		at->owner = NULL; /* not in the object that the pointer is known to point to */
	return true;
}

/* An index that changes something comes first: the array may be an entry that it makes. */
static struct mem index_mem(struct fire *g, const struct expr *e, bool write)
{
	bool array = type_is(e->a->type, T_ARRAY);
	int first = array && expr_changes(e->arg[0]) ? gen_before(g, e->arg[0], e->a) : NOREG;
	struct mem at = array ? gen_lvalue(g, e->a, write) : at_pointer(g, e->a, e);

	if (at_constant(e, &at))
		return at;
	return at_element(g, at, e, irb_scalar(g->b, first == NOREG ? gen(g, e->arg[0]) : first));
}

struct mem gen_lvalue(struct fire *g, const struct expr *e, bool write)
{
	e = expr_target(e);
	if (e->symkind == SYM_VAR)
		return var_mem(g, e->ref.var, e, write);
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
		return (struct mem){.base = gen(g, e), .lib = e->lib};
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
	trust_loaded(g, v, p.at, p.type, e->kind == E_MEMBER ? e->name : "");
	return v;
}

/* ------------------------------------------------------------- hook arguments */

/*
 * The type of argument @i of the hook.  Of a family of which the clause is at several, whose types
 * may differ (argN): a number as it is in the register.
 */
static struct type *hostarg_type(struct fire *g, uint64_t i)
{
	struct type *t = NULL;

	if (!g->namong || !g->among[0]->host)
		return type_strip(g->hook->host->hook.arg[i]);
	for (uint32_t k = 0; k < g->namong; k++) {
		probe_type(g->c, g->among[k]);
		if (i >= g->among[k]->host->hook.narg ||
		    (t && !type_same(t, g->among[k]->host->hook.arg[i])))
			return &type_long;
		t = g->among[k]->host->hook.arg[i];
	}
	return type_strip(t);
}

/* An argument that is in a register, or what is returned there. */
static int gen_register(struct fire *g, uint64_t i, struct type *t)
{
	const struct hook *h = g->u->hook;
	int32_t off = h->at_return                ? h->args_at.regs->ret
		      : i < h->args_at.regs->narg ? h->args_at.regs->arg[i]
						  : -1;
	int v;

	if (off < 0 || (h->at_return && (i != 1 || t->kind == T_VOID)))
		return irb_const(g->b, 0);
	v = irb_load(g->b, irb_ctx(g->b), off, 8, false);
	return type_is_integer(t) ? irb_ext(g->b, v, t->size, type_is_signed(t)) : v;
}

static int gen_hostarg(struct fire *g, uint64_t i)
{
	struct irb *b = g->b;
	const struct hook *h = g->u->hook;
	struct type *t;
	int v;

	if (g->u->fault_arg[0])
		return i < FAULT_ARGS ? g->u->fault_arg[i] : irb_const(b, 0);
	if (h->behind)
		return g->u->behind;
	t = hostarg_type(g, i);
	if (h->args_at.regs)
		return gen_register(g, i, t);
	if (h->at_return && (i == 0 || t->kind == T_VOID))
		return irb_const(b, 0);
	if (h->at_return) /* the kernel has the parameters first, then the result */
		i = i == 1 ? g->hook->host->hook.narg - 2 : i - 2;
	if (!arg_in_context(g, t))
		return irb_read(b, irb_ctx(b), (int32_t)(8 * i), 8, false, NOBLOCK);
	v = irb_load(b, irb_ctx(b), (int32_t)(8 * i), 8, false);
	if (t->kind == T_PTR && type_is_sou(t->to)) {
		v = trust_arg(g, v, i, type_strip(t->to));
	} else if (type_is_integer(t)) {
		v = irb_ext(b, v, t->size, type_is_signed(t));
	}
	return v;
}

/* A derivation's expressions see the hook's arguments, not the probe's. */
static int gen_native(struct fire *g, uint64_t i)
{
	bool outer = g->in_native;
	int v;

	if (!g->hook->native)
		return gen_hostarg(g, i);
	g->in_native = true;
	v = gen(g, g->hook->native[i]);
	g->in_native = outer;
	return v;
}

int gen_thread(struct fire *g)
{
	bool outer = g->in_native;
	int v;

	if (!g->hook || !g->hook->as || g->u->fault_arg[0] || outer) {
		v = irb_task(g->b);
		trust(g->b, v, PC_TRUSTED, kernel_struct(&g->c->names->kernel, KS_TASK));
		return v;
	}
	g->in_native = true;
	v = gen(g, g->hook->as);
	g->in_native = outer;
	return v;
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
	v = irb_memo_find(g->b, e, g->changes);
	if (v)
		return v;
	v = gen(g, e);
	if (irb_reg(g->b, v)->is_var)
		v = irb_value(g->b, v);
	irb_memo_add(g->b, e, g->changes, v);
	return v;
}

static int gen_ident(struct fire *g, const struct expr *e)
{
	const struct probe_decl *d;

	switch ((enum sym_kind)e->symkind) {
	case SYM_BOUND:
		return gen_bound(g, e->ref.bound);
	case SYM_VALUE:
		return (int)e->ival;
	case SYM_VAR:
		return gen_place(g, e);
	case SYM_BUILTIN:
		return e->ref.builtin->emit(g, e);
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
	if (!type_is_signed(e->a->type))
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

	if (t->kind != T_PTR)
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

		x = irb_scalar(b, x);
		y = irb_scalar(b, y);
		d = irb_bin(b, IR_SUB, x, y);
		d = magnitude(b, d, &s);
		d = irb_bini(b, IR_DIV, d, sx);
		return irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, d, s), s);
	}
	if (sx > 1)
		y = irb_bini(b, IR_MUL, y, sx);
	if (sy > 1)
		x = irb_bini(b, IR_MUL, x, sy);
	x = irb_scalar(b, x);
	y = irb_scalar(b, y);
	return irb_bin(b, op, x, y);
}

struct truth truth_blocks(struct irb *b)
{
	struct truth t;

	t.yes = irb_block(b, "true");
	t.no = irb_block(b, "false");
	t.done = irb_block(b, "bool");
	t.v = irb_var(b);
	return t;
}

int truth_value(struct irb *b, const struct truth *t)
{
	irb_place(b, t->yes);
	irb_assign_imm(b, t->v, 1);
	irb_jmp(b, t->done);
	irb_place(b, t->no);
	irb_assign_imm(b, t->v, 0);
	irb_jmp(b, t->done);
	irb_place(b, t->done);
	return t->v;
}

/* 1 if the condition holds, else 0. */
static int gen_bool(struct fire *g, const struct expr *e)
{
	struct truth t = truth_blocks(g->b);

	gen_cond(g, e, t.yes, t.no);
	return truth_value(g->b, &t);
}

static enum ir_cc compare_cc(const struct expr *e)
{
	bool u = !type_is_signed(e->a->type); /* both are of that type, or addresses */

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
	return e->op >= B_EQ && e->op <= B_GE && expr_is_string(e->a);
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
	now = irb_bini(g->b, inc ? IR_ADD : IR_SUB, irb_scalar(g->b, old), scale_of(e->a));
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

int gen_either(struct fire *g, const struct expr *e,
	       int (*value)(struct fire *g, const struct expr *e))
{
	struct irb *b = g->b;
	int yes = irb_block(b, "then"), no = irb_block(b, "else"), done = irb_block(b, "value"),
	    v = irb_var(b);

	gen_cond(g, e->a, yes, no);
	irb_place(b, yes);
	irb_assign(b, v, value(g, e->b));
	irb_jmp(b, done);
	irb_place(b, no);
	irb_assign(b, v, value(g, e->c));
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

static int gen_select(struct fire *g, const struct expr *e)
{
	const struct expr *steady;
	struct irb *b = g->b;
	int v;

	if (e->a->is_const)
		return gen(g, e->a->value ? e->b : e->c);
	steady = steady_copy(g, e);
	v = steady ? irb_memo_find(b, steady, 0) : NOREG;
	if (v)
		return v;
	v = gen_either(g, e, gen);
	if (!steady)
		return v;
	/* it does not change any more: what is read through it is found again too */
	v = irb_value(b, v);
	irb_memo_add(b, steady, 0, v);
	return v;
}

/* What e->a, which holds @old, becomes by e->op. */
static int compound(struct fire *g, const struct expr *e, int old)
{
	struct expr was = {.kind = E_IDENT,
			   .symkind = SYM_VALUE,
			   .ival = (uint64_t)old,
			   .type = e->ctype};
	struct expr op = {.kind = E_BINARY,
			  .op = e->op,
			  .loc = e->loc,
			  .type = e->ctype,
			  .a = &was,
			  .b = e->b};

	return gen_binary(g, &op);
}

/* A struct or union becomes a copy of another; of NULL: an entry of an array goes. */
static int assign_memory(struct fire *g, const struct expr *e)
{
	struct mem from, to;

	if (e->b->kind == E_CAST && e->b->op == CONV_NULL) {
		var_erase(g, e->a->ref.var, e->a);
		return irb_const(g->b, 0);
	}
	from = gen_mem(g, e->b);
	to = place_of(g, e->a, true).at;
	mem_copy_whole(g, from, (struct dest){.base = to.base, .off = to.off}, 0,
		       type_strip(e->a->type)->size);
	return address_of(g, to);
}

static int gen_assign(struct fire *g, const struct expr *e)
{
	struct place p;
	int value;

	if (type_is(e->a->type, T_STRING)) {
		if (e->a->symkind == SYM_VAR)
			var_store_str(g, e->a->ref.var, e->a, e->b);
		else
			gen_str_store(g, e->a, e->b);
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

	switch ((enum conversion)e->op) {
	case CONV_KEEP:
		return gen(g, e->a);
	case CONV_CUT:
		return irb_ext(g->b, gen(g, e->a), t->size, type_is_signed(t));
	case CONV_ADDRESS:
		return address_of(g, gen_mem(g, e->a));
	case CONV_CHARS:
		return gen_str_address(g, e->a);
	case CONV_TEXT:
	case CONV_NULL:
	case CONV_DROP:
		break;
	}
	BUG("conversion %d has no scalar value", e->op);
}

int gen(struct fire *g, const struct expr *e)
{
	int v;

	if (e->is_const)
		return irb_const(g->b, e->value);
	switch (e->kind) {
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
		v = e->ref.subr->emit(g, e->arg, e->narg);
		g->changes += !e->ref.subr->pure;
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
	case E_INT:
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

	if (e->kind == E_CAST && e->op == CONV_DROP) {
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

static void cond_binary(struct fire *g, const struct expr *e, int t, int f)
{
	int x, y;

	if ((e->op == B_EQ || e->op == B_NE) && expr_is_zero(e->b) && never_null(g, e->a)) {
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
	if (e->op == B_AND && e->b->is_const && e->b->value >= 0 && e->b->value <= INT32_MAX) {
		irb_bri(g->b, CC_BITS, gen(g, e->a), e->b->value, t, f);
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
		return e->op >= B_LOR && e->op <= B_GE && e->op != B_AND && e->op != B_OR &&
		       e->op != B_XOR;
	case E_INT:
		return e->ival <= 1;
	default:
		return false;
	}
}

void gen_cond(struct fire *g, const struct expr *e, int t, int f)
{
	e = expr_kept(e);
	if (e->is_const) {
		irb_jmp(g->b, e->value ? t : f);
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
