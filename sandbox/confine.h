/*
 * confine.h - irrevocably gives up rights of the calling process.
 *
 * A process that parses input from others calls confine() first. After each step of confine(), the
 * process asks the kernel whether the step took effect.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "sandbox/syscall_filter.h"

struct confinement {
	unsigned calls;         /* the system calls that stay allowed, as a set of enum call_set */
	uint64_t address_bytes; /* RLIMIT_AS in bytes, or 0 for no limit */
	/* RLIMIT_DATA in bytes (private writable memory), or 0 for no limit */
	uint64_t data_bytes;
	uint64_t cpu_seconds; /* RLIMIT_CPU in seconds, or 0 for no limit */
	bool best_effort;     /* -x confine=off: ignore steps that fail */
	/*
	 * The process connects to servers. So it stays in its network namespace, and its root
	 * folder has copies of the files that are needed to look up names.
	 */
	bool connects;
};

/*
 * Confines the calling process. The process loses its capabilities, can no longer be dumped and
 * leaves no core file. It gets no_new_privs, the limits of @c and the system-call filter. A process
 * of root also changes to another user, an empty root folder and an empty network namespace, unless
 * its user namespace has only one user. Open descriptors stay usable.
 *
 * The caller must load libraries and time zone files beforehand. If a step fails, returns false and
 * appends one line that names the step to @why. After a failure, the caller must not continue.
 */
bool confine(const struct confinement *c, struct strbuf *why);

/*
 * Confines a process that executes a command next. The command reads input from others. This
 * function does the same as confine(), with three exceptions. The process keeps its root folder,
 * because the command is there. It stays dumpable, and it gets no system-call filter. Errors are
 * reported as by confine().
 */
bool confine_command(const struct confinement *c, struct strbuf *why);

/*
 * Gives up all capabilities and sets no_new_privs. This is for builds with sanitizers, which cannot
 * run under confine(). Errors are reported as by confine().
 */
bool confine_capabilities(struct strbuf *why);

/*
 * Narrows the filter of a process that confine() has confined. Afterwards, a system call must be
 * allowed by the old filter and be in @calls, a set of enum call_set. Errors are reported as by
 * confine().
 */
bool confine_further(unsigned calls, struct strbuf *why);

/*
 * Gives up all capabilities except those that a live run needs after its probes are attached: to
 * read what the kernel records, and to open files of processes. Sets no_new_privs. To find out
 * whether CAP_SYS_ADMIN is needed, calls @enough without that capability: the capability is kept
 * only if @enough returns false. Without @enough (NULL), the capability is given up. Errors are
 * reported as by confine().
 */
bool confine_tracing(bool (*enough)(void), struct strbuf *why);

#endif
