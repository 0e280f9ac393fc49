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
	PROTO_ROUTING = 43,
	PROTO_FRAGMENT = 44,
	PROTO_AH = 51,
	PROTO_DSTOPTS = 60,
	PROTO_MOBILITY = 135,
	PROTO_HIP = 139,
	PROTO_SHIM6 = 140,
};

/* The kernel keeps header offsets in 16 bits. */
#define OFFSET_MAX 65535

struct walk {
	const unsigned char *p;
	uint32_t len; /* number of bytes that may be read at p */
	uint32_t off; /* offset of the first byte that no step has skipped yet */
};

static inline uint16_t be16(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline bool there(const struct walk *w, uint32_t n)
{
	return w->len - w->off >= n;
}

/* -------------------------------------------------------------- IP headers */

static bool valid_ip4(const unsigned char *ip, uint32_t len)
{
	uint32_t hlen, total;

	if (len < 20 || ip[0] >> 4 != 4)
		return false;
	hlen = (ip[0] & 15) * 4u;
	total = be16(ip + 2);
	/*
	 * The total length is 0 if the device segments the packet (offload). The packet is then as
	 * long as the frame.
	 */
	return hlen >= 20 && len >= hlen && (total >= hlen || !total);
}

static bool valid_ip6(const unsigned char *ip, uint32_t len)
{
	return len >= 40 && ip[0] >> 4 == 6;
}

/* Ends the walk and fills @out, because a header of type @type starts at w->off. */
static inline void arrive(const struct walk *w, uint16_t type, struct dissect *out)
{
	const unsigned char *ip = w->p + w->off;
	uint32_t len = w->len - w->off;

	out->net = w->off;
	out->ethertype = type;
	if (type == ETHERTYPE_IPV4 && valid_ip4(ip, len))
		out->version = 4;
	else if (type == ETHERTYPE_IPV6 && valid_ip6(ip, len))
		out->version = 6;
	else if (type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6)
		out->ethertype = ETHERTYPE_NONE;
}

/* ------------------------------------- steps: each returns the next ethertype */

/* Returns the ethertype that the version nibble of an IP header implies. */
static uint16_t step_raw(struct walk *w)
{
	if (!there(w, 1))
		return ETHERTYPE_NONE;
	switch (w->p[w->off] >> 4) {
	case 4:
		return ETHERTYPE_IPV4;
	case 6:
		return ETHERTYPE_IPV6;
	}
	return ETHERTYPE_NONE;
}

/*
 * Skips label stack entries up to the one with the bottom bit. The version nibble of the header
 * that follows shows the protocol.
 */
static uint16_t step_mpls(struct walk *w)
{
	bool bottom;

	do {
		if (!there(w, 4))
			return ETHERTYPE_NONE;
		bottom = w->p[w->off + 2] & 1;
		w->off += 4;
	} while (!bottom);
	return step_raw(w);
}

/*
 * Skips an LLC header, which consists of dsap, ssap and control (1 byte each). With SNAP, an
 * organisation (3 bytes) and an ethertype follow.
 */
static uint16_t step_llc(struct walk *w)
{
	const unsigned char *p = w->p + w->off;

	if (!there(w, 3))
		return ETHERTYPE_NONE;
	if (p[0] == 0x06 && p[2] == 0x03) { /* the service access point is that of IP */
		w->off += 3;
		return ETHERTYPE_IPV4;
	}
	if (!there(w, 8) || p[0] != 0xaa || p[1] != 0xaa || p[2] != 0x03)
		return ETHERTYPE_NONE;
	if (p[3] || p[4] || (p[5] && p[5] != 0xf8))
		return ETHERTYPE_NONE;
	w->off += 8;
	return be16(p + 6);
}

/* Reads a PPP protocol number, which has one byte if the first byte is odd, else two. */
static uint16_t step_ppp_protocol(struct walk *w)
{
	const unsigned char *p = w->p + w->off;
	uint16_t proto;

	if (!there(w, 2))
		return ETHERTYPE_NONE;
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
	return ETHERTYPE_NONE;
}

/*
 * Skips a PPPoE session header: u8 version and type, u8 code, u16 session, u16 length. A PPP
 * protocol number follows.
 */
static uint16_t step_pppoe(struct walk *w)
{
	if (!there(w, 6))
		return ETHERTYPE_NONE;
	w->off += 6;
	return step_ppp_protocol(w);
}

/* Reads a VLAN tag: u16 tag control information, u16 ethertype (or length). */
static uint16_t step_vlan(struct walk *w, struct dissect *out)
{
	const unsigned char *p = w->p + w->off;

	if (!there(w, 4))
		return ETHERTYPE_NONE;
	if (!out->vlan) {
		out->vlan = true;
		out->vlan_tci = be16(p);
	}
	w->off += 4;
	return be16(p + 2);
}

/*
 * Handles an 802.3 frame, which has its length instead of an ethertype. The bytes after @length
 * bytes are padding.
 */
static uint16_t step_length(struct walk *w, uint16_t length)
{
	if (!length)
		return ETHERTYPE_NONE;
	if (there(w, length))
		w->len = w->off + length;
	return step_llc(w);
}

static uint16_t step(struct walk *w, uint16_t type, struct dissect *out)
{
	switch (type) {
	case ETHERTYPE_VLAN:
	case ETHERTYPE_QINQ:
	case ETHERTYPE_QINQ_OLD:
		return step_vlan(w, out);
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
static void walk(struct walk *w, uint16_t type, struct dissect *out)
{
	uint32_t off;

	while (type != ETHERTYPE_IPV4 && type != ETHERTYPE_IPV6) {
		off = w->off;
		type = step(w, type, out);
		if (w->off == off || w->off > OFFSET_MAX)
			break;
	}
	if (w->off > OFFSET_MAX) {
		w->off = 0;
		type = ETHERTYPE_NONE;
	}
	arrive(w, type <= ETHERTYPE_802_3_MAX ? ETHERTYPE_NONE : type, out);
}

/* -------------------------------------------------------------- link types */

static void link_ethernet(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 14};
	uint16_t type;

	if (len < 14)
		return;
	type = be16(p + 12);
	if (__builtin_expect(type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6, 1))
		arrive(&w, type, out);
	else
		walk(&w, type, out);
}

static void link_raw(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 0};

	arrive(&w, step_raw(&w), out);
}

static void link_ip4(const unsigned char *p, uint32_t len, struct dissect *out)
{
	arrive(&(struct walk){p, len, 0}, ETHERTYPE_IPV4, out);
}

static void link_ip6(const unsigned char *p, uint32_t len, struct dissect *out)
{
	arrive(&(struct walk){p, len, 0}, ETHERTYPE_IPV6, out);
}

/*
 * Dissects a BSD loopback frame, which begins with the address family as a u32 in either byte
 * order.
 */
static void link_loop(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 4};
	uint16_t type = ETHERTYPE_NONE;
	unsigned af;

	if (len < 4)
		return;
	af = p[0] | p[1] ? p[0] | (unsigned)p[1] << 8 : be16(p + 2);
	switch (af) {
	case 2: /* AF_INET on all systems */
		type = ETHERTYPE_IPV4;
		break;
	case 10: /* AF_INET6 on Linux, NetBSD and OpenBSD, FreeBSD, Darwin */
	case 24:
	case 28:
	case 30:
		type = ETHERTYPE_IPV6;
		break;
	}
	arrive(&w, type, out);
}

static void link_ppp(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 0};

	/* skip the address and control bytes, which are often omitted */
	if (len >= 2 && p[0] == 0xff && p[1] == 0x03)
		w.off = 2;
	walk(&w, step_ppp_protocol(&w), out);
}

static void link_pppoe(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 0};

	walk(&w, ETHERTYPE_PPPOE, out);
}

/* Dissects a Cisco HDLC frame: u8 address, u8 control, u16 ethertype. */
static void link_chdlc(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 4};

	if (len >= 4)
		walk(&w, be16(p + 2), out);
}

/*
 * Dissects PPP in HDLC-like framing or in Cisco's framing. The address byte distinguishes the two.
 */
static void link_ppp_hdlc(const unsigned char *p, uint32_t len, struct dissect *out)
{
	if (len >= 2 && (p[0] == 0x0f || p[0] == 0x8f) && p[1] == 0)
		link_chdlc(p, len, out);
	else
		link_ppp(p, len, out);
}

/*
 * Handles @type, the protocol field of a Linux cooked header, where small values are not lengths.
 */
static void cooked(struct walk *w, uint16_t type, struct dissect *out)
{
	if (type == ETHERTYPE_LLC)
		type = step_llc(w);
	else if (type <= ETHERTYPE_802_3_MAX)
		type = ETHERTYPE_NONE;
	walk(w, type, out);
}

/*
 * Dissects a Linux cooked frame: u16 packet type, u16 hardware type, u16 address length, 8 bytes
 * address, u16 ethertype.
 */
static void link_sll(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 16};

	if (len < 16)
		return;
	out->pkt_type = p[1];
	cooked(&w, be16(p + 14), out);
}

/*
 * Dissects a Linux cooked frame of version 2: u16 ethertype, u16 0, u32 interface, u16 hardware
 * type, u8 packet type, u8 address length, 8 bytes address.
 */
static void link_sll2(const unsigned char *p, uint32_t len, struct dissect *out)
{
	struct walk w = {p, len, 20};

	if (len < 20)
		return;
	out->pkt_type = p[10];
	cooked(&w, be16(p), out);
}

/*
 * Dissects the 802.11 frame at offset @at. Data frames that are neither encrypted nor aggregated
 * contain an LLC header. If @padded is true, padding aligns it to 4 bytes.
 */
static void wlan_at(const unsigned char *p, uint32_t len, uint32_t at, bool padded,
		    struct dissect *out)
{
	const unsigned char *h = p + at;
	struct walk w = {p, len, at + 24};

	if (w.off > len || (h[0] & 0x0c) != 0x08 || h[0] & 0x40 || h[1] & 0x40)
		return;
	if ((h[1] & 3) == 3) /* a frame between access points has a fourth address */
		w.off += 6;
	/* a quality-of-service field follows; its bit 7 means that the frame is aggregated */
	if (h[0] & 0x80) {
		if (w.off >= len || p[w.off] & 0x80)
			return;
		w.off += h[1] & 0x80 ? 6 : 2;
	}
	if (padded)
		w.off += -(w.off - at) & 3;
	if (w.off <= len)
		walk(&w, step_llc(&w), out);
}

static void link_wlan(const unsigned char *p, uint32_t len, struct dissect *out)
{
	wlan_at(p, len, 0, false, out);
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
static void link_radiotap(const unsigned char *p, uint32_t len, struct dissect *out)
{
	uint32_t skip;

	if (len < 4)
		return;
	skip = p[2] | (uint32_t)p[3] << 8;
	if (skip >= 8 && skip <= len)
		wlan_at(p, len, skip, radiotap_flags(p, skip) & 0x20, out);
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
	{ 163, "IEEE802_11_AVS",     DEV_NONE,     false, NULL },
	{ 166, "PPP_PPPD",           DEV_NONE,     false, NULL },
	{ 187, "BLUETOOTH_HCI_H4",   DEV_NONE,     false, NULL },
	{ 189, "USB_LINUX",          DEV_NONE,     false, NULL },
	{ 192, "PPI",                DEV_NONE,     false, NULL },
	{ 195, "IEEE802_15_4_WITHFCS", DEV_NONE,   false, NULL },
	{ 201, "BLUETOOTH_HCI_H4_WITH_PHDR", DEV_NONE, false, NULL },
	{ 203, "LAPD",               DEV_NONE,     false, NULL },
	{ 220, "USB_LINUX_MMAPPED",  DEV_NONE,     false, NULL },
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

#define SHAPE(version_, ethertype_, l4_) \
	{.net = 14, \
	 .ethertype = ethertype_, \
	 .version = version_, \
	 .pkt_type = PKT_TYPE_NONE, \
	 .l4 = l4_}

const struct dissect dissect_shapes[2][2] = {
	{SHAPE(4, ETHERTYPE_IPV4, 0), SHAPE(6, ETHERTYPE_IPV6, 0)},
	{SHAPE(4, ETHERTYPE_IPV4, 14 + 20), SHAPE(6, ETHERTYPE_IPV6, 14 + 40)},
};

/* --------------------------------------------------------------- transport */

/* Size of both ports, the first bytes of a transport header. Shorter headers are ignored. */
#define PORTS 4

/* Returns the offset where the IP packet ended on the wire, without padding. */
static uint32_t packet_end(const unsigned char *p, uint32_t wirelen, const struct dissect *d)
{
	const unsigned char *ip = p + d->net;
	uint32_t n = d->version == 4 ? be16(ip + 2) : be16(ip + 4);

	/*
	 * In IPv4, length 0 means segmentation offload. In IPv6, it means a jumbogram, which has
	 * its length in an option.
	 */
	if (!n && (d->version == 4 || ip[6] == PROTO_HOPOPTS))
		return wirelen;
	if (d->version == 6)
		n += 40;
	return wirelen - d->net > n ? d->net + n : wirelen;
}

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
 * Returns the size of the extension header at @p, where @len bytes were captured. Returns
 * UINT32_MAX if the size was not captured.
 */
static uint32_t extension_length(const unsigned char *p, uint32_t len, uint8_t proto)
{
	if (proto == PROTO_FRAGMENT)
		return 8;
	if (len < 2)
		return UINT32_MAX;
	return proto == PROTO_AH ? (p[1] + 2u) * 4 : (p[1] + 1u) * 8;
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
 * Skips extension headers (for IPv4 only AH) from offset @off, where a header of protocol
 * out->proto starts. @next is the offset of the byte that names this protocol. @end is the end of
 * the packet, and @len the number of captured bytes.
 */
static void skip_extensions(const unsigned char *p, uint32_t len, uint32_t end, uint32_t next,
			    uint32_t off, struct dissect *out)
{
	uint32_t n, here;

	while (off <= OFFSET_MAX && off <= len && off + PORTS <= end) {
		if (!is_extension(out->proto, out->version == 6)) {
			out->l4 = off;
			return;
		}
		here = (len < end ? len : end) - off;
		n = extension_length(p + off, here, out->proto);
		if (n > here)
			return;
		if (out->proto == PROTO_FRAGMENT && !out->frag) {
			out->frag = fragment_flags(p + off);
			out->frag_at = (uint16_t)off;
			out->frag_next = (uint16_t)next;
		}
		out->proto = p[off];
		if (out->frag == FRAG_LATER)
			return;
		next = off;
		off += n;
	}
}

void dissect_transport(const unsigned char *p, uint32_t len, uint32_t wirelen, struct dissect *out)
{
	const unsigned char *ip = p + out->net;
	uint32_t end = packet_end(p, wirelen, out);
	unsigned off;

	if (out->version == 6) {
		out->proto = ip[6];
		skip_extensions(p, len, end, out->net + 6, out->net + 40, out);
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
	skip_extensions(p, len, end, out->net + 9, out->net + (ip[0] & 15) * 4u, out);
}
