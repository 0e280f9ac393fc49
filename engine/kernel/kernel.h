/*
 * kernel.h - events from the running kernel: a program's units as eBPF programs.
 *
 * Everything that is made or attached belongs to a file descriptor of this
 * process: no pins, no system setting changed.  However the process ends,
 * SIGKILL included, nothing stays behind.
 */
#ifndef ENGINE_KERNEL_H
#define ENGINE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/program.h"

struct diag;
struct source;

#define KERNEL_BUFSIZE_MAX (1ull << 31) /* what a map's number of entries, of 32 bits, can say */

struct kernel_opts {
	/*
	 * Bytes for the ring of records, rounded up to a power of two, at least a page and
	 * at most KERNEL_BUFSIZE_MAX.  0: what the program's MAP_RING says, or else 16 MiB.
	 */
	uint64_t bufsize;
	int wake_fd;      /* when it is readable, wait() comes back; 0: none */
	bool costs;       /* the kernel measures what programs cost (cost()), while we trace */
	bool verbose_log; /* a refused program's whole verifier log goes to stderr */
};

/*
 * A source that runs on this kernel; @o is copied, NULL means all zero.  Free
 * with its ops->free.  The program given to start() must outlive it.
 *
 * On top of what source.h promises:
 *   - fire() called from within sink->record (ERROR, when a fault is consumed) runs
 *     its units at once, but their records follow in their turn, behind those
 *     already in the ring, before the outer wait(), fire() or stop() returns.
 *   - fire() takes 10 values if @args is not NULL.
 *   - loss(): ticks counts the firings given up because this process was held up
 *     for more than 1,000 periods.
 *   - a hash map whose max_entries is 0 gets room for 65,536 keys.
 */
struct source *kernel_source_new(const struct kernel_opts *o);

/*
 * Attaches what waits for number @awaited (struct attach_point) to @at, while the run goes on.  One
 * number may be attached to several places: @at->cookie is the upper half of what the program is
 * told there.  0, or a negative errno: then some of its programs may be there, and others not.
 */
int kernel_enable(struct source *s, uint32_t awaited, const struct attach_point *at);

/*
 * Attaches the points that wait for number @awaited to functions of a module, while the run goes
 * on.  @addr has an address for each slot (struct attach_point); 0: nothing has come for that slot.
 * 0, or -1 with the reason in @d and nothing attached under that number.
 */
int kernel_enable_functions(struct source *s, uint32_t awaited, const uint64_t *addr,
			    struct diag *d);

/* Detaches what kernel_enable_functions() attached under that number. */
void kernel_disable_functions(struct source *s, uint32_t awaited);

/* How many values a key of an aggregation has here: one for each CPU there may be. */
uint32_t kernel_ncpu(void);

/*
 * Makes the maps of @p and has the kernel verify every unit, attaches nothing and
 * frees it all.  0, or -1 with the first refusal in @d.
 */
int kernel_verify(const struct program *p, struct diag *d);

/*
 * May a program at a hook of that kind read its stack?  True also where it cannot be
 * found out.  Cheap, but a system call.
 */
bool kernel_stack_at(enum hook_kind hook);

/* May programs have an arena, whose words they change by atomic operations? */
bool kernel_arena(void);

/* May programs write to a process's memory (lockdown forbids it)?  Likewise. */
bool kernel_writes_user(void);

/*
 * Does this kernel take programs for the entry of the function with that BTF id?  0,
 * or the errno of its refusal, EPERM if it takes none at all.  Cheap.
 */
int kernel_fentry(uint32_t func);

/*
 * Can a program be attached to functions by kprobes?  0: no, the kernel was built without; 1: to
 * one after the other; 2: to many at once.  Cheap.
 */
unsigned kernel_kprobes(void);

/*
 * Opens a perf event, disabled, that is a kprobe at the instruction at @addr; the descriptor, which
 * struct attach_point takes.  -EOPNOTSUPP: there are no kprobes; -EILSEQ: no instruction begins
 * there; -EINVAL: the kernel wants no probe there.
 */
int kernel_kprobe_at(uint64_t addr);

/* Has the kernel probes of processes?  0, or an errno.  Cheap. */
int kernel_uprobes(void);

/*
 * May we, with the capabilities in force, open the clock of a CPU, as for one that comes while we
 * trace?
 */
bool kernel_clocks_open(void);

/* May we load BPF programs here?  False: @d has what to tell the user.  Cheap. */
bool kernel_supported(struct diag *d);

#endif
