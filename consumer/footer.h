/*
 * footer.h - the accounting of a whole run: -x footer.
 */
#ifndef CONSUMER_FOOTER_H
#define CONSUMER_FOOTER_H

struct aggs;
struct consumer_opts;
struct oformat;
struct loss;

/* Says on o->err, and in form @f, what was seen, what was lost and what it cost. */
void footer_tell(const struct loss *l, struct aggs *a, const struct consumer_opts *o,
		 struct oformat *f);

#endif
