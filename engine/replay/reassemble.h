/*
 * reassemble.h - reassembles fragments of IPv4 and IPv6.
 *
 * Sources: net/ipv4/ip_fragment.c and net/ipv6/reassembly.c of Linux.
 *
 * Works as Linux does, with Linux's limits. A datagram is dropped if its fragments overlap or
 * contradict each other (RFC 5722). A fragment that lies inside a run (fragments that arrived in
 * order, without a gap) is a duplicate, and is ignored. A datagram is also dropped if it is still
 * incomplete 30 seconds after its first fragment arrived (60 seconds for IPv6). If the fragments of
 * one IP version take more than 4 MB, the oldest datagrams are dropped.
 */
#ifndef ENGINE_REPLAY_REASSEMBLE_H
#define ENGINE_REPLAY_REASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

/* maximum memory, in bytes, for the fragments of one IP version */
#define REASSEMBLE_MEMORY (4u << 20)
#define REASSEMBLE_TIME4 (30 * 1000000000ull)
#define REASSEMBLE_TIME6 (60 * 1000000000ull)

/* A fragment, as found by dissect.h. */
struct fragment {
	/* the fragment's IP header; all IP headers of the fragment were captured */
	const unsigned char *ip;
	uint32_t captured; /* number of captured bytes at ip */
	uint32_t wirelen;  /* number of bytes on the wire */
	uint8_t version;   /* IP version, 4 or 6 */
	uint16_t at;       /* for IPv6: the fragment header is at ip + at */
	/* for IPv6: the byte at ip + next says that a fragment header follows */
	uint16_t next;
};

/*
 * A reassembled datagram: the IP header of the first fragment (for IPv6 including the extension
 * headers before the fragment header), then the data of the fragments. The lengths, next header and
 * IPv4 checksum in the header are those of the whole datagram. The data ends at the first byte that
 * was not captured.
 */
struct datagram {
	const unsigned char *data; /* valid until the next reassemble() */
	/* number of captured bytes at data, and number of bytes of the whole datagram */
	uint32_t captured, wirelen;
};

/* Numbers of dropped datagrams, by reason. */
struct reassemble_loss {
	/* a fragment was missing when the time was up, or at the end of the capture */
	uint64_t missing;
	/* fragments contradicted each other, or the datagram would exceed 65535 bytes */
	uint64_t overlap;
	uint64_t room; /* memory was full */
	/* number of fragments that were ignored, as Linux does: their lengths are impossible */
	uint64_t ignored;
};

struct reassembly;

/* Returns an empty reassembly. The caller frees it. */
struct reassembly *reassembly_new(void);
void reassembly_free(struct reassembly *r); /* @r may be NULL */

/*
 * Processes one fragment, and copies its data. @now is the time in ns; it never goes back. Returns
 * true if the fragment completes a datagram, which is then in @out.
 */
bool reassemble(struct reassembly *r, const struct fragment *f, uint64_t now, struct datagram *out);

/* Drops all incomplete datagrams, because there are no more fragments. */
void reassembly_end(struct reassembly *r);

/* Returns the numbers of datagrams dropped so far. @r may be NULL. */
struct reassemble_loss reassembly_loss(const struct reassembly *r);

/* Returns the bytes in use for IP version @version (4 or 6). */
uint32_t reassembly_memory(const struct reassembly *r, int version);

/*
 * Returns how many datagrams and runs (of fragments) would be visited if each were looked up once.
 * Tests use this to check that lookups stay fast.
 */
uint64_t reassembly_probes(const struct reassembly *r);

#endif
