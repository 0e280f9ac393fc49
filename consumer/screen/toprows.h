/*
 * toprows.h - an aggregation as a table of -x view=top: the keys as text, then up to four numbers.
 */
#ifndef CONSUMER_SCREEN_TOPROWS_H
#define CONSUMER_SCREEN_TOPROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct agg_info;
struct agg_state;
struct aggtab;
struct strbuf;

enum { TOP_NUMBERS = 4 };

struct toprow {
	char **key;            /* toprows.nkey texts, escaped for a terminal */
	double n[TOP_NUMBERS]; /* NAN: unknown */
};

/* A column of numbers. */
struct topcolumn {
	const char *name; /* NULL: no such column */
	bool rate;        /* per second */
};

struct toprows {
	const struct agg_info *ai;
	unsigned nkey; /* number of keys that are shown; layout such as " -> " is left out */
	struct topcolumn column[TOP_NUMBERS];
	VEC(struct toprow) row;
};

/*
 * Makes the table of aggregation @st.  @now: its current rows.  @growth: the increase in
 * the last @seconds.
 */
void toprows_make(struct toprows *t, const struct agg_state *st, const struct aggtab *now,
		  const struct aggtab *growth, double seconds);
void toprows_release(struct toprows *t);

/*
 * Sorts the rows by column @by.  Columns 0 to nkey - 1 are keys, in ascending order; the others are
 * numbers, in descending order.  Rows with equal values in column @by are ordered by their keys.
 */
void toprows_sort(struct toprows *t, unsigned by, bool reverse);

/* Returns the index in agg_info.key of the key in column @i. */
uint32_t toprows_key(const struct toprows *t, unsigned i);

/* Returns the number of columns, keys included. */
unsigned toprows_columns(const struct toprows *t);

/* Returns whether a key of the row contains @text. Case is ignored. */
bool toprow_matches(const struct toprows *t, const struct toprow *r, const char *text);

/* Appends number @i of the row. */
void toprow_number(struct strbuf *out, const struct toprows *t, const struct toprow *r, unsigned i);

#endif
