/*
 * lex.h - D text to tokens.
 *
 * lex() is a function of the text, an offset and a mode: the lexer remembers
 * nothing between calls, so the parser may look ahead, or read a place again in
 * another mode, as it likes.
 */
#ifndef COMPILER_LEX_H
#define COMPILER_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "compiler/syntax/parse.h"

struct arena;
struct type;

/* The reserved words, in alphabetical order: lex.c searches them. */
#define KEYWORDS(X) \
	X(TOK_BOOL, "_Bool") \
	X(TOK_AUTO, "auto") \
	X(TOK_BREAK, "break") \
	X(TOK_CASE, "case") \
	X(TOK_CHAR, "char") \
	X(TOK_CONST, "const") \
	X(TOK_CONTINUE, "continue") \
	X(TOK_COUNTER, "counter") \
	X(TOK_DEFAULT, "default") \
	X(TOK_DO, "do") \
	X(TOK_DOUBLE, "double") \
	X(TOK_ELSE, "else") \
	X(TOK_ENUM, "enum") \
	X(TOK_EXTERN, "extern") \
	X(TOK_FLOAT, "float") \
	X(TOK_FOR, "for") \
	X(TOK_GOTO, "goto") \
	X(TOK_IF, "if") \
	X(TOK_IMPORT, "import") \
	X(TOK_INLINE, "inline") \
	X(TOK_INT_KW, "int") \
	X(TOK_LONG, "long") \
	X(TOK_OFFSETOF, "offsetof") \
	X(TOK_PROBE, "probe") \
	X(TOK_PROVIDER, "provider") \
	X(TOK_REGISTER, "register") \
	X(TOK_RESTRICT, "restrict") \
	X(TOK_RETURN, "return") \
	X(TOK_SELF, "self") \
	X(TOK_SHORT, "short") \
	X(TOK_SIGNED, "signed") \
	X(TOK_SIZEOF, "sizeof") \
	X(TOK_STATIC, "static") \
	X(TOK_STRING, "string") \
	X(TOK_STRINGOF, "stringof") \
	X(TOK_STRUCT, "struct") \
	X(TOK_SWITCH, "switch") \
	X(TOK_THIS, "this") \
	X(TOK_TRANSLATOR, "translator") \
	X(TOK_TYPEDEF, "typedef") \
	X(TOK_UNION, "union") \
	X(TOK_UNSIGNED, "unsigned") \
	X(TOK_USERLAND, "userland") \
	X(TOK_VOID, "void") \
	X(TOK_VOLATILE, "volatile") \
	X(TOK_WHILE, "while") \
	X(TOK_XLATE, "xlate")

/*
 * Operators and punctuation: the first that fits is taken, so of those that begin alike the longer
 * come first, and of all what texts have most of.
 */
#define PUNCTUATION(X) \
	X(TOK_LPAR, "(") \
	X(TOK_RPAR, ")") \
	X(TOK_COMMA, ",") \
	X(TOK_SEMI, ";") \
	X(TOK_LBRACE, "{") \
	X(TOK_RBRACE, "}") \
	X(TOK_LBRACKET, "[") \
	X(TOK_RBRACKET, "]") \
	X(TOK_COLON, ":") \
	X(TOK_QUESTION, "?") \
	X(TOK_BITNOT, "~") \
	X(TOK_BACKQUOTE, "`") \
	X(TOK_ELLIPSIS, "...") \
	X(TOK_SUB_EQ, "-=") \
	X(TOK_ARROW, "->") \
	X(TOK_DEC, "--") \
	X(TOK_SUB, "-") \
	X(TOK_DOT, ".") \
	X(TOK_SHL_EQ, "<<=") \
	X(TOK_SHR_EQ, ">>=") \
	X(TOK_ADD_EQ, "+=") \
	X(TOK_MUL_EQ, "*=") \
	X(TOK_DIV_EQ, "/=") \
	X(TOK_MOD_EQ, "%=") \
	X(TOK_AND_EQ, "&=") \
	X(TOK_XOR_EQ, "^=") \
	X(TOK_OR_EQ, "|=") \
	X(TOK_LAND, "&&") \
	X(TOK_LXOR, "^^") \
	X(TOK_LOR, "||") \
	X(TOK_EQ, "==") \
	X(TOK_NE, "!=") \
	X(TOK_LE, "<=") \
	X(TOK_GE, ">=") \
	X(TOK_SHL, "<<") \
	X(TOK_SHR, ">>") \
	X(TOK_INC, "++") \
	X(TOK_ASSIGN, "=") \
	X(TOK_LT, "<") \
	X(TOK_GT, ">") \
	X(TOK_ADD, "+") \
	X(TOK_STAR, "*") \
	X(TOK_DIV, "/") \
	X(TOK_MOD, "%") \
	X(TOK_AND, "&") \
	X(TOK_XOR, "^") \
	X(TOK_OR, "|") \
	X(TOK_NOT, "!")

enum tok {
	TOK_EOF,
	TOK_ERROR,   /* said why already */
	TOK_IDENT,   /* name */
	TOK_INT,     /* ival, type */
	TOK_STR,     /* str, len */
	TOK_AGG,     /* name: "_" for @ alone */
	TOK_WORD,    /* LEX_PROBE: a run of probe description characters */
	TOK_EPRED,   /* LEX_PRED, LEX_GUARD: the "/" that ends a predicate */
	TOK_CONTROL, /* a "#" line, from the "#" to the end of the line */
#define X(tok, text) tok,
	KEYWORDS(X) PUNCTUATION(X)
#undef X
		TOK_MAX
};

enum lex_mode {
	LEX_EXPR,  /* expressions, statements and declarations */
	LEX_PRED,  /* as LEX_EXPR, and "/" may end the predicate */
	LEX_GUARD, /* as LEX_PRED, in a derivation: also before "(", "on" and "or" */
	LEX_PROBE, /* where a probe description may be: words */
};

struct token {
	enum tok kind;
	uint32_t off, end; /* in the text */
	const char *name;  /* interned */
	const char *str;   /* in the arena */
	uint32_t len;
	uint64_t ival;
	struct type *type;
};

struct lexer {
	const struct src *src;
	struct arena *arena;
	struct intern *names;
	const struct macros *macros; /* may be NULL: none */
	struct diag *d;
};

/* The token at or after @off.  TOK_ERROR: the error is in lx->d. */
void lex(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t);

/* As lex(), but passes # lines and records no error: for looking ahead. */
void lex_peek(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t);

/* Where the next token starts: @off moved over blanks, comments and # lines. */
uint32_t lex_skip(const struct lexer *lx, uint32_t off);

/* Where @c is, at or after @off, in neither a comment nor a string; the text's end if nowhere. */
uint32_t lex_find(const struct lexer *lx, uint32_t off, char c);

/* Can the word be the name of a member all the same? (self, string, counter ...) */
bool tok_is_member_name(enum tok kind);

/* ---- macro.c ---- */

/*
 * The value of the macro variable at @off ("$1", "$$pid" ...), and in @end where
 * its name ends.  NULL: there is none; the error is in lx->d.
 */
const char *macro_value(const struct lexer *lx, uint32_t off, uint32_t *end);

/* Bytes @from ... @to with the macro variables in them replaced.  NULL on an error. */
const char *macro_expand(const struct lexer *lx, uint32_t from, uint32_t to);

/* ---- literal.c ---- */

/* An integer constant as it is written. */
struct int_literal {
	uint64_t value;
	bool overflow; /* does not fit 64 bits */
	char bad;      /* the digit its base does not have, or 0 */
	bool decimal, is_unsigned;
	uint8_t nlong;
};

/* Reads the integer constant at @s; how many characters it has. */
uint32_t int_literal(const char *s, struct int_literal *out);

/* The D type of a constant, or NULL if none can hold it. */
struct type *int_literal_type(const struct int_literal *l);

/* Resolves D's escapes in the @n bytes at @s into @out (room for @n); the new length. */
uint32_t unescape(const char *s, uint32_t n, char *out);

#endif
