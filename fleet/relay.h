/*
 * relay.h - dtrace-fleet relay: merges the answers of a site's hosts, and passes them on as one.
 *
 * A site is a group of hosts with a server of its own. The relay is a client of that server and of
 * an upper server. The relay passes requests from the upper server to the site unchanged, so that
 * the hosts can check the signatures. To the upper server, the relay is a host whose snapshot is
 * the sum of the snapshots of the site's hosts. The reports of a relay have one more head than
 * those of a host:
 *
 *	members   the verdicts on the hosts of the site, as verdicts_write() writes them
 *
 * Relays can form a chain: the upper server may belong to a site that has a relay of its own. When
 * a relay is started again, its reports replace those that it sent before.
 */
#ifndef FLEET_RELAY_H
#define FLEET_RELAY_H

#include <stdbool.h>

#include "fleet/nats/net.h"

struct relay_opts {
	struct net_opts upper, site;
	const char *name; /* name of the relay, which is the name of a host on the upper server */
	const char *id;   /* ID of the relay (identity.h) */
	const char *key;  /* file of the key that signs the answers; NULL for a file in @dir */
	const char *dir;  /* folder of the key if @key is NULL */
	/*
	 * file of the keys of the administrators of the site (admins.h); NULL: all plans of the
	 * site's server count
	 */
	const char *admins;
	const char *fleet; /* name of the fleet */
	/*
	 * Seconds to wait for hosts that have not answered. The time begins again when a host gives
	 * its first answer, and when the run ends. A relay above other relays must wait longer than
	 * these.
	 */
	uint64_t grace_s;
	bool verbose; /* log to standard error */
};

/* Runs until SIGTERM or SIGINT. Returns the exit status. */
int relay_main(const struct relay_opts *o);

#endif
