/*
 * filter.h - -x pid=, port=, addr= ...: the packets, connections and processes that a run is about.
 */
#ifndef CMD_FILTER_H
#define CMD_FILTER_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct filter_row;

/* All zero: no filters.  An event must pass each filter. */
struct filters {
	VEC(struct filter {
		const struct filter_row *row;
		char *test; /* D text that tests a packet */
		char *task; /* D text that tests the current process; NULL: there is no such test */
	})
	v;
	struct strbuf wrong; /* why the last value was rejected */
	struct strbuf text;  /* the result of filters_text() */
	struct strbuf task;  /* the result of filters_task() */
};

/*
 * Returns the name at index *@n of a list in which the filters come after @from other names.  If
 * *@n is behind the last filter, returns NULL and reduces *@n by the number of filters.
 */
const char *filter_name(unsigned *n, unsigned from);

/* Returns whether @name is a filter. */
bool filter_exists(const char *name);

/*
 * Adds filter @name, which exists, with @value, which may be NULL. Returns false if the value is
 * wrong, and f->wrong says why.
 */
bool filter_add(struct filters *f, const char *name, const char *value);

/*
 * Returns all filters as one D expression over K, S, I, L and out of translators/filter.d, the
 * cheapest test first. With @packet, the test of compile_opts.packet_filter comes last. NULL: there
 * are no filters. The string lives until @f changes.
 */
const char *filters_text(struct filters *f, bool packet);

/*
 * Returns all filters as one D expression about the current process. NULL: there are no filters, or
 * one of them is about packets. The string lives until @f changes.
 */
const char *filters_task(struct filters *f);

/* Returns the name of a filter in @f that no capture has data for. NULL: there is none. */
const char *filters_live(const struct filters *f);

/* Returns the name of a filter in @f that tests the owner of a packet. NULL: there is none. */
const char *filters_owner(const struct filters *f);

/* Frees all that @f owns. */
void filters_release(struct filters *f);

#endif
