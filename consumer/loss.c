/*
 * loss.c - what a run lost, told as DTrace tells it.
 *
 * The counters are the programs' (struct percpu) and the source's; a line says
 * what came on top since the one before.
 */
#include "consumer/loss.h"

#include <inttypes.h>
#include <string.h>

#include "base/xalloc.h"
#include "consumer/options.h"

void loss_init(struct loss *l, const struct program *p, struct source *src)
{
	*l = (struct loss){.p = p, .src = src};
	l->told = xcalloc(src->ncpu + 1, sizeof(*l->told));
}

void loss_release(struct loss *l)
{
	xfree(l->told);
	l->told = NULL;
}

static void read_cpu(const struct loss *l, const char *percpu, uint32_t cpu, struct percpu *out)
{
	size_t stride = (l->p->map[MAP_ID_PERCPU].value_size + 7u) & ~7u;

	memcpy(out, percpu + cpu * stride, sizeof(*out));
}

/* "dtrace: [TAG] N whats", @where behind it; @one and @many differ in the 's'. */
static void tell(const struct consumer_opts *o, const char *tag, uint64_t n, const char *one,
		 const char *many)
{
	if (!n)
		return;
	fputs("dtrace: ", o->err);
	if (o->droptags && tag)
		fprintf(o->err, "[DTRACEDROP_%s] ", tag);
	fprintf(o->err, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

static void tell_cpu(const struct consumer_opts *o, const char *tag, uint64_t n, const char *one,
		     const char *many, uint32_t cpu)
{
	tell(o, tag, n, one, many);
	if (n)
		fprintf(o->err, " on CPU %u\n", cpu);
}

static void tell_total(const struct consumer_opts *o, const char *tag, uint64_t n, const char *one,
		       const char *many)
{
	tell(o, tag, n, one, many);
	if (n)
		fputc('\n', o->err);
}

/* What all CPUs lost together. */
struct totals {
	uint64_t dyn, unreadable, missed;
};

static void tell_each_cpu(struct loss *l, const struct consumer_opts *o, const char *percpu,
			  struct totals *t)
{
	struct percpu now;

	for (uint32_t i = 0; i < l->src->ncpu; i++) {
		uint32_t cpu = l->src->cpu ? l->src->cpu[i] : i;
		struct percpu *was = &l->told[i];

		read_cpu(l, percpu, i, &now);
		tell_cpu(o, "PRINCIPAL", now.drops - was->drops + now.err_drops - was->err_drops,
			 "drop", "drops", cpu);
		tell_cpu(o, "AGGREGATION", now.agg_drops - was->agg_drops, "aggregation drop",
			 "aggregation drops", cpu);
		t->dyn += now.dyn_drops - was->dyn_drops;
		t->unreadable += now.unreadable - was->unreadable;
		t->missed += now.nested - was->nested;
		*was = now;
	}
}

static void tell_late(const struct consumer_opts *o, uint64_t ns)
{
	static const struct { const char *name; uint64_t ns; } units[] = {
		{"us", 1000}, {"ms", 1000000}, {"s", 1000000000},
	};
	size_t i = ns < 10000000 ? 0 : ns < 10000000000 ? 1 : 2;

	fprintf(o->err, ": shown up to %" PRIu64 " %s late\n", (ns - 1) / units[i].ns + 1, units[i].name);
}

static void tell_time(const struct loss *l, const struct consumer_opts *o,
		      const struct source_loss *now)
{
	uint64_t late = now->late_packets - l->skipped.late_packets;

	tell(o, NULL, late, "packet older than one before it", "packets older than one before them");
	if (late)
		tell_late(o, now->late_ns);
	tell_total(o, NULL, now->bad_clocks - l->skipped.bad_clocks,
		   "packet far ahead of all others: shown at the time of the one before",
		   "packets far ahead of all others: shown at the time of the one before");
}

static void tell_blind(struct loss *l, const struct consumer_opts *o)
{
	if (!l->blind)
		fputs("dtrace: the counters of drops cannot be read: there may be more than is told\n",
		      o->err);
	l->blind = true;
}

static void tell_specs(struct loss *l, const struct consumer_opts *o)
{
	const struct globals *g = l->src->ops->globals(l->src);
	uint64_t busy = g ? g->spec_busy : 0, unavail = g ? g->spec_unavail : 0;

	tell_total(o, "SPEC", l->spec_drops - l->spec_drops_told, "speculative drop", "speculative drops");
	tell_total(o, "SPECBUSY", busy - l->spec_busy,
		   "failed speculation (available buffer(s) still busy)",
		   "failed speculations (available buffer(s) still busy)");
	tell_total(o, "SPECUNAVAIL", unavail - l->spec_unavail,
		   "failed speculation (no speculative buffer available)",
		   "failed speculations (no speculative buffer available)");
	l->spec_drops_told = l->spec_drops;
	l->spec_busy = busy;
	l->spec_unavail = unavail;
}

void loss_tell(struct loss *l, const struct consumer_opts *o)
{
	const char *percpu = l->src->ops->percpu(l->src);
	struct totals t = {0};
	struct source_loss now = {0};

	l->src->ops->loss(l->src, &now);
	if (percpu)
		tell_each_cpu(l, o, percpu, &t);
	else
		tell_blind(l, o);
	tell_total(o, "DYNAMIC", t.dyn, "dynamic variable drop", "dynamic variable drops");
	tell_specs(l, o);
	tell_total(o, "DBLERROR", l->dblerrors - l->dblerrors_told, "error in ERROR probe enabling",
		   "errors in ERROR probe enabling");
	tell_total(o, NULL, t.unreadable, "packet whose header could not be read",
		   "packets whose header could not be read");
	tell_total(o, NULL, t.missed + now.missed - l->skipped.missed,
		   "probe firing missed: another program was running",
		   "probe firings missed: other programs were running");
	tell_total(o, NULL, now.unrun - l->skipped.unrun,
		   "firing of tick failed: the kernel did not run it",
		   "firings of tick failed: the kernel did not run them");
	tell_total(o, NULL, now.ticks - l->skipped.ticks, "tick firing skipped",
		   "tick firings skipped");
	tell_total(o, NULL, now.barred - l->skipped.barred,
		   "network namespace cannot be entered (that takes CAP_SYS_ADMIN and CAP_SYS_PTRACE): "
		   "what exists there is not shown",
		   "network namespaces cannot be entered (that takes CAP_SYS_ADMIN and CAP_SYS_PTRACE): "
		   "what exists there is not shown");
	tell_time(l, o, &now);
	tell_total(o, NULL, now.unplaced - l->skipped.unplaced,
		   "packet says whose it is but not at which end: say with -x local which addresses are this host's",
		   "packets say whose they are but not at which end: say with -x local which addresses are this host's");
	tell_total(o, NULL, now.conns - l->skipped.conns,
		   "TCP connection given up: too many at a time (-x conns)",
		   "TCP connections given up: too many at a time (-x conns)");
	tell_total(o, NULL, now.frag_missing - l->skipped.frag_missing,
		   "datagram not reassembled: fragments are missing",
		   "datagrams not reassembled: fragments are missing");
	tell_total(o, NULL, now.frag_overlap - l->skipped.frag_overlap,
		   "datagram not reassembled: its fragments overlap",
		   "datagrams not reassembled: their fragments overlap");
	tell_total(o, NULL, now.frag_room - l->skipped.frag_room,
		   "datagram not reassembled: too many at a time",
		   "datagrams not reassembled: too many at a time");
	l->dblerrors_told = l->dblerrors;
	l->skipped = now;
	fflush(o->err);
}

static void account(const struct consumer_opts *o, const char *what, uint64_t n)
{
	fprintf(o->err, "dtrace: %-32s %12" PRIu64 "\n", what, n);
}

void loss_footer(const struct loss *l, const struct consumer_opts *o)
{
	struct percpu sum = {0};

	for (uint32_t cpu = 0; cpu < l->src->ncpu; cpu++) {
		sum.events += l->told[cpu].events;
		sum.drops += l->told[cpu].drops + l->told[cpu].err_drops;
		sum.agg_drops += l->told[cpu].agg_drops;
		sum.dyn_drops += l->told[cpu].dyn_drops;
		sum.unreadable += l->told[cpu].unreadable;
		sum.nested += l->told[cpu].nested;
	}
	account(o, "events seen", sum.events);
	account(o, "records", l->records);
	account(o, "records dropped", sum.drops);
	account(o, "faults", l->faults);
	account(o, "aggregation keys refused", sum.agg_drops);
	account(o, "variable stores refused", sum.dyn_drops);
	account(o, "probe firings missed", sum.nested + l->skipped.missed);
	account(o, "firings failed", l->skipped.unrun);
	account(o, "packets with unreadable headers", sum.unreadable);
	account(o, "tick firings skipped", l->skipped.ticks);
	account(o, "packets out of their time", l->skipped.late_packets + l->skipped.bad_clocks);
	account(o, "network namespaces not entered", l->skipped.barred);
	account(o, "TCP connections given up", l->skipped.conns);
	account(o, "datagrams not reassembled", l->skipped.frag_missing + l->skipped.frag_overlap +
							 l->skipped.frag_room);
	fflush(o->err);
}
