/*
 * source.c - replay: packets become hook firings on the virtual machine.
 *
 * Only the hooks that the program has units for are prepared: a packet costs
 * what the program looks at.
 */
#include "engine/replay/source.h"

#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/impl.h"
#include "engine/replay/fixed_memory.h"

static struct replay *replay_of(struct source *s)
{
	return (struct replay *)s;
}

bool replay_has_hook(enum hook_kind kind, const char *target)
{
	unsigned i;

	if (kind == HOOK_RUN || kind == HOOK_PROFILE)
		return true;
	for (i = 0; i < NHOOK; i++)
		if (hook_defs[i].kind == kind && !strcmp(hook_defs[i].target, target))
			return true;
	return false;
}

/* ------------------------------------------------------------------ starting */

/* TCP connections are followed if a unit is of them, or may look at the socket of a segment. */
static bool wants_tcp(enum hook_id h, const struct unit *u)
{
	return hook_defs[h].flags & (FOLLOW | MESSAGES) || (hook_defs[h].flags & TCPS && u->socket);
}

/* AT_*: the sides where only what happens to connections has hooks. */
static unsigned quiet_sides(const struct replay *r)
{
	unsigned sides = AT_SENDER | AT_RECEIVER;

	for (unsigned h = 0; h < NHOOK; h++)
		if (r->hook[h].n && !(hook_defs[h].flags & FOLLOW))
			sides &= ~hook_defs[h].flags;
	return sides;
}

/* Lists the units of each hook; a hook that replay does not have is the program's fault. */
static int sort_units(struct replay *r, struct diag *d)
{
	const struct program *p = r->prog;
	uint32_t i;
	unsigned h;

	for (i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];

		if (u->hook == HOOK_RUN || u->hook == HOOK_PROFILE)
			continue;
		for (h = 0; h < NHOOK; h++)
			if (hook_defs[h].kind == u->hook && !strcmp(hook_defs[h].target, u->target))
				break;
		if (h == NHOOK)
			return diag_error(d, D_HOOK_NONE, NOLOC,
					  "replay does not have the hook "
					  "'%s'",
					  u->target);
		r->hook[h].v = xrealloc(r->hook[h].v, (r->hook[h].n + 1) * sizeof(uint32_t));
		r->hook[h].v[r->hook[h].n++] = i;
		r->transport |= hook_defs[h].flags & TRANSPORT;
		r->sender |= hook_defs[h].flags & AT_SENDER;
		r->receiver |= hook_defs[h].flags & AT_RECEIVER;
		if (hook_defs[h].flags & WHOLE)
			r->whole |= hook_defs[h].flags & (AT_SENDER | AT_RECEIVER);
		r->follow |= wants_tcp(h, u);
		r->sockets |= u->socket && h != TCP_SEND && h != TCP_RECEIVE;
	}
	if (r->follow) {
		r->quiet = quiet_sides(r);
		r->segments = !r->hook[OWNER].n;
		r->sender = r->receiver = true;
		r->whole = AT_SENDER | AT_RECEIVER;
	}
	return 0;
}

static int start_following(struct replay *r, struct diag *d)
{
	uint32_t max = r->opts.conns ? r->opts.conns : TCP_CONNS_DEFAULT;

	if (!r->follow)
		return 0;
	if (tcp_track_init(&r->tcp, max, &r->ksim.sk, fire_tcp_event, r, d))
		return -1;
	if (r->hook[DNS_SEND].n || r->hook[DNS_RECEIVE].n)
		r->dns = xcalloc((size_t)r->tcp.tab.max * 2, sizeof(*r->dns));
	r->tcp.tab.shown = r->quiet != (AT_SENDER | AT_RECEIVER);
	r->tcp.save = r->hook[CONNECT_ESTABLISHED].n;
	vm_region(r->vm, REGION_TCP, r->tcp.tab.region, r->tcp.tab.region_len);
	return 0;
}

void replay_start_ticks(struct replay *r)
{
	const struct program *p = r->prog;
	uint32_t i;

	for (i = 0; i < p->nunit; i++) {
		const struct unit *u = &p->unit[i];

		if (u->hook == HOOK_PROFILE || (u->hook == HOOK_RUN && u->run == RUN_TICK))
			tick_add(&r->ticks, i, u->period_ns, r->env->time_ns);
	}
	if (r->opts.duration)
		tick_add(&r->ticks, TICK_END, r->opts.duration, r->env->time_ns);
}

/*
 * BEGIN has the first packet's time, so that is read first.  If it cannot be
 * read BEGIN still fires: the error is kept for wait().
 */
static int peek(struct replay *r, struct diag *d)
{
	enum capture_result res;

	do {
		errno = 0;
		res = capture_next(r->cap, &r->pkt, &r->late);
	} while (res == CAPTURE_AGAIN && errno != EINTR);
	if (res == CAPTURE_AGAIN)
		return diag_error(d, D_SYS, NOLOC, "interrupted while waiting for %s",
				  capture_name(r->cap));
	if (r->late.loc.src) { /* not the file is bad, the filter is */
		*d = r->late;
		r->late = (struct diag){0};
		return -1;
	}
	if (res == CAPTURE_PACKET) {
		clock_outlier_unread(&r->outlier, &r->pkt);
		r->env->time_ns = r->pkt.ts_ns;
	}
	return 0;
}

bool replay_is_live(const char *path)
{
	return sniffer_is_interface(path);
}

/* Time begins now, whenever a packet will come. */
static int open_sniffer(struct replay *r, struct diag *d)
{
	const struct sniffer_opts o = {.filter = r->filter.text ? &r->filter : NULL,
				       .bufsize = r->opts.bufsize,
				       .promiscuous = r->opts.promiscuous};

	r->sniffer = sniffer_open(r->opts.path, &o, d);
	if (!r->sniffer)
		return -1;
	r->cap = capture_from_sniffer(r->sniffer, r->opts.path);
	if (r->local.mode == LOCAL_AUTO &&
	    !(r->addrs = iface_addrs_open(r->opts.path, &r->local, d)))
		return -1;
	return r->opts.opened && !r->opts.opened(d) ? -1 : 0;
}

static int open_capture(struct replay *r, struct diag *d)
{
	const char *text = r->opts.filter;

	r->filter = (struct src){.kind = SRC_CMDLINE,
				 .name = "",
				 .text = text,
				 .len = text ? strlen(text) : 0};
	if (sniffer_is_interface(r->opts.path))
		return open_sniffer(r, d);
	if (text && !(r->pcap_filter = pcap_filter_new(&r->filter, d)))
		return -1;
	r->cap = capture_open_then(r->opts.path, r->opts.opened, d);
	if (r->cap && r->pcap_filter)
		capture_set_filter(r->cap, r->pcap_filter);
	return r->cap ? 0 : -1;
}

int replay_prepare(struct replay *r, struct diag *d)
{
	if (local_init(&r->local, r->opts.local, d) || sort_units(r, d) || open_capture(r, d))
		return -1;
	r->vm = vm_new(r->prog, r->opts.mode, d);
	if (!r->vm)
		return -1;
	r->base.runs = vm_runs(r->vm);
	r->env = vm_env(r->vm);
	r->env->cpu = 0;
	r->env->task = &r->ksim.task;
	vm_region(r->vm, REGION_OBJECTS, &r->ksim, sizeof(r->ksim));
	if (start_following(r, d))
		return -1;
	if (r->sniffer)
		r->env->time_ns = now_real();
	else if (peek(r, d))
		return -1;
	if (!r->opts.local && capture_written_by_dtrace(r->cap))
		r->local.mode = LOCAL_AUTO;
	if (r->opts.asks_owner && (r->sniffer || !capture_tells_owners(r->cap)))
		r->base.warning =
			"nothing tells whose packets these are (a pcapng file may), so -x pid and "
			"execname match nothing";
	return 0;
}

static int replay_start(struct source *s, const struct program *p, struct diag *d)
{
	struct replay *r = replay_of(s);

	r->prog = p;
	s->ncpu = 1;
	ksim_init(&r->ksim);
	r->jobs = jobs_start(r);
	if (!replay_prepare(r, d)) {
		s->ncpu += r->jobs ? jobs_count(r->jobs) : 0;
		return 0;
	}
	return -1; /* replay_free() releases what was opened */
}

/* -------------------------------------------------------------------- running */

static int replay_fire(struct source *s, enum run_kind kind, const uint64_t *args,
		       struct record_sink *k)
{
	static const uint64_t zeros[NARGS];
	struct replay *r = replay_of(s);
	const struct program *p = r->prog;
	uint32_t i;

	for (i = 0; i < p->nunit; i++)
		if (p->unit[i].hook == HOOK_RUN && p->unit[i].run == kind)
			vm_run(r->vm, i, args ? args : zeros, NARGS, k);
	return 0;
}

static void set_gate(struct replay *r, bool open)
{
	((struct globals *)vm_globals(r->vm))->gate = open;
}

static int replay_go(struct source *s, struct diag *d)
{
	struct replay *r = replay_of(s);

	(void)d;
	replay_start_ticks(r);
	progress_init(&r->progress, r->sniffer ? NULL : r->opts.progress);
	set_gate(r, true);
	return 0;
}

/* Stands in for the consumer's sink: the progress line must not be written across. */
static void pass_record(void *ctx, const struct record *rec, size_t size)
{
	struct replay *r = ctx;

	progress_erase(&r->progress);
	r->sink->record(r->sink->ctx, rec, size);
	r->wrap.done = r->sink->done;
}

/* What the jobs have left is replayed by this process. */
static int take_rest(struct replay *r, struct diag *d)
{
	uint64_t packets, from = jobs_rest_offset(r->jobs, &packets);

	r->resting = true;
	clock_outlier_release(&r->outlier);
	return capture_resume(r->cap, from, packets, d) ? -1 : 1;
}

/* 1: more is to be expected, of the jobs or of this process. */
static int wait_for_jobs(struct replay *r, struct record_sink *k, struct diag *d)
{
	switch (jobs_wait(r->jobs, r, k)) {
	case JOBS_RUNNING:
		return 1;
	case JOBS_DONE:
		break;
	case JOBS_REST:
		return take_rest(r, d);
	case JOBS_NONE_DONE:
		jobs_free(r->jobs, r);
		r->jobs = NULL;
		r->base.ncpu = 1;
		return 1;
	}
	return 0;
}

static int wait_for_packets(struct replay *r, struct record_sink *k, struct diag *d)
{
	return r->jobs && !r->resting ? wait_for_jobs(r, k, d) : fire_batch(r, k, d);
}

static void show_progress(struct replay *r)
{
	uint64_t packets = capture_count(r->cap), bytes = capture_pos(r->cap);

	if (r->jobs && !r->resting)
		jobs_progress(r->jobs, &packets, &bytes);
	progress_update(&r->progress, packets, bytes, capture_size(r->cap));
}

static int replay_wait(struct source *s, struct record_sink *k, struct diag *d)
{
	struct replay *r = replay_of(s);
	int res;

	if (!r->progress.to)
		return wait_for_packets(r, k, d);
	show_progress(r); /* all that was delivered is written by now */
	r->sink = k;
	r->wrap = (struct record_sink){.record = pass_record, .ctx = r, .done = k->done};
	res = wait_for_packets(r, &r->wrap, d);
	k->done |= r->wrap.done;
	if (res != 1)
		progress_erase(&r->progress);
	return res;
}

static int replay_stop(struct source *s, struct record_sink *k)
{
	struct replay *r = replay_of(s);
	struct diag d = {0};

	if (r->jobs && !r->resting)
		jobs_stop(r->jobs, r, k);
	else if (!k->done)
		fire_held(r, k, &d);
	diag_release(&d);
	set_gate(r, false);
	progress_erase(&r->progress);
	return 0;
}

static int replay_map_each(struct source *s, uint32_t map,
			   bool (*fn)(void *ctx, const void *key, const void *value), void *ctx)
{
	struct replay *r = replay_of(s);

	return r->jobs ? jobs_map_each(r->jobs, r, map, fn, ctx) : vm_map_each(r->vm, map, fn, ctx);
}

static const void *replay_percpu(struct source *s)
{
	struct replay *r = replay_of(s);

	return r->jobs ? jobs_percpu(r->jobs, r) : vm_percpu(r->vm);
}

static void *replay_globals(struct source *s)
{
	return vm_globals(replay_of(s)->vm);
}

static uint64_t replay_now(struct source *s)
{
	return replay_of(s)->env->time_ns;
}

static void replay_loss(struct source *s, struct source_loss *out)
{
	struct replay *r = replay_of(s);
	struct reassemble_loss lost = reassembly_loss(r->frags);

	*out = (struct source_loss){
		.ticks = r->ticks.skipped,
		.late_packets = r->late_packets,
		.late_ns = r->late_ns,
		.bad_clocks = r->outlier.outliers,
		.ambiguous_owners = r->ambiguous_owners,
		.iface_drops = r->sniffer ? sniffer_dropped(r->sniffer) : 0,
		.conns_evicted = r->tcp.tab.evicted,
		.frag_missing = lost.missing,
		.frag_overlap = lost.overlap,
		.frag_room = lost.room,
	};
}

static void replay_free(struct source *s)
{
	struct replay *r = replay_of(s);

	progress_erase(&r->progress);
	jobs_free(r->jobs, r);
	for (unsigned h = 0; h < NHOOK; h++)
		xfree(r->hook[h].v);
	tick_release(&r->ticks);
	reassembly_free(r->frags);
	tcp_track_release(&r->tcp);
	xfree(r->dns);
	if (r->vm)
		vm_free(r->vm);
	clock_outlier_release(&r->outlier);
	capture_close(r->cap);
	pcap_filter_free(r->pcap_filter);
	iface_addrs_close(r->addrs);
	local_release(&r->local);
	diag_release(&r->late);
	xfree((char *)r->opts.path);
	xfree((char *)r->opts.local);
	xfree((char *)r->opts.filter);
	fixed_memory_unmap(r, sizeof(*r));
}

static const struct source_ops replay_ops = {
	.name = "replay",
	.start = replay_start,
	.fire = replay_fire,
	.go = replay_go,
	.wait = replay_wait,
	.stop = replay_stop,
	.map_each = replay_map_each,
	.percpu = replay_percpu,
	.globals = replay_globals,
	.now = replay_now,
	.loss = replay_loss,
	.free = replay_free,
};

struct source *replay_source_new(const struct replay_opts *o)
{
	struct replay *r = fixed_memory_map(FIXED_OBJECTS, sizeof(*r));

	r->base.ops = &replay_ops;
	r->base.ncpu = 1;
	r->base.synchronous = true;
	r->base.recorded = true;
	r->opts = *o;
	tick_init(&r->ticks);
	r->opts.path = xstrdup(o->path);
	r->opts.local = o->local ? xstrdup(o->local) : NULL;
	r->opts.filter = o->filter ? xstrdup(o->filter) : NULL;
	return &r->base;
}
