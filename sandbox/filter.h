/*
 * filter.h - system-call filters, made by libseccomp, which is loaded when it is first used.
 */
#ifndef SANDBOX_FILTER_H
#define SANDBOX_FILTER_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Groups of system calls that a confined process may use.  A filter allows a set of groups. */
enum call_set {
	CALLS_BASE = 1u << 0,     /* memory, time, reading and writing of open descriptors, exit */
	CALLS_REPLAY = 1u << 1,   /* replay: code of its own, the terminal, its child processes */
	CALLS_RECEIVE = 1u << 2,  /* packets from an open socket: -r INTERFACE */
	CALLS_SERVE = 1u << 3,    /* connections to an open listening socket: -x listen */
	CALLS_MESSAGES = 1u << 4, /* messages with descriptors over an open socket */
	CALLS_SPAWN = 1u << 5,    /* forks readers, ends them and sets their limits */
	CALLS_ASK = 1u << 6,      /* sockets to new readers, and sealed memory for them */
};

/* Loads the library, while it can still be found.  Errors as filter_install(). */
bool filter_load(struct strbuf *why);

/*
 * Installs a filter that allows the groups in @sets, for good.  Any other system call fails with
 * EPERM; one of another architecture ends the process.  no_new_privs must be set.
 * False: the library or the kernel refused, and @why has one line that says so.
 */
bool filter_install(unsigned sets, struct strbuf *why);

#endif
