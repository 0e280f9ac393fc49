/*
 * check.c - reports which clauses of a script run on this machine.
 *
 * The compiler reports only the first error. So the script is compiled again and again until the
 * rest compiles. After each error, the clause or declaration that has the error is overwritten with
 * blanks. The blanks keep the numbers of later lines.
 */
#include "cmd/check.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/vec.h"
#include "base/visible.h"
#include "base/xalloc.h"

/* A clause or a declaration of the script. */
struct piece {
	uint32_t from, to; /* the range of the text that the piece occupies, in bytes */
	bool clause;
	bool absent; /* the clause's probe does not exist here; with -Z, the clause waits for it */
	char *head;  /* the probes of the clause, or the beginning of the declaration */
	char *wrong; /* the error message, or NULL if the piece compiles */
	char *instead; /* what to write instead, or NULL without a suggestion */
};

struct check {
	const struct cmd_opts *o;
	FILE *to;
	const char *name;
	pid_t target;      /* the process that $target stands for, or -1 */
	bool zdefs;        /* compile as with -Z */
	const char *whole; /* the text without blanks in place of pieces */
	struct strbuf text;
	VEC(struct piece) piece;
	struct strbuf notes; /* lines about the script as a whole */
	bool bad;            /* some piece of the script does not run */
	bool stopped;        /* the check ended at an error that is in none of the pieces */
};

/* ------------------------------------------------------------- pieces of a text */

static bool is_comment(const char *s)
{
	return *s == '/' && (s[1] == '*' || s[1] == '/');
}

/* Skips a comment, a text in quotes, a control line or one character. */
static const char *step(const char *s, bool line_begins)
{
	const char *end;

	if (!strncmp(s, "/*", 2))
		return (end = strstr(s + 2, "*/")) ? end + 2 : s + strlen(s);
	if (is_comment(s) || (*s == '#' && line_begins))
		return s + strcspn(s, "\n");
	if (*s == '"' || *s == '\'') {
		for (end = s + 1; *end && *end != *s && *end != '\n'; end++)
			end += *end == '\\' && end[1];
		return end + (*end == *s);
	}
	return s + 1;
}

/*
 * Skips blanks, comments and control lines. @begins says whether @s is at the beginning of a line.
 */
static const char *skip(const char *s, bool begins)
{
	while (isspace((unsigned char)*s) || is_comment(s) || (*s == '#' && begins)) {
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

/*
 * Finds the end of the piece at @s: the '}' of a clause or the ';' of a declaration. Sets
 * p->clause.
 */
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

/*
 * Returns the beginning of a piece, up to its predicate, body or value. Words are separated by
 * single blanks.
 */
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

/* Appends a line to @to. The line is escaped, because the script may be another user's. */
static void add_line(struct strbuf *to, const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	visible_add(to, b.s, b.len);
	strbuf_addc(to, '\n');
	strbuf_release(&b);
}

static void add_suggestion(struct strbuf *to, const char *instead)
{
	strbuf_adds(to, instead ? "\t" : "");
	if (instead)
		add_line(to, "instead: %s", instead);
}

static void note(struct check *c, const char *what, const char *instead)
{
	add_line(&c->notes, "%s: no: %s", c->name, what);
	add_suggestion(&c->notes, instead);
	c->bad = true;
}

/* Checks the options that the script's pragmas set, by setting them in a copy of the options. */
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

/* Records notes about a script that compiles: warnings, missing rights and wrong options. */
static void remark(struct check *c, struct compiler *compiler, const struct program *p)
{
	const char *w;

	for (unsigned i = 0; (w = compiler_warning(compiler, i)); i++)
		add_line(&c->notes, "%s: note: %s", c->name, w);
	if ((p->destructive || p->may_destroy) && !c->o->destructive)
		add_line(&c->notes, "%s: note: needs -w: the script has destructive actions",
			 c->name);
	if (p->impossible)
		note(c, p->impossible, NULL);
	check_options(c, compiler);
}

/* Compiles @src, with or without -Z. If that succeeds and @final is set, records notes. */
static bool compiles(struct check *c, const struct src *src, bool zdefs, struct diag *d, bool final)
{
	const char *args[] = {c->name};
	struct macros mac = {args, 1, NULL, true, c->target};
	struct parse_opts po = {.right = PD_RIGHT_NAME, .empty = true, .macros = &mac};
	struct compile_opts o = c->o->compile;
	const struct program *p = NULL;
	struct compiler *compiler;
	unsigned matched;

	o.zdefs = zdefs;
	compiler = compiler_new(&o, d);
	if (!d->nerr && !compiler_add(compiler, src, &po, &matched, NULL))
		p = compiler_finish(compiler, NULL);
	if (p && final)
		remark(c, compiler, p);
	compiler_free(compiler);
	return p != NULL;
}

/*
 * Returns the piece that contains the error at @loc. Returns NULL if the error is in none of the
 * pieces, or in a piece that has been blanked already.
 */
static struct piece *piece_of(struct check *c, const struct src *src, struct loc loc)
{
	for (size_t i = 0; loc.src == src && i < c->piece.n; i++)
		if (loc.off >= c->piece.v[i].from && loc.off <= c->piece.v[i].to &&
		    !c->piece.v[i].wrong)
			return &c->piece.v[i];
	return NULL;
}

static void blank_out(struct check *c, const struct piece *p)
{
	for (uint32_t i = p->from; i < p->to; i++)
		if (c->text.s[i] != '\n')
			c->text.s[i] = ' ';
}

/*
 * Returns whether the error in piece @p goes away if clauses whose probes do not exist here define
 * what they assign, as with -Z.
 */
static bool needs_absent(struct check *c, const struct piece *p)
{
	struct strbuf text = {0};
	struct src src = {SRC_FILE, c->name, NULL, c->text.len, false};
	struct diag d = {0};
	bool any = false, good;

	strbuf_adds(&text, c->text.s);
	for (size_t i = 0; i < c->piece.n; i++) {
		const struct piece *q = &c->piece.v[i];

		any |= q->absent;
		if (q->absent)
			memcpy(text.s + q->from, c->whole + q->from, q->to - q->from);
	}
	src.text = text.s;
	good = any &&
	       (compiles(c, &src, true, &d, false) || d.loc.off < p->from || d.loc.off > p->to);
	diag_release(&d);
	strbuf_release(&text);
	return good;
}

/*
 * Stores the error in the piece that has it, and blanks that piece. Returns false if the error is
 * in none of the pieces.
 */
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
	p->absent = p->clause && (d->tag == D_PDESC_ZERO || d->tag == D_HOOK_NONE);
	strbuf_adds(&b, d->msg);
	if (!p->absent && needs_absent(c, p))
		strbuf_adds(&b, ": the clause that defines it has no probe here");
	p->wrong = b.s;
	p->instead = d->hint ? xstrdup(d->hint) : NULL;
	c->bad = true;
	blank_out(c, p);
	return true;
}

/*
 * Compiles the text once. Returns true if a piece was blanked, so that the caller must try again.
 */
static bool try(struct check *c)
{
	struct src src = {SRC_FILE, c->name, c->text.s, c->text.len, false};
	struct diag d = {0};
	bool again = !compiles(c, &src, c->zdefs, &d, true) && keep_error(c, &src, &d);

	diag_release(&d);
	return again;
}

static void try_all(struct check *c, bool zdefs, const char *text)
{
	c->zdefs = zdefs;
	c->bad = c->stopped = false;
	strbuf_reset(&c->text);
	strbuf_adds(&c->text, text);
	strbuf_reset(&c->notes);
	for (size_t i = 0; i < c->piece.n; i++) {
		xfree(c->piece.v[i].wrong);
		xfree(c->piece.v[i].instead);
		c->piece.v[i].wrong = c->piece.v[i].instead = NULL;
	}
	while (try(c))
		;
}

/* ------------------------------------------------------------------------ printing */

/*
 * Returns the number of the line of the script that contains byte @off of the text. The text may be
 * output of the preprocessor, so line markers in the text count.
 */
static unsigned line_of(const struct check *c, uint32_t off)
{
	struct src src = {SRC_FILE, c->name, c->text.s, c->text.len, false};
	unsigned line, col;

	loc_line((struct loc){&src, off}, &line, &col, NULL);
	return line;
}

static void print_result(struct check *c)
{
	struct strbuf b = {0};

	for (size_t i = 0; i < c->piece.n; i++) {
		const struct piece *p = &c->piece.v[i];

		if ((!p->clause || c->stopped) && !p->wrong)
			continue;
		add_line(&b, "%s:%u: %s: %s%s", c->name, line_of(c, p->from), p->head,
			 p->wrong    ? "no: "
			 : p->absent ? "waits for a probe that does not exist yet"
				     : "runs",
			 p->wrong ? p->wrong : "");
		add_suggestion(&b, p->instead);
	}
	fputs(strbuf_text(&b), c->to);
	fputs(strbuf_text(&c->notes), c->to);
	strbuf_release(&b);
}

int check_script(const struct cmd_opts *o, const char *name, const char *text, pid_t target,
		 FILE *to)
{
	struct check c = {.o = o, .to = to, .name = name, .target = target, .whole = text};

	strbuf_adds(&c.text, text);
	split(&c);
	try_all(&c, false, text);
	if (o->compile.zdefs)
		try_all(&c, true, text);
	print_result(&c);
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
