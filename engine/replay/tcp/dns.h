/*
 * dns.h - finds the DNS messages in the segments of a TCP connection.
 *
 * Two bytes with the length precede each message (RFC 1035 4.2.2), so each message tells where the
 * next one begins. In a connection whose start was not captured, or after a gap, the search starts
 * at the first segment that begins with a message of one question. Retransmitted data and later
 * parts of a message are skipped.
 */
#ifndef ENGINE_REPLAY_TCP_DNS_H
#define ENGINE_REPLAY_TCP_DNS_H

#include <stdbool.h>
#include <stdint.h>

#define DNS_HEADER 12

/* One direction of a connection. All members 0: no message has been found yet. */
struct dns_stream {
	uint64_t cookie; /* cookie of the socket that last used this entry */
	/*
	 * sequence number of the missing part of the next length or, if @have is 2, of the next
	 * message
	 */
	uint32_t next;
	uint16_t size; /* the length, or the first byte of it */
	uint8_t have;  /* number of bytes of the length so far: 0, 1 or 2 */
	bool known;
};

struct dns_segment {
	const unsigned char *data;
	uint32_t captured, len; /* bytes of data in the capture and on the wire; captured <= len */
	uint32_t seq;
	bool responses; /* find responses, not queries */
	uint32_t at;    /* offset of the first byte not examined yet */
};

/* Starts a search in @s, which the caller has filled in. @w has the state of the direction. */
void dns_segment_begin(struct dns_segment *s, struct dns_stream *w);

/*
 * Finds the next message of @s whose DNS header was captured. Sets its offset *@at in the data and
 * the number of its captured bytes *@len. Returns false if there is no further message.
 */
bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, uint32_t *at, uint32_t *len);

#endif
