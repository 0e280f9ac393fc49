/*
 * filter.h - the filters -x pid=, port=, addr= ..., which select packets, connections and
 * processes.
 */
#ifndef CMD_FILTER_H
#define CMD_FILTER_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct filter_row;

/*
 * The filters of a run. An event must pass all of them. If all members are zero, there are no
 * filters.
 */
struct filters {
	VEC(struct filter {
		const struct filter_row *row;
		char *test; /* D text that tests a packet */
		/* D text that tests the current process, or NULL if the filter has no such test */
		char *task;
	})
	v;
	struct strbuf wrong; /* why the last value was rejected */
	struct strbuf text;  /* the result of filters_text() */
	struct strbuf task;  /* the result of filters_task() */
};

/*
 * Returns the name of filter number *@n - @from. If there is no such filter, subtracts the number
 * of filters from *@n and returns NULL. The caller numbers the rows of several tables one after
 * another, and continues with the next table in this case.
 */
const char *filter_name(unsigned *n, unsigned from);

/* Returns whether @name is a filter. */
bool filter_exists(const char *name);

/*
 * Adds the filter @name, which must exist, with the value @value, which may be NULL. If the value
 * is wrong, returns false and sets f->wrong to the reason.
 */
bool filter_add(struct filters *f, const char *name, const char *value);

/*
 * Returns all filters as one D expression, or NULL if there are no filters. The expression uses the
 * names K, S, I, L and out of translators/filter.d. The cheapest test comes first. If @packet is
 * set, the test of compile_opts.packet_filter is added at the end. The string is valid until @f
 * changes.
 */
const char *filters_text(struct filters *f, bool packet);

/*
 * Returns all filters as one D expression about the current process. Returns NULL if there are no
 * filters, or if one of them is about packets. The string is valid until @f changes.
 */
const char *filters_task(struct filters *f);

/* Data which captures lack; the owner of a packet; addresses and ports. */
enum filter_about { FILTER_LIVE, FILTER_OWNER, FILTER_ENDS };

/* Returns the name of the first filter in @f that tests @what, or NULL if there is none. */
const char *filters_about(const struct filters *f, enum filter_about what);

/* Frees all that @f owns. */
void filters_release(struct filters *f);

#endif
