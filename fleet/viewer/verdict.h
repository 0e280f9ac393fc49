/* verdict.h - finds and reports the missing parts of each host's answer. */
#ifndef FLEET_VIEWER_VERDICT_H
#define FLEET_VIEWER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "fleet/viewer/newest.h"

/* The state of a host's part in a run. Each host has exactly one. */
enum verdict {
	VERDICT_WHOLE,   /* the run has ended on the host, and all results are here */
	VERDICT_RUNNING, /* the run has not ended there yet */
	VERDICT_PARTIAL, /* a part of its results is missing */
	VERDICT_SILENT,  /* it has not answered, or stopped answering before the end */
	VERDICT_REFUSED, /* it did not run the program */
	VERDICT_TWIN,    /* its results are whole, but another host has its name or ID */
	VERDICT_OUT,     /* its results are here, but cannot be added to those of other hosts */
	VERDICTS,
};

struct verdicts {
	size_t n[VERDICTS];
};

/*
 * Judges one host. @silent: no message from it has arrived for the time after which a host counts
 * as silent.
 */
enum verdict verdict_of(const struct host_state *h, bool silent);

/*
 * Counts the verdict @v on @h. A relay counts as its hosts do. If a part of its own answer is
 * missing, that makes one of its whole hosts partial, or all of them left out. If the relay knows
 * no hosts, it then counts as one host itself.
 */
void verdicts_add(struct verdicts *c, const struct host_state *h, enum verdict v);

/* Appends "whole=3,silent=1", which verdicts_read() reads. Omits verdicts that no host has. */
void verdicts_write(const struct verdicts *v, struct strbuf *out);

/* Reads what verdicts_write() has written. Returns false if @text is malformed. */
bool verdicts_read(struct verdicts *v, const char *text);

/* Appends "3 hosts asked: 2 whole, 1 silent". Omits verdicts that no host has, except "whole". */
void verdicts_text(const struct verdicts *v, struct strbuf *out);

/* Returns whether there are hosts, all of them have answered, and all answers are whole. */
bool verdicts_whole(const struct verdicts *v);

/*
 * Appends a line for each part of the host's answer that is missing, without the host's own
 * messages. @version is the version of this program.
 */
void verdict_lines(const struct host_state *h, enum verdict v, const char *version,
		   struct strbuf *out);

/*
 * Marks hosts as odd if their aggregations differ from those of most hosts, so that the others can
 * be added up.
 */
void hosts_find_odd(struct hosts *h);

#endif
