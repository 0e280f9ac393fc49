/*
 * parse_attr.c - parses or skips what C headers have and D does not: attributes, and functions with
 * a body.
 *
 * An attribute counts only if it moves members or changes a size. D cannot call a function of a
 * header, so the parser skips the function's text.
 */
#include "compiler/syntax/parse_int.h"

#include <string.h>

#include "ir/types/type.h"

/* ------------------------------------------------------------------ attributes */

static void take_aligned(struct parser *p, struct attrs *at)
{
	int64_t v = 16; /* value of "aligned" alone: the machine's greatest alignment */

	if (p_accept(p, TOK_LPAR)) {
		struct loc loc = p_loc(p);

		if (!p_const(p, p_assign_expr(p), &v) || v < 1 || v > 4096 || (v & (v - 1)))
			p_fail(p, D_TYPE_ERR, loc, "alignment must be a power of two up to 4096");
		p_expect(p, TOK_RPAR);
	}
	if ((uint64_t)v > at->align)
		at->align = (uint32_t)v;
}

/* Parses gcc's name of an integer size in parentheses, such as "(__DI__)", and sets at->size. */
static void take_mode(struct parser *p, struct attrs *at)
{
	static const struct {
		const char *name;
		uint32_t size;
	} modes[] = {{"QI", 1},   {"HI", 2},   {"SI", 4},     {"DI", 8},
		     {"byte", 1}, {"word", 8}, {"pointer", 8}};
	const char *name;
	size_t n;

	p_expect(p, TOK_LPAR);
	name = p_ident(p);
	n = strlen(name);
	if (n > 4 && !strncmp(name, "__", 2)) {
		name += 2;
		n -= 4;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (strlen(modes[i].name) == n && !strncmp(modes[i].name, name, n))
			at->size = modes[i].size;
	p_expect(p, TOK_RPAR);
}

/* attribute = [word ["(" args ")"]]. The word may be a reserved word of D, such as const. */
static void take_attr(struct parser *p, struct attrs *at)
{
	const char *name = p_is(p, TOK_IDENT) ? p->tok.name : "";
	struct expr **arg;
	uint32_t narg;

	if (p_is(p, TOK_COMMA) || p_is(p, TOK_RPAR))
		return;
	p_next(p);
	if (!strcmp(name, "packed") || !strcmp(name, "__packed__"))
		at->packed = true;
	else if (!strcmp(name, "aligned") || !strcmp(name, "__aligned__"))
		take_aligned(p, at);
	else if (!strcmp(name, "mode") || !strcmp(name, "__mode__"))
		take_mode(p, at);
	else if (p_accept(p, TOK_LPAR))
		p_args(p, TOK_RPAR, &arg, &narg);
}

static bool at_word(const struct parser *p, const char *word)
{
	/* Compares first letters, because nearly all identifiers differ there. */
	return p_is(p, TOK_IDENT) && *p->tok.name == *word && !strcmp(p->tok.name, word);
}

bool p_attributes(struct parser *p, struct attrs *at)
{
	bool any = false;

	for (; at_word(p, "__attribute__"); any = true) {
		p_next(p);
		p_expect(p, TOK_LPAR);
		p_expect(p, TOK_LPAR);
		do {
			take_attr(p, at);
		} while (p_accept(p, TOK_COMMA));
		p_expect(p, TOK_RPAR);
		p_expect(p, TOK_RPAR);
	}
	return any;
}

struct type *p_mode_type(struct type *t, uint32_t size)
{
	static struct type *const type[][2] = {
		{&type_uchar, &type_schar},
		{&type_ushort, &type_short},
		{&type_uint, &type_int},
		{&type_ulong, &type_long},
	};

	if (!size || !type_is_integer(t))
		return t;
	return type[size == 8 ? 3 : size / 2][type_is_signed(t)];
}

/* ------------------------------------------------------------------- functions */

bool p_at_function(struct parser *p)
{
	struct token t = p->tok;
	bool linkage = false, is_inline = false;

	for (; t.kind == TOK_STATIC || t.kind == TOK_EXTERN || t.kind == TOK_INLINE;
	     t = p_peek_at(p, t.end)) {
		linkage |= t.kind != TOK_INLINE;
		is_inline |= t.kind == TOK_INLINE;
	}
	return linkage && is_inline;
}

void p_skip_function(struct parser *p)
{
	struct token t = p->tok;
	int depth = 0;
	bool ended = false;

	while (!ended && t.kind != TOK_EOF) {
		depth += t.kind == TOK_LBRACE || t.kind == TOK_LPAR;
		depth -= t.kind == TOK_RBRACE || t.kind == TOK_RPAR;
		ended = !depth && (t.kind == TOK_RBRACE || t.kind == TOK_SEMI);
		if (!ended)
			t = p_peek_at(p, t.end > t.off ? t.end : t.off + 1);
	}
	p->tok = t;
	if (ended)
		p_next_in(p, LEX_PROBE);
	else
		p_syntax(p);
}
