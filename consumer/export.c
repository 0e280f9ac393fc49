/*
 * export.c - makes aggregations available to other programs: in files (-x aggout) and as metrics by
 * HTTP (-x listen).
 */
#include "consumer/state.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "consumer/aggs/file.h"
#include "consumer/aggs/snapshots.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/prom.h"
#include "consumer/serve/serve.h"

/*
 * Minimum time in ns between two polls for requests in a replay. A poll takes longer than a batch
 * of packets.
 */
#define ANSWER_NS 10000000u

static void write_snapshot(struct consumer *c)
{
	const struct aggfile_id id = {.program = c->o.aggout.program,
				      .host = c->o.aggout.host,
				      .run = c->o.aggout.run,
				      .epoch = c->exports.epoch,
				      .sequence = ++c->exports.nsnapshot,
				      .time = oformat_now(c->print.oformat),
				      .matched = c->o.aggout.matched};
	struct strbuf b = {0};

	aggfile_write(&b, c->aggs, &c->loss, &id);
	if (c->o.aggout.snapshots)
		c->exports.aggout_error = snapshots_put(c->o.aggout.snapshots, b.s, b.len);
	else if (fwrite(b.s, 1, b.len, c->o.aggout.file) != b.len || fflush(c->o.aggout.file))
		c->exports.aggout_error = errno;
	strbuf_release(&b);
}

/*
 * Writes a snapshot if there is none yet, or if the last one is older than the interval of -x
 * aggoutrate. The interval is real time even in a replay, because other processes read the file.
 */
void export_snapshot_if_due(struct consumer *c)
{
	uint64_t now;

	if (!c->o.aggout.rate)
		return;
	now = now_monotonic();
	if (c->exports.nsnapshot && now - c->exports.last_snapshot < c->o.aggout.rate)
		return;
	c->exports.last_snapshot = now;
	write_snapshot(c);
}

void export_last_snapshot(struct consumer *c)
{
	if (c->o.aggout.file || c->o.aggout.snapshots)
		write_snapshot(c);
	if (c->o.aggout.snapshots && !c->exports.aggout_error)
		c->exports.aggout_error = snapshots_wait(c->o.aggout.snapshots);
}

static void metrics(void *ctx, struct strbuf *out)
{
	struct consumer *c = ctx;

	prom_write(c->exports.prom, (uint64_t)c->o.promkeys, &c->o.style.percentiles, out);
}

void export_answer(struct consumer *c)
{
	uint64_t now;

	if (!c->o.serve)
		return;
	now = now_monotonic();
	if (c->src->recorded && now - c->exports.last_answer < ANSWER_NS)
		return;
	c->exports.last_answer = now;
	serve_answer(c->o.serve, metrics, c);
}

void export_answer_until(struct consumer *c, volatile sig_atomic_t *interrupted)
{
	struct pollfd p = {.fd = serve_fd(c->o.serve), .events = POLLIN};

	while (!*interrupted) {
		poll(&p, 1, 1000);
		serve_answer(c->o.serve, metrics, c);
	}
}
