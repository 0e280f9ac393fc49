/* run.h - one run on this host: its folder, and the reports on it. */
#ifndef FLEET_RUN_H
#define FLEET_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "fleet/newest.h"

struct policy;
struct request;

struct run {
	char *id, *dir; /* dir NULL: it was refused before there was one */
	uint64_t until; /* seconds since 1970 */
	uint64_t epoch, sequence, matched;
	enum phase phase;
	struct strbuf said, snapshot;
	uint64_t out, sent;   /* bytes of output that there are, and that the server has */
	bool over;            /* it had too many keys */
	uint64_t told_out;    /* when output was last said, ns since the machine started */
	bool fresh;           /* something was not reported yet */
	uint64_t told;        /* when it was last said, ns since the machine started */
	uint64_t agg_ino;     /* what agg was when it was last read, */
	int64_t agg_ns;       /* and of when */
	pid_t keeper;         /* our child; 0: somebody else's */
	struct strbuf before; /* the message before the last one, with agent_opts.twice */
};

/* A run of folder @dir, as it is there; NULL: there is no run in it. */
struct run *run_load(const char *dir, const char *id);

/* One that is not to be: @why. */
struct run *run_refused(const char *id, uint64_t until, const char *why);
void run_free(struct run *r);

/* Checks the state of the run; more than @keys keys end it. */
void run_look(struct run *r, uint64_t keys);

/* It is to end. */
void run_stop(struct run *r, const char *why);

/*
 * The next report on the run, from host @host. Omits the snapshot if the message would exceed @most
 * bytes.
 */
void run_message(struct run *r, const char *host, uint64_t most, struct strbuf *out);

#endif
