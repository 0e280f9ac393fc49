/*
 * kernel.h - the source of events from the running kernel. Each unit of a D program (the code for
 * one hook) is loaded into the kernel as an eBPF program.
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
	 * Size in bytes of the ring buffer for records. The size is rounded up to a power of two
	 * between a page and KERNEL_BUFSIZE_MAX. If 0, the program's MAP_RING gives the size; if
	 * that is 0 too, the ring has 16 MiB.
	 */
	uint64_t bufsize;
	/* descriptor that makes wait() return when it becomes readable; 0 if there is none */
	int wake_fd;
	bool costs; /* measure the CPU time of programs while tracing, for cost() */
	/*
	 * Nanoseconds between two rounds of iter:::bpf_prog, which fires for each BPF program of
	 * the machine. If not 0, the kernel measures programs, as with @costs. If 0, there is only
	 * one round.
	 */
	uint64_t bpf_rate;
	bool verbose_log; /* print the whole verifier log of a refused program to stderr */
};

/*
 * Returns a source for this kernel, which the caller frees with ops->free. Copies @o; NULL means
 * that all options are 0. The program given to start() must outlive the source.
 *
 * In addition to source.h:
 *   - sink->record may call fire(). The units run immediately. Their records are
 *     delivered after the records that are already in the ring, and before the outer wait(), fire()
 *     or stop() returns.
 *   - The member ticks of loss() counts firings of tick-N that were skipped because this process
 *     was delayed for more than 1,000 periods.
 *   - A hash map whose max_entries is 0 has room for 65,536 keys.
 */
struct source *kernel_source_new(const struct kernel_opts *o);

/*
 * Attaches the points of the awaited probe with number @awaited (struct attach_point) to @at,
 * during the run. The caller may attach one awaited probe to several places. @at->cookie becomes
 * the upper half of the cookie that programs get, and so identifies the place. Returns 0 or a
 * negative errno. After an error, some of the programs may be attached.
 */
int kernel_enable(struct source *s, uint32_t awaited, const struct attach_point *at);

/*
 * Attaches the points of the awaited probe with number @awaited to functions of a module, during
 * the run. @addr has an address for each slot (struct attach_point), or 0 if the module has no
 * function for that slot. Returns 0, or -1 with the reason in @d and nothing attached for that
 * probe.
 */
int kernel_enable_functions(struct source *s, uint32_t awaited, const uint64_t *addr,
			    struct diag *d);

/*
 * Detaches everything that kernel_enable_functions() attached for the awaited probe with number
 * @awaited.
 */
void kernel_disable_functions(struct source *s, uint32_t awaited);

/*
 * Returns the number of possible CPUs. Each key of an aggregation has one value per possible CPU.
 */
uint32_t kernel_ncpu(void);

/*
 * Creates the maps of @p and has the kernel verify every unit. Attaches nothing, and frees
 * everything that it created. Returns 0, or -1 with the first refusal in @d.
 */
int kernel_verify(const struct program *p, struct diag *d);

/*
 * Returns whether a program at a hook of kind @hook may read a stack, or true if that cannot be
 * found out. The test is cheap: it loads one small program.
 */
bool kernel_stack_at(enum hook_kind hook);

/* Returns whether programs may have an arena and change it by atomic operations. */
bool kernel_arena(void);

/*
 * Returns whether programs may write to a process's memory. A kernel under lockdown forbids that.
 */
bool kernel_writes_user(void);

/*
 * Returns 0 if a program can be attached to the entry of the function with BTF id @func, or the
 * errno of the refusal. EPERM means that dtrace may not attach to any function. The test is cheap.
 */
int kernel_fentry(uint32_t func);

/*
 * Returns how many functions a program can be attached to with one kprobe link: 0 if the kernel has
 * no kprobes, 1 if each function needs its own link, 2 if one link covers many functions. The test
 * is cheap, and later calls return the same result.
 */
unsigned kernel_kprobes(void);

/*
 * Opens a disabled perf event that is a kprobe at the instruction at @addr. Returns a descriptor
 * for struct attach_point, owned by the caller, or a negative errno. -EOPNOTSUPP means that the
 * kernel has no kprobes, -EILSEQ that no instruction begins at @addr, and -EINVAL that the kernel
 * forbids a probe there.
 */
int kernel_kprobe_at(uint64_t addr);

/*
 * Returns 0 if the kernel can probe instructions of processes (uprobes), or an errno. The test is
 * cheap.
 */
int kernel_uprobes(void);

/*
 * Returns whether the current capabilities allow to open the clock of a CPU. dtrace opens one when
 * a CPU comes online during the run.
 */
bool kernel_clocks_open(void);

/*
 * Returns whether the current capabilities allow to list and open the BPF programs of the machine,
 * as iter:::bpf_prog does during the run.
 */
bool kernel_programs_open(void);

/*
 * Returns whether dtrace may load BPF programs. If not, @d has a message for the user. The test is
 * cheap.
 */
bool kernel_supported(struct diag *d);

#endif
