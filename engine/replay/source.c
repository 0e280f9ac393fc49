/*
 * source.c - starts, runs and frees the replay source.
 *
 * The source prepares only the hooks that the program has units for, so a packet costs only what
 * the program uses.
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
	return kind == HOOK_RUN || kind == HOOK_PROFILE || hook_find(kind, target) != NHOOK;
}

/* ------------------------------------------------------------------ starting */

static int start_following(struct replay *r, struct diag *d)
{
	uint32_t max = r->opts.conns ? r->opts.conns : TCP_CONNS_DEFAULT;

	if (!r->plan.follow_tcp)
		return 0;
	if (tcp_track_init(&r->tcp, max, &r->ksim.sk, fire_tcp_event, r, d))
		return -1;
	if (r->plan.messages)
		r->dns = xcalloc((size_t)r->tcp.tab.max * 2, sizeof(*r->dns));
	r->tcp.tab.shows_sender = r->plan.tcp_hooks & AT_SENDER;
	r->tcp.tab.shows_receiver = r->plan.tcp_hooks & AT_RECEIVER;
	r->tcp.save = r->plan.hook[CONNECT_ESTABLISHED].n;
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
 * Reads the first packet, because the probe BEGIN fires at that packet's time. If the packet cannot
 * be read, BEGIN still fires, and wait() reports the error. Returns -1 with the error in @d only if
 * the filter is bad, or if a signal came before the packet.
 */
static int peek(struct replay *r, struct diag *d)
{
	enum capture_result res;

	do {
		errno = 0;
		res = capture_next(r->in.cap, &r->now.pkt, &r->in.error);
	} while (res == CAPTURE_AGAIN && errno != EINTR);
	if (res == CAPTURE_AGAIN)
		return diag_error(d, D_SYS, NOLOC, "interrupted while waiting for %s",
				  capture_name(r->in.cap));
	if (r->in.error.loc.src) { /* the error is in the filter, not in the file */
		*d = r->in.error;
		r->in.error = (struct diag){0};
		return -1;
	}
	if (res == CAPTURE_PACKET) {
		clock_outlier_unread(&r->in.outlier, &r->now.pkt);
		r->env->time_ns = r->now.pkt.ts_ns;
	}
	return 0;
}

bool replay_is_live(const char *path)
{
	return sniffer_is_interface(path);
}

/* Opens an interface. With -x local=auto, also finds the addresses of the interface. */
static int open_sniffer(struct replay *r, struct diag *d)
{
	const struct sniffer_opts o = {.filter = r->in.filter_text.text ? &r->in.filter_text : NULL,
				       .bufsize = r->opts.bufsize,
				       .promiscuous = r->opts.promiscuous};

	r->in.sniffer = sniffer_open(r->opts.path, &o, d);
	if (!r->in.sniffer)
		return -1;
	r->in.cap = capture_from_sniffer(r->in.sniffer, r->opts.path);
	if (r->in.local.mode == LOCAL_AUTO &&
	    !(r->in.addrs = iface_addrs_open(r->opts.path, &r->in.local, d)))
		return -1;
	return r->opts.opened && !r->opts.opened(d) ? -1 : 0;
}

static int open_capture(struct replay *r, struct diag *d)
{
	if (sniffer_is_interface(r->opts.path))
		return open_sniffer(r, d);
	r->in.cap = capture_open_then(r->opts.path, r->opts.opened, d);
	if (r->in.cap && r->in.filter)
		capture_set_filter(r->in.cap, r->in.filter);
	return r->in.cap ? 0 : -1;
}

int replay_prepare(struct replay *r, struct diag *d)
{
	if (local_init(&r->in.local, r->opts.local, d) || plan_make(&r->plan, r->prog, d) ||
	    open_capture(r, d))
		return -1;
	r->vm = vm_new(r->prog, r->opts.mode, d);
	if (!r->vm)
		return -1;
	r->base.runs = vm_runs(r->vm);
	r->env = vm_env(r->vm);
	r->env->cpu = 0;
	r->env->task = &r->ksim.task;
	vm_region(r->vm, REGION_OBJECTS, &r->ksim, sizeof(r->ksim));
	r->packet_region = vm_region_at(r->vm, REGION_PACKET);
	if (start_following(r, d))
		return -1;
	if (r->in.sniffer)
		r->env->time_ns = now_real();
	else if (peek(r, d))
		return -1;
	if (!r->opts.local && capture_written_by_dtrace(r->in.cap))
		r->in.local.mode = LOCAL_AUTO;
	if (r->opts.asks_owner && (r->in.sniffer || !capture_has_owners(r->in.cap)))
		r->base.warning = "the input does not say which processes its packets belong to (a "
				  "pcapng file may), so -x pid and execname match nothing";
	return 0;
}

/* Compiles the filter of a file once, before jobs are forked. */
static int compile_filter(struct replay *r, struct diag *d)
{
	const char *text = r->opts.filter;

	if (!text)
		return 0;
	r->in.filter_text =
		(struct src){.kind = SRC_CMDLINE, .name = "", .text = text, .len = strlen(text)};
	if (sniffer_is_interface(r->opts.path))
		/* sniffer_open() compiles the filter for the one link type of the interface */
		return 0;
	r->in.filter = pcap_filter_new(&r->in.filter_text, d);
	return r->in.filter ? 0 : -1;
}

static int replay_start(struct source *s, const struct program *p, struct diag *d)
{
	struct replay *r = replay_of(s);

	r->prog = p;
	s->ncpu = 1;
	ksim_init(&r->ksim);
	r->now.ctx[0] = (uintptr_t)&r->ksim.skb;
	r->now.socket[PLACEHOLDER] = r->now.socket[OWN_SOCKET] = &r->ksim.sk;
	if (compile_filter(r, d))
		return -1;
	r->jobs = jobs_start(r);
	if (!replay_prepare(r, d)) {
		s->ncpu += r->jobs ? jobs_count(r->jobs) : 0;
		return 0;
	}
	return -1; /* replay_free() releases everything */
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

static int replay_go(struct source *s, struct record_sink *k, struct diag *d)
{
	struct replay *r = replay_of(s);

	(void)k, (void)d;
	replay_start_ticks(r);
	progress_init(&r->progress, r->in.sniffer ? NULL : r->opts.progress);
	set_gate(r, true);
	return 0;
}

/*
 * Passes a record to the consumer's sink, after erasing the progress line. This is the record()
 * function of r->wrap, which replaces the consumer's sink during wait().
 */
static void pass_record(void *ctx, const struct record *rec, size_t size)
{
	struct replay *r = ctx;

	progress_erase(&r->progress);
	r->consumer->record(r->consumer->ctx, rec, size);
	r->wrap.done = r->consumer->done;
}

/* Makes this process replay the packets that the jobs left. */
static int take_rest(struct replay *r, struct diag *d)
{
	uint64_t packets, from = jobs_rest_offset(r->jobs, &packets);

	r->replays_rest = true;
	clock_outlier_release(&r->in.outlier);
	return capture_resume(r->in.cap, from, packets, d) ? -1 : 1;
}

/*
 * Does the work of wait() of source_ops while jobs replay the file, and returns the same results.
 * If a chunk cannot be merged, later calls of wait() replay the remaining packets in this process.
 */
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
	return r->jobs && !r->replays_rest ? wait_for_jobs(r, k, d) : fire_batch(r, k, d);
}

static void show_progress(struct replay *r)
{
	uint64_t packets = capture_count(r->in.cap), bytes = capture_pos(r->in.cap);

	if (r->jobs && !r->replays_rest)
		jobs_progress(r->jobs, &packets, &bytes);
	progress_update(&r->progress, packets, bytes, capture_size(r->in.cap));
}

static int replay_wait(struct source *s, struct record_sink *k, struct diag *d)
{
	struct replay *r = replay_of(s);
	int res;

	if (!r->progress.to)
		return wait_for_packets(r, k, d);
	show_progress(r); /* at this point the consumer has written everything */
	r->consumer = k;
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

	if (r->jobs && !r->replays_rest)
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

	s->distinct = !r->jobs;
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
	struct odd odd = r->odd;

	if (lost.ignored)
		odd_count(&odd, ODD_FRAGMENT, 0, lost.ignored);
	*out = (struct source_loss){
		.ticks = r->ticks.skipped,
		.late_packets = r->late_packets,
		.late_ns = r->late_ns,
		.bad_clocks = r->in.outlier.outliers,
		.ambiguous_owners = r->ambiguous_owners,
		.iface_drops = r->in.sniffer ? sniffer_dropped(r->in.sniffer) : 0,
		.conns_evicted = r->tcp.tab.evicted,
		.frag_missing = lost.missing,
		.frag_overlap = lost.overlap,
		.frag_room = lost.room,
		.not_understood = odd_list(&odd, false, &r->odd_list[false]),
		.impossible = odd_list(&odd, true, &r->odd_list[true]),
		.which_not_understood = strbuf_text(&r->odd_list[false]),
		.which_impossible = strbuf_text(&r->odd_list[true]),
	};
}

static void replay_free(struct source *s)
{
	struct replay *r = replay_of(s);

	progress_erase(&r->progress);
	jobs_free(r->jobs, r);
	plan_release(&r->plan);
	tick_release(&r->ticks);
	reassembly_free(r->frags);
	tcp_track_release(&r->tcp);
	xfree(r->dns);
	if (r->vm)
		vm_free(r->vm);
	clock_outlier_release(&r->in.outlier);
	capture_close(r->in.cap);
	pcap_filter_free(r->in.filter);
	iface_addrs_close(r->in.addrs);
	local_release(&r->in.local);
	diag_release(&r->in.error);
	strbuf_release(&r->odd_list[0]);
	strbuf_release(&r->odd_list[1]);
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
