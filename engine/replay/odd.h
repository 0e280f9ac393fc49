/*
 * odd.h - counts frames and packets that fire fewer probes than their sender meant, by reason.
 *
 * Either replay cannot read a header, so answers may lack packets; or a header is impossible, so a
 * host would drop the packet, and answers lack nothing.
 */
#ifndef ENGINE_REPLAY_ODD_H
#define ENGINE_REPLAY_ODD_H

#include <stdbool.h>
#include <stdint.h>

struct strbuf;

/*
 * The reasons, with their texts. Some have a number, with so many hexadecimal digits, or in
 * decimal. From ODD_802_3 on, headers are impossible.
 */
enum { ODD_DECIMAL = 10 };
#define ODD_REASONS(X) \
	X(ODD_NONE, "", 0) \
	X(ODD_ETHERTYPE, "ethertype", 4) \
	X(ODD_LLC, "LLC service access point", 2) \
	X(ODD_SNAP, "SNAP organization that ends in", 4) \
	X(ODD_PPP, "PPP protocol", 4) \
	X(ODD_MPLS, "MPLS payload that begins with", 1) \
	X(ODD_COOKED, "cooked protocol", 4) \
	X(ODD_FAMILY, "address family", ODD_DECIMAL) \
	X(ODD_RAW, "IP version", ODD_DECIMAL) \
	X(ODD_ENCRYPTED, "encrypted 802.11", 0) \
	X(ODD_AGGREGATED, "aggregated 802.11", 0) \
	X(ODD_SHORT, "shorter than the link header", 0) \
	X(ODD_DEEP, "headers over 64 KB", 0) \
	X(ODD_CUT, "cut before the end of the IP header", 0) \
	X(ODD_CUT_EXTENSION, "cut within extension headers", 0) \
	X(ODD_CUT_TCP, "cut within the TCP header", 0) \
	X(ODD_802_3, "802.3 length", 0) \
	X(ODD_PPPOE, "PPPoE length", 0) \
	X(ODD_VERSION, "IP version", 0) \
	X(ODD_IP4_HEADER, "IPv4 header length", 0) \
	X(ODD_IP4_LESS, "IPv4 total length less than the header", 0) \
	X(ODD_IP4_BEYOND, "IPv4 total length beyond the frame", 0) \
	X(ODD_IP6_BEYOND, "IPv6 length beyond the frame", 0) \
	X(ODD_IP6_UNSAID, "IPv6 length 0 of a packet over 512 KB", 0) \
	X(ODD_OPTIONS, "IPv6 hop-by-hop options", 0) \
	X(ODD_EXTENSION, "extension header length", 0) \
	X(ODD_FRAGMENT, "fragment length", 0) \
	X(ODD_TCP, "TCP header length", 0) \
	X(ODD_UDP, "UDP length", 0) \
	X(ODD_UDPLITE, "UDP-Lite coverage", 0) \
	X(ODD_ICMP, "ICMP message shorter than its header", 0)
#define ODD_NAME(name, text, digits) name,
enum odd_reason { ODD_REASONS(ODD_NAME) ODD_END };

enum { ODD_ENTRIES = 32 };

/* Counts of each class by reason, in the order in which they came up. All are 0 at first. */
struct odd {
	struct odd_class {
		struct odd_entry {
			uint64_t n; /* 0 after the last entry */
			uint16_t number;
			uint8_t reason;
		} v[ODD_ENTRIES];
		uint64_t rest; /* reasons without an entry */
	} of[2];               /* [1] is of impossible headers */
};

void odd_count(struct odd *o, uint8_t reason, uint16_t number, uint64_t n);

/* Adds the counts of @from to those of @to. */
void odd_add(struct odd *to, const struct odd *from);

/*
 * Returns the sum of the counts of one class, and replaces the text of @b by a list: "ethertype
 * 0x894f (NSH) 10, PPP protocol 0x00fd 2".
 */
uint64_t odd_list(const struct odd *o, bool impossible, struct strbuf *b);

#endif
