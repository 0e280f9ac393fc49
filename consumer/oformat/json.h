/*
 * json.h - JSON, written as it comes: nothing is kept.
 */
#ifndef CONSUMER_OFORMAT_JSON_H
#define CONSUMER_OFORMAT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strbuf;

/* The text so far is @out's; @comma: something stands before the next value. */
struct json {
	struct strbuf *out;
	bool comma;
};

/* The bounds of an object or array: '{' '}' '[' ']'. */
void json_open(struct json *j, char c);
void json_close(struct json *j, char c);

/* The name of the next value, which needs no escapes. */
void json_name(struct json *j, const char *name);

/* Values. */
void json_int(struct json *j, int64_t v);
void json_uint(struct json *j, uint64_t v);
void json_null(struct json *j);
void json_bool(struct json *j, bool v);

/* What JSON has no number for (infinities) is a string. */
void json_double(struct json *j, double v);

/* A string, if it is UTF-8; else an array of its bytes, as no string of JSON has those. */
void json_text(struct json *j, const char *s, size_t n);
void json_bytes(struct json *j, const char *s, size_t n);

/* A text of ours. */
void json_string(struct json *j, const char *s);

/* A name and its value. */
void json_put_int(struct json *j, const char *name, int64_t v);
void json_put_uint(struct json *j, const char *name, uint64_t v);
void json_put_string(struct json *j, const char *name, const char *s);

#endif
