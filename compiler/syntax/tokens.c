/*
 * tokens.c - the parser's current token: reads the next one, and reports syntax errors at it.
 *
 * All files of the grammar call the functions of this file, which call no function of the grammar.
 */
#include "compiler/syntax/parse_int.h"

#include "base/strbuf.h"

/* -------------------------------------------------------------------- tokens */

struct loc p_loc_at(const struct parser *p, uint32_t off)
{
	return (struct loc){p->lx.src, off};
}

struct loc p_loc(const struct parser *p)
{
	return p_loc_at(p, p->tok.off);
}

void p_stop(struct parser *p)
{
	p->failed = true;
	p->tok.kind = TOK_EOF;
	p->tok.name = NULL;
}

/*
 * Returns whether the current token is behind the end of the text that the caller asked to parse.
 */
static bool at_end(const struct parser *p)
{
	return p->o->to && p->tok.off >= p->o->to;
}

static void lex_from(struct parser *p, uint32_t off)
{
	if (p->failed)
		return;
	lex(&p->lx, off, p->mode, &p->tok);
	while (p->tok.kind == TOK_CONTROL && !at_end(p)) {
		p_control(p);
		if (p->failed)
			return;
		lex(&p->lx, p->tok.end, p->mode, &p->tok);
	}
	if (at_end(p))
		p->tok = (struct token){.kind = TOK_EOF, .off = p->o->to, .end = p->o->to};
	else if (p->tok.kind == TOK_ERROR)
		p_stop(p);
}

void p_next(struct parser *p)
{
	p->last_end = p->tok.end;
	lex_from(p, p->tok.end);
}

void p_next_in(struct parser *p, enum lex_mode mode)
{
	p->mode = mode;
	p_next(p);
}

void p_relex(struct parser *p, enum lex_mode mode)
{
	p->mode = mode;
	lex_from(p, p->tok.off);
}

struct token p_peek_at(struct parser *p, uint32_t off)
{
	struct token t;

	lex_peek(&p->lx, off, p->mode, &t);
	return t;
}

bool p_is(const struct parser *p, enum tok kind)
{
	return p->tok.kind == kind;
}

bool p_accept(struct parser *p, enum tok kind)
{
	if (p->tok.kind != kind)
		return false;
	p_next(p);
	return true;
}

bool p_expect_in(struct parser *p, enum tok kind, enum lex_mode mode)
{
	if (p->tok.kind != kind) {
		p_syntax(p);
		return false;
	}
	p_next_in(p, mode);
	return true;
}

bool p_expect(struct parser *p, enum tok kind)
{
	return p_expect_in(p, kind, p->mode);
}

const char *p_ident(struct parser *p)
{
	const char *name = p->tok.name;

	return p_expect(p, TOK_IDENT) ? name : "";
}

const char *p_member_name(struct parser *p)
{
	const char *name = p->tok.name;

	if (!tok_is_member_name(p->tok.kind))
		return p_ident(p);
	p_next(p);
	return name;
}

bool p_enter(struct parser *p)
{
	if (p->depth >= NEST_MAX) {
		p_fail(p, D_LIMIT, p_loc(p),
		       "the program is nested too deeply: more than %d levels", NEST_MAX);
		return false;
	}
	p->depth++;
	return true;
}

void p_leave(struct parser *p)
{
	p->depth--;
}

/* -------------------------------------------------------------- syntax errors */

/*
 * Returns the token as written, but at most 256 bytes of it, with unprintable bytes made visible.
 */
static const char *token_text(const struct parser *p)
{
	const char *s = p->lx.src->text;
	struct strbuf b = {0};
	uint32_t i;

	for (i = p->tok.off; i < p->tok.end && i - p->tok.off < 256; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c < ' ' || c == 0x7f)
			strbuf_addf(&b, "\\x%02x", c);
		else
			strbuf_addc(&b, (char)c);
	}
	return arena_take(p->a, &b);
}

void p_syntax(struct parser *p)
{
	p_syntax_hint(p, p_hint(p));
}

void p_syntax_hint(struct parser *p, const char *hint)
{
	bool first = !p->failed;

	if (p_is(p, TOK_EOF))
		p_fail(p, D_SYNTAX, p_loc(p), "syntax error near end of input");
	else
		p_fail(p, D_SYNTAX, p_loc(p), "syntax error near \"%s\"", token_text(p));
	if (first && hint)
		diag_hint(p->d, "%s", hint);
}
