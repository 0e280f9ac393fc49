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

/* Default of -x promkeys: rows shown of an aggregation. */
#define PROM_KEYS 1000

/*
 * Returns a new exporter, which borrows @a and @l. The caller releases it with prom_free(), which
 * accepts NULL.
 */
struct prom *prom_new(struct aggs *a, struct loss *l);
void prom_free(struct prom *p);

/*
 * Appends all current metrics to @out: a family for each aggregation, with the @keys rows of the
 * largest values (0: all rows), the percentiles @at of histograms as gauges, and metrics of the run
 * itself.
 */
void prom_write(struct prom *p, uint64_t keys, const struct percentiles *at, struct strbuf *out);

#endif
