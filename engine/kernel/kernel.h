/*
 * kernel.h - events from the running kernel: a program's units as eBPF programs.
 *
 * Everything that is created or attached belongs to a file descriptor of this process. Nothing is
 * pinned and no system setting is changed. So nothing remains after the process ends, even by
 * SIGKILL.
 */
#ifndef ENGINE_KERNEL_KERNEL_H
#define ENGINE_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/program.h"

struct diag;
struct source;

#define KERNEL_BUFSIZE_MAX (1ull << 31) /* largest power of two that a map's 32-bit size can be */

struct kernel_opts {
	/*
	 * Bytes of the ring of records. Rounded up to a power of two, between a page and
	 * KERNEL_BUFSIZE_MAX. 0: the size of the program's MAP_RING, or else 16 MiB.
	 */
	uint64_t bufsize;
	int wake_fd; /* wait() returns when it is readable; 0: none */
	bool costs;  /* measure the CPU time of programs while tracing, for cost() */
	/*
	 * Nanoseconds between two firings of iter:::bpf_prog for all programs of the machine. If
	 * set, the kernel measures programs, as with @costs. 0: the probe fires once.
	 */
	uint64_t bpf_rate;
	bool verbose_log; /* print the whole verifier log of a refused program to stderr */
};

/*
 * Returns a source for this kernel. @o is copied; NULL: all members 0. The caller frees it with
 * ops->free. The program given to start() must outlive it.
 *
 * In addition to source.h:
 *   - fire() may be called from within sink->record (ERROR, when a fault is consumed). Its units
 *     run at once. Their records are delivered after those that are already in the ring, and
 *     before the outer wait(), fire() or stop() returns.
 *   - loss(): ticks counts firings that were given up because this process was delayed for more
 *     than 1,000 periods.
 *   - a hash map whose max_entries is 0 has room for 65,536 keys.
 */
struct source *kernel_source_new(const struct kernel_opts *o);

/*
 * Attaches the points that wait for number @awaited (struct attach_point) to @at, during the run.
 * One number may be attached to several places. @at->cookie becomes the upper half of the cookie,
 * which tells programs the place. Returns 0, or a negative errno; then some of the programs may be
 * attached.
 */
int kernel_enable(struct source *s, uint32_t awaited, const struct attach_point *at);

/*
 * Attaches the points that wait for number @awaited to functions of a module, during the run. @addr
 * has an address for each slot (struct attach_point); 0: the module has no function for that slot.
 * Returns 0, or -1 with the reason in @d and nothing attached for that number.
 */
int kernel_enable_functions(struct source *s, uint32_t awaited, const uint64_t *addr,
			    struct diag *d);

/* Detaches everything that kernel_enable_functions() attached for number @awaited. */
void kernel_disable_functions(struct source *s, uint32_t awaited);

/* Returns the number of possible CPUs: a key of an aggregation has one value for each. */
uint32_t kernel_ncpu(void);

/*
 * Creates the maps of @p and has the kernel verify every unit. Attaches nothing, and frees
 * everything. Returns 0, or -1 with the first refusal in @d.
 */
int kernel_verify(const struct program *p, struct diag *d);

/*
 * Returns whether a program at a hook of kind @hook may read a stack; true if that cannot be found
 * out. Cheap: one system call.
 */
bool kernel_stack_at(enum hook_kind hook);

/* Returns whether programs may have an arena and change it by atomic operations. */
bool kernel_arena(void);

/* Returns whether programs may write to a process's memory. Lockdown forbids it. */
bool kernel_writes_user(void);

/*
 * Returns 0 if a program can be attached to the entry of the function with BTF id @func, or the
 * errno of the refusal. EPERM means that dtrace may attach to no function. Cheap.
 */
int kernel_fentry(uint32_t func);

/*
 * Returns how a program can be attached to functions by kprobes. 0: not at all; 1: to one at a
 * time; 2: to many at once. Cheap.
 */
unsigned kernel_kprobes(void);

/*
 * Opens a disabled perf event that is a kprobe at the instruction at @addr. Returns a descriptor
 * for struct attach_point, owned by the caller, or a negative errno. -EOPNOTSUPP: no kprobes;
 * -EILSEQ: no instruction begins there; -EINVAL: the kernel forbids a probe there.
 */
int kernel_kprobe_at(uint64_t addr);

/* Returns 0 if the kernel has probes of processes, or an errno. Cheap. */
int kernel_uprobes(void);

/*
 * Returns whether the current capabilities allow to open the clock of a CPU, as is necessary when a
 * CPU comes online during the run.
 */
bool kernel_clocks_open(void);

/*
 * Returns whether the current capabilities allow to list and open the BPF programs of the machine,
 * as iter:::bpf_prog does during the run.
 */
bool kernel_programs_open(void);

/* Returns whether dtrace may load BPF programs. If not, @d has a message for the user. Cheap. */
bool kernel_supported(struct diag *d);

#endif
