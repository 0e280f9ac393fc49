/*
 * consumer.c - the run of a source, from BEGIN to the last output.
 *
 * records.c receives records, and actions.c performs their actions. sampling.c samples aggregations
 * over time, and export.c writes aggregations for other programs. state.h has the state that these
 * files share.
 */
#include "consumer/consumer.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "consumer/aggs/aggs.h"
#include "consumer/cost.h"
#include "consumer/footer.h"
#include "consumer/hold.h"
#include "consumer/oformat/oformat.h"
#include "consumer/oformat/prom.h"
#include "consumer/oformat/tables.h"
#include "consumer/screen/view.h"
#include "consumer/spec.h"
#include "consumer/state.h"
#include "consumer/symbols/ksyms.h"
#include "consumer/symbols/usyms.h"
#include "ir/program.h"
#include "procinfo/owner.h"
#include "procinfo/watch.h"

#define POLL_NS 1000000000u
#define SNAPSHOT_LATE_NS 50000000u /* maximum delay of a snapshot of -x aggoutrate in ns */
/* exit status if -x strict is set and the output is incomplete */
#define STATUS_LOST 3
#define HOLD_BYTES (4u << 20) /* default of -x bufsize for each CPU */

/* --------------------------------------------------------------------- output */

void consumer_flush(struct consumer *c)
{
	output_flush(&c->print.out);
	output_flush(&c->capture.out);
	c->sink.done |= c->print.out.broken || c->capture.out.broken;
}

void consumer_yield_output(struct consumer *c)
{
	if (c->print.oformat->ops->pause)
		c->print.oformat->ops->pause(c->print.oformat);
	consumer_flush(c);
}

FILE *consumer_err(struct consumer *c)
{
	consumer_flush(c);
	return c->o.err;
}

/* ------------------------------------------------------------------ life cycle */

struct consumer *consumer_new(const struct program *p, struct source *src,
			      const struct consumer_opts *o)
{
	struct consumer *c = xcalloc(1, sizeof(*c));

	c->p = p;
	c->src = src;
	c->o = *o;
	c->print.out.f = o->out;
	c->capture.out.f = o->capture;
	if (o->capture)
		pcapng_begin(&c->capture.file, &c->capture.out.buf);
	c->o.resolver = &c->resolver;
	c->own = (struct outside){.p = p, .o = &c->o};
	c->outside = o->outside ? o->outside : &c->own;
	if (o->bufpolicy && strcmp(o->bufpolicy, "switch"))
		c->hold = hold_new(!strcmp(o->bufpolicy, "ring"),
				   o->bufsize ? o->bufsize : HOLD_BYTES);
	c->o.resolve &= !c->src->recorded;
	c->sink = (struct record_sink){.record = records_receive, .ctx = c};
	if (src->recorded)
		/* addresses in a capture are not addresses of this kernel */
		ksyms_forget("/dev/null");
	c->aggs = aggs_new(p, src);
	c->specs = specs_new(o->specsize);
	loss_init(&c->loss, p, src);
	records_init(c);
	c->faults = (struct faults){.src = src, .o = &c->o, .p = p};
	c->print.oformat = oformat_new(c->o.oformat ? c->o.oformat : oformat_find("text"),
				       &c->print.out, &c->o, p, src);
	c->faults.oformat = c->print.oformat;
	c->exports.prom = prom_new(c->aggs, &c->loss);
	c->print.oformat->prom = c->exports.prom;
	return c;
}

void consumer_free(struct consumer *c)
{
	if (!c)
		return;
	records_release(c);
	outside_release(&c->own);
	oformat_free(c->print.oformat);
	ksyms_forget(NULL);
	owner_release();
	output_release(&c->print.out);
	output_release(&c->capture.out);
	hold_free(c->hold);
	resolver_release(&c->resolver);
	loss_release(&c->loss);
	faults_release(&c->faults);
	prom_free(c->exports.prom);
	sampling_release(c);
	aggs_free(c->aggs);
	specs_free(c->specs);
	xfree(c);
}

int consumer_status(const struct consumer *c)
{
	return c->status;
}

/* --------------------------------------------------------------------- running */

/*
 * Once a second, reports faults and losses, and deletes keys of aggregations that were cleared or
 * truncated. Does nothing in a replay, because the output of a replay must not depend on the speed
 * of the machine.
 */
static void poll_status(struct consumer *c)
{
	uint64_t now = now_monotonic();

	if (c->src->recorded || now - c->last_poll < POLL_NS)
		return;
	c->last_poll = now;
	aggs_thaw(c->aggs);
	aggs_sweep(c->aggs);
	watch_drain();
	aggs_remember_processes(c->aggs);
	faults_report(&c->faults, false);
	loss_report(&c->loss, &c->o, c->print.oformat);
}

/* Returns whether all processes of -c and -p have ended. */
static bool followed_to_end(const struct consumer *c)
{
	return c->o.follow && c->o.follow->over(c->o.follow->ctx);
}

/* Does nothing. The signal itself interrupts the source's wait. */
static void on_alarm(int sig)
{
	(void)sig;
}

static void wake_after(uint64_t ns, suseconds_t again_us)
{
	struct itimerval t = {
		.it_value = {(time_t)(ns / 1000000000), (suseconds_t)(ns / 1000 % 1000000)}};
	struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

	t.it_value.tv_usec += !t.it_value.tv_sec && !t.it_value.tv_usec;
	/* repeat the timer, because the first signal can arrive just before the wait */
	t.it_interval.tv_usec = again_us;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

/*
 * Sets a timer that ends a wait in time for the next snapshot, or for the end of -x duration. Sets
 * no timer in a replay, where waits are short.
 */
static void wake_in_time(const struct consumer *c)
{
	if (c->src->recorded)
		return;
	if (c->o.aggout.rate)
		wake_after(SNAPSHOT_LATE_NS, SNAPSHOT_LATE_NS / 1000);
	else if (c->o.duration)
		wake_after(c->o.duration, 10000);
}

/*
 * Returns whether -x duration has elapsed. In a replay, the duration is measured by the times of
 * packets, and the source ends the run by itself.
 */
static bool time_is_over(const struct consumer *c, uint64_t began)
{
	return c->o.duration && !c->src->recorded && now_monotonic() - began >= c->o.duration;
}

/*
 * Traces until one of these happens: exit(); the end of the source, of -x duration or of the
 * processes of -c and -p; a key that quits -x view; a failed write to the output; a signal. Returns
 * 0, or -1 with the error in @d.
 */
static int trace(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	uint64_t began = now_monotonic(), last = 0;
	int res = 1;

	c->last_poll = began;
	if (c->src->warning)
		fprintf(consumer_err(c), "dtrace: %s\n", c->src->warning);
	wake_in_time(c);
	/* even if this fails, the source must be stopped before the run ends */
	if (c->o.follow && !c->o.follow->go(c->o.follow->ctx, d))
		res = -1;
	else
		sampling_begin_view(c, interrupted);
	export_snapshot_if_due(c);
	while (res == 1 && !c->sink.done && !*interrupted && !followed_to_end(c) &&
	       !time_is_over(c, began)) {
		c->waited = last;
		last = now_monotonic();
		res = c->src->ops->wait(c->src, &c->sink, d);
		consumer_flush(c);
		poll_status(c);
		owner_read_events();
		export_answer(c);
		export_snapshot_if_due(c);
		if (c->sampling.viewing)
			c->sink.done |= !view_keys(c->o.view);
	}
	if (c->sampling.viewing && res == 0 && !c->sink.done)
		sampling_hold_view(c);
	sampling_end_view(c);
	if (c->o.serve && res == 0 && !c->sink.done)
		export_answer_until(c, interrupted);
	if (*interrupted && !c->exited && !c->packets.in_file && c->print.oformat->ops->interrupted)
		c->print.oformat->ops->interrupted(c->print.oformat);
	c->src->ops->stop(c->src, &c->sink);
	consumer_flush(c);
	return res < 0 ? -1 : 0;
}

static int fire(struct consumer *c, enum run_kind kind, const char *name, struct diag *d)
{
	int err = c->src->ops->fire(c->src, kind, NULL, &c->sink);

	consumer_flush(c);
	return err ? diag_error(d, D_SYS, NOLOC, "failed to fire %s: %s", name, strerror(-err)) : 0;
}

/* Shows the aggregations that no printa() has shown. */
static void show_rest(struct consumer *c)
{
	if (c->print.oformat->ops->rest && !c->o.aggout.only)
		c->print.oformat->ops->rest(c->print.oformat);
	aggs_thaw(c->aggs);
	if (!c->o.aggout.only)
		aggs_show_rest(c->aggs, c->print.oformat);
	consumer_flush(c);
}

/*
 * Returns 0, or -1 with one failure of the run in @d. @again says that the user interrupted the run
 * twice.
 */
static int report_failure(const struct consumer *c, bool again, struct diag *d)
{
	if (again)
		return diag_error(d, D_SYS, NOLOC,
				  "interrupted twice: aggregations are not printed");
	if (c->print.out.broken)
		return diag_error(d, D_SYS, NOLOC, "failed to write to %s: %s",
				  c->o.outname ? c->o.outname : "<stdout>",
				  strerror(c->print.out.error));
	if (c->exports.aggout_error)
		return diag_error(d, D_SYS, NOLOC, "failed to write aggregations to '%s': %s",
				  c->o.aggout.name, file_error(c->exports.aggout_error));
	if (c->capture.out.broken)
		return diag_error(d, D_SYS, NOLOC, "failed to write packets to '%s': %s",
				  c->o.capture_name, strerror(c->capture.out.error));
	if (c->aggs->failed)
		return diag_error(d, D_SYS, NOLOC,
				  "failed to print aggregations: cannot read them from the kernel");
	return 0;
}

static int finish(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	int err = fire(c, RUN_END, "END", d);
	bool again;

	records_show_held(c);
	packets_finish(&c->packets, c->outside);
	pcapng_reset(&c->capture.file);
	if (c->packets.in_file) /* the capture file ends here, because text follows */
		output_redirect(&c->print.out, -1);
	if (c->sampling.series)
		sampling_take(c, oformat_now(c->print.oformat));
	if (*interrupted < 2)
		show_rest(c);
	again = *interrupted > 1;
	faults_report(&c->faults, true);
	loss_report(&c->loss, &c->o, c->print.oformat);
	if (c->o.footer)
		footer_print(&c->loss, c->aggs, &c->o, c->print.oformat);
	if (c->o.cost)
		cost_print(c->p, c->src, c->o.err, c->print.oformat);
	export_last_snapshot(c);
	if (c->o.strict && loss_any(&c->loss)) {
		fprintf(c->o.err,
			"dtrace: the output is incomplete, see above: exit status %d (-x strict)\n",
			STATUS_LOST);
		c->status = STATUS_LOST;
	}
	if (c->print.oformat->ops->end)
		c->print.oformat->ops->end(c->print.oformat);
	consumer_flush(c);
	return report_failure(c, again, d) ? -1 : err;
}

int consumer_run(struct consumer *c, struct diag *d, volatile sig_atomic_t *interrupted)
{
	int res = 0;

	/* Users start their workload when BEGIN prints, so slow preparations come first. */
	if (!c->src->recorded && !usyms_start(c->p, d))
		return -1;
	usyms_interrupt(interrupted);
	c->exports.epoch = oformat_now(c->print.oformat);
	sampling_start(c);
	if ((c->src->ops->attach && c->src->ops->attach(c->src, d)) ||
	    fire(c, RUN_BEGIN, "BEGIN", d))
		return -1;
	/* exit() in a replay's BEGIN; live, the records of BEGIN come when probes fire already */
	if (!c->sink.done) {
		if (c->src->ops->go(c->src, &c->sink, d))
			return -1;
		consumer_flush(c);
		if (c->sink.done)
			c->src->ops->stop(c->src, &c->sink);
		else
			res = trace(c, d, interrupted);
	}
	return finish(c, d, interrupted) || res ? -1 : 0;
}
