/*
 * visible.h - escapes text that other people chose, so that it is safe to show.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * Returns whether a terminal can show the character @cp safely. These characters are not safe:
 * - control characters (C0, DEL, C1), and characters that change the direction of text;
 * - invisible and private-use characters;
 * - the last two code points of each plane, which are no characters.
 */
bool visible_char(uint32_t cp);

/*
 * Appends the @n bytes at @s. Newline, carriage return and tab become \n, \r and \t. Each byte of
 * other characters that are not visible, and each byte that is not UTF-8, becomes an escape such as
 * \x1b. A backslash is not escaped, so escaping a text twice changes nothing.
 */
void visible_add(struct strbuf *out, const char *s, size_t n);

/*
 * Appends the @n bytes at @s as visible_add() does, but keeps newlines and tabs. It is meant for
 * messages of several lines that may contain unescaped names.
 */
void visible_add_lines(struct strbuf *out, const char *s, size_t n);

/* Returns a copy of @s as visible_add() shows it. The caller frees it with xfree(). */
char *visible_copy(const char *s);

#endif
