/* dns.c - finds the DNS messages in the segments of a TCP connection. */
#include "engine/replay/tcp/dns.h"

#include "engine/replay/tcp/seg.h"

static void forget(struct dns_segment *s, struct dns_stream *w)
{
	w->known = false;
	w->have = 0;
	s->at = s->len;
}

/*
 * Returns whether a message may begin at the start of the segment: the segment is only a length, or
 * it begins with a length and a DNS header with one question.
 */
static bool could_begin(const struct dns_segment *s)
{
	if (s->len == 2)
		return s->captured == 2;
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
		w->size = (uint16_t)(w->size << 8 | s->data[s->at]);
	}
	if (w->have == 2 && w->size < DNS_HEADER) {
		forget(s, w);
		return false;
	}
	w->next = s->seq + s->at;
	w->known = true;
	return w->have == 2 && s->at < s->len;
}

/* Skips the message at @at. Returns how many of its bytes were captured. */
static uint32_t take_message(struct dns_segment *s, struct dns_stream *w, uint32_t at)
{
	uint32_t there = s->captured > at ? s->captured - at : 0;

	w->have = 0;
	s->at = at + w->size;
	w->next = s->seq + s->at;
	return there < w->size ? there : w->size;
}

bool dns_segment_next(struct dns_segment *s, struct dns_stream *w, uint32_t *at, uint32_t *len)
{
	while (s->at < s->len && take_length(s, w)) {
		*at = s->at;
		*len = take_message(s, w, s->at);
		if (*len >= DNS_HEADER && s->data[*at + 2] >> 7 == s->responses)
			return true;
	}
	return false;
}
