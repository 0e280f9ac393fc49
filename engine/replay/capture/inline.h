/*
 * inline.h - reads usual packets in line, for the code that runs for every packet.
 *
 * The functions do the work of capture_next(), capture_peek() and capture_take(). They handle only
 * the usual files: classic pcap files in this machine's byte order, without a filter. These files
 * have a struct capture_layout. For other files, the functions call the formats.
 */
#ifndef ENGINE_REPLAY_CAPTURE_INLINE_H
#define ENGINE_REPLAY_CAPTURE_INLINE_H

#include "engine/replay/capture/format.h"

/* Size of the header of a record: second, fraction, caplen and wirelen (pcap.c). */
enum { CAPTURE_USUAL_HEADER = 16 };

struct capture_layout {
	uint32_t caplen_max; /* maximum number of captured bytes of a packet */
	uint32_t frac_ns;    /* number of ns in a unit of the fraction */
};

static inline uint32_t capture_word(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/*
 * Prefetches the headers of the record at @p, which have some 80 bytes. The kernel has copied the
 * file into the buffer, but not into the nearest cache.
 */
static inline void capture_prefetch(const unsigned char *p)
{
	__builtin_prefetch(p);
	__builtin_prefetch(p + 64);
}

/*
 * Stores in *@caplen the number of captured bytes of the packet whose record is at @p. @left bytes
 * from @p on are in the buffer. Returns false if the format must read the record: the file has
 * another layout, or the record is damaged or incomplete in the buffer.
 */
static inline bool capture_is_usual(const struct capture *c, const unsigned char *p, size_t left,
				    uint32_t *caplen)
{
	if (unlikely(!c->layout || left < CAPTURE_USUAL_HEADER))
		return false;
	*caplen = capture_word(p + 8);
	return likely(*caplen <= c->layout->caplen_max && *caplen <= left - CAPTURE_USUAL_HEADER);
}

static inline uint64_t capture_usual_time(const struct capture *c, const unsigned char *p)
{
	return capture_word(p) * CAPTURE_NSEC + (uint64_t)capture_word(p + 4) * c->layout->frac_ns;
}

/* Reads the next packet, as capture_next() does. */
static inline enum capture_result capture_next_inline(struct capture *c, struct packet *out,
						      struct diag *d)
{
	const unsigned char *p = c->p;
	size_t left = reader_left(c);
	uint32_t caplen, wirelen;

	if (unlikely(!capture_is_usual(c, p, left, &caplen) || c->nread - left >= c->stop_at))
		return capture_next(c, out, d);
	wirelen = capture_word(p + 12);
	out->data = p + CAPTURE_USUAL_HEADER;
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->ts_ns = capture_usual_time(c, p);
	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	c->p += CAPTURE_USUAL_HEADER + caplen;
	c->npkt++;
	capture_prefetch(c->p);
	return CAPTURE_PACKET;
}

/*
 * Like capture_peek(), but only for the usual form of a record. Returns the record after the one at
 * @p. Returns NULL if @p is NULL or the record has another form: call capture_peek() then.
 */
static inline const unsigned char *capture_peek_inline(const struct capture *c,
						       const unsigned char *p,
						       struct peeked_packet *out)
{
	uint32_t caplen, wirelen;

	if (unlikely(!p || !capture_is_usual(c, p, (size_t)(c->end - p), &caplen)))
		return NULL;
	wirelen = capture_word(p + 12);
	out->data = p + CAPTURE_USUAL_HEADER;
	out->iface = c->iface.v;
	out->ts_ns = capture_usual_time(c, p);
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->size = CAPTURE_USUAL_HEADER + caplen;
	out->header = CAPTURE_USUAL_HEADER;
	out->whole = true;
	p += CAPTURE_USUAL_HEADER + caplen;
	capture_prefetch(p);
	return p;
}

/* Reads the packet that was described in @p, as capture_take() does. */
static inline bool capture_take_inline(struct capture *c, const struct peeked_packet *p,
				       uint32_t generation)
{
	if (unlikely(!c->layout || c->generation != generation ||
		     c->p != p->data - CAPTURE_USUAL_HEADER || reader_pos(c) >= c->stop_at))
		return capture_take(c, p, generation);
	c->p += p->size;
	c->npkt++;
	return true;
}

#endif
