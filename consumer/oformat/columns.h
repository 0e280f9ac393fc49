/*
 * columns.h - the names of keys and of recorded values, the same in every form of output.
 */
#ifndef CONSUMER_OFORMAT_COLUMNS_H
#define CONSUMER_OFORMAT_COLUMNS_H

#include <stdint.h>

struct agg_info;
struct datum;
struct fmt_args;
struct format;
struct strbuf;

/* Columns that every row of a record begins with. */
#define COLUMNS_PLACE "timestamp,cpu,provider,module,function,name"

/*
 * Appends the name of key @i of an aggregation: its label, else "key" and its number.  A name
 * that an earlier key has gets a number behind it, as in "pid_2".  No two keys have one name.
 */
void key_name(struct strbuf *out, const struct agg_info *ai, uint32_t i);

/*
 * Appends a column to the comma-separated list @h and returns its name, which lies in @h until
 * @h changes.  The name is @label, or "value" and @number if @label is NULL.  A name that the
 * list has already gets a number behind it.
 */
const char *columns_add(struct strbuf *h, const char *label, uint32_t number);

/*
 * Returns the next argument of a printf() that is data, from *@at on, and moves *@at behind it.
 * NULL: there is none.  Widths, constants and layout are no data.
 */
const struct datum *columns_argument(const struct fmt_args *args, const struct format *f,
				     uint32_t *at);

#endif
