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

#define KERNEL_NARG 10 /* number of values that fire() takes, for arg0 to arg9 */

/* One map of the program. @value_size is a multiple of 8. */
struct kmap {
	int fd; /* descriptor of the map, or -1 if the map is not created */
	uint32_t value_size;
	size_t bytes; /* size of the ring in bytes if the map is a MAP_RING, else 0 */
	/* number of the table in the arena if the map is a MAP_TABLE */
	uint32_t table;
};

/*
 * A link to functions of a module that was loaded during the run. @awaited is the number of their
 * awaited probe, as in attach_point.awaited.
 */
struct late_link {
	int fd;
	uint32_t awaited;
};

/* State of a unit (the eBPF program of one hook). */
struct kunit {
	int prog;  /* descriptor of the loaded program, or -1 */
	int timer; /* timerfd that fires a RUN_TICK unit, or -1 */
	VEC(struct late_link) late;
	/*
	 * descriptors of links or perf events; closing one detaches the program. For HOOK_PROFILE,
	 * element i is the clock of the CPU kernel.cpu[i], or negative if this CPU has no clock.
	 */
	VEC(int) link;
};

/*
 * Files that the kernel refuses to probe. A run that probes the files of all processes goes on
 * without them, because any user can run such a file.
 */
struct refused_files {
	VEC(const char *) file; /* paths, each listed once; the strings belong to the program */
	int err;                /* negative errno of the first refusal */
};

struct kernel {
	struct source src;
	struct kernel_opts opts;
	const struct program *p; /* program given to start(), or NULL before that */
	struct kmap *map;        /* array of p->nmap maps */
	struct kunit *unit;      /* array of p->nunit units */
	struct refused_files refused;
	struct strbuf warnings;  /* the text that src.warning points to */
	struct globals *globals; /* value of the MAP_GLOBAL map, mapped into this process */
	size_t globals_len;
	/*
	 * thread ID, in the initial PID namespace, of the thread that deletes keys; 0 if programs
	 * do not check it
	 */
	int thread;
	struct karena *arena; /* memory of the tables and arrays, or NULL if there are none */
	void *percpu;         /* buffer for the result of percpu() */
	const uint32_t *cpu;  /* array of src.ncpu numbers: those of the possible CPUs */
	struct kring ring;
	int epoll; /* descriptor that wait() waits on; -1 before go() */
	/*
	 * number of further polls that may find the ring empty before polling ends; 0 if dtrace
	 * does not poll, and writers wake it up
	 */
	unsigned polls;
	/*
	 * socket that makes the kernel stamp arriving packets while the socket is open; -1 if there
	 * is none
	 */
	int stamps;
	/* timer that the kernel cancels when CLOCK_REALTIME is set; -1 if there is none */
	int clock_fd;
	uint64_t ticks_skipped;
	uint64_t tick_errors; /* number of tick-N firings that the kernel refused to run */
	/* time in ns when dtrace last looked for CPUs that have no clock, or need none any more */
	uint64_t clocks_checked;
	/*
	 * number of missed firings: the kernel skipped them, and no backup unit (a second program
	 * at the same hook) handled them. A count may be too low, so this is the highest count so
	 * far (count_missed()).
	 */
	uint64_t missed;
	/* firings that the kernel skipped before the gate was opened, and until it was closed */
	uint64_t skipped_before, skipped_at_end;
	/* descriptor that makes the kernel measure programs while it is open; 0 if there is none */
	int stats;
	bool attached; /* the units are attached */
	/* true if programs were measured during the run, so that cost() can report */
	bool measured;
	uint64_t live, stopped; /* start and end of tracing, in ns */
	/* the source was stopped, and the programs that were running at this time have ended */
	bool quiescent;
	uint64_t denied; /* number of network namespaces that dtrace may not enter */
	/*
	 * The walks over the existing sockets, tasks and files. iter[0] fires probes; iter[1] runs
	 * hidden clauses, which belong to the built-in libraries. An element is NULL if there is no
	 * such walk, or after kiters_reap() has freed it.
	 */
	struct kiter *iter[2];
	uint64_t next_walk; /* when iter:::bpf_prog is due next, in ns; UINT64_MAX if never */
	uint64_t walks;     /* number of finished walks over all BPF programs */
};

/* ---------------------------------------------------------- map.c */

/*
 * Returns the numbers of the possible CPUs, in the order of the values of per-CPU maps, and stores
 * how many in *@n. Returns only CPU 0 if the kernel's list cannot be read; then kmaps_open()
 * fails. Reads the list once, because it does not change until the next boot. The result is static.
 */
const uint32_t *kcpus_possible(uint32_t *n);

/*
 * Returns the numbers of the CPUs that are online, and stores how many in *@n. Returns NULL if the
 * kernel's list cannot be read. The caller frees the result with xfree().
 */
uint32_t *kcpus_online(uint32_t *n);

/*
 * Creates all maps, and maps the globals and the ring into memory. Returns 0, or -1 with the error
 * in @d. The caller calls kmaps_close() later, also after an error.
 */
int kmaps_open(struct kernel *k, struct diag *d);
void kmaps_close(struct kernel *k);

/*
 * Visit all entries of hash map @map. kmap_each_batch() reads many entries with one system call;
 * kmap_each_key() reads one at a time, for kernels that refuse batches. @fn is as in
 * source_ops.map_each. Return 0 or a negative errno.
 */
typedef bool kmap_fn(void *ctx, const void *key, const void *value);
int kmap_each_batch(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);
int kmap_each_key(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* ------------------------------------------------------- stamp.c */

/* Stores in k->globals the differences between the clocks that the program uses. */
void kclock_read(struct kernel *k);

/* Handles a change of CLOCK_REALTIME. The caller calls it when k->clock_fd is readable. */
void kclock_was_set(struct kernel *k);

/*
 * If the program reads the arrival times (stamps) of packets, makes the kernel stamp all packets
 * that arrive at the machine, and opens k->clock_fd. Returns 0, or -1 with the error in @d. The
 * caller calls kstamps_close() later, also after an error.
 */
int kstamps_open(struct kernel *k, struct diag *d);
void kstamps_close(struct kernel *k);

/* ------------------------------------------------------- arena.c */

/*
 * Creates the arena and the tables in it, if the program has maps of kind MAP_TABLE.
 * Returns 0, or -1 with the error in @d. The caller calls karena_close() later, also after an
 * error.
 */
int karena_open(struct kernel *k, struct diag *d);
void karena_close(struct kernel *k);

/* Visits all entries of a MAP_TABLE, in the same way as kmap_each_batch(). Returns 0. */
int karena_each(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* --------------------------------------------------------- prog.c */

/*
 * Loads every unit. Returns 0, or -1 with the error in @d. The caller calls kprogs_close() later,
 * also after an error.
 */
int kprogs_load(struct kernel *k, struct diag *d);

/* Returns the attach type (BPF_CGROUP_*) of a unit that is attached to the root cgroup. */
uint32_t kprog_cgroup_type(const struct unit *u);
void kprogs_close(struct kernel *k);

/* ------------------------------------------------------- offset.c */

/*
 * Returns, for each CPU of kcpus_possible(), the number that the kernel adds to the address of a
 * per-CPU variable. @values is the offset of bpf_array.pptrs. The caller frees the array with
 * xfree(). Returns NULL if an offset cannot be found.
 */
uint64_t *koffsets_find(uint32_t values);

/* ------------------------------------------------------- active.c */

/*
 * Stores for each unit with a backup, and for each CPU, where the kernel counts that the unit runs
 * (unit.active_at). Call it after the units are loaded and before they are attached. If it fails,
 * the addresses stay 0, and backups work without them.
 */
void kactive_find(struct kernel *k);

/* ----------------------------------------------------------- features.c */

/*
 * Returns whether one system call can attach a program to many functions (CONFIG_FPROBE). If not,
 * each function needs a perf event of its own.
 */
bool kernel_kprobes_at_once(void);

/* Returns whether one link can attach a program to many points of processes (Linux 6.6). */
bool kuprobe_multi(void);

/* --------------------------------------------------------- perf.c */

/*
 * Opens a disabled kprobe event at @addr, or, if @ret is true, at the return of the function that
 * begins at @addr. Returns a descriptor or a negative errno: -EOPNOTSUPP if the kernel has no
 * kprobes.
 */
int kperf_kprobe(uint64_t addr, bool ret);

/*
 * Opens a perf event for the software clock of @cpu, disabled. Once enabled, the event fires every
 * @period_ns while the CPU is busy, and less often while the CPU is idle. Returns a descriptor or a
 * negative errno.
 */
int kperf_clock(uint64_t period_ns, int cpu);

/* ------------------------------------------------------- thread.c */

/*
 * Starts a thread that runs @fn(@ctx) with all signals blocked, because the main thread waits for
 * them. Returns 0 or an errno. The caller joins the thread.
 */
int kthread_start(pthread_t *t, void *(*fn)(void *), void *ctx);

/* ------------------------------------------------------- attach.c */

/*
 * Attaches every unit except iterators, in the order of kunit_in_order(), and starts the timers.
 * Returns 0, or -1 with the error in @d and nothing attached.
 */
int kunits_attach(struct kernel *k, struct diag *d);

/*
 * Returns the index of the unit to attach as number @i. A firing may be split over several units
 * (parts); attached in this order, the parts run in the order of their numbers.
 */
uint32_t kunit_in_order(const struct program *p, uint32_t i);

/* Do the work of kernel_enable_functions() and kernel_disable_functions(). */
int kunits_enable(struct kernel *k, uint32_t awaited, const uint64_t *addr, struct diag *d);
void kunits_disable(struct kernel *k, uint32_t awaited);

/*
 * Starts the clocks of profile-N on CPUs that came online, and stops those on CPUs that went
 * offline. Looks for such CPUs at most once a second. @now is the time in ns.
 */
void kunits_follow_cpus(struct kernel *k, uint64_t now);

/* Detaches all units. On return no attached program is still running. */
void kunits_detach(struct kernel *k);

/*
 * Waits until all programs that run now have ended. Programs are RCU readers, and membarrier(2)
 * waits for all of these. Returns false if the kernel does not offer that (nohz_full).
 */
bool kunits_wait(void);

/* ------------------------------------------------------- uprobe.c */

/*
 * Attaches a unit to all of its points that exist already (attach_point.awaited is 0). If the
 * kernel refuses the file of a point that is probed in all processes, adds that file to @refused
 * and goes on. Returns 0 or a negative errno.
 */
int kuprobes_attach(const struct unit *u, struct kunit *ku, struct refused_files *refused);

/* Does the work of kernel_enable(). */
int kuprobes_enable(struct kernel *k, uint32_t number, const struct attach_point *at);

/* --------------------------------------------------------- iter.c */

/*
 * Starts a thread that runs iterator units over everything that exists. If @prepare, it runs the
 * units with hidden clauses (which built-in libraries need), else the units with probes. Before the
 * call, the caller must set globals.gate so that these units act.
 *
 * Waits for the thread, but not much longer than 200 ms, and only until a quarter of the ring is
 * full. Returns 0, or -1 with the error in @d.
 */
int kiters_start(struct kernel *k, bool prepare, struct diag *d);

/*
 * Frees the iterator threads that have ended. If @wait, stops and frees all of them. Returns 0, or
 * a negative errno if a walk failed.
 */
int kiters_reap(struct kernel *k, bool wait);

/* ---------------------------------------------------- bpf_progs.c */

/*
 * Sets when iter:::bpf_prog fires first: at the next kbpf_progs_show(), or never if no unit has
 * this probe.
 */
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
