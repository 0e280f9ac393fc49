/*
 * ast.c - copies syntax trees and prints them.
 *
 * The functions are recursive. The parser and the type checker limit the height of trees, which
 * limits the recursion too.
 */
#include "compiler/syntax/ast.h"

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* -------------------------------------------------------------------- copies */

static struct expr *clone(struct arena *a, const struct expr *e, const struct loc *at)
{
	struct expr *n;

	if (!e)
		return NULL;
	n = arena_memdup(a, e, sizeof(*e));
	if (at)
		n->loc = *at;
	n->a = clone(a, e->a, at);
	n->b = clone(a, e->b, at);
	n->c = clone(a, e->c, at);
	n->arg = e->narg ? arena_newn(a, struct expr *, e->narg) : NULL;
	for (uint32_t i = 0; i < e->narg; i++)
		n->arg[i] = clone(a, e->arg[i], at);
	return n;
}

struct expr *expr_clone(struct arena *a, const struct expr *e)
{
	return clone(a, e, NULL);
}

struct expr *expr_clone_at(struct arena *a, const struct expr *e, struct loc at)
{
	return clone(a, e, &at);
}

struct stmt *stmt_clone(struct arena *a, const struct stmt *s)
{
	struct stmt *first = NULL, **end = &first;

	for (; s; s = s->next, end = &(*end)->next) {
		*end = arena_memdup(a, s, sizeof(*s));
		(*end)->expr = expr_clone(a, s->expr);
		(*end)->body = stmt_clone(a, s->body);
		(*end)->other = stmt_clone(a, s->other);
	}
	return first;
}

void stmt_each(struct stmt *s, void (*fn)(void *ctx, struct stmt *s), void *ctx)
{
	for (; s; s = s->next) {
		fn(ctx, s);
		stmt_each(s->body, fn, ctx);
		stmt_each(s->other, fn, ctx);
	}
}

/* ----------------------------------------------------------------- operators */

static const char *const unary_text[] = {
	[U_NEG] = "-",      [U_PLUS] = "+",     [U_NOT] = "!",     [U_BITNOT] = "~",
	[U_DEREF] = "*",    [U_ADDR] = "&",     [U_PREINC] = "++", [U_PREDEC] = "--",
	[U_POSTINC] = "++", [U_POSTDEC] = "--",
};

static const char *const binary_text[] = {
	[B_NONE] = "", [B_LOR] = "||", [B_LXOR] = "^^", [B_LAND] = "&&", [B_OR] = "|",
	[B_XOR] = "^", [B_AND] = "&",  [B_EQ] = "==",   [B_NE] = "!=",   [B_LT] = "<",
	[B_LE] = "<=", [B_GT] = ">",   [B_GE] = ">=",   [B_SHL] = "<<",  [B_SHR] = ">>",
	[B_ADD] = "+", [B_SUB] = "-",  [B_MUL] = "*",   [B_DIV] = "/",   [B_MOD] = "%",
};

static bool is_postfix_op(const struct expr *e)
{
	return e->op == U_POSTINC || e->op == U_POSTDEC;
}

static const char *str_escape(unsigned char c)
{
	switch (c) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\n':
		return "\\n";
	case '\t':
		return "\\t";
	case '\r':
		return "\\r";
	}
	return NULL;
}

static void add_str(const struct expr *e, struct strbuf *out)
{
	uint32_t i;

	strbuf_addc(out, '"');
	for (i = 0; i < e->len; i++) {
		unsigned char c = (unsigned char)e->str[i];
		const char *esc = str_escape(c);

		if (esc)
			strbuf_adds(out, esc);
		else if (c < ' ' || c == 0x7f)
			strbuf_addf(out, "\\%03o", c);
		else
			strbuf_addc(out, (char)c);
	}
	strbuf_addc(out, '"');
}

static void add_int(const struct expr *e, struct strbuf *out)
{
	if (!e->type || type_is_signed(e->type))
		strbuf_addf(out, "%lld", (long long)e->ival);
	else
		strbuf_addf(out, "%llu", (unsigned long long)e->ival);
}

static void add_ident(const struct expr *e, struct strbuf *out)
{
	if (e->mod)
		strbuf_addf(out, "%s`", e->mod);
	strbuf_adds(out, e->name);
}

static void add_agg_name(const struct expr *e, struct strbuf *out)
{
	bool alone = e->name[0] == '_' && !e->name[1];

	strbuf_addf(out, "@%s", alone ? "" : e->name);
}

/* -------------------------------------------------------------------- D text */

/* Prints an expression without the parentheses around it. */
static void text_node(const struct expr *e, struct strbuf *out);

static void text_args(const struct expr *e, char open, char close, struct strbuf *out)
{
	uint32_t i;

	strbuf_addc(out, open);
	for (i = 0; i < e->narg; i++) {
		if (i)
			strbuf_adds(out, ", ");
		expr_text(e->arg[i], out);
	}
	strbuf_addc(out, close);
}

static void text_unary(const struct expr *e, struct strbuf *out)
{
	const char *op = unary_text[e->op];
	size_t at;

	if (is_postfix_op(e)) {
		expr_text(e->a, out);
		strbuf_adds(out, op);
		return;
	}
	strbuf_adds(out, op);
	at = out->len;
	expr_text(e->a, out);
	if (out->s[at] == op[0] && strchr("+-&", op[0])) {
		strbuf_addc(out, ' '); /* prints "- -x", because "--x" is another operator */
		memmove(out->s + at + 1, out->s + at, out->len - at - 1);
		out->s[at] = ' ';
	}
}

static void text_infix(const struct expr *e, const char *op, struct strbuf *out)
{
	expr_text(e->a, out);
	strbuf_addf(out, " %s ", op);
	expr_text(e->b, out);
}

static void text_sizeof(const struct expr *e, struct strbuf *out)
{
	strbuf_adds(out, "sizeof (");
	if (e->ctype)
		type_name(e->ctype, out);
	else
		text_node(e->a, out);
	strbuf_addc(out, ')');
}

static void text_assign(const struct expr *e, struct strbuf *out)
{
	expr_text(e->a, out);
	strbuf_addf(out, " %s= ", binary_text[e->op]);
	expr_text(e->b, out);
}

static void text_cond(const struct expr *e, struct strbuf *out)
{
	text_infix(e, "?", out);
	strbuf_adds(out, " : ");
	expr_text(e->c, out);
}

/* Prints "(type)x", "xlate <type>(x)" and similar forms. */
static void text_typed(const struct expr *e, const char *open, const char *close,
		       struct strbuf *out)
{
	strbuf_adds(out, open);
	type_name(e->ctype, out);
	strbuf_adds(out, close);
	if (e->kind == E_OFFSETOF)
		strbuf_adds(out, e->name);
	else
		expr_text(e->a, out);
	if (e->kind != E_CAST)
		strbuf_addc(out, ')');
}

static void text_ident(const struct expr *e, struct strbuf *out)
{
	if (e->kind != E_IDENT)
		strbuf_adds(out, e->kind == E_THIS ? "this->" : "self->");
	add_ident(e, out);
}

static void text_agg(const struct expr *e, struct strbuf *out)
{
	add_agg_name(e, out);
	if (e->narg)
		text_args(e, '[', ']', out);
}

static void text_binary(const struct expr *e, struct strbuf *out)
{
	text_infix(e, binary_text[e->op], out);
}

static void text_call(const struct expr *e, struct strbuf *out)
{
	strbuf_adds(out, e->name);
	text_args(e, '(', ')', out);
}

static void text_index(const struct expr *e, struct strbuf *out)
{
	expr_text(e->a, out);
	text_args(e, '[', ']', out);
}

static void text_member(const struct expr *e, struct strbuf *out)
{
	expr_text(e->a, out);
	strbuf_addf(out, "%s%s", e->arrow ? "->" : ".", e->name);
}

static void text_cast(const struct expr *e, struct strbuf *out)
{
	if (e->ctype)
		text_typed(e, "(", ")", out);
	else
		expr_text(e->a, out);
}

static void text_offsetof(const struct expr *e, struct strbuf *out)
{
	text_typed(e, "offsetof(", ", ", out);
}

static void text_stringof(const struct expr *e, struct strbuf *out)
{
	strbuf_adds(out, "stringof(");
	text_node(e->a, out);
	strbuf_addc(out, ')');
}

static void text_xlate(const struct expr *e, struct strbuf *out)
{
	text_typed(e, "xlate <", ">(", out);
}

static void text_comma(const struct expr *e, struct strbuf *out)
{
	expr_text(e->a, out);
	strbuf_adds(out, ", ");
	expr_text(e->b, out);
}

static void text_node(const struct expr *e, struct strbuf *out)
{
	static void (*const text[])(const struct expr *, struct strbuf *) = {
		[E_INT] = add_int,
		[E_STR] = add_str,
		[E_IDENT] = text_ident,
		[E_THIS] = text_ident,
		[E_SELF] = text_ident,
		[E_AGG] = text_agg,
		[E_UNARY] = text_unary,
		[E_BINARY] = text_binary,
		[E_ASSIGN] = text_assign,
		[E_COND] = text_cond,
		[E_CALL] = text_call,
		[E_INDEX] = text_index,
		[E_MEMBER] = text_member,
		[E_CAST] = text_cast,
		[E_SIZEOF] = text_sizeof,
		[E_OFFSETOF] = text_offsetof,
		[E_STRINGOF] = text_stringof,
		[E_XLATE] = text_xlate,
		[E_COMMA] = text_comma,
	};

	text[e->kind](e, out);
}

void expr_text(const struct expr *e, struct strbuf *out)
{
	if (e->written)
		e = e->written;
	if (e->paren)
		strbuf_addc(out, '(');
	text_node(e, out);
	if (e->paren)
		strbuf_addc(out, ')');
}

/* --------------------------------------------------------------------- dumps */

static void indent_to(int indent, struct strbuf *out)
{
	while (indent--)
		strbuf_adds(out, "  ");
}

static const char *word_of(const struct expr *e)
{
	static const char *const word[] = {
		[E_INT] = "int ",           [E_STR] = "str ",          [E_IDENT] = "ident ",
		[E_THIS] = "this ",         [E_SELF] = "self ",        [E_AGG] = "agg @",
		[E_UNARY] = "unary ",       [E_BINARY] = "binary ",    [E_ASSIGN] = "assign ",
		[E_COND] = "cond",          [E_CALL] = "call ",        [E_INDEX] = "index",
		[E_MEMBER] = "member ",     [E_CAST] = "cast",         [E_SIZEOF] = "sizeof",
		[E_OFFSETOF] = "offsetof ", [E_STRINGOF] = "stringof", [E_XLATE] = "xlate",
		[E_COMMA] = "comma",
	};

	return e->kind == E_UNARY && is_postfix_op(e) ? "postfix " : word[e->kind];
}

/*
 * Returns the word that a dump shows for the enum conversion of cast @e. Returns "" if the type
 * checker has not handled the cast yet.
 */
static const char *conversion_word(const struct expr *e)
{
	static const char *const word[] = {
		[CONV_KEEP] = " keep", [CONV_CUT] = " cut",     [CONV_ADDRESS] = " address",
		[CONV_TEXT] = " text", [CONV_NULL] = " null",   [CONV_CHARS] = " chars",
		[CONV_DROP] = " drop", [CONV_ARRAY] = " array",
	};

	return e->typed ? word[e->op] : "";
}

static void head(const struct expr *e, struct strbuf *out)
{
	strbuf_adds(out, word_of(e));
	switch (e->kind) {
	case E_INT:
		add_int(e, out);
		break;
	case E_STR:
		add_str(e, out);
		break;
	case E_IDENT:
		add_ident(e, out);
		break;
	case E_THIS:
	case E_SELF:
	case E_AGG:
	case E_CALL:
	case E_OFFSETOF:
		strbuf_adds(out, e->name);
		break;
	case E_UNARY:
		strbuf_adds(out, unary_text[e->op]);
		break;
	case E_BINARY:
		strbuf_adds(out, binary_text[e->op]);
		break;
	case E_ASSIGN:
		strbuf_addf(out, "%s=", binary_text[e->op]);
		break;
	case E_MEMBER:
		strbuf_addf(out, "%s%s", e->arrow ? "->" : ".", e->name);
		break;
	case E_CAST:
		strbuf_adds(out, conversion_word(e));
		break;
	default:
		break;
	}
}

static void add_type(struct type *t, const char *open, const char *close, struct strbuf *out)
{
	if (!t)
		return;
	strbuf_adds(out, open);
	type_name(t, out);
	strbuf_adds(out, close);
}

static const struct dump_more nothing;

static void dump_node(const struct expr *e, int indent, const struct dump_more *more,
		      struct strbuf *out)
{
	const struct expr *child[3];
	uint32_t i;

	if (more->stands_for)
		e = more->stands_for(e);
	indent_to(indent, out);
	head(e, out);
	add_type(e->ctype, " <", ">", out);
	add_type(e->type, " : ", "", out);
	if (more->note)
		more->note(more->ctx, e, out);
	strbuf_addc(out, '\n');
	child[0] = e->a, child[1] = e->b, child[2] = e->c;
	for (i = 0; i < 3; i++)
		if (child[i])
			dump_node(child[i], indent + 1, more, out);
	for (i = 0; i < e->narg; i++)
		dump_node(e->arg[i], indent + 1, more, out);
}

void expr_dump(const struct expr *e, int indent, struct strbuf *out)
{
	dump_node(e, indent, &nothing, out);
}

static void line(int indent, const char *text, struct strbuf *out)
{
	indent_to(indent, out);
	strbuf_adds(out, text);
	strbuf_addc(out, '\n');
}

static void dump_stmts(const struct stmt *s, int indent, const struct dump_more *more,
		       struct strbuf *out)
{
	for (; s; s = s->next) {
		if (s->kind == S_EXPR) {
			dump_node(s->expr, indent, more, out);
			continue;
		}
		line(indent, "if", out);
		dump_node(s->expr, indent + 1, more, out);
		line(indent, "then", out);
		dump_stmts(s->body, indent + 1, more, out);
		if (s->other) {
			line(indent, "else", out);
			dump_stmts(s->other, indent + 1, more, out);
		}
	}
}

void clause_dump(const struct expr *pred, const struct stmt *body, const struct dump_more *more,
		 struct strbuf *out)
{
	if (pred) {
		line(1, "predicate", out);
		dump_node(pred, 2, more, out);
	}
	line(1, "body", out);
	dump_stmts(body, 2, more, out);
}

static void dump_desc(const struct probe_desc *d, const char *what, int indent, struct strbuf *out)
{
	indent_to(indent, out);
	if (d->id)
		strbuf_addf(out, "%s #%u\n", what, d->id);
	else
		strbuf_addf(out, "%s %s:%s:%s:%s\n", what, d->field[PD_PROV], d->field[PD_MOD],
			    d->field[PD_FUNC], d->field[PD_NAME]);
}

static void dump_clause(const struct clause *c, struct strbuf *out)
{
	uint32_t i;

	line(0, "clause", out);
	for (i = 0; i < c->ndesc; i++)
		dump_desc(&c->desc[i], "probe", 1, out);
	if (c->pred) {
		line(1, "predicate", out);
		expr_dump(c->pred, 2, out);
	}
	if (c->has_body) {
		line(1, "body", out);
		dump_stmts(c->body, 2, &nothing, out);
	}
}

/* Appends " name <type>". */
static void add_typed(const char *name, struct type *t, struct strbuf *out)
{
	strbuf_addf(out, " %s <", name ? name : "-");
	type_name(t, out);
	strbuf_addc(out, '>');
}

static void add_list(struct type *const *t, const char *const *name, uint32_t n, struct strbuf *out)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		add_typed(name ? name[i] : NULL, t[i], out);
}

static void dump_var(const struct decl_var *v, struct strbuf *out)
{
	static const char *const scope[] =
		{[DECL_GLOBAL] = "global", [DECL_THIS] = "this", [DECL_SELF] = "self"};

	strbuf_addf(out, "%s%s", v->is_extern ? "extern " : "", scope[v->scope]);
	add_typed(v->name, v->type, out);
	if (v->nkey) {
		strbuf_adds(out, " keys");
		add_list(v->key, NULL, v->nkey, out);
	}
	strbuf_addc(out, '\n');
}

static void dump_inline(const struct decl_inline *in, struct strbuf *out)
{
	strbuf_adds(out, "inline");
	add_typed(in->name, in->type, out);
	if (in->nparam) {
		strbuf_adds(out, " params");
		add_list(in->param_type, in->param, in->nparam, out);
	}
	strbuf_addc(out, '\n');
	expr_dump(in->expr, 1, out);
}

static void dump_translator(const struct translator *x, struct strbuf *out)
{
	uint32_t i;

	strbuf_adds(out, "translator <");
	type_name(x->out, out);
	strbuf_addc(out, '>');
	add_list(x->in_type, x->in_name, x->nin, out);
	strbuf_addc(out, '\n');
	for (i = 0; i < x->nmember; i++) {
		indent_to(1, out);
		strbuf_addf(out, "%s =\n", x->member[i].name);
		expr_dump(x->member[i].expr, 2, out);
	}
}

static void dump_probe_arg(const struct probe_arg *a, struct strbuf *out)
{
	uint32_t i;

	strbuf_adds(out, "    arg <");
	type_name(a->type, out);
	strbuf_adds(out, "> from");
	for (i = 0; i < a->nin; i++)
		strbuf_addf(out, " %u", a->in[i]);
	strbuf_addc(out, '\n');
}

static void dump_provider(const struct provider_decl *pv, struct strbuf *out)
{
	const struct probe_decl *pd;
	uint32_t i;

	strbuf_addf(out, "provider %s\n", pv->name);
	for (pd = pv->probe; pd; pd = pd->next) {
		strbuf_addf(out, "  probe %s", pd->name);
		add_list(pd->param, pd->param_name, pd->nparam, out);
		strbuf_addc(out, '\n');
		for (i = 0; i < pd->narg; i++)
			dump_probe_arg(&pd->arg[i], out);
	}
}

static void dump_on(const struct hook_on *h, struct strbuf *out)
{
	uint32_t i;

	dump_desc(&h->host, "on", 2, out);
	if (h->guard) {
		line(3, "guard", out);
		expr_dump(h->guard, 4, out);
	}
	if (h->as) {
		line(3, "as", out);
		expr_dump(h->as, 4, out);
	}
	for (i = 0; i < h->narg; i++) {
		line(3, "native", out);
		expr_dump(h->arg[i], 4, out);
	}
}

static void dump_derivation(const struct derivation *d, struct strbuf *out)
{
	const struct hook_on *h;
	uint32_t i;

	dump_desc(&d->probe, "derivation", 0, out);
	for (i = 0; i < d->ngroup; i++) {
		line(1, "group", out);
		for (h = d->group[i]; h; h = h->next)
			dump_on(h, out);
	}
}

static void dump_pragma(const struct pragma *pr, struct strbuf *out)
{
	int i;

	strbuf_addf(out, "pragma %s", pr->name);
	for (i = 0; i < (int)(sizeof(pr->arg) / sizeof(*pr->arg)) && pr->arg[i]; i++)
		strbuf_addf(out, " %s", pr->arg[i]);
	strbuf_addc(out, '\n');
}

void ast_dump(const struct ast *t, struct strbuf *out)
{
	const struct pragma *pr;
	const struct decl_var *v;
	const struct decl_inline *in;
	const struct translator *x;
	const struct provider_decl *pv;
	const struct derivation *d;
	const struct clause *c;

	for (pr = t->pragma; pr; pr = pr->next)
		dump_pragma(pr, out);
	for (v = t->var; v; v = v->next)
		dump_var(v, out);
	for (in = t->inl; in; in = in->next)
		dump_inline(in, out);
	for (x = t->xl; x; x = x->next)
		dump_translator(x, out);
	for (pv = t->prov; pv; pv = pv->next)
		dump_provider(pv, out);
	for (d = t->deriv; d; d = d->next)
		dump_derivation(d, out);
	for (c = t->clause; c; c = c->next)
		dump_clause(c, out);
}
