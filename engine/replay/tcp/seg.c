/*
 * seg.c - reads TCP headers and their options.
 *
 * Sources: RFC 9293 (header, MSS), RFC 7323 (window scale, timestamps), RFC 2018 (SACK).
 */
#include "engine/replay/tcp/seg.h"

#include <string.h>

enum {
	OPT_END = 0,
	OPT_NOP = 1,
	OPT_MSS = 2,
	OPT_WSCALE = 3,
	OPT_SACK_OK = 4,
	OPT_SACK = 5,
	OPT_TSTAMP = 8
};

/*
 * Reads the next option at or after *@at and moves *@at past it. Sets *@val to the option's value
 * and *@len to the length of the value in bytes. Returns the kind of the option, or OPT_END at the
 * end.
 */
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
			out->mss = tcp_seg_be16(v);
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
		*val = tcp_seg_be32(v);
		return true;
	}
	return false;
}

unsigned tcp_seg_sack_blocks(const struct tcp_seg *s, struct tcp_block *b)
{
	const unsigned char *v;
	uint32_t at = 0, len, i;
	unsigned n = 0;
	uint8_t kind;

	while ((kind = next_option(s, &at, &v, &len)) != OPT_END) {
		if (kind != OPT_SACK)
			continue;
		for (i = 0; i + 8 <= len && n < TCP_SACK_MAX; i += 8)
			b[n++] = (struct tcp_block){tcp_seg_be32(v + i), tcp_seg_be32(v + i + 4)};
	}
	return n;
}
