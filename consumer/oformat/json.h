/*
 * json.h - writes JSON to a buffer, value by value.
 */
#ifndef CONSUMER_OFORMAT_JSON_H
#define CONSUMER_OFORMAT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/*
 * A JSON text that is being written to @out, which is borrowed. @comma is set if a comma must
 * precede the next value.
 */
struct json {
	struct strbuf *out;
	bool comma;
};

/*
 * json_open() begins an object or array, and json_close() ends it. @c is the bracket to write: one
 * of { } [ ].
 */
void json_open(struct json *j, char c);
void json_close(struct json *j, char c);

/* Writes the name of the next value. @name must need no escapes. */
void json_name(struct json *j, const char *name);

/* Each of the next four functions writes a value. */
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_null(struct json *j);
void json_bool(struct json *j, bool v);

/*
 * Writes a number. JSON has no numbers for infinity and "not a number", so such a value is written
 * as a string.
 */
void json_double(struct json *j, double v);

/* Writes a number that the caller has formatted, such as "99.9". */
void json_number(struct json *j, const char *text);

/*
 * json_text() writes a string. If @s is not UTF-8, json_text() calls json_bytes(), which writes an
 * array of numbers, because a JSON string cannot hold arbitrary bytes.
 */
void json_text(struct json *j, const char *s, size_t n);
void json_bytes(struct json *j, const char *s, size_t n);

/* Writes the string @s, which ends with a NUL, as json_text() does. */
void json_string(struct json *j, const char *s);

/* Each of the next three functions writes a name and its value. */
void json_put_int(struct json *j, const char *name, int64_t v);
void json_put_uint(struct json *j, const char *name, uint64_t v);
void json_put_string(struct json *j, const char *name, const char *s);

#endif
