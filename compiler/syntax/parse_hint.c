/*
 * parse_hint.c - suggestions for syntax errors.
 */
#include "compiler/syntax/parse_int.h"

#include <ctype.h>
#include <string.h>

#include "compiler/syntax/foreign.h"

/* -------------------------------------------------------------------- tokens */

/*
 * Returns whether a call comes before the token, with only blanks between. If so, a semicolon may
 * be missing.
 */
static bool behind_call(const struct parser *p)
{
	const char *s = p->lx.src->text;
	uint32_t at = p->tok.off;

	while (at && strchr(" \t\n", s[at - 1]))
		at--;
	return p->d->now == DIAG_IN_ACTIONS && at && s[at - 1] == ')';
}

/* Returns a suggestion for a token in the wrong place, or NULL. */
static const char *token_hint(const struct parser *p)
{
	switch ((int)p->tok.kind) {
	case TOK_FOR:
	case TOK_WHILE:
	case TOK_DO:
	case TOK_GOTO:
	case TOK_BREAK:
	case TOK_CONTINUE:
		return "D has no loops";
	case TOK_SWITCH:
	case TOK_CASE:
	case TOK_DEFAULT:
		return "D has no switch: use if, ?: or several clauses with predicates";
	case TOK_RETURN:
		return "D has no return: put the condition into the predicate of the clause, or "
		       "use if";
	case TOK_ASSIGN:
		return "'==' compares, '=' assigns";
	case TOK_ELSE:
		return "the statement before else must end with a ; too";
	case TOK_AGG:
	case TOK_IDENT:
	case TOK_IF:
	case TOK_SELF:
	case TOK_THIS:
		return behind_call(p) ? "is a ; missing before it?" : NULL;
	case TOK_CHAR:
	case TOK_DOUBLE:
	case TOK_ENUM:
	case TOK_FLOAT:
	case TOK_INT_KW:
	case TOK_LONG:
	case TOK_SHORT:
	case TOK_SIGNED:
	case TOK_STRING:
	case TOK_STRUCT:
	case TOK_UNION:
	case TOK_UNSIGNED:
		return p->d->now == DIAG_IN_ACTIONS ? "variables are declared outside of clauses"
						    : NULL;
	case TOK_EOF:
		return p->d->now == DIAG_IN_ACTIONS     ? "is a closing } missing?"
		       : p->d->now == DIAG_IN_PREDICATE ? "is the closing / missing?"
							: NULL;
	}
	return NULL;
}

/* -------------------------------------------------------------- unknown types */

/* Returns whether the program can use type @name: a typedef's name, or "struct TAG". */
static bool has_type(struct parser *p, const char *name)
{
	static const char tag[] = "struct ";

	if (strncmp(name, tag, sizeof(tag) - 1))
		return p_find_type(p, NULL, TAG_TYPEDEF, intern(p->names, name));
	return p_find_type(p, NULL, TAG_STRUCT, intern(p->names, name + sizeof(tag) - 1));
}

/*
 * Returns the Linux name of type @name of another system. Returns NULL if @name is unknown, or if
 * the program cannot use the Linux type.
 */
static const char *ours_of(struct parser *p, const char *name)
{
	const char *ours = foreign_type(name);

	return ours && has_type(p, ours) ? ours : NULL;
}

const char *p_unknown_type(struct parser *p, const char *name)
{
	const char *ours = ours_of(p, name);

	if (!ours)
		return arena_printf(p->a, "unknown type name %s", name);
	return arena_printf(p->a, "unknown type name %s: did you mean %s?", name, ours);
}

void p_hint_type(struct parser *p, const char *name)
{
	const char *ours = ours_of(p, name);

	if (ours)
		diag_hint(p->d, "did you mean %s?", ours);
}

/* Returns @at, moved back over the blanks before it. */
static uint32_t skip_back(const char *s, uint32_t at)
{
	while (at && isspace((unsigned char)s[at - 1]))
		at--;
	return at;
}

static uint32_t word_begins(const char *s, uint32_t at)
{
	while (at && (isalnum((unsigned char)s[at - 1]) || s[at - 1] == '_'))
		at--;
	return at;
}

/*
 * Returns NAME if the error may be a cast to an unknown type: the current token is the ")" after
 * "(NAME *", or it follows "(NAME)". Returns NULL otherwise.
 */
static const char *cast_to(const struct parser *p)
{
	const char *s = p->lx.src->text;
	bool closed = p_is(p, TOK_RPAR), stars = false;
	uint32_t at = skip_back(s, p->tok.off), end;

	if (!closed && (!at || s[at - 1] != ')'))
		return NULL;
	at = closed ? at : skip_back(s, at - 1);
	for (; closed && at && s[at - 1] == '*'; at = skip_back(s, at - 1))
		stars = true;
	end = at;
	at = word_begins(s, end);
	if (at == end || isdigit((unsigned char)s[at]) || (closed && !stars))
		return NULL;
	if (!closed) { /* "f(x) y" is a call and no cast */
		uint32_t open = skip_back(s, at);

		if (!open || s[open - 1] != '(' ||
		    word_begins(s, skip_back(s, open - 1)) != skip_back(s, open - 1))
			return NULL;
	}
	return arena_strndup(p->a, s + at, end - at);
}

static const char *type_hint(struct parser *p)
{
	const char *name = cast_to(p);

	return name && p->d->now != DIAG_OUTSIDE ? p_unknown_type(p, name) : NULL;
}

/* ------------------------------------------------- functions called without () */

/*
 * Suggests printf("a") for the statement printf "a": a name before a string. The arguments extend
 * to the end of the statement. Returns NULL for anything else.
 */
static const char *call_hint(const struct parser *p)
{
	const char *s = p->lx.src->text;
	uint32_t end = skip_back(s, p->tok.off), at = word_begins(s, end);
	size_t n = strcspn(s + p->tok.off, ";}\n");

	if (!p_is(p, TOK_STR) || at == end || p->d->now != DIAG_IN_ACTIONS)
		return NULL;
	while (n && isspace((unsigned char)s[p->tok.off + n - 1]))
		n--;
	return arena_printf(p->a, "did you mean %.*s(%.*s)?", (int)(end - at), s + at, (int)n,
			    s + p->tok.off);
}

/* --------------------------------------------------------- probes of processes */

struct path_desc {
	const char *path;
	size_t npath;
	const char *rest; /* the text after the path's colon, up to a blank, brace or comma */
	size_t nrest;
};

/* Splits WORD:PATH:REST at @s. Returns false if @s does not have this form. */
static bool take_path(const char *s, struct path_desc *d)
{
	const char *colon = strchr(s, ':');
	size_t n = strcspn(s, " \t\n{,");

	if (!colon || colon >= s + n || !memchr(colon, '/', n - (size_t)(colon - s)))
		return false;
	d->path = colon + 1;
	d->npath = strcspn(d->path, ": \t\n{,");
	d->rest = d->path + d->npath + 1;
	d->nrest = d->path[d->npath] == ':' ? strcspn(d->rest, " \t\n{,") : 0;
	return d->nrest;
}

static bool begins(const char *s, const char *const *words)
{
	for (; *words; words++)
		if (!strncmp(s, *words, strlen(*words)) && s[strlen(*words)] == ':')
			return true;
	return false;
}

/* Suggests D's form of bpftrace's uprobe:/bin/bash:readline. D's descriptions have no path. */
const char *p_hint_path(const struct parser *p)
{
	static const char *const entry[] = {"uprobe", "u", NULL},
				 *const ret[] = {"uretprobe", "ur", NULL},
				 *const usdt[] = {"usdt", "U", NULL};
	const char *s = p->lx.src->text + p->desc_off, *base;
	struct path_desc d;
	size_t n;

	if (!take_path(s, &d))
		return NULL;
	for (base = d.path + d.npath; base > d.path && base[-1] != '/'; base--)
		;
	for (n = 0; n < d.nrest && d.rest[n] != ':'; n++)
		;
	if (begins(s, usdt))
		return n < d.nrest ? arena_printf(p->a,
						  "did you mean %.*s$target:::%.*s with -p PID or "
						  "-c COMMAND?",
						  (int)n, d.rest, (int)(d.nrest - n - 1),
						  d.rest + n + 1)
				   : "a static probe is PROVIDER$target:::NAME, with -p PID or -c "
				     "COMMAND";
	if (!begins(s, entry) && !begins(s, ret))
		return NULL;
	return arena_printf(p->a, "did you mean pid$target:%.*s:%.*s:%s with -p PID or -c COMMAND?",
			    (int)(d.path + d.npath - base), base, (int)n, d.rest,
			    begins(s, ret) ? "return" : "entry");
}

/* ----------------------------------------------------------- misspelt keywords */

/* Returns whether word @a of @n letters becomes @b by one letter more, less or changed. */
static bool is_one_letter_off(const char *a, size_t n, const char *b)
{
	size_t m = strlen(b), i = 0, k = 0;

	while (i < n && a[i] == b[i])
		i++;
	while (k < n - i && k < m - i && a[n - k - 1] == b[m - k - 1])
		k++;
	return n - i - k <= 1 && m - i - k <= 1 && (n != m || i < n);
}

const char *p_hint_keyword(const struct parser *p)
{
	static const char *const keywords[] = {
#define X(tok, text) text,
		KEYWORDS(X)
#undef X
	};
	const char *s = p->lx.src->text, *end = s + p->tok.end, *at = s + p->tok.off;
	size_t n;

	while (at > s && at[-1] != ';' && (at[-1] != '}' || at == s + p->tok.off))
		at--;
	for (; at < end; at += n ? n : 1) {
		n = strspn(at, "abcdefghijklmnopqrstuvwxyz");
		for (size_t i = 0; n > 2 && i < sizeof(keywords) / sizeof(*keywords); i++)
			if (is_one_letter_off(at, n, keywords[i]))
				return arena_printf(p->a, "did you mean %s?", keywords[i]);
	}
	return NULL;
}

/* ------------------------------------------------------------------------- all */

const char *p_hint(struct parser *p)
{
	const char *hint = type_hint(p);

	if (!hint)
		hint = p_hint_keyword(p);
	if (!hint)
		hint = call_hint(p);
	return hint ? hint : token_hint(p);
}
