/* verdict.h - judges which part of each host's answer is missing, and says so. */
#ifndef FLEET_VERDICT_H
#define FLEET_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "fleet/newest.h"

/* What is known of a host's part in a run. Each host has exactly one. */
enum verdict {
	VERDICT_WHOLE,   /* the run has ended there, and all of its results are here */
	VERDICT_RUNNING, /* it has not ended yet */
	VERDICT_PARTIAL, /* something of its results is missing */
	VERDICT_SILENT,  /* it has not answered, or stopped answering before the end */
	VERDICT_REFUSED, /* it did not run the program */
	VERDICT_TWIN,    /* it is whole, and another host has its name or ID */
	VERDICT_OUT,     /* its results are here, and cannot be added to the others' */
	VERDICTS,
};

struct verdicts {
	size_t n[VERDICTS];
};

/* Judges one host. @silent: no message of it has come for longer than it takes. */
enum verdict verdict_of(const struct host_state *h, bool silent);

/* Appends "3 hosts asked: 2 whole, 1 silent". Leaves out verdicts of no host, except "whole". */
void verdicts_text(const struct verdicts *v, struct strbuf *out);

/* Returns whether all hosts have answered and all answers are whole, and there is one. */
bool verdicts_whole(const struct verdicts *v);

/*
 * Appends a line for each part of the host's answer that is missing, without the host's own
 * messages. @version is the version of this program.
 */
void verdict_lines(const struct host_state *h, enum verdict v, const char *version,
		   struct strbuf *out);

#endif
