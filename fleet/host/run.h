/* run.h - one run on this host: its folder, and the reports on it. */
#ifndef FLEET_HOST_RUN_H
#define FLEET_HOST_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "fleet/viewer/newest.h"
#include "fleet/host/policy.h"

struct request;

struct run {
	char *id, *dir;        /* dir NULL: refused before it had a folder */
	uint64_t until;        /* seconds since 1970 */
	uint8_t key[KEY_SIZE]; /* public key of the request's signer; set only with dir */
	uint64_t epoch;        /* when it began, ns since 1970; 0: it was refused before */
	uint64_t sequence, matched;
	enum phase phase;
	enum end end;
	struct strbuf errors, snapshot;
	struct strbuf lacks;     /* why snapshot is not the newest; empty: it is */
	uint64_t out, sent;      /* bytes of output; bytes that the server has */
	bool over;               /* it has too many keys */
	uint64_t output_sent_at; /* time when output was last sent, ns since boot */
	bool fresh;              /* something was not reported yet */
	uint64_t reported_at;    /* time of the last report, ns since boot */
	uint64_t reported_on;    /* net_connections() at the last report */
	uint64_t again;          /* time to the next repetition of the report, ns */
	uint64_t agg_ino;        /* inode of agg when it was last read, */
	int64_t agg_ns;          /* and its time of modification */
	pid_t keeper;            /* running child process; 0: this agent has none for the run */
	struct strbuf before;    /* with agent_opts.twice: the previous message */
};

/* Loads the run in folder @dir. Returns NULL if there is none. The caller calls run_free(). */
struct run *run_load(const char *dir, const char *id);

/* Returns a run that was refused, with the reason @why. */
struct run *run_refused(const char *id, uint64_t until, const char *why);
void run_free(struct run *r);

/* Updates the state of the run from its folder. Ends the run if it has more than @keys keys. */
void run_look(struct run *r, uint64_t keys);

/* Requests the end of the run; @end and @why are the reason. */
void run_stop(struct run *r, enum end end, const char *why);

/*
 * Writes the next report on the run, from host @host with ID @id. Omits the snapshot if the message
 * would exceed @most bytes.
 */
void run_message(struct run *r, const char *host, const char *id, uint64_t most,
		 struct strbuf *out);

#endif
