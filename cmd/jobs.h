/*
 * jobs.h - the jobs that readers do: see sandbox/job.h.
 */
#ifndef CMD_JOBS_H
#define CMD_JOBS_H

#include "sandbox/job.h"

/* All of them, with NULL behind the last. */
extern const struct job *const reader_jobs[];

#endif
