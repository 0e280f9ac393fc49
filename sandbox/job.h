/*
 * job.h - the side of the reader: what a confined process does for dtrace.
 *
 * A job is a row: its name, what to load before rights are given up, and who answers.  The table of
 * jobs is in cmd/jobs.c.
 */
#ifndef SANDBOX_JOB_H
#define SANDBOX_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sandbox/rpc.h"

/* Message types below this belong to the protocol itself. */
enum { RPC_END = 1, RPC_READY, RPC_REFUSED, RPC_FORK, RPC_CPU, RPC_KILL, RPC_FIRST = 16 };

/* The request that is being answered. */
struct request {
	int sock;
	uint32_t type, serial;
	struct rpc_in in;
	/* came along, owned by the request until a job sets it to -1 to keep it; -1: none */
	int fd;
};

/* Sends an answer.  A reader whose asker is gone ends here. */
void answer(const struct request *r, uint32_t type, const struct strbuf *body);

struct job {
	const char *name;
	unsigned calls;     /* system calls beyond CALLS_BASE and CALLS_MESSAGES: see filter.h */
	void (*load)(void); /* libraries, in the spawner, with all rights; may be NULL */
	/* Answers one request by any number of answer().  The end is told by the caller. */
	void (*serve)(struct request *r);
	/* Instead of serve: runs until the socket is closed. */
	void (*run)(int sock);
};

/*
 * The main program of the spawner: --reader [off] JOB...  @argv: what comes behind --reader.
 * Never returns.
 */
void spawner_main(const struct job *const *jobs, char **argv) __attribute__((noreturn));

#endif
