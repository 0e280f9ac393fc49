/* jobs.c - the table of the jobs of readers. To add a job, add a row. */
#include "cmd/jobs.h"

#include <stddef.h>

#include "consumer/serve/http_job.h"
#include "procinfo/elf_job.h"

const struct job *const reader_jobs[] = {
	&elf_job,
	&http_job,
	NULL,
};
