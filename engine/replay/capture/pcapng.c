/*
 * pcapng.c - reads the pcapng format (draft-ietf-opsawg-pcapng).
 *
 * A file is a sequence of blocks. The length at the end of a block repeats the length at its start:
 *
 *   0        4        8                     len-4    len
 *   +--------+--------+---------------------+--------+
 *   |  type  |  len   | body ... | options  |  len   |
 *   +--------+--------+---------------------+--------+
 *
 * A section header block (SHB) begins a section. Interface description blocks (IDB) describe its
 * interfaces, and enhanced, simple and old packet blocks (EPB, SPB, PB) have their packets.
 */
#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/capture/format.h"
#include "engine/replay/capture/owner_comment.h"
#include "ir/program.h"

#define BYTE_ORDER_MAGIC 0x1a2b3c4d
#define IFACES_MAX 65536

enum block_type {
	BLOCK_OTHER = 0,        /* a block of another type, which is skipped */
	BLOCK_SHB = 0x0a0d0d0a, /* begins a section; the number is the same in both byte orders */
	BLOCK_IDB = 1,
	BLOCK_PB = 2,
	BLOCK_SPB = 3,
	BLOCK_EPB = 6,
};

struct block {
	enum block_type type;
	const unsigned char *body, *end; /* the body, without the lengths */
	/* number of bytes from the start of this block to the next one */
	uint32_t len;
};

struct pcapng {
	uint64_t last_ts; /* time in ns of the last packet that had one */
};

/* ------------------------------------------------------------------------ options */

enum option_code {
	OPT_END = 0,
	OPT_COMMENT = 1,
	OPT_IF_NAME = 2,
	OPT_PKT_FLAGS = 2,
	OPT_APPLICATION = 4,
	OPT_PKT_PROCESS = 8,
	OPT_IF_TSRESOL = 9,
	OPT_IF_TSOFFSET = 14
};

struct option {
	uint16_t code, len;
	const unsigned char *v;
};

/* Reads the option at *@p, and moves *@p past it and its padding. Returns false at the end. */
static bool next_option(const struct capture *c, const unsigned char **p, const unsigned char *end,
			struct option *o)
{
	if (end - *p < 4)
		return false;
	o->code = get16(c, *p);
	o->len = get16(c, *p + 2);
	o->v = *p + 4;
	if (o->code == OPT_END || end - o->v < o->len)
		return false;
	*p = o->v + o->len;
	*p += (size_t)(-(intptr_t)o->len & 3) <= (size_t)(end - *p) ? -(intptr_t)o->len & 3
								    : end - *p;
	return true;
}

static void packet_option(const struct capture *c, const struct option *o, struct packet *out)
{
	static const enum capture_dir dirs[] = {CAPTURE_DIR_UNKNOWN, CAPTURE_DIR_IN,
						CAPTURE_DIR_OUT, CAPTURE_DIR_UNKNOWN};

	switch (o->code) {
	case OPT_COMMENT:
		owner_comment_read(&out->owner, (const char *)o->v, (const char *)o->v + o->len);
		break;
	case OPT_PKT_FLAGS:
		if (o->len == 4)
			out->dir = dirs[get32(c, o->v) & 3];
		break;
	case OPT_PKT_PROCESS:
		if (o->len >= 4)
			owner_option_read(&out->owner, get32(c, o->v));
		break;
	}
}

static void packet_options(const struct capture *c, const unsigned char *p,
			   const unsigned char *end, struct packet *out)
{
	struct option o;

	owner_begin(&out->owner);
	while (next_option(c, &p, end, &o))
		packet_option(c, &o, out);
}

/* --------------------------------------------------------------------- timestamps */

/* Sets the unit of timestamps from if_tsresol: 10^-n seconds or, with the top bit set, 2^-n. */
static void set_resolution(struct capture_iface *ifc, uint8_t res)
{
	unsigned n = res & 0x7f, i;

	ifc->ts_mul = ifc->ts_div = 1;
	ifc->ts_bin = 0;
	if (res & 0x80 && n) {
		ifc->ts_bin = (uint8_t)n;
		return;
	}
	if (res & 0x80)
		n = 0; /* 2^-0 means that the unit is a second */
	for (i = n; i < 9; i++)
		ifc->ts_mul *= 10;
	for (i = 9; i < n; i++) {
		/*
		 * 10^19 is the largest power of 10 that fits in 64 bits; with smaller units, all
		 * times become 0
		 */
		if (i == 28) {
			ifc->ts_div = UINT64_MAX;
			return;
		}
		ifc->ts_div *= 10;
	}
}

static uint64_t to_ns(const struct capture_iface *ifc, uint64_t ts)
{
	unsigned n = ifc->ts_bin;
	uint64_t sec = 0, frac = ts;

	if (likely(!n)) {
		if (likely(ifc->ts_div == 1))
			return ts * ifc->ts_mul + ifc->ts_off;
		return ts / ifc->ts_div + ifc->ts_off;
	}
	if (n < 64) {
		sec = ts >> n;
		frac = ts & ((UINT64_C(1) << n) - 1);
	}
	return sec * CAPTURE_NSEC + (uint64_t)((unsigned __int128)frac * CAPTURE_NSEC >> n) +
	       ifc->ts_off;
}

/* ------------------------------------------------------------------------- blocks */

static void iface_option(const struct capture *c, struct capture_iface *ifc, const struct option *o)
{
	char *name;

	switch (o->code) {
	case OPT_IF_NAME:
		name = xmalloc(o->len + 1u);
		memcpy(name, o->v, o->len);
		name[o->len] = 0;
		xfree((char *)ifc->name);
		ifc->name = name;
		break;
	case OPT_IF_TSRESOL:
		if (o->len == 1)
			set_resolution(ifc, o->v[0]);
		break;
	case OPT_IF_TSOFFSET:
		if (o->len == 8)
			ifc->ts_off = get64(c, o->v) * CAPTURE_NSEC;
		break;
	}
}

/* Reads an interface description block (IDB): u16 linktype, u16 reserved, u32 snaplen, options. */
static enum capture_result read_iface(struct capture *c, const struct block *b, struct diag *d)
{
	const unsigned char *p = b->body + 8;
	struct capture_iface *ifc;
	struct option o;

	if (b->end - b->body < 8)
		return capture_damaged(c, d, "an interface description is too short", 0);
	if (c->iface.n == IFACES_MAX)
		return capture_damaged(c, d, "a section has more than %llu interfaces", IFACES_MAX);
	c->dependencies++;
	ifc = capture_add_iface(c, get16(c, b->body), get32(c, b->body + 4));
	while (next_option(c, &p, b->end, &o))
		iface_option(c, ifc, &o);
	return CAPTURE_PACKET;
}

/* Fills the members that every kind of packet block has. The packet's bytes are at @data. */
static enum capture_result set_packet(struct capture *c, struct packet *out, const struct block *b,
				      uint32_t iface, const unsigned char *data, uint32_t caplen,
				      uint32_t wirelen, struct diag *d)
{
	if (iface >= c->iface.n)
		return capture_damaged(c, d,
				       "a packet has interface %llu, which its section does not "
				       "describe",
				       iface);
	if (b->end - data < caplen)
		return capture_damaged(c, d, "a packet of %llu bytes is longer than its block",
				       caplen);
	out->data = data;
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->iface = &c->iface.v[iface];
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	return CAPTURE_PACKET;
}

/*
 * Reads an enhanced packet block (EPB): u32 interface, u32 high half of the time, u32 low half, u32
 * caplen, u32 wirelen, packet, options. The old packet block (PB) differs only in its first 4
 * bytes: u16 interface, u16 drops.
 */
static enum capture_result read_packet(struct capture *c, struct packet *out, const struct block *b,
				       struct diag *d)
{
	struct pcapng *s = c->state;
	const unsigned char *p = b->body, *opt;
	enum capture_result r;
	uint32_t iface, caplen;

	if (unlikely(b->end - p < 20))
		return capture_damaged(c, d, "a packet block is too short", 0);
	iface = likely(b->type == BLOCK_EPB) ? get32(c, p) : get16(c, p);
	caplen = get32(c, p + 12);
	r = set_packet(c, out, b, iface, p + 20, caplen, get32(c, p + 16), d);
	if (unlikely(r != CAPTURE_PACKET))
		return r;
	out->ts_ns = to_ns(out->iface, (uint64_t)get32(c, p + 4) << 32 | get32(c, p + 8));
	s->last_ts = out->ts_ns;
	opt = p + 20 + caplen;
	opt += -caplen & 3;
	if (b->end - opt >= 8)
		packet_options(c, opt, b->end, out);
	return r;
}

/*
 * Reads a simple packet block (SPB): u32 wirelen, packet. The packet belongs to interface 0 and has
 * no time.
 */
static enum capture_result read_simple_packet(struct capture *c, struct packet *out,
					      const struct block *b, struct diag *d)
{
	const struct pcapng *s = c->state;
	uint32_t wirelen, caplen, snaplen;
	enum capture_result r;

	if (b->end - b->body < 4)
		return capture_damaged(c, d, "a packet block is too short", 0);
	wirelen = caplen = get32(c, b->body);
	snaplen = c->iface.n ? c->iface.v[0].snaplen : 0;
	if (snaplen && caplen > snaplen)
		caplen = snaplen;
	if (caplen > b->end - b->body - 4)
		caplen = (uint32_t)(b->end - b->body - 4);
	r = set_packet(c, out, b, 0, b->body + 4, caplen, wirelen, d);
	out->ts_ns = s->last_ts;
	c->dependencies++;
	return r;
}

/*
 * Reads a section header block (SHB): u32 byte-order magic, u16 version twice, u64 length, options.
 */
static enum capture_result read_section(struct capture *c, const struct block *b)
{
	const unsigned char *p = b->body + 16;
	struct option o;

	capture_forget_ifaces(c);
	c->dependencies++;
	c->by_dtrace = false;
	while (p <= b->end && next_option(c, &p, b->end, &o))
		if (o.code == OPT_APPLICATION)
			c->by_dtrace = o.len == strlen(CAPTURE_WRITER) &&
				       !memcmp(o.v, CAPTURE_WRITER, o.len);
	return CAPTURE_PACKET;
}

/* Sets the byte order from the section header at c->p, which has 12 bytes in the buffer. */
static bool set_byte_order(struct capture *c)
{
	uint32_t magic;

	memcpy(&magic, c->p + 8, 4);
	c->swap = magic == __builtin_bswap32(BYTE_ORDER_MAGIC);
	return c->swap || magic == BYTE_ORDER_MAGIC;
}

/*
 * Reads the next block into the buffer. If this function returns CAPTURE_PACKET, @b is filled, and
 * c->p is still at the start of the block. Does not read the body of a BLOCK_OTHER, which may be
 * larger than any buffer.
 */
static enum capture_result next_block(struct capture *c, struct block *b, struct diag *d)
{
	enum capture_result r;
	uint32_t n;

	if (unlikely(reader_left(c) < 12)) {
		r = reader_fill_start(c, 12, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	b->type = (enum block_type)get32(c, c->p);
	if (unlikely(b->type == BLOCK_SHB) && !set_byte_order(c))
		return capture_damaged(c, d, "a section header has no byte-order magic", 0);
	n = get32(c, c->p + 4);
	/* Some writers pad a block, but do not count the padding in its length. */
	b->len = (n + 3) & ~3u;
	if (unlikely(n < 12 || n > UINT32_MAX - 3))
		return capture_damaged(c, d, "block length %llu is not possible", n);
	switch (b->type) {
	case BLOCK_SHB:
	case BLOCK_IDB:
	case BLOCK_PB:
	case BLOCK_SPB:
	case BLOCK_EPB:
		break;
	default:
		b->type = BLOCK_OTHER;
		return CAPTURE_PACKET;
	}
	if (unlikely(n > CAPTURE_RECORD_MAX))
		return capture_damaged(c, d, "a block of %llu bytes is too large", n);
	if (unlikely(reader_left(c) < b->len)) {
		r = reader_fill_record(c, b->len, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	if (unlikely(get32(c, c->p + b->len - 4) != n))
		return capture_damaged(c, d, "the two lengths of a block differ", 0);
	b->body = c->p + 8;
	b->end = c->p + b->len - 4;
	return CAPTURE_PACKET;
}

static enum capture_result read_block(struct capture *c, struct packet *out, const struct block *b,
				      struct diag *d)
{
	switch (b->type) {
	case BLOCK_EPB:
	case BLOCK_PB:
		return read_packet(c, out, b, d);
	case BLOCK_SPB:
		return read_simple_packet(c, out, b, d);
	case BLOCK_IDB:
		return read_iface(c, b, d);
	case BLOCK_SHB:
		return read_section(c, b);
	case BLOCK_OTHER:
		break;
	}
	return CAPTURE_PACKET;
}

static enum capture_result next_packet(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r;
	struct block b = {0};

	for (;;) {
		if (unlikely(c->skip)) {
			r = reader_skip(c, d);
			if (r != CAPTURE_PACKET)
				return r;
		}
		if (unlikely(reader_pos(c) >= c->stop_at))
			return CAPTURE_END;
		r = next_block(c, &b, d);
		if (unlikely(r != CAPTURE_PACKET))
			return r;
		if (unlikely(b.type == BLOCK_OTHER)) {
			c->skip = b.len;
			continue;
		}
		r = read_block(c, out, &b, d);
		if (unlikely(r != CAPTURE_PACKET))
			return r;
		c->p += b.len;
		if (likely(b.type != BLOCK_IDB && b.type != BLOCK_SHB)) {
			c->npkt++;
			return CAPTURE_PACKET;
		}
	}
}

/*
 * Does the work of capture_format.peek for the record at @p. Only enhanced packet blocks are
 * supported.
 */
static bool peek(const struct capture *c, const unsigned char *p, struct peeked_packet *out)
{
	size_t left = (size_t)(c->end - p);
	uint32_t n, iface;

	if (c->skip || left < 32 || get32(c, p) != BLOCK_EPB)
		return false;
	n = get32(c, p + 4);
	iface = get32(c, p + 8);
	out->caplen = get32(c, p + 20);
	out->wirelen = get32(c, p + 24);
	if (n < 32 || n & 3 || n > left || out->caplen > n - 32 || iface >= c->iface.n)
		return false;
	if (out->wirelen < out->caplen)
		out->wirelen = out->caplen;
	out->data = p + 28;
	out->iface = &c->iface.v[iface];
	out->size = n;
	out->header = 28;
	/* The block may have options, and only next_packet() computes the time of the packet. */
	out->whole = false;
	return true;
}

static size_t record_size(const struct capture *c, const unsigned char *p, size_t left,
			  uint32_t *sec)
{
	uint32_t n;

	(void)sec;
	if (left < 12)
		return 0;
	n = get32(c, p + 4);
	if (n < 12 || n & 3 || n > CAPTURE_RECORD_MAX || n > left || get32(c, p + n - 4) != n)
		return 0;
	return n;
}

static enum capture_result recognise(struct capture *c, struct diag *d)
{
	enum capture_result r = reader_first_bytes(c, sizeof(uint32_t), d);
	uint32_t magic;

	if (r != CAPTURE_PACKET)
		return r;
	memcpy(&magic, c->p, sizeof(magic));
	if (magic != BLOCK_SHB)
		return CAPTURE_END;
	r = reader_first_bytes(c, 12, d);
	if (r != CAPTURE_PACKET)
		return r;
	if (!set_byte_order(c))
		return CAPTURE_END;
	c->state = xcalloc(1, sizeof(struct pcapng));
	return CAPTURE_PACKET;
}

static void free_state(void *state)
{
	xfree(state);
}

const struct capture_format format_pcapng = {
	.name = "pcapng",
	.recognise = recognise,
	.next = next_packet,
	.peek = peek,
	.record_size = record_size,
	.align = 4,
	.has_owners = true,
	.free_state = free_state,
};
