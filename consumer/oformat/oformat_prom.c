/*
 * oformat_prom.c - -x oformat=prometheus: aggregations as metrics, at the end or by HTTP (-x
 * listen).
 */
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/prom.h"

/* Prints the metrics. With -x listen they are served by HTTP instead. */
static void end(struct oformat *f)
{
	if (!f->o->serve)
		prom_write(f->prom, f->o->promkeys, &f->o->style.percentiles, &f->out->buf);
}

const struct oformat_ops oformat_prometheus = {
	.name = "prometheus",
	.size = sizeof(struct oformat),
	.counts = true,
	OFORMAT_NO_RECORDS,
	.table = oformat_no_table,
	.end = end,
};
