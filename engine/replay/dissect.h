/*
 * dissect.h - finds the outermost IP header of a captured frame.
 *
 * Supports Ethernet II, 802.3 with LLC and SNAP, any number of VLAN tags, MPLS, PPPoE, PPP, Cisco
 * HDLC, Linux cooked, BSD loopback, raw IP and 802.11. The functions never look into a tunnel. A
 * packet that a kernel would drop before IP, or whose IP header was not captured, does
 * not count as an IP packet. A packet that a kernel would drop after IP has no transport header.
 */
#ifndef ENGINE_REPLAY_DISSECT_H
#define ENGINE_REPLAY_DISSECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/replay/odd.h"

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
	uint8_t frag; /* enum frag_flags, or 0 if the packet is not a fragment */
	/*
	 * why the frame is not understood, or a header is impossible: enum odd_reason, and the
	 * number that belongs to it; 0 also if the frame never holds IP packets, as ARP
	 */
	uint8_t odd;
	uint16_t frag_at; /* for a fragment of IPv6: offset of its fragment header */
	/* for a fragment of IPv6: offset of the next-header byte that names the fragment header */
	uint16_t frag_next;
	uint16_t odd_number;

	/*
	 * Offset of the transport header, which may lie after the captured bytes. 0 if the offset
	 * is not known (a later fragment, or extension headers were cut off), if the header is
	 * impossible, or if it has less than 4 bytes and so no ports.
	 */
	uint32_t l4;
};

enum { LINK_ETHERNET = 1 }; /* LINKTYPE_ETHERNET */

struct walk;

/* One row of the table of link types, the formats that frames of a capture may have. */
struct link_type {
	uint32_t number; /* number of the link type in files (LINKTYPE_*) */
	const char *name;
	uint16_t arphrd; /* ARPHRD_*: the type that Linux gives to devices with this link type */
	bool bare;       /* packets start with the IP header, without a link layer */

	/* Walks over the frame (dissect.c). NULL if replay does not support the link type. */
	void (*dissect)(struct walk *w);
};

/* Returns the table of link types, and its number of rows in *@n. */
const struct link_type *link_types_all(size_t *n);

/* Returns the row of that number, or NULL. */
const struct link_type *link_type_find(uint32_t number);

/*
 * Sets the transport layer's members of @out, whose version is 4 or 6. The frame has @len captured
 * bytes and had @wirelen bytes on the wire.
 */
void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out);

/*
 * Returns the length of the packet with the IP header at @ip, header included. It is @wire, the
 * length of the frame from @ip on, if the header's field is 0 because the packet is too long for
 * it.
 */
uint32_t dissect_ip_length(const unsigned char *ip, uint32_t wire);

/*
 * Sets all members of @out from a frame of any kind. The frame had @wirelen bytes on the wire, and
 * the capture has the first @len of them.
 */
void dissect_all(const struct link_type *lt, const unsigned char *p, uint32_t len, uint32_t wirelen,
		 struct dissect *out);

/* Results of dissect_usual() except the protocol, for IPv4 and IPv6. */
extern const struct dissect dissect_shapes[2];

/*
 * Does the work of dissect_frame() for the usual packets of an Ethernet: TCP or UDP in IPv4 (no
 * options, no fragment) or in IPv6 (no extension headers), whose lengths are possible.
 * Returns false for other packets, without setting @out.
 */
static inline bool dissect_usual(const struct link_type *lt, const unsigned char *p, uint32_t len,
				 uint32_t wirelen, bool datagrams, struct dissect *out)
{
	enum { ETHERNET = 14, IP4 = 20, IP6 = 40, FRAGMENT_BITS = 0x3fff };
	enum { TCP_OR_UDP = 1 << 6 | 1 << 17, CHECKED = 16, TCP = 20, UDP = 8 };
	const struct dissect *shape = dissect_shapes;
	uint16_t type, length, fragment, udp;
	uint32_t l4, n, size;
	uint8_t proto;

	if (lt->number != LINK_ETHERNET || len < ETHERNET + IP4 + CHECKED)
		return false;
	memcpy(&type, p + 12, sizeof(type));
	if (type == __builtin_bswap16(ETHERTYPE_IPV4)) {
		memcpy(&length, p + ETHERNET + 2, sizeof(length));
		memcpy(&fragment, p + ETHERNET + 6, sizeof(fragment));
		proto = p[ETHERNET + 9];
		l4 = ETHERNET + IP4;
		n = __builtin_bswap16(length) - IP4; /* wraps around if the length is too small */
		if (p[ETHERNET] != 0x45 || fragment & __builtin_bswap16(FRAGMENT_BITS))
			return false;
	} else if (type == __builtin_bswap16(ETHERTYPE_IPV6) && len >= ETHERNET + IP6 + CHECKED) {
		memcpy(&length, p + ETHERNET + 4, sizeof(length));
		proto = p[ETHERNET + 6];
		l4 = ETHERNET + IP6;
		n = __builtin_bswap16(length);
		if (p[ETHERNET] >> 4 != 6)
			return false;
		shape++;
	} else {
		return false;
	}
	/* One branch, because a CPU cannot predict the protocol. A length of 0 is not usual. */
	if (proto > 17 || !(TCP_OR_UDP >> proto & 1) || n - 1 >= wirelen - l4)
		return false;
	if (datagrams) {
		memcpy(&udp, p + l4 + 4, sizeof(udp));
		size = proto == 6 ? p[l4 + 12] >> 2 & 0x3c : __builtin_bswap16(udp);
		if (size > n || size < (proto == 6 ? TCP : UDP))
			return false;
	}
	*out = *shape;
	out->proto = proto;
	return true;
}

/*
 * The same for frames that are mostly usual, so it is inline. If not @datagrams, TCP and UDP
 * headers may have any lengths. Returns whether out->odd may be set.
 */
static inline bool dissect_frame(const struct link_type *lt, const unsigned char *p, uint32_t len,
				 uint32_t wirelen, bool datagrams, struct dissect *out)
{
	if (__builtin_expect(dissect_usual(lt, p, len, wirelen, datagrams, out), 1))
		return false;
	dissect_all(lt, p, len, wirelen, out);
	return true;
}

#endif
