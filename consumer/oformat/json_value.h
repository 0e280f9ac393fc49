/*
 * json_value.h - what D records, as JSON.
 */
#ifndef CONSUMER_OFORMAT_JSON_VALUE_H
#define CONSUMER_OFORMAT_JSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/format.h"

struct agg_info;
struct datum;
struct json;
struct shape;

/* A number, a string, a stack's frames ...: by its type. */
void json_datum(struct json *j, const struct datum *d);

/* What trace() and its like recorded it as: "value", "stack", "sym" ... */
const char *json_kind(const struct datum *d);

/* An argument of printf() that a conversion shows which wants @want. */
void json_argument(struct json *j, const struct datum *d, enum conv_want want);

/* The member "keys": an object with the value of each key by its name, but for layout. */
void json_keys(struct json *j, const struct agg_info *ai, const uint8_t *key);

/* A value of print(): structs and unions as objects.  @names: see shape_show(). */
void json_shape(struct json *j, const struct shape *s, const char *at, bool names);

/* A member that is a number, or null unless there @is one. */
void json_bound(struct json *j, const char *name, bool is, int64_t v);

/* The members of an object that say what an aggregation's value is: "value" or "buckets". */
void json_agg_value(struct json *j, const struct agg_info *ai, const void *value, int64_t normal);

#endif
