/*
 * pcap.c - reads the classic pcap format (draft-ietf-opsawg-pcap).
 *
 * The file header: u32 magic, u16 major, u16 minor, i32 zone, u32 accuracy, u32 snaplen, u32
 * linktype. A record, in the file's byte order:
 *
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+---------------
 *   | second |fraction| caplen | wirelen| packet ...
 *   +--------+--------+--------+--------+---------------
 *
 * The modified format (Kuznetzov's) has 8 more bytes before the packet: u32 interface, u16
 * protocol, u8 packet type (4: outgoing), u8 padding.
 */
#include "base/xalloc.h"
#include "engine/replay/capture/inline.h"

#define FILE_HEADER 24
#define MODIFIED_HEADER 24
#define RECORD_USUAL \
	(256u << 10) /* maximum length of a packet in bytes, unless the snap length is larger */
/*
 * When seek.c looks for a record, the times of two records in a row must differ by at most this
 * many seconds.
 */
#define NEAR_SECONDS 86400

struct pcap {
	uint32_t record_header; /* number of bytes of a record before the packet */
	struct capture_layout layout;
};

/* Returns the time of the record at @p, in ns. */
static inline uint64_t record_time(const struct capture *c, const unsigned char *p)
{
	const struct pcap *s = c->state;

	return get32(c, p) * CAPTURE_NSEC + (uint64_t)get32(c, p + 4) * s->layout.frac_ns;
}

static enum capture_result next_packet(struct capture *c, struct packet *out, struct diag *d)
{
	const struct pcap *s = c->state;
	enum capture_result r;
	unsigned char *h;
	uint32_t caplen, wirelen;

	if (unlikely(reader_pos(c) >= c->stop_at))
		return CAPTURE_END;
	if (unlikely(reader_left(c) < s->record_header)) {
		r = reader_fill_start(c, s->record_header, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	caplen = get32(c, c->p + 8);
	if (unlikely(caplen > s->layout.caplen_max))
		return capture_damaged(c, d, "record length %llu is not possible", caplen);
	if (unlikely(reader_left(c) < s->record_header + caplen)) {
		r = reader_fill_record(c, s->record_header + caplen, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	h = c->p;
	wirelen = get32(c, h + 12);
	out->data = h + s->record_header;
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->ts_ns = record_time(c, h);
	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	if (unlikely(s->record_header == MODIFIED_HEADER))
		out->dir = h[22] == 4 ? CAPTURE_DIR_OUT : CAPTURE_DIR_IN;
	c->p = h + s->record_header + caplen;
	capture_prefetch(c->p);
	c->npkt++;
	return CAPTURE_PACKET;
}

static bool peek(const struct capture *c, const unsigned char *p, struct peeked_packet *out)
{
	const struct pcap *s = c->state;
	size_t left = (size_t)(c->end - p);
	uint32_t caplen, wirelen;

	if (unlikely(left < s->record_header))
		return false;
	caplen = get32(c, p + 8);
	wirelen = get32(c, p + 12);
	if (unlikely(caplen > s->layout.caplen_max || left - s->record_header < caplen))
		return false;
	out->data = p + s->record_header;
	out->iface = c->iface.v;
	out->ts_ns = record_time(c, p);
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->size = s->record_header + caplen;
	out->header = (uint16_t)s->record_header;
	/* the modified format also has a direction */
	out->whole = s->record_header != MODIFIED_HEADER;
	capture_prefetch(p + out->size);
	return true;
}

static size_t record_size(const struct capture *c, const unsigned char *p, size_t left,
			  uint32_t *sec)
{
	const struct pcap *s = c->state;
	uint32_t caplen, now, was = *sec;

	if (left < s->record_header)
		return 0;
	now = get32(c, p);
	caplen = get32(c, p + 8);
	*sec = now;
	if (!caplen || caplen > s->layout.caplen_max || get32(c, p + 12) < caplen ||
	    get32(c, p + 4) >= CAPTURE_NSEC / s->layout.frac_ns ||
	    (was && now - was + NEAR_SECONDS > 2 * NEAR_SECONDS))
		return 0;
	return s->record_header + caplen;
}

/* ------------------------------------------------------------------------ opening */

static const struct magic {
	uint32_t magic;
	uint32_t frac_ns;
	uint32_t record_header;
} magics[] = {
	{0xa1b2c3d4, 1000, 16},
	{0xa1b23c4d, 1, 16},
	{0xa1b2cd34, 1000, MODIFIED_HEADER},
};

/* Returns the row of magics[] for @magic, which was read in this machine's byte order, or NULL. */
static const struct magic *find_magic(uint32_t magic)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (magic == magics[i].magic || __builtin_bswap32(magic) == magics[i].magic)
			return &magics[i];
	return NULL;
}

static uint32_t longest_packet(uint32_t snaplen)
{
	if (snaplen > CAPTURE_RECORD_MAX)
		return CAPTURE_RECORD_MAX;
	return snaplen > RECORD_USUAL ? snaplen : RECORD_USUAL;
}

static enum capture_result recognise(struct capture *c, struct diag *d)
{
	enum capture_result r = reader_first_bytes(c, sizeof(uint32_t), d);
	const struct magic *m;
	struct pcap *s;
	uint32_t magic;

	if (r != CAPTURE_PACKET)
		return r;
	memcpy(&magic, c->p, sizeof(magic));
	m = find_magic(magic);
	if (!m)
		return CAPTURE_END;
	r = reader_first_bytes(c, FILE_HEADER, d);
	if (r != CAPTURE_PACKET)
		return r == CAPTURE_END ? capture_cut_short(c, d) : r;
	c->swap = magic != m->magic;
	c->state = s = xcalloc(1, sizeof(*s));
	s->layout.frac_ns = m->frac_ns;
	s->record_header = m->record_header;
	s->layout.caplen_max = longest_packet(get32(c, c->p + 16));
	if (!c->swap && m->record_header == CAPTURE_USUAL_HEADER)
		c->layout = &s->layout;
	/* The top bits of the link type are the length of the frame check sequence. */
	capture_add_iface(c, get32(c, c->p + 20) & 0x03ffffff, get32(c, c->p + 16));
	c->p += FILE_HEADER;
	return CAPTURE_PACKET;
}

static void free_state(void *state)
{
	xfree(state);
}

const struct capture_format format_pcap = {
	.name = "pcap",
	.recognise = recognise,
	.next = next_packet,
	.peek = peek,
	.record_size = record_size,
	.align = 1,
	.free_state = free_state,
};
