/*
 * job.h - the jobs that a confined process (a reader) does for dtrace. This is the reader's side;
 * reader.h is dtrace's side.
 *
 * The table of jobs is in cmd/jobs.c.
 */
#ifndef SANDBOX_JOB_H
#define SANDBOX_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sandbox/rpc.h"

/* Types of the protocol's own messages. A job numbers its own types from RPC_FIRST on. */
enum { RPC_END = 1, RPC_READY, RPC_REFUSED, RPC_FORK, RPC_CPU, RPC_KILL, RPC_FIRST = 16 };

/* A request from dtrace that a job answers. */
struct request {
	int sock;
	uint32_t type, serial;
	struct rpc_in in;
	/*
	 * Descriptor that came with the request, or -1. The caller of the job closes it. A job that
	 * keeps the descriptor sets this member to -1.
	 */
	int fd;
};

/*
 * Sends an answer of type @type to the request @r. @body may be NULL. Exits if dtrace has closed
 * the socket.
 */
void answer(const struct request *r, uint32_t type, const struct strbuf *body);

/* One kind of reader. Each job sets either @serve or @run. */
struct job {
	const char *name;
	/*
	 * The system calls that the job needs in addition to CALLS_BASE and CALLS_MESSAGES, as a
	 * set of enum call_set (syscall_filter.h).
	 */
	unsigned calls;
	/*
	 * Loads libraries. Runs in the spawner (reader.h) before rights are given up. May be NULL.
	 */
	void (*load)(void);
	/* Answers one request by any number of calls of answer(). The caller then sends RPC_END. */
	void (*serve)(struct request *r);
	/* Does the whole job, until the socket is closed. */
	void (*run)(int sock);
};

/*
 * The main program of the spawner (reader.h), for "dtrace --reader [off] JOB...". @jobs is the
 * table of jobs, with NULL at its end. @argv are the arguments after --reader. Never returns.
 */
void spawner_main(const struct job *const *jobs, char **argv) __attribute__((noreturn));

#endif
