/*
 * kernel.c - starts, runs and frees the source of events from the running kernel.
 *
 * map.c, prog.c, attach.c and ring.c create maps, load programs, attach them and read the ring.
 * This file calls them in order.
 */
#include "engine/kernel/kernel.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/impl.h"
#include "engine/source.h"

enum {
	WAIT_MS = 1000,
	/*
	 * The pause before dtrace drains the ring. A program that writes to an empty ring must wake
	 * dtrace up, which makes the program slower: without the pause, every event cost three
	 * times as much. The pause lets more records gather.
	 */
	GATHER_NS = 300000,
	/*
	 * While records keep coming, dtrace polls the ring at this interval, and programs need not
	 * wake it up. A wake-up costs a program an interrupt of another CPU, some 3 us.
	 */
	POLL_MS = 1,
	POLLS = 3,       /* polling ends after this many polls in a row that find nothing */
	CATCH_UP = 1000, /* after a delay, a tick catches up at most this many firings */
	NCTX = 12,       /* number of arguments that a raw tracepoint program may read */
};

enum wake { WAKE_RING = 1, WAKE_TIMER = 2, WAKE_OTHER = 4, WAKE_CLOCK = 8 };

static struct kernel *to_kernel(struct source *s)
{
	return (struct kernel *)s;
}

/* --------------------------------------------------------- start and free */

static void start_measuring(struct kernel *k)
{
	int fd = k->opts.costs || k->opts.bpf_rate ? kbpf_enable_stats() : -1;

	k->stats = fd > 0 ? fd : 0;
	k->live = now_monotonic();
}

static void stop_measuring(struct kernel *k)
{
	if (k->stats)
		close(k->stats);
	if (!k->stopped)
		k->stopped = now_monotonic();
	k->measured |= k->stats > 0;
	k->stats = 0;
}

static void release(struct kernel *k)
{
	if (!k->p)
		return;
	kiters_reap(k, true);
	kunits_detach(k);
	stop_measuring(k);
	if (k->epoll >= 0)
		close(k->epoll);
	k->epoll = -1;
	kstamps_close(k);
	kprogs_close(k);
	xfree(k->unit);
	k->unit = NULL;
	kmaps_close(k);
	vec_free(&k->refused.file);
	strbuf_release(&k->warnings);
	k->src.warning = NULL;
	k->p = NULL;
}

/*
 * Raises the limit of open files as far as allowed. Each probe takes two descriptors, and each
 * CPU's clock takes one, so the default limit is too low.
 */
static void raise_nofile(void)
{
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur == l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max;
	setrlimit(RLIMIT_NOFILE, &l);
}

static int kernel_start(struct source *s, const struct program *p, struct diag *d)
{
	struct kernel *k = to_kernel(s);

	if (k->p)
		BUG("kernel_start() was called twice");
	raise_nofile();
	k->p = p;
	k->map = xcalloc(p->nmap, sizeof(*k->map));
	for (uint32_t i = 0; i < p->nmap; i++)
		k->map[i].fd = -1;
	k->unit = xcalloc(p->nunit, sizeof(*k->unit));
	for (uint32_t i = 0; i < p->nunit; i++)
		k->unit[i].prog = k->unit[i].timer = -1;
	if (kmaps_open(k, d) || kprogs_load(k, d)) {
		release(k);
		return -1;
	}
	kactive_find(k);
	return 0;
}

static void kernel_free(struct source *s)
{
	release(to_kernel(s));
	xfree(s);
}

/* ----------------------------------------------------------------- running */

static int kernel_fire(struct source *s, enum run_kind kind, const uint64_t *args,
		       struct record_sink *sink)
{
	struct kernel *k = to_kernel(s);
	uint64_t ctx[NCTX] = {0};
	int err = 0, res;

	if (args)
		memcpy(ctx, args, KERNEL_NARG * sizeof(*args));
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		const struct unit *u = &k->p->unit[i];

		if (u->hook != HOOK_RUN || u->run != kind)
			continue;
		res = kbpf_prog_run(k->unit[i].prog, ctx, NCTX);
		err = err ? err : res;
		/* the actions of BEGIN's records can wait for go(), unless the ring would overflow
		 */
		if (kind != RUN_BEGIN || !k->attached || kring_used(&k->ring) > k->ring.size / 2)
			kring_drain(&k->ring, sink, false);
	}
	return err;
}

static void set_gate(struct kernel *k, enum gate gate)
{
	__atomic_store_n(&k->globals->gate, gate, __ATOMIC_SEQ_CST);
}

static int watch(struct kernel *k, int fd, enum wake why)
{
	/*
	 * a ring in polling mode is always readable, so epoll must report only wake-ups (EPOLLET)
	 */
	struct epoll_event ev = {.events = why == WAKE_RING ? EPOLLIN | EPOLLET : EPOLLIN,
				 .data.u32 = why};

	return epoll_ctl(k->epoll, EPOLL_CTL_ADD, fd, &ev);
}

static int watch_all(struct kernel *k)
{
	k->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (k->epoll < 0 || watch(k, k->map[MAP_ID_RING].fd, WAKE_RING))
		return -1;
	if (k->opts.wake_fd && watch(k, k->opts.wake_fd, WAKE_OTHER))
		return -1;
	if (k->clock_fd >= 0 && watch(k, k->clock_fd, WAKE_CLOCK))
		return -1;
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		if (k->unit[i].timer >= 0 && watch(k, k->unit[i].timer, WAKE_TIMER))
			return -1;
	}
	return 0;
}

/* Opens the gate, the word that lets programs act, and lists what exists. */
static int open_gate(struct kernel *k, struct diag *d)
{
	__atomic_store_n(&k->globals->iterating, 1, __ATOMIC_SEQ_CST);
	set_gate(k, GATE_OPEN);
	return kiters_start(k, false, d);
}

/*
 * Returns how many firings the kernel has skipped since the programs were attached, because a
 * program was running already.
 */
static uint64_t skipped_so_far(const struct kernel *k)
{
	uint64_t n, sum = 0;

	for (uint32_t i = 0; i < k->p->nunit; i++)
		if (!k->p->unit[i].is_backup && !kbpf_prog_misses(k->unit[i].prog, &n))
			sum += n;
	return sum;
}

/* Closes the gate and detaches the units, after an error. Returns -1. */
static int shut(struct kernel *k)
{
	set_gate(k, GATE_CLOSED);
	kiters_reap(k, true);
	kunits_detach(k);
	return -1;
}

static int kernel_attach(struct source *s, struct diag *d)
{
	struct kernel *k = to_kernel(s);

	/*
	 * Starts stamps before the attachments, because the kernel takes a moment to begin
	 * stamping.
	 */
	if (kstamps_open(k, d) || kunits_attach(k, d))
		return -1;
	if (watch_all(k)) {
		diag_error(d, D_SYS, NOLOC, "cannot wait for records: %s", strerror(errno));
		kunits_detach(k);
		return -1;
	}
	start_measuring(k);
	kbpf_progs_start(k);
	k->skipped_before = skipped_so_far(k);
	k->attached = true;
	/* hidden clauses (of built-in libraries) learn what exists before probes fire */
	set_gate(k, GATE_PREPARE);
	return kiters_start(k, true, d) ? shut(k) : 0;
}

static int kernel_go(struct source *s, struct record_sink *sink, struct diag *d)
{
	struct kernel *k = to_kernel(s);

	if (!k->attached && kernel_attach(s, d))
		return -1;
	/* exit() in BEGIN has closed the gate */
	if (__atomic_load_n(&k->globals->gate, __ATOMIC_SEQ_CST) != GATE_CLOSED && open_gate(k, d))
		return shut(k);
	kring_drain(&k->ring, sink, true);
	return 0;
}

/* Runs unit @i and the units after it that belong to the same firing (its parts). */
static void run_parts(struct kernel *k, uint32_t i, const uint64_t *ctx, struct record_sink *sink)
{
	do {
		k->tick_errors += kbpf_prog_run(k->unit[i].prog, ctx, NCTX) != 0;
		kring_drain(&k->ring, sink, true);
	} while (++i < k->p->nunit && k->p->unit[i].part);
}

static void tick(struct kernel *k, uint32_t i, struct record_sink *sink)
{
	/*
	 * arg0 is 0, because no instruction in the kernel was interrupted. arg1 is the instruction
	 * in dtrace.
	 */
	const uint64_t ctx[NCTX] = {0, (uintptr_t)tick};
	uint64_t due;

	if (read(k->unit[i].timer, &due, sizeof(due)) != sizeof(due))
		return;
	if (due > CATCH_UP) {
		k->ticks_skipped += due - CATCH_UP;
		due = CATCH_UP;
	}
	for (; due && !sink->done; due--)
		run_parts(k, i, ctx, sink);
}

/*
 * Fires the ticks that are due, in the order of the program. epoll returns them in another order.
 */
static void tick_all(struct kernel *k, struct record_sink *sink)
{
	for (uint32_t i = 0; i < k->p->nunit && !sink->done; i++) {
		if (k->unit[i].timer >= 0)
			tick(k, i, sink);
	}
}

static uint64_t kernel_now(struct source *s)
{
	(void)s;
	return now_monotonic();
}

/*
 * Returns how many ms to wait for records. The wait ends at the latest when iter:::bpf_prog is due
 * again.
 */
static int wait_ms(const struct kernel *k)
{
	uint64_t now, rest;

	if (k->polls)
		return kring_used(&k->ring) > k->ring.size / 4 ? 0 : POLL_MS;
	now = now_monotonic();
	rest = k->next_walk > now ? k->next_walk - now : 0;
	return rest < WAIT_MS * 1000000ull ? (int)(rest / 1000000) : WAIT_MS;
}

/* Drains the ring, and decides whether dtrace polls it from now on. */
static void drain_or_poll(struct kernel *k, struct record_sink *sink)
{
	unsigned long before = k->ring.pos;

	kring_poll(&k->ring);
	kring_drain(&k->ring, sink, true);
	if (k->ring.pos != before)
		k->polls = POLLS;
	else if (k->polls)
		k->polls--;
	if (!k->polls && kring_listen(&k->ring))
		k->polls = 1;
}

static int kernel_wait(struct source *s, struct record_sink *sink, struct diag *d)
{
	static const struct timespec gather = {0, GATHER_NS};
	struct kernel *k = to_kernel(s);
	struct epoll_event ev[4];
	unsigned wake = 0;
	int n, err;

	if (sink->done)
		return 1;
	err = kiters_reap(k, false);
	if (err)
		return diag_error(d, D_SYS, NOLOC, "cannot list existing sockets and tasks: %s",
				  kbpf_strerror(-err));
	kunits_follow_cpus(k, kernel_now(s));
	if (kbpf_progs_show(k, sink, d))
		return -1;
	n = epoll_wait(k->epoll, ev, sizeof(ev) / sizeof(*ev), wait_ms(k));
	if (n < 0 && errno != EINTR)
		return diag_error(d, D_SYS, NOLOC, "cannot wait for records: %s", strerror(errno));
	for (int i = 0; i < n; i++)
		wake |= ev[i].data.u32;
	if (!wake && !k->polls)
		return 1;
	if (wake & WAKE_CLOCK)
		kclock_was_set(k);

	if (!(wake & WAKE_TIMER) && !k->polls)
		nanosleep(&gather, NULL); /* a signal may shorten the pause, which does no harm */
	drain_or_poll(k, sink);
	if (kbpf_progs_show(k, sink, d))
		return -1;
	if (wake & WAKE_TIMER)
		tick_all(k, sink);
	return 1;
}

static bool kernel_cost(struct source *s, uint32_t unit, struct unit_cost *out)
{
	struct kernel *k = to_kernel(s);

	if (!k->measured || kbpf_prog_cost(k->unit[unit].prog, &out->runs, &out->ns))
		return false;
	out->elapsed_ns = k->stopped - k->live;
	return true;
}

static int kernel_stop(struct source *s, struct record_sink *sink)
{
	struct kernel *k = to_kernel(s);

	if (!k->p)
		return 0;
	set_gate(k, GATE_CLOSED);
	k->skipped_at_end = skipped_so_far(k);
	kiters_reap(k, true);
	kunits_detach(k);
	stop_measuring(k);
	kring_drain(&k->ring, sink, false);
	return 0;
}

/* ----------------------------------------------------------------- reading */

static bool kernel_quiesce(struct source *s)
{
	struct kernel *k = to_kernel(s);

	if (k->stopped && !k->quiescent)
		k->quiescent = kunits_wait();
	return k->quiescent;
}

static int kernel_map_each(struct source *s, uint32_t map, kmap_fn *fn, void *ctx)
{
	struct kernel *k = to_kernel(s);
	int err;

	s->distinct = false;
	err = k->p->map[map].kind == MAP_TABLE ? karena_each(k, map, fn, ctx)
					       : kmap_each_batch(k, map, fn, ctx);
	/*
	 * If the kernel refuses batches, it does so before the first entry. So the keys can still
	 * be read one by one.
	 */
	if (err == -EINVAL || err == -EOPNOTSUPP || err == -KBPF_ENOTSUPP)
		err = kmap_each_key(k, map, fn, ctx);
	return err ? -1 : 0;
}

static const void *kernel_percpu(struct source *s)
{
	struct kernel *k = to_kernel(s);
	uint32_t key = 0;

	return kbpf_map_lookup(k->map[MAP_ID_PERCPU].fd, &key, k->percpu) ? NULL : k->percpu;
}

static void *kernel_globals(struct source *s)
{
	return to_kernel(s)->globals;
}

/* Returns how often backup units ran, on all CPUs. */
static uint64_t backup_runs(struct source *s)
{
	const struct kernel *k = to_kernel(s);
	const char *all = kernel_percpu(s);
	size_t stride = (k->p->map[MAP_ID_PERCPU].value_size + 7) & ~7u;
	uint64_t sum = 0;

	for (uint32_t cpu = 0; all && cpu < s->ncpu; cpu++)
		sum += ((const struct percpu *)(all + cpu * stride))->backup_runs;
	return sum;
}

/*
 * Counts the firings that the kernel skipped because a program was running already, and that no
 * backup unit handled. A backup unit runs for the firings at its hook that interrupt the main unit.
 *
 * While the gate is closed, backups do nothing, and no firing is lost. So firings that the kernel
 * skips while dtrace attaches or detaches its programs do not count. But some firings count, though
 * they are not lost:
 *
 *   - those that are skipped after a program called exit(), which closes the gate, until dtrace
 *     stops;
 *   - those at hooks without hidden clauses while the gate is at GATE_PREPARE;
 *   - those between the change of the gate and the moment when dtrace reads the kernel's counts.
 *
 * The count is (skipped firings) - (runs of backup units). It may be too low, because other firings
 * may be skipped and handled after the first of these numbers was read. So k->missed keeps the
 * highest count. A backup unit that has not run yet does not make the count too high: before the
 * count grows, dtrace waits until the running programs have ended, if the kernel can do that.
 */
static void count_missed(struct source *s)
{
	struct kernel *k = to_kernel(s);
	uint64_t skipped = k->stopped ? k->skipped_at_end : skipped_so_far(k), saved;

	skipped -= skipped < k->skipped_before ? skipped : k->skipped_before;
	saved = skipped ? backup_runs(s) : 0;
	if (skipped > saved + k->missed && kunits_wait())
		saved = backup_runs(s);
	if (skipped > saved + k->missed)
		k->missed = skipped - saved;
}

static void kernel_loss(struct source *s, struct source_loss *out)
{
	struct kernel *k = to_kernel(s);

	if (k->p)
		count_missed(s);
	*out = (struct source_loss){.ticks = k->ticks_skipped,
				    .tick_errors = k->tick_errors,
				    .missed = k->missed,
				    .netns_denied = k->denied};
}

/* ------------------------------------------------------------------ public */

static const struct source_ops kernel_ops = {
	.name = "kernel",
	.start = kernel_start,
	.attach = kernel_attach,
	.fire = kernel_fire,
	.go = kernel_go,
	.wait = kernel_wait,
	.stop = kernel_stop,
	.quiesce = kernel_quiesce,
	.map_each = kernel_map_each,
	.percpu = kernel_percpu,
	.globals = kernel_globals,
	.now = kernel_now,
	.loss = kernel_loss,
	.cost = kernel_cost,
	.free = kernel_free,
};

struct source *kernel_source_new(const struct kernel_opts *o)
{
	struct kernel *k = xcalloc(1, sizeof(*k));

	k->src.ops = &kernel_ops;
	k->cpu = kcpus_possible(&k->src.ncpu);
	k->src.cpu = k->cpu;
	if (o)
		k->opts = *o;
	k->epoll = k->stamps = k->clock_fd = -1;
	return &k->src;
}

int kernel_enable(struct source *s, uint32_t awaited, const struct attach_point *at)
{
	return kuprobes_enable(to_kernel(s), awaited, at);
}

int kernel_enable_functions(struct source *s, uint32_t awaited, const uint64_t *addr,
			    struct diag *d)
{
	return kunits_enable(to_kernel(s), awaited, addr, d);
}

void kernel_disable_functions(struct source *s, uint32_t awaited)
{
	kunits_disable(to_kernel(s), awaited);
}

uint32_t kernel_ncpu(void)
{
	uint32_t n;

	kcpus_possible(&n);
	return n;
}

int kernel_verify(const struct program *p, struct diag *d)
{
	/* The smallest ring, because no record will be written. */
	const struct kernel_opts o = {.bufsize = 1};
	struct source *s = kernel_source_new(&o);
	int err = s->ops->start(s, p, d);

	s->ops->free(s);
	return err;
}
