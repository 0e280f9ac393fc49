/* resolver.h - finds the names of hosts and services, for %I and %P with -x resolve. */
#ifndef CONSUMER_VALUES_RESOLVER_H
#define CONSUMER_VALUES_RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "agg/table.h"

/* A cache of names. All members are zero at first. */
struct resolver {
	struct aggtab host; /* names by address; a value of 0 means that the address has no name */
	uint64_t resume;    /* no query is made before this time, by now_monotonic() */
};

/* Frees all names. */
void resolver_release(struct resolver *n);

/*
 * Returns the name of the host whose address is @addr, a text of @len bytes. Returns NULL if the
 * name is not known.
 *
 * A query to the name service blocks the run. After a slow query, this function uses only the cache
 * for a while, so that slow queries take at most a tenth of the time. The result is valid until the
 * next call.
 */
const char *resolver_host(struct resolver *n, const char *addr, size_t len);

/*
 * Returns the name of the service at @port with any protocol (getservbyport(3)), or NULL if there
 * is none.
 */
const char *resolver_service(uint16_t port);

#endif
