/*
 * dns.h - finds the DNS messages in the segments of a TCP connection. Before each message come two
 * bytes with its length (RFC 1035 4.2.2), so the place of the next message is known.
 *
 * In a new connection, or after a gap, this place is not known. The search then starts at the first
 * segment that begins with a message of one question, or that is only a length. If the capture has
 * the handshake, the first message begins with the first byte. Retransmitted data and later parts
 * of a message are skipped.
 *
 * A message is found in the segment that completes its header.
 */
#ifndef ENGINE_REPLAY_TCP_DNS_H
#define ENGINE_REPLAY_TCP_DNS_H

#include <stdbool.h>
#include <stdint.h>

#define DNS_HEADER 12
/* maximum number of bytes in the header and a question: a name of 255 bytes, a type and a class */
#define DNS_TEXT (DNS_HEADER + 255 + 4)

/*
 * State of the search in one direction of a connection. If all members are 0, no message has been
 * found yet.
 */
struct dns_stream {
	uint64_t cookie; /* cookie of the socket that last used this entry */
	/* sequence number of the next byte that is needed, of the length or of the message */
	uint32_t next;
	/* first bytes of the next message, from earlier segments: its length and its header */
	unsigned char head[2 + DNS_HEADER];
	uint8_t have; /* number of bytes in head; less than its size */
	bool known;
};

struct dns_segment {
	const unsigned char *data;
	/* number of bytes of data in the capture, and on the wire; captured <= len */
	uint32_t captured, len;
	uint32_t seq;
	bool responses; /* true to find responses, false to find queries */
	bool first;     /* the data is the first that the sender sends in the connection */
	uint32_t at;    /* offset of the first byte not examined yet */
};

/*
 * Starts a search in @s, which the caller has filled in. @w has the state of the search in this
 * direction of the connection.
 */
void dns_segment_begin(struct dns_segment *s, struct dns_stream *w);

/*
 * Finds the next response in @s if s->responses, else the next query. Skips messages whose DNS
 * header was not captured. Stores the address of the message in *@text, and the number of its bytes
 * there in *@len: those in @s, and those before them. If earlier segments had some of its bytes,
 * *@text is @buf, which has room for DNS_TEXT bytes. Returns false if there is no further message.
 */
bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, unsigned char *buf,
		      const unsigned char **text, uint32_t *len);

#endif
