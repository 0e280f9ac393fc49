/* run.h - one run on this host: the state in its folder (keeper.h), and the reports on it. */
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
	char *id, *dir; /* @dir is NULL if the run was refused before it had a folder */
	uint64_t until; /* end of the run, in seconds since 1970 */
	/* public key of the request's signer; only set if @dir is not NULL */
	uint8_t key[KEY_SIZE];
	uint64_t epoch; /* when the run began, ns since 1970; 0 if it did not begin */
	uint64_t sequence, matched;
	enum phase phase;
	enum end end;
	char *replay; /* path of the capture, as the request has it; NULL if the run is live */
	struct strbuf errors, snapshot;
	/* why @snapshot is not the newest snapshot; empty if it is the newest */
	struct strbuf lacks;
	uint64_t out, sent; /* bytes of output that dtrace has written, and that the server has */
	bool over;          /* the run has too many keys */
	uint64_t output_sent_at; /* time when output was last sent, ns since boot */
	bool fresh;              /* something has changed since the last report */
	uint64_t reported_at;    /* time of the last report, ns since boot */
	uint64_t reported_on;    /* net_connections() at the last report */
	uint64_t again;          /* time between the last report and its repetition, ns */
	uint64_t agg_ino;        /* inode of the file "agg" when it was last read */
	int64_t agg_ns;          /* time of modification of that file, ns since 1970 */
	pid_t keeper;         /* the keeper, if it is a running child of this agent; otherwise 0 */
	struct strbuf before; /* the previous message, if agent_opts.twice is set */
};

/*
 * Loads the run in folder @dir. Returns NULL if the folder has no run. The caller calls run_free().
 */
struct run *run_load(const char *dir, const char *id);

/* Returns a run that was refused, with the reason @why. */
struct run *run_refused(const char *id, uint64_t until, const char *why);
void run_free(struct run *r);

/*
 * Updates the state of the run from its folder. Ends the run if its aggregations have more than
 * @keys keys.
 */
void run_look(struct run *r, uint64_t keys);

/* Asks the keeper to end the run. @end and @why are the reason. */
void run_stop(struct run *r, enum end end, const char *why);

/*
 * Writes the next report on the run to @out. @host and @id are the name and the ID of this host.
 * Omits the snapshot if the message would exceed @most bytes.
 */
void run_message(struct run *r, const char *host, const char *id, uint64_t most,
		 struct strbuf *out);

#endif
