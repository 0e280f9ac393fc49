/*
 * doc.c - reads descriptions from the comments of the library.
 *
 * The compiler parses the same texts and reports errors in them. So this reader checks nothing and
 * only finds the comment that belongs to each declaration.
 */
#include "cmd/about/doc.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "compiler/library.h"

/* A token: a comment, a word, a text in quotes or one other character. */
struct token {
	const char *at;
	size_t len; /* length in bytes; 0 at the end of the text */
	bool comment;
	bool same_line; /* the token begins on the line on which the previous token ends */
};

struct reader {
	struct doc *d;
	const char *at;     /* the rest of the text, behind the current token */
	struct token t;     /* the current token, never a comment */
	const char *before; /* the last comment before the current token, or "" if there is none */
	const char *file;   /* the first comment of the file, or NULL before it is read */
};

/* ------------------------------------------------------------------ comments */

/* Skips blanks, and the '*' at the beginning of a comment's line. */
static const char *line_text(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	if (s < end && *s == '*') {
		s++;
		while (s < end && (*s == ' ' || *s == '\t'))
			s++;
	}
	return s;
}

/*
 * Returns the text of a comment. An empty line ends a paragraph; the lines of a paragraph are
 * joined by blanks.
 */
static char *comment_text(struct arena *a, const struct token *t)
{
	const char *s = t->at + 2, *end = t->at + t->len - 2;
	struct strbuf b = {0};

	while (s < end) {
		const char *eol = memchr(s, '\n', (size_t)(end - s)), *to = eol ? eol : end;

		s = line_text(s, to);
		while (to > s && (to[-1] == ' ' || to[-1] == '\t'))
			to--;
		if (to == s && b.len && b.s[b.len - 1] != '\n')
			strbuf_addc(&b, '\n');
		else if (b.len && b.s[b.len - 1] != '\n' && to > s)
			strbuf_addc(&b, ' ');
		strbuf_add(&b, s, (size_t)(to - s));
		s = eol ? eol + 1 : end;
	}
	while (b.len && b.s[b.len - 1] == '\n')
		b.s[--b.len] = '\0';
	return arena_take(a, &b);
}

/* -------------------------------------------------------------------- tokens */

static size_t token_len(const char *s)
{
	const char *end;
	size_t n = 1;

	if (!strncmp(s, "/*", 2)) {
		end = strstr(s + 2, "*/");
		return end ? (size_t)(end + 2 - s) : strlen(s);
	}
	if (*s == '"' || *s == '\'') {
		while (s[n] && s[n] != *s)
			n += s[n] == '\\' && s[n + 1] ? 2 : 1;
		return n + (s[n] != '\0');
	}
	while (isalnum((unsigned char)*s) || *s == '_') {
		s++;
		if (!isalnum((unsigned char)*s) && *s != '_')
			return n;
		n++;
	}
	return *s != '\0';
}

static void next_token(struct reader *r)
{
	r->t.same_line = true;
	for (; isspace((unsigned char)*r->at); r->at++)
		r->t.same_line &= *r->at != '\n';
	r->t.at = r->at;
	r->t.len = token_len(r->at);
	r->t.comment = r->t.len > 3 && !strncmp(r->at, "/*", 2);
	r->at += r->t.len;
}

/*
 * Goes on to the next token that is not a comment. r->before becomes the last comment before that
 * token.
 */
static void advance(struct reader *r)
{
	r->before = "";
	for (next_token(r); r->t.comment; next_token(r)) {
		r->before = comment_text(&r->d->arena, &r->t);
		if (!r->file)
			r->file = r->before;
	}
}

static bool is(const struct reader *r, const char *word)
{
	return r->t.len == strlen(word) && !strncmp(r->t.at, word, r->t.len);
}

/*
 * Returns the comment that follows the current token on its line; a ';' may come between. Returns
 * "" if there is no such comment.
 */
static const char *trailing(struct reader *r)
{
	struct reader ahead = *r;

	next_token(&ahead);
	if (is(&ahead, ";"))
		next_token(&ahead);
	if (!ahead.t.comment || !ahead.t.same_line)
		return "";
	r->at = ahead.at;
	return comment_text(&r->d->arena, &ahead.t);
}

static bool at_end(const struct reader *r)
{
	return r->t.len == 0;
}

static char *word(const struct reader *r)
{
	return arena_strndup(&r->d->arena, r->t.at, r->t.len);
}

static bool is_word(const struct reader *r)
{
	return isalnum((unsigned char)*r->t.at) || *r->t.at == '_';
}

/* Appends @word to a type as C writes it: "const struct sock *". */
static void add_to_type(struct strbuf *b, const char *word)
{
	if (b->len && b->s[b->len - 1] != '*')
		strbuf_addc(b, ' ');
	strbuf_adds(b, word);
}

/* --------------------------------------------------------------------- types */

/*
 * Reads a member: "TYPE NAME;" or "TYPE NAME[N];". The current token must be the first token of the
 * member. Ends at the first token after the member.
 */
static struct doc_member read_member(struct reader *r)
{
	struct doc_member m = {.name = ""};
	struct strbuf type = {0};

	for (; !is(r, ";") && !is(r, "[") && !at_end(r); advance(r)) {
		if (*m.name)
			add_to_type(&type, m.name);
		m.name = word(r);
	}
	while (!is(r, ";") && !at_end(r))
		advance(r);
	m.text = trailing(r);
	advance(r);
	m.type = arena_take(&r->d->arena, &type);
	return m;
}

/*
 * Reads a typedef. Only structs with members are kept, because other types have no members to
 * describe.
 */
static void read_typedef(struct reader *r)
{
	struct doc_type t = {.text = r->before};

	advance(r);
	if (!is(r, "struct"))
		return;
	advance(r);
	advance(r);
	if (!is(r, "{"))
		return;
	advance(r);
	while (!is(r, "}") && !at_end(r)) {
		struct doc_member m = read_member(r);

		vec_apush(&r->d->arena, &t.member, m);
	}
	advance(r);
	t.name = word(r);
	vec_apush(&r->d->arena, &r->d->type, t);
}

/* ----------------------------------------------------------------- providers */

/*
 * Returns the name of a probe in the form that users write. A declaration has connect__refused
 * where users write connect-refused.
 */
static char *probe_name(const struct reader *r)
{
	char *name = word(r), *to = name;

	for (const char *s = name; *s; s++, to++) {
		bool dash = s[0] == '_' && s[1] == '_';

		*to = dash ? '-' : *s;
		s += dash;
	}
	*to = '\0';
	return name;
}

/* Skips a list in parentheses. The current token must be the opening parenthesis. */
static void skip_list(struct reader *r)
{
	int depth = 0;

	do {
		depth += is(r, "(") - is(r, ")");
		if (depth)
			advance(r);
	} while (depth && !at_end(r));
}

/*
 * Reads one argument: "TYPE", "TYPE name" or "TYPE *(expressions)". The current token must be the
 * first token of the argument. Ends at the ',' or ')' after the argument.
 */
static struct doc_arg read_arg(struct reader *r)
{
	struct strbuf type = {0};
	struct doc_arg a;
	unsigned words = 0;

	for (; !is(r, ",") && !is(r, ")") && !at_end(r); advance(r)) {
		if (is(r, "("))
			skip_list(r);
		else if (is(r, "*") || (is_word(r) && !words++) || is(r, "struct"))
			add_to_type(&type, word(r));
	}
	a.type = arena_take(&r->d->arena, &type);
	a.text = trailing(r);
	return a;
}

static void read_args(struct reader *r, struct doc_probe *p)
{
	while (!is(r, ")") && !at_end(r)) {
		struct doc_arg a;

		advance(r);
		a = read_arg(r);
		vec_apush(&r->d->arena, &p->arg, a);
	}
}

/*
 * Returns the paragraph "NAME: ..." of @text, without the name. If there is no such paragraph,
 * returns the first paragraph that does not begin with a name.
 */
static const char *paragraph(struct arena *a, const char *text, const char *name)
{
	const char *first = "";
	size_t n = strlen(name);

	for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		size_t word = strcspn(s, ": \n");

		if (word == n && !strncmp(s, name, n) && s[n] == ':')
			return arena_strndup(a, s + n + 2, strcspn(s + n + 2, "\n"));
		if (s[word] != ':' && !*first)
			first = arena_strndup(a, s, strcspn(s, "\n"));
	}
	return first;
}

/*
 * Reads the rest of "probe NAME, NAME (native) : (translated);". The current token must be "probe".
 */
static void read_probe(struct reader *r, struct doc_provider *to)
{
	VEC(const char *) names = {0};
	struct doc_probe p = {0};
	const char *text = r->before;

	for (advance(r); !is(r, "(") && !at_end(r); advance(r))
		if (is_word(r))
			vec_apush(&r->d->arena, &names, (const char *)probe_name(r));
	skip_list(r);
	advance(r);
	if (is(r, ":")) {
		advance(r);
		read_args(r, &p);
	}
	for (size_t i = 0; i < names.n; i++) {
		p.name = names.v[i];
		p.text = paragraph(&r->d->arena, text, p.name);
		vec_apush(&r->d->arena, &to->probe, p);
	}
}

/* Reads "provider NAME { ... }".  The first comment of the file describes the provider. */
static void read_provider(struct reader *r)
{
	struct doc_provider p = {0};
	const char *text = r->file ? r->file : "", *dash = strstr(text, " - ");

	advance(r);
	p.name = word(r);
	p.text = dash ? dash + 3 : text;
	advance(r);
	for (advance(r); !is(r, "}") && !at_end(r); advance(r))
		if (is(r, "probe"))
			read_probe(r, &p);
	vec_apush(&r->d->arena, &r->d->provider, p);
}

/*
 * Reads "inline TYPE NAME = ...". The current token must be "inline". A name that begins with "__"
 * is skipped, because only the library itself uses such names.
 */
static void read_inline(struct reader *r, const char *file)
{
	struct doc_constant c = {.file = file};

	advance(r);
	advance(r);
	if (!is_word(r) || !strncmp(r->t.at, "__", 2))
		return;
	c.name = word(r);
	advance(r);
	if (is(r, "="))
		vec_apush(&r->d->arena, &r->d->constant, c);
}

static void read_text(struct doc *d, const struct library_text *text)
{
	struct reader r = {.d = d, .at = text->text};

	for (advance(&r); !at_end(&r); advance(&r)) {
		if (is(&r, "typedef"))
			read_typedef(&r);
		else if (is(&r, "provider"))
			read_provider(&r);
		else if (is(&r, "inline"))
			read_inline(&r, text->name);
	}
}

/* Gives each argument that has no description the description of its type. */
static void fill_args(struct doc *d)
{
	for (size_t i = 0; i < d->provider.n; i++)
		for (size_t k = 0; k < d->provider.v[i].probe.n; k++) {
			struct doc_probe *p = &d->provider.v[i].probe.v[k];

			for (size_t n = 0; n < p->arg.n; n++) {
				const struct doc_type *t = doc_type(d, p->arg.v[n].type);

				if (!*p->arg.v[n].text && t)
					p->arg.v[n].text = t->text;
			}
		}
}

void doc_read(struct doc *d)
{
	for (const struct library_text *t = library_texts; t->name; t++)
		read_text(d, t);
	fill_args(d);
}

void doc_release(struct doc *d)
{
	arena_release(&d->arena);
}

const struct doc_type *doc_type(const struct doc *d, const char *type)
{
	size_t n = strcspn(type, " *");

	for (size_t i = 0; i < d->type.n; i++)
		if (strlen(d->type.v[i].name) == n && !strncmp(d->type.v[i].name, type, n))
			return &d->type.v[i];
	return NULL;
}

bool doc_has_owner(const struct doc_provider *p)
{
	for (size_t i = 0; i < p->probe.n; i++) {
		const struct doc_probe *probe = &p->probe.v[i];

		if (probe->arg.n > 1 && !strcmp(probe->arg.v[1].type, "csinfo_t *"))
			return true;
	}
	return false;
}

const struct doc_provider *doc_provider(const struct doc *d, const char *name)
{
	for (size_t i = 0; i < d->provider.n; i++)
		if (!strcmp(d->provider.v[i].name, name))
			return &d->provider.v[i];
	return NULL;
}

const struct doc_probe *doc_probe(const struct doc *d, const char *provider, const char *name)
{
	const struct doc_provider *p = doc_provider(d, provider);

	for (size_t i = 0; p && i < p->probe.n; i++)
		if (!strcmp(p->probe.v[i].name, name))
			return &p->probe.v[i];
	return NULL;
}
