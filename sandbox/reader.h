/*
 * reader.h - dtrace's side: asks confined processes (readers) to parse input from others.
 *
 * dtrace starts one confined process, the spawner, by executing its own binary again. The spawner
 * forks a process for each struct reader on the first request, and again if that process dies. A
 * reader receives bytes and open descriptors, never file names. After readers_start(), no function
 * here needs rights.
 *
 * Hostile input may exploit a bug in a reader and control it. So callers must check all answers,
 * and the death of a reader does not end the run.
 */
#ifndef SANDBOX_READER_H
#define SANDBOX_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sandbox/rpc.h"

/*
 * Declares that this run may use readers for @job, a name in the table of jobs (job.h). Call this
 * function before readers_start(), because the spawner loads the libraries of all declared jobs at
 * its start.
 */
void readers_declare(const char *job);

/* Implements -x confine=off: the spawner ignores steps of confinement that fail. */
void readers_allow_unconfined(void);

/*
 * Starts the spawner on the first call, and waits until it is confined. Returns false if that
 * fails, and appends one line with the reason to @why (may be NULL). Later calls return the same
 * result.
 */
bool readers_start(struct strbuf *why);

/* Ends all readers and the spawner. */
void readers_stop(void);

/* Result of a request. */
enum reader_result {
	READER_ANSWERED, /* all answers were received */
	/*
	 * The reader died, was too slow, or sent an invalid answer. The next request starts another
	 * reader.
	 */
	READER_DIED,
	READER_NONE, /* there are no readers: readers_start() failed, or the spawner has died */
};

struct reader;

/*
 * Makes a reader for @job, which the caller frees with reader_free(). The process is started on the
 * first request.
 */
struct reader *reader_new(const char *job);

/* Ends the process of @r and frees @r, which may be NULL. */
void reader_free(struct reader *r);

/*
 * Returns the generation of the reader's process: 1 for the first process, 2 for the process that
 * replaced it, and so on. Returns 0 if no process runs. A new process does not have the data that
 * was sent to the previous one.
 */
unsigned reader_generation(const struct reader *r);

/*
 * Function that is called for each answer, with the answer's type and body. Returns false if the
 * answer is malformed.
 */
typedef bool answer_fn(void *ctx, uint32_t type, struct rpc_in *in);

/*
 * Sends a request and waits until all answers have arrived. @body may be NULL for an empty body.
 * @fd is a descriptor to send with the request, or -1; the caller still closes @fd. Calls @fn,
 * which may be NULL, for each answer. A request may use READER_CPU_S seconds of CPU time and
 * READER_WAIT_S seconds of real time.
 */
enum reader_result reader_ask(struct reader *r, uint32_t type, const struct strbuf *body, int fd,
			      answer_fn *fn, void *ctx);

#define READER_CPU_S 5u
#define READER_WAIT_S 20u

/*
 * Starts the reader's process for a job with a function run() (job.h). Such a process may answer
 * clients other than dtrace, and its CPU time is not limited. Returns a socket to the process,
 * which the reader owns, or -1.
 */
int reader_socket(struct reader *r);

/* Kills the reader's process, if one runs. The next request starts another one. */
void reader_end(struct reader *r);

#endif
