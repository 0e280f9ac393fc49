/*
 * syscall_filter.h - system-call filters, made by libseccomp. The library is loaded on first use.
 */
#ifndef SANDBOX_SYSCALL_FILTER_H
#define SANDBOX_SYSCALL_FILTER_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Groups of system calls. A filter allows a set of them. */
enum call_set {
	CALLS_BASE = 1u << 0, /* use memory, read the time, read and write open descriptors, exit */
	/* for replays: run generated code, use the terminal, wait for children */
	CALLS_REPLAY = 1u << 1,
	CALLS_RECEIVE = 1u << 2,  /* receive packets from an open socket, for -r INTERFACE */
	CALLS_SERVE = 1u << 3,    /* accept connections on an open socket, for -x listen */
	CALLS_MESSAGES = 1u << 4, /* send and receive messages with descriptors on an open socket */
	CALLS_SPAWN = 1u << 5,    /* fork readers, kill them and set their limits */
	/* create sockets for new readers and sealed memory to send to readers */
	CALLS_ASK = 1u << 6,
	CALLS_SCREEN = 1u << 7, /* change the modes of the terminal, for -x view */
	/* connect to servers, look up their names, and start threads, for dtrace-fleet */
	CALLS_CONNECT = 1u << 8,
};

/*
 * Loads libseccomp. Call this function while the file system is still accessible. Errors are
 * reported as by filter_install().
 */
bool filter_load(struct strbuf *why);

/*
 * Installs, irrevocably, a filter that allows the groups in @sets. All other system calls fail with
 * EPERM. A system call of another architecture kills the thread that makes it. no_new_privs must be
 * set. If the library or the kernel fails, returns false and appends one line that says so to @why.
 */
bool filter_install(unsigned sets, struct strbuf *why);

#endif
