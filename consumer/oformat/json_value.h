/*
 * json_value.h - recorded values and aggregations as JSON.
 */
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

/* Writes a recorded value: a number, a string, an array of stack frames, by its kind. */
void json_datum(struct json *j, const struct datum *d);

/* Returns the name of the kind of @d: "value", "stack", "sym" and so on. */
const char *json_kind(const struct datum *d);

/* Writes an argument of printf(). @want: the type that its conversion shows. */
void json_argument(struct json *j, const struct datum *d, enum conv_want want);

/* Writes the member "keys": an object with each key by its name. Layout keys are left out. */
void json_keys(struct json *j, const struct agg_info *ai, const uint8_t *key);

/* Writes a value of print(): structs and unions are objects. @names: see shape_show(). */
void json_shape(struct json *j, const struct shape *s, const char *at, bool names);

/* Writes a member: @v, or null if @known is false. */
void json_put_int_or_null(struct json *j, const char *name, bool known, int64_t v);

/*
 * Writes the value of an aggregation as member "value", or "buckets" if it is a histogram, with
 * "percentiles" if @at has any. @normal: the divisor of normalize().
 */
void json_agg_value(struct json *j, const struct agg_info *ai, const void *value, int64_t normal,
		    const struct percentiles *at);

/*
 * Writes a percentile, without braces, as the members value, min and max. An open-ended bucket has
 * no value; its missing bound is null as well.
 */
void json_put_percentile(struct json *j, const struct percentile *p);

/* Writes the member percent of a percentile. */
void json_put_percent(struct json *j, uint32_t at);

#endif
