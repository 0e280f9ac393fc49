/*
 * lvalue.c - lvalues, arrays and structs: the memory that an expression denotes.
 */
#include "base/xalloc.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/evaluators.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/trust.h"
#include "compiler/code/memory/vars.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

static struct mem at_pointer(struct fire *g, const struct expr *ptr, const struct expr *whole)
{
	struct mem m = {.base = gen(g, ptr),
			.owner = expr_pointee(ptr),
			.lib = whole->lib,
			.user = type_is_userland(ptr->type)};

	m.ip_header = g->c->target->replay && m.lib && is_ip_header(g, ptr, &m.or_null);
	return m;
}

static struct mem member_mem(struct fire *g, const struct expr *e, struct element *to)
{
	struct mem at = e->arrow ? at_pointer(g, e->a, e) : gen_lvalue(g, e->a, to);

	at.off += (int32_t)(expr_member(e).bitoff / 8);
	return at;
}

static bool within(struct type *t, int64_t i)
{
	t = type_strip(t);
	return t->kind == T_ARRAY && i >= 0 && i < t->nelem;
}

/*
 * Returns whether library text masks index @e, as in i & 15, so that it is at most @most. The
 * verifier sees this bound, so the code needs no test.
 */
static bool is_masked(const struct expr *e, int64_t most)
{
	while (e->kind == E_CAST)
		e = e->a;
	return e->lib && e->kind == E_BINARY && e->op == B_AND && e->b->is_const &&
	       e->b->value >= 0 && e->b->value <= most;
}

/*
 * Returns element @i (a register) of the array in memory @at. In memory of dtrace (map value,
 * scratch), an index outside of the array is a fault.
 */
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
		at->owner = NULL; /* the element is outside of the object */
	return true;
}

/*
 * Returns the memory of element @e. An index with side effects is evaluated before the array: the
 * index may create the entry (of an associative array) that contains the array.
 */
static struct mem index_mem(struct fire *g, const struct expr *e, struct element *to)
{
	bool array = type_is(e->a->type, T_ARRAY);
	int first = array && expr_changes(e->arg[0]) ? gen_before(g, e->arg[0], e->a) : NOREG;
	struct mem at = array ? gen_lvalue(g, e->a, to) : at_pointer(g, e->a, e);

	if (at_constant(e, &at))
		return at;
	return at_element(g, at, e, irb_scalar(g->b, first == NOREG ? gen(g, e->arg[0]) : first));
}

struct mem eval_lvalue(struct fire *g, const struct expr *e, struct element *to)
{
	e = expr_target(e);
	if (e->symkind == SYM_VAR)
		return var_mem(g, e->ref.var, e, to);
	switch (e->kind) {
	case E_MEMBER:
		return member_mem(g, e, to);
	case E_INDEX:
		return index_mem(g, e, to);
	case E_UNARY:
		/*
		 * *(uint64_t *)t->comm loads bytes of member comm, from a struct that the verifier
		 * knows
		 */
		if (e->op == U_DEREF && e->lib && expr_target(e->a)->object)
			return gen_lvalue(g, expr_target(e->a)->object, to);
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
	case E_COND: /* the expression chooses between two structs */
		return (struct mem){.base = gen(g, e), .lib = e->lib};
	default:
		break;
	}
	BUG("expression %d has no memory", e->kind);
}
