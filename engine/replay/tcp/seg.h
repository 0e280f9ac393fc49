/*
 * seg.h - a TCP segment, with numbers in host order.
 *
 * A segment has the fields of a packet that the TCP tracker (track.h) needs. The parser trusts
 * nothing: lengths come from the IP layer, and only captured bytes are read.
 */
#ifndef ENGINE_REPLAY_TCP_SEG_H
#define ENGINE_REPLAY_TCP_SEG_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "engine/replay/tcp/sacked.h"

enum tcp_flags {
	TCP_FIN = 1,
	TCP_SYN = 2,
	TCP_RST = 4,
	TCP_PSH = 8,
	TCP_ACK = 16,
	TCP_URG = 32,
};

enum tcp_opt_flags {
	TCP_OPT_WSCALE = 1,
	TCP_OPT_TSTAMP = 2,
	TCP_OPT_SACK_OK = 4,
};

/* Options of a SYN. */
struct tcp_syn_opts {
	uint16_t mss;   /* maximum segment size; 0 if the option is absent */
	uint8_t wscale; /* window scale, at most 14 */
	uint8_t flags;  /* enum tcp_opt_flags */
};

struct tcp_flow;

struct tcp_seg {
	uint64_t now; /* packet time in ns; never goes back */
	/* connection that the segment belongs to; NULL if it is not computed yet */
	const struct tcp_flow *flow;
	const unsigned char *ip;    /* the packet, from its IP header on */
	uint32_t ip_len;            /* number of captured bytes of the packet */
	uint32_t ip_wirelen;        /* number of bytes of the packet on the wire */
	uint32_t l4;                /* offset of the TCP header in the packet */
	const unsigned char *saddr; /* source address, 4 or 16 bytes in the packet */
	const unsigned char *daddr;
	uint8_t version; /* IP version, 4 or 6 */
	uint8_t flags;   /* enum tcp_flags */
	uint8_t opt_len; /* number of captured bytes of options */
	uint16_t sport, dport;
	uint16_t window; /* window in the header, before it is scaled */
	uint16_t urg_ptr;
	uint32_t seq, ack;
	uint32_t len; /* number of bytes of data on the wire */
	const unsigned char *opt;
};

static inline uint16_t tcp_seg_be16(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t tcp_seg_be32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return __builtin_bswap32(v);
}

enum { TCP_SEG_HEADER = 20, TCP_SEG_NEEDED = 16 /* header up to the window */ };

/*
 * Fills the members of @s from flags to opt, from the TCP header at @p. @wirelen bytes of header
 * and data were sent, and @cap bytes of them were captured. Returns false if fewer than 16 bytes
 * were captured or the header is invalid. Inline, because it runs for every segment.
 */
static inline bool tcp_seg_parse(struct tcp_seg *s, const unsigned char *p, uint32_t cap,
				 uint32_t wirelen)
{
	uint32_t head;

	if (cap < TCP_SEG_NEEDED)
		return false;
	head = (uint32_t)(p[12] >> 4) * 4;
	if (head < TCP_SEG_HEADER)
		return false;
	s->sport = tcp_seg_be16(p);
	s->dport = tcp_seg_be16(p + 2);
	s->seq = tcp_seg_be32(p + 4);
	s->ack = tcp_seg_be32(p + 8);
	s->flags = p[13] & 0x3f;
	s->window = tcp_seg_be16(p + 14);
	s->urg_ptr = cap >= TCP_SEG_HEADER ? tcp_seg_be16(p + 18) : 0;
	s->len = wirelen > head ? wirelen - head : 0;
	if (head > wirelen)
		head = wirelen;
	s->opt = p + TCP_SEG_HEADER;
	s->opt_len = 0;
	if (cap > TCP_SEG_HEADER && head > TCP_SEG_HEADER)
		s->opt_len = (uint8_t)((cap < head ? cap : head) - TCP_SEG_HEADER);
	return true;
}

/* Returns whether the segment has ACK and none of SYN, FIN and RST. */
static inline bool tcp_seg_only_acknowledges(const struct tcp_seg *s)
{
	return (s->flags & (TCP_SYN | TCP_FIN | TCP_RST | TCP_ACK)) == TCP_ACK;
}

/* Returns how many sequence numbers the segment uses. */
static inline uint32_t tcp_seg_span(const struct tcp_seg *s)
{
	return s->len + !!(s->flags & TCP_SYN) + !!(s->flags & TCP_FIN);
}

/* Reads the options of a SYN. Members of absent options are 0. */
void tcp_seg_syn_opts(const struct tcp_seg *s, struct tcp_syn_opts *out);

/*
 * Stores the value of the timestamp option in *@val. Returns false if the segment has no such
 * option.
 */
bool tcp_seg_tstamp(const struct tcp_seg *s, uint32_t *val);

/* Maximum number of SACK blocks in a header. */
#define TCP_SACK_MAX 4

/*
 * Stores the blocks of the SACK option in @b, which has room for TCP_SACK_MAX blocks. Returns the
 * number of blocks.
 */
unsigned tcp_seg_sack_blocks(const struct tcp_seg *s, struct tcp_block *b);

static inline bool seq_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static inline bool seq_after(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) > 0;
}

#endif
