/*
 * toprows.h - an aggregation as a table for people to look at: texts, a number of all and one of
 * now.
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
	char **key; /* texts of the keys that are shown: struct toprows.nkey */
	double n[TOP_NUMBERS];
};

/* What the numbers are. */
struct topcolumn {
	const char *name; /* NULL: there is none */
	bool rate;        /* it is by the second */
};

struct toprows {
	const struct agg_info *ai;
	unsigned nkey; /* keys that are shown: all but the layout of a text */
	struct topcolumn column[TOP_NUMBERS];
	VEC(struct toprow) row;
};

/* The rows @now of @st; @grown: in the last @seconds. */
void toprows_make(struct toprows *t, const struct agg_state *st, const struct aggtab *now,
		  const struct aggtab *growth, double seconds);
void toprows_release(struct toprows *t);

/*
 * Sorts them by column @by: keys come first (0 ... nkey - 1), then numbers.  Rows that are alike
 * there keep the order of their keys.
 */
void toprows_sort(struct toprows *t, unsigned by, bool reverse);

/* The place among all keys of the aggregation of shown key @i. */
uint32_t toprows_key(const struct toprows *t, unsigned i);

/* Columns there are, keys included. */
unsigned toprows_columns(const struct toprows *t);

/* Does a key of the row contain @text, whatever its case? */
bool toprow_matches(const struct toprows *t, const struct toprow *r, const char *text);

/* Appends number @i of the row. */
void toprow_number(struct strbuf *out, const struct toprows *t, const struct toprow *r, unsigned i);

#endif
