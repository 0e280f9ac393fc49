/* newest.h - keeps the newest message of each host, in whatever order and number messages come. */
#ifndef FLEET_NEWEST_H
#define FLEET_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum phase { PHASE_ASKED, PHASE_TRACING, PHASE_ENDED, PHASE_REFUSED };

/* A host's report on a run. Snapshots are cumulative, so the last one has everything. */
struct host_state {
	char *host;
	/* when it began there, and what number it is; 0: it has not said anything */
	uint64_t epoch, sequence;
	enum phase phase;
	uint64_t matched;       /* probes */
	uint64_t out;           /* bytes of output that there are */
	uint64_t shown;         /* bytes of it that were shown */
	bool odd;               /* its snapshot is not of the program of most others */
	uint64_t heard;         /* time of the last message, ns: tells silent hosts */
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
 * Takes over a host's message if it is well formed and newer than the present one. @host is the
 * host by the message's subject, and the message must say the same; @run is the expected run. True:
 * something is new.
 */
bool hosts_hear(struct hosts *h, const char *run, const char *host, const void *data, size_t size);

/*
 * A host's output from byte @offset on: appends complete lines to @out, each behind the host's
 * name. Lines that were shown before are left out, and so are empty lines at the very end, since
 * dtrace ends a line when it is interrupted. False: earlier output is missing and must be read
 * again.
 */
bool hosts_lines(struct hosts *h, const char *host, uint64_t epoch, uint64_t offset, const char *p,
		 size_t n, struct strbuf *out);

/*
 * The missing output before byte @offset is lost: writes a line about that to @out, and continues
 * at @offset.
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
