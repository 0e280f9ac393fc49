/*
 * tcp_seg.c - reads TCP headers and their options.
 */
#include "replay/tcp_seg.h"

#include <string.h>

#define HEADER 20
#define NEEDED 16 /* up to the window */

enum { OPT_END = 0, OPT_NOP = 1, OPT_MSS = 2, OPT_WSCALE = 3, OPT_SACK_OK = 4, OPT_SACK = 5,
       OPT_TSTAMP = 8 };

static uint16_t be16(const unsigned char *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t be32(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return __builtin_bswap32(v);
}

bool tcp_seg_parse(struct tcp_seg *s, const unsigned char *p, uint32_t cap, uint32_t wire)
{
	uint32_t head;

	if (cap < NEEDED)
		return false;
	head = (uint32_t)(p[12] >> 4) * 4;
	if (head < HEADER)
		return false;
	s->sport = be16(p);
	s->dport = be16(p + 2);
	s->seq = be32(p + 4);
	s->ack = be32(p + 8);
	s->flags = p[13] & 0x3f;
	s->window = be16(p + 14);
	s->urg_ptr = cap >= HEADER ? be16(p + 18) : 0;
	s->len = wire > head ? wire - head : 0;
	if (head > wire)
		head = wire;
	s->opt = p + HEADER;
	s->opt_len = 0;
	if (cap > HEADER && head > HEADER)
		s->opt_len = (uint8_t)((cap < head ? cap : head) - HEADER);
	return true;
}

/* The next option at or after @*at: its kind, and @len bytes of value at @val; OPT_END: none. */
static uint8_t next_option(const struct tcp_seg *s, uint32_t *at, const unsigned char **val,
			   uint32_t *len)
{
	const unsigned char *o = s->opt;

	while (*at < s->opt_len && o[*at] == OPT_NOP)
		++*at;
	if (*at + 2 > s->opt_len || o[*at] == OPT_END || o[*at + 1] < 2 ||
	    *at + o[*at + 1] > s->opt_len)
		return OPT_END;
	*val = o + *at + 2;
	*len = o[*at + 1] - 2u;
	*at += o[*at + 1];
	return (*val)[-2];
}

void tcp_seg_syn_opts(const struct tcp_seg *s, struct tcp_syn_opts *out)
{
	const unsigned char *v;
	uint32_t at = 0, len;
	uint8_t kind;

	*out = (struct tcp_syn_opts){0};
	while ((kind = next_option(s, &at, &v, &len)) != OPT_END) {
		if (kind == OPT_MSS && len == 2) {
			out->mss = be16(v);
		} else if (kind == OPT_WSCALE && len == 1) {
			out->flags |= TCP_OPT_WSCALE;
			out->wscale = v[0] > 14 ? 14 : v[0];
		} else if (kind == OPT_SACK_OK && len == 0) {
			out->flags |= TCP_OPT_SACK_OK;
		} else if (kind == OPT_TSTAMP && len == 8) {
			out->flags |= TCP_OPT_TSTAMP;
		}
	}
}

bool tcp_seg_tstamp(const struct tcp_seg *s, uint32_t *val)
{
	const unsigned char *v;
	uint32_t at = 0, len;
	uint8_t kind;

	while ((kind = next_option(s, &at, &v, &len)) != OPT_END) {
		if (kind != OPT_TSTAMP || len != 8)
			continue;
		*val = be32(v);
		return true;
	}
	return false;
}

uint32_t tcp_seg_sacked(const struct tcp_seg *s, uint32_t una)
{
	uint32_t at = 0, len, i, sum = 0;
	const unsigned char *v;
	uint8_t kind;

	while ((kind = next_option(s, &at, &v, &len)) != OPT_END) {
		if (kind != OPT_SACK)
			continue;
		for (i = 0; i + 8 <= len; i += 8)
			if (seq_after(be32(v + i), una) && seq_after(be32(v + i + 4), be32(v + i)))
				sum += be32(v + i + 4) - be32(v + i);
	}
	return sum;
}
