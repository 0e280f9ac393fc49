/*
 * resolver.h - names of hosts and services, for %I and %P with -x resolve.
 */
#ifndef CONSUMER_VALUES_RESOLVER_H
#define CONSUMER_VALUES_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

/* A cache of names.  All zero at first. */
struct resolver {
	struct aggtab host; /* names by address; 0 if an address has none */
	uint64_t resume;    /* no query before this time, now_monotonic() */
};

/* Frees all names. */
void resolver_release(struct resolver *n);

/*
 * Returns the name of the host with the address @addr, a text of @len bytes, or NULL.
 *
 * A query to the name service blocks the run.  After a slow query, this function answers from the
 * cache alone for a while, so that slow queries take a tenth of the time at most.  The name is
 * valid until the next call.
 */
const char *resolver_host(struct resolver *n, const char *addr, size_t len);

/* Returns the name of the service at @port of any protocol, or NULL; see getservbyport(3). */
const char *resolver_service(uint16_t port);

#endif
