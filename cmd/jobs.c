/*
 * jobs.c - see jobs.h.  A new job is a new row.
 */
#include "cmd/jobs.h"

#include <stddef.h>

#include "consumer/serve/http_job.h"
#include "procinfo/elf_job.h"

const struct job *const reader_jobs[] = {
	&elf_job,
	&http_job,
	NULL,
};
