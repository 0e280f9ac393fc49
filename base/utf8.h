/*
 * utf8.h - characters of UTF-8.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Bytes of one character at @s, of which there are @len, not 0; 0 if it is none.  *cp is its code
 * point.
 */
size_t utf8_char(const unsigned char *s, size_t len, uint32_t *cp);

#endif
