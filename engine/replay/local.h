/*
 * local.h - which hosts are local, according to -x local=.
 *
 *	(not given)       Every host is local: each packet counts as sent and received.
 *	                  A file that dtrace wrote is read as with auto.
 *	auto              A file has the direction of each packet. On an interface, its
 *	                  own addresses are local (see iface_addrs.h).
 *	ADDR[/N],...      Only these addresses are local: a packet is sent if its source
 *	                  is among them, and received if its destination is.
 *
 * A frame without an IP header has no address. With a list of addresses, it counts as sent and
 * received.
 */
#ifndef ENGINE_REPLAY_LOCAL_H
#define ENGINE_REPLAY_LOCAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/prefix.h"
#include "base/vec.h"

struct diag;

enum local_mode { LOCAL_ALL, LOCAL_AUTO, LOCAL_LIST };

/* The local addresses. If all members are 0, every host is local. */
struct local {
	enum local_mode mode;
	VEC(struct prefix) net;
	/*
	 * multicast groups and broadcast addresses; packets to them are received, unless a local
	 * host sent them
	 */
	VEC(struct prefix) group;
};

/*
 * Fills @l from @spec, the value of -x local=. If @spec is NULL, every host is local. Returns 0, or
 * -1 with the error in @d. The caller calls local_release().
 */
int local_init(struct local *l, const char *spec, struct diag *d);
void local_release(struct local *l);

/*
 * Adds network @p to @l, whose mode is LOCAL_LIST: to the groups if @group is true, else to the
 * local networks.
 */
void local_add(struct local *l, const struct prefix *p, bool group);

/*
 * Returns whether the address of IP version @version (4, 6) at @addr is in one of the groups of @l.
 */
bool local_has_multicast(const struct local *l, int version, const unsigned char *addr);

/*
 * Returns whether the address of IP version @version (4, 6) at @addr is in one of the local
 * networks of @l.
 */
bool local_has(const struct local *l, int version, const unsigned char *addr);

#endif
