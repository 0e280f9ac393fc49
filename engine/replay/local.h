/*
 * local.h - whose events a capture shows: what -x local= says.
 *
 *	(not given)       every host is this host: each packet is sent and received
 *	auto              the file says of each packet which way it went
 *	                  (an interface: its addresses are local, see iface_addrs.h)
 *	ADDR[/N],...      only these are local: a packet is sent if its source is
 *	                  among them and received if its destination is
 *
 * Frames without an IP header have no address; they count as both.
 */
#ifndef REPLAY_LOCAL_H
#define REPLAY_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/prefix.h"
#include "base/vec.h"

struct diag;

enum local_mode { LOCAL_ALL, LOCAL_AUTO, LOCAL_LIST };

/* All zero: every host is local. */
struct local {
	enum local_mode mode;
	VEC(struct prefix) net;
	VEC(struct prefix) group; /* what is sent there is received by us, unless we sent it */
};

/* Fills @l from @spec (NULL: every host).  0, or -1 with the error in @d. */
int local_init(struct local *l, const char *spec, struct diag *d);
void local_release(struct local *l);

/* Adds a network to @l, whose mode is LOCAL_LIST; @group: as one of those. */
void local_add(struct local *l, const struct prefix *p, bool group);

/* Is the address of IP version @version (4, 6) at @addr that of a group? */
bool local_has_multicast(const struct local *l, int version, const unsigned char *addr);

/* Is the address of IP version @version (4, 6) at @addr in the list? */
bool local_has(const struct local *l, int version, const unsigned char *addr);

#endif
