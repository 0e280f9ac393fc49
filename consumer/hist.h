/*
 * hist.h - draw quantize(), lquantize() and llquantize() results.
 */
#ifndef CONSUMER_HIST_H
#define CONSUMER_HIST_H

#include <stdbool.h>
#include <stdint.h>

struct agg_info;
struct strbuf;

/*
 * Appends the rows of the merged buckets @count, counts divided by @normal.  @zoom:
 * bars are scaled to the longest, not to the sum.
 */
void hist_show(struct strbuf *out, const struct agg_info *ai, const int64_t *count, int64_t normal,
	       bool zoom);

#endif
