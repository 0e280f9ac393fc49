/*
 * dstr.h - the text of a recorded string.
 *
 * A string is recorded in a slot: a tag (enum dstr_tag), then an index of a literal, the bytes of
 * an address, an integer, or characters.
 */
#ifndef CONSUMER_VALUES_DSTR_H
#define CONSUMER_VALUES_DSTR_H

#include <stdint.h>

struct program;
struct strbuf;

/*
 * Appends the text of the slot of @size bytes at @slot, at most strsize - 1 bytes.  Programs race
 * for their variables, so a slot may be malformed; then nothing is appended for it.
 */
void dstr_text(const struct program *p, const void *slot, uint32_t size, struct strbuf *out);

#endif
