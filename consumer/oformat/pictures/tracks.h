/*
 * tracks.h - aggregations over time: a track for each key, a column for each sample.
 */
#ifndef CONSUMER_OFORMAT_PICTURES_TRACKS_H
#define CONSUMER_OFORMAT_PICTURES_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/vec.h"
#include "agg/table.h"
#include "consumer/oformat/oformat.h"

struct agg_info;
struct program;
struct series;
struct strbuf;

/* What there is of a key in a column; of a histogram, in a row of it. */
struct cell {
	uint32_t col, row;
	uint32_t last; /* min() and max(): the last column of the same value; else col */
	double n;      /* of a histogram: how much was counted */
	uint64_t *val; /* of any other: the value, merged over the column's samples; else NULL */
	bool owned;    /* val is in tracks.mem; else the cell is being added and borrows it */
};

struct track {
	uint32_t agg;
	char *name;            /* its keys, as a label; "" if it has none */
	VEC(struct cell) cell; /* by column */
};

/* All zero: empty.  When there are very many columns, two become one. */
struct tracks {
	const struct program *p;
	uint64_t begin;    /* as walltimestamp */
	VEC(uint64_t) end; /* of each column */
	unsigned per;      /* samples in a column */
	unsigned samples;  /* in the last one */
	VEC(struct track *) track;
	struct arena mem;   /* of the cells' values */
	struct aggtab *key; /* by aggregation; the value: one more than the index in track */
};

/*
 * The state of a form that shows tracks, and its functions: each bucket is a row, or a histogram
 * one value.
 */
struct tracked {
	struct oformat f;
	struct tracks t;
};

/* What oformat_ops.due, sample and release are of such a form. */
bool tracked_due(struct oformat *f, uint64_t time);
void tracked_rows(struct oformat *f, const struct series *s, uint64_t time);
void tracked_values(struct oformat *f, const struct series *s, uint64_t time);
void tracked_release(struct oformat *f);

/* The tracks of aggregation @agg, those with most in them first; to be freed. */
struct track **tracks_of(const struct tracks *t, uint32_t agg, size_t *n);

/* What a cell shows, before it is divided by any time. */
double tracks_value(const struct agg_info *ai, const struct cell *c);

/*
 * How long columns @from to @to lasted, in seconds; and when the first of them began, since the
 * beginning.
 */
double tracks_seconds(const struct tracks *t, size_t from, size_t to);
double tracks_at(const struct tracks *t, size_t col);

/* The same as an axis shows it: samples come a little late, which is not to be read everywhere. */
double tracks_about(const struct tracks *t, size_t col);

/*
 * Appends a time since the beginning: 250ms 12s 2m30s 1h05m; a time of day; a number: 950 1.5k 20M.
 */
void add_elapsed(struct strbuf *out, double seconds);
void add_time_of_day(struct strbuf *out, uint64_t time);
void add_begin(struct strbuf *out, const struct tracks *t); /* "from 2023-11-14 22:13:20 UTC" */
void add_short(struct strbuf *out, double v);

/* What stands above a track: "@name[keys] = function()". */
void add_track_name(struct strbuf *out, const struct agg_info *ai, const char *keys);

/* A step of 1, 2 or 5 times a power of ten of which at most @most make @range. */
double nice_step(double range, double most);

#endif
