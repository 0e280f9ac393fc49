/*
 * check.c - compiles a script again and again, each time without what was wrong with it.
 *
 * A compile tells the first error only.  The piece of the text that it is in, a clause or
 * declaration, is blanked, so that what follows keeps its lines, and the rest is tried.
 */
#include "cmd/check.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

/* A clause or a declaration: the bytes from..to of the text. */
struct piece {
	uint32_t from, to;
	bool clause;
	char *head;    /* what it is about: its probes, or the beginning of a declaration */
	char *wrong;   /* the message; NULL: it compiles */
	char *instead; /* NULL: nothing is known that would do */
};

struct check {
	const struct cmd_opts *o;
	FILE *to;
	const char *name;
	pid_t target; /* $target; -1: there is none */
	struct strbuf text;
	VEC(struct piece) piece;
	struct strbuf notes; /* lines about all of it */
	bool bad;
	bool stopped; /* by what is wrong with all of it */
};

/* ------------------------------------------------------------- pieces of a text */

/* Past a comment, a text in quotes, a control line or one character. */
static const char *step(const char *s, bool line_begins)
{
	const char *end;

	if (!strncmp(s, "/*", 2))
		return (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
	if (*s == '#' && line_begins)
		return s + strcspn(s, "\n");
	if (*s == '"' || *s == '\'') {
		for (end = s + 1; *end && *end != *s && *end != '\n'; end++)
			end += *end == '\\' && end[1];
		return end + (*end == *s);
	}
	return s + 1;
}

/* Past blanks, comments and control lines; @begins: at the begin of a line. */
static const char *skip(const char *s, bool begins)
{
	while (isspace((unsigned char)*s) || !strncmp(s, "/*", 2) || (*s == '#' && begins)) {
		const char *next = step(s, begins);

		begins = *s == '\n' || (begins && isspace((unsigned char)*s));
		s = next;
	}
	return s;
}

static bool declares(const char *s)
{
	static const char *const words[] = {"typedef",    "struct",   "union",  "enum",  "inline",
					    "translator", "provider", "extern", "const", "static"};
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz");

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == n && !strncmp(s, words[i], n))
			return true;
	return false;
}

/* To its end: the '}' of a clause, the ';' of what is declared. */
static const char *find_end(const char *s, struct piece *p)
{
	bool declared = declares(s), begins = false;
	int depth = 0;

	while (*s) {
		char c = *s;
		const char *next = step(s, begins);

		begins = c == '\n';
		depth += (c == '{') - (c == '}');
		s = next;
		if (c == '{' && depth == 1)
			p->clause = !declared;
		if (!depth && ((c == '}' && !declared) || c == ';'))
			break;
	}
	return s;
}

/* Words with one blank between, up to a predicate or a body. */
static char *head_of(const char *s, const char *end)
{
	struct strbuf b = {0};

	for (s = skip(s, true); s < end && *s != '{' && *s != '/' && *s != ';' && *s != '='; s++)
		if (!isspace((unsigned char)*s))
			strbuf_addc(&b, *s);
		else if (b.len && b.s[b.len - 1] != ' ')
			strbuf_addc(&b, ' ');
	while (b.len && b.s[b.len - 1] == ' ')
		b.s[--b.len] = '\0';
	strbuf_addc(&b, '\0');
	return b.s;
}

static void split(struct check *c)
{
	const char *text = c->text.s, *s = skip(text, true), *end;

	while (*s) {
		struct piece p = {.from = (uint32_t)(s - text)};

		end = find_end(s, &p);
		p.to = (uint32_t)(end - text);
		p.head = head_of(s, end);
		if (*p.head)
			vec_push(&c->piece, p);
		else
			xfree(p.head);
		s = skip(end, end == text || end[-1] == '\n');
	}
}

/* ----------------------------------------------------------------------- compiling */

static void note(struct check *c, const char *what, const char *instead)
{
	strbuf_addf(&c->notes, "%s: no: %s\n", c->name, what);
	if (instead)
		strbuf_addf(&c->notes, "\tinstead: %s\n", instead);
	c->bad = true;
}

/* The piece that the error is in; NULL: in none, or one that was taken out already. */
static struct piece *piece_of(struct check *c, const struct src *src, struct loc loc)
{
	for (size_t i = 0; loc.src == src && i < c->piece.n; i++)
		if (loc.off >= c->piece.v[i].from && loc.off <= c->piece.v[i].to &&
		    !c->piece.v[i].wrong)
			return &c->piece.v[i];
	return NULL;
}

static void take_out(struct check *c, const struct piece *p)
{
	for (uint32_t i = p->from; i < p->to; i++)
		if (c->text.s[i] != '\n')
			c->text.s[i] = ' ';
}

/* False: it is in nothing that could be taken out. */
static bool keep_error(struct check *c, const struct src *src, const struct diag *d)
{
	struct piece *p = piece_of(c, src, d->loc);
	struct strbuf b = {0};

	if (!p) {
		diag_text(d, c->o->errtags, &b);
		note(c, b.s, d->hint);
		c->stopped = true;
		strbuf_release(&b);
		return false;
	}
	p->wrong = xstrdup(d->msg);
	p->instead = d->hint ? xstrdup(d->hint) : NULL;
	c->bad = true;
	take_out(c, p);
	return true;
}

/* "#pragma D option": each is tried on options that nobody uses. */
static void check_options(struct check *c, struct compiler *compiler)
{
	struct cmd_opts scratch = *c->o;
	const char *name, *value;
	struct loc loc;
	struct strbuf b = {0};

	memset(&scratch.libdir, 0, sizeof(scratch.libdir));
	memset(&scratch.env, 0, sizeof(scratch.env));
	memset(&scratch.filter, 0, sizeof(scratch.filter));
	memset(&scratch.why, 0, sizeof(scratch.why));
	memset(&scratch.cpp.arg, 0, sizeof(scratch.cpp.arg));
	for (unsigned i = 0; compiler_option(compiler, i, &name, &value, &loc); i++) {
		int r = option_set(&scratch, name, value);
		unsigned line = 0, col;

		if (!r)
			continue;
		loc_line(loc, &line, &col, NULL);
		strbuf_reset(&b);
		strbuf_addf(&b, "line %u: option %s%s%s: %s", line, name, value ? "=" : "",
			    value ? value : "", option_wrong(&scratch, r));
		note(c, b.s, NULL);
	}
	strbuf_release(&b);
	vec_free(&scratch.libdir);
	vec_free(&scratch.env);
	filters_release(&scratch.filter);
	strbuf_release(&scratch.why);
	vec_free(&scratch.cpp.arg);
}

/* What all of it needs, or is warned of. */
static void remark(struct check *c, struct compiler *compiler, const struct program *p)
{
	const char *w;

	for (unsigned i = 0; (w = compiler_warning(compiler, i)); i++)
		strbuf_addf(&c->notes, "%s: but: %s\n", c->name, w);
	if (p->destructive && !c->o->destructive)
		strbuf_addf(&c->notes,
			    "%s: but: needs -w, for it changes more than its own output\n",
			    c->name);
	if (p->impossible)
		note(c, p->impossible, NULL);
	check_options(c, compiler);
}

/* True: something was taken out, so it is to be tried again. */
static bool try(struct check *c)
{
	const char *args[] = {c->name};
	struct macros mac = {args, 1, NULL, true, c->target};
	struct parse_opts po = {.right = PD_RIGHT_NAME, .empty = true, .macros = &mac};
	struct src src = {SRC_FILE, c->name, c->text.s, c->text.len, false};
	struct diag d = {0};
	struct compiler *compiler = compiler_new(&c->o->compile, &d);
	const struct program *p = NULL;
	unsigned matched;
	bool again = false;

	if (!d.nerr && !compiler_add(compiler, &src, &po, &matched, NULL))
		p = compiler_finish(compiler, NULL);
	if (p)
		remark(c, compiler, p);
	else
		again = keep_error(c, &src, &d);
	compiler_free(compiler);
	diag_release(&d);
	return again;
}

/* ------------------------------------------------------------------------ telling */

/* Of the script, also behind what the preprocessor put before it. */
static unsigned line_of(const struct check *c, uint32_t off)
{
	struct src src = {SRC_FILE, c->name, c->text.s, c->text.len, false};
	unsigned line, col;

	loc_line((struct loc){&src, off}, &line, &col, NULL);
	return line;
}

static void tell(struct check *c)
{
	for (size_t i = 0; i < c->piece.n; i++) {
		const struct piece *p = &c->piece.v[i];

		if ((!p->clause || c->stopped) && !p->wrong)
			continue;
		fprintf(c->to, "%s:%u: %s: %s%s\n", c->name, line_of(c, p->from), p->head,
			p->wrong ? "no: " : "runs", p->wrong ? p->wrong : "");
		if (p->instead)
			fprintf(c->to, "\tinstead: %s\n", p->instead);
	}
	if (c->notes.s)
		fputs(c->notes.s, c->to);
}

int check_script(const struct cmd_opts *o, const char *name, const char *text, pid_t target,
		 FILE *to)
{
	struct check c = {.o = o, .to = to, .name = name, .target = target};

	strbuf_adds(&c.text, text);
	split(&c);
	while (try(&c))
		;
	tell(&c);
	for (size_t i = 0; i < c.piece.n; i++) {
		xfree(c.piece.v[i].head);
		xfree(c.piece.v[i].wrong);
		xfree(c.piece.v[i].instead);
	}
	vec_free(&c.piece);
	strbuf_release(&c.text);
	strbuf_release(&c.notes);
	return c.bad;
}
