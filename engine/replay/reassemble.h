/*
 * reassemble.h - fragments of IPv4 and IPv6 become datagrams again.
 *
 * As Linux does it, with its limits: a datagram is given up if its fragments
 * overlap or contradict each other (RFC 5722; what one already has is a
 * duplicate and ignored), if they do not all come within 30 seconds (IPv6: 60)
 * of the first to come, or to make room when those of one IP version take more
 * than 4 MB; then the oldest goes first.
 */
#ifndef REPLAY_REASSEMBLE_H
#define REPLAY_REASSEMBLE_H

#include <stdbool.h>
#include <stdint.h>

#define REASSEMBLE_MEMORY (4u << 20) /* bytes, for each IP version */
#define REASSEMBLE_TIME4 (30 * 1000000000ull)
#define REASSEMBLE_TIME6 (60 * 1000000000ull)

/* A packet that is a fragment, as dissect.h found it. */
struct fragment {
	const unsigned char *ip; /* its IP header; readable up to what follows the IP headers */
	uint32_t captured;       /* bytes there are at ip */
	uint32_t wirelen;        /* bytes there were */
	uint8_t version;         /* 4, 6 */
	uint16_t at;             /* IPv6: the fragment header, as an offset from ip ... */
	uint16_t next;           /* ... and the next-header byte that leads to it */
};

/*
 * A datagram as no fragment ever was: the IP header of the first fragment (and of
 * IPv6 the extension headers before the fragment header), with the lengths, the
 * next header and the IPv4 checksum of the whole, then what the fragments held.
 * If fragments were not wholly captured it is cut where the first gap is.
 */
struct datagram {
	const unsigned char *data;  /* valid until the next reassemble() */
	uint32_t captured, wirelen; /* bytes at data; bytes it had */
};

/* Why datagrams were given up. */
struct reassemble_loss {
	uint64_t missing; /* time over, or the capture ended */
	uint64_t overlap; /* the fragments do not fit together, or to more than 65535 bytes */
	uint64_t room;    /* no memory left */
};

struct reassembly;

/* Nothing waits; to be freed. */
struct reassembly *reassembly_new(void);
void reassembly_free(struct reassembly *r); /* NULL is fine */

/*
 * Takes one fragment, copies what is needed of it.  @now: ns, never goes back.
 * True: it was the last missing one, the datagram is in @out.
 */
bool reassemble(struct reassembly *r, const struct fragment *f, uint64_t now, struct datagram *out);

/* No fragments will come any more: what is not complete never will be. */
void reassembly_end(struct reassembly *r);

/* NULL: nothing. */
struct reassemble_loss reassembly_loss(const struct reassembly *r);

/* Bytes in use for @version. */
uint32_t reassembly_memory(const struct reassembly *r, int version);

/* The datagrams and runs of pieces that finding each of them once looks at. */
uint64_t reassembly_probes(const struct reassembly *r);

#endif
