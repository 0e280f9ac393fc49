/*
 * excerpt.h - one line of a source text, with a caret below the place that is meant.
 *
 * The text is somebody's script, so nothing of it reaches a terminal as a control sequence.
 */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

#include <stddef.h>

#include "base/strbuf.h"

/* Columns that a line of an excerpt has at most, its marks ("...") included. */
#define EXCERPT_COLUMNS 76

/*
 * Appends two lines to @out: the line of @text (@len bytes) that the byte at @off is in, and a
 * caret below that byte. Each begins with four blanks and ends with a newline.
 *
 * Tabs become blanks up to the next multiple of eight columns. Bytes that are no UTF-8, control
 * characters and characters that change the direction of text are shown as \xNN. A line that
 * needs more than EXCERPT_COLUMNS is cut around the caret, and "..." marks each cut end. Where
 * @off is in blank lines, or at the end, the caret is behind the last character before them.
 */
void excerpt_add(struct strbuf *out, const char *text, size_t len, size_t off);

/* Appends @len bytes of @text with the same escapes, on one line however long. */
void excerpt_escape(struct strbuf *out, const char *text, size_t len);

#endif
