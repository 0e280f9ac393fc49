/*
 * columns.h - names for keys and for recorded values. CSV, JSON and Prometheus output use the same
 * names.
 */
#ifndef CONSUMER_OFORMAT_COLUMNS_H
#define CONSUMER_OFORMAT_COLUMNS_H

#include <stdint.h>

struct agg_info;
struct datum;
struct fmt_args;
struct format;
struct strbuf;

/* The first columns of each row of a record: when and where the probe fired. */
#define COLUMNS_PLACE "timestamp,cpu,provider,module,function,name"

/*
 * Appends the name of key @i of aggregation @ai. The name is the key's label or, without a label,
 * "key" and a number. If an earlier key has the same label, a number is added, as in "pid_2". So
 * all names are different.
 */
void key_name(struct strbuf *out, const struct agg_info *ai, uint32_t i);

/*
 * Appends a column to the comma-separated list @h and returns the column's name. The name is
 * @label, or "value" and @number if @label is NULL. If the list already contains the name, a number
 * is added. The result borrows from @h and is valid until @h changes.
 */
const char *columns_add(struct strbuf *h, const char *label, uint32_t number);

/*
 * Returns the next argument of printf() that is data. Starts at argument *@at, and moves *@at
 * behind the result. Skips widths, constants, and texts that only separate data. Returns NULL if
 * there is no more data.
 */
const struct datum *columns_argument(const struct fmt_args *args, const struct format *f,
				     uint32_t *at);

#endif
