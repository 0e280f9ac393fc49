/* agent.h - dtrace-fleet agent: runs requests on this host and reports their output. */
#ifndef FLEET_HOST_AGENT_H
#define FLEET_HOST_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/nats/net.h"

struct agent_opts {
	struct net_opts net;
	const char *host;   /* name of this host */
	const char *id;     /* ID of this host (identity.h) */
	const char *policy; /* path of the policy */
	const char *labels; /* path of a file of labels, which need not exist */
	/* more labels "KEY=VALUE"; each replaces the label with the same key in the file */
	const char *const *label;
	size_t nlabel;
	/* file of the host's key, which the agent makes; NULL for a file in @dir */
	const char *key;
	const char *dir;     /* folder for the files of the agent and its runs */
	const char *dtrace;  /* path of the dtrace command */
	const char *metrics; /* file that the agent writes for node_exporter, or NULL for none */
	const char *self;    /* path of this program */
	const char *always;  /* folder of programs that always run, which need not exist */
	uint64_t every_ns;   /* interval of the history of these programs, ns */
	/* For tests: the agent sends each message twice, and also repeats the message before it. */
	bool twice;
	bool verbose; /* also log to standard error */
};

/*
 * Runs the agent until SIGTERM or SIGINT. Returns the exit status. The host's runs continue until
 * their lease ends (keeper.h). If an agent starts before their lease ends, it takes them over.
 */
int agent_main(const struct agent_opts *o);

#endif
