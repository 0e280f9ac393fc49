/* agent.h - dtrace-fleet agent: runs requests on this host and reports their output. */
#ifndef FLEET_HOST_AGENT_H
#define FLEET_HOST_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/net.h"

struct agent_opts {
	struct net_opts net;
	const char *host;         /* name of this host */
	const char *id;           /* its ID, see identity.h */
	const char *policy;       /* path of the policy */
	const char *labels;       /* path of a file of labels, which need not exist */
	const char *const *label; /* more labels, KEY=VALUE, which replace those of the file */
	size_t nlabel;
	const char *key;     /* path of the host's key, which the agent makes; NULL: in dir */
	const char *dir;     /* folder of the runs */
	const char *dtrace;  /* path of the command */
	const char *metrics; /* file for node_exporter; NULL: none */
	const char *self;    /* path of this program */
	const char *always;  /* folder of programs that always run, which need not exist */
	uint64_t every_ns;   /* interval of their history */
	/* for tests: sends each message twice, and the previous one again, late */
	bool twice;
	bool verbose; /* also log to standard error */
};

/*
 * Runs until SIGTERM or SIGINT. Returns the exit status. Traces continue until their lease ends,
 * and the next agent finds them.
 */
int agent_main(const struct agent_opts *o);

#endif
