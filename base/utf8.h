/*
 * utf8.h - decodes UTF-8.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/*
 * Decodes the first character of the @len bytes at @s; @len is not 0. Sets @cp to its code point
 * and returns its length in bytes. Returns 0 if the bytes are not valid UTF-8 (RFC 3629):
 * truncated, overlong, a surrogate, or above U+10FFFF.
 */
size_t utf8_char(const unsigned char *s, size_t len, uint32_t *cp);

#endif
