/*
 * dissect.h - finds the outermost IP header of a captured frame.
 *
 * Supports Ethernet II, 802.3 with LLC and SNAP, any number of VLAN tags, MPLS, PPPoE, PPP, Cisco
 * HDLC, Linux cooked, BSD loopback, raw IP and 802.11. It never looks into a tunnel. A packet that
 * a kernel would drop at once (wrong version, impossible lengths, incomplete header) does not count
 * as an IP packet.
 */
#ifndef ENGINE_REPLAY_DISSECT_H
#define ENGINE_REPLAY_DISSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Possible values of struct dissect.ethertype. */
enum {
	ETHERTYPE_NONE = 0,
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86dd,
};

/* struct dissect.pkt_type if the link layer has none; otherwise it is the kernel's PACKET_*. */
#define PKT_TYPE_NONE 0xff

enum frag_flags {
	FRAG_FIRST = 1, /* a fragment, at offset 0 */
	FRAG_LATER = 2, /* a fragment, at another offset */
};

struct dissect {
	/* offset where the link layer ends; IP starts there unless version is 0 */
	uint32_t net;
	uint16_t ethertype; /* ethertype at that offset; 0: unknown, or its IP header is invalid */
	uint16_t vlan_tci;  /* of the outermost tag, if vlan */
	bool vlan;
	uint8_t version; /* 4, 6; 0: no IP packet */
	uint8_t pkt_type;

	/* Set by dissect_transport(). */
	uint8_t proto;      /* protocol after the IP headers; 0: unknown */
	uint8_t frag;       /* enum frag_flags; 0: whole */
	uint16_t frag_at;   /* a fragment of IPv6: offset of its fragment header ... */
	uint16_t frag_next; /* ... and of the next-header byte that names it */

	/*
	 * Offset of the transport header, captured or not. 0: the offset is unknown (a later
	 * fragment, or extension headers were cut off), or the header has fewer than 4 bytes and so
	 * no ports.
	 */
	uint32_t l4;
};

/* One row of the table of link types. */
struct link_type {
	uint32_t number; /* LINKTYPE_* of files */
	const char *name;
	uint16_t arphrd; /* type of such a device in Linux */
	bool bare;       /* packets start with the IP header, without a link layer */

	/* NULL: only the name is known. @out has all members 0 except pkt_type. */
	void (*dissect)(const unsigned char *p, uint32_t len, struct dissect *out);
};

/* Returns the table of link types, and its number of rows in *@n. */
const struct link_type *link_types_all(size_t *n);

/* Returns the row of that number, or NULL. */
const struct link_type *link_type_find(uint32_t number);

/* Sets all members of @out up to the network layer, from a frame of @len captured bytes. */
static inline void dissect_network(const struct link_type *lt, const unsigned char *p, uint32_t len,
				   struct dissect *out)
{
	*out = (struct dissect){.pkt_type = PKT_TYPE_NONE};
	lt->dissect(p, len, out);
}

/*
 * Adds the transport layer's members; @out->version is 4 or 6. The frame has @len captured bytes
 * and had @wirelen bytes on the wire.
 */
void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out);

#endif
