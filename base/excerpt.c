/*
 * excerpt.c - cuts a source line to the width of a terminal and places the caret.
 */
#include "base/excerpt.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"

#define TAB 8
#define ELLIPSIS "..."
#define ELLIPSIS_COLUMNS 3
/* maximum number of columns shown from the caret on, if the line is cut */
#define COLUMNS_AFTER_CARET 24
/* maximum number of bytes read on each side of the caret: a long line may have many warnings */
#define NEAR 1024

/* A range of Unicode characters. The tables below are from the Unicode Character Database. */
struct range {
	uint32_t from, to;
};

/* Characters that are two columns wide (East Asian Width W and F). */
static const struct range wide[] = {
	{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xac00, 0xd7a3},
	{0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},
	{0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

/* Characters that take no column, because they combine with the previous character. */
static const struct range combining[] = {{0x300, 0x36f},
					 {0x1ab0, 0x1aff},
					 {0x1dc0, 0x1dff},
					 {0x20d0, 0x20ff}};

static bool within(const struct range *r, size_t n, uint32_t cp)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= r[i].from && cp <= r[i].to)
			return true;
	return false;
}

#define WITHIN(table, cp) within(table, sizeof(table) / sizeof(*(table)), cp)

/* A character as the excerpt shows it: unchanged, as blanks for a tab, or as escapes. */
struct glyph {
	char text[4 * 4 + 1];
	unsigned columns;
};

/*
 * Reads the first character of the @len bytes at @s and sets @to to what the excerpt shows for it.
 * @column is the column where the character begins; a tab needs it. Returns the number of bytes
 * read, at least 1.
 */
static size_t make_glyph(const char *s, size_t len, size_t column, struct glyph *to)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t cp = 0;
	size_t n = utf8_char((const unsigned char *)s, len, &cp);
	char *p = to->text;

	if (*s == '\t') {
		to->columns = (unsigned)(TAB - column % TAB);
		memset(p, ' ', to->columns);
		p[to->columns] = '\0';
		return 1;
	}
	if (n && visible_char(cp)) {
		memcpy(p, s, n);
		p[n] = '\0';
		to->columns = WITHIN(combining, cp) ? 0 : WITHIN(wide, cp) ? 2 : 1;
		return n;
	}
	n = n ? n : 1;
	for (size_t i = 0; i < n; i++) {
		*p++ = '\\';
		*p++ = 'x';
		*p++ = digits[(unsigned char)s[i] >> 4];
		*p++ = digits[s[i] & 15];
	}
	*p = '\0';
	to->columns = (unsigned)(p - to->text);
	return n;
}

/* Returns the width of the first @len bytes of a line, in columns. */
static size_t columns(const char *line, size_t len)
{
	struct glyph c;
	size_t column = 0;

	for (size_t i = 0; i < len; column += c.columns)
		i += make_glyph(line + i, len - i, column, &c);
	return column;
}

/*
 * Appends the characters of the line that lie in the columns @from to @to. Returns the column where
 * the first appended character begins.
 */
static size_t add_columns(struct strbuf *out, const char *line, size_t len, size_t from, size_t to)
{
	struct glyph c;
	size_t column = 0, first = SIZE_MAX;

	for (size_t i = 0; i < len; column += c.columns) {
		i += make_glyph(line + i, len - i, column, &c);
		if (column < from)
			continue;
		if (column + c.columns > to)
			break;
		if (first == SIZE_MAX)
			first = column;
		strbuf_adds(out, c.text);
	}
	return first == SIZE_MAX ? from : first;
}

/* Appends the line (@len bytes) and a caret below the byte at offset @caret. */
static void add_line(struct strbuf *out, const char *line, size_t len, size_t caret)
{
	size_t all = columns(line, len), at = columns(line, caret), from = 0, to = all, first;
	bool left, right;

	if (all > EXCERPT_COLUMNS) {
		size_t after = all - at < COLUMNS_AFTER_CARET ? all - at : COLUMNS_AFTER_CARET;

		if (at + after > EXCERPT_COLUMNS - ELLIPSIS_COLUMNS)
			from = at + after - (EXCERPT_COLUMNS - 2 * ELLIPSIS_COLUMNS);
		to = from + EXCERPT_COLUMNS - (from ? 2 : 1) * ELLIPSIS_COLUMNS;
	}
	left = from > 0;
	right = to < all;
	strbuf_addf(out, "    %s", left ? ELLIPSIS : "");
	first = add_columns(out, line, len, from, to);
	strbuf_addf(out, "%s\n    %*s^\n", right ? ELLIPSIS : "",
		    (int)((left ? ELLIPSIS_COLUMNS : 0) + at - (at < first ? at : first)), "");
}

void excerpt_add(struct strbuf *out, const char *text, size_t len, size_t off)
{
	size_t from, to;

	off = off < len ? off : len;
	for (to = off; to < len && isspace((unsigned char)text[to]) && text[to] != '\n'; to++)
		;
	if (to == len || text[to] == '\n') {
		for (to = off; to > 0 && isspace((unsigned char)text[to - 1]); to--)
			;
		/*
		 * The caret stays at @off if text precedes it on its line. On a blank line, the
		 * caret moves behind the last text of the lines above.
		 */
		if (to && memchr(text + to, '\n', off - to))
			off = to;
	}
	for (from = off; from > 0 && off - from < NEAR && text[from - 1] != '\n'; from--)
		;
	/* Do not begin within a character of UTF-8. */
	while (off - from > NEAR - 4 && (text[from] & 0xc0) == 0x80)
		from++;
	for (to = off; to < len && to - off < NEAR && text[to] != '\n'; to++)
		;
	while (to > off && isspace((unsigned char)text[to - 1]))
		to--;
	add_line(out, text + from, to - from, off - from);
}

void excerpt_escape(struct strbuf *out, const char *text, size_t len)
{
	struct glyph c;

	for (size_t i = 0; i < len;) {
		i += make_glyph(text + i, len - i, 0, &c);
		strbuf_adds(out, c.text);
	}
}
