/*
 * series.h - what aggregations grew by from one sample to the next, whatever clear() and trunc()
 * took in between.
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
 * @a outlives it, and tells it what is taken.  @wants: which aggregations samples are of (NULL: all); the others
 * never grow.  @shown: series_interval() and series_shown() will be asked for.
 */
struct series *series_new(struct aggs *a, bool (*wants)(const struct program *p, uint32_t agg), bool shown);
void series_free(struct series *s);

/* Takes a sample of all of them.  @time: when; it may be that of the sample before. */
void series_sample(struct series *s, uint64_t time);

/*
 * By key what was added to aggregation @i from the sample before to the last one; of what cannot
 * be told apart, min() and max(), what it is now.
 */
const struct aggtab *series_grown(const struct series *s, uint32_t i);

/* The same from the last sample of another time on. */
const struct aggtab *series_interval(const struct series *s, uint32_t i);

/*
 * What there is to look at: all that is in aggregation @i now; of one that the program has emptied with trunc()
 * since the last sample of another time, as programs do that print every second, what came since that.
 */
const struct aggtab *series_shown(const struct series *s, uint32_t i);

#endif
