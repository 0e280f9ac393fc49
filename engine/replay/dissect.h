/*
 * dissect.h - finds the outermost IP header of a captured frame.
 *
 * Through Ethernet II, 802.3 with LLC and SNAP, any number of VLAN tags, MPLS,
 * PPPoE, PPP, Linux cooked, BSD loopback, raw IP and 802.11; never into a tunnel.
 * A packet that a kernel would drop on sight (wrong version, impossible lengths,
 * header not wholly there) is no IP packet.
 */
#ifndef REPLAY_DISSECT_H
#define REPLAY_DISSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ethertypes that a frame can turn out to have. */
enum {
	ETHERTYPE_NONE = 0,
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86dd,
};

/* struct dissect.pkt_type of a link layer that has none; else the kernel's PACKET_*. */
#define PKT_TYPE_NONE 0xff

enum frag_flags {
	FRAG_FIRST = 1, /* a fragment, at offset 0 */
	FRAG_LATER = 2, /* a fragment, at another offset */
};

struct dissect {
	uint32_t net;       /* where the link layer ends and, if version, IP starts */
	uint16_t ethertype; /* of what starts there; 0: not known, or no IP though it says so */
	uint16_t vlan_tci;  /* of the outermost tag, if vlan */
	bool vlan;
	uint8_t version; /* 4, 6; 0: no IP packet */
	uint8_t pkt_type;

	/* Set by dissect_transport(). */
	uint8_t proto;      /* what follows the IP headers; 0: not known */
	uint8_t frag;       /* enum frag_flags; 0: whole */
	uint16_t frag_at;   /* a fragment of IPv6: its fragment header ... */
	uint16_t frag_next; /* ... and the byte that says it is one */

	/*
	 * Where it starts, captured or not; 0: not known (a later fragment, extension
	 * headers cut off), or fewer than 4 bytes of it: not even ports.
	 */
	uint32_t l4;
};

/* One row of the table of link types. */
struct link_type {
	uint32_t number; /* LINKTYPE_* as files have it */
	const char *name;
	uint16_t arphrd; /* what a Linux device of the sort has as its type */
	bool bare;       /* packets start with the IP header: there is no link layer */

	/* NULL: known by name only.  @out is all zero but for pkt_type. */
	void (*dissect)(const unsigned char *p, uint32_t len, struct dissect *out);
};

/* Returns the table of link types, and the number of its rows in @n. */
const struct link_type *link_types_all(size_t *n);

/* NULL: never heard of it. */
const struct link_type *link_type_find(uint32_t number);

/* Fills all of @out from a frame of @len captured bytes. */
static inline void dissect_network(const struct link_type *lt, const unsigned char *p, uint32_t len,
				   struct dissect *out)
{
	*out = (struct dissect){.pkt_type = PKT_TYPE_NONE};
	lt->dissect(p, len, out);
}

/*
 * Adds the transport layer's part; @out->version is 4 or 6.  The frame has @len
 * captured bytes and had @wirelen.
 */
void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out);

#endif
