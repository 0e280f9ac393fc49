/*
 * filter.h - -x pid=, port=, addr= ...: which packets and connections a run is about.
 */
#ifndef CMD_FILTER_H
#define CMD_FILTER_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct filter_row;

/* All zero: no filters.  Each that is given must hold. */
struct filters {
	VEC(struct filter {
		const struct filter_row *row;
		char *test; /* D text */
		char *task; /* the same of the process that runs; NULL: it asks nothing of one */
	})
	v;
	struct strbuf wrong; /* what was wrong with the last value */
	struct strbuf text;  /* of filters_text() */
	struct strbuf task;  /* of filters_task() */
};

/* The name of filter *@n - @from, for lists; NULL: there are fewer, by which *@n becomes less. */
const char *filter_name(unsigned *n, unsigned from);

/* Is that the name of a filter? */
bool filter_exists(const char *name);

/*
 * Adds filter @name, which exists.  False: @value (may be NULL) is none for it, and f->wrong says
 * why.
 */
bool filter_add(struct filters *f, const char *name, const char *value);

/*
 * All filters as one D expression over K, S, I, L and out of translators/filter.d, the cheapest
 * test first.  NULL: there are none.  Lives as long as @f is not changed.
 */
const char *filters_text(struct filters *f);

/*
 * All filters as one D expression about the process that runs.  NULL: there are none, or one of
 * them asks of packets.  Lives as long as @f is not changed.
 */
const char *filters_task(struct filters *f);

/* The name of a filter that asks what no capture tells; NULL: none does. */
const char *filters_live(const struct filters *f);

/* The name of a filter that asks whose a packet is; NULL: none does. */
const char *filters_owner(const struct filters *f);

void filters_release(struct filters *f);

#endif
