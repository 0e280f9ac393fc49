/*
 * oformat_prom.c - implements -x oformat=prometheus, which shows aggregations as metrics: at the
 * end of the run, or by HTTP with -x listen.
 */
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/oformat/prom.h"

/* Prints the metrics. With -x listen, prints nothing, because the metrics are served by HTTP. */
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
