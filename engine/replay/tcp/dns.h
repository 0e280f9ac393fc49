/*
 * dns.h - finds the DNS messages in the segments of a TCP connection. Before each message come two
 * bytes with its length (RFC 1035 4.2.2), so the place of the next message is known.
 *
 * In a new connection, or after a gap, this place is not known. The search then starts at the first
 * segment that begins with a message of one question, or that is only a length. Retransmitted data
 * and later parts of a message are skipped.
 */
#ifndef ENGINE_REPLAY_TCP_DNS_H
#define ENGINE_REPLAY_TCP_DNS_H

#include <stdbool.h>
#include <stdint.h>

#define DNS_HEADER 12

/*
 * State of the search in one direction of a connection. If all members are 0, no message has been
 * found yet.
 */
struct dns_stream {
	uint64_t cookie; /* cookie of the socket that last used this entry */
	/*
	 * sequence number of the next byte that is needed: a byte of the length, or, if @have is 2,
	 * the first byte of the message
	 */
	uint32_t next;
	/* length of the next message, or only the first byte of that length if @have is 1 */
	uint16_t size;
	uint8_t have; /* number of bytes of the length so far: 0, 1 or 2 */
	bool known;
};

struct dns_segment {
	const unsigned char *data;
	/* number of bytes of data in the capture, and on the wire; captured <= len */
	uint32_t captured, len;
	uint32_t seq;
	bool responses; /* true to find responses, false to find queries */
	uint32_t at;    /* offset of the first byte not examined yet */
};

/*
 * Starts a search in @s, which the caller has filled in. @w has the state of the search in this
 * direction of the connection.
 */
void dns_segment_begin(struct dns_segment *s, struct dns_stream *w);

/*
 * Finds the next response in @s if s->responses, else the next query. Skips messages whose DNS
 * header was not captured. Stores the offset of the message in the data in *@at, and the number of
 * its captured bytes in *@len. Returns false if there is no further message.
 */
bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, uint32_t *at, uint32_t *len);

#endif
