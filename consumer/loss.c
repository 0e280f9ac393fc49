/*
 * loss.c - counts and reports what a run lost.
 *
 * The counters are in the memory of the BPF programs (struct percpu) and of the source. Each kind
 * of loss is a row of kinds[]. A report prints the increase since the previous report.
 */
#include "consumer/loss.h"

#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/xalloc.h"
#include "consumer/oformat/oformat.h"
#include "consumer/options.h"

#define ENTER \
	"cannot be entered: sockets that exist there are not shown (run dtrace with " \
	"CAP_SYS_ADMIN and CAP_SYS_PTRACE)"

/*
 * The kinds of losses, in the order of reports. Three sorts of events are reported but not lost
 * (@lost is false): events that the kernel itself would have dropped, packets that are shown at
 * another time, and packets that are shown without their owner.
 */
static const struct kind {
	const char *name; /* name in all output formats except text */
	const char *tag;  /* DTrace's tag, or NULL if DTrace has no such loss */
	bool lost;        /* the output is incomplete after such a loss (loss_any()) */
	const char *one, *many;
} kinds[LOSS_KINDS] = {
	[LOSS_PRINCIPAL] = {"principal", "PRINCIPAL", true, "drop", "drops"},
	[LOSS_AGGREGATION] = {"aggregation", "AGGREGATION", true, "aggregation drop",
			      "aggregation drops"},
	[LOSS_DYNAMIC] = {"dynamic", "DYNAMIC", true, "dynamic variable drop",
			  "dynamic variable drops"},
	[LOSS_SPEC] = {"speculation", "SPEC", true, "speculative drop", "speculative drops"},
	[LOSS_SPECBUSY] = {"speculation-busy", "SPECBUSY", true,
			   "failed speculation (available buffer(s) still busy)",
			   "failed speculations (available buffer(s) still busy)"},
	[LOSS_SPECUNAVAIL] = {"speculation-unavailable", "SPECUNAVAIL", true,
			      "failed speculation (no speculative buffer available)",
			      "failed speculations (no speculative buffer available)"},
	[LOSS_DBLERROR] = {"error-in-error", "DBLERROR", true, "error in ERROR probe enabling",
			   "errors in ERROR probe enabling"},
	[LOSS_UNREADABLE] =
		{"unreadable", NULL, true,
		 "packet whose header, or a byte that -x filter tests, could not be read",
		 "packets whose header, or a byte that -x filter tests, could not be read"},
	[LOSS_MISSED] =
		{"missed", NULL, true,
		 "probe firing missed: a tracing program was already running on its CPU",
		 "probe firings missed: tracing programs were already running on their CPUs"},
	[LOSS_UNRUN] = {"tick-failed", NULL, true,
			"firing of tick failed: the kernel did not run it",
			"firings of tick failed: the kernel did not run them"},
	[LOSS_TICKS] = {"tick-skipped", NULL, true,
			"tick firing skipped: too many were due at once",
			"tick firings skipped: too many were due at once"},
	[LOSS_BARRED] = {"namespace", NULL, true, "network namespace " ENTER,
			 "network namespaces " ENTER},
	[LOSS_LATE] = {"late", NULL, false, "packet out of order", "packets out of order"},
	[LOSS_CLOCK] = {"clock", NULL, false,
			"packet with a time far ahead of all others: shown at the time of the "
			"packet before it",
			"packets with a time far ahead of all others: shown at the times of the "
			"packets before them"},
	[LOSS_UNPLACED] = {"unplaced", NULL, false,
			   "packet has an owner, but it is unknown whether the owner sent or "
			   "received it: list this host's addresses with -x local",
			   "packets have an owner, but it is unknown whether the owner sent or "
			   "received them: list this host's addresses with -x local"},
	[LOSS_UNCAUGHT] =
		{"uncaught", NULL, true,
		 "packet of the interface lost: the capture buffer was full (enlarge it with -b)",
		 "packets of the interface lost: the capture buffer was full (enlarge it with -b)"},
	[LOSS_CONNS] = {"connections", NULL, true,
			"TCP connection given up: too many at a time (raise -x conns)",
			"TCP connections given up: too many at a time (raise -x conns)"},
	[LOSS_FRAG_MISSING] = {"fragments-missing", NULL, false,
			       "datagram not reassembled: fragments are missing",
			       "datagrams not reassembled: fragments are missing"},
	[LOSS_FRAG_OVERLAP] = {"fragments-overlap", NULL, false,
			       "datagram not reassembled: its fragments overlap",
			       "datagrams not reassembled: their fragments overlap"},
	[LOSS_FRAG_ROOM] = {"fragments-room", NULL, true,
			    "datagram not reassembled: too many at a time",
			    "datagrams not reassembled: too many at a time"},
	[LOSS_NOT_UNDERSTOOD] = {"not-understood", NULL, true, "frame not understood",
				 "frames not understood"},
	[LOSS_IMPOSSIBLE] = {"impossible", NULL, false,
			     "packet with an impossible header, which hosts drop",
			     "packets with impossible headers, which hosts drop"},
};

#define EACH_CPU (LOSS_AGGREGATION + 1) /* number of kinds that are reported for each CPU */

void loss_init(struct loss *l, const struct program *p, struct source *src)
{
	*l = (struct loss){.p = p, .src = src};
	l->reported_cpu = xcalloc(src->ncpu + 1, sizeof(*l->reported_cpu));
	l->refused = xcalloc(src->ncpu + 1, sizeof(*l->refused));
}

void loss_release(struct loss *l)
{
	xfree(l->reported_cpu);
	xfree(l->refused);
	l->reported_cpu = NULL;
	l->refused = NULL;
}

/* ------------------------------------------------------------------- counting */

static struct percpu read_cpu(const struct loss *l, const char *percpu, uint32_t cpu)
{
	size_t stride = (l->p->map[MAP_ID_PERCPU].value_size + 7u) & ~7u;
	struct percpu now;

	memcpy(&now, percpu + cpu * stride, sizeof(now));
	return now;
}

static uint32_t cpu_number(const struct loss *l, uint32_t i)
{
	return l->src->cpu ? l->src->cpu[i] : i;
}

void loss_refuse(struct loss *l, uint32_t cpu)
{
	for (uint32_t i = 0; i < l->src->ncpu; i++)
		l->refused[i] += cpu_number(l, i) == cpu;
}

/* Computes the losses of the CPU at index @i from its counters @now. */
static void count_cpu(const struct loss *l, uint32_t i, const struct percpu *now,
		      uint64_t n[EACH_CPU])
{
	n[LOSS_PRINCIPAL] = now->drops + now->err_drops + l->refused[i];
	n[LOSS_AGGREGATION] = now->agg_drops;
}

static void count_cpus(struct loss *l, const char *percpu)
{
	uint64_t *n = l->now;

	l->events = n[LOSS_PRINCIPAL] = n[LOSS_AGGREGATION] = n[LOSS_DYNAMIC] = n[LOSS_UNREADABLE] =
		n[LOSS_MISSED] = 0;
	for (uint32_t i = 0; i < l->src->ncpu; i++) {
		struct percpu now = read_cpu(l, percpu, i);
		uint64_t cpu[EACH_CPU];

		count_cpu(l, i, &now, cpu);
		for (int k = 0; k < EACH_CPU; k++)
			n[k] += cpu[k];
		l->events += now.events;
		n[LOSS_DYNAMIC] += now.dyn_drops;
		n[LOSS_UNREADABLE] += now.unreadable;
		n[LOSS_MISSED] += now.nested;
	}
}

/*
 * Updates l->now. If @percpu is NULL, the counters of the CPUs could not be read and keep their
 * values.
 */
static void count(struct loss *l, const char *percpu)
{
	const struct globals *g = l->src->ops->globals(l->src);
	struct source_loss s = {0};
	uint64_t *n = l->now;

	l->src->ops->loss(l->src, &s);
	if (percpu)
		count_cpus(l, percpu);
	n[LOSS_MISSED] += s.missed - l->source_missed * !percpu;
	l->source_missed = s.missed;
	n[LOSS_SPEC] = l->spec_drops;
	n[LOSS_SPECBUSY] = g ? g->spec_busy : 0;
	n[LOSS_SPECUNAVAIL] = g ? g->spec_unavail : 0;
	n[LOSS_DBLERROR] = l->dblerrors;
	n[LOSS_UNRUN] = s.tick_errors;
	n[LOSS_TICKS] = s.ticks;
	n[LOSS_BARRED] = s.netns_denied;
	n[LOSS_UNCAUGHT] = s.iface_drops;
	n[LOSS_LATE] = s.late_packets;
	l->late_ns = s.late_ns;
	n[LOSS_CLOCK] = s.bad_clocks;
	n[LOSS_UNPLACED] = s.ambiguous_owners;
	n[LOSS_CONNS] = s.conns_evicted;
	n[LOSS_FRAG_MISSING] = s.frag_missing;
	n[LOSS_FRAG_OVERLAP] = s.frag_overlap;
	n[LOSS_FRAG_ROOM] = s.frag_room;
	n[LOSS_NOT_UNDERSTOOD] = s.not_understood;
	n[LOSS_IMPOSSIBLE] = s.impossible;
	l->which[LOSS_NOT_UNDERSTOOD] = s.which_not_understood;
	l->which[LOSS_IMPOSSIBLE] = s.which_impossible;
}

bool loss_any(const struct loss *l)
{
	bool any = l->faults || l->blind;

	for (int k = 0; k < LOSS_KINDS; k++)
		any |= kinds[k].lost && l->now[k];
	return any;
}

void loss_totals(struct loss *l, void (*fn)(void *ctx, const char *kind, uint64_t n), void *ctx)
{
	count(l, l->src->ops->percpu(l->src));
	for (int k = 0; k < LOSS_KINDS; k++)
		fn(ctx, kinds[k].name, l->now[k]);
}

/* -------------------------------------------------------------------- reporting */

static void add_late(struct strbuf *b, uint64_t ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{"us", 1000},
		{"ms", 1000000},
		{"s", 1000000000},
	};
	size_t i = ns < 10000000 ? 0 : ns < 10000000000 ? 1 : 2;

	strbuf_addf(b, ": shown up to %" PRIu64 " %s late", (ns - 1) / units[i].ns + 1,
		    units[i].name);
}

/* Appends a message such as "3 drops on CPU 1". The text is singular or plural, as @n requires. */
static void add_message(struct strbuf *b, const struct loss *l, int k, uint64_t n, int cpu)
{
	strbuf_addf(b, "%" PRIu64 " %s", n, n == 1 ? kinds[k].one : kinds[k].many);
	if (cpu >= 0)
		strbuf_addf(b, " on CPU %d", cpu);
	if (k == LOSS_LATE)
		add_late(b, l->late_ns);
	if (l->which[k])
		strbuf_addf(b, ": %s", l->which[k]);
}

/*
 * Reports @n losses of kind @k. Prints "dtrace: N drops", with a tag if -x droptags is set, and
 * passes the same data to the output format @f. @cpu is the number of the CPU, or -1 for all CPUs.
 * Does nothing if @n is 0.
 */
static void report(const struct loss *l, const struct consumer_opts *o, struct oformat *f, int k,
		   uint64_t n, uint64_t total, int cpu)
{
	struct strbuf b = {0};
	const char *tag = kinds[k].tag;

	if (!n)
		return;
	add_message(&b, l, k, n, cpu);
	fprintf(o->err, "dtrace: %s%s%s%s\n", o->droptags && tag ? "[DTRACEDROP_" : "",
		o->droptags && tag ? tag : "", o->droptags && tag ? "] " : "", b.s);
	if (f->ops->loss)
		f->ops->loss(f, &(struct oformat_loss){kinds[k].name, tag, cpu, oformat_now(f), n,
						       total, b.s});
	strbuf_release(&b);
}

static void report_cpus(struct loss *l, const struct consumer_opts *o, struct oformat *f,
			const char *percpu)
{
	for (uint32_t i = 0; i < l->src->ncpu; i++) {
		struct percpu now = read_cpu(l, percpu, i);
		uint64_t n[EACH_CPU];

		count_cpu(l, i, &now, n);
		for (int k = 0; k < EACH_CPU; k++)
			report(l, o, f, k, n[k] - l->reported_cpu[i][k], n[k],
			       (int)cpu_number(l, i));
		memcpy(l->reported_cpu[i], n, sizeof(n));
	}
}

static void report_blind(struct loss *l, const struct consumer_opts *o)
{
	if (!l->blind)
		fputs("dtrace: cannot read the drop counters: more may be lost than dtrace "
		      "reports\n",
		      o->err);
	l->blind = true;
}

void loss_report(struct loss *l, const struct consumer_opts *o, struct oformat *f)
{
	const char *percpu = l->src->ops->percpu(l->src);

	count(l, percpu);
	if (percpu)
		report_cpus(l, o, f, percpu);
	else
		report_blind(l, o);
	for (int k = EACH_CPU; k < LOSS_KINDS; k++)
		report(l, o, f, k, l->now[k] - l->reported[k], l->now[k], -1);
	memcpy(l->reported, l->now, sizeof(l->reported));
	fflush(o->err);
}
