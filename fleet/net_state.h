/* net_state.h - struct net, for the files that call the NATS library: net.c and collect.c. */
#ifndef FLEET_NET_STATE_H
#define FLEET_NET_STATE_H

#include <nats/nats.h>

#define API_DEFAULT "$JS.API"

struct net {
	natsOptions *opts;
	natsConnection *conn;
	jsCtx *js;
	char *inbox;     /* net_opts.inbox */
	const char *api; /* prefix of requests about consumers: either API_DEFAULT or other_api */
	const char *other_api; /* net_opts.api */
};

#endif
