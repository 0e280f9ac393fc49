/* footer.h - implements -x footer, which prints totals of a run. */
#ifndef CONSUMER_FOOTER_H
#define CONSUMER_FOOTER_H

struct aggs;
struct consumer_opts;
struct oformat;
struct loss;

/*
 * Prints totals to o->err and in the output format @f: events, records, faults, keys of all
 * aggregations in @a, losses, and the cost of each hook.
 */
void footer_print(const struct loss *l, struct aggs *a, const struct consumer_opts *o,
		  struct oformat *f);

#endif
