/*
 * lex.c - reads one token at a time.
 *
 * The result of lex() depends only on the text, the offset and the mode (see lex.h). A NUL follows
 * the text, so the lexer may read one byte after any byte that is not NUL. Only strings, character
 * constants, comments and # lines can contain a NUL.
 */
#include "compiler/syntax/lex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ir/types/type.h"

struct word {
	char text[sizeof("translator")];
	uint8_t len;
	enum tok kind;
};

static const struct word keywords[] = {
#define X(tok, text) {text, sizeof(text) - 1, tok},
	KEYWORDS(X)
#undef X
};

static const struct word puncts[] = {
#define X(tok, text) {text, sizeof(text) - 1, tok},
	PUNCTUATION(X)
#undef X
};

bool tok_is_member_name(enum tok kind)
{
	switch ((int)kind) {
	case TOK_COUNTER:
	case TOK_IMPORT:
	case TOK_OFFSETOF:
	case TOK_PROBE:
	case TOK_PROVIDER:
	case TOK_SELF:
	case TOK_STRING:
	case TOK_STRINGOF:
	case TOK_THIS:
	case TOK_TRANSLATOR:
	case TOK_USERLAND:
	case TOK_XLATE:
		return true; /* reserved words of D that kernel structs use as names of members */
	}
	return false;
}

/* Returns bytes [@from, @to) of the text, interned. */
static const char *lex_slice(const struct lexer *lx, uint32_t from, uint32_t to)
{
	return intern_n(lx->names, lx->src->text + from, to - from);
}

/*
 * Initializer of a diag for looking ahead. A diag records only its first error, and this one
 * pretends to have an error already. The parser records the error when it reads the token itself.
 */
#define IGNORE_ERRORS {.nerr = 1}

#define lex_fail(lx, t, tag, at, ...) \
	do { \
		diag_error((lx)->d, tag, (struct loc){(lx)->src, at}, __VA_ARGS__); \
		(t)->kind = TOK_ERROR; \
	} while (0)

/* ------------------------------------------------- blanks, comments, # lines */

/*
 * The classes of the characters in names, which do not depend on the locale. A table has the class
 * of each byte, because the lexer needs the class of every byte of a name.
 */
enum { NAME_START = 1, NAME_DIGIT = 2 };

static const uint8_t class_of[256] = {
	['a' ... 'z'] = NAME_START,
	['A' ... 'Z'] = NAME_START,
	['_'] = NAME_START,
	['0' ... '9'] = NAME_DIGIT,
};

static bool is_name_start(char c)
{
	return class_of[(unsigned char)c] == NAME_START;
}

static bool is_name_char(char c)
{
	return class_of[(unsigned char)c] != 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/*
 * Returns the end of the comment at @off. If the comment never ends, or another comment begins
 * inside it, records the error and makes @t a TOK_ERROR.
 */
static uint32_t skip_comment(const struct lexer *lx, uint32_t off, struct token *t)
{
	const char *s = lx->src->text;
	uint32_t i;

	for (i = off + 2; i + 1 < lx->src->len; i++) {
		i += (uint32_t)strcspn(s + i, "*/"); /* also stops at a NUL */
		if (s[i] == '*' && s[i + 1] == '/')
			return i + 2;
		if (s[i] == '/' && s[i + 1] == '*') {
			lex_fail(lx, t, D_SYNTAX, i, "/* encountered inside a comment");
			return (uint32_t)lx->src->len;
		}
	}
	lex_fail(lx, t, D_SYNTAX, (uint32_t)lx->src->len,
		 "end-of-file encountered before matching */");
	return (uint32_t)lx->src->len;
}

/* Returns the length of the backslash and newline at @s, or 0 if there are none. */
static uint32_t continuation(const char *s)
{
	if (s[0] != '\\')
		return 0;
	return s[1] == '\n' ? 2 : s[1] == '\r' && s[2] == '\n' ? 3 : 0;
}

static uint32_t line_end(const struct lexer *lx, uint32_t off)
{
	const char *nl = memchr(lx->src->text + off, '\n', lx->src->len - off);

	return nl ? (uint32_t)(nl - lx->src->text) : (uint32_t)lx->src->len;
}

/*
 * Skips blanks and comments, and returns the offset behind them. Sets t->kind to TOK_CONTROL at a
 * control line, to TOK_ERROR after a bad comment, else to TOK_EOF. In a predicate, a "/" followed
 * by a comment as other systems have it keeps its meaning: "//" and "*".
 */
static uint32_t skip(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t)
{
	const char *s = lx->src->text;
	bool pred = mode == LEX_PRED || mode == LEX_GUARD;
	bool bol = off == 0 || s[off - 1] == '\n';

	t->kind = TOK_EOF;
	while (off < lx->src->len && t->kind == TOK_EOF) {
		if (s[off] > ' ' && s[off] != '/' && s[off] != '\\' && s[off] != '#') {
			break; /* the usual case: a token begins here */
		} else if (s[off] == '\n') {
			bol = true;
			off++;
		} else if (is_blank(s[off])) {
			off++;
		} else if (continuation(s + off)) {
			off += continuation(s + off);
		} else if (s[off] == '/' && s[off + 1] == '*') {
			off = skip_comment(lx, off, t);
		} else if (s[off] == '/' && s[off + 1] == '/' && !(pred && s[off + 2] == '*')) {
			off = line_end(lx, off);
		} else if (bol && s[off] == '#' && s[off + 1] == '!') {
			off = line_end(lx, off);
		} else if (bol && s[off] == '#') {
			t->kind = TOK_CONTROL;
		} else {
			break;
		}
	}
	return off;
}

uint32_t lex_skip(const struct lexer *lx, uint32_t off)
{
	struct diag ignored = IGNORE_ERRORS;
	struct lexer quiet = *lx;
	struct token t;

	quiet.d = &ignored;
	for (;;) {
		off = skip(&quiet, off, LEX_EXPR, &t);
		if (t.kind != TOK_CONTROL)
			return off;
		off = line_end(lx, off);
	}
}

/* ----------------------------------------------------------------- constants */

static void int_token(const struct lexer *lx, const struct int_literal *l, struct token *t)
{
	const char *s = lx->src->text + t->off;
	int n = (int)(t->end - t->off);

	t->kind = TOK_INT;
	t->ival = l->value;
	t->type = int_literal_type(l);
	if (l->bad)
		lex_fail(lx, t, D_INT_DIGIT, t->off,
			 "integer constant %.*s contains invalid digit '%c'", n, s, l->bad);
	else if (!t->type)
		lex_fail(lx, t, D_INT_OFLOW, t->off,
			 "integer constant %.*s cannot be represented in any built-in integral "
			 "type",
			 n, s);
}

/* Returns whether the text at @s continues a floating-point constant. */
static bool is_float_tail(const char *s)
{
	if (*s == '.')
		return s[1] != '.' && !is_name_start(s[1]);
	if (*s != 'e' && *s != 'E')
		return false;
	s++;
	if (*s == '+' || *s == '-')
		s++;
	return isdigit((unsigned char)*s);
}

/*
 * Returns whether @s begins like an IPv4 address such as 10.0.0.1: with two numbers, each followed
 * by a dot.
 */
static bool is_address(const char *s)
{
	size_t n = strspn(s, "0123456789");

	return n && s[n] == '.' && isdigit((unsigned char)s[n + 1]) &&
	       s[n + 1 + strspn(s + n + 1, "0123456789")] == '.';
}

static void lex_number(const struct lexer *lx, struct token *t)
{
	const char *s = lx->src->text + t->off;
	struct int_literal l;
	uint32_t n;

	n = *s == '.' ? 0 : int_literal(s, &l);
	t->end = t->off + n;
	if (n == 0 || is_float_tail(s + n)) {
		lex_fail(lx, t, D_SYNTAX, t->off, "floating-point constants are not permitted");
		diag_hint(lx->d, is_address(s) ? "an address is a string: \"10.0.0.1\""
					       : "numbers are integers: 1000000, not 1e6");
	} else {
		int_token(lx, &l, t);
	}
}

/* Returns the end of the quoted text: the closing quote, a newline or the end of the text. */
static uint32_t quoted_end(const struct lexer *lx, uint32_t off, char quote)
{
	const char *s = lx->src->text;

	for (; off < lx->src->len && s[off] != quote && s[off] != '\n'; off++)
		if (s[off] == '\\' && off + 1 < lx->src->len && s[off + 1] != '\n')
			off++;
	return off;
}

/*
 * Reads the text between two quotes into t->str, with its escapes resolved. Returns false if an
 * error was reported.
 */
static bool lex_quoted(const struct lexer *lx, struct token *t, char quote, const char *what,
		       enum dtag newline)
{
	const char *s = lx->src->text;
	uint32_t end = quoted_end(lx, t->off + 1, quote);
	char *out;

	t->end = end;
	if (end >= lx->src->len) {
		lex_fail(lx, t, D_SYNTAX, t->off, "end of input encountered in %s", what);
		return false;
	}
	if (s[end] == '\n') {
		/* DTrace reports the line after the newline in this case. */
		lex_fail(lx, t, newline, end + 1, "newline encountered in %s", what);
		return false;
	}
	out = arena_alloc(lx->arena, end - t->off);
	t->len = unescape(s + t->off + 1, end - t->off - 1, out);
	out[t->len] = '\0';
	t->str = out;
	t->end = end + 1;
	return true;
}

/* Reads a string constant. The string ends at its first NUL, as in C. */
static void lex_string(const struct lexer *lx, struct token *t)
{
	if (!lex_quoted(lx, t, '"', "string literal", D_STR_NL))
		return;
	t->kind = TOK_STR;
	t->len = (uint32_t)strlen(t->str);
}

/* Reads a character constant: up to 8 characters, the first one in the highest byte. */
static void lex_char(const struct lexer *lx, struct token *t)
{
	struct int_literal l = {0};
	uint32_t i;

	if (!lex_quoted(lx, t, '\'', "character constant", D_CHR_NL))
		return;
	if (t->len == 0) {
		lex_fail(lx, t, D_CHR_NULL, t->off, "empty character constant");
		return;
	}
	if (t->len > 8) {
		lex_fail(lx, t, D_CHR_OFLOW, t->off, "character constant is too long");
		diag_hint(lx->d, "strings are written in double quotes");
		return;
	}
	for (i = 0; i < t->len; i++)
		l.value = l.value << 8 | (unsigned char)t->str[i];
	t->kind = TOK_INT;
	t->ival = l.value;
	t->type = int_literal_type(&l);
}

/* ------------------------------------------------------------ macro variables */

/*
 * If all of @v is an integer constant, perhaps with a sign, makes @t an integer token with its
 * value. Returns whether @v is such a constant.
 */
static bool macro_int(const char *v, struct token *t)
{
	bool sign = *v == '-' || *v == '+';
	struct int_literal l;

	if (!isdigit((unsigned char)v[sign]))
		return false;
	if (v[sign + int_literal(v + sign, &l)] || l.bad)
		return false;
	t->type = int_literal_type(&l);
	t->ival = *v == '-' ? -l.value : l.value;
	t->kind = TOK_INT;
	return true;
}

/*
 * Makes @t a string token of value @v, with escapes resolved. If @quotes is set, first removes the
 * quotes around @v.
 */
static void macro_text(const struct lexer *lx, const char *v, bool quotes, struct token *t)
{
	size_t n = strlen(v);
	char *out;

	if (quotes && n >= 2 && v[0] == '"' && v[n - 1] == '"') {
		v++;
		n -= 2;
	}
	out = arena_alloc(lx->arena, n + 1);
	out[unescape(v, (uint32_t)n, out)] = '\0';
	t->kind = TOK_STR;
	t->str = out;
	t->len = (uint32_t)strlen(out);
}

static bool is_name(const char *v)
{
	if (!is_name_start(*v))
		return false;
	while (is_name_char(*v))
		v++;
	return !*v;
}

static void lex_macro(const struct lexer *lx, struct token *t)
{
	const char *v = macro_value(lx, t->off, &t->end), *name = lx->src->text + t->off;
	bool twice = name[1] == '$';

	if (!v) {
		t->kind = TOK_ERROR;
		return;
	}
	if (!twice && macro_int(v, t)) {
		if (!t->type)
			lex_fail(lx, t, D_MACRO_OFLOW, t->off,
				 "macro argument %.*s constant %s cannot be represented in any "
				 "built-in integral type",
				 (int)(t->end - t->off), name, v);
	} else if (!twice && is_name(v)) {
		t->kind = TOK_IDENT;
		t->name = intern(lx->names, v);
	} else {
		macro_text(lx, v, !twice, t);
	}
}

/* ------------------------------------------------------- names and punctuation */

static int word_cmp(const void *key, const void *elem)
{
	const char *name = key, *text = ((const struct word *)elem)->text;

	/* Compares first letters before calling strcmp(). */
	return *name != *text ? *name - *text : strcmp(name, text);
}

static uint32_t name_end(const char *s, uint32_t off)
{
	while (is_name_char(s[off]))
		off++;
	return off;
}

/*
 * Returns whether @name may be a keyword. The first letters and the length exclude most names of
 * the library, which saves a search.
 */
static bool may_be_keyword(const char *name, uint32_t len)
{
	return len < sizeof(keywords->text) && ((*name >= 'a' && *name <= 'x') || *name == '_') &&
	       name[1] != '_';
}

static void lex_name(const struct lexer *lx, struct token *t)
{
	const struct word *w = NULL;

	t->end = name_end(lx->src->text, t->off);
	t->name = lex_slice(lx, t->off, t->end);
	if (may_be_keyword(t->name, t->end - t->off))
		w = bsearch(t->name, keywords, sizeof(keywords) / sizeof(*keywords),
			    sizeof(*keywords), word_cmp);
	t->kind = w ? w->kind : TOK_IDENT;
}

static void lex_agg(const struct lexer *lx, struct token *t)
{
	uint32_t from = t->off + 1;

	t->kind = TOK_AGG;
	t->end = is_name_start(lx->src->text[from]) ? name_end(lx->src->text, from) : from;
	t->name = t->end == from ? intern(lx->names, "_") : lex_slice(lx, from, t->end);
}

static void lex_unknown(const struct lexer *lx, struct token *t)
{
	unsigned char c = (unsigned char)lx->src->text[t->off];

	t->end = t->off + 1;
	if (isprint(c))
		lex_fail(lx, t, D_SYNTAX, t->off, "syntax error near \"%c\"", c);
	else
		lex_fail(lx, t, D_SYNTAX, t->off, "syntax error near \"\\x%02x\"", c);
}

#define NPUNCT (sizeof(puncts) / sizeof(*puncts))

/*
 * Returns the first word of the table that begins with @c, or the end of the table if there is
 * none.
 */
static const struct word *first_with(char c)
{
	/*
	 * before[c] is the number of words from the first one that begins with c to the end of the
	 * table; 0 if no word begins with c
	 */
	static uint8_t before[256];

	if (!before['('])
		for (size_t i = NPUNCT; i-- > 0;)
			before[(unsigned char)puncts[i].text[0]] = (uint8_t)(NPUNCT - i);
	return puncts + NPUNCT - before[(unsigned char)c];
}

/* Returns whether the text at @s begins with @w, which has at most three characters. */
static bool begins_with(const char *s, const struct word *w)
{
	if (s[0] != w->text[0] || (w->len > 1 && s[1] != w->text[1]))
		return false;
	return w->len < 3 || s[2] == w->text[2];
}

static void lex_punct(const struct lexer *lx, struct token *t)
{
	const char *s = lx->src->text + t->off;
	const struct word *w = first_with(*s), *end = puncts + NPUNCT;

	while (w < end && !begins_with(s, w))
		w++;
	if (w == end) {
		lex_unknown(lx, t);
		return;
	}
	t->kind = w->kind;
	t->end = t->off + w->len;
}

/* ----------------------------------------------------------------------- modes */

static bool word_at(const char *s, const char *word)
{
	size_t n = strlen(word);

	return !strncmp(s, word, n) && !is_name_char(s[n]);
}

/*
 * Returns whether the "/" at @off ends the predicate instead of dividing, because the next token
 * cannot be an operand. In LEX_GUARD, a "/" does not divide either before the "(" of a derivation's
 * arguments.
 */
static bool ends_predicate(const struct lexer *lx, uint32_t off, enum lex_mode mode)
{
	uint32_t next = lex_skip(lx, off + 1);
	const char *s = lx->src->text + next;

	if (next >= lx->src->len || strchr(";{/", *s))
		return next >= lx->src->len || *s;
	return mode == LEX_GUARD &&
	       (*s == '(' || word_at(s, "as") || word_at(s, "on") || word_at(s, "or"));
}

static void lex_expr(const struct lexer *lx, enum lex_mode mode, struct token *t)
{
	const char *s = lx->src->text + t->off;

	bool pred = mode == LEX_PRED || mode == LEX_GUARD;

	if (*s == '/' && pred && ends_predicate(lx, t->off, mode)) {
		t->kind = TOK_EPRED;
		t->end = t->off + 1;
	} else if (is_name_start(*s)) {
		lex_name(lx, t);
	} else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1]))) {
		lex_number(lx, t);
	} else if (*s == '"') {
		lex_string(lx, t);
	} else if (*s == '\'') {
		lex_char(lx, t);
	} else if (*s == '$') {
		lex_macro(lx, t);
	} else if (*s == '@') {
		lex_agg(lx, t);
	} else {
		lex_punct(lx, t);
	}
}

/*
 * Returns whether @s begins with a character of a probe description, which may contain "!" and "\"
 * in patterns.
 */
static bool is_word_char(const char *s)
{
	return isalnum((unsigned char)*s) || (*s && strchr("_-$:.?*[]!+@%~^", *s)) ||
	       (unsigned char)*s >= 0x80 || (*s == '\\' && s[1] > ' ');
}

static void lex_word(const struct lexer *lx, struct token *t)
{
	const char *s = lx->src->text;

	t->kind = TOK_WORD;
	for (t->end = t->off; is_word_char(s + t->end);)
		t->end += s[t->end] == '\\' ? 2 : 1;
}

void lex(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t)
{
	memset(t, 0, sizeof(*t));
	off = skip(lx, off, mode, t);
	t->off = t->end = off;
	if (t->kind == TOK_CONTROL)
		t->end = line_end(lx, off);
	if (t->kind != TOK_EOF || off >= lx->src->len)
		return;
	if (mode == LEX_PROBE && is_word_char(lx->src->text + off))
		lex_word(lx, t);
	else
		lex_expr(lx, mode, t);
}

void lex_peek(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t)
{
	struct diag ignored = IGNORE_ERRORS;
	struct lexer quiet = *lx;

	quiet.d = &ignored;
	do {
		lex(&quiet, off, mode, t);
		off = t->end;
	} while (t->kind == TOK_CONTROL);
}
