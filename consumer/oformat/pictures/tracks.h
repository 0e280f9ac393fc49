/*
 * tracks.h - aggregations over time. Each key of an aggregation has a track, and a track has a
 * column for each sample, or for each group of successive samples.
 *
 * Tracks are the data of pictures with a time axis. A column contains the growth: the increase of
 * the aggregation's values between two samples.
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

/* The value of one key in one column. A histogram has one cell for each bucket that has a count. */
struct cell {
	uint32_t col, row;
	/* last column of the cell; equal to @col, except for min() and max() */
	uint32_t last;
	double n; /* number of values counted in the bucket; only for histograms */
	/* The value, merged over the samples of the column. NULL for histograms. */
	uint64_t *val;
	/* @val is in tracks.mem; false only while the cell is being added, when @val is borrowed */
	bool owned;
};

struct track {
	uint32_t agg;
	char *name;            /* the key as text, or "" if the aggregation has no keys */
	VEC(struct cell) cell; /* ordered by column */
};

/*
 * The tracks of all aggregations. If all members are zero, there are no tracks. When there are
 * 1,024 columns, pairs of columns are merged into one, so that memory stays limited.
 */
struct tracks {
	const struct program *p;
	uint64_t begin;    /* time when tracing began, in ns since 1970 */
	VEC(uint64_t) end; /* time when each column ended, in ns since 1970 */
	unsigned per;      /* number of samples that are merged into one column */
	unsigned samples;  /* number of samples in the last column so far */
	VEC(struct track *) track;
	struct arena mem;   /* holds the values of the cells */
	struct aggtab *key; /* for each aggregation: maps a key to 1 plus its index in @track */
};

/*
 * State of an output format that shows tracks. The following functions implement due, sample and
 * release of its oformat_ops.
 */
struct tracks_oformat {
	struct oformat f;
	struct tracks t;
};

/*
 * tracks_oformat_sample_buckets() keeps the buckets of a histogram separate.
 * tracks_oformat_sample_totals() adds up all buckets of a histogram.
 */
bool tracks_oformat_due(struct oformat *f, uint64_t time);
void tracks_oformat_sample_buckets(struct oformat *f, const struct series *s, uint64_t time);
void tracks_oformat_sample_totals(struct oformat *f, const struct series *s, uint64_t time);
void tracks_oformat_release(struct oformat *f);

/*
 * Returns the tracks of aggregation @agg, the track with the largest total first, and sets *@n to
 * their number. The caller frees the array with xfree(). The tracks still belong to @t.
 */
struct track **tracks_of(const struct tracks *t, uint32_t agg, size_t *n);

/*
 * Returns the value of a cell: the result of the aggregating function, or the count of a
 * histogram's bucket. The value is not divided by the duration of the column.
 */
double tracks_value(const struct agg_info *ai, const struct cell *c);

/*
 * tracks_duration() returns the duration of the columns @from to @to in seconds.
 * tracks_column_start() returns the time from the start of tracing to the start of column @col in
 * seconds.
 */
double tracks_duration(const struct tracks *t, size_t from, size_t to);
double tracks_column_start(const struct tracks *t, size_t col);

/*
 * Returns tracks_column_start(), rounded for the label of an axis. Samples are a few ms late, and a
 * label should read "2s", not "2.003s". The result is rounded to the first digit of the mean column
 * width, or to its second digit if the width needs two, such as 250 ms.
 */
double tracks_rounded_start(const struct tracks *t, size_t col);

/*
 * Append a text to @out. add_elapsed() appends a time since the start: 250ms, 12s, 2m30s or 1h05m.
 * add_time_of_day() appends a date and time of day. add_start_time() appends when tracing began:
 * "from 2023-11-14 22:13:20 UTC". add_short() appends a number: 950, 1.5k or 20M.
 */
void add_elapsed(struct strbuf *out, double seconds);
void add_time_of_day(struct strbuf *out, uint64_t time);
void add_start_time(struct strbuf *out, const struct tracks *t);
void add_short(struct strbuf *out, double v);

/*
 * Appends the heading of a track: "@name[keys] = function()". If @keys is "", the brackets are left
 * out.
 */
void add_track_name(struct strbuf *out, const struct agg_info *ai, const char *keys);

/*
 * Returns the smallest step of 1, 2 or 5 times a power of ten that divides @range into at most
 * @most parts. Returns 1 if @range is 0.
 */
double nice_step(double range, double most);

#endif
