/*
 * columns.h - names of keys and of recorded values, the same in CSV, JSON and Prometheus output.
 */
#ifndef CONSUMER_OFORMAT_COLUMNS_H
#define CONSUMER_OFORMAT_COLUMNS_H

#include <stdint.h>

struct agg_info;
struct datum;
struct fmt_args;
struct format;
struct strbuf;

/* Columns that begin every row of a record: when and where the probe fired. */
#define COLUMNS_PLACE "timestamp,cpu,provider,module,function,name"

/*
 * Appends the name of key @i of aggregation @ai: its label, else "key" and its number. If an
 * earlier key has the same name, a number follows, as in "pid_2", so that names are unique.
 */
void key_name(struct strbuf *out, const struct agg_info *ai, uint32_t i);

/*
 * Appends a column to the comma-separated list @h and returns its name, which borrows from @h until
 * @h changes. The name is @label, or "value" and @number if @label is NULL. If the list has the
 * name already, a number follows.
 */
const char *columns_add(struct strbuf *h, const char *label, uint32_t number);

/*
 * Returns the next argument of printf() that is data, from *@at on, and advances *@at; NULL if
 * there is none. Widths, constants and layout are not data.
 */
const struct datum *columns_argument(const struct fmt_args *args, const struct format *f,
				     uint32_t *at);

#endif
