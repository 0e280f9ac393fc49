/*
 * reassemble.h - reassembles fragments of IPv4 and IPv6.
 *
 * Sources: net/ipv4/ip_fragment.c and net/ipv6/reassembly.c of Linux.
 *
 * Works as in Linux, with its limits. A datagram is dropped if its fragments overlap or contradict
 * each other (RFC 5722). A fragment whose bytes have all arrived is a duplicate and ignored. A
 * datagram is also dropped if a fragment is missing 30 seconds (IPv6: 60) after the first fragment
 * arrived. If the fragments of one IP version take more than 4 MB, the oldest datagrams are
 * dropped.
 */
#ifndef ENGINE_REPLAY_REASSEMBLE_H
#define ENGINE_REPLAY_REASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#define REASSEMBLE_MEMORY (4u << 20) /* bytes for each IP version */
#define REASSEMBLE_TIME4 (30 * 1000000000ull)
#define REASSEMBLE_TIME6 (60 * 1000000000ull)

/* A fragment, as found by dissect.h. */
struct fragment {
	const unsigned char *ip; /* its IP header; all IP headers were captured */
	uint32_t captured;       /* captured bytes at ip */
	uint32_t wirelen;        /* bytes on the wire */
	uint8_t version;         /* 4, 6 */
	uint16_t at;             /* IPv6: offset of the fragment header from ip ... */
	uint16_t next;           /* ... and of the next-header byte that names it */
};

/*
 * A reassembled datagram: the IP header of the first fragment (for IPv6 including the extension
 * headers before the fragment header), then the data of the fragments. The header has the lengths,
 * next header and IPv4 checksum of the whole. The data ends at the first byte that was not
 * captured.
 */
struct datagram {
	const unsigned char *data;  /* valid until the next reassemble() */
	uint32_t captured, wirelen; /* bytes at data; bytes of the whole datagram */
};

/* Numbers of dropped datagrams, by reason. */
struct reassemble_loss {
	uint64_t missing; /* time-out, or the capture ended */
	uint64_t overlap; /* the fragments contradict each other, or exceed 65535 bytes */
	uint64_t room;    /* the memory limit was reached */
};

struct reassembly;

/* Returns an empty reassembly. The caller frees it. */
struct reassembly *reassembly_new(void);
void reassembly_free(struct reassembly *r); /* NULL is allowed */

/*
 * Processes one fragment, and copies its data. @now is the time in ns; it never goes back. Returns
 * true if the fragment completes a datagram, which is then in @out.
 */
bool reassemble(struct reassembly *r, const struct fragment *f, uint64_t now, struct datagram *out);

/* Drops all incomplete datagrams, because there are no more fragments. */
void reassembly_end(struct reassembly *r);

/* Returns the numbers so far. @r may be NULL. */
struct reassemble_loss reassembly_loss(const struct reassembly *r);

/* Returns the bytes in use for @version (4, 6). */
uint32_t reassembly_memory(const struct reassembly *r, int version);

/* Returns the number of datagrams and runs that looking up each of them once would visit. */
uint64_t reassembly_probes(const struct reassembly *r);

#endif
