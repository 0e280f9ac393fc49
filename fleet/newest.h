/* newest.h - keeps the newest message of each host, whatever the order and number of messages. */
#ifndef FLEET_NEWEST_H
#define FLEET_NEWEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

enum phase { PHASE_ASKED, PHASE_TRACING, PHASE_ENDED, PHASE_REFUSED };

/* Why a run ended on a host. Only after END_DONE and END_ASKED is its result whole. */
enum end {
	END_NONE,   /* it has not ended */
	END_DONE,   /* its time or its capture was over, or its program called exit(0) */
	END_ASKED,  /* its viewer ended it */
	END_POLICY, /* it exceeded a bound of the policy */
	END_LEASE,  /* the server was away for too long */
	END_LATE,   /* dtrace did not end in time */
	END_SIGNAL, /* a signal ended dtrace */
	END_FAILED, /* dtrace had another status than 0 */
	END_KEEPER, /* the keeper was killed */
};

/* A host's report on a run. Snapshots are cumulative, so the last one has everything. */
struct host_state {
	char *host;
	/* time when the run began on the host, and number of the report; 0: no report yet */
	uint64_t epoch, sequence;
	enum phase phase;
	uint64_t matched; /* number of probes */
	uint64_t out;     /* bytes of output on the host */
	uint64_t unsent;  /* bytes of output that the server does not have yet */
	uint64_t shown;   /* bytes of output that were shown */
	bool odd;         /* its snapshot is from another program than most others */
	enum end end;
	char *version;       /* of its dtrace-fleet, safe to print; NULL: it sent none */
	struct strbuf lacks; /* why its report has no snapshot, or an old one; empty: it is whole */
	struct strbuf bad;   /* why its snapshot cannot be read; empty: it can */
	uint64_t lost;       /* bytes of output that were lost before byte @shown */
	uint64_t heard;      /* time of the last message, ns; shows silent hosts */
	uint64_t blank;      /* empty lines of output that nothing follows yet */
	struct strbuf line;  /* output after the last line end */
	struct strbuf errors;   /* errors, as dtrace printed them */
	struct strbuf snapshot; /* aggregation file; empty: none yet */
	uint32_t naggs;         /* number of aggregations in it; 0 also if the program has none */
	bool lossy;             /* the file reports losses */
};

struct hosts {
	VEC(struct host_state *) v; /* sorted by name */
	uint64_t stale;             /* messages that arrived after a newer one */
};

/* Returns the state of @host, owned by @h; makes an empty one if necessary. */
struct host_state *hosts_get(struct hosts *h, const char *host);

/*
 * Takes over a host's message if it is well formed and newer than the current one. @host is the
 * host in the message's subject, and the message must name the same; @run is the expected run.
 * Returns whether anything is new.
 */
bool hosts_receive(struct hosts *h, const char *run, const char *host, const void *data,
		   size_t size);

/*
 * Appends complete lines of a host's output, which starts at byte @offset, to @out, each after the
 * host's name. Omits lines that were shown before. Omits empty lines at the very end, because
 * dtrace ends a line when it is interrupted. Returns false if earlier output is missing and must be
 * read again.
 */
bool hosts_lines(struct hosts *h, const char *host, uint64_t epoch, uint64_t offset, const char *p,
		 size_t n, struct strbuf *out);

/*
 * The missing output before byte @offset is lost: writes a line about that to @out, and continues
 * at @offset.
 */
void hosts_lost(struct hosts *h, const char *host, uint64_t epoch, uint64_t offset,
		struct strbuf *out);

/* Appends incomplete lines, after the last output. */
void hosts_last_lines(struct hosts *h, struct strbuf *out);

/*
 * If hosts have different numbers of probes, appends a line "HOST and N more: K probes" for each
 * number K. Ignores hosts without a snapshot.
 */
void hosts_matched(const struct hosts *h, struct strbuf *out);

void hosts_release(struct hosts *h);

/* Returns the word for a phase in messages and for users. */
const char *phase_name(enum phase p);

/* Returns the word for an end in messages. */
const char *end_name(enum end e);

/* Finds the end with this name. Returns false if there is none. */
bool end_find(const char *name, enum end *e);

#endif
