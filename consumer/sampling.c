/* sampling.c - takes samples of aggregations over time, for output formats and -x view. */
#include "consumer/state.h"

#include <stdio.h>
#include <unistd.h>

#include "consumer/aggs/aggs.h"
#include "consumer/aggs/series.h"
#include "consumer/oformat/oformat.h"
#include "consumer/screen/view.h"
#include "ir/program.h"

void sampling_take(struct consumer *c, uint64_t time)
{
	series_sample(c->sampling.series, time);
	if (c->print.oformat->ops->sample)
		c->print.oformat->ops->sample(c->print.oformat, c->sampling.series, time);
	if (!c->sampling.viewing)
		return;
	view_sample(c->o.view, c->aggs, c->sampling.series, time);
	c->sink.done |= !view_keys(c->o.view);
}

/*
 * Returns whether the sample at @time is needed. -x view needs each sample, but an output format
 * may skip some.
 */
static bool is_due(const struct consumer *c, uint64_t time)
{
	return c->o.view || !c->print.oformat->ops->due ||
	       c->print.oformat->ops->due(c->print.oformat, time);
}

void sampling_take_if_due(struct consumer *c, uint64_t time)
{
	if (c->sampling.series && is_due(c, time))
		sampling_take(c, time);
}

void sampling_start(struct consumer *c)
{
	if (!c->print.oformat->ops->sample && !c->o.view)
		return;
	c->sampling.series = series_new(c->aggs, c->o.view ? NULL : c->print.oformat->ops->samples,
					c->o.view);
	if (c->print.oformat->ops->sample)
		c->print.oformat->ops->sample(c->print.oformat, NULL,
					      oformat_now(c->print.oformat));
	if (c->o.view)
		view_sample(c->o.view, c->aggs, NULL, oformat_now(c->print.oformat));
}

/*
 * Opens the screen of -x view. While the screen is open, output to the same terminal is discarded.
 */
void sampling_begin_view(struct consumer *c, volatile sig_atomic_t *interrupted)
{
	if (!c->o.view)
		return;
	consumer_flush(c);
	c->print.out.hidden = isatty(fileno(c->print.out.f));
	view_begin(c->o.view, c->p, &c->o, c->src->recorded, interrupted);
	c->sampling.viewing = true;
}

/*
 * Closes the screen of -x view. Output that was discarded is lost. So aggregations that printa()
 * printed meanwhile are shown again at the end.
 */
void sampling_end_view(struct consumer *c)
{
	if (!c->sampling.viewing)
		return;
	view_end(c->o.view);
	c->sampling.viewing = false;
	for (uint32_t i = 0; c->print.out.hidden && i < c->p->nagg; i++)
		c->aggs->st[i].printed = false;
	consumer_flush(c);
	c->print.out.hidden = false;
}

void sampling_hold_view(struct consumer *c)
{
	sampling_take(c, oformat_now(c->print.oformat));
	if (!c->sink.done)
		view_wait_for_quit(c->o.view);
}

void sampling_release(struct consumer *c)
{
	series_free(c->sampling.series);
}
