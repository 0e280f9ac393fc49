/*
 * parse_expr.c - parses expressions.
 *
 * One loop over a table parses all binary operators. The parser needs no recursion for chains such
 * as a + b + c, a.b.c and a ? b : c ? d : e, but their trees are high. So each node has its height,
 * and the parser limits the height.
 */
#include "compiler/syntax/parse_int.h"

#include "ir/types/type.h"

/* Returns the expression that stands for a wrong one after an error. */
static struct expr *dummy(struct parser *p, struct loc loc)
{
	struct expr *e = arena_new(p->a, struct expr);

	e->kind = E_INT;
	e->loc = loc;
	e->type = &type_error;
	e->height = 1;
	return e;
}

static struct expr *new_expr(struct parser *p, enum expr_kind kind, struct loc loc)
{
	struct expr *e = arena_new(p->a, struct expr);

	e->kind = kind;
	e->loc = loc;
	e->lib = p->o && p->o->lib;
	e->height = 1;
	return e;
}

/* Updates the height of @e for child @child. */
static void grow(struct parser *p, struct expr *e, const struct expr *child)
{
	if (child->height >= HEIGHT_MAX)
		p_fail(p, D_LIMIT, e->loc, "expression is too long: more than %d levels",
		       HEIGHT_MAX);
	else if (e->height <= child->height)
		e->height = (uint16_t)(child->height + 1);
}

static struct expr *new_op(struct parser *p, enum expr_kind kind, struct loc loc, struct expr *a,
			   struct expr *b)
{
	struct expr *e = new_expr(p, kind, loc);

	e->a = a;
	e->b = b;
	grow(p, e, a);
	if (b)
		grow(p, e, b);
	return e;
}

/* args = [assign-expr ("," assign-expr)*], then the token @close */
void p_args(struct parser *p, enum tok close, struct expr ***arg, uint32_t *narg)
{
	expr_vec v = {0};

	if (!p_accept(p, close)) {
		do {
			vec_apush(p->a, &v, p_assign_expr(p));
		} while (p_accept(p, TOK_COMMA));
		p_expect(p, close);
	}
	*arg = v.v;
	*narg = (uint32_t)v.n;
}

static void take_args(struct parser *p, struct expr *e, enum tok close)
{
	uint32_t i;

	p_args(p, close, &e->arg, &e->narg);
	for (i = 0; i < e->narg; i++)
		grow(p, e, e->arg[i]);
}

/* ------------------------------------------------------------------- primary */

/* name = IDENT | [IDENT] "`" IDENT | IDENT "(" args ")" */
static struct expr *parse_name(struct parser *p)
{
	struct expr *e = new_expr(p, E_IDENT, p_loc(p));

	e->name = p_is(p, TOK_IDENT) ? p_ident(p) : "";
	if (p_accept(p, TOK_BACKQUOTE)) {
		e->mod = e->name;
		e->name = p_ident(p);
	} else if (p_accept(p, TOK_LPAR)) {
		e->kind = E_CALL;
		take_args(p, e, TOK_RPAR);
	}
	return e;
}

/* scoped = ("this" | "self") "->" member-name */
static struct expr *parse_scoped(struct parser *p, enum expr_kind kind)
{
	struct expr *e = new_expr(p, kind, p_loc(p));

	p_next(p);
	p_expect(p, TOK_ARROW);
	e->name = p_member_name(p);
	return e;
}

/* agg = "@" [IDENT] ["[" args "]"] */
static struct expr *parse_agg(struct parser *p)
{
	struct expr *e = new_expr(p, E_AGG, p_loc(p));

	e->name = p->tok.name;
	p_next(p);
	if (p_accept(p, TOK_LBRACKET))
		take_args(p, e, TOK_RBRACKET);
	return e;
}

/* offsetof = "offsetof" "(" type-name "," member-name ")" */
static struct expr *parse_offsetof(struct parser *p)
{
	struct expr *e = new_expr(p, E_OFFSETOF, p_loc(p));

	p_next(p);
	p_expect(p, TOK_LPAR);
	e->ctype = p_open_type_name(p);
	p_expect(p, TOK_COMMA);
	e->name = p_member_name(p);
	p_expect(p, TOK_RPAR);
	return e;
}

/* xlate = "xlate" "<" type-name ">" "(" expr ")" */
static struct expr *parse_xlate(struct parser *p)
{
	struct expr *e = new_expr(p, E_XLATE, p_loc(p));

	p_next(p);
	p_expect(p, TOK_LT);
	e->ctype = p_type_name(p);
	p_expect(p, TOK_GT);
	p_expect(p, TOK_LPAR);
	e->a = p_expr(p);
	grow(p, e, e->a);
	p_expect(p, TOK_RPAR);
	return e;
}

/* paren = "(" expr ")" */
static struct expr *parse_paren(struct parser *p)
{
	struct expr *e;

	p_next(p);
	e = p_expr(p);
	e->paren = true;
	p_expect(p, TOK_RPAR);
	return e;
}

static struct expr *parse_constant(struct parser *p)
{
	struct expr *e = new_expr(p, p_is(p, TOK_INT) ? E_INT : E_STR, p_loc(p));

	e->ival = p->tok.ival;
	e->type = p->tok.type;
	e->str = p->tok.str;
	e->len = p->tok.len;
	p_next(p);
	return e;
}

/* primary = INT | STR | name | scoped | agg | offsetof | xlate | paren */
static struct expr *parse_primary(struct parser *p)
{
	struct loc loc = p_loc(p);

	switch ((int)p->tok.kind) {
	case TOK_INT:
	case TOK_STR:
		return parse_constant(p);
	case TOK_IDENT:
	case TOK_BACKQUOTE:
		return parse_name(p);
	case TOK_THIS:
		return parse_scoped(p, E_THIS);
	case TOK_SELF:
		return parse_scoped(p, E_SELF);
	case TOK_AGG:
		return parse_agg(p);
	case TOK_OFFSETOF:
		return parse_offsetof(p);
	case TOK_XLATE:
		return parse_xlate(p);
	case TOK_LPAR:
		return parse_paren(p);
	}
	p_syntax(p);
	return dummy(p, loc);
}

/* ------------------------------------------------------------ postfix, unary */

static struct expr *parse_member(struct parser *p, struct expr *a)
{
	struct expr *e = new_op(p, E_MEMBER, p_loc(p), a, NULL);

	e->arrow = p_is(p, TOK_ARROW);
	p_next(p);
	e->name = p_member_name(p);
	return e;
}

/* Parses "a[args]". "a[]" is a syntax error. */
static struct expr *parse_index(struct parser *p, struct expr *a)
{
	struct expr *e = new_op(p, E_INDEX, p_loc(p), a, NULL);

	p_next(p);
	if (p_is(p, TOK_RBRACKET))
		p_syntax(p);
	take_args(p, e, TOK_RBRACKET);
	return e;
}

static struct expr *parse_postop(struct parser *p, struct expr *a, enum unary_op op)
{
	struct expr *e = new_op(p, E_UNARY, p_loc(p), a, NULL);

	e->op = (uint8_t)op;
	p_next(p);
	return e;
}

/* postfix = primary ("[" args "]" | ("." | "->") member-name | "++" | "--")* */
static struct expr *parse_postfix(struct parser *p)
{
	struct expr *e = parse_primary(p);

	for (;;) {
		switch ((int)p->tok.kind) {
		case TOK_LBRACKET:
			e = parse_index(p, e);
			break;
		case TOK_DOT:
		case TOK_ARROW:
			e = parse_member(p, e);
			break;
		case TOK_INC:
			e = parse_postop(p, e, U_POSTINC);
			break;
		case TOK_DEC:
			e = parse_postop(p, e, U_POSTDEC);
			break;
		case TOK_LPAR: /* only a name can be called, and parse_name() parses such calls */
			p_fail(p, D_FUNC_IDENT, p_loc(p),
			       "function designator is not of function type");
			return e;
		default:
			return e;
		}
	}
}

static struct expr *parse_unary(struct parser *p);

/* sizeof = "sizeof" ("(" type-name ")" | unary) */
static struct expr *parse_sizeof(struct parser *p)
{
	struct expr *e = new_expr(p, E_SIZEOF, p_loc(p));

	p_next(p);
	if (p_is(p, TOK_LPAR) && p_paren_type(p, false)) {
		p_next(p);
		e->ctype = p_type_name(p);
		p_expect(p, TOK_RPAR);
	} else {
		e->a = parse_unary(p);
		grow(p, e, e->a);
	}
	return e;
}

/* cast = "(" type-name ")" unary */
static struct expr *parse_cast(struct parser *p)
{
	struct loc loc = p_loc(p);
	struct type *t;
	struct expr *e;

	p_next(p);
	t = p_type_name(p);
	p_expect(p, TOK_RPAR);
	e = new_op(p, E_CAST, loc, parse_unary(p), NULL);
	e->ctype = t;
	return e;
}

static struct expr *parse_preop(struct parser *p, enum expr_kind kind, enum unary_op op)
{
	struct loc loc = p_loc(p);
	struct expr *e;

	p_next(p);
	e = new_op(p, kind, loc, parse_unary(p), NULL);
	if (kind == E_UNARY)
		e->op = (uint8_t)op;
	return e;
}

/*
 * unary = ("-" | "+" | "!" | "~" | "*" | "&" | "++" | "--" | "stringof") unary
 *       | sizeof | cast | postfix
 */
static struct expr *unary_nested(struct parser *p)
{
	switch ((int)p->tok.kind) {
	case TOK_SUB:
		return parse_preop(p, E_UNARY, U_NEG);
	case TOK_ADD:
		return parse_preop(p, E_UNARY, U_PLUS);
	case TOK_NOT:
		return parse_preop(p, E_UNARY, U_NOT);
	case TOK_BITNOT:
		return parse_preop(p, E_UNARY, U_BITNOT);
	case TOK_STAR:
		return parse_preop(p, E_UNARY, U_DEREF);
	case TOK_AND:
		return parse_preop(p, E_UNARY, U_ADDR);
	case TOK_INC:
		return parse_preop(p, E_UNARY, U_PREINC);
	case TOK_DEC:
		return parse_preop(p, E_UNARY, U_PREDEC);
	case TOK_STRINGOF:
		return parse_preop(p, E_STRINGOF, 0);
	case TOK_SIZEOF:
		return parse_sizeof(p);
	case TOK_LPAR:
		if (p_paren_type(p, true))
			return parse_cast(p);
		break;
	}
	return parse_postfix(p);
}

/*
 * Parses a unary expression and counts the nesting here, because every nested operand is parsed by
 * this function.
 */
static struct expr *parse_unary(struct parser *p)
{
	struct loc loc = p_loc(p);
	struct expr *e;

	if (!p_enter(p))
		return dummy(p, loc);
	e = unary_nested(p);
	p_leave(p);
	return e;
}

/* -------------------------------------------------------------------- binary */

/*
 * The binary operator that each token stands for, and its precedence, which is 0 if the token is no
 * binary operator.
 */
static const struct binop {
	uint8_t op, prec;
} binops[TOK_MAX] = {
	[TOK_LOR] = {B_LOR, 1},  [TOK_LXOR] = {B_LXOR, 2}, [TOK_LAND] = {B_LAND, 3},
	[TOK_OR] = {B_OR, 4},    [TOK_XOR] = {B_XOR, 5},   [TOK_AND] = {B_AND, 6},
	[TOK_EQ] = {B_EQ, 7},    [TOK_NE] = {B_NE, 7},     [TOK_LT] = {B_LT, 8},
	[TOK_LE] = {B_LE, 8},    [TOK_GT] = {B_GT, 8},     [TOK_GE] = {B_GE, 8},
	[TOK_SHL] = {B_SHL, 9},  [TOK_SHR] = {B_SHR, 9},   [TOK_ADD] = {B_ADD, 10},
	[TOK_SUB] = {B_SUB, 10}, [TOK_STAR] = {B_MUL, 11}, [TOK_DIV] = {B_DIV, 11},
	[TOK_MOD] = {B_MOD, 11},
};

/* The binary operator of each assignment token: B_ADD for "+=". */
static const uint8_t assign_ops[TOK_MAX] = {
	[TOK_ADD_EQ] = B_ADD, [TOK_SUB_EQ] = B_SUB, [TOK_MUL_EQ] = B_MUL, [TOK_DIV_EQ] = B_DIV,
	[TOK_MOD_EQ] = B_MOD, [TOK_AND_EQ] = B_AND, [TOK_OR_EQ] = B_OR,   [TOK_XOR_EQ] = B_XOR,
	[TOK_SHL_EQ] = B_SHL, [TOK_SHR_EQ] = B_SHR,
};

/* binary(min) = unary (op binary(prec of op))*, for ops with higher precedence than min */
static struct expr *parse_binary(struct parser *p, unsigned min)
{
	struct expr *e = parse_unary(p);
	const struct binop *b;

	while ((b = &binops[p->tok.kind])->prec > min) {
		struct loc loc = p_loc(p);

		p_next(p);
		e = new_op(p, E_BINARY, loc, e, parse_binary(p, b->prec));
		e->op = b->op;
	}
	return e;
}

/*
 * cond = binary ["?" expr ":" cond]
 *
 * The library has long tables that are written as chains of ?:. So a loop collects the chain, and
 * the tree is built from the end of the chain.
 */
static struct expr *parse_cond(struct parser *p)
{
	struct expr *e = parse_binary(p, 0);
	expr_vec chain = {0};

	while (p_is(p, TOK_QUESTION)) {
		struct expr *c = new_op(p, E_COND, p_loc(p), e, NULL);

		p_next(p);
		if (!p_enter(p))
			return e;
		c->b = p_expr(p);
		p_leave(p);
		grow(p, c, c->b);
		p_expect(p, TOK_COLON);
		vec_apush(p->a, &chain, c);
		e = parse_binary(p, 0);
	}
	while (chain.n) {
		struct expr *c = chain.v[--chain.n];

		c->c = e;
		grow(p, c, e);
		e = c;
	}
	return e;
}

/* assign-expr = cond [("=" | "+=" | "-=" ...) assign-expr] */
struct expr *p_assign_expr(struct parser *p)
{
	struct expr *e = parse_cond(p);
	struct loc loc = p_loc(p);
	uint8_t op = assign_ops[p->tok.kind];

	if (!op && !p_is(p, TOK_ASSIGN))
		return e;
	if (!p_enter(p))
		return e;
	p_next(p);
	e = new_op(p, E_ASSIGN, loc, e, p_assign_expr(p));
	e->op = op;
	p_leave(p);
	return e;
}

/* expr = assign-expr ("," assign-expr)* */
struct expr *p_expr(struct parser *p)
{
	struct expr *e = p_assign_expr(p);

	while (p_is(p, TOK_COMMA)) {
		struct loc loc = p_loc(p);

		p_next(p);
		e = new_op(p, E_COMMA, loc, e, p_assign_expr(p));
	}
	return e;
}
