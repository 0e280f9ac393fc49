/*
 * prom.h - aggregations as metrics, in the Prometheus text exposition format.
 */
#ifndef CONSUMER_OFORMAT_PROM_H
#define CONSUMER_OFORMAT_PROM_H

#include <stdint.h>

struct aggs;
struct loss;
struct percentiles;
struct prom;
struct strbuf;

/* Default of -x promkeys, which is the number of rows shown of an aggregation. */
#define PROM_KEYS 1000

/*
 * Returns a new exporter, which borrows @a and @l. The caller releases it with prom_free(), which
 * accepts NULL.
 */
struct prom *prom_new(struct aggs *a, struct loss *l);
void prom_free(struct prom *p);

/*
 * Appends all current metrics to @out. Each aggregation has a family of metrics with the @keys rows
 * that have the largest values, or all rows if @keys is 0. The percentiles @at of histograms are
 * gauges. Metrics of the run itself follow.
 */
void prom_write(struct prom *p, uint64_t keys, const struct percentiles *at, struct strbuf *out);

#endif
