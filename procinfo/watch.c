/*
 * watch.c - reads perf's records of mappings, forks and programs that are executed.
 *
 * Each CPU has a ring.  What one process did is in several, if it moved, so records are put in the
 * order of time before they are looked at.  Only code is told of.
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
#include <unistd.h>

#include "base/hash.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "procinfo/process.h"

#define RING_PAGES 64         /* of each CPU: some 1,500 mappings */
#define REMEMBERED 8192       /* processes: by the last digits of their numbers */
#define FEW_MAPPINGS 64       /* of a process: these are always noted */
#define KNOWN_MAX (32u << 20) /* bytes of what they have mapped */

struct ring {
	int fd;
	char *at; /* a page that says how far, then the records */
};

/* One record, and when it was. */
struct told {
	uint64_t time;
	struct perf_event_header *head; /* owned */
};

struct watched {
	pid_t pid, parent;
	/* what is mapped is all in @process; else it has what its parent had */
	bool executed;
	struct process *process; /* NULL: nothing is mapped yet */
};

static VEC(struct ring) rings;
static struct watched *known; /* REMEMBERED */
static size_t known_size;     /* bytes of their mappings */

/* Who is told of mappings as they come. */
static struct {
	void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file); /* NULL: nobody */
	void *ctx;
	int epoll; /* of the rings */
} listener;

static size_t page(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* ---------------------------------------------------------------------- rings */

/* Who listens is woken by each record, others ask now and then. */
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

int watch_tell(void (*fn)(void *ctx, pid_t pid, const char *path, uint64_t file), void *ctx)
{
	if (known)
		BUG("the rings are open already");
	listener.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (listener.epoll < 0)
		return -1;
	listener.fn = fn;
	listener.ctx = ctx;
	watch_start();
	if (known)
		return listener.epoll;
	close(listener.epoll);
	listener.fn = NULL;
	return -1;
}

void watch_start(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (known)
		return;
	for (int cpu = 0; cpu < cpus; cpu++)
		open_ring(cpu); /* one that is off has none */
	if (rings.n)
		known = xcalloc(REMEMBERED, sizeof(*known));
}

static void forget(struct watched *w)
{
	if (w->process)
		known_size -= process_size(w->process);
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
	for (size_t i = 0; known && i < REMEMBERED; i++)
		forget(&known[i]);
	xfree(known);
	known = NULL;
	if (listener.fn)
		close(listener.epoll);
	listener.fn = NULL;
}

/* Bytes @from on of the ring, which goes round. */
static void copy(const struct ring *r, uint64_t from, void *to, size_t n)
{
	const size_t size = RING_PAGES * page();
	size_t at = from % size, first = n < size - at ? n : size - at;

	memcpy(to, r->at + page() + at, first);
	memcpy((char *)to + first, r->at + page(), n - first);
}

typedef VEC(struct told) records;

static void take_ring(const struct ring *r, records *all)
{
	struct perf_event_mmap_page *p = (void *)r->at;
	uint64_t head = __atomic_load_n(&p->data_head, __ATOMIC_ACQUIRE), at = p->data_tail;

	while (at < head) {
		struct perf_event_header h;
		struct told t;

		copy(r, at, &h, sizeof(h));
		if (h.size < sizeof(h) + sizeof(t.time) || h.size > head - at)
			break;
		t.head = xmalloc(h.size);
		copy(r, at, t.head, h.size);
		memcpy(&t.time, (char *)t.head + h.size - sizeof(t.time), sizeof(t.time));
		vec_push(all, t);
		at += h.size;
	}
	__atomic_store_n(&p->data_tail, head, __ATOMIC_RELEASE);
}

static int by_time(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* -------------------------------------------------------------------- records */

/* As the kernel lays them out, behind the header. */
struct mapped {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t prot, flags;
	char name[];
};

struct forked {
	uint32_t pid, parent, tid, parent_tid;
};

static struct watched *watched(uint32_t pid)
{
	return &known[pid % REMEMBERED];
}

static void begin(uint32_t pid, uint32_t parent, bool executed)
{
	struct watched *w = watched(pid);

	forget(w);
	w->pid = (pid_t)pid;
	w->parent = (pid_t)parent;
	w->executed = executed;
}

/* A process that maps much leaves room for others, which have few mappings. */
static bool is_full(const struct watched *w)
{
	return known_size > KNOWN_MAX && w->process && w->process->map.n >= FEW_MAPPINGS;
}

static void add_mapped(const struct mapped *m)
{
	struct watched *w = watched(m->pid);
	struct mapping map = {.from = m->addr,
			      .to = m->addr + m->len,
			      .off = m->pgoff,
			      .dev = makedev(m->major, m->minor),
			      .inode = m->inode,
			      .exec = true};

	if (w->pid != (pid_t)m->pid || (!m->inode && *m->name != '[') || is_full(w))
		return;
	if (!w->process)
		w->process = process_new(w->pid);
	else
		known_size -= process_size(w->process);
	process_add(w->process, map, m->name);
	known_size += process_size(w->process);
}

static uint64_t file_number(const struct mapped *m)
{
	const uint64_t what[] = {makedev(m->major, m->minor), m->inode, m->generation};

	return hash_bytes(what, sizeof(what));
}

static void tell_listener(const struct perf_event_header *h)
{
	const struct mapped *m = (const void *)(h + 1);

	if (h->type == PERF_RECORD_MMAP2 && m->inode)
		listener.fn(listener.ctx, (pid_t)m->pid, m->name, file_number(m));
	else if (h->type == PERF_RECORD_LOST)
		listener.fn(listener.ctx, 0, "", 0);
}

static void learn(const struct perf_event_header *h)
{
	const void *body = h + 1;
	const struct forked *f = body;
	const uint32_t *pid = body;

	if (listener.fn)
		tell_listener(h);
	if (h->type == PERF_RECORD_MMAP2)
		add_mapped(body);
	else if (h->type == PERF_RECORD_FORK && f->pid != f->parent)
		begin(f->pid, f->parent, false);
	else if (h->type == PERF_RECORD_COMM && h->misc & PERF_RECORD_MISC_COMM_EXEC)
		begin(*pid, 0, true);
}

void watch_drain(void)
{
	records all = {0};

	for (size_t i = 0; i < rings.n; i++)
		take_ring(&rings.v[i], &all);
	if (all.n)
		qsort(all.v, all.n, sizeof(*all.v), by_time);
	for (size_t i = 0; i < all.n; i++) {
		learn(all.v[i].head);
		xfree(all.v[i].head);
	}
	vec_free(&all);
}

void watch_add(pid_t pid)
{
	struct process *p;

	if (!known)
		return;
	watch_drain();
	p = process_read(pid);
	begin((uint32_t)pid, 0, true);
	watched((uint32_t)pid)->process = p;
	known_size += process_size(p);
}

/*
 * What a process that was only forked has, its parent had, unless that executed something else
 * meanwhile.
 */
static struct process *inherited(const struct watched *w)
{
	struct process *p = process_read(w->parent);

	if (!p->map.n) {
		process_free(p);
		p = watch_process(w->parent);
	}
	if (p)
		p->pid = w->pid;
	return p;
}

struct process *watch_process(pid_t pid)
{
	const struct watched *w;

	watch_drain();
	w = known ? watched((uint32_t)pid) : NULL;
	if (!w || w->pid != pid)
		return NULL;
	if (w->executed)
		return w->process ? process_copy(w->process, pid) : NULL;
	return w->parent && w->parent != pid ? inherited(w) : NULL;
}
