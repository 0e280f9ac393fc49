/*
 * value.c - generates IR for scalar expressions.
 *
 * Integers are computed in 64 bits. Types decide how loaded values are widened, how values compare,
 * and how casts and stores truncate.
 */
#include "base/xalloc.h"
#include "compiler/code/eval/cond.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/evaluators.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/hookarg.h"
#include "compiler/code/eval/steady.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/place.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/trust.h"
#include "compiler/code/memory/vars.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

/* Returns the value of an lvalue. An array or struct is represented by its address. */
static int gen_place(struct fire *g, const struct expr *e)
{
	struct place p = place_of(g, e, false);
	const char *name = e->kind == E_MEMBER ? e->name : "";
	int v;

	if (!type_is_scalar(e->type))
		return address_of(g, p.at);
	if (p.where != IN_MEM || p.at.own || p.bits)
		return place_load(g, &p);
	p.at.cast = trust_needs_cast(g, &p.at, p.type);
	v = place_load(g, &p);
	/* a union may have a number and a pointer in the same 8 bytes */
	if (p.type->size == 8)
		irb_reg(g->b, v)->ptr = true;
	trust_loaded(g, v, p.at, p.type, name);
	return v;
}

/*
 * Evaluates the argument of an inline once. Later uses of the parameter reuse the value, until an
 * assignment or another effect may have changed it.
 */
static int gen_bound(struct fire *g, const struct expr *e)
{
	int v;

	if (g->typed || e->kind == E_IDENT || e->kind == E_THIS || e->kind == E_INT ||
	    expr_changes(e))
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

/* Returns the absolute value of @v. Sets *@sign to -1 if @v is negative, else to 0. */
static int magnitude(struct irb *b, int v, int *sign)
{
	*sign = irb_bini(b, IR_SAR, v, 63);
	return irb_bin(b, IR_SUB, irb_bin(b, IR_XOR, v, *sign), *sign);
}

/*
 * Generates / or %. Signed operands are divided without their signs, because eBPF has only unsigned
 * division before Linux 6.6.
 */
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

	if (sx > 1 && sy > 1) { /* the difference of two pointers is a number of elements */
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

	/* the store below changes the register of this->x */
	if (irb_reg(g->b, old)->is_var && post) {
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
	/*
	 * Copy the value to a register that is not a variable, so that loads through it are
	 * memoized too.
	 */
	v = irb_value(b, v);
	irb_memo_add(b, steady, 0, v);
	return v;
}

/*
 * Returns a register with the result of e->a OP e->b. Register @old already has the value of e->a.
 */
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

/* Copies a struct or union. Assigning NULL deletes the variable's entry in its map. */
static int assign_memory(struct fire *g, const struct expr *e)
{
	struct mem from;
	struct place to;

	if (e->b->kind == E_CAST && e->b->op == CONV_NULL) {
		var_erase(g, e->a->ref.var, e->a);
		return irb_const(g->b, 0);
	}
	from = gen_mem(g, e->b);
	to = place_of(g, e->a, true);
	mem_copy_whole(g, from, (struct dest){.base = to.at.base, .off = to.at.off}, 0,
		       type_strip(e->a->type)->size);
	var_put(g, &to.element);
	return address_of(g, to.at);
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
	case CONV_ARRAY:
	case CONV_NULL:
	case CONV_DROP:
		break;
	}
	BUG("conversion %d has no scalar value", e->op);
}

int eval_value(struct fire *g, const struct expr *e)
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
