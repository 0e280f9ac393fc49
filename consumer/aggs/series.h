/*
 * series.h - the growth of each aggregation: the increase of its values between two samples.
 *
 * Rows that clear() or trunc() removes between two samples are counted in the growth.
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
 * Starts a series of samples of @a, which must outlive the series. The series becomes the observer
 * of @a. @wants selects the aggregations to sample; NULL selects all. The growth of all other
 * aggregations is always empty. series_interval() and series_shown() may only be called if
 * @for_view is true. The caller frees the result with series_free().
 */
struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg),
			  bool for_view);
void series_free(struct series *s);

/*
 * Samples the aggregations that series_new() selected. @time is the time of the sample in ns since
 * 1970. Two samples may have the same time.
 */
void series_sample(struct series *s, uint64_t time);

/*
 * Returns the growth of each key of aggregation @i between the last two samples. For min() and
 * max(), whose values cannot be subtracted, returns the current values instead. The table is valid
 * until the next sample.
 */
const struct aggtab *series_growth(const struct series *s, uint32_t i);

/*
 * Returns the growth of each key of aggregation @i during the last interval. The interval ends with
 * the latest sample. It begins with the last sample that has an earlier time, because several
 * samples may have the same time.
 */
const struct aggtab *series_interval(const struct series *s, uint32_t i);

/*
 * Returns the table that -x view shows for aggregation @i. This is the table of its current rows.
 * But if trunc() removed all rows during the last interval, it is series_interval(): otherwise a
 * script that prints and truncates every second would have an empty table.
 */
const struct aggtab *series_shown(const struct series *s, uint32_t i);

#endif
