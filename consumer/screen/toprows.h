/*
 * toprows.h - shows an aggregation as a table of -x view=top. A row has the keys as text and up to
 * four numbers.
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
	char **key;            /* toprows.nkey texts, which are escaped for a terminal */
	double n[TOP_NUMBERS]; /* the numbers; NAN for an unknown number */
};

/* A column of numbers. */
struct topcolumn {
	const char *name; /* name of the column, or NULL if there is no such column */
	bool rate;        /* the numbers are per second */
};

struct toprows {
	const struct agg_info *ai;
	/* number of keys that are shown; texts such as " -> " between keys are left out */
	unsigned nkey;
	struct topcolumn column[TOP_NUMBERS];
	VEC(struct toprow) row;
};

/*
 * Makes the table of aggregation @st. @now has the rows to show. @growth has the increase of their
 * values in the last @seconds.
 */
void toprows_make(struct toprows *t, const struct agg_state *st, const struct aggtab *now,
		  const struct aggtab *growth, double seconds);
void toprows_release(struct toprows *t);

/*
 * Sorts the rows by column @by. The columns 0 to nkey - 1 are keys, and are sorted in ascending
 * order. The other columns are numbers, and are sorted in descending order. Rows with equal values
 * in column @by are sorted by their keys. @reverse reverses the order of column @by.
 */
void toprows_sort(struct toprows *t, unsigned by, bool reverse);

/* Returns the index in agg_info.key of the key that column @i shows. */
uint32_t toprows_key(const struct toprows *t, unsigned i);

/* Returns the number of columns, including those of keys. */
unsigned toprows_columns(const struct toprows *t);

/* Returns whether a key of the row contains @text, in upper or lower case. */
bool toprow_matches(const struct toprows *t, const struct toprow *r, const char *text);

/* Appends the number @i of the row as text. */
void toprow_number(struct strbuf *out, const struct toprows *t, const struct toprow *r, unsigned i);

#endif
