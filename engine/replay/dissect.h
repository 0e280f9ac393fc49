/*
 * dissect.h - finds the outermost IP header of a captured frame.
 *
 * Supports Ethernet II, 802.3 with LLC and SNAP, any number of VLAN tags, MPLS, PPPoE, PPP, Cisco
 * HDLC, Linux cooked, BSD loopback, raw IP and 802.11. The functions never look into a tunnel. A
 * packet that a kernel would drop immediately (wrong version, impossible lengths, incomplete
 * header) does not count as an IP packet.
 */
#ifndef ENGINE_REPLAY_DISSECT_H
#define ENGINE_REPLAY_DISSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Some values of struct dissect.ethertype. */
enum {
	ETHERTYPE_NONE = 0,
	ETHERTYPE_IPV4 = 0x0800,
	ETHERTYPE_IPV6 = 0x86dd,
};

/*
 * Value of struct dissect.pkt_type if the link layer has no packet type. Other values are the
 * kernel's PACKET_*.
 */
#define PKT_TYPE_NONE 0xff

enum frag_flags {
	FRAG_FIRST = 1, /* a fragment that begins at offset 0 of the datagram */
	FRAG_LATER = 2, /* a fragment that begins at another offset */
};

struct dissect {
	/* offset where the link layer ends; IP starts there unless version is 0 */
	uint32_t net;
	/* ethertype of the data at `net`; 0 if it is unknown, or if its IP header is invalid */
	uint16_t ethertype;
	uint16_t vlan_tci; /* tag control information of the outermost VLAN tag, if vlan is true */
	bool vlan;
	uint8_t version; /* IP version, 4 or 6; 0 if this is not an IP packet */
	uint8_t pkt_type;

	/* Set by dissect_transport(). */
	/*
	 * protocol after the IP headers, or number of the extension header where the captured bytes
	 * end
	 */
	uint8_t proto;
	uint8_t frag;     /* enum frag_flags, or 0 if the packet is not a fragment */
	uint16_t frag_at; /* for a fragment of IPv6: offset of its fragment header */
	/* for a fragment of IPv6: offset of the next-header byte that names the fragment header */
	uint16_t frag_next;

	/*
	 * Offset of the transport header, which may lie after the captured bytes. 0 if the offset
	 * is not known (a later fragment, or extension headers were cut off), or if the header has
	 * less than 4 bytes and so no ports.
	 */
	uint32_t l4;
};

enum { LINK_ETHERNET = 1 }; /* LINKTYPE_ETHERNET */

/* One row of the table of link types, the formats that frames of a capture may have. */
struct link_type {
	uint32_t number; /* number of the link type in files (LINKTYPE_*) */
	const char *name;
	uint16_t arphrd; /* ARPHRD_*: the type that Linux gives to devices with this link type */
	bool bare;       /* packets start with the IP header, without a link layer */

	/*
	 * Fills @out, whose members are all 0 except pkt_type, from the frame at @p. NULL if replay
	 * does not support the link type.
	 */
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
 * Sets the transport layer's members of @out, whose version is 4 or 6. The frame has @len captured
 * bytes and had @wirelen bytes on the wire.
 */
void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out);

/*
 * Results of dissect_usual() except the protocol: dissect_shapes[transport][is_ipv6]. If transport
 * is 0, the members of the transport layer are 0.
 */
extern const struct dissect dissect_shapes[2][2];

/*
 * Does the work of dissect_frame() for the usual packets of an Ethernet: TCP or UDP in IPv4 (no
 * options, no fragment) or in IPv6 (no extension headers). Returns false for other packets, without
 * setting @out.
 */
static inline bool dissect_usual(const struct link_type *lt, const unsigned char *p, uint32_t len,
				 uint32_t wirelen, bool transport, struct dissect *out)
{
	enum { ETHERNET = 14, IP4 = 20, IP6 = 40, PORTS = 4, FRAGMENT_BITS = 0x3fff };
	enum { TCP_OR_UDP = 1 << 6 | 1 << 17 };
	const struct dissect *shape = dissect_shapes[transport];
	uint16_t type, length, fragment;
	uint8_t proto;
	uint32_t l4;

	if (lt->number != LINK_ETHERNET || len < ETHERNET + IP4)
		return false;
	memcpy(&type, p + 12, sizeof(type));
	if (type == __builtin_bswap16(ETHERTYPE_IPV4)) {
		memcpy(&length, p + ETHERNET + 2, sizeof(length));
		memcpy(&fragment, p + ETHERNET + 6, sizeof(fragment));
		proto = p[ETHERNET + 9];
		l4 = ETHERNET + IP4;
		if (p[ETHERNET] != 0x45 || fragment & __builtin_bswap16(FRAGMENT_BITS) ||
		    __builtin_bswap16(length) < IP4 + PORTS)
			return false;
	} else if (type == __builtin_bswap16(ETHERTYPE_IPV6) && len >= ETHERNET + IP6) {
		memcpy(&length, p + ETHERNET + 4, sizeof(length));
		proto = p[ETHERNET + 6];
		l4 = ETHERNET + IP6;
		if (p[ETHERNET] >> 4 != 6 || __builtin_bswap16(length) < PORTS)
			return false;
		shape++;
	} else {
		return false;
	}
	/* one branch for both protocols, because a CPU cannot predict which one a packet has */
	if (proto > 17 || !(TCP_OR_UDP >> proto & 1) || l4 + PORTS > wirelen)
		return false;
	*out = *shape;
	out->proto = transport ? proto : 0;
	return true;
}

/*
 * Sets all members of @out from a frame. The frame had @wirelen bytes on the wire, and the capture
 * has the first @len of them. If not @transport, the transport layer's members become 0. Inline,
 * because it runs for every packet.
 */
static inline void dissect_frame(const struct link_type *lt, const unsigned char *p, uint32_t len,
				 uint32_t wirelen, bool transport, struct dissect *out)
{
	if (__builtin_expect(dissect_usual(lt, p, len, wirelen, transport, out), 1))
		return;
	dissect_network(lt, p, len, out);
	if (transport && out->version)
		dissect_transport(p, len, wirelen, out);
}

#endif
