/*
 * watch.c - reads perf's records of mmap(), fork() and execve().
 *
 * Each CPU has a ring buffer. If a process moved between CPUs, its records are in several buffers.
 * So all records are first sorted by time. Only executable mappings are recorded.
 */
#include "procinfo/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "procinfo/process.h"

/* size of a CPU's ring buffer in pages; holds about 1,500 mappings */
#define RING_PAGES 64
/* size of the table of processes; PID % PROCESS_SLOTS is the index */
#define PROCESS_SLOTS 8192
/* maximum number of ancestors whose mappings recorded_mappings() joins */
#define PARENTS_MAX 32u
/*
 * Limits of the memory for the mappings of all processes, in bytes. Beyond the first limit, only
 * the first RESERVED_BYTES of each process are recorded, which are some 30 mappings with short
 * paths. Beyond the second limit, nothing is recorded.
 */
#define SHARED_BYTES_MAX (32u << 20)
#define RESERVED_BYTES 4096
#define PROCESSES_BYTES_MAX (64u << 20)

struct ring {
	int fd;
	char *at; /* memory of the ring buffer: a control page, then the records */
};

/* A record and its timestamp. */
struct timed_record {
	uint64_t time;
	struct perf_event_header *head; /* owned */
};

struct process_slot {
	pid_t pid, parent;
	/*
	 * @process has all mappings, because the process has called execve(). Otherwise @process
	 * lacks mappings that came from the parent.
	 */
	bool executed;
	struct process *process; /* the recorded mappings, or NULL if there are none yet */
};

static VEC(struct ring) rings;
static struct process_slot *processes; /* array of PROCESS_SLOTS entries */
static size_t processes_bytes;         /* memory used by the mappings of all processes */

/* the callback of watch_changes(), or NULL */
static void (*changed)(pid_t pid, uint64_t time, const struct mapping *m, const char *path);

/* The callback of watch_notify() and its argument. */
static struct {
	/* NULL if watch_notify() was not called */
	void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file);
	void *ctx;
	int epoll; /* epoll descriptor that is readable when a ring has a record */
} listener;

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---------------------------------------------------------------------- rings */

/*
 * Opens the ring buffer of a CPU. If there is a listener, each record makes the ring's
 * descriptor readable. Otherwise the rings are only read when watch_drain() is called.
 */
static int open_ring(int cpu)
{
	struct epoll_event ev = {.events = EPOLLIN};
	struct perf_event_attr attr = {
		.wakeup_events = listener.fn ? 1 : 0,
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
	struct ring r = {(int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
				      PERF_FLAG_FD_CLOEXEC),
			 NULL};

	if (r.fd < 0)
		return -1;
	r.at = mmap(NULL, (RING_PAGES + 1) * page(), PROT_READ | PROT_WRITE, MAP_SHARED, r.fd, 0);
	if (r.at == MAP_FAILED) {
		close(r.fd);
		return -1;
	}
	if (listener.fn)
		epoll_ctl(listener.epoll, EPOLL_CTL_ADD, r.fd, &ev);
	vec_push(&rings, r);
	return 0;
}

int watch_notify(void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file), void *ctx)
{
	if (processes)
		BUG("watch_notify() must be called before the rings are open");
	listener.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (listener.epoll < 0)
		return -1;
	listener.fn = fn;
	listener.ctx = ctx;
	watch_start();
	if (processes)
		return listener.epoll;
	close(listener.epoll);
	listener.fn = NULL;
	return -1;
}

void watch_changes(void (*fn)(pid_t pid, uint64_t time, const struct mapping *m, const char *path))
{
	changed = fn;
}

void watch_start(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (processes)
		return;
	for (int cpu = 0; cpu < cpus; cpu++)
		open_ring(cpu); /* opening fails for CPUs that are offline */
	if (rings.n)
		processes = xcalloc(PROCESS_SLOTS, sizeof(*processes));
}

static void clear_slot(struct process_slot *w)
{
	if (w->process)
		processes_bytes -= process_size(w->process);
	process_free(w->process);
	w->process = NULL;
}

void watch_stop(void)
{
	for (size_t i = 0; i < rings.n; i++) {
		munmap(rings.v[i].at, (RING_PAGES + 1) * page());
		close(rings.v[i].fd);
	}
	vec_free(&rings);
	for (size_t i = 0; processes && i < PROCESS_SLOTS; i++)
		clear_slot(&processes[i]);
	xfree(processes);
	processes = NULL;
	if (listener.fn)
		close(listener.epoll);
	listener.fn = NULL;
}

/* Copies @n bytes from position @from of the ring buffer, which wraps around at its end. */
static void copy_wrapped(const struct ring *r, uint64_t from, void *to, size_t n)
{
	const size_t size = RING_PAGES * page();
	size_t at = from % size, first = n < size - at ? n : size - at;

	memcpy(to, r->at + page() + at, first);
	memcpy((char *)to + first, r->at + page(), n - first);
}

typedef VEC(struct timed_record) records;

static void read_ring(const struct ring *r, records *all)
{
	struct perf_event_mmap_page *p = (void *)r->at;
	uint64_t head = __atomic_load_n(&p->data_head, __ATOMIC_ACQUIRE), at = p->data_tail;

	while (at < head) {
		struct perf_event_header h;
		struct timed_record t;

		copy_wrapped(r, at, &h, sizeof(h));
		if (h.size < sizeof(h) + sizeof(t.time) || h.size > head - at)
			break;
		t.head = xmalloc(h.size);
		copy_wrapped(r, at, t.head, h.size);
		memcpy(&t.time, (char *)t.head + h.size - sizeof(t.time), sizeof(t.time));
		vec_push(all, t);
		at += h.size;
	}
	__atomic_store_n(&p->data_tail, head, __ATOMIC_RELEASE);
}

static int by_time(const void *a, const void *b)
{
	const struct timed_record *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* -------------------------------------------------------------------- records */

/* The kernel's layout of the records, without their header. Source: perf_event_open(2). */
struct mmap_record {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char name[];
};

struct fork_record {
	uint32_t pid, parent, tid, parent_tid;
};

static struct process_slot *process_slot(uint32_t pid)
{
	return &processes[pid % PROCESS_SLOTS];
}

static void start_process(uint32_t pid, uint32_t parent, bool executed, uint64_t time)
{
	struct process_slot *w = process_slot(pid);

	if (changed)
		changed((pid_t)pid, time, NULL, "");
	clear_slot(w);
	w->pid = (pid_t)pid;
	w->parent = (pid_t)parent;
	w->executed = executed;
}

/*
 * Returns whether there is no memory for another mapping of the process, whose path is @path. The
 * limits count bytes and not mappings, because a user can map files with paths of 4 KB.
 */
static bool is_full(const struct process_slot *w, const char *path)
{
	size_t used = w->process ? process_size(w->process) : 0;

	return processes_bytes > PROCESSES_BYTES_MAX ||
	       (processes_bytes > SHARED_BYTES_MAX && used + strlen(path) > RESERVED_BYTES);
}

static void add_mapping(const struct mmap_record *m, uint64_t time)
{
	struct process_slot *w = process_slot(m->pid);
	/* memory without a file has the name "//anon", but in /proc/PID/maps it has none */
	const char *path = m->inode || *m->name == '[' ? m->name : "";
	struct mapping map = {.from = m->addr,
			      .to = m->addr + m->len,
			      .since = time,
			      .off = m->pgoff,
			      .dev = makedev(m->major, m->minor),
			      .inode = m->inode,
			      .exec = true};

	if (changed)
		changed((pid_t)m->pid, time, &map, path);
	if (w->pid != (pid_t)m->pid || is_full(w, path))
		return;
	if (!w->process)
		w->process = process_new(w->pid);
	else
		processes_bytes -= process_size(w->process);
	process_add(w->process, map, path);
	processes_bytes += process_size(w->process);
}

static uint64_t file_number(const struct mmap_record *m)
{
	const uint64_t what[] = {makedev(m->major, m->minor), m->inode, m->generation};

	return hash_bytes(what, sizeof(what));
}

static void notify_listener(const struct perf_event_header *h)
{
	const struct mmap_record *m = (const void *)(h + 1);

	if (h->type == PERF_RECORD_MMAP2 && m->inode)
		listener.fn(listener.ctx, (pid_t)m->pid, m->name, file_number(m));
	else if (h->type == PERF_RECORD_LOST)
		listener.fn(listener.ctx, 0, "", 0);
}

static void handle_record(const struct perf_event_header *h, uint64_t time)
{
	const void *body = h + 1;
	const struct fork_record *f = body;
	const uint32_t *pid = body;

	if (listener.fn)
		notify_listener(h);
	if (h->type == PERF_RECORD_MMAP2)
		add_mapping(body, time);
	else if (h->type == PERF_RECORD_FORK && f->pid != f->parent)
		start_process(f->pid, f->parent, false, time);
	else if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC)
		start_process(*pid, 0, true, time);
	else if (h->type == PERF_RECORD_LOST && changed)
		changed(0, time, NULL, "");
}

void watch_drain(void)
{
	records all = {0};

	for (size_t i = 0; i < rings.n; i++)
		read_ring(&rings.v[i], &all);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_time);
	for (size_t i = 0; i < all.n; i++) {
		handle_record(all.v[i].head, all.v[i].time);
		xfree(all.v[i].head);
	}
	vec_free(&all);
}

static struct process *recorded_mappings(pid_t pid, unsigned depth);

/*
 * Returns the mappings of process @pid. This function reads them now or, if the process has ended,
 * takes them from the records. Returns NULL if they are unknown.
 */
static struct process *parent_mappings(pid_t pid, unsigned depth)
{
	struct process *p = process_read(pid);

	if (p->map.n)
		return p;
	process_free(p);
	return recorded_mappings(pid, depth);
}

/*
 * Returns the recorded mappings of process @pid, or NULL if they are unknown. A process that was
 * forked and has not called execve() since has its parent's mappings, and those it made itself.
 *
 * @depth is the maximum number of ancestors to look up. Without a limit, the search might not end:
 * PIDs are used again, so a process may have the PID of its parent's parent.
 */
static struct process *recorded_mappings(pid_t pid, unsigned depth)
{
	const struct process_slot *w = process_slot((uint32_t)pid);
	struct process *p;

	if (w->pid != pid)
		return NULL;
	p = w->executed || !w->parent || !depth ? NULL : parent_mappings(w->parent, depth - 1);
	if (!p)
		return w->process ? process_copy(w->process, pid) : NULL;
	p->pid = pid;
	for (size_t i = 0; w->process && i < w->process->map.n; i++)
		process_add(p, w->process->map.v[i],
			    mapping_path(w->process, &w->process->map.v[i]));
	return p;
}

struct process *watch_process(pid_t pid)
{
	watch_drain();
	return processes ? recorded_mappings(pid, PARENTS_MAX) : NULL;
}
