/*
 * plain.h - writes a recorded value as one text without padding, for cells of tables and for
 * labels.
 */
#ifndef CONSUMER_VALUES_PLAIN_H
#define CONSUMER_VALUES_PLAIN_H

#include <stddef.h>

struct datum;
struct strbuf;

/*
 * Appends a value. A number is written as datum_number() does, and a string without changes. Memory
 * of 1, 2, 4 or 8 bytes is written as a number. Other memory is written as text, or as hexadecimal
 * digits if it is not text. The frames of a stack are separated by ';', and a ';' in their names is
 * escaped.
 */
void plain_datum(struct strbuf *out, const struct datum *d);

/* Appends bytes in hexadecimal. */
void plain_bytes(struct strbuf *out, const char *s, size_t n);

#endif
