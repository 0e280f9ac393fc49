/*
 * http_job.h - the job "http" of a reader, a confined process (sandbox/job.h). It answers GET
 * /metrics with the newest text from dtrace.
 */
#ifndef CONSUMER_SERVE_HTTP_JOB_H
#define CONSUMER_SERVE_HTTP_JOB_H

#include "sandbox/job.h"

extern const struct job http_job;

#endif
