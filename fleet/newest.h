/*
 * newest.h - of all that was heard of a host the newest counts, however often and in which order it
 * came.
 */
#ifndef FLEET_NEWEST_H
#define FLEET_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum phase { PHASE_ASKED, PHASE_TRACING, PHASE_ENDED, PHASE_REFUSED };

/* What a host says of a run.  Snapshots are cumulative, so the last one says all. */
struct host_state {
	char *host;
	/* when it began there, and what number it is; 0: it has not said anything */
	uint64_t epoch, sequence;
	enum phase phase;
	uint64_t matched;       /* probes */
	uint64_t out;           /* bytes of output that there are */
	uint64_t shown;         /* bytes of it that were shown */
	bool odd;               /* its snapshot is not of the program of most others */
	uint64_t heard;         /* when, ns: for whoever wants to know who is silent */
	uint64_t blank;         /* lines without anything, behind which nothing came yet */
	struct strbuf line;     /* output that has no end of its line yet */
	struct strbuf said;     /* errors, in dtrace's words */
	struct strbuf snapshot; /* a file of aggregations; empty: none yet */
	uint32_t naggs;         /* how many are in it: 0 of a program that has none, too */
	bool lossy;             /* it says that something was lost */
};

struct hosts {
	VEC(struct host_state *) v; /* by name */
	uint64_t stale;             /* messages that something newer had come before */
};

/* That of @host, made if there is none yet. */
struct host_state *hosts_get(struct hosts *h, const char *host);

/*
 * A host's message: takes it over if it is newer than what is there and well formed.  @host is
 * whose subject it came by, and it must say the same; @run is which run is meant.  True: something
 * is new.
 */
bool hosts_hear(struct hosts *h, const char *run, const char *host, const void *data, size_t size);

/*
 * A host's output from byte @offset on: appends the lines that are complete to @out, each behind
 * the host's name. What was shown before is left out, and so are empty lines at the end of it all,
 * since dtrace ends a line when it is interrupted.  False: something before it is missing, and it
 * must be heard again.
 */
bool hosts_lines(struct hosts *h, const char *host, uint64_t epoch, uint64_t offset, const char *p,
		 size_t n, struct strbuf *out);

/*
 * What is missing before byte @offset will not come any more: that is said in @out, and @offset is
 * where it goes on.
 */
void hosts_lost(struct hosts *h, const char *host, uint64_t epoch, uint64_t offset,
		struct strbuf *out);

/* Nothing comes any more: the lines that have not ended. */
void hosts_last_lines(struct hosts *h, struct strbuf *out);

/*
 * Where the program has more or fewer probes than elsewhere, "HOST and N more: K probes" for each
 * K, a line each. Nothing if it has as many everywhere.  Hosts without a snapshot are not looked
 * at.
 */
void hosts_matched(const struct hosts *h, struct strbuf *out);

void hosts_release(struct hosts *h);

/* The words for phases, in messages and to people. */
const char *phase_name(enum phase p);

#endif
