/* json_value.h - writes recorded values and aggregations as JSON. */
#ifndef CONSUMER_OFORMAT_JSON_VALUE_H
#define CONSUMER_OFORMAT_JSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/format.h"

struct agg_info;
struct datum;
struct json;
struct percentile;
struct percentiles;
struct shape;

/*
 * Writes a recorded value. Its kind decides whether it becomes a number, a string, an array of
 * stack frames or an array of bytes.
 */
void json_datum(struct json *j, const struct datum *d);

/* Returns the name of the kind of @d: "value", "stack", "sym" and so on. */
const char *json_kind(const struct datum *d);

/* Writes an argument of printf(). @want is the type that its conversion (such as %d) shows. */
void json_argument(struct json *j, const struct datum *d, enum conv_want want);

/*
 * Writes the member "keys": an object that has a member for each key. Keys that only separate other
 * keys, such as " -> ", are left out.
 */
void json_keys(struct json *j, const struct agg_info *ai, const uint8_t *key);

/* Writes a value of print(). Structs and unions become objects. shape_show() describes @names. */
void json_shape(struct json *j, const struct shape *s, const char *at, bool names);

/* Writes a member with the value @v, or null if @known is false. */
void json_put_int_or_null(struct json *j, const char *name, bool known, int64_t v);

/*
 * Writes the value of an aggregation as the member "value". A histogram has the member "buckets"
 * instead, and also "percentiles" if @at has any. @normal is the divisor that normalize() set.
 */
void json_agg_value(struct json *j, const struct agg_info *ai, const void *value, int64_t normal,
		    const struct percentiles *at);

/*
 * Writes a percentile as the members value, min and max, without braces. If the bucket lacks a
 * bound because it is open-ended, the value and that bound are null.
 */
void json_put_percentile(struct json *j, const struct percentile *p);

/*
 * Writes the member "percent": the percentile @at, which is in thousandths of a percent, as a
 * number such as 99.9.
 */
void json_put_percent(struct json *j, uint32_t at);

#endif
