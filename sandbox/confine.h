/*
 * confine.h - irrevocably gives up rights of the calling process.
 *
 * A process that parses input from others calls confine() first. After each step, the process asks
 * the kernel whether the step took effect.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "sandbox/syscall_filter.h"

struct confinement {
	unsigned calls;         /* system calls that stay allowed: a set of enum call_set */
	uint64_t address_bytes; /* RLIMIT_AS in bytes; 0: no limit */
	uint64_t data_bytes;    /* RLIMIT_DATA in bytes (private writable memory); 0: no limit */
	bool best_effort;       /* -x confine=off: ignore steps that fail */
};

/*
 * Confines the calling process. Every process loses its capabilities and can be neither dumped nor
 * leave a core file. It gets no_new_privs, the limits of @c and the system-call filter. A process
 * of root also changes to another user, an empty root folder and an empty network namespace. Open
 * descriptors stay usable.
 *
 * The caller must load libraries and time zone files beforehand. Returns false if a step fails, and
 * appends one line that names the step to @why. The caller must not continue then.
 */
bool confine(const struct confinement *c, struct strbuf *why);

/*
 * Confines a process that executes a command next, which reads input from others: as confine(), but
 * with the root folder that the command is in, and without a filter for system calls. If
 * @best_effort, ignores steps that fail. Errors as for confine().
 */
bool confine_command(bool best_effort, struct strbuf *why);

/*
 * Gives up all capabilities and sets no_new_privs. For builds with sanitizers, which cannot run
 * under confine(). Errors as for confine().
 */
bool confine_capabilities(struct strbuf *why);

/*
 * Narrows the filter of a confined process to the calls that are also in @calls, a set of enum
 * call_set. Errors as for confine().
 */
bool confine_further(unsigned calls, struct strbuf *why);

/*
 * Keeps only the capabilities that a live run needs after its probes are attached: to read what the
 * kernel records, and to open files of processes. Sets no_new_privs. CAP_SYS_ADMIN is kept only if
 * @enough (may be NULL), called without that capability, returns false. Errors as for confine().
 */
bool confine_tracing(bool (*enough)(void), struct strbuf *why);

#endif
