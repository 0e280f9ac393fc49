/*
 * prom.h - aggregations as metrics, in the text that Prometheus reads.
 */
#ifndef CONSUMER_OFORMAT_PROM_H
#define CONSUMER_OFORMAT_PROM_H

#include <stdint.h>

struct aggs;
struct loss;
struct prom;
struct strbuf;

/* Rows of an aggregation that are shown, unless -x promkeys says otherwise. */
#define PROM_KEYS 1000

/* Both outlive it. */
struct prom *prom_new(struct aggs *a, struct loss *l);
void prom_free(struct prom *p);

/*
 * Appends all metrics as they are now: a family for each aggregation, with the @keys rows
 * of the greatest values at most (0: all), and what is known of the run.
 */
void prom_write(struct prom *p, uint64_t keys, struct strbuf *out);

#endif
