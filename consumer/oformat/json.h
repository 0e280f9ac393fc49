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
 * A JSON text under construction in @out, which is borrowed. @comma: the next value needs a comma.
 */
struct json {
	struct strbuf *out;
	bool comma;
};

/* Open and close an object or array: @c is one of { } [ ]. */
void json_open(struct json *j, char c);
void json_close(struct json *j, char c);

/* Writes the name of the next value. @name must need no escapes. */
void json_name(struct json *j, const char *name);

/* Write a value. */
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_null(struct json *j);
void json_bool(struct json *j, bool v);

/* Writes a number, or a string if it is infinite or not a number: JSON has no such numbers. */
void json_double(struct json *j, double v);

/* Writes a number that is text, such as "99.9". */
void json_number(struct json *j, const char *text);

/*
 * json_text() writes a string, or calls json_bytes() if @s is not UTF-8. json_bytes() writes an
 * array of numbers, because a JSON string cannot hold arbitrary bytes.
 */
void json_text(struct json *j, const char *s, size_t n);
void json_bytes(struct json *j, const char *s, size_t n);

/* Writes a NUL-terminated string by json_text(). */
void json_string(struct json *j, const char *s);

/* Write a name and its value. */
void json_put_int(struct json *j, const char *name, int64_t v);
void json_put_uint(struct json *j, const char *name, uint64_t v);
void json_put_string(struct json *j, const char *name, const char *s);

#endif
