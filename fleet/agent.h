/*
 * agent.h - dtrace-fleet agent: does on this host what it is asked, and says what came out.
 */
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
	bool verbose;       /* what goes to the log goes to standard error, too */
};

/*
 * Until SIGTERM or SIGINT; what it traces goes on until its lease is over, for whoever starts it
 * again.
 */
int agent_main(const struct agent_opts *o);

#endif
