/*
 * diag.c - records the first error of a compile and formats it.
 */
#include "base/diag.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/excerpt.h"
#include "base/xalloc.h"

static const char *const tag_name[] = {
#define X(tag) #tag,
	DTAGS(X)
#undef X
};

void diag_release(struct diag *d)
{
	xfree(d->msg);
	xfree(d->hint);
	*d = (struct diag){0};
}

int diag_error(struct diag *d, enum dtag tag, struct loc loc, const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	if (d->nerr++)
		return -1;
	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	d->tag = tag;
	d->loc = loc;
	d->where = d->now;
	d->msg = b.s;
	return -1;
}

void diag_hint(struct diag *d, const char *fmt, ...)
{
	struct strbuf b = {0};
	va_list ap;

	if (d->nerr != 1 || d->hint)
		return;
	va_start(ap, fmt);
	strbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	d->hint = b.s;
}

int diag_copy(struct diag *to, const struct diag *from)
{
	diag_error(to, from->tag, from->loc, "%s", from->msg);
	if (from->hint)
		diag_hint(to, "%s", from->hint);
	return -1;
}

void diag_replace_hint(struct diag *d, const char *hint)
{
	xfree(d->hint);
	d->hint = xstrdup(hint);
}

/*
 * Reads a line marker of the C preprocessor at @p: '# 12 "file.d"' or '#line 12 "file.d"'. Sets
 * @line, and also @file and @len if the marker names a file. The name points into the text at @p
 * and has no NUL; @len is its length. Returns false if the text is not a line marker.
 */
static bool line_marker(const char *p, unsigned *line, const char **file, size_t *len)
{
	char *end;

	p++;
	while (*p == ' ' || *p == '\t')
		p++;
	if (!strncmp(p, "line", 4))
		p += 4;
	while (*p == ' ' || *p == '\t')
		p++;
	if (!isdigit((unsigned char)*p))
		return false;
	*line = (unsigned)strtoul(p, &end, 10);
	p = end;
	while (*p == ' ' || *p == '\t')
		p++;
	if (*p == '"') {
		*file = p + 1;
		*len = strcspn(p + 1, "\"\n");
	}
	return true;
}

struct position {
	unsigned line, col;
	/*
	 * file name in the last line marker before the position, without a NUL; NULL if no line
	 * marker names a file
	 */
	const char *file;
	size_t file_len; /* in bytes */
};

static struct position find_position(struct loc loc)
{
	struct position at = {1, 1, NULL, 0};
	const char *p = loc.src->text, *end = p + loc.off, *bol = p;

	for (; p < end; p++) {
		unsigned line;

		if (p == bol && *p == '#' && line_marker(p, &line, &at.file, &at.file_len))
			at.line = line - 1;
		if (*p == '\n') {
			at.line++;
			bol = p + 1;
		}
	}
	at.col = (unsigned)(end - bol) + 1;
	return at;
}

void loc_line(struct loc loc, unsigned *line, unsigned *col, const char **file)
{
	struct position at = find_position(loc);

	*line = at.line;
	*col = at.col;
	if (file)
		*file = loc.src->name;
}

static void add_where(const struct diag *d, struct strbuf *out)
{
	struct position at;

	if (!d->loc.src)
		return;
	at = find_position(d->loc);
	if (at.file)
		strbuf_addf(out, "\"%.*s\", line %u: ", (int)at.file_len, at.file, at.line);
	else if (d->loc.src->kind == SRC_LIB)
		strbuf_addf(out, "\"%s\", line %u: ", d->loc.src->name, at.line);
	else if (d->loc.src->kind == SRC_FILE)
		strbuf_addf(out, "line %u: ", at.line);
	else if (d->where == DIAG_IN_PREDICATE)
		strbuf_adds(out, "in predicate: ");
	else if (d->where == DIAG_IN_ACTIONS)
		strbuf_adds(out, "in action list: ");
}

void diag_text(const struct diag *d, bool tags, struct strbuf *out)
{
	if (tags)
		strbuf_addf(out, "[%s] ", tag_name[d->tag]);
	add_where(d, out);
	strbuf_adds(out, d->msg ? d->msg : "unknown error");
}

void diag_help(const struct diag *d, struct strbuf *out)
{
	if (d->loc.src)
		excerpt_add(out, d->loc.src->text, d->loc.src->len, d->loc.off);
	if (d->hint) {
		strbuf_adds(out, "    ");
		excerpt_escape(out, d->hint, strlen(d->hint));
		strbuf_addc(out, '\n');
	}
}
