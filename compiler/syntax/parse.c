/*
 * parse.c - parses programs, clauses and statements.
 */
#include "compiler/syntax/parse_int.h"

#include <string.h>

#include "ir/types/type.h"

/* ---------------------------------------------------------------- statements */

static struct stmt *parse_stmts(struct parser *p);

/* block = "{" stmts "}". Statements may follow the block. */
static struct stmt *parse_block(struct parser *p)
{
	struct stmt *s;

	p_expect(p, TOK_LBRACE);
	s = parse_stmts(p);
	p_expect(p, TOK_RBRACE);
	return s;
}

static struct stmt *parse_stmt(struct parser *p);

/* branch = block | stmt */
static struct stmt *parse_branch(struct parser *p)
{
	return p_is(p, TOK_LBRACE) ? parse_block(p) : parse_stmt(p);
}

/* if = "if" "(" expr ")" branch ["else" branch] */
static struct stmt *parse_if(struct parser *p)
{
	struct stmt *s = arena_new(p->a, struct stmt);

	s->kind = S_IF;
	s->loc = p_loc(p);
	p_next(p);
	p_expect(p, TOK_LPAR);
	s->expr = p_expr(p);
	p_expect(p, TOK_RPAR);
	s->body = parse_branch(p);
	if (p_accept(p, TOK_ELSE))
		s->other = parse_branch(p);
	return s;
}

/* expr-stmt = expr (";" | before "}") */
static struct stmt *parse_expr_stmt(struct parser *p)
{
	struct stmt *s = arena_new(p->a, struct stmt);

	s->kind = S_EXPR;
	s->loc = p_loc(p);
	s->expr = p_expr(p);
	if (!p_is(p, TOK_RBRACE))
		p_expect(p, TOK_SEMI);
	return s;
}

/* stmt = if | expr-stmt | ";". Returns NULL for an empty statement. */
static struct stmt *parse_stmt(struct parser *p)
{
	struct stmt *s = NULL;

	if (p_accept(p, TOK_SEMI) || !p_enter(p))
		return NULL;
	s = p_is(p, TOK_IF) ? parse_if(p) : parse_expr_stmt(p);
	p_leave(p);
	return s;
}

/* stmts = stmt* */
static struct stmt *parse_stmts(struct parser *p)
{
	struct stmt *first = NULL, **end = &first;

	while (!p_is(p, TOK_RBRACE) && !p->failed) {
		*end = parse_stmt(p);
		if (*end)
			end = &(*end)->next;
	}
	return first;
}

/* ------------------------------------------------------------------- clauses */

/* descs = desc ("," desc)* */
static void parse_descs(struct parser *p, struct clause *c)
{
	VEC(struct probe_desc) v = {0};
	struct probe_desc d;

	do {
		if (!p_is(p, TOK_WORD)) {
			p_syntax(p);
			break;
		}
		p_desc(p, &d);
		vec_apush(p->a, &v, d);
	} while (p_accept(p, TOK_COMMA));
	c->desc = v.v;
	c->ndesc = (uint32_t)v.n;
}

/* predicate = "/" expr "/" */
static void parse_predicate(struct parser *p, struct clause *c)
{
	p->d->now = DIAG_IN_PREDICATE;
	c->pred_loc = p_loc(p);
	p_next_in(p, LEX_PRED);
	c->pred = p_expr(p);
	if (!p_is(p, TOK_EPRED))
		p_syntax(p);
	p->d->now = DIAG_OUTSIDE;
	p_expect_in(p, TOK_EPRED, LEX_PROBE);
	if (!p_is(p, TOK_LBRACE))
		p_fail(p, D_SYNTAX, c->pred_loc,
		       "expected actions { } following probe description and predicate");
}

/* body = "{" stmts "}". Clauses and declarations may follow the body. */
static void parse_body(struct parser *p, struct clause *c)
{
	p->d->now = DIAG_IN_ACTIONS;
	c->has_body = true;
	c->body_loc = p_loc(p);
	p_next_in(p, LEX_EXPR);
	c->body = parse_stmts(p);
	if (!p_is(p, TOK_RBRACE))
		p_syntax(p);
	p->d->now = DIAG_OUTSIDE;
	p_expect_in(p, TOK_RBRACE, LEX_PROBE);
}

/* Handles a description with neither predicate nor body. */
static void no_body(struct parser *p, const struct clause *c)
{
	const struct probe_desc *d = &c->desc[0];
	bool word = p_is(p, TOK_WORD);

	if (!p_is(p, TOK_EOF) && !word) {
		p_syntax(p);
		return;
	}
	if (p->o->bare || p->failed)
		return;
	p_fail(p, D_SYNTAX, d->loc,
	       "expected predicate and/or actions following probe description");
	if (word && !strchr(d->text, ':'))
		diag_hint(p->d, "if this is a declaration: %s", p_unknown_type(p, d->text));
}

/*
 * clause = ["or"] descs [predicate] [body] | desc derivation. The "or" and derivations (which say
 * what hooks fire a probe) are for library texts.
 */
static void parse_clause(struct parser *p)
{
	struct clause *c = arena_new(p->a, struct clause);
	const char *text = p->lx.src->text;

	if (p->o->lib && p_at_word(p, "or")) {
		c->alternative = true;
		p_next(p);
	}
	c->loc = p_loc(p);
	parse_descs(p, c);
	if (p->failed)
		return;
	if (p->o->lib && p_is(p, TOK_WORD) && c->ndesc == 1 && p->tok.end - p->tok.off == 2 &&
	    !memcmp(text + p->tok.off, "on", 2)) {
		p_derivation(p, &c->desc[0]);
		return;
	}
	if (p_is(p, TOK_DIV))
		parse_predicate(p, c);
	if (p_is(p, TOK_LBRACE))
		parse_body(p, c);
	else
		no_body(p, c);
	if (!p->failed)
		append(p->clause_end, c);
	else if (p_hint_path(p))
		diag_replace_hint(p->d, p_hint_path(p));
}

/* ------------------------------------------------------------------ programs */

/* Returns whether the token starts a declaration. */
static bool starts_decl(enum tok kind)
{
	switch ((int)kind) {
	case TOK_AUTO:
	case TOK_EXTERN:
	case TOK_INLINE:
	case TOK_REGISTER:
	case TOK_SELF:
	case TOK_STATIC:
	case TOK_THIS:
	case TOK_TYPEDEF:
		return true;
	}
	return p_is_type_word(kind);
}

/*
 * Returns whether the token at or after @off can only follow a probe description. If so, a single
 * name before that token is a description.
 */
static bool only_after_desc(const struct parser *p, uint32_t off)
{
	off = lex_skip(&p->lx, off);
	return off >= p->lx.src->len || p->lx.src->text[off] == '{' ||
	       p->lx.src->text[off] == '/' || p->lx.src->text[off] == ',';
}

/*
 * Returns TOK_WORD if the current word is a probe description, TOK_TYPEDEF if it starts a
 * declaration, else the kind of the token at the beginning of the word. The name at the beginning
 * of the word decides, because the characters of a word mean different tokens in a description
 * ("tick-1s") and in a declaration ("int*x").
 */
static enum tok classify(struct parser *p)
{
	const char *s = p->lx.src->text;
	uint32_t off = p->tok.off, end = p->tok.end;
	struct token t;

	if (memchr(s + off, ':', end - off) || s[off] == '$')
		return TOK_WORD;
	lex_peek(&p->lx, off, LEX_EXPR, &t);
	if (t.end != end && s[t.end] != '*')
		return TOK_WORD;
	if (t.kind != TOK_IDENT) {
		bool tagged = t.kind == TOK_STRUCT || t.kind == TOK_UNION || t.kind == TOK_ENUM;

		if (!tagged && only_after_desc(p, end))
			return TOK_WORD;
		return starts_decl(t.kind) ? TOK_TYPEDEF : t.kind;
	}
	if (only_after_desc(p, end))
		return TOK_WORD;
	if (s[lex_skip(&p->lx, end)] == '`')
		return TOK_TYPEDEF;
	return p_is_typedef(p, t.name) ? TOK_TYPEDEF : TOK_WORD;
}

/* item = declaration | translator | provider | clause */
static void parse_item(struct parser *p)
{
	enum tok kind = p_is(p, TOK_WORD) ? classify(p) : p->tok.kind;

	p->any = true;
	switch ((int)kind) {
	case TOK_TYPEDEF:
	case TOK_BACKQUOTE:
		p_declaration(p);
		break;
	case TOK_TRANSLATOR:
		p_translator(p);
		break;
	case TOK_PROVIDER:
		p_provider(p);
		break;
	case TOK_WORD:
		parse_clause(p);
		break;
	default:
		if (p_is(p, TOK_WORD))
			p_relex(p, LEX_EXPR);
		p_syntax(p);
	}
}

static void parser_init(struct parser *p, struct arena *a, struct intern *names,
			struct scope *scope, const struct src *src, const struct parse_opts *o,
			struct diag *d)
{
	memset(p, 0, sizeof(*p));
	p->a = a;
	p->names = names;
	p->scope = scope;
	p->o = o;
	p->d = d;
	p->lx = (struct lexer){src, a, names, o->macros, d};
	d->now = DIAG_OUTSIDE;
	if (src->len > INT32_MAX)
		p_fail(p, D_LIMIT, NOLOC, "program text is too long");
}

static void ast_init(struct parser *p, struct ast *out)
{
	memset(out, 0, sizeof(*out));
	p->ast = out;
	p->clause_end = &out->clause;
	p->var_end = &out->var;
	p->enum_end = &out->enums;
	p->inl_end = &out->inl;
	p->xl_end = &out->xl;
	p->prov_end = &out->prov;
	p->deriv_end = &out->deriv;
	p->pragma_end = &out->pragma;
}

/* program = item* */
int parse_program(struct arena *a, struct intern *names, struct scope *scope, const struct src *src,
		  const struct parse_opts *o, struct ast *out, struct diag *d)
{
	struct parser p;

	parser_init(&p, a, names, scope, src, o, d);
	ast_init(&p, out);
	p.tok.end = o->from;
	p_next_in(&p, LEX_PROBE);
	while (!p_is(&p, TOK_EOF)) {
		uint32_t from = p.tok.off;

		parse_item(&p);
		if (o->declared && !p.failed)
			o->declared(o->ctx, from, p.last_end);
	}
	p_settle_typedefs(&p);
	if (!p.any && !o->lib && !o->empty)
		p_fail(&p, D_EMPTY, p_loc(&p), "empty D program translation unit");
	d->now = DIAG_OUTSIDE;
	return p.failed ? -1 : 0;
}

struct type *parse_proto(struct arena *a, struct intern *names, struct scope *scope,
			 const char *text, struct diag *d)
{
	struct src *src = arena_new(a, struct src);
	struct parse_opts o = {.lib = true};
	struct specs s = {0};
	struct declared out;
	struct parser p;
	struct ast unused;

	*src = (struct src){SRC_LIB, "prototype", text, strlen(text), false};
	parser_init(&p, a, names, scope, src, &o, d);
	ast_init(&p, &unused);
	p.proto = true;
	p_next_in(&p, LEX_EXPR);
	p_specs(&p, &s);
	p_no_storage(&p, &s);
	p_declarator(&p, &s, DECLR_NONAME, &out);
	if (!p_is(&p, TOK_EOF))
		p_syntax(&p);
	return p.failed ? NULL : out.type;
}

int parse_desc(struct arena *a, struct intern *names, const struct src *src, enum pd_right right,
	       struct probe_desc *out, struct diag *d)
{
	struct parse_opts o = {.right = right, .bare = true};
	struct parser p;
	struct ast unused;

	parser_init(&p, a, names, NULL, src, &o, d);
	ast_init(&p, &unused);
	p_next_in(&p, LEX_PROBE);
	if (!p_is(&p, TOK_WORD) && !p_is(&p, TOK_EOF))
		p_syntax(&p);
	p_desc(&p, out);
	if (!p_is(&p, TOK_EOF))
		p_syntax(&p);
	return p.failed ? -1 : 0;
}
