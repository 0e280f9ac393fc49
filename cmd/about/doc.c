/*
 * doc.c - reads the library's comments.
 *
 * The compiler has read the same texts and found no error in them: here only what
 * belongs to what is looked for.
 */
#include "cmd/about/doc.h"

#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "compiler/library.h"

/* What stands at @at, up to @end: a comment, a name or one character.  len 0: the end. */
struct piece {
	const char *at;
	size_t len;
	bool comment;
	bool same_line; /* as the piece before */
};

struct reader {
	struct doc *d;
	const char *at;
	struct piece p;     /* the one in hand */
	const char *before; /* the comment before it; "": none */
	const char *file;   /* the comment that the file begins with */
};

/* ------------------------------------------------------------------ comments */

/* Where the text of a line begins: behind blanks and the '*' of the lines of a comment. */
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

/* Lines are joined by blanks; an empty one ends the paragraph. */
static char *comment_text(struct arena *a, const struct piece *p)
{
	const char *s = p->at + 2, *end = p->at + p->len - 2;
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

/* -------------------------------------------------------------------- pieces */

static size_t piece_len(const char *s)
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

static void next_piece(struct reader *r)
{
	r->p.same_line = true;
	for (; isspace((unsigned char)*r->at); r->at++)
		r->p.same_line &= *r->at != '\n';
	r->p.at = r->at;
	r->p.len = piece_len(r->at);
	r->p.comment = r->p.len > 3 && !strncmp(r->at, "/*", 2);
	r->at += r->p.len;
}

/* On to the next that is no comment; what the last comment before it says is kept. */
static void advance(struct reader *r)
{
	r->before = "";
	for (next_piece(r); r->p.comment; next_piece(r)) {
		r->before = comment_text(&r->d->arena, &r->p);
		if (!r->file)
			r->file = r->before;
	}
}

static bool is(const struct reader *r, const char *word)
{
	return r->p.len == strlen(word) && !strncmp(r->p.at, word, r->p.len);
}

/* Behind what has just been taken, and a ';' there: the comment that is on its line. */
static const char *trailing(struct reader *r)
{
	struct reader ahead = *r;

	next_piece(&ahead);
	if (is(&ahead, ";"))
		next_piece(&ahead);
	if (!ahead.p.comment || !ahead.p.same_line)
		return "";
	r->at = ahead.at;
	return comment_text(&r->d->arena, &ahead.p);
}

static bool at_end(const struct reader *r)
{
	return r->p.len == 0;
}

static char *piece(const struct reader *r)
{
	return arena_strndup(&r->d->arena, r->p.at, r->p.len);
}

static bool is_word(const struct reader *r)
{
	return isalnum((unsigned char)*r->p.at) || *r->p.at == '_';
}

/* As types are written: a blank between words and before a '*'. */
static void add_to_type(struct strbuf *b, const char *word)
{
	if (b->len && b->s[b->len - 1] != '*')
		strbuf_addc(b, ' ');
	strbuf_adds(b, word);
}

/* --------------------------------------------------------------------- types */

/* "TYPE NAME;" or "TYPE NAME[N];", the first piece of it in hand; on to what follows. */
static struct doc_member read_member(struct reader *r)
{
	struct doc_member m = {.name = ""};
	struct strbuf type = {0};

	for (; !is(r, ";") && !is(r, "[") && !at_end(r); advance(r)) {
		if (*m.name)
			add_to_type(&type, m.name);
		m.name = piece(r);
	}
	while (!is(r, ";") && !at_end(r))
		advance(r);
	m.text = trailing(r);
	advance(r);
	m.type = arena_take(&r->d->arena, &type);
	return m;
}

/* Behind "typedef": only structs with members are types of arguments. */
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
	t.name = piece(r);
	vec_apush(&r->d->arena, &r->d->type, t);
}

/* ----------------------------------------------------------------- providers */

/* A probe's name as users write it: connect-refused. */
static char *probe_name(const struct reader *r)
{
	char *name = piece(r), *to = name;

	for (const char *s = name; *s; s++, to++) {
		bool dash = s[0] == '_' && s[1] == '_';

		*to = dash ? '-' : *s;
		s += dash;
	}
	*to = '\0';
	return name;
}

/* Past a list in brackets, the opening one in hand. */
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
 * One argument, its first piece in hand: "TYPE", "TYPE name" or "TYPE *(expressions)".  Leaves
 * the ',' or ')' behind it in hand.
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
			add_to_type(&type, piece(r));
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

/* The paragraph of @text for @name: "name: ..."; else the first that is for none of them. */
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

/* "probe NAME, NAME (native) : (translated);", the word in hand. */
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

/* Behind "provider": what a file begins with is said of it. */
static void read_provider(struct reader *r)
{
	struct doc_provider p = {0};
	const char *text = r->file ? r->file : "", *dash = strstr(text, " - ");

	advance(r);
	p.name = piece(r);
	p.text = dash ? dash + 3 : text;
	advance(r);
	for (advance(r); !is(r, "}") && !at_end(r); advance(r))
		if (is(r, "probe"))
			read_probe(r, &p);
	vec_apush(&r->d->arena, &r->d->provider, p);
}

/* "inline TYPE NAME = ...", the word in hand; a name that begins with "__" is the library's own. */
static void read_inline(struct reader *r, const char *file)
{
	struct doc_constant c = {.file = file};

	advance(r);
	advance(r);
	if (!is_word(r) || !strncmp(r->p.at, "__", 2))
		return;
	c.name = piece(r);
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

/* An argument of which nothing is said is what its type is. */
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
