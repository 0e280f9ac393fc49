/* dns.c - finds the DNS messages in the segments of a TCP connection. */
#include "engine/replay/tcp/dns.h"

#include <string.h>

#include "engine/replay/tcp/seg.h"

static void forget(struct dns_segment *s, struct dns_stream *w)
{
	w->known = false;
	w->have = 0;
	s->at = s->len;
}

/*
 * Returns whether a message may begin at the start of the segment: the segment is only a length, or
 * it begins with a length and a DNS header with one question. The first segment of a connection may
 * end within the header.
 */
static bool could_begin(const struct dns_segment *s)
{
	if (s->len == 2 || (s->first && s->len < 2 + DNS_HEADER))
		return s->captured == s->len;
	return s->captured >= 2 + DNS_HEADER && s->data[6] == 0 && s->data[7] == 1;
}

void dns_segment_begin(struct dns_segment *s, struct dns_stream *w)
{
	if (w->known && !seq_after(s->seq, w->next)) {
		s->at = w->next - s->seq;
		return;
	}
	forget(s, w);
	if (could_begin(s))
		s->at = 0;
}

static uint16_t message_size(const struct dns_stream *w)
{
	return (uint16_t)(w->head[0] << 8 | w->head[1]);
}

/*
 * Reads the length before a message. Returns false if it is incomplete or invalid, or if no data
 * follows it.
 */
static bool take_length(struct dns_segment *s, struct dns_stream *w)
{
	for (; w->have < 2 && s->at < s->len; w->have++, s->at++) {
		if (s->at >= s->captured) {
			forget(s, w);
			return false;
		}
		w->head[w->have] = s->data[s->at];
	}
	if (w->have >= 2 && message_size(w) < DNS_HEADER) {
		forget(s, w);
		return false;
	}
	w->next = s->seq + s->at;
	w->known = true;
	return w->have >= 2 && s->at < s->len;
}

/*
 * Reads the message at s->at, whose first bytes may have come in earlier segments. Stores its
 * address in *@text, and returns how many of its bytes are there. Returns 0 if the header continues
 * in the next segment.
 */
static uint32_t take_message(struct dns_segment *s, struct dns_stream *w, unsigned char *buf,
			     const unsigned char **text)
{
	uint32_t before = w->have - 2u, rest = message_size(w) - before;
	uint32_t there = s->captured > s->at ? s->captured - s->at : 0;

	if (there > rest)
		there = rest;
	*text = s->data + s->at;
	if (before + there < DNS_HEADER && s->at + there == s->len) {
		memcpy(w->head + w->have, *text, there);
		w->have = (uint8_t)(w->have + there);
		s->at += there;
		w->next = s->seq + s->at;
		return 0;
	}
	if (before) {
		if (there > DNS_TEXT - before)
			there = DNS_TEXT - before;
		memcpy(buf, w->head + 2, before);
		memcpy(buf + before, *text, there);
		*text = buf;
	}
	w->have = 0;
	s->at += rest;
	w->next = s->seq + s->at;
	return before + there;
}

bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, unsigned char *buf,
		      const unsigned char **text, uint32_t *len)
{
	while (s->at < s->len && take_length(s, w)) {
		*len = take_message(s, w, buf, text);
		if (*len >= DNS_HEADER && (*text)[2] >> 7 == s->responses)
			return true;
	}
	return false;
}
