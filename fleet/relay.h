/*
 * relay.h - dtrace-fleet relay: merges the answers of a site's hosts, and passes them on as one.
 *
 * A site has a server of its own. The relay is a client of that server and of an upper one. It
 *passes requests down unchanged, so that hosts check their signatures. To the upper server it is a
 *host whose snapshot is the sum of its hosts' snapshots. Its reports also have
 *
 *	members   the verdicts on its hosts, as verdicts_write() writes them
 *
 * The upper server may be that of another relay. Reports of a relay that is started again replace
 * those that it has sent before.
 */
#ifndef FLEET_RELAY_H
#define FLEET_RELAY_H

#include <stdbool.h>

#include "fleet/net.h"

struct relay_opts {
	struct net_opts upper, site;
	const char *name; /* of the relay: the name of a host on the upper server */
	const char *id;   /* its ID, see identity.h */
	const char *key;  /* file of the key that signs its answers; NULL: a file in @dir */
	const char *dir;  /* folder of that key */
	/*
	 * Wait so many seconds for hosts that have not answered, after the last answer or the end
	 * of the run. A relay of relays must wait longer than these do.
	 */
	uint64_t grace_s;
	bool verbose; /* log to standard error */
};

/* Runs until SIGTERM or SIGINT. Returns the exit status. */
int relay_main(const struct relay_opts *o);

#endif
