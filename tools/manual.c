/*
 * manual.c - writes manual pages from comments of the library and of scripts.
 *
 * usage: manual DIRECTORY ONE-LINERS SCRIPT...
 *
 * Writes dtrace-PROVIDER.4 for each stable provider, from the comments of the library
 * (cmd/about/doc.h).  The examples are the one-liners of docs/scripts.md that name the provider.
 * Writes dtrace-SCRIPT.8 for each script, from the comment at its start.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cmd/about/doc.h"
#include "cmd/about/scripts.h"

#define PRODUCT "dtrace " DTRACE_VERSION

static const char *to_dir;

static FILE *page(const char *name, const char *section)
{
	struct strbuf path = {0};
	FILE *f;

	strbuf_addf(&path, "%s/dtrace-%s.%s", to_dir, name, section);
	f = fopen(path.s, "w");
	if (!f) {
		perror(path.s);
		exit(1);
	}
	strbuf_release(&path);
	fprintf(f, ".TH DTRACE-");
	for (const char *s = name; *s; s++)
		fputc(*s >= 'a' && *s <= 'z' ? *s - 'a' + 'A' : *s, f);
	fprintf(f, " %s " DTRACE_DATE " \"" PRODUCT "\"\n.nh\n.ad l\n.ds AD l\n", section);
	return f;
}

static void done(FILE *f)
{
	if (ferror(f) | fclose(f)) {
		fputs("manual: cannot write a page\n", stderr);
		exit(1);
	}
}

/* Prints the @n bytes of text at @s, so that roff finds no request or escape in the text. */
static void literal(FILE *f, const char *s, size_t n)
{
	if (n && (*s == '.' || *s == '\''))
		fputs("\\&", f);
	for (; n; s++, n--) {
		if (*s == '\\')
			fputs("\\e", f);
		else if (*s == '-')
			fputs("\\-", f);
		else if (*s == '\'')
			fputs("\\(aq", f);
		else if (*s == '^')
			fputs("\\(ha", f);
		else if (*s == '~')
			fputs("\\(ti", f);
		else
			fputc(*s, f);
	}
}

static void text_line(FILE *f, const char *s)
{
	literal(f, s, strlen(s));
	fputc('\n', f);
}

/* Writes the paragraphs of @s, which are separated by newlines. */
static void paragraphs(FILE *f, const char *s)
{
	for (bool first = true; *s; first = false) {
		size_t n = strcspn(s, "\n");

		if (!first)
			fputs(".PP\n", f);
		literal(f, s, n);
		fputc('\n', f);
		s += n + (s[n] == '\n');
	}
}

/* ----------------------------------------------------------------- providers */

static bool is_seen(const struct doc_type **seen, size_t n, const struct doc_type *t)
{
	for (size_t i = 0; i < n; i++)
		if (seen[i] == t)
			return true;
	return false;
}

/* Writes the arguments of probe @p. If @shared is set, the probes before @p have them, too. */
static void write_args(FILE *f, const struct doc *d, const struct doc_probe *p, bool shared)
{
	fprintf(f, ".PP\n%s:\n.RS\n", shared ? "Arguments of these probes" : "Arguments");
	for (size_t i = 0; i < p->arg.n; i++) {
		const struct doc_arg *a = &p->arg.v[i];
		const struct doc_type *t = doc_type(d, a->type);

		fprintf(f, ".TP\nargs[%zu] \\fI%s\\fR\n", i, a->type);
		/*
		 * If the text is that of the argument's type, prints only its first sentence,
		 * because the page describes the type in full.
		 */
		literal(f, a->text,
			t && t->text == a->text ? strcspn(a->text, ".") : strlen(a->text));
		fputc('\n', f);
	}
	fputs(".RE\n", f);
}

/*
 * Writes the probes of provider @p. Probes that were declared together have one list of arguments,
 * which follows the last of these probes.
 */
static void write_probes(FILE *f, const struct doc *d, const struct doc_provider *p)
{
	bool shared = false;

	fputs(".SH PROBES\n", f);
	for (size_t i = 0; i < p->probe.n; i++) {
		const struct doc_probe *at = &p->probe.v[i];

		fprintf(f, ".TP\n.B %s:::", p->name);
		text_line(f, at->name);
		text_line(f, at->text);
		if (i + 1 < p->probe.n && at[1].arg.v == at->arg.v) {
			shared = true;
			continue;
		}
		if (at->arg.n)
			write_args(f, d, at, shared);
		shared = false;
	}
}

static void write_type(FILE *f, const struct doc_type *t)
{
	fprintf(f, ".SS %s\n", t->name);
	text_line(f, t->text);
	for (size_t i = 0; i < t->member.n; i++) {
		fprintf(f, ".TP\n\\fB%s\\fR \\fI%s\\fR\n", t->member.v[i].name,
			t->member.v[i].type);
		text_line(f, t->member.v[i].text);
	}
}

static void write_types(FILE *f, const struct doc *d, const struct doc_provider *p)
{
	const struct doc_type *seen[32];
	size_t n = 0;

	fputs(".SH \"ARGUMENTS AND THEIR MEMBERS\"\n", f);
	for (size_t i = 0; i < p->probe.n; i++)
		for (size_t k = 0; k < p->probe.v[i].arg.n; k++) {
			const struct doc_type *t = doc_type(d, p->probe.v[i].arg.v[k].type);

			if (!t || is_seen(seen, n, t) || n == sizeof(seen) / sizeof(*seen))
				continue;
			seen[n++] = t;
			write_type(f, t);
		}
}

/* Writes the constants that translators/PROVIDER.d declares. */
static void write_constants(FILE *f, const struct doc *d, const char *provider)
{
	char file[128];
	bool some = false;

	snprintf(file, sizeof(file), "translators/%s.d", provider);

	for (size_t i = 0; i < d->constant.n; i++) {
		if (strcmp(d->constant.v[i].file, file))
			continue;
		fputs(some ? ",\n" : ".SH CONSTANTS\n", f);
		literal(f, d->constant.v[i].name, strlen(d->constant.v[i].name));
		some = true;
	}
	if (some)
		fputs(".\n", f);
}

/*
 * Returns whether a one-liner names a probe of this provider.  The provider's name must not be the
 * end of a longer name.
 */
static bool is_about(const char *line, const char *provider)
{
	const char *at = strstr(line, provider);
	size_t n = strlen(provider);

	while (at && (strncmp(at + n, "::", 2) || (at > line && at[-1] >= 'a' && at[-1] <= 'z')))
		at = strstr(at + 1, provider);
	return at != NULL;
}

/*
 * Writes the one-liners of file @oneliners that name the provider. A one-liner is two lines:
 * "    # what" and "    dtrace ...".
 */
static void write_examples(FILE *f, const char *oneliners, const char *provider)
{
	char what[2048] = "", line[2048];
	FILE *from = fopen(oneliners, "r");
	bool some = false;

	while (from && fgets(line, sizeof(line), from)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "    # ", 6)) {
			snprintf(what, sizeof(what), "%s", line + 6);
			continue;
		}
		if (strncmp(line, "    dtrace ", 11) || !*what || !is_about(line, provider))
			continue;
		if (!some)
			fputs(".SH EXAMPLES\nAdd \\fB\\-r\\fR \\fIcapture\\fR to run an "
			      "example on a capture file, if captures have its events.\n",
			      f);
		fputs(".TP\n", f);
		text_line(f, what);
		text_line(f, line + 4);
		some = true;
	}
	if (from)
		fclose(from);
}

static void write_provider(const struct doc *d, const struct doc_provider *p, const char *oneliners)
{
	FILE *f = page(p->name, "4");

	fprintf(f, ".SH NAME\ndtrace\\-%s \\- ", p->name);
	literal(f, p->text, strcspn(p->text, ".\n"));
	fputs("\n.SH SYNOPSIS\n.nf\n", f);
	for (size_t i = 0; i < p->probe.n; i++) {
		fprintf(f, "%s:::", p->name);
		text_line(f, p->probe.v[i].name);
	}
	fputs(".fi\n", f);
	if (strchr(p->text, '\n')) {
		fputs(".SH DESCRIPTION\n", f);
		paragraphs(f, strchr(p->text, '\n') + 1);
	}
	write_probes(f, d, p);
	if (p->probe.n && p->probe.v[0].arg.n)
		write_types(f, d, p);
	write_constants(f, d, p->name);
	write_examples(f, oneliners, p->name);
	fprintf(f,
		".SH \"SEE ALSO\"\n.BR dtrace (8),\n.BR d (7)\n.PP\n"
		"\\fBdtrace \\-lvvn %s:::\\fR prints these descriptions, and what fires these "
		"probes on the running kernel.\n",
		p->name);
	done(f);
}

/* ------------------------------------------------------------------- scripts */

/*
 * Writes the paragraphs and examples of a script's comment. In the comment, lines of an example
 * begin with a tab. On the page, these lines start at the left margin, because they may have 80
 * columns.
 */
static void write_body(FILE *f, char *s)
{
	bool example = false, pending = false;
	char *eol;

	for (; *s; s = eol + 1) {
		eol = s + strcspn(s, "\n");
		if (!*eol)
			break;
		*eol = '\0';
		if (!*s) {
			pending = true;
			continue;
		}
		if (example != (*s == '\t'))
			fputs(example ? ".fi\n.in\n" : ".PP\n.nf\n.in 0\n", f);
		if (pending)
			fputs(*s == '\t' && example ? "\n" : *s == '\t' ? "" : ".PP\n", f);
		example = *s == '\t';
		pending = false;
		text_line(f, example ? s + 1 : s);
	}
	if (example)
		fputs(".fi\n.in\n", f);
}

static void write_script(const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char name[128], *text = NULL, *body, *dash;
	size_t size = 0;
	FILE *mem = open_memstream(&text, &size), *f;

	snprintf(name, sizeof(name), "%.*s", (int)(strlen(base) - 2), base);
	if (!mem || !script_usage(path, mem) || fclose(mem) || !(dash = strstr(text, " - "))) {
		fprintf(stderr, "manual: the first comment of %s has no line \"NAME.d - title\"\n",
			path);
		exit(1);
	}
	body = strchr(dash, '\n');
	*body++ = '\0';
	f = page(name, "8");
	fprintf(f, ".SH NAME\ndtrace\\-%s \\- ", name);
	literal(f, dash + 3, strcspn(dash + 3, ".\n"));
	fputc('\n', f);
	body += strspn(body, "\n");
	fputs(".SH SYNOPSIS\n", f);
	if (!strncmp(body, "usage: ", 7)) {
		literal(f, body + 7, strcspn(body + 7, "\n"));
		body += strcspn(body, "\n");
		body += strspn(body, "\n");
	}
	fputs("\n.SH DESCRIPTION\n", f);
	write_body(f, body);
	fputs(".SH \"SEE ALSO\"\n.BR dtrace (8)\n", f);
	done(f);
	free(text);
}

int main(int argc, char **argv)
{
	struct doc d = {0};

	if (argc < 3)
		return 2;
	to_dir = argv[1];
	doc_read(&d);
	for (size_t i = 0; i < d.provider.n; i++)
		write_provider(&d, &d.provider.v[i], argv[2]);
	for (int i = 3; i < argc; i++)
		write_script(argv[i]);
	doc_release(&d);
	return 0;
}
