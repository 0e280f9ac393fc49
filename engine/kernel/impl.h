/* impl.h - structures and functions shared within engine/kernel. */
#ifndef ENGINE_KERNEL_IMPL_H
#define ENGINE_KERNEL_IMPL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "engine/kernel/kernel.h"
#include "engine/kernel/ring.h"
#include "engine/source.h"
#include "ir/program.h"

struct diag;

#define KERNEL_NARG 10 /* number of values of fire() */

/* One map. @value_size is a multiple of 8. */
struct kmap {
	int fd; /* -1: not created */
	uint32_t value_size;
	size_t bytes;   /* MAP_RING: size */
	uint32_t table; /* MAP_TABLE: number of its table in the arena */
};

/*
 * A link to functions that appeared during the run, and the number of these functions in
 * attach_point.awaited.
 */
struct late_link {
	int fd;
	uint32_t awaited;
};

/* State of a unit. */
struct kunit {
	int prog;  /* -1: not loaded */
	int timer; /* RUN_TICK: timerfd; -1: none */
	VEC(struct late_link) late;
	VEC(int) link; /* links or perf events, -1: none; closing them detaches */
};

/*
 * Files that the kernel refuses to probe. Any user can run such a file, and that must not end a run
 * that probes the files of all processes.
 */
struct refused_files {
	VEC(const char *) file; /* each once; borrowed from the program */
	int err;                /* negative errno of the first refusal */
};

struct kernel {
	struct source src;
	struct kernel_opts opts;
	const struct program *p; /* NULL: not started */
	struct kmap *map;        /* p->nmap */
	struct kunit *unit;      /* p->nunit */
	struct refused_files refused;
	struct strbuf told;      /* the text of src.warning */
	struct globals *globals; /* the MAP_GLOBAL value, mapped */
	size_t globals_len;
	/* the kernel's number of the thread that deletes keys; 0: not needed */
	int thread;
	struct karena *arena; /* NULL: no map is a table */
	void *percpu;         /* buffer for percpu() */
	const uint32_t *cpu;  /* possible CPUs; src.ncpu of them */
	struct kring ring;
	int epoll;      /* -1: none */
	unsigned polls; /* polls of the ring that may still find nothing; 0: writers wake dtrace */
	/* socket: while it is open the kernel stamps packets that arrive; -1: none */
	int stamps;
	int clock_fd; /* timer that the kernel cancels when CLOCK_REALTIME is set; -1: none */
	uint64_t ticks_skipped;
	uint64_t tick_errors;    /* firings that the kernel refused to run */
	uint64_t clocks_checked; /* time in ns when CPUs were last compared with clocks */
	/* firings that the kernel skipped and no backup unit handled, as last reported */
	uint64_t missed;
	/* descriptor: while it is open the kernel measures programs; 0: none */
	int stats;
	bool measured;          /* programs were measured */
	uint64_t live, stopped; /* start and end of tracing, ns */
	uint64_t denied;        /* network namespaces that may not be entered */
	/* current or finished walks; NULL: none. [0]: for probes, [1]: for hidden clauses */
	struct kiter *iter[2];
	uint64_t next_walk; /* when iter:::bpf_prog fires next, ns; UINT64_MAX: never */
	uint64_t walks;     /* number of finished walks over all BPF programs */
};

/* ---------------------------------------------------------- map.c */

/*
 * Returns the numbers of the possible CPUs, in the order of the values of per-CPU maps, and stores
 * how many in *@n. Returns only CPU 0 if the kernel's list cannot be read. Reads the list once,
 * because it does not change until the next boot. The result is static.
 */
const uint32_t *kcpus_possible(uint32_t *n);

/*
 * Returns the numbers of the CPUs that are online, and stores how many in *@n. NULL: unknown. The
 * caller frees it with xfree().
 */
uint32_t *kcpus_online(uint32_t *n);

/*
 * Creates all maps; maps the globals and the ring into memory. Returns 0, or -1 with the error in
 * @d. The caller undoes it with kmaps_close(), also after an error.
 */
int kmaps_open(struct kernel *k, struct diag *d);
void kmaps_close(struct kernel *k);

/*
 * Visit all entries of hash map @map, by batches or, for kernels that refuse batches, key by key.
 * @fn is as in source_ops.map_each. Return 0 or a negative errno.
 */
typedef bool kmap_fn(void *ctx, const void *key, const void *value);
int kmap_each_batch(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);
int kmap_each_key(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* ------------------------------------------------------- stamp.c */

/* Stores the differences between the clocks in k->globals. */
void kclock_read(struct kernel *k);

/* Handles a change of CLOCK_REALTIME. The caller calls it when k->clock_fd is readable. */
void kclock_was_set(struct kernel *k);

/*
 * If the program reads packets' stamps: has the kernel stamp all packets of the machine that
 * arrive, and opens k->clock_fd. Returns 0, or -1 with the error in @d. The caller undoes it with
 * kstamps_close(), also after an error.
 */
int kstamps_open(struct kernel *k, struct diag *d);
void kstamps_close(struct kernel *k);

/* ------------------------------------------------------- arena.c */

/*
 * Creates the arena and its tables, if there are any. Returns 0, or -1 with the error in @d. The
 * caller undoes it with karena_close().
 */
int karena_open(struct kernel *k, struct diag *d);
void karena_close(struct kernel *k);

/* As kmap_each_batch(), for a MAP_TABLE. */
int karena_each(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* --------------------------------------------------------- prog.c */

/*
 * Loads every unit. Returns 0, or -1 with the error in @d. The caller undoes it with
 * kprogs_close(), also after an error.
 */
int kprogs_load(struct kernel *k, struct diag *d);

/* Returns the BPF_CGROUP_* attach type of a unit of the root cgroup. */
uint32_t kprog_cgroup_type(const struct unit *u);
void kprogs_close(struct kernel *k);

/* ----------------------------------------------------------- features.c */

/*
 * Returns whether one system call can attach a program to many functions (CONFIG_FPROBE). If not,
 * each function needs an event.
 */
bool kernel_kprobes_at_once(void);

/* Returns whether one link can attach a program to many points of processes (Linux 6.6). */
bool kuprobe_multi(void);

/* --------------------------------------------------------- perf.c */

/*
 * Opens a disabled kprobe event at @addr; with @ret, at the return of the function there. Returns a
 * descriptor or a negative errno, -EOPNOTSUPP if the kernel has no kprobes.
 */
int kperf_kprobe(uint64_t addr, bool ret);

/*
 * Opens the software CPU clock of @cpu, disabled: a sample every @period_ns while the CPU is busy.
 * An idle CPU gets fewer samples. Returns a descriptor or a negative errno.
 */
int kperf_clock(uint64_t period_ns, int cpu);

/* ------------------------------------------------------- kernel.c */

/*
 * Starts a thread that runs @fn(@ctx) with all signals blocked, because the main thread waits for
 * them. Returns 0 or an errno. The caller joins the thread.
 */
int kthread_start(pthread_t *t, void *(*fn)(void *), void *ctx);

/* ------------------------------------------------------- attach.c */

/*
 * Attaches every unit, in order, and starts the timers. Returns 0, or -1 with the error in @d and
 * nothing attached.
 */
int kunits_attach(struct kernel *k, struct diag *d);

/* Returns the unit to attach as number @i, so that parts that share a hook run in their order. */
uint32_t kunit_in_order(const struct program *p, uint32_t i);

/* See kernel_enable_functions() and kernel_disable_functions(). */
int kunits_enable(struct kernel *k, uint32_t awaited, const uint64_t *addr, struct diag *d);
void kunits_disable(struct kernel *k, uint32_t awaited);

/*
 * Starts and stops clocks of profile-N for CPUs that come and go. Looks at most once a second; @now
 * in ns.
 */
void kunits_follow_cpus(struct kernel *k, uint64_t now);

/* Detaches everything. On return no program is running any more. */
void kunits_detach(struct kernel *k);

/* ------------------------------------------------------- uprobe.c */

/*
 * Attaches a unit to all of its points. Adds files of points in all processes to @refused if the
 * kernel refuses them. Returns 0 or a negative errno.
 */
int kuprobes_attach(const struct unit *u, struct kunit *ku, struct refused_files *refused);

/* See kernel_enable(). */
int kuprobes_enable(struct kernel *k, uint32_t number, const struct attach_point *at);

/* --------------------------------------------------------- iter.c */

/*
 * Starts a thread that runs the iterator units over everything that exists: with @prepare those
 * with hidden clauses, else those with probes. The gate must be open for them. Waits for the
 * thread, but not much longer than 200 ms. Returns 0, or -1 with the error in @d.
 */
int kiters_start(struct kernel *k, bool prepare, struct diag *d);

/*
 * Frees threads that have ended; with @wait, stops and frees all threads. Returns 0, or a negative
 * errno if a walk failed.
 */
int kiters_reap(struct kernel *k, bool wait);

/* ---------------------------------------------------- bpf_progs.c */

/* Sets when iter:::bpf_prog fires first: at the next kbpf_progs_show(), or never. */
void kbpf_progs_start(struct kernel *k);

/*
 * If iter:::bpf_prog is due, fires it for each BPF program of the machine, and delivers the
 * records. Returns 0, or -1 with the error in @d.
 */
int kbpf_progs_show(struct kernel *k, struct record_sink *sink, struct diag *d);

/* ------------------------------------------------------- cgroup.c */

/*
 * Returns a descriptor of the root directory of the cgroup2 tree, or -1 with the reason in errno.
 * *@whole is false if only the root of this cgroup namespace can be opened.
 */
int kcgroup_root(bool *whole);

#endif
