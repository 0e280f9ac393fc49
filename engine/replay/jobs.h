/*
 * jobs.h - replays one capture on several CPUs.
 *
 * If a program only aggregates and prints, packets do not depend on each other. Then the file is
 * divided into as many chunks as there are jobs (processes), and each job replays one chunk into
 * its own aggregations. The values of a job look like the values of one more CPU, so the consumer
 * adds them up as it does for the CPUs of a kernel. The records of a job wait, with their times,
 * until all earlier chunks have been merged. The start of a chunk is a guess, which is right if the
 * previous chunk ends there.
 *
 * If a chunk cannot be merged, this process replays the packets from that chunk on. The reasons
 * are, for example, a wrong guess, times that go back, a fragment, a fault, an interface that is
 * described in the middle of the file, and too many records. So the output does not depend on the
 * number of jobs.
 */
#ifndef ENGINE_REPLAY_JOBS_H
#define ENGINE_REPLAY_JOBS_H

#include <stdbool.h>
#include <stdint.h>

struct diag;
struct jobs;
struct replay;
struct record_sink;

/*
 * Starts the processes for @r->prog, before the capture is opened. r->opts.jobs is their maximum
 * number, or 0 for up to one process per CPU if the file is large. The processes wait for
 * jobs_wait(). Returns NULL if this process must replay the whole file, because the work cannot be
 * divided or the processes cannot be started.
 */
struct jobs *jobs_start(struct replay *r);

/*
 * Returns the number of jobs. A key of an aggregation has one more value than there are jobs: the
 * first is the value of r->vm, and the others are the values of the jobs.
 */
uint32_t jobs_count(const struct jobs *j);

enum jobs_state {
	JOBS_RUNNING, /* some jobs are still running; call jobs_wait() again */
	JOBS_DONE,
	JOBS_REST,      /* this process must replay the packets from jobs_rest_offset() on */
	JOBS_NONE_DONE, /* this process must replay all packets */
};

/*
 * Waits up to 200 ms for the jobs and merges their results. The first call starts the jobs with the
 * globals of r->vm. Delivers the records of the jobs to @k. During the delivery of a record, the
 * clock of @r has the time at which the job wrote the record.
 */
enum jobs_state jobs_wait(struct jobs *j, struct replay *r, struct record_sink *k);

/*
 * Returns the file offset of the first packet that the jobs left, and stores in *@packets the
 * number of packets before it.
 */
uint64_t jobs_rest_offset(const struct jobs *j, uint64_t *packets);

/*
 * Stops all jobs. Merges the chunks up to the first unfinished one, with the results that its job
 * has so far.
 */
void jobs_stop(struct jobs *j, struct replay *r, struct record_sink *k);

/*
 * Work like map_each() and percpu() of source_ops, over the values of r->vm and of the merged jobs.
 */
int jobs_map_each(struct jobs *j, struct replay *r, uint32_t map,
		  bool (*fn)(void *ctx, const void *key, const void *value), void *ctx);
const void *jobs_percpu(struct jobs *j, struct replay *r);

/* Stores the packets and bytes that all jobs have read. */
void jobs_progress(const struct jobs *j, uint64_t *packets, uint64_t *bytes);

/* Frees @j and ends its processes. @j may be NULL. */
void jobs_free(struct jobs *j, const struct replay *r);

#endif
