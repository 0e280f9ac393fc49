/*
 * form_prom.c - -x oformat=prometheus: aggregations alone, at the end, or to whoever asks (-x
 * listen).
 */
#include "consumer/forms/form.h"
#include "consumer/options.h"
#include "consumer/output.h"
#include "consumer/forms/prom.h"

/* Who listens has told whoever wanted to know. */
static void end(struct form *f)
{
	if (!f->o->serve)
		prom_write(f->prom, f->o->promkeys, &f->out->buf);
}

const struct form_ops form_prometheus = {
	.name = "prometheus",
	.size = sizeof(struct form),
	.counts = true,
	FORM_NO_RECORDS,
	.table = form_no_table,
	.end = end,
};
