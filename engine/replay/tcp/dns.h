/*
 * dns.h - where messages of DNS begin in the segments of a connection.
 *
 * Each has its length in front of it, two bytes (RFC 1035 4.2.2).  Where one begins is known from
 * the one before; in a connection that is met in the middle, from the first segment that begins as
 * a message that asks one question does.  What is sent again is no new message, and what goes on
 * with one is none; behind a gap it begins anew.
 */
#ifndef REPLAY_TCP_DNS_H
#define REPLAY_TCP_DNS_H

#include <stdbool.h>
#include <stdint.h>

#define DNS_HEADER 12

/* One way of a connection.  All zero: nothing is known. */
struct dns_stream {
	uint64_t cookie; /* of the socket that it was of last */
	/* sequence number of what the next message lacks of its length; have 2: of the message */
	uint32_t next;
	uint16_t size; /* the length, as far as it has come */
	uint8_t have;  /* so many bytes of it */
	bool known;
};

struct dns_segment {
	const unsigned char *data;
	uint32_t captured, len; /* bytes of data: there, and on the wire; captured <= len */
	uint32_t seq;
	bool responses; /* wants these, not queries */
	uint32_t at;    /* what is before has been looked at */
};

/* Before the first message of @s. */
void dns_segment_begin(struct dns_segment *s, struct dns_stream *w);

/*
 * The next message of @s whose header is there, all of it: begins at @at in its data, and @len
 * bytes of it are there.  False: no more.
 */
bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, uint32_t *at, uint32_t *len);

#endif
