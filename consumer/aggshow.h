/*
 * aggshow.h - sort aggregations and print them.
 */
#ifndef CONSUMER_AGGSHOW_H
#define CONSUMER_AGGSHOW_H

#include <stdint.h>

struct aggs;
struct consumer_opts;
struct format;
struct output;

/*
 * printa(): prints the rows of the @nagg aggregations @agg, one for each key
 * any of them has; @fmt NULL: a newline and default rows.  Takes new snapshots.
 */
void aggs_show(struct aggs *a, const uint32_t *agg, uint32_t nagg, const struct format *fmt,
	       const struct consumer_opts *o, struct output *out);

/* At the end: default rows of all that was not printed yet. */
void aggs_show_rest(struct aggs *a, const struct consumer_opts *o, struct output *out);

#endif
