/*
 * impl.h - what the files of engine/kernel share: one started program.
 */
#ifndef ENGINE_KERNEL_IMPL_H
#define ENGINE_KERNEL_IMPL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "engine/kernel/kernel.h"
#include "engine/kernel/ring.h"
#include "engine/source.h"
#include "ir/program.h"

struct diag;

/* One map.  @value_size is as created: a multiple of 8. */
struct kmap {
	int fd; /* -1: not made */
	uint32_t value_size;
	size_t bytes;   /* MAP_RING: its size */
	uint32_t table; /* MAP_TABLE: its number in the arena */
};

/* A link to functions that came while the program ran, under that number. */
struct late_link {
	int fd;
	uint32_t awaited;
};

/* What a unit became. */
struct kunit {
	int prog;  /* -1: not loaded */
	int timer; /* RUN_TICK: timerfd; -1: none */
	VEC(struct late_link) late;
	VEC(int) link; /* links or perf events, -1: none; closing them detaches */
};

struct kernel {
	struct source src;
	struct kernel_opts opts;
	const struct program *p; /* NULL: not started */
	struct kmap *map;        /* p->nmap */
	struct kunit *unit;      /* p->nunit */
	struct globals *globals; /* mapped: MAP_GLOBAL */
	size_t globals_len;
	/* ours, which deletes keys, as the kernel numbers it; 0: nobody asks */
	int thread;
	struct karena *arena; /* NULL: no map is a table */
	void *percpu;         /* copy for percpu() */
	uint32_t *cpu;        /* possible CPUs: src.ncpu numbers */
	struct kring ring;
	int epoll; /* -1: none */
	uint64_t ticks_skipped;
	uint64_t tick_errors;    /* firings that the kernel refused to run */
	uint64_t clocks_checked; /* when CPUs were last looked for that came or went, ns */
	/* firings that the kernel skipped and no twin took, as last told */
	uint64_t missed;
	int stats;              /* while it is open the kernel measures programs; 0: it is not */
	bool measured;          /* it has */
	uint64_t live, stopped; /* when tracing began and ended, ns */
	uint64_t denied;        /* network namespaces that may not be entered */
	struct kiter *iter[2];  /* walks at work or done; NULL: none.  [1]: to prepare */
};

/* ---------------------------------------------------------- map.c */

/*
 * The numbers of the CPUs that may ever be: per-CPU maps have a value for each, in
 * this order, and none for numbers that are left out.  Just CPU 0 if the kernel's
 * list cannot be read.  @n: how many; free with xfree().
 */
uint32_t *kcpus_possible(uint32_t *n);

/* Likewise those that run now; NULL: not known. */
uint32_t *kcpus_online(uint32_t *n);

/* Makes all maps, maps the globals and the ring.  0 or -1 with @d.  Undone by kmaps_close. */
int kmaps_open(struct kernel *k, struct diag *d);
void kmaps_close(struct kernel *k);

/*
 * Visit all entries of hash map @map, by batches or key by key (for kernels that
 * refuse the batch command).  @fn as in source_ops.map_each.  0 or a negative errno.
 */
typedef bool kmap_fn(void *ctx, const void *key, const void *value);
int kmap_each_batch(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);
int kmap_each_key(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* ------------------------------------------------------- arena.c */

/* Makes the arena and its tables, if there are any.  0 or -1 with @d.  Undone by karena_close. */
int karena_open(struct kernel *k, struct diag *d);
void karena_close(struct kernel *k);

/* Lets tables grow that are half full; called often.  True: one was. */
bool karena_tend(struct kernel *k);

/* As kmap_each_batch(), for a MAP_TABLE. */
int karena_each(struct kernel *k, uint32_t map, kmap_fn *fn, void *ctx);

/* --------------------------------------------------------- prog.c */

/* Loads every unit.  0 or -1 with @d.  Undone by kprogs_close. */
int kprogs_load(struct kernel *k, struct diag *d);

/* BPF_CGROUP_* that a unit of the root cgroup is attached as. */
uint32_t kprog_cgroup_type(const struct unit *u);
void kprogs_close(struct kernel *k);

/* ------------------------------------------------------------- kernel.c */

/*
 * Can a program be attached to many functions in one system call (CONFIG_FPROBE)?  Else by an event
 * each.
 */
bool kernel_kprobes_at_once(void);

/* ------------------------------------------------------- attach.c */

/* Attaches every unit, in order, and arms the timers.  0 or -1 with @d and nothing attached. */
int kunits_attach(struct kernel *k, struct diag *d);

/*
 * The unit to attach as number @i: parts that share a hook are attached so that they run in turn.
 */
uint32_t kunit_in_order(const struct program *p, uint32_t i);

/* See kernel_enable_functions() and kernel_disable_functions(). */
int kunits_enable(struct kernel *k, uint32_t awaited, const uint64_t *addr, struct diag *d);
void kunits_disable(struct kernel *k, uint32_t awaited);

/* About once a second: profile-N follows CPUs that come and go.  @now: ns. */
void kunits_follow_cpus(struct kernel *k, uint64_t now);

/* Detaches everything; on return none of the programs is running any more. */
void kunits_detach(struct kernel *k);

/* ------------------------------------------------------- uprobe.c */

/* Are programs of processes' probes loaded to be attached to many points at once? */
bool kuprobe_multi(void);

/* Attaches a unit to all of its points.  0, or a negative errno. */
int kuprobes_attach(const struct unit *u, struct kunit *ku);

/* See kernel_enable(). */
int kuprobes_enable(struct kernel *k, uint32_t number, const struct attach_point *at);

/* --------------------------------------------------------- iter.c */

/*
 * Starts a thread that runs the iterator units (those with hidden clauses to prepare,
 * those with probes) over all there is, and waits for it unless it takes long.  The gate is open
 * for them.  0 or -1 with @d.
 */
int kiters_start(struct kernel *k, bool prepare, struct diag *d);

/* Puts away threads that are done (@wait: all); a negative errno if the kernel broke off a walk. */
int kiters_reap(struct kernel *k, bool wait);

/* ------------------------------------------------------- cgroup.c */

/*
 * A descriptor of the root directory of the cgroup2 tree, or -1 with the reason in errno.
 * *@whole: false where this is only the root of our cgroup namespace, no more being allowed.
 */
int kcgroup_root(bool *whole);

#endif
