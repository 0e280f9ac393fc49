/*
 * plain.h - a recorded value in one piece of text: a cell, a label.
 */
#ifndef CONSUMER_VALUES_PLAIN_H
#define CONSUMER_VALUES_PLAIN_H

#include <stddef.h>

struct datum;
struct strbuf;

/*
 * Appends a number in decimal, with the sign of its type; a string as it is; memory that is no text
 * in hexadecimal; the frames of a stack one behind the other, with ';' between them.
 */
void plain_datum(struct strbuf *out, const struct datum *d);

/* Appends bytes in hexadecimal. */
void plain_bytes(struct strbuf *out, const char *s, size_t n);

#endif
