/*
 * lex.h - splits D text into tokens.
 *
 * lex() depends only on the text, an offset and a mode. So the parser may look ahead, or read a
 * token again in another mode.
 */
#ifndef COMPILER_SYNTAX_LEX_H
#define COMPILER_SYNTAX_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/intern.h"
#include "compiler/syntax/parse.h"

struct arena;
struct type;

/* Reserved words, in alphabetical order, because lex.c searches them. */
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
 * Operators and punctuation. The lexer takes the first one that matches, so "<<=" precedes "<<" and
 * "<". Frequent ones come first, so that the search ends early.
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
	TOK_ERROR,   /* a bad token, whose error is recorded */
	TOK_IDENT,   /* a name: token.name */
	TOK_INT,     /* an integer or character constant: token.ival and token.type */
	TOK_STR,     /* a string constant: token.str and token.len */
	TOK_AGG,     /* an aggregation's name: token.name, which is "_" for @ alone */
	TOK_WORD,    /* a run of characters that a probe description may have, in LEX_PROBE */
	TOK_EPRED,   /* the "/" that ends a predicate, in LEX_PRED and LEX_GUARD */
	TOK_CONTROL, /* a "#" line, up to the end of the line */
#define X(tok, text) tok,
	KEYWORDS(X) PUNCTUATION(X)
#undef X
		TOK_MAX
};

enum lex_mode {
	LEX_EXPR, /* expressions, statements and declarations */
	LEX_PRED, /* like LEX_EXPR, but "/" may end the predicate */
	/*
	 * like LEX_PRED, but "/" before "(", "as", "on" or "or" ends the guard (condition) of a
	 * derivation, which says what hooks fire a probe
	 */
	LEX_GUARD,
	LEX_PROBE, /* words like those of probe descriptions, where such a description may be */
};

struct token {
	enum tok kind;
	uint32_t off, end; /* offsets of the token's begin and end in the text */
	const char *name;  /* the name, interned */
	const char *str;   /* the text of a string constant, in the arena */
	uint32_t len;
	uint64_t ival;
	struct type *type;
};

struct lexer {
	const struct src *src;
	struct arena *arena;
	struct intern *names;
	const struct macros *macros; /* the values of macro variables; NULL if there are none */
	struct diag *d;
};

/*
 * Reads the token at or after @off into @t. If the token is bad, makes it a TOK_ERROR and records
 * the error in lx->d.
 */
void lex(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t);

/* Looks ahead: does the same as lex(), but skips # lines and records no error. */
void lex_peek(const struct lexer *lx, uint32_t off, enum lex_mode mode, struct token *t);

/* Returns the offset of the next token, after any blanks, comments and # lines at @off. */
uint32_t lex_skip(const struct lexer *lx, uint32_t off);

/* Returns whether the reserved word may also name a member (self, string, counter ...). */
bool tok_is_member_name(enum tok kind);

/* ---- macro.c ---- */

/*
 * Returns the value of the macro variable at @off ("$1", "$$pid" ...), and sets @end to the end of
 * its name. Returns NULL with the error in lx->d if the variable has no value.
 */
const char *macro_value(const struct lexer *lx, uint32_t off, uint32_t *end);

/*
 * Returns bytes [@from, @to) of the text with the values of macro variables in place of their
 * names. Returns NULL with the error in lx->d if a variable has no value.
 */
const char *macro_expand(const struct lexer *lx, uint32_t from, uint32_t to);

/* ---- literal.c ---- */

/* An integer constant as written. */
struct int_literal {
	uint64_t value;
	bool overflow; /* the value does not fit in 64 bits */
	char bad;      /* the first digit that the constant's base does not have, or 0 */
	bool decimal, is_unsigned;
	uint8_t nlong;
};

/* Reads the integer constant at @s. Returns its number of characters. */
uint32_t int_literal(const char *s, struct int_literal *out);

/* Returns the D type of a constant, or NULL if no type can hold it. */
struct type *int_literal_type(const struct int_literal *l);

/*
 * Resolves escapes in the @n bytes at @s into @out, which has room for @n. Returns the new length.
 */
uint32_t unescape(const char *s, uint32_t n, char *out);

#endif
