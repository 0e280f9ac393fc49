/*
 * visible.h - text that other people chose, made safe to show.
 */
#ifndef BASE_VISIBLE_H
#define BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* False for controls (C0, DEL, C1), for marks of the writing direction, and for noncharacters. */
bool visible_char(uint32_t cp);

/*
 * Appends the @n bytes at @s.  Writes \n, \r and \t as such, and each byte of any other
 * character that is not visible, or that is not UTF-8, as \x1b.  A backslash stays one, so
 * that escaping twice changes nothing.
 */
void visible_add(struct strbuf *out, const char *s, size_t n);

#endif
