/*
 * net_state.h - struct net, for the files that call the NATS library: net.c, collect.c and
 * direct.c.
 */
#ifndef FLEET_NET_STATE_H
#define FLEET_NET_STATE_H

#include <nats/nats.h>

#include "fleet/net.h"

#define API_DEFAULT "$JS.API"

struct net {
	natsOptions *opts;
	natsConnection *conn;
	jsCtx *js;
	char *inbox;     /* net_opts.inbox */
	const char *api; /* prefix of requests to JetStream: either API_DEFAULT or other_api */
	const char *other_api; /* net_opts.api */
};

/*
 * Reads the answer to JetStream's direct get. Returns false if the answer has no message. The
 * strings in @m borrow from @msg.
 */
bool direct_message(natsMsg *msg, struct net_message *m);

#endif
