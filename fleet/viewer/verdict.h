/* verdict.h - judges whether the answer of each host is complete, and reports missing parts. */
#ifndef FLEET_VIEWER_VERDICT_H
#define FLEET_VIEWER_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include "fleet/viewer/newest.h"

/* The viewer's verdict about a host's answer to a run. Each host has exactly one verdict. */
enum verdict {
	VERDICT_WHOLE,   /* the run has ended on the host, and all results are here */
	VERDICT_RUNNING, /* the run has not ended on the host yet */
	VERDICT_PARTIAL, /* a part of the host's results is missing */
	VERDICT_SILENT,  /* the host has not answered, or stopped answering before the end */
	VERDICT_REFUSED, /* the host did not run the program */
	VERDICT_TWIN,    /* the results are whole, but another host has the same name or ID */
	VERDICT_OUT, /* the results cannot be added to those of other hosts, or are not signed */
	VERDICTS,
};

/* How many hosts have each verdict. */
struct verdicts {
	size_t n[VERDICTS]; /* number of hosts, indexed by enum verdict */
};

/*
 * Judges one host. @silent is true if the run has not ended on the host, but no more answers are
 * expected: the host has sent nothing for too long, or the viewer does not wait for it any more.
 */
enum verdict verdict_of(const struct host_state *h, bool silent);

/*
 * Adds the verdict @v on @h to @c. If @h is a relay, adds the verdicts on the relay's hosts
 * instead, with these exceptions:
 * - If @v is VERDICT_OUT, all of the relay's hosts count as left out.
 * - If @v is VERDICT_PARTIAL and all of the relay's hosts are whole, one of them counts as partial.
 * - The relay itself counts as one host if it is silent, refused or a twin, or if it knows no hosts
 *   and its answer is incomplete.
 */
void verdicts_add(struct verdicts *c, const struct host_state *h, enum verdict v);

/*
 * Appends a text such as "whole=3,silent=1", which verdicts_read() reads. Omits verdicts that no
 * host has.
 */
void verdicts_write(const struct verdicts *v, struct strbuf *out);

/* Parses a text that verdicts_write() has written. Returns false if @text is malformed. */
bool verdicts_read(struct verdicts *v, const char *text);

/*
 * Appends a text such as "3 hosts asked: 2 whole, 1 silent". Omits verdicts that no host has,
 * except "whole".
 */
void verdicts_text(const struct verdicts *v, struct strbuf *out);

/* Returns whether @v has at least one verdict, and all of its verdicts are VERDICT_WHOLE. */
bool verdicts_whole(const struct verdicts *v);

/*
 * Appends a line for each reason why the host's answer is not whole. Omits the host's own messages.
 * @version is the version of this program.
 */
void verdict_lines(const struct host_state *h, enum verdict v, const char *version,
		   struct strbuf *out);

/* Returns whether the host's snapshot has aggregations, and is not left out of the total. */
bool host_counts(const struct host_state *h);

/*
 * Marks hosts as odd if their aggregations differ from those of most hosts, so that the viewer can
 * add up the other hosts.
 */
void hosts_find_odd(struct hosts *h);

#endif
