/*
 * dstr.h - makes the text of a recorded string.
 *
 * A recorded string is a tag (enum dstr_tag) and data that depends on the tag: the index of a
 * literal, the bytes of an address, an integer, the number of an owner such as a user, two strings
 * that are joined, or characters.
 */
#ifndef CONSUMER_VALUES_DSTR_H
#define CONSUMER_VALUES_DSTR_H

#include <stdint.h>

struct program;
struct strbuf;

/*
 * Appends the text of the string that is recorded in the @size bytes at @slot. The text has at most
 * strsize - 1 bytes. Programs on several CPUs may write a variable at the same time, so a recorded
 * string may be malformed. Nothing is appended for such a string.
 */
void dstr_text(const struct program *p, const void *slot, uint32_t size, struct strbuf *out);

#endif
