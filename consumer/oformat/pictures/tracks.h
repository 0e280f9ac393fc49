/*
 * tracks.h - aggregations over time: a track for each key, a column for each sample.
 *
 * Pictures that have a time axis read tracks. The columns hold growth: what the aggregation gained
 * between two samples.
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

/*
 * The value of one key in one column. A histogram has a cell for each bucket that counted anything.
 */
struct cell {
	uint32_t col, row;
	/* last column with the same value; @col unless the function is min() or max() */
	uint32_t last;
	double n; /* histograms only: number of values counted in the bucket */
	/* all but histograms: the value, merged over the samples of the column; else NULL */
	uint64_t *val;
	/* true: @val is in tracks.mem. False: the cell is being added and borrows @val */
	bool owned;
};

struct track {
	uint32_t agg;
	char *name;            /* the key, as text; "" if the aggregation has no keys */
	VEC(struct cell) cell; /* ordered by column */
};

/* All zero: empty. At 1,024 columns, pairs of columns are merged, so memory stays bounded. */
struct tracks {
	const struct program *p;
	uint64_t begin;    /* when tracing began: ns since 1970 */
	VEC(uint64_t) end; /* when each column ended: ns since 1970 */
	unsigned per;      /* samples merged into one column */
	unsigned samples;  /* samples in the last column so far */
	VEC(struct track *) track;
	struct arena mem;   /* holds the values of the cells */
	struct aggtab *key; /* by aggregation: key -> index in @track, plus 1 */
};

/*
 * State of an output format that shows tracks. The functions below are its oformat_ops.due, sample
 * and release.
 */
struct tracks_oformat {
	struct oformat f;
	struct tracks t;
};

/*
 * _sample_buckets() keeps each bucket of a histogram apart; _sample_totals() adds up the buckets of
 * a histogram.
 */
bool tracks_oformat_due(struct oformat *f, uint64_t time);
void tracks_oformat_sample_buckets(struct oformat *f, const struct series *s, uint64_t time);
void tracks_oformat_sample_totals(struct oformat *f, const struct series *s, uint64_t time);
void tracks_oformat_release(struct oformat *f);

/*
 * Returns the *@n tracks of aggregation @agg, largest total first. The caller frees the array with
 * xfree(); the tracks stay owned by @t.
 */
struct track **tracks_of(const struct tracks *t, uint32_t agg, size_t *n);

/*
 * Returns the value of a cell: the result of the function, or the count of a histogram. It is not
 * divided by time.
 */
double tracks_value(const struct agg_info *ai, const struct cell *c);

/*
 * Return, in seconds, the duration of columns @from to @to, and the time from the start of tracing
 * to the start of column @col.
 */
double tracks_duration(const struct tracks *t, size_t from, size_t to);
double tracks_column_start(const struct tracks *t, size_t col);

/*
 * Returns tracks_column_start(), rounded to the first digit of the mean column width, or to the
 * second if the width needs two digits, as 250 ms does. Samples are a few ms late, and axis labels
 * should read "2s", not "2.003s".
 */
double tracks_rounded_start(const struct tracks *t, size_t col);

/*
 * Each appends a text to @out: a time since the start (250ms 12s 2m30s 1h05m); a time of day; the
 * start of tracing (from 2023-11-14 22:13:20 UTC); a number (950 1.5k 20M).
 */
void add_elapsed(struct strbuf *out, double seconds);
void add_time_of_day(struct strbuf *out, uint64_t time);
void add_start_time(struct strbuf *out, const struct tracks *t);
void add_short(struct strbuf *out, double v);

/* Appends the heading of a track: "@name[keys] = function()". @keys "": no brackets. */
void add_track_name(struct strbuf *out, const struct agg_info *ai, const char *keys);

/*
 * Returns the smallest step of 1, 2 or 5 times a power of ten that divides @range into at most
 * @most parts; 1 if @range is 0.
 */
double nice_step(double range, double most);

#endif
