/* agent.h - dtrace-fleet agent: runs requests on this host and reports their output. */
#ifndef FLEET_AGENT_H
#define FLEET_AGENT_H

#include <stdbool.h>

#include "fleet/net.h"

struct agent_opts {
	struct net_opts net;
	const char *host;   /* our name */
	const char *policy; /* a file */
	const char *dir;    /* where runs are kept */
	const char *dtrace; /* the command */
	const char *self;   /* this one */
	bool twice;         /* for tests: each message comes again, and the one before it late */
	bool verbose;       /* log to standard error, too */
};

/*
 * Runs until SIGTERM or SIGINT. Its traces go on until their lease is over, for the next agent to
 * find.
 */
int agent_main(const struct agent_opts *o);

#endif
