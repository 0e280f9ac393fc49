/*
 * series.h - the growth of each aggregation between two samples.
 *
 * Growth that clear() or trunc() removes between two samples is counted too.
 */
#ifndef CONSUMER_AGGS_SERIES_H
#define CONSUMER_AGGS_SERIES_H

#include <stdbool.h>
#include <stdint.h>

struct aggs;
struct aggtab;
struct program;
struct series;

/*
 * Starts a series of samples of @a, which must outlive it.  The series becomes the observer of @a.
 * @wants selects the aggregations to sample; NULL selects all.  The others never grow.
 * series_interval() and series_shown() may only be called if @for_view is true.  The caller frees
 * the result with series_free().
 */
struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg),
			  bool for_view);
void series_free(struct series *s);

/* Samples all aggregations at @time, ns since 1970.  Two samples may have the same time. */
void series_sample(struct series *s, uint64_t time);

/*
 * Returns the growth of each key of aggregation @i between the last two samples.  Values of
 * min() and max() cannot be subtracted; for them it returns the current value.  The table is valid
 * until the next sample.
 */
const struct aggtab *series_growth(const struct series *s, uint32_t i);

/*
 * Returns the growth of each key of aggregation @i since the last sample that is earlier than the
 * latest one.  Several samples may have the time of the latest one.
 */
const struct aggtab *series_interval(const struct series *s, uint32_t i);

/*
 * Returns the table that -x view shows for aggregation @i: its current content.  If trunc() removed
 * all rows during the interval, it returns series_interval() instead.  Scripts that print and
 * truncate every second would otherwise show empty tables.
 */
const struct aggtab *series_shown(const struct series *s, uint32_t i);

#endif
