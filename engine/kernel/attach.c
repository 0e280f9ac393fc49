/*
 * attach.c - attaches loaded units to their hooks, and detaches them.
 *
 * A unit is the eBPF program of one hook. Each attachment is a descriptor (a BPF link or a perf
 * event) or a timer of dtrace.
 */
#include "engine/kernel/impl.h"

#include <errno.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/membarrier.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/visible.h"
#include "base/xalloc.h"
#include "engine/kernel/bpf.h"

/*
 * How often to look for CPUs that came online or went offline. kernel_wait() may sleep up to
 * WAIT_MS, so the interval may be longer.
 */
#define FOLLOW_NS 1000000000u

static int refuse(const struct unit *u, const char *what, int err, struct diag *d)
{
	return diag_error(d, D_SYS, NOLOC, "failed to enable '%s': cannot %s: %s", u->target, what,
			  kbpf_strerror(-err));
}

/* Attaches the unit to the tracepoint or function that was chosen when the program was loaded. */
static int attach_tracing(const struct unit *u, struct kunit *ku, struct diag *d)
{
	int fd = kbpf_link_tracing(ku->prog);

	/* EBUSY: the function does not call the tracer, or something else uses this call. */
	if (fd == -EBUSY && u->hook != HOOK_RAWTP)
		return diag_error(d, D_SYS, NOLOC,
				  "failed to enable '%s': this kernel cannot trace that function "
				  "(notrace), or another tracer uses its entry: %s",
				  u->target, kbpf_strerror(EBUSY));
	if (fd < 0)
		return refuse(u,
			      u->hook == HOOK_RAWTP ? "attach to the tracepoint"
						    : "attach to the function",
			      fd, d);
	vec_push(&ku->link, fd);
	return 0;
}

static int attach_event(const struct unit *u, struct kunit *ku, int event, uint64_t cookie,
			struct diag *d)
{
	int fd = kbpf_link_perf(ku->prog, event, cookie);

	if (fd < 0)
		return refuse(u, "attach to a kprobe", fd, d);
	vec_push(&ku->link, fd);
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
	return 0;
}

/* Attaches the unit to its events, which kernel_kprobe_at() has opened. */
static int attach_events(const struct unit *u, struct kunit *ku, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < u->npoint && !err; i++)
		err = attach_event(u, ku, u->point[i].event, i, d);
	return err;
}

/*
 * Attaches the points of a unit one at a time, for kernels that cannot attach many kprobes with one
 * call.
 */
static int attach_each(const struct unit *u, struct kunit *ku, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < u->npoint && !err; i++) {
		int event;

		if (u->point[i].awaited)
			continue;
		event = kperf_kprobe(u->point[i].addr, u->hook == HOOK_KRETPROBE);
		if (event < 0)
			return refuse(u, "make a kprobe", event, d);
		err = attach_event(u, ku, event, u->point[i].cookie, d);
		vec_push(&ku->link, event);
	}
	return err;
}

/* Attaches to all points of the unit that exist already. */
static int attach_kprobes(const struct unit *u, struct kunit *ku, struct diag *d)
{
	uint64_t *addr, *cookie;
	uint32_t n = 0;
	int fd;

	if (!kernel_kprobes_at_once())
		return attach_each(u, ku, d);
	addr = xcalloc(u->npoint, sizeof(*addr));
	cookie = xcalloc(u->npoint, sizeof(*cookie));
	for (uint32_t i = 0; i < u->npoint; i++) {
		if (u->point[i].awaited)
			continue;
		addr[n] = u->point[i].addr;
		cookie[n++] = u->point[i].cookie;
	}
	fd = n ? kbpf_link_kprobes(ku->prog, u->hook == HOOK_KRETPROBE, addr, cookie, n) : 0;
	xfree(addr);
	xfree(cookie);
	if (fd < 0)
		return refuse(u, n > 1 ? "attach to the functions" : "attach to the function", fd,
			      d);
	if (n)
		vec_push(&ku->link, fd);
	return 0;
}

/* ------------------------------------------------------------ modules that are loaded later */

/*
 * Copies to @to the points that belong to the awaited probe with number @awaited. @addr has an
 * address for each attach_point.slot; a point whose address is 0 is left out. Sets the address of
 * each copy. Returns the number of copies.
 */
static uint32_t select_points(const struct unit *u, uint32_t awaited, const uint64_t *addr,
			      struct attach_point *to)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->npoint; i++) {
		if (u->point[i].awaited != awaited || !addr[u->point[i].slot])
			continue;
		to[n] = u->point[i];
		to[n].addr = addr[to[n].slot];
		to[n++].awaited = 0;
	}
	return n;
}

/*
 * Attaches the points of the awaited probe with number @awaited to the addresses in @addr. Keeps
 * their links in @ku->late, so that these can be closed before the run ends.
 */
static int attach_slots(const struct unit *u, struct kunit *ku, uint32_t awaited,
			const uint64_t *addr, struct diag *d)
{
	struct unit one = *u;
	struct kunit links = {.prog = ku->prog};
	int err = 0;

	one.point = xcalloc(u->npoint, sizeof(*one.point));
	one.npoint = select_points(u, awaited, addr, one.point);
	if (one.npoint)
		err = attach_kprobes(&one, &links, d);
	for (size_t i = 0; i < links.link.n; i++)
		vec_push(&ku->late, ((struct late_link){links.link.v[i], awaited}));
	vec_free(&links.link);
	xfree(one.point);
	return err;
}

static bool is_of_functions(const struct unit *u)
{
	return u->hook == HOOK_KPROBE || u->hook == HOOK_KRETPROBE;
}

int kunits_enable(struct kernel *k, uint32_t awaited, const uint64_t *addr, struct diag *d)
{
	int err = 0;

	for (uint32_t i = 0; i < k->p->nunit && !err; i++) {
		uint32_t n = kunit_in_order(k->p, i);

		if (is_of_functions(&k->p->unit[n]))
			err = attach_slots(&k->p->unit[n], &k->unit[n], awaited, addr, d);
	}
	if (err)
		kunits_disable(k, awaited);
	return err;
}

/*
 * Closes the links that attach_slots() made for the awaited probe with number @awaited. 0 stands
 * for all awaited probes.
 */
static void close_late(struct kunit *ku, uint32_t awaited)
{
	size_t n = 0;

	for (size_t i = 0; i < ku->late.n; i++) {
		if (awaited && ku->late.v[i].awaited != awaited)
			ku->late.v[n++] = ku->late.v[i];
		else
			close(ku->late.v[i].fd);
	}
	ku->late.n = n;
}

void kunits_disable(struct kernel *k, uint32_t awaited)
{
	for (uint32_t i = 0; i < k->p->nunit; i++)
		close_late(&k->unit[i], awaited);
}

static int attach_uprobes(struct kernel *k, const struct unit *u, struct kunit *ku, struct diag *d)
{
	int err = kuprobes_attach(u, ku, &k->refused);

	return err ? refuse(u, "attach to the process", err, d) : 0;
}

/* Returns a text with the earlier warnings. The caller appends a warning. */
static struct strbuf *begin_warning(struct kernel *k)
{
	if (!k->warnings.len && k->src.warning)
		strbuf_adds(&k->warnings, k->src.warning);
	if (k->warnings.len)
		strbuf_adds(&k->warnings, "\ndtrace: ");
	return &k->warnings;
}

/*
 * Adds the refused files to the warning: the first one, and the number of the others. The program
 * names a file by a link in /proc; the warning shows the path that the link leads to.
 */
static void warn_of_refused(struct kernel *k)
{
	const struct refused_files *r = &k->refused;
	char path[PATH_MAX];
	ssize_t n;

	if (!r->file.n)
		return;
	begin_warning(k);
	n = readlink(r->file.v[0], path, sizeof(path));
	strbuf_adds(&k->warnings, "the kernel refuses to put probes into ");
	visible_add(&k->warnings, n > 0 ? path : r->file.v[0],
		    n > 0 ? (size_t)n : strlen(r->file.v[0]));
	if (r->file.n > 1)
		strbuf_addf(&k->warnings, " and %zu more files", r->file.n - 1);
	strbuf_addf(&k->warnings, ": %s", kbpf_strerror(-r->err));
	k->src.warning = strbuf_text(&k->warnings);
}

/*
 * Attaches the unit to the root cgroup. *@root is a descriptor of that cgroup's directory; the
 * first unit that needs it opens it.
 */
static int attach_cgroup(struct kernel *k, const struct unit *u, struct kunit *ku, int *root,
			 struct diag *d)
{
	bool whole = true;
	int fd;

	if (*root < 0)
		*root = kcgroup_root(&whole);
	if (*root < 0)
		return refuse(u, "open or mount the cgroup2 tree", -errno, d);
	if (!whole) {
		strbuf_adds(begin_warning(k),
			    "sockets outside of this cgroup namespace are not seen: run dtrace in "
			    "the host's cgroup namespace, or with CAP_DAC_READ_SEARCH");
		k->src.warning = strbuf_text(&k->warnings);
	}
	fd = kbpf_link_cgroup(ku->prog, *root, kprog_cgroup_type(u));
	/* EPERM means that another program is attached exclusively to the root cgroup. */
	if (fd < 0)
		return refuse(u, "attach to the root cgroup", fd, d);
	vec_push(&ku->link, fd);
	return 0;
}

/* Starts a clock of @cpu that runs the program. Returns a descriptor or a negative errno. */
static int clock_start(const struct unit *u, const struct kunit *ku, uint32_t cpu)
{
	int fd = kperf_clock(u->period_ns, cpu), err = 0;

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, ku->prog) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
		err = -errno;
	if (err)
		close(fd);
	return err ? err : fd;
}

static int attach_profile(const struct kernel *k, const struct unit *u, struct kunit *ku,
			  struct diag *d)
{
	for (uint32_t i = 0; i < k->src.ncpu; i++) {
		int fd = clock_start(u, ku, k->cpu[i]);

		/* ENODEV means that the CPU is possible, but not online */
		if (fd < 0 && fd != -ENODEV)
			return refuse(u, "attach to the CPU clock", fd, d);
		vec_push(&ku->link, fd);
	}
	return 0;
}

static bool is_among(uint32_t cpu, const uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (list[i] == cpu)
			return true;
	return false;
}

/*
 * Starts a clock for each CPU that came online. Closes the clock of each CPU that went offline,
 * because such a clock has stopped for good.
 */
static void follow(const struct kernel *k, const struct unit *u, struct kunit *ku,
		   const uint32_t *online, uint32_t n)
{
	for (uint32_t i = 0; i < k->src.ncpu; i++) {
		bool on = is_among(k->cpu[i], online, n);

		if (on && ku->link.v[i] < 0)
			ku->link.v[i] = clock_start(u, ku, k->cpu[i]);
		if (!on && ku->link.v[i] >= 0) {
			close(ku->link.v[i]);
			ku->link.v[i] = -1;
		}
	}
}

void kunits_follow_cpus(struct kernel *k, uint64_t now)
{
	uint32_t *online = NULL, n = 0;

	if (now - k->clocks_checked < FOLLOW_NS)
		return;
	k->clocks_checked = now;
	for (uint32_t i = 0; i < k->p->nunit; i++) {
		if (k->p->unit[i].hook != HOOK_PROFILE)
			continue;
		online = online ? online : kcpus_online(&n);
		if (!online)
			return;
		follow(k, &k->p->unit[i], &k->unit[i], online, n);
	}
	xfree(online);
}

static int make_timer(struct kunit *ku, const struct unit *u, struct diag *d)
{
	ku->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return ku->timer < 0 ? refuse(u, "make a timer", -errno, d) : 0;
}

static int attach(struct kernel *k, uint32_t i, int *root, struct diag *d)
{
	const struct unit *u = &k->p->unit[i];
	struct kunit *ku = &k->unit[i];

	switch (u->hook) {
	case HOOK_RUN:
		return u->run == RUN_TICK && !u->part ? make_timer(ku, u, d) : 0;
	case HOOK_PROFILE:
		return attach_profile(k, u, ku, d);
	case HOOK_RAWTP:
	case HOOK_FENTRY:
	case HOOK_FEXIT:
		return attach_tracing(u, ku, d);
	case HOOK_KPROBE:
	case HOOK_KRETPROBE:
		return attach_kprobes(u, ku, d);
	case HOOK_UPROBE:
	case HOOK_URETPROBE:
		return attach_uprobes(k, u, ku, d);
	case HOOK_KINST:
		return attach_events(u, ku, d);
	case HOOK_ITER:
		return 0; /* kiters_start() attaches iterators */
	case HOOK_CGROUP_SKB:
	case HOOK_CGROUP_SOCK:
	case HOOK_SOCKOPS:
		return attach_cgroup(k, u, ku, root, d);
	case HOOK_REPLAY:
		break;
	}
	BUG("no such hook: %d", u->hook);
}

/* Starts all timers at the same moment, so that tick-1s and tick-2s coincide. */
static void arm_timers(struct kernel *k)
{
	const uint64_t sec = 1000000000;
	uint64_t now = now_monotonic();

	for (uint32_t i = 0; i < k->p->nunit; i++) {
		uint64_t period = k->p->unit[i].period_ns;
		uint64_t first = now + period;
		struct itimerspec at = {
			.it_value = {first / sec, first % sec},
			.it_interval = {period / sec, period % sec},
		};

		if (k->unit[i].timer >= 0)
			timerfd_settime(k->unit[i].timer, TFD_TIMER_ABSTIME, &at, NULL);
	}
}

/*
 * Returns the index of the unit to attach as number @i. If a function has several programs, the
 * kernel runs the last attached one first. So if a firing is split over several units (parts),
 * these are attached from the last to the first.
 */
uint32_t kunit_in_order(const struct program *p, uint32_t i)
{
	const struct unit *u = &p->unit[i];
	uint32_t first = i - u->part, end = i + 1;

	if (u->hook != HOOK_FENTRY && u->hook != HOOK_FEXIT && !u->npoint)
		return i;
	while (end < p->nunit && p->unit[end].part)
		end++;
	return first + (end - 1 - i);
}

int kunits_attach(struct kernel *k, struct diag *d)
{
	int root = -1, err = 0;

	for (uint32_t i = 0; i < k->p->nunit && !err; i++)
		err = attach(k, kunit_in_order(k->p, i), &root, d);
	if (root >= 0)
		/* the links keep the cgroup, so its descriptor is not needed any more */
		close(root);
	if (err) {
		kunits_detach(k);
		return err;
	}
	warn_of_refused(k);
	arm_timers(k);
	return 0;
}

bool kunits_wait(void)
{
	return !syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
}

static bool detach(const struct unit *u, struct kunit *ku)
{
	bool any = ku->link.n > 0 || ku->late.n > 0;

	for (size_t i = 0; i < ku->link.n; i++) {
		if (ku->link.v[i] < 0)
			continue;
		if (u->hook == HOOK_PROFILE)
			ioctl(ku->link.v[i], PERF_EVENT_IOC_DISABLE, 0);
		close(ku->link.v[i]);
	}
	vec_free(&ku->link);
	close_late(ku, 0);
	vec_free(&ku->late);
	if (ku->timer >= 0)
		close(ku->timer);
	ku->timer = -1;
	return any;
}

void kunits_detach(struct kernel *k)
{
	bool any = false;

	for (uint32_t i = 0; k->unit && i < k->p->nunit; i++)
		any |= detach(&k->p->unit[i], &k->unit[i]);
	/* A program that began on another CPU may still be running, but none runs for 20 ms. */
	if (any && !kunits_wait())
		usleep(20000);
}
