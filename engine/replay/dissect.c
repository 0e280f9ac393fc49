/*
 * dissect.c - finds the outermost IP header of a frame.
 *
 * The code walks over the encapsulations of the frame: each step skips one and returns the next
 * ethertype. A step that does not move forward ends the walk. Link types:
 * https://www.tcpdump.org/linktypes.html.
 */
#include "engine/replay/dissect.h"

#include <stddef.h>

enum {
	/*
	 * In an Ethernet header, a value up to this in the ethertype field is the length of an
	 * 802.3 frame.
	 */
	ETHERTYPE_802_3_MAX = 1500,
	ETHERTYPE_ETHERNET = 1, /* in Linux cooked headers only: an 802.3 frame without LLC */
	ETHERTYPE_LLC = 4,      /* in Linux cooked headers only: an LLC header follows */
	ETHERTYPE_VLAN = 0x8100,
	ETHERTYPE_QINQ = 0x88a8,
	ETHERTYPE_QINQ_OLD = 0x9100,
	ETHERTYPE_MPLS = 0x8847,
	ETHERTYPE_MPLS_MULTI = 0x8848,
	ETHERTYPE_PPPOE = 0x8864,
};

enum {
	PROTO_HOPOPTS = 0,
	PROTO_ICMP = 1,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_ROUTING = 43,
	PROTO_FRAGMENT = 44,
	PROTO_AH = 51,
	PROTO_ICMPV6 = 58,
	PROTO_DSTOPTS = 60,
	PROTO_MOBILITY = 135,
	PROTO_UDPLITE = 136,
	PROTO_HIP = 139,
	PROTO_SHIM6 = 140,
};

/* The kernel keeps header offsets in 16 bits. */
#define OFFSET_MAX 65535

enum { JUMBO_OPTION = 0xc2 };

/* longest packet whose length is that of the frame: GSO_MAX_SIZE of Linux, rounded up */
#define UNSAID_MAX (512u << 10)

/* The result of a step after which no header follows that replay reads. It is no ethertype. */
enum { STOP = 0x10000 };

struct walk {
	const unsigned char *p;
	uint32_t len; /* number of bytes that may be read at p */
	uint32_t end; /* number of bytes at p that the frame had on the wire, without padding */
	uint32_t off; /* offset of the first byte that no step has skipped yet */
	struct dissect *out;
};

static inline uint16_t be16(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

/* --------------------------------------------- which lengths headers may claim */

/*
 * The rules are Linux's. ip_rcv_core() and ip6_rcv_core() drop a packet before IP; tcp_v4_rcv(),
 * __udp4_lib_rcv(), udplite_checksum_init(), icmp_rcv() and their counterparts of IPv6 drop it
 * after IP. The header is at @p. The frame, or for claims_transport() the packet, has @wire bytes
 * from @p on, and @cap of them were captured; other bytes are believed. Returns ODD_NONE, or why
 * the header is refused or cannot be read.
 */
static uint8_t claims_ip4(const unsigned char *p, uint32_t cap, uint32_t wire)
{
	uint32_t head, total;

	if (cap && p[0] >> 4 != 4)
		return ODD_VERSION;
	if (cap < 20)
		return wire < 20 ? ODD_IP4_HEADER : ODD_CUT;
	head = (p[0] & 15) * 4u;
	total = be16(p + 2);
	if (head < 20 || head > wire)
		return ODD_IP4_HEADER;
	/* With segmentation offload of TCP, the length is 0: the packet is as long as the frame. */
	if (total < head && (total || p[9] != PROTO_TCP || wire > UNSAID_MAX))
		return ODD_IP4_LESS;
	return total > wire ? ODD_IP4_BEYOND : cap < head ? ODD_CUT : ODD_NONE;
}

/*
 * Checks the hop-by-hop options at @p: u8 next header, u8 length in units of 8 bytes (without the
 * first 8), options. An option is u8 type, u8 length of its value, value; type 0 is a single byte.
 * The jumbo option (RFC 2675) has the length of the packet if it is over 64 KB.
 */
static uint8_t claims_options(const unsigned char *p, uint32_t cap, uint32_t wire, bool has_length)
{
	uint32_t end = cap < 2 ? 8 : (p[1] + 1u) * 8, n;

	if (end > wire)
		return ODD_OPTIONS;
	for (uint32_t at = 2; at < end && at + 1 < cap; at += n) {
		n = p[at] ? p[at + 1] + 2u : 1;
		if (at + n > end)
			return ODD_OPTIONS;
		if (p[at] != JUMBO_OPTION || at + 6 > cap)
			continue;
		if (n != 6 || has_length || !be16(p + at + 2))
			return ODD_OPTIONS;
		if (((uint32_t)be16(p + at + 2) << 16 | be16(p + at + 4)) > wire)
			return ODD_IP6_BEYOND;
	}
	return ODD_NONE;
}

static uint8_t claims_ip6(const unsigned char *p, uint32_t cap, uint32_t wire)
{
	uint32_t length;

	if (cap && p[0] >> 4 != 6)
		return ODD_VERSION;
	if (cap < 40)
		return wire < 40 ? ODD_IP6_BEYOND : ODD_CUT;
	length = be16(p + 4);
	if (length > wire - 40)
		return ODD_IP6_BEYOND;
	if (!length && wire > UNSAID_MAX)
		return ODD_IP6_UNSAID;
	if (p[6] != PROTO_HOPOPTS)
		return ODD_NONE;
	return claims_options(p + 40, cap - 40, length ? length : wire - 40, length);
}

static uint8_t claims_transport(const unsigned char *p, uint32_t cap, uint32_t wire, uint8_t proto,
				bool v6)
{
	uint32_t n;

	switch (proto) {
	case PROTO_TCP:
		n = cap > 12 ? (p[12] >> 4) * 4u : 20;
		return n < 20 || n > wire ? ODD_TCP : cap < 16 ? ODD_CUT_TCP : ODD_NONE;
	case PROTO_UDP: /* in IPv6, length 0 is that of the packet, as in a jumbogram */
		n = cap < 6 ? 8 : be16(p + 4);
		n = n || !v6 ? n : wire;
		return n < 8 || n > wire ? ODD_UDP : ODD_NONE;
	case PROTO_UDPLITE: /* the checksum covers n bytes, or all if n is 0 */
		n = cap < 6 ? 0 : be16(p + 4);
		return wire < 8 || (n && n < 8) || n > wire ? ODD_UDPLITE : ODD_NONE;
	case PROTO_ICMP:
	case PROTO_ICMPV6:
		return wire < 8 && (proto == PROTO_ICMPV6) == v6 ? ODD_ICMP : ODD_NONE;
	}
	return ODD_NONE;
}

uint32_t dissect_ip_length(const unsigned char *ip, uint32_t wire)
{
	bool v6 = ip[0] >> 4 == 6;
	uint32_t n = be16(ip + (v6 ? 4 : 2));

	/* An IPv6 packet without payload has 0, too. */
	if (!n && (!v6 || ip[6] == PROTO_HOPOPTS || wire > 40 + 65535))
		return wire;
	return v6 ? 40 + n : n;
}

/* ------------------------------------------------------- the end of the walk */

/* Stores the reason why the frame is not understood, or is refused. Returns STOP. */
static uint32_t odd(const struct walk *w, enum odd_reason why, uint16_t number)
{
	w->out->odd = (uint8_t)why;
	w->out->odd_number = number;
	return STOP;
}

/* Returns whether the next @n bytes, which belong to a header, can be read. */
static inline bool there(const struct walk *w, uint32_t n)
{
	if (__builtin_expect(w->len - w->off >= n, 1))
		return true;
	odd(w, w->end - w->off >= n ? ODD_CUT : ODD_SHORT, 0);
	return false;
}

/*
 * Ethertypes of protocols that carry no IP packets of hosts: address resolution, control of links
 * and networks, time, storage, industrial buses, and other network protocols.
 */
static const uint16_t never_ip[] = {
	0x0806, 0x88cc, 0x8809, 0x888e, 0x8863, 0x0842, 0x2000, 0x22ea, 0x22f0, 0x22f4, 0x6001,
	0x6002, 0x6003, 0x6004, 0x6007, 0x8035, 0x809b, 0x80f3, 0x8137, 0x8138, 0x8204, 0x8808,
	0x8874, 0x887b, 0x8892, 0x889a, 0x88a2, 0x88a4, 0x88ab, 0x88b4, 0x88b8, 0x88b9, 0x88ba,
	0x88c7, 0x88ca, 0x88cd, 0x88d9, 0x88e1, 0x88e3, 0x88f5, 0x88f6, 0x88f7, 0x88fb, 0x8902,
	0x8906, 0x890d, 0x8914, 0x8915, 0x8940, 0x9000, 0x9003, 0xfefe,
};

/*
 * Ends the walk and fills w->out, because a header of type @type starts at w->off. If @type is
 * ETHERTYPE_NONE, a step has stored the reason if there is one.
 */
static inline void arrive(const struct walk *w, uint16_t type)
{
	uint32_t cap = w->len - w->off, wire = w->end - w->off;
	struct dissect *out = w->out;

	out->net = w->off;
	out->ethertype = type;
	if (type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6) {
		out->odd = type == ETHERTYPE_IPV4 ? claims_ip4(w->p + w->off, cap, wire)
						  : claims_ip6(w->p + w->off, cap, wire);
		out->version = out->odd ? 0 : type == ETHERTYPE_IPV4 ? 4 : 6;
		out->ethertype = out->odd ? ETHERTYPE_NONE : type;
		return;
	}
	for (size_t i = 0; i < sizeof(never_ip) / sizeof(*never_ip); i++)
		if (never_ip[i] == type)
			return;
	if (type)
		odd(w, ODD_ETHERTYPE, type);
}

/* ------------------------------------- steps: each returns the next ethertype, or STOP */

/*
 * Returns the ethertype that the version nibble of an IP header implies. @why is the reason if the
 * nibble is not that of an IP header.
 */
static uint32_t step_raw(struct walk *w, enum odd_reason why)
{
	if (!there(w, 1))
		return STOP;
	switch (w->p[w->off] >> 4) {
	case 4:
		return ETHERTYPE_IPV4;
	case 6:
		return ETHERTYPE_IPV6;
	}
	return odd(w, why, w->p[w->off] >> 4);
}

/*
 * Skips label stack entries up to the one with the bottom bit. The version nibble of the header
 * that follows shows the protocol.
 */
static uint32_t step_mpls(struct walk *w)
{
	bool bottom;

	do {
		if (!there(w, 4))
			return STOP;
		bottom = w->p[w->off + 2] & 1;
		w->off += 4;
	} while (!bottom);
	return step_raw(w, ODD_MPLS);
}

/*
 * Skips an LLC header, which consists of dsap, ssap and control (1 byte each). With SNAP, an
 * organisation (3 bytes) and an ethertype follow. Cisco's organisation (0x00000c) has protocols
 * that control links.
 */
static uint32_t step_llc(struct walk *w)
{
	/*
	 * without IP packets of hosts: none, management, SNA, spanning trees, XNS, VINES, NetWare,
	 * NetBIOS, OSI, NetWare
	 */
	static const unsigned char never[] = {0, 2, 4, 8, 0x42, 0x80, 0xbc, 0xe0, 0xf0, 0xfe, 0xff};
	const unsigned char *p = w->p + w->off;
	uint32_t org;

	if (!there(w, 3) || memchr(never, p[0], sizeof(never)))
		return STOP;
	if (p[0] == 0x06 && p[2] == 0x03) { /* the service access point is that of IP */
		w->off += 3;
		return ETHERTYPE_IPV4;
	}
	if (p[0] != 0xaa || p[1] != 0xaa || p[2] != 0x03)
		return odd(w, ODD_LLC, p[0]);
	if (!there(w, 8))
		return STOP;
	org = (uint32_t)p[3] << 16 | be16(p + 4);
	if (org == 0x00000c)
		return STOP;
	if (org && org != 0x0000f8)
		return odd(w, ODD_SNAP, be16(p + 4));
	w->off += 8;
	return be16(p + 6);
}

/* Reads a PPP protocol number, which has one byte if the first byte is odd, else two. */
static uint32_t step_ppp_protocol(struct walk *w)
{
	const unsigned char *p = w->p + w->off;
	uint16_t proto;

	if (!there(w, 2))
		return STOP;
	proto = p[0] & 1 ? p[0] : be16(p);
	w->off += p[0] & 1 ? 1 : 2;
	switch (proto) {
	case 0x0021:
		return ETHERTYPE_IPV4;
	case 0x0057:
		return ETHERTYPE_IPV6;
	case 0x0281:
		return ETHERTYPE_MPLS;
	case 0x0283:
		return ETHERTYPE_MPLS_MULTI;
	}
	/* from 0x8000 on, protocols control the link */
	return proto < 0x8000 ? odd(w, ODD_PPP, proto) : STOP;
}

/*
 * Makes the frame end after the next @length bytes, because the rest is padding. Returns false if
 * the frame has fewer bytes; @why is the reason.
 */
static bool trim(struct walk *w, uint32_t length, enum odd_reason why)
{
	if (length > w->end - w->off) {
		odd(w, why, 0);
		return false;
	}
	w->end = w->off + length;
	if (w->len > w->end)
		w->len = w->end;
	return true;
}

/*
 * Skips a PPPoE session header: u8 version and type, u8 code, u16 session, u16 length. A PPP
 * protocol number follows.
 */
static uint32_t step_pppoe(struct walk *w)
{
	if (!there(w, 6))
		return STOP;
	w->off += 6;
	return trim(w, be16(w->p + w->off - 2), ODD_PPPOE) ? step_ppp_protocol(w) : STOP;
}

/* Reads a VLAN tag: u16 tag control information, u16 ethertype (or length). */
static uint32_t step_vlan(struct walk *w)
{
	struct dissect *out = w->out;
	const unsigned char *p = w->p + w->off;

	if (!there(w, 4))
		return STOP;
	if (!out->vlan) {
		out->vlan = true;
		out->vlan_tci = be16(p);
	}
	w->off += 4;
	return be16(p + 2);
}

/* Handles an 802.3 frame, which has its length instead of an ethertype. */
static uint32_t step_length(struct walk *w, uint16_t length)
{
	enum { LLC_SIZE = 3 };

	if (length < LLC_SIZE)
		return odd(w, ODD_802_3, 0);
	return trim(w, length, ODD_802_3) ? step_llc(w) : STOP;
}

static uint32_t step(struct walk *w, uint16_t type)
{
	switch (type) {
	case ETHERTYPE_VLAN:
	case ETHERTYPE_QINQ:
	case ETHERTYPE_QINQ_OLD:
		return step_vlan(w);
	case ETHERTYPE_MPLS:
	case ETHERTYPE_MPLS_MULTI:
		return step_mpls(w);
	case ETHERTYPE_PPPOE:
		return step_pppoe(w);
	}
	if (type <= ETHERTYPE_802_3_MAX)
		return step_length(w, type);
	return type;
}

/* Walks from ethertype @type at w->off to the end of the link layer. */
static void walk(struct walk *w, uint32_t type)
{
	uint32_t off;

	while (type != ETHERTYPE_IPV4 && type != ETHERTYPE_IPV6 && type != STOP) {
		off = w->off;
		type = step(w, (uint16_t)type);
		if (w->off == off || w->off > OFFSET_MAX)
			break;
	}
	if (w->off > OFFSET_MAX) {
		w->off = 0;
		type = odd(w, ODD_DEEP, 0);
	}
	arrive(w, type == STOP ? ETHERTYPE_NONE : (uint16_t)type);
}

/* -------------------------------------------------------------- link types */

static void link_ethernet(struct walk *w)
{
	uint16_t type;

	if (!there(w, 14))
		return;
	type = be16(w->p + 12);
	w->off = 14;
	if (__builtin_expect(type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6, 1))
		arrive(w, type);
	else
		walk(w, type);
}

static void link_raw(struct walk *w)
{
	walk(w, step_raw(w, ODD_RAW));
}

static void link_ip4(struct walk *w)
{
	arrive(w, ETHERTYPE_IPV4);
}

static void link_ip6(struct walk *w)
{
	arrive(w, ETHERTYPE_IPV6);
}

/*
 * Dissects a BSD loopback frame, which begins with the address family as a u32 in either byte
 * order.
 */
static void link_loop(struct walk *w)
{
	const unsigned char *p = w->p;
	unsigned af;

	if (!there(w, 4))
		return;
	w->off = 4;
	af = p[0] | p[1] ? p[0] | (unsigned)p[1] << 8 : be16(p + 2);
	switch (af) {
	case 2: /* AF_INET on all systems */
		arrive(w, ETHERTYPE_IPV4);
		break;
	case 10: /* AF_INET6 on Linux, NetBSD and OpenBSD, FreeBSD, Darwin */
	case 24:
	case 28:
	case 30:
		arrive(w, ETHERTYPE_IPV6);
		break;
	default:
		walk(w, odd(w, ODD_FAMILY, (uint16_t)af));
	}
}

static void link_ppp(struct walk *w)
{
	/* skip the address and control bytes, which are often omitted */
	if (w->len >= 2 && w->p[0] == 0xff && w->p[1] == 0x03)
		w->off = 2;
	walk(w, step_ppp_protocol(w));
}

static void link_pppoe(struct walk *w)
{
	walk(w, ETHERTYPE_PPPOE);
}

/* Dissects a Cisco HDLC frame: u8 address, u8 control, u16 ethertype. */
static void link_chdlc(struct walk *w)
{
	if (!there(w, 4))
		return;
	w->off = 4;
	walk(w, be16(w->p + 2));
}

/*
 * Dissects PPP in HDLC-like framing or in Cisco's framing. The address byte distinguishes the two.
 */
static void link_ppp_hdlc(struct walk *w)
{
	if (w->len >= 2 && (w->p[0] == 0x0f || w->p[0] == 0x8f) && w->p[1] == 0)
		link_chdlc(w);
	else
		link_ppp(w);
}

/*
 * Handles @type, the protocol field of a Linux cooked header, where small values are not lengths: 1
 * is NetWare, 12 and 13 are CAN.
 */
static void cooked(struct walk *w, uint16_t type)
{
	if (type == ETHERTYPE_LLC)
		walk(w, step_llc(w));
	else if (type == 1 || type == 12 || type == 13)
		walk(w, STOP);
	else
		walk(w, type <= ETHERTYPE_802_3_MAX ? odd(w, ODD_COOKED, type) : type);
}

/*
 * Dissects a Linux cooked frame: u16 packet type, u16 hardware type, u16 address length, 8 bytes
 * address, u16 ethertype.
 */
static void link_sll(struct walk *w)
{
	if (!there(w, 16))
		return;
	w->off = 16;
	w->out->pkt_type = w->p[1];
	cooked(w, be16(w->p + 14));
}

/*
 * Dissects a Linux cooked frame of version 2: u16 ethertype, u16 0, u32 interface, u16 hardware
 * type, u8 packet type, u8 address length, 8 bytes address.
 */
static void link_sll2(struct walk *w)
{
	if (!there(w, 20))
		return;
	w->off = 20;
	w->out->pkt_type = w->p[10];
	cooked(w, be16(w->p));
}

/*
 * Dissects the 802.11 frame at offset @at. Data frames that are neither encrypted nor aggregated
 * contain an LLC header. If @padded is true, padding aligns it to 4 bytes.
 */
static void wlan_at(struct walk *w, uint32_t at, bool padded)
{
	enum { DATA = 0x08, TYPE = 0x0c, NO_DATA = 0x40, ENCRYPTED = 0x40 };
	const unsigned char *h = w->p + at;
	uint32_t n = at + 24;

	/* frames that manage the network, and data frames without data, may be shorter */
	if (!there(w, at + 2) || (h[0] & TYPE) != DATA || h[0] & NO_DATA || !there(w, n))
		return;
	if (h[1] & ENCRYPTED) {
		odd(w, ODD_ENCRYPTED, 0);
		return;
	}
	if ((h[1] & 3) == 3) /* a frame between access points has a fourth address */
		n += 6;
	/* a quality-of-service field follows; its bit 7 means that the frame is aggregated */
	if (h[0] & 0x80) {
		if (!there(w, n + 1))
			return;
		if (w->p[n] & 0x80) {
			odd(w, ODD_AGGREGATED, 0);
			return;
		}
		n += h[1] & 0x80 ? 6 : 2;
	}
	if (padded)
		n += -(n - at) & 3;
	if (!there(w, n))
		return;
	w->off = n;
	walk(w, step_llc(w));
}

static void link_wlan(struct walk *w)
{
	wlan_at(w, 0, false);
}

/*
 * Returns the flags of a radiotap header of @len bytes, or 0 if it has none. Words that say which
 * fields follow begin at offset 4; bit 31 means that another such word follows. The flags are the
 * second field, after a time stamp of 8 aligned bytes.
 */
static unsigned radiotap_flags(const unsigned char *p, uint32_t len)
{
	uint32_t at = 4;

	while (at + 4 <= len && p[at + 3] & 0x80)
		at += 4;
	at += 4;
	if (p[4] & 1)
		at = (at + 7) / 8 * 8 + 8;
	return p[4] & 2 && at < len ? p[at] : 0;
}

/*
 * Dissects a radiotap frame: u8 version, u8 0, u16 length (little endian), further fields up to
 * that length, then an 802.11 frame.
 */
static void link_radiotap(struct walk *w)
{
	uint32_t skip;

	if (!there(w, 4))
		return;
	skip = w->p[2] | (uint32_t)w->p[3] << 8;
	if (skip < 8)
		odd(w, ODD_SHORT, 0);
	else if (there(w, skip))
		wlan_at(w, skip, radiotap_flags(w->p, skip) & 0x20);
}

/* Types of devices, with the values of ARPHRD_* in the kernel. */
enum {
	DEV_NONE = 0xffff,
	DEV_ETHER = 1,
	DEV_PPP = 512,
	DEV_HDLC = 513,
	DEV_LOOPBACK = 772,
	DEV_WLAN = 801,
	DEV_RADIOTAP = 803,
	DEV_RAW = 0xfffe
};

/* clang-format off */
static const struct link_type link_types[] = {
	{ 0,   "NULL",               DEV_LOOPBACK, false, link_loop },
	{ LINK_ETHERNET, "ETHERNET",           DEV_ETHER,    false, link_ethernet },
	{ 9,   "PPP",                DEV_PPP,      false, link_ppp },
	{ 12,  "RAW",                DEV_RAW,      true,  link_raw },
	{ 14,  "RAW",                DEV_RAW,      true,  link_raw },
	{ 50,  "PPP_HDLC",           DEV_PPP,      false, link_ppp_hdlc },
	{ 51,  "PPP_ETHER",          DEV_PPP,      false, link_pppoe },
	{ 101, "RAW",                DEV_RAW,      true,  link_raw },
	{ 104, "C_HDLC",             DEV_HDLC,     false, link_chdlc },
	{ 105, "IEEE802_11",         DEV_WLAN,     false, link_wlan },
	{ 108, "LOOP",               DEV_LOOPBACK, false, link_loop },
	{ 113, "LINUX_SLL",          DEV_NONE,     false, link_sll },
	{ 127, "IEEE802_11_RADIOTAP", DEV_RADIOTAP, false, link_radiotap },
	{ 228, "IPV4",               DEV_RAW,      true,  link_ip4 },
	{ 229, "IPV6",               DEV_RAW,      true,  link_ip6 },
	{ 276, "LINUX_SLL2",         DEV_NONE,     false, link_sll2 },

	/* The other link types are not supported. Their names are here for the error message. */
	{ 6,   "IEEE802_5",          DEV_NONE,     false, NULL },
	{ 7,   "ARCNET_BSD",         DEV_NONE,     false, NULL },
	{ 8,   "SLIP",               DEV_NONE,     false, NULL },
	{ 10,  "FDDI",               DEV_NONE,     false, NULL },
	{ 100, "ATM_RFC1483",        DEV_NONE,     false, NULL },
	{ 107, "FRELAY",             DEV_NONE,     false, NULL },
	{ 109, "ENC",                DEV_NONE,     false, NULL },
	{ 114, "LTALK",              DEV_NONE,     false, NULL },
	{ 117, "PFLOG",              DEV_NONE,     false, NULL },
	{ 119, "IEEE802_11_PRISM",   DEV_NONE,     false, NULL },
	{ 122, "IP_OVER_FC",         DEV_NONE,     false, NULL },
	{ 123, "SUNATM",             DEV_NONE,     false, NULL },
	{ 138, "APPLE_IP_OVER_IEEE1394", DEV_NONE, false, NULL },
	{ 143, "DOCSIS",             DEV_NONE,     false, NULL },
	{ 144, "LINUX_IRDA",         DEV_NONE,     false, NULL },
	{ 147, "USER0",              DEV_NONE,     false, NULL },
	{ 149, "USER2, on macOS PKTAP", DEV_NONE,  false, NULL },
	{ 163, "IEEE802_11_AVS",     DEV_NONE,     false, NULL },
	{ 166, "PPP_PPPD",           DEV_NONE,     false, NULL },
	{ 187, "BLUETOOTH_HCI_H4",   DEV_NONE,     false, NULL },
	{ 189, "USB_LINUX",          DEV_NONE,     false, NULL },
	{ 192, "PPI",                DEV_NONE,     false, NULL },
	{ 195, "IEEE802_15_4_WITHFCS", DEV_NONE,   false, NULL },
	{ 201, "BLUETOOTH_HCI_H4_WITH_PHDR", DEV_NONE, false, NULL },
	{ 203, "LAPD",               DEV_NONE,     false, NULL },
	{ 220, "USB_LINUX_MMAPPED",  DEV_NONE,     false, NULL },
	{ 226, "IPNET",              DEV_NONE,     false, NULL },
	{ 227, "CAN_SOCKETCAN",      DEV_NONE,     false, NULL },
	{ 239, "NFLOG",              DEV_NONE,     false, NULL },
	{ 240, "NETANALYZER",        DEV_NONE,     false, NULL },
	{ 242, "IPOIB",              DEV_NONE,     false, NULL },
	{ 249, "USBPCAP",            DEV_NONE,     false, NULL },
	{ 252, "WIRESHARK_UPPER_PDU", DEV_NONE,    false, NULL },
	{ 253, "NETLINK",            DEV_NONE,     false, NULL },
	{ 258, "PKTAP",              DEV_NONE,     false, NULL },
	{ 271, "VSOCK",              DEV_NONE,     false, NULL },
	{ 274, "ETHERNET_MPACKET",   DEV_NONE,     false, NULL },
};
/* clang-format on */

const struct link_type *link_types_all(size_t *n)
{
	*n = sizeof(link_types) / sizeof(link_types[0]);
	return link_types;
}

const struct link_type *link_type_find(uint32_t number)
{
	size_t i;

	for (i = 0; i < sizeof(link_types) / sizeof(link_types[0]); i++)
		if (link_types[i].number == number)
			return &link_types[i];
	return NULL;
}

/* ------------------------------------------------------------------- usual packets */

const struct dissect dissect_shapes[2] = {
	{.net = 14, .ethertype = ETHERTYPE_IPV4, .version = 4, .pkt_type = PKT_TYPE_NONE, .l4 = 34},
	{.net = 14, .ethertype = ETHERTYPE_IPV6, .version = 6, .pkt_type = PKT_TYPE_NONE, .l4 = 54},
};

/* --------------------------------------------------------------- transport */

/* Size of both ports, the first bytes of a transport header. Shorter headers are ignored. */
#define PORTS 4

/* Returns whether @proto is the number of an extension header and not of a transport protocol. */
static bool is_extension(uint8_t proto, bool v6)
{
	switch (proto) {
	case PROTO_AH:
		return true;
	case PROTO_HOPOPTS:
	case PROTO_ROUTING:
	case PROTO_DSTOPTS:
	case PROTO_MOBILITY:
	case PROTO_HIP:
	case PROTO_SHIM6:
	case PROTO_FRAGMENT:
		return v6;
	}
	return false;
}

/*
 * Returns the size of the extension header at @p, where @len bytes were captured. Returns 0 if the
 * size was not captured, and UINT32_MAX if it is impossible.
 */
static uint32_t extension_length(const unsigned char *p, uint32_t len, uint8_t proto)
{
	if (proto == PROTO_FRAGMENT)
		return 8;
	if (len < 2)
		return 0;
	if (proto == PROTO_AH) /* the fixed part of an AH has 12 bytes */
		return p[1] ? (p[1] + 2u) * 4 : UINT32_MAX;
	return (p[1] + 1u) * 8;
}

/*
 * Returns the enum frag_flags for the IPv6 fragment header at @p: u8 next header, u8 0, u16 offset
 * (13 bits) and more-fragments bit, u32 identification.
 */
static uint8_t fragment_flags(const unsigned char *p)
{
	unsigned v = be16(p + 2);

	if (v & 0xfff8)
		return FRAG_LATER;
	return v & 1 ? FRAG_FIRST : 0;
}

/*
 * Handles the transport header at w->off. The header of a fragment is checked when the datagram is
 * complete.
 */
static void arrive_transport(const struct walk *w)
{
	uint32_t wire = w->end - w->off, cap = w->len < w->end ? w->len - w->off : wire;
	struct dissect *out = w->out;

	if (!out->frag)
		out->odd = claims_transport(w->p + w->off, cap, wire, out->proto,
					    out->version == 6);
	if (wire >= PORTS && (!out->odd || out->odd == ODD_CUT_TCP))
		out->l4 = w->off;
}

/*
 * Skips extension headers (for IPv4 only AH) from w->off, where a header of protocol w->out->proto
 * starts. @next is the offset of the byte that names this protocol.
 */
static void skip_extensions(struct walk *w, uint32_t next)
{
	struct dissect *out = w->out;
	const unsigned char *p;
	uint32_t n, rest;

	while (w->off <= OFFSET_MAX) {
		if (!is_extension(out->proto, out->version == 6)) {
			arrive_transport(w);
			return;
		}
		p = w->p + w->off;
		rest = w->end - w->off;
		n = extension_length(p, w->len - w->off, out->proto);
		if (rest < 8 || n > rest || !n || n > w->len - w->off) {
			odd(w, rest < 8 || n > rest ? ODD_EXTENSION : ODD_CUT_EXTENSION, 0);
			return;
		}
		if (out->proto == PROTO_FRAGMENT && !out->frag) {
			out->frag = fragment_flags(p);
			out->frag_at = (uint16_t)w->off;
			out->frag_next = (uint16_t)next;
		}
		out->proto = p[0];
		if (out->frag == FRAG_LATER)
			return;
		next = w->off;
		w->off += n;
	}
	odd(w, ODD_DEEP, 0);
}

void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out)
{
	const unsigned char *ip = p + out->net;
	uint32_t end = out->net + dissect_ip_length(ip, wirelen - out->net);
	struct walk w = {p, len, end, out->net, out};
	unsigned off;

	if (out->version == 6) {
		out->proto = ip[6];
		w.off += 40;
		skip_extensions(&w, out->net + 6);
		return;
	}
	out->proto = ip[9];
	off = be16(ip + 6);
	if (off & 0x1fff) {
		out->frag = FRAG_LATER;
		return;
	}
	if (off & 0x2000)
		out->frag = FRAG_FIRST;
	w.off += (ip[0] & 15) * 4u;
	skip_extensions(&w, out->net + 9);
}

void dissect_all(const struct link_type *lt, const unsigned char *p, uint32_t len, uint32_t wirelen,
		 struct dissect *out)
{
	*out = (struct dissect){.pkt_type = PKT_TYPE_NONE};
	lt->dissect(&(struct walk){p, len, wirelen, 0, out});
	if (out->version)
		dissect_transport(p, len, wirelen, out);
}
