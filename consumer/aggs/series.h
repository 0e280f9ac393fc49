/*
 * series.h - what each aggregation grew by between two samples.
 *
 * The program may call clear() or trunc() between them: what these take is counted all the same.
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
 * A series of samples of @a, which must outlive it and calls it when clear() or trunc() takes
 * something.  @wants says which aggregations are sampled (NULL: all); the others never grow.  Only
 * with @shown may series_interval() and series_shown() be called.  The caller frees the result.
 */
struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg),
			  bool for_view);
void series_free(struct series *s);

/* Samples all aggregations at @time, ns since 1970.  Two samples may have the same time. */
void series_sample(struct series *s, uint64_t time);

/*
 * What was added to each key of aggregation @i between the last two samples.  For min() and max(),
 * which cannot be subtracted, the value as it is now.  Valid until the next sample.
 */
const struct aggtab *series_growth(const struct series *s, uint32_t i);

/* The same since the last sample that has another time. */
const struct aggtab *series_interval(const struct series *s, uint32_t i);

/*
 * What -x view shows of aggregation @i: all that is in it now.  If the program emptied it with
 * trunc() since the last sample of another time, as programs do that print every second: what was
 * added since that sample.
 */
const struct aggtab *series_shown(const struct series *s, uint32_t i);

#endif
