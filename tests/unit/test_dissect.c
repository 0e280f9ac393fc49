/*
 * test_dissect.c - finds the outermost IP header of frames of every link type.
 *
 * Frames are written as hexadecimal text, in which blanks are ignored.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/dissect.h"
#include "tests/check.h"

#define MAC "0200000000020200000000 01"
/* IPv4 header of a UDP packet, without data */
#define IP4 "4500001400000000401100000a0000010a000002"
#define IP6 "6000000000001140 20010db8000000000000000000000001 20010db8000000000000000000000002"

static unsigned digit(char c)
{
	return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower(c) - 'a' + 10);
}

/*
 * Converts @hex to bytes. The bytes are in memory of exactly their size, so that a sanitizer sees
 * reads past the end.
 */
static unsigned char *bytes(const char *hex, uint32_t *n)
{
	unsigned char *p = xmalloc(strlen(hex) / 2 + 1);
	unsigned half = 0, v = 0;

	*n = 0;
	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		v = v << 4 | digit(*hex);
		if (half ^= 1)
			continue;
		p[(*n)++] = (unsigned char)v;
	}
	return xrealloc(p, *n ? *n : 1);
}

/*
 * Dissects a frame of @wire bytes whose first @n bytes were captured. Checks that dissect_frame(),
 * the fast way for usual frames, gives the same result as dissect_all(), except that it may ignore
 * the lengths in headers of TCP and UDP.
 */
static struct dissect dissected(const struct link_type *lt, const unsigned char *p, uint32_t n,
				uint32_t wire)
{
	struct dissect d, same;

	memset(&d, 0xa5, sizeof(d));
	memset(&same, 0xa5, sizeof(same));
	dissect_all(lt, p, n, wire, &d);
	assert_true(d.net <= n);
	dissect_frame(lt, p, n, wire, true, &same);
	assert_memory_equal(&d, &same, sizeof(d));
	dissect_frame(lt, p, n, wire, false, &same);
	if (d.odd != ODD_TCP && d.odd != ODD_UDP)
		assert_memory_equal(&d, &same, sizeof(d));
	return d;
}

static struct dissect look(uint32_t link, const char *hex)
{
	const struct link_type *lt = link_type_find(link);
	struct dissect d;
	unsigned char *p;
	uint32_t n, cut;

	assert_non_null(lt);
	p = bytes(hex, &n);
	d = dissected(lt, p, n, n);
	/* Whichever byte the frame is cut at, nothing past its end is read. */
	for (cut = 0; cut < n; cut++) {
		unsigned char *q = xmalloc(cut ? cut : 1);

		memcpy(q, p, cut);
		dissected(lt, q, cut, n);
		dissected(lt, q, cut, cut);
		xfree(q);
	}
	xfree(p);
	return d;
}

static void finds(uint32_t link, const char *hex, int version, uint32_t net)
{
	struct dissect d = look(link, hex);

	assert_int_equal(d.version, version);
	assert_int_equal(d.ethertype, version == 4 ? 0x0800 : 0x86dd);
	assert_int_equal(d.net, net);
	assert_int_equal(d.proto, 17);
	assert_int_equal(d.frag, 0);
}

/*
 * Checks that the frame @hex has no IP packet. Its ethertype must be @type; 0 means that it has
 * none.
 */
static void no_ip(uint32_t link, const char *hex, uint16_t type)
{
	struct dissect d = look(link, hex);

	assert_int_equal(d.version, 0);
	assert_int_equal(d.ethertype, type);
}

static void test_ethernet(void **state)
{
	(void)state;
	finds(1, MAC "0800" IP4, 4, 14);
	finds(1, MAC "86dd" IP6, 6, 14);
	finds(1, MAC "0800" IP4 "00000000", 4, 14);
	no_ip(1,
	      MAC "0806"
		  "0001080006040001",
	      0x0806);
	no_ip(1,
	      MAC "88cc"
		  "0207",
	      0x88cc);
	no_ip(1, MAC, 0);
	no_ip(1, "", 0);
	assert_int_equal(look(1, MAC "0800" IP4).pkt_type, PKT_TYPE_NONE);
}

static void test_802_3(void **state)
{
	(void)state;
	finds(1,
	      MAC "001c"
		  "aaaa03000000"
		  "0800" IP4,
	      4, 22);
	finds(1,
	      MAC "0017"
		  "060603" IP4,
	      4, 17);
	finds(1,
	      MAC "0020"
		  "aaaa03000000"
		  "8100"
		  "0005"
		  "0800" IP4,
	      4, 26);
	no_ip(1,
	      MAC "001c"
		  "aaaa0300000c"
		  "0800" IP4,
	      0);
	no_ip(1,
	      MAC "001c"
		  "424203000000"
		  "0800" IP4,
	      0);
	no_ip(1,
	      MAC "0010"
		  "aaaa03000000"
		  "0800" IP4,
	      0); /* the frame is shorter than its length field says */
	no_ip(1,
	      MAC "0000"
		  "aaaa03000000"
		  "0800" IP4,
	      0);
	no_ip(1, MAC "05ff" IP4, 0x05ff);
}

static void test_vlan(void **state)
{
	struct dissect d;

	(void)state;
	finds(1,
	      MAC "8100"
		  "6005"
		  "0800" IP4,
	      4, 18);
	finds(1,
	      MAC "88a8"
		  "0001"
		  "8100"
		  "0002"
		  "86dd" IP6,
	      6, 22);
	finds(1,
	      MAC "9100"
		  "0001"
		  "9100"
		  "0002"
		  "8100"
		  "0003"
		  "0800" IP4,
	      4, 26);
	finds(1,
	      MAC "8100"
		  "0001"
		  "001c"
		  "aaaa03000000"
		  "0800" IP4,
	      4, 26);
	d = look(1, MAC "88a8"
			"6005"
			"8100"
			"0002"
			"0800" IP4);
	assert_true(d.vlan);
	assert_int_equal(d.vlan_tci, 0x6005);
	d = look(1, MAC "8100"
			"6005"
			"0806"
			"0001");
	assert_true(d.vlan);
	assert_int_equal(d.ethertype, 0x0806);
	assert_int_equal(d.net, 18);
	assert_false(look(1, MAC "0800" IP4).vlan);
}

static void test_mpls(void **state)
{
	(void)state;
	finds(1,
	      MAC "8847"
		  "000101ff" IP4,
	      4, 18);
	finds(1,
	      MAC "8847"
		  "000100ff"
		  "000201ff" IP6,
	      6, 22);
	finds(1,
	      MAC "8848"
		  "000101ff" IP4,
	      4, 18);
	no_ip(1,
	      MAC "8847"
		  "000101ff"
		  "00000000" MAC "0800" IP4,
	      0); /* a frame of a pseudowire, which is not dissected */
	no_ip(1,
	      MAC "8847"
		  "000100ff"
		  "000200ff",
	      0);
}

static void test_ppp(void **state)
{
	(void)state;
	finds(1,
	      MAC "8864"
		  "110000010016"
		  "0021" IP4,
	      4, 22);
	finds(1,
	      MAC "8864"
		  "11000001002a"
		  "0057" IP6,
	      6, 22);
	finds(1,
	      MAC "8864"
		  "110000010015"
		  "21" IP4,
	      4, 21);
	no_ip(1,
	      MAC "8864"
		  "110000010006"
		  "c021"
		  "01000004",
	      0);
	no_ip(1,
	      MAC "8863"
		  "110900000000",
	      0x8863);
	finds(9, "ff030021" IP4, 4, 4);
	finds(9, "0021" IP4, 4, 2);
	finds(9, "21" IP4, 4, 1);
	finds(9,
	      "ff030281"
	      "000101ff" IP4,
	      4, 8);
	finds(50, "ff030057" IP6, 6, 4);
	finds(50, "0f000800" IP4, 4, 4);
	finds(51,
	      "110000010016"
	      "0021" IP4,
	      4, 8);
	finds(104, "0f0086dd" IP6, 6, 4);
	no_ip(9,
	      "ff03c021"
	      "01000004",
	      0);
}

static void test_cooked(void **state)
{
	static const char sll[] = "0004 0001 0006 0200000000010000";
	struct dissect d;
	char text[512];

	(void)state;
	finds(113, "0004 0001 0006 0200000000010000 0800" IP4, 4, 16);
	finds(113, "0000 0001 0006 0200000000010000 8100 0005 86dd" IP6, 6, 20);
	finds(113, "0000 0001 0006 0200000000010000 0004 aaaa03000000 0800" IP4, 4, 24);
	no_ip(113, "0000 0001 0006 0200000000010000 0001" IP4, 0);
	no_ip(113, "0000 0001 0006 0200000000010000 0003 aaaa03000000 0800" IP4, 0);
	strcpy(text, sll);
	d = look(113, strcat(text, "0800" IP4));
	assert_int_equal(d.pkt_type, 4);
	finds(276, "0800 0000 00000002 0001 03 06 0200000000010000" IP4, 4, 20);
	d = look(276, "86dd 0000 00000002 0001 03 06 0200000000010000" IP6);
	assert_int_equal(d.pkt_type, 3);
	assert_int_equal(d.version, 6);
}

static void test_loopback(void **state)
{
	(void)state;
	finds(0, "02000000" IP4, 4, 4);
	finds(0, "00000002" IP4, 4, 4);
	finds(0, "1e000000" IP6, 6, 4);
	finds(0, "0000001c" IP6, 6, 4);
	finds(0, "18000000" IP6, 6, 4);
	finds(0, "0a000000" IP6, 6, 4);
	finds(108, "00000002" IP4, 4, 4);
	no_ip(0, "07000000" IP4, 0);
}

static void test_raw(void **state)
{
	static const uint32_t links[] = {12, 14, 101};
	unsigned i;

	(void)state;
	for (i = 0; i < 3; i++) {
		finds(links[i], IP4, 4, 0);
		finds(links[i], IP6, 6, 0);
		no_ip(links[i], "50000014" IP4, 0);
		assert_true(link_type_find(links[i])->bare);
	}
	finds(228, IP4, 4, 0);
	no_ip(228, IP6, 0);
	finds(229, IP6, 6, 0);
	no_ip(229, IP4, 0);
}

static void test_wlan(void **state)
{
	static const char header[] = "0000 020000000001 020000000002 020000000003 0000";
	char text[512];

	(void)state;
	strcpy(text, "0802");
	finds(105, strcat(strcat(text, header), "aaaa03000000 0800" IP4), 4, 32);
	strcpy(text, "8802");
	finds(105, strcat(strcat(text, header), "0000 aaaa03000000 86dd" IP6), 6, 34);
	strcpy(text, "0000 0800 00000000 0802");
	finds(127, strcat(strcat(text, header), "aaaa03000000 0800" IP4), 4, 40);
	strcpy(text, "0842"); /* encrypted */
	no_ip(105, strcat(strcat(text, header), "aaaa03000000 0800" IP4), 0);
	strcpy(text, "8000"); /* a beacon */
	no_ip(105, strcat(strcat(text, header), "aaaa03000000 0800" IP4), 0);
}

/* Flag 0x20 of radiotap: the 802.11 header is padded to a multiple of 4 bytes. */
static void test_radiotap_padding(void **state)
{
	static const struct {
		const char *radiotap;
		bool padded;
	} all[] = {
		{"0000 0900 02000000 20", true},
		{"0000 0900 02000000 10", false},
		{"0000 0900 04000000 20", false},                 /* a rate, no flags */
		{"0000 1100 03000000 2020202020202020 20", true}, /* after a time stamp */
		{"0000 1100 03000000 2020202020202020 00", false},
		{"0000 0d00 02000080 20000000 20", true}, /* two words say what follows */
		{"0000 1900 03000080 00000080 00000000 2020202020202020 20", true},
		{"0000 0800 02000000", false}, /* the flags are missing */
		{"0000 0800 020000a0", false}, /* so are words and flags */
	};
	char text[512];
	unsigned i, n;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		n = (unsigned)strtoul(all[i].radiotap + 5, NULL, 16) >> 8;
		strcpy(text, all[i].radiotap);
		strcat(text, "8802 0000 020000000001 020000000002 020000000003 0000 0000");
		strcat(text,
		       all[i].padded ? "0000 aaaa03000000 0800" IP4 : "aaaa03000000 0800" IP4);
		finds(127, text, 4, n + 26 + (all[i].padded ? 2 : 0) + 8);
	}
	/* A header of 24 bytes needs no padding. */
	strcpy(text, "0000 0900 02000000 20 0802 0000 020000000001 020000000002 020000000003 0000");
	finds(127, strcat(text, "aaaa03000000 0800" IP4), 4, 9 + 24 + 8);
}

static void test_headers_refused(void **state)
{
	unsigned char *cut;
	uint32_t n;

	(void)state;
	/* The version in the IP header is wrong. */
	no_ip(1,
	      MAC "0800"
		  "6500001400000000401100000a0000010a000002",
	      0);
	no_ip(1, MAC "0800" IP6, 0);
	no_ip(1, MAC "86dd" IP4 IP4, 0);
	/* The header length is below 20, or the total length is below the header length. */
	no_ip(1,
	      MAC "0800"
		  "4400001400000000401100000a0000010a000002",
	      0);
	no_ip(1,
	      MAC "0800"
		  "4500001300000000401100000a0000010a000002",
	      0);
	/* The packet is cut off inside the header, which includes the options. */
	no_ip(1,
	      MAC "0800"
		  "4500001400000000401100000a0000010a0000",
	      0);
	no_ip(1,
	      MAC "0800"
		  "4600001800000000401100000a0000010a000002 0101",
	      0);
	/* The total length exceeds the captured bytes, because a snap length cut the packet. */
	cut = bytes(MAC "0800"
			"450005dc00000000401100000a0000010a000002",
		    &n);
	assert_int_equal(dissected(link_type_find(1), cut, n, 14 + 1500).version, 4);
	assert_int_equal(dissected(link_type_find(1), cut, n, 14 + 1499).odd, ODD_IP4_BEYOND);
	xfree(cut);
}

static void transport(const char *hex, uint8_t proto, uint32_t l4, uint8_t frag)
{
	struct dissect d = look(101, hex);

	assert_int_not_equal(d.version, 0);
	assert_int_equal(d.proto, proto);
	assert_int_equal(d.l4, l4);
	assert_int_equal(d.frag, frag);
}

#define ADDR4 "0a0000010a000002"
#define ADDR6 "20010db8000000000000000000000001 20010db8000000000000000000000002"

/* These packets have four bytes of SCTP, whose header is not checked. */
static void test_transport4(void **state)
{
	(void)state;
	transport("4500001800000000 4084 0000" ADDR4 "00500051", 132, 20, 0);
	transport("4600001c00000000 4084 0000" ADDR4 "01010101 00500051", 132, 24, 0);
	transport("4500001800002000 4011 0000" ADDR4 "00500051", 17, 20, FRAG_FIRST);
	transport("4500001800000001 4011 0000" ADDR4 "00500051", 17, 0, FRAG_LATER);
	transport("4500001800004000 4084 0000" ADDR4 "00500051", 132, 20, 0);
	/* Padding does not count as a transport header. */
	transport("4500001400000000 4084 0000" ADDR4 "00500051", 132, 0, 0);
	/* An authentication header precedes the transport header. */
	transport("4500002400000000 4033 0000" ADDR4 "84010000 00000001 00000002 00500051", 132, 32,
		  0);
	transport("4500002000000000 4033 0000" ADDR4 "84040000 00000001 00000002", 51, 0, 0);
	/* IPv4 has no hop-by-hop header. */
	transport("4500001800000000 4000 0000" ADDR4 "06000000", 0, 20, 0);
}

static void test_transport6(void **state)
{
	(void)state;
	transport("60000000 0004 84 40" ADDR6 "00500051", 132, 40, 0);
	transport("60000000 000c 00 40" ADDR6 "8400010400000000 00500051", 132, 48, 0);
	transport("60000000 0014 00 40" ADDR6 "2b00010400000000 8400000000000000 00500051", 132, 56,
		  0);
	/*
	 * An atomic fragment (the only one of its datagram), a first fragment, and a later
	 * fragment.
	 */
	transport("60000000 000c 2c 40" ADDR6 "8400000000000001 00500051", 132, 48, 0);
	transport("60000000 000c 2c 40" ADDR6 "1100000100000001 00500051", 17, 48, FRAG_FIRST);
	transport("60000000 000c 2c 40" ADDR6 "1100000900000001 00500051", 17, 0, FRAG_LATER);
	/* a truncated extension header hides the headers after it */
	transport("60000000 0008 3c 40" ADDR6 "8401010400000000", 60, 0, 0);
	transport("60000000 0004 3b 40" ADDR6 "00500051", 59, 40, 0);
	/* A payload length of 0 means no payload, unless hop-by-hop options follow. */
	transport("60000000 0000 84 40" ADDR6 "00500051", 132, 0, 0);
	transport("60000000 0000 00 40" ADDR6 "8400050200000100 00500051", 132, 48, 0);
}

/* ------------------------------------------------------- every length in a header */

enum { ROOM = 200 };

/*
 * Makes an Ethernet frame with an IP packet of protocol @proto, and returns the offset of the bytes
 * after the IP header. All lengths are right: the payload has @n bytes.
 */
static uint32_t make(unsigned char *p, bool v6, unsigned proto, uint32_t n)
{
	memset(p, 0, ROOM);
	p[12] = v6 ? 0x86 : 0x08;
	p[13] = v6 ? 0xdd : 0x00;
	p[14] = v6 ? 0x60 : 0x45;
	p[v6 ? 19 : 17] = (unsigned char)(v6 ? n : 20 + n);
	p[v6 ? 20 : 23] = (unsigned char)proto;
	return v6 ? 54 : 34;
}

static struct dissect dissect_bytes(const unsigned char *p, uint32_t n)
{
	unsigned char *exact = xmalloc(n);
	struct dissect d;

	memcpy(exact, p, n);
	d = dissected(link_type_find(LINK_ETHERNET), exact, n, n);
	xfree(exact);
	return d;
}

/* Checks that the packet of @wire bytes is accepted by IP if @ip, and then by its protocol if @l4.
 */
static void accepts(const unsigned char *p, uint32_t wire, bool ip, bool l4)
{
	struct dissect d = dissect_bytes(p, wire);

	assert_int_equal(d.version != 0, ip);
	assert_int_equal(d.l4 != 0, ip && l4);
	/* a reason for each refused header; other protocols may have too few bytes for ports */
	if (!ip || (!l4 && (d.proto == 6 || d.proto == 17 || d.proto == 136)))
		assert_int_not_equal(d.odd, 0);
	if (ip && l4)
		assert_int_equal(d.odd, 0);
	assert_true(!d.version || d.net + dissect_ip_length(p + d.net, wire - d.net) <= wire);
}

static void set16(unsigned char *p, uint32_t v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

static void test_ip_lengths(void **state)
{
	unsigned char p[ROOM];

	(void)state;
	for (uint32_t frame = 0; frame < 70; frame++) {
		for (uint32_t total = 0; total < 70; total++) {
			for (uint32_t ihl = 0; ihl < 16; ihl++) {
				make(p, false, 132, 0);
				p[14] = (unsigned char)(0x40 | ihl);
				set16(p + 16, total);
				accepts(p, 14 + frame,
					frame >= 20 && ihl >= 5 && ihl * 4 <= total &&
						total <= frame,
					total >= ihl * 4 + 4);
			}
		}
		make(p, true, 132, 0);
		for (uint32_t payload = 0; payload < 70; payload++) {
			set16(p + 18, payload);
			accepts(p, 14 + 40 + frame, payload <= frame, payload >= 4);
		}
	}
	make(p, true, 132, 0);
	set16(p + 18, 65535);
	accepts(p, ROOM, false, false);
	make(p, false, 132, 0);
	set16(p + 16, 65535);
	accepts(p, ROOM, false, false);
}

/*
 * Checks a packet of @proto whose IP header has length 0, in frames of all sizes. @biggest is the
 * size of the largest packet whose length is that of the frame, or 0 if there is none.
 */
static void unsaid(bool v6, unsigned proto, uint32_t biggest, unsigned refused)
{
	static const uint32_t sizes[] = {200, 1500, 65575, 65576, 524288, 524289, UINT32_MAX - 14};
	unsigned char p[ROOM];
	uint32_t l4 = make(p, v6, proto, 0);

	set16(p + (v6 ? 18 : 16), 0);
	p[l4] = 6; /* the header after hop-by-hop options of 8 bytes, which are padding */
	p[l4 + 2] = 1;
	p[l4 + 3] = 4;
	p[l4 + (proto ? 0 : 8) + 12] = 0x50;
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct dissect d = dissected(link_type_find(LINK_ETHERNET), p, ROOM, 14 + sizes[i]);

		if (sizes[i] <= biggest) {
			assert_int_equal(d.odd, 0);
			assert_int_equal(d.proto, 6);
			assert_int_equal(dissect_ip_length(p + d.net, sizes[i]), sizes[i]);
		} else {
			assert_int_equal(d.odd, refused);
			assert_int_equal(d.version, 0);
		}
	}
}

/* The frame's length, which a capture may state as it likes, is that of a packet up to 512 KB. */
static void test_unsaid_lengths(void **state)
{
	(void)state;
	unsaid(false, 6, 512 << 10, ODD_IP4_LESS);
	unsaid(false, 17, 0, ODD_IP4_LESS);
	unsaid(true, 0, 512 << 10, ODD_IP6_UNSAID);
}

/* For each payload of @proto and each value of the length field at offset @at. */
static void each_length(unsigned proto, uint32_t at, uint32_t step,
			bool (*right)(uint32_t payload, uint32_t value, bool v6))
{
	unsigned char p[ROOM];

	for (uint32_t n = 0; n < 70; n++) {
		for (uint32_t v = 0; v < 260; v++) {
			for (unsigned v6 = 0; v6 < 2; v6++) {
				uint32_t l4 = make(p, v6, proto, n);

				set16(p + l4 + at, v * step);
				accepts(p, l4 + n, true, right(n, v, v6));
				/* padding of the frame, and bytes that were not captured, change
				 * nothing */
				accepts(p, l4 + n + 20, true, right(n, v, v6));
			}
		}
	}
}

static bool tcp_is_right(uint32_t payload, uint32_t value, bool v6)
{
	uint32_t offset = (value & 15) * 4;

	(void)v6;
	return offset >= 20 && offset <= payload;
}

static bool udp_is_right(uint32_t payload, uint32_t value, bool v6)
{
	return payload >= 8 && (value ? value >= 8 && value <= payload : v6);
}

static bool udplite_is_right(uint32_t payload, uint32_t value, bool v6)
{
	(void)v6;
	return payload >= 8 && (!value || value >= 8) && value <= payload;
}

static bool icmp_is_right(uint32_t payload, uint32_t value, bool v6)
{
	(void)value;
	return payload >= (v6 ? 4 : 8); /* protocol 1 is ICMP in IPv4 only */
}

static bool icmp6_is_right(uint32_t payload, uint32_t value, bool v6)
{
	(void)value;
	return payload >= (v6 ? 8 : 4);
}

static void test_transport_lengths(void **state)
{
	(void)state;
	each_length(6, 12, 1 << 12, tcp_is_right);
	each_length(17, 4, 1, udp_is_right);
	each_length(136, 4, 1, udplite_is_right);
	each_length(1, 4, 1, icmp_is_right);
	each_length(58, 4, 1, icmp6_is_right);
}

static void test_extension_lengths(void **state)
{
	static const unsigned char all[] = {0, 43, 51, 60, 135, 139, 140};
	unsigned char p[ROOM];

	(void)state;
	for (unsigned i = 0; i < sizeof(all); i++) {
		for (uint32_t n = 0; n < 100; n++) {
			for (uint32_t v = 0; v < 256; v++) {
				uint32_t l4 = make(p, true, all[i], n),
					 size = all[i] == 51 ? (v + 2) * 4 : (v + 1) * 8;
				bool right = n >= 8 && size <= n && !(all[i] == 51 && size < 12);

				p[l4] = 132;
				p[l4 + 1] = (unsigned char)v;
				if (all[i] == 0 && n == 0)
					continue; /* the length is that of the frame then */
				accepts(p, l4 + n + 20, all[i] || right, right && size + 4 <= n);
			}
		}
	}
}

/* The lengths of options, and the jumbo option. */
static void test_option_lengths(void **state)
{
	unsigned char p[ROOM];

	(void)state;
	for (uint32_t type = 1; type < 256; type++) {
		for (uint32_t v = 0; v < 256; v++) {
			uint32_t l4 = make(p, true, 0, 8 + 4);

			p[l4] = 132;
			p[l4 + 2] = (unsigned char)type;
			p[l4 + 3] = (unsigned char)v;
			/* a jumbo option with a payload length is wrong, whatever its value */
			accepts(p, l4 + 12, v <= 4 && type != 0xc2, true);
		}
	}
	for (uint32_t jumbo = 0; jumbo < 3 << 16; jumbo += 0x3fff) {
		unsigned char *big = xcalloc(1, 54 + 70000);
		struct dissect d;

		make(big, true, 0, 0);
		memcpy(big + 54, (unsigned char[]){132, 0, 0xc2, 4, 0}, 5);
		big[57 + 2] = (unsigned char)(jumbo >> 16);
		set16(big + 60, jumbo);
		d = dissect_bytes(big, 54 + 70000);
		assert_int_equal(d.version != 0, jumbo > 65535 && jumbo <= 70000);
		xfree(big);
	}
}

/* The lengths in headers of the link: 802.3 and PPPoE, with padding after an IPv4 packet. */
static void test_link_lengths(void **state)
{
	unsigned char p[ROOM], ip[24];

	(void)state;
	make(p, false, 132, 4);
	memcpy(ip, p + 14, sizeof(ip));
	for (uint32_t v = 0; v < 100; v++) {
		memset(p, 0, sizeof(p));
		set16(p + 12, v);
		memcpy(p + 14, "\xaa\xaa\3\0\0\0\x8\0", 8);
		memcpy(p + 22, ip, sizeof(ip));
		accepts(p, 14 + 60, v >= 8 + sizeof(ip) && v <= 60, true);
		memcpy(p + 12, "\x88\x64\x11\0\0\1", 6);
		set16(p + 18, v);
		set16(p + 20, 0x21);
		memcpy(p + 22, ip, sizeof(ip));
		accepts(p, 20 + 60, v >= 2 + sizeof(ip) && v <= 60, true);
	}
}

static void test_table(void **state)
{
	(void)state;
	assert_null(link_type_find(65000));
	assert_string_equal(link_type_find(1)->name, "ETHERNET");
	assert_null(link_type_find(274)->dissect);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ethernet),
		cmocka_unit_test(test_802_3),
		cmocka_unit_test(test_vlan),
		cmocka_unit_test(test_mpls),
		cmocka_unit_test(test_ppp),
		cmocka_unit_test(test_cooked),
		cmocka_unit_test(test_loopback),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_wlan),
		cmocka_unit_test(test_headers_refused),
		cmocka_unit_test(test_radiotap_padding),
		cmocka_unit_test(test_transport4),
		cmocka_unit_test(test_transport6),
		cmocka_unit_test(test_ip_lengths),
		cmocka_unit_test(test_unsaid_lengths),
		cmocka_unit_test(test_transport_lengths),
		cmocka_unit_test(test_extension_lengths),
		cmocka_unit_test(test_option_lengths),
		cmocka_unit_test(test_link_lengths),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
