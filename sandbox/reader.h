/*
 * reader.h - processes that parse, without rights, what others made: the side that asks.
 *
 * dtrace starts one confined process, the spawner: a new execution of its own binary.  The
 * spawner forks a reader for each job when it is first asked something, and another one if the
 * first dies.  A reader gets bytes and open descriptors, never names of files.  Nothing here
 * needs rights once readers_start() has returned.
 *
 * A reader may be hostile: it parsed hostile bytes.  So answers are checked by who asked, and the
 * death of a reader is an event, not an error of the run.
 */
#ifndef SANDBOX_READER_H
#define SANDBOX_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "sandbox/rpc.h"

/*
 * Readers for this job may be asked for in this run.  Call it before readers_start(), which
 * has the spawner load the libraries of these jobs.  @job: a name in the table of jobs (job.h).
 */
void readers_declare(const char *job);

/* -x confine=off: steps of confinement that fail are skipped. */
void readers_allow_unconfined(void);

/*
 * Starts the spawner unless it runs, and waits until it is confined.  False: it cannot be
 * confined, and @why (may be NULL) has one line that says why.  A second call gives the same
 * answer.
 */
bool readers_start(struct strbuf *why);

/* Ends all readers and the spawner. */
void readers_stop(void);

/* How a request ended. */
enum reader_result {
	READER_ANSWERED, /* answered in full */
	/* the reader died, was too slow, or sent nonsense; another one will be started */
	READER_DIED,
	READER_NONE, /* there are no readers: readers_start() failed, or the spawner is gone */
};

struct reader;

/* A reader for @job.  No process is started before the first request.  Free with reader_free(). */
struct reader *reader_new(const char *job);
void reader_free(struct reader *r);

/*
 * The number of the reader's present process, counted from 1; 0: there is none.  A change tells
 * that the present one knows nothing of what earlier ones were given.
 */
unsigned reader_generation(const struct reader *r);

/* Called for each answer with its body.  False: the answer is malformed. */
typedef bool answer_fn(void *ctx, uint32_t type, struct rpc_in *in);

/*
 * Sends request @type with @body (may be NULL: empty) and, if it is not -1, the descriptor @fd,
 * which the caller keeps.  Calls @fn (may be NULL) for each answer until the reader says that there
 * are no more.  A request may take READER_CPU_S seconds of processor and READER_WAIT_S seconds
 * in all.
 */
enum reader_result reader_ask(struct reader *r, uint32_t type, const struct strbuf *body, int fd,
			      answer_fn *fn, void *ctx);

#define READER_CPU_S 5u
#define READER_WAIT_S 20u

/*
 * Starts the reader's process, for jobs that answer to others than us: those with a function run.
 * They have no limit of processor time.  Returns the socket to it, owned by the reader, or -1.
 */
int reader_socket(struct reader *r);

/* Ends the reader's process, if there is one.  What is asked next starts another one. */
void reader_end(struct reader *r);

#endif
