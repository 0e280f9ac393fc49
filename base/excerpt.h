/*
 * excerpt.h - shows one line of a source text with a caret below the position of an error.
 *
 * The text may be another user's script. So all control characters are escaped before they reach a
 * terminal.
 */
#ifndef BASE_EXCERPT_H
#define BASE_EXCERPT_H

#include <stddef.h>

#include "base/strbuf.h"

/* Maximum width of the line in columns, including "..." at its cut ends. */
#define EXCERPT_COLUMNS 76

/*
 * Appends two lines to @out: the line of @text (@len bytes) that contains the byte at offset @off,
 * and a caret below that byte. Each line begins with four blanks and ends with a newline.
 *
 * Tabs become blanks up to the next multiple of eight columns. Bytes that are not UTF-8, and
 * characters that visible_char() refuses, are shown as \xNN. A line longer than EXCERPT_COLUMNS is
 * cut around the caret, and "..." marks each cut end. If the line at @off is blank, shows the
 * nearest line above it that has text, with the caret after this text.
 */
void excerpt_add(struct strbuf *out, const char *text, size_t len, size_t off);

/* Appends @len bytes of @text with the escapes of excerpt_add() and without line breaks. */
void excerpt_escape(struct strbuf *out, const char *text, size_t len);

#endif
