/*
 * census.h - finds out which hosts a run is for, when some of them are behind relays.
 *
 * The inventory of a server has the relays, but not the hosts of their sites. A viewer that divides
 * the hosts into parts (rollout.h), or limits their number, asks the relays first. Its request has
 * the head "census", whose value is the seed of target_share(). Hosts ignore such a request. A
 * relay answers with the share of each expected host that the target selects (the number that
 * target_share() returns):
 *
 *	"DTFLEET1\n" census run host id epoch sequence version [lacks] "\n"
 *	{ share, 8 bytes, big endian }
 *
 * The shares are sorted. A relay passes the request on if its site has relays too, and its answer
 * includes theirs. An answer with the head "lacks" is not complete; the value says why. The subject
 * is that of a report, so each answer replaces the relay's previous one.
 */
#ifndef FLEET_VIEWER_CENSUS_H
#define FLEET_VIEWER_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct inventory;
struct net_message;
struct report_key;

enum { CENSUS_S = 60 }; /* a viewer waits for the answers of relays for this time, in seconds */

/* A relay that is expected to answer. */
struct census_relay {
	char *host, *id;     /* name and ID; @id is "" for a relay that has never registered */
	uint64_t sequence;   /* number of its newest answer; 0 if it has not answered */
	struct strbuf lacks; /* why its answer is not complete, safe to print; or empty */
	VEC(uint64_t) shares;
};

struct census {
	VEC(uint64_t) own; /* shares of the hosts in the inventory; the others are behind relays */
	VEC(struct census_relay) relays;
};

/*
 * Takes the expected hosts that @target selects, and the relays to ask, from the inventory. @seed
 * is the seed of target_share(). Hosts with the same name in the inventory count as one. The caller
 * calls census_release().
 */
void census_begin(struct census *c, const struct inventory *in, const char *target,
		  const char *seed);
void census_release(struct census *c);

/*
 * Takes a message as an answer of a relay to the request @run. Checks that it is signed by the
 * relay's known key (@in). Ignores messages that are no such answer, and answers that are older
 * than the previous one. Returns whether the answer was taken.
 */
bool census_receive(struct census *c, struct inventory *in, const char *run,
		    const struct net_message *m);

/* Returns whether all relays have given complete answers. */
bool census_is_complete(const struct census *c);

/* Appends a line "RELAY: why" for each relay without a complete answer. */
void census_lacks(const struct census *c, struct strbuf *out);

/*
 * Returns a new sorted array of the shares of all hosts, and stores their number in @n. Hosts
 * behind different relays may have the same name and so the same share; the array has the share of
 * each of them. The caller frees the array with xfree().
 */
uint64_t *census_shares(const struct census *c, size_t *n);

/*
 * Appends a relay's answer with the number @sequence: the shares of @c. @lacks is another reason,
 * besides those of census_lacks(), why the shares are not complete, or NULL. Omits the shares if
 * the answer would have more than @max bytes; @max may be 0 for no limit.
 */
void census_write(const struct census *c, const char *run, const struct report_key *key,
		  uint64_t sequence, const char *version, const char *lacks, uint64_t max,
		  struct strbuf *out);

#endif
