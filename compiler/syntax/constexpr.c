/*
 * constexpr.c - constant expressions in declarations: array sizes, enumerators.
 *
 * Works on the tree as parsed, before names and types are resolved.
 */
#include "compiler/syntax/parse_int.h"

#include "types/type.h"

/* Inlines may name inlines: no constant that anybody writes takes more steps. */
#define CONST_BUDGET 4096

static bool fold(struct parser *p, const struct expr *e, int64_t *v);

static bool fold_name(struct parser *p, const struct expr *e, int64_t *v)
{
	const struct decl_inline *in;
	size_t i;

	if (e->mod)
		return false;
	for (i = 0; i < p->enums.n; i++) {
		if (p->enums.v[i].name == e->name) {
			*v = p->enums.v[i].value;
			return true;
		}
	}
	for (in = p->ast ? p->ast->inl : NULL; in; in = in->next)
		if (in->name == e->name && !in->nparam)
			return fold(p, in->expr, v);
	return scope_enumerator(p->scope, e->name, v, NULL);
}

static bool fold_unary(struct parser *p, const struct expr *e, int64_t *v)
{
	if (!fold(p, e->a, v))
		return false;
	switch (e->op) {
	case U_NEG:
		*v = (int64_t)-(uint64_t)*v;
		return true;
	case U_PLUS:
		return true;
	case U_NOT:
		*v = !*v;
		return true;
	case U_BITNOT:
		*v = ~*v;
		return true;
	}
	return false;
}

static bool fold_div(enum binary_op op, int64_t a, int64_t b, int64_t *v)
{
	if (b == 0)
		return false;
	if (b == -1)
		*v = op == B_DIV ? (int64_t)-(uint64_t)a : 0; /* INT64_MIN / -1 traps */
	else
		*v = op == B_DIV ? a / b : a % b;
	return true;
}

static int64_t shift_left(int64_t a, int64_t n)
{
	return n < 0 || n > 63 ? 0 : (int64_t)((uint64_t)a << n);
}

static int64_t shift_right(int64_t a, int64_t n)
{
	return n < 0 || n > 63 ? 0 : a >> n;
}

static bool apply(enum binary_op op, int64_t a, int64_t b, int64_t *v)
{
	switch (op) {
	case B_NONE:
		return false;
	case B_LOR:
		*v = a || b;
		break;
	case B_LXOR:
		*v = !a != !b;
		break;
	case B_LAND:
		*v = a && b;
		break;
	case B_OR:
		*v = a | b;
		break;
	case B_XOR:
		*v = a ^ b;
		break;
	case B_AND:
		*v = a & b;
		break;
	case B_EQ:
		*v = a == b;
		break;
	case B_NE:
		*v = a != b;
		break;
	case B_LT:
		*v = a < b;
		break;
	case B_LE:
		*v = a <= b;
		break;
	case B_GT:
		*v = a > b;
		break;
	case B_GE:
		*v = a >= b;
		break;
	case B_SHL:
		*v = shift_left(a, b);
		break;
	case B_SHR:
		*v = shift_right(a, b);
		break;
	case B_ADD:
		*v = (int64_t)((uint64_t)a + (uint64_t)b);
		break;
	case B_SUB:
		*v = (int64_t)((uint64_t)a - (uint64_t)b);
		break;
	case B_MUL:
		*v = (int64_t)((uint64_t)a * (uint64_t)b);
		break;
	case B_DIV:
	case B_MOD:
		return fold_div(op, a, b, v);
	}
	return true;
}

static bool fold_cond(struct parser *p, const struct expr *e, int64_t *v)
{
	return fold(p, e->a, v) && fold(p, *v ? e->b : e->c, v);
}

static bool fold_sizeof(const struct expr *e, int64_t *v)
{
	if (e->ctype)
		*v = type_strip(e->ctype)->size;
	else if (e->a->kind == E_STR)
		*v = (int64_t)e->a->len + 1;
	return *v > 0;
}

static bool fold_cast(struct parser *p, const struct expr *e, int64_t *v)
{
	struct type *t = type_strip(e->ctype);
	unsigned drop = 64 - 8 * t->size;

	if (!type_is_integer(t) || !t->size || t->size > 8 || !fold(p, e->a, v))
		return false;
	*v = (int64_t)((uint64_t)*v << drop);
	*v = t->sgn ? *v >> drop : (int64_t)((uint64_t)*v >> drop);
	return true;
}

static bool fold(struct parser *p, const struct expr *e, int64_t *v)
{
	int64_t a, b;

	*v = 0;
	if (!p->budget)
		return false;
	p->budget--;
	switch ((int)e->kind) {
	case E_INT:
		*v = (int64_t)e->ival;
		return true;
	case E_IDENT:
		return fold_name(p, e, v);
	case E_UNARY:
		return fold_unary(p, e, v);
	case E_BINARY:
		return fold(p, e->a, &a) && fold(p, e->b, &b) && apply(e->op, a, b, v);
	case E_COND:
		return fold_cond(p, e, v);
	case E_SIZEOF:
		return fold_sizeof(e, v);
	case E_CAST:
		return fold_cast(p, e, v);
	}
	return false;
}

bool p_const(struct parser *p, const struct expr *e, int64_t *v)
{
	p->budget = CONST_BUDGET;
	return !p->failed && fold(p, e, v);
}
