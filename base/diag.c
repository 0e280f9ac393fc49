/*
 * diag.c - the first error of a compile, and how it reads.
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

const char *dtag_name(enum dtag tag)
{
	return tag_name[tag];
}

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

void diag_hint_instead(struct diag *d, const char *hint)
{
	xfree(d->hint);
	d->hint = xstrdup(hint);
}

/*
 * A cpp line marker at @p, "# 12 "file.d"" or "#line 12 "file.d"": its line
 * number and file name.  The name is not terminated: @len says how long it is.
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

struct place {
	unsigned line, col;
	const char *file; /* of a line marker, not terminated; NULL: none seen */
	size_t file_len;
};

static struct place find_place(struct loc loc)
{
	struct place pl = {1, 1, NULL, 0};
	const char *p = loc.src->text, *end = p + loc.off, *bol = p;

	for (; p < end; p++) {
		unsigned line;

		if (p == bol && *p == '#' && line_marker(p, &line, &pl.file, &pl.file_len))
			pl.line = line - 1;
		if (*p == '\n') {
			pl.line++;
			bol = p + 1;
		}
	}
	pl.col = (unsigned)(end - bol) + 1;
	return pl;
}

void loc_line(struct loc loc, unsigned *line, unsigned *col, const char **file)
{
	struct place pl = find_place(loc);

	*line = pl.line;
	*col = pl.col;
	if (file)
		*file = loc.src->name;
}

static void add_where(const struct diag *d, struct strbuf *out)
{
	struct place pl;

	if (!d->loc.src)
		return;
	pl = find_place(d->loc);
	if (pl.file)
		strbuf_addf(out, "\"%.*s\", line %u: ", (int)pl.file_len, pl.file, pl.line);
	else if (d->loc.src->kind == SRC_LIB)
		strbuf_addf(out, "\"%s\", line %u: ", d->loc.src->name, pl.line);
	else if (d->loc.src->kind == SRC_FILE)
		strbuf_addf(out, "line %u: ", pl.line);
	else if (d->where == DIAG_IN_PREDICATE)
		strbuf_adds(out, "in predicate: ");
	else if (d->where == DIAG_IN_ACTIONS)
		strbuf_adds(out, "in action list: ");
}

void diag_text(const struct diag *d, bool tags, struct strbuf *out)
{
	if (tags)
		strbuf_addf(out, "[%s] ", dtag_name(d->tag));
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
