/*
 * resolver.c - finds the names of hosts and services, for %I and %P with -x resolve.
 *
 * A query to the name service may take seconds, and the run waits for the answer. So an address is
 * queried only once while it is in the cache. After a slow query of duration t, no query is made
 * for 9 * t.
 */
#include "consumer/values/resolver.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>

#include "base/clock.h"

enum {
	CACHE_MAX = 16384,  /* maximum number of addresses; a full cache is emptied */
	SLOW_NS = 50000000, /* a query that takes longer than this is slow */
	REST = 9,           /* pause after a slow query, as a multiple of the query's duration */
};

static bool ask(const char *addr, char *name, size_t size)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST}, *ai;
	int err = getaddrinfo(addr, NULL, &hints, &ai);

	if (err)
		return false;
	err = getnameinfo(ai->ai_addr, ai->ai_addrlen, name, (socklen_t)size, NULL, 0, NI_NAMEREQD);
	freeaddrinfo(ai);
	return !err;
}

const char *resolver_host(struct resolver *n, const char *addr, size_t len)
{
	char text[64], name[NI_MAXHOST];
	uint64_t from = now_monotonic(), took;
	struct agg_row *row;

	if (len >= sizeof(text))
		return NULL;
	row = aggtab_find(&n->host, addr, (uint32_t)len);
	if (row)
		return (const char *)(uintptr_t)*agg_row_val(row);
	if (from < n->resume)
		return NULL;
	if (n->host.row.n >= CACHE_MAX)
		aggtab_release(&n->host);
	memcpy(text, addr, len);
	text[len] = '\0';
	row = aggtab_get(&n->host, addr, (uint32_t)len, sizeof(uint64_t));
	if (ask(text, name, sizeof(name)))
		*agg_row_val(row) = (uintptr_t)arena_memdup(&n->host.mem, name, strlen(name) + 1);
	took = now_monotonic() - from;
	if (took > SLOW_NS)
		n->resume = from + (REST + 1) * took;
	return (const char *)(uintptr_t)*agg_row_val(row);
}

const char *resolver_service(uint16_t port)
{
	const struct servent *se = getservbyport(htons(port), NULL);

	return se ? se->s_name : NULL;
}

void resolver_release(struct resolver *n)
{
	aggtab_release(&n->host);
}
