/*
 * resolver.h - names of hosts and services, for %I and %P with -x resolve.
 */
#ifndef CONSUMER_VALUES_RESOLVER_H
#define CONSUMER_VALUES_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

/* What was asked for before.  All zero: nothing. */
struct resolver {
	struct aggtab host;
	uint64_t resume; /* not before then is anybody asked: ns */
};

void resolver_release(struct resolver *n);

/*
 * The name of the host with the address @addr, of @len bytes; NULL: it has none, or none
 * that can be had without holding the events up for long.  Valid until the next call.
 */
const char *resolver_host(struct resolver *n, const char *addr, size_t len);

/* The service at @port, of any protocol; NULL: none. */
const char *resolver_service(uint16_t port);

#endif
