/*
 * jobs.h - the jobs of readers, the confined processes of this command (sandbox/job.h).
 */
#ifndef CMD_JOBS_H
#define CMD_JOBS_H

#include "sandbox/job.h"

/* All jobs.  NULL ends the list. */
extern const struct job *const reader_jobs[];

#endif
