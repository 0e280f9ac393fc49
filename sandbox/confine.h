/*
 * confine.h - gives up the rights of the calling process, for good.
 *
 * A process that parses bytes made by others calls confine() first.  Each step is checked by
 * asking the kernel for the result, so a step that silently did nothing is noticed.
 */
#ifndef SANDBOX_CONFINE_H
#define SANDBOX_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "sandbox/filter.h"

struct confinement {
	unsigned calls;         /* system calls that stay allowed: a set of enum call_set */
	uint64_t address_bytes; /* RLIMIT_AS; 0: no limit */
	uint64_t data_bytes;    /* RLIMIT_DATA, all private writable memory; 0: no limit */
	bool best_effort;       /* -x confine=off: a step that fails is skipped */
};

/*
 * Confines the calling process.  Every process gets: no capabilities, no_new_privs, not
 * dumpable, no core files, the limits of @c and the system-call filter.  A process of root also
 * gets another user, an empty root folder and no network.  Open descriptors stay usable.
 *
 * Libraries and time zone files must be loaded before the call.  False: a step failed, and @why
 * has one line that names the step; the caller must not go on.
 */
bool confine(const struct confinement *c, struct strbuf *why);

/* Gives up all capabilities and sets no_new_privs: what confine() does that a sanitizer bears. */
bool confine_capabilities(struct strbuf *why);

/*
 * Allows fewer system calls from now on: the intersection with @calls, a set of enum call_set.
 * The process is confined already.  Errors as confine().
 */
bool confine_further(unsigned calls, struct strbuf *why);

/*
 * Keeps only the capabilities that a live run needs once its probes are attached, and sets
 * no_new_privs: reading what the kernel records, and opening the files of processes.
 * CAP_SYS_ADMIN stays if @enough (may be NULL) returns false without it.  Errors as confine().
 */
bool confine_tracing(bool (*enough)(void), struct strbuf *why);

/*
 * Whether this process runs as root and another user can be had.  Root of a user namespace that
 * maps one user only is not: it has nobody to change to.
 */
bool confine_changes_user(void);

#endif
