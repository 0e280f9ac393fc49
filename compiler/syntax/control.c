/*
 * control.c - "#" lines: pragmas, and lines of a preprocessor.
 *
 * Only #pragma D and #error have an effect here. Unknown directives are errors. diag.c uses the
 * line markers of a preprocessor, such as # 12 "file.d", when it reports a position.
 */
#include "compiler/syntax/parse_int.h"

#include <ctype.h>
#include <string.h>

/* The part of a control line (a line that starts with "#") that has not been read yet. */
struct line {
	const char *s, *end;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_space(struct line *l)
{
	while (l->s < l->end && is_space(*l->s))
		l->s++;
}

/*
 * Returns the next word, which has neither blanks nor characters of @stop. Returns "" at the end of
 * the line.
 */
static const char *take_word(struct parser *p, struct line *l, const char *stop)
{
	const char *from;

	skip_space(l);
	from = l->s;
	while (l->s < l->end && *l->s && !is_space(*l->s) && !strchr(stop, *l->s))
		l->s++;
	return intern_n(p->names, from, (size_t)(l->s - from));
}

/* Returns the next word, or the next text in double quotes without the quotes. */
static const char *take_value(struct parser *p, struct line *l)
{
	const char *from, *end;

	skip_space(l);
	if (l->s == l->end || *l->s != '"')
		return take_word(p, l, "");
	from = l->s + 1;
	end = memchr(from, '"', (size_t)(l->end - from));
	if (!end)
		end = l->end;
	l->s = end < l->end ? end + 1 : end;
	return intern_n(p->names, from, strnlen(from, (size_t)(end - from)));
}

static struct pragma *add_pragma(struct parser *p, const char *name, const char *a, const char *b)
{
	struct pragma *pr = arena_new(p->a, struct pragma);

	pr->name = name;
	pr->arg[0] = a;
	pr->arg[1] = b;
	pr->loc = p_loc(p);
	append(p->pragma_end, pr);
	return pr;
}

/* Parses name[=value]. Returns false if the line has something else. */
static bool take_option(struct parser *p, struct line *l, const char **name, const char **value)
{
	*name = take_word(p, l, "=");
	*value = NULL;
	skip_space(l);
	if (l->s < l->end && *l->s == '=') {
		l->s++;
		*value = take_value(p, l);
	}
	skip_space(l);
	return **name && l->s == l->end;
}

/* Handles "#pragma D option NAME[=VALUE]". */
static void pragma_option(struct parser *p, const char *name, struct line *l)
{
	const char *opt, *value;

	if (take_option(p, l, &opt, &value))
		add_pragma(p, name, opt, value);
	else
		p_fail(p, D_PRAGMA_MALFORM, p_loc(p),
		       "malformed #pragma D option: #pragma D option name[=value] is expected");
}

/* Handles "#pragma D binding VERSION IDENT" and "#pragma D depends_on KIND NAME". */
static void pragma_pair(struct parser *p, const char *name, struct line *l)
{
	const char *a = take_value(p, l), *b = take_value(p, l);

	if (!*a || !*b)
		p_fail(p, D_PRAGMA_MALFORM, p_loc(p),
		       "malformed #pragma D %s: two operands are expected", name);
	else
		add_pragma(p, name, a, b);
}

/*
 * Handles "#pragma D attributes N/D/C IDENT" and "#pragma D attributes N/D/C provider NAME PART".
 */
static void pragma_attributes(struct parser *p, const char *name, struct line *l)
{
	struct line pair = *l;
	const char *is = take_value(p, l), *what = take_value(p, l), *prov = take_word(p, l, "");
	struct pragma *pr;

	if (strcmp(what, "provider") || !*prov) {
		pragma_pair(p, name, &pair);
		return;
	}
	pr = add_pragma(p, name, is, what);
	pr->arg[2] = prov;
	pr->arg[3] = take_word(p, l, "");
}

static void pragma_depends(struct parser *p, const char *name, struct line *l)
{
	struct line ahead = *l;
	const char *kind = take_word(p, &ahead, "");

	if (*kind && strcmp(kind, "provider") && strcmp(kind, "module") && strcmp(kind, "library"))
		p_fail(p, D_PRAGMA_INVAL, p_loc(p), "invalid class \"%s\" specified by pragma",
		       kind);
	else
		pragma_pair(p, name, l);
}

static const struct pragma_row {
	const char *name;
	void (*take)(struct parser *p, const char *name, struct line *l);
} pragmas[] = {
	{"option", pragma_option},
	{"attributes", pragma_attributes},
	{"binding", pragma_pair},
	{"depends_on", pragma_depends},
};

/* Handles #pragma. Pragmas other than "#pragma D" are ignored. */
static void control_pragma(struct parser *p, struct line *l)
{
	const char *name = take_word(p, l, "");
	size_t i;

	if (!*name && l->end == p->lx.src->text + p->lx.src->len)
		p_fail(p, D_SYNTAX, p_loc_at(p, p->tok.end), "syntax error near end of input");
	if (strcmp(name, "D"))
		return;
	name = take_word(p, l, "");
	for (i = 0; i < sizeof(pragmas) / sizeof(*pragmas); i++) {
		if (!strcmp(pragmas[i].name, name)) {
			pragmas[i].take(p, name, l);
			return;
		}
	}
	p_fail(p, D_PRAGMA_INVAL, p_loc(p), "invalid D pragma: %s", name);
}

static void control_error(struct parser *p, struct line *l)
{
	skip_space(l);
	while (l->end > l->s && is_space(l->end[-1]))
		l->end--;
	p_fail(p, D_PRAGERR, p_loc(p), "#error: %.*s", (int)(l->end - l->s), l->s);
}

/* Handles #line, which must have a number. */
static void control_line(struct parser *p, struct line *l)
{
	const char *n = take_word(p, l, "");

	if (!isdigit((unsigned char)*n))
		p_fail(p, D_PRAGMA_MALFORM, p_loc(p), "expected a line number after #line");
}

static void control_nothing(struct parser *p, struct line *l)
{
	(void)p;
	(void)l;
}

static const struct control_row {
	const char *name;
	void (*take)(struct parser *p, struct line *l);
} controls[] = {
	{"pragma", control_pragma},
	{"error", control_error},
	{"line", control_line},
	{"ident", control_nothing},
};

void p_control(struct parser *p)
{
	struct line l = {p->lx.src->text + p->tok.off + 1, p->lx.src->text + p->tok.end};
	const char *name = take_word(p, &l, "\"<(");
	size_t i;

	if (!*name || isdigit((unsigned char)*name))
		return; /* "#" alone, or a line marker of cpp: # 12 "file.d" */
	for (i = 0; i < sizeof(controls) / sizeof(*controls); i++) {
		if (strcmp(controls[i].name, name))
			continue;
		controls[i].take(p, &l);
		return;
	}
	p_fail(p, D_PRAGCTL_INVAL, p_loc(p), "invalid control directive: #%s", name);
	diag_hint(p->d, "#include, #define and #if need the C preprocessor: use -C");
}

/* ----------------------------------------------------- options, before parsing */

/*
 * Returns the end of the string or character constant at @s. A constant without its second quote
 * ends at the end of the line.
 */
static const char *after_quoted(const char *s, const char *end)
{
	char quote = *s;

	for (s++; s < end && *s != quote && *s != '\n'; s++)
		if (*s == '\\' && s + 1 < end)
			s++;
	return s < end && *s == quote ? s + 1 : s;
}

static const char *after_comment(const char *s, const char *end)
{
	bool line = s[1] == '/';
	const char *close = memmem(s + 2, (size_t)(end - s - 2), line ? "\n" : "*/", line ? 1 : 2);

	return close ? close + (line ? 0 : 2) : end;
}

/*
 * Returns the next '#' that is the first character of its line except for blanks, or @end if there
 * is none. @begins is set if only blanks precede @s in its line.
 */
static const char *next_control(const char *s, const char *end, bool begins)
{
	while (s < end && !(begins && *s == '#')) {
		if (end - s >= 2 && s[0] == '/' && (s[1] == '*' || s[1] == '/')) {
			s = after_comment(s, end);
		} else if (*s == '"' || *s == '\'') {
			s = after_quoted(s, end);
			begins = false;
		} else {
			begins = *s == '\n' || (begins && is_space(*s));
			s++;
		}
	}
	return s;
}

bool next_option(struct intern *names, const struct src *src, uint32_t *off, const char **name,
		 const char **value)
{
	const char *end = src->text + src->len, *at = src->text + *off;
	struct parser p = {.names = names};

	for (bool begins = true; (at = next_control(at, end, begins)) < end; begins = false) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		struct line l = {at + 1, eol ? eol : end};

		at = l.end;
		if (strcmp(take_word(&p, &l, ""), "pragma") || strcmp(take_word(&p, &l, ""), "D") ||
		    strcmp(take_word(&p, &l, ""), "option") || !take_option(&p, &l, name, value))
			continue;
		*off = (uint32_t)(at - src->text);
		return true;
	}
	return false;
}
