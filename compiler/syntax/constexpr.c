/*
 * constexpr.c - computes operators on constants, and constant expressions in declarations, such as
 * array sizes and enumerators.
 *
 * Expressions in declarations are computed as parsed, before names and types are resolved.
 */
#include "compiler/syntax/parse_int.h"

#include "ir/types/type.h"

/* ----------------------------------------------------------------- operators */

bool const_unary(enum unary_op op, int64_t x, int64_t *v)
{
	switch (op) {
	case U_NEG:
		*v = (int64_t)-(uint64_t)x;
		return true;
	case U_PLUS:
		*v = x;
		return true;
	case U_NOT:
		*v = !x;
		return true;
	case U_BITNOT:
		*v = ~x;
		return true;
	default:
		return false;
	}
}

static bool divided(enum binary_op op, bool sgn, int64_t x, int64_t y, int64_t *v)
{
	if (y == 0)
		return false;
	if (!sgn)
		*v = (int64_t)(op == B_DIV ? (uint64_t)x / (uint64_t)y : (uint64_t)x % (uint64_t)y);
	else if (y == -1)
		*v = op == B_DIV ? (int64_t)-(uint64_t)x : 0; /* INT64_MIN / -1 would trap */
	else
		*v = op == B_DIV ? x / y : x % y;
	return true;
}

static bool less(bool sgn, int64_t x, int64_t y)
{
	return sgn ? x < y : (uint64_t)x < (uint64_t)y;
}

/*
 * Returns 0 or 1, the result of a comparison or a logical operator. Returns -1 if @op is another
 * operator.
 */
static int truth(enum binary_op op, bool sgn, int64_t x, int64_t y)
{
	switch (op) {
	case B_LOR:
		return x || y;
	case B_LXOR:
		return !x != !y;
	case B_LAND:
		return x && y;
	case B_EQ:
		return x == y;
	case B_NE:
		return x != y;
	case B_LT:
		return less(sgn, x, y);
	case B_LE:
		return !less(sgn, y, x);
	case B_GT:
		return less(sgn, y, x);
	case B_GE:
		return !less(sgn, x, y);
	default:
		return -1;
	}
}

static int64_t bits_of(enum binary_op op, bool sgn, uint64_t x, uint64_t y)
{
	switch (op) {
	case B_OR:
		return (int64_t)(x | y);
	case B_XOR:
		return (int64_t)(x ^ y);
	case B_AND:
		return (int64_t)(x & y);
	case B_SHL: /* like the machine, uses only the low 6 bits of the count */
		return (int64_t)(x << (y & 63));
	case B_SHR:
		return sgn ? (int64_t)x >> (y & 63) : (int64_t)(x >> (y & 63));
	case B_ADD:
		return (int64_t)(x + y);
	case B_SUB:
		return (int64_t)(x - y);
	default:
		return (int64_t)(x * y);
	}
}

bool const_binary(enum binary_op op, bool sgn, int64_t x, int64_t y, int64_t *v)
{
	int is = truth(op, sgn, x, y);

	if (op == B_NONE)
		return false;
	if (op == B_DIV || op == B_MOD)
		return divided(op, sgn, x, y, v);
	*v = is >= 0 ? is : bits_of(op, sgn, (uint64_t)x, (uint64_t)y);
	return true;
}

int64_t const_cut(struct type *t, int64_t v)
{
	unsigned drop = 64 - 8 * type_strip(t)->size;
	int64_t high = (int64_t)((uint64_t)v << drop);

	return type_strip(t)->sgn ? high >> drop : (int64_t)((uint64_t)high >> drop);
}

/* -------------------------------------------------------------- declarations */

/*
 * Maximum number of steps for a constant expression. Inlines may use other inlines, so there can be
 * many steps.
 */
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

	if (!type_is_integer(t) || !t->size || t->size > 8 || !fold(p, e->a, v))
		return false;
	*v = const_cut(t, *v);
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
		return fold(p, e->a, &a) && const_unary(e->op, a, v);
	case E_BINARY:
		return fold(p, e->a, &a) && fold(p, e->b, &b) && const_binary(e->op, true, a, b, v);
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
