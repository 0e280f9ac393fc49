/*
 * jobs.h - one capture on several CPUs.
 *
 * Where all that a program does with packets is to aggregate and to print, none has to do with
 * another.  Then the file is divided in as many chunks as there are jobs, and each is replayed
 * by a process of its own, into aggregations of its own, which at the end are one CPU's more: the
 * consumer adds up as it does with the kernel's.  Records are kept with their time until it is the
 * chunk's turn.  Where a chunk begins is guessed; that it is where the one before ends proves
 * the guess.
 *
 * Where something does not fit (a guess that was wrong, times that go back, a fragment, a fault, an
 * interface that is described in the middle, too many records ...) the packets from that chunk on
 * are replayed in one go.  So the output is the same, whatever the number of jobs.
 */
#ifndef REPLAY_JOBS_H
#define REPLAY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct jobs;
struct replay;
struct record_sink;

/*
 * Starts the processes for @r->prog, before anything of the capture is open: NULL if it cannot be
 * divided (r->opts.jobs: how many at most; 0: one a CPU, where the file is large).  They wait for
 * jobs_wait().
 */
struct jobs *jobs_start(struct replay *r);

/* How many; the values of the aggregations are of one CPU more: the first is r->vm's. */
uint32_t jobs_count(const struct jobs *j);

enum jobs_state {
	JOBS_RUNNING, /* for a second, or a signal came: ask again */
	JOBS_DONE,
	JOBS_REST, /* the packets from jobs_rest_offset() on are left to replay as usual; it ends */
	JOBS_NONE_DONE, /* all are: nothing was done */
};

/*
 * The first call sets them going, with r->vm's globals as they are.  Records go to @k, at r's time.
 */
enum jobs_state jobs_wait(struct jobs *j, struct replay *r, struct record_sink *k);

/* Where in the file the rest begins, and how many packets are before it. */
uint64_t jobs_rest_offset(const struct jobs *j, uint64_t *packets);

/* They end where they are; what they have until then counts. */
void jobs_stop(struct jobs *j, struct replay *r, struct record_sink *k);

/* As the source_ops of these names, with the values of r->vm. */
int jobs_map_each(struct jobs *j, struct replay *r, uint32_t map,
		  bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);
const void *jobs_percpu(struct jobs *j, struct replay *r);

/* How far they are, together. */
void jobs_progress(const struct jobs *j, uint64_t *packets, uint64_t *bytes);

/* NULL is none. */
void jobs_free(struct jobs *j, const struct replay *r);

#endif
