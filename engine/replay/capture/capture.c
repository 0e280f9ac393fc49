/*
 * capture.c - the pcap and pcapng reader.
 *
 * Bytes arrive in blocks of BLOCK bytes, each to the buffer's start; a record is handed
 * out in place.  Of one that a block's end cuts off the rest is read behind the block.
 * So where in memory a record lies follows from where in the file it is, whoever reads
 * what is before it.  Every parser starts a record over when it was not all there yet, so a
 * slow pipe can be left and come back to at any point.
 */
#include "engine/replay/capture/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "ir/program.h"
#include "engine/replay/place.h"
#include "engine/replay/capture/sieve.h"
#include "engine/replay/capture/wire.h"

#define BLOCK (256u << 10)
#define RECORD_USUAL (256u << 10) /* no packet is longer unless the snap length says so */
#define RECORD_MAX (64u << 20)    /* no record is longer, whatever the file says */
#define PIPE_WAIT_MS 1000
#define IFACES_MAX 65536
#define LEFT_OUT_MAX 4096 /* packets, before the caller is asked whether it still wants any */

#define NSEC 1000000000ull

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

typedef enum capture_result next_fn(struct capture *c, struct packet *out, struct diag *d);

struct capture {
	unsigned char *p, *end; /* bytes read and not used up */
	bool swap;              /* the file (or section) has the other byte order */

	/* classic pcap */
	uint32_t rec_hdr;   /* bytes of a record header */
	uint32_t rec_limit; /* longest packet */
	uint32_t frac_ns;   /* ns in a unit of the fraction */

	next_fn *next;
	next_fn *every;      /* with a sieve: what gives it packets */
	struct wire *wire;   /* owned; NULL: a file */
	struct sieve *sieve; /* borrowed; NULL: all packets are wanted */
	uint64_t npkt;
	uint64_t last_ts;
	uint64_t until;                  /* no record that begins here or behind is read */
	VEC(struct capture_iface) iface; /* of this section, */
	bool ours;                       /* which dtrace wrote */
	uint32_t serial;
	uint32_t ties; /* see capture_ties() */

	int fd;
	bool regular;
	uint64_t size; /* of a regular file */
	uint64_t nread;
	uint32_t moved; /* how often what is in buf was */
	uint64_t skip;  /* bytes of an uninteresting block still to come */
	unsigned char *buf;
	size_t cap;
	char *name;
};

/* ------------------------------------------------------------------- bytes */

static inline uint32_t get32(const struct capture *c, const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return unlikely(c->swap) ? __builtin_bswap32(v) : v;
}

static inline uint16_t get16(const struct capture *c, const unsigned char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap16(v) : v;
}

static inline uint64_t get64(const struct capture *c, const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return c->swap ? __builtin_bswap64(v) : v;
}

uint64_t capture_pos(const struct capture *c)
{
	return c->nread - (uint64_t)(c->end - c->p);
}

static enum capture_result damaged(const struct capture *c, struct diag *d, const char *what,
				   uint64_t value)
{
	char msg[128];

	snprintf(msg, sizeof(msg), what, (unsigned long long)value);
	diag_error(d, D_SYS, NOLOC, "%s: damaged after packet %llu: %s", c->name,
		   (unsigned long long)c->npkt, msg);
	return CAPTURE_BAD;
}

static enum capture_result cut_short(const struct capture *c, struct diag *d)
{
	return damaged(c, d, "the file ends in the middle of a record", 0);
}

/* ----------------------------------------------------------------- reading */

/* Makes the buffer larger: a record does not fit. */
static void grow(struct capture *c)
{
	size_t used = (size_t)(c->p - c->buf), have = (size_t)(c->end - c->p);

	c->moved++;
	c->buf = place_grow(c->buf, c->cap, c->cap * 2);
	c->cap *= 2;
	c->p = c->buf + used;
	c->end = c->p + have;
}

/* What may be read: up to the block's end; if @need bytes at c->p go beyond that, those. */
static size_t to_block_end(const struct capture *c, size_t need)
{
	size_t upto = (size_t)(c->p - c->buf) + need;

	if (upto < BLOCK)
		upto = BLOCK;
	if (upto > c->cap)
		upto = c->cap;
	return upto - (size_t)(c->end - c->buf);
}

/*
 * One read(2) behind what is there, of which @need bytes are wanted.  CAPTURE_PACKET: something
 * came.
 */
static enum capture_result read_more(struct capture *c, size_t need, struct diag *d)
{
	struct pollfd pfd = {.fd = c->fd, .events = POLLIN};
	size_t room = to_block_end(c, need);
	int ready = c->regular ? 1 : poll(&pfd, 1, PIPE_WAIT_MS);
	ssize_t n;

	if (!ready)
		return CAPTURE_LATER;
	n = ready < 0 ? -1 : read(c->fd, c->end, room < BLOCK ? room : BLOCK);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return CAPTURE_LATER;
	if (n < 0) {
		diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", c->name, strerror(errno));
		return CAPTURE_BAD;
	}
	c->end += n;
	c->nread += (uint64_t)n;
	return n ? CAPTURE_PACKET : CAPTURE_END;
}

/*
 * Reads until @need bytes are at c->p: CAPTURE_PACKET.  CAPTURE_END: the file
 * ends before.  The buffer grows with what has really come, never with what a
 * damaged length only promises.
 */
static enum capture_result fill(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r;

	if (c->p == c->end && c->p >= c->buf + BLOCK) {
		c->p = c->end = c->buf + (size_t)(c->p - c->buf) % BLOCK;
		c->moved++;
	}
	while ((size_t)(c->end - c->p) < need) {
		if (c->end == c->buf + c->cap)
			grow(c);
		r = read_more(c, need, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	return CAPTURE_PACKET;
}

/* As fill(), for the inside of a record: an end there is damage. */
static enum capture_result fill_record(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r = fill(c, need, d);

	return r == CAPTURE_END ? cut_short(c, d) : r;
}

/* As fill(), for the start of a record: an end exactly here is the end. */
static enum capture_result fill_start(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r = fill(c, need, d);

	return r == CAPTURE_END && c->end != c->p ? cut_short(c, d) : r;
}

/* Passes over c->skip bytes. */
static enum capture_result skip_over(struct capture *c, struct diag *d)
{
	enum capture_result r;
	size_t n;

	for (;;) {
		n = (size_t)(c->end - c->p);
		if (n > c->skip)
			n = (size_t)c->skip;
		c->p += n;
		c->skip -= n;
		if (!c->skip)
			return CAPTURE_PACKET;
		r = fill_start(c, 1, d);
		if (r == CAPTURE_END)
			return cut_short(c, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
}

/* -------------------------------------------------------------- interfaces */

static void forget_ifaces(struct capture *c)
{
	size_t i;

	for (i = 0; i < c->iface.n; i++)
		xfree((char *)c->iface.v[i].name);
	c->iface.n = 0;
}

static struct capture_iface *add_iface(struct capture *c, uint32_t linktype, uint32_t snaplen)
{
	struct capture_iface ifc = {
		.linktype = linktype,
		.snaplen = snaplen,
		.index = (uint32_t)c->iface.n,
		.serial = ++c->serial,
		.ts_mul = 1000,
		.ts_div = 1,
	};

	vec_push(&c->iface, ifc);
	return &c->iface.v[c->iface.n - 1];
}

/* if_tsresol: 10^-n seconds, or 2^-n with the top bit set. */
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
		n = 0; /* 2^-0: whole seconds */
	for (i = n; i < 9; i++)
		ifc->ts_mul *= 10;
	for (i = 9; i < n; i++) {
		if (i == 28) { /* 10^19 is the last that fits; what is finer is never seen */
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
	return sec * NSEC + (uint64_t)((unsigned __int128)frac * NSEC >> n) + ifc->ts_off;
}

/* ------------------------------------------------------------ classic pcap */

/*
 * A pcap record, in the file's byte order:
 *
 *   0        4        8        12       16
 *   +--------+--------+--------+--------+---------------
 *   | second |fraction| caplen | wirelen| packet ...
 *   +--------+--------+--------+--------+---------------
 *
 * The modified format (Kuznetzov's) has 8 bytes more before the packet: u32
 * interface, u16 protocol, u8 packet type (4: outgoing), u8 padding.
 */
static enum capture_result next_pcap(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r;
	unsigned char *h;
	uint32_t caplen, wirelen;

	if (unlikely(capture_pos(c) >= c->until))
		return CAPTURE_END;
	if (unlikely((size_t)(c->end - c->p) < c->rec_hdr)) {
		r = fill_start(c, c->rec_hdr, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	caplen = get32(c, c->p + 8);
	if (unlikely(caplen > c->rec_limit))
		return damaged(c, d, "record length %llu is not possible", caplen);
	if (unlikely((size_t)(c->end - c->p) < c->rec_hdr + caplen)) {
		r = fill_record(c, c->rec_hdr + caplen, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	h = c->p;
	wirelen = get32(c, h + 12);
	out->data = h + c->rec_hdr;
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->ts_ns = get32(c, h) * NSEC + (uint64_t)get32(c, h + 4) * c->frac_ns;
	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	if (unlikely(c->rec_hdr == 24))
		out->dir = h[22] == 4 ? CAPTURE_DIR_OUT : CAPTURE_DIR_IN;
	c->p = h + c->rec_hdr + caplen;
	c->npkt++;
	return CAPTURE_PACKET;
}

static const struct pcap_magic {
	uint32_t magic;
	uint32_t frac_ns;
	uint32_t rec_hdr;
} pcap_magics[] = {
	{0xa1b2c3d4, 1000, 16},
	{0xa1b23c4d, 1, 16},
	{0xa1b2cd34, 1000, 24},
};

/* Is @magic, as this machine reads it, that of a pcap?  Then sets up what depends on it. */
static bool start_pcap(struct capture *c, uint32_t magic)
{
	size_t i;

	for (i = 0; i < sizeof(pcap_magics) / sizeof(pcap_magics[0]); i++) {
		const struct pcap_magic *m = &pcap_magics[i];

		if (magic != m->magic && __builtin_bswap32(magic) != m->magic)
			continue;
		c->swap = magic != m->magic;
		c->frac_ns = m->frac_ns;
		c->rec_hdr = m->rec_hdr;
		c->next = next_pcap;
		return true;
	}
	return false;
}

/* Waits for the first bytes; a signal ends the waiting. */
static enum capture_result read_magic(struct capture *c, size_t need, struct diag *d)
{
	enum capture_result r;

	do {
		errno = 0;
		r = fill(c, need, d);
	} while (r == CAPTURE_LATER && errno != EINTR);
	if (r == CAPTURE_LATER)
		diag_error(d, D_SYS, NOLOC, "interrupted while waiting for %s", c->name);
	return r;
}

/* The file header: magic, u16 major, minor, i32 zone, u32 accuracy, snaplen, linktype. */
static enum capture_result open_pcap(struct capture *c, struct diag *d)
{
	enum capture_result r = read_magic(c, 24, d);
	uint32_t snaplen;

	if (r == CAPTURE_END)
		return cut_short(c, d);
	if (r != CAPTURE_PACKET)
		return r;
	snaplen = get32(c, c->p + 16);
	c->rec_limit = snaplen > RECORD_USUAL ? snaplen : RECORD_USUAL;
	if (c->rec_limit > RECORD_MAX)
		c->rec_limit = RECORD_MAX;
	/* The top bits say how long the frame check sequence is. */
	add_iface(c, get32(c, c->p + 20) & 0x03ffffff, snaplen);
	c->p += 24;
	return r;
}

/* ------------------------------------------------------------------ pcapng */

/*
 * A pcapng block; the second length repeats the first:
 *
 *   0        4        8                     len-4    len
 *   +--------+--------+---------------------+--------+
 *   |  type  |  len   | body ... | options  |  len   |
 *   +--------+--------+---------------------+--------+
 */
enum block_type {
	BLOCK_SHB = 0x0a0d0d0a, /* the same in both byte orders */
	BLOCK_IDB = 1,
	BLOCK_PB = 2,
	BLOCK_SPB = 3,
	BLOCK_EPB = 6,
};

#define BYTE_ORDER_MAGIC 0x1a2b3c4d

struct block {
	enum block_type type;
	const unsigned char *body, *end; /* without the lengths */
};

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

/* Takes the option at *@p, if there is one, and moves *@p behind it. */
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

/* Is the line "@key: ..."?  Then moves it behind that. */
static bool take_key(const char **line, const char *end, const char *key)
{
	size_t n = strlen(key);

	if ((size_t)(end - *line) < n || strncmp(*line, key, n))
		return false;
	*line += n;
	return true;
}

static uint32_t take_pid(const char *p, const char *end)
{
	uint64_t pid = 0;

	for (; p < end && *p >= '0' && *p <= '9' && pid <= INT32_MAX; p++)
		pid = pid * 10 + (uint64_t)(*p - '0');
	return pid <= INT32_MAX ? (uint32_t)pid : 0;
}

/* Of a path its last part. */
static void take_name(struct packet_owner *o, const char *p, const char *end)
{
	const char *slash = memrchr(p, '/', (size_t)(end - p));
	size_t n;

	p = slash ? slash + 1 : p;
	n = (size_t)(end - p) < sizeof(o->name) - 1 ? (size_t)(end - p) : sizeof(o->name) - 1;
	memcpy(o->name, p, n);
	o->name[n] = '\0';
}

/* Lines of comments that tell more; of a container ptcpdump writes the whole id. */
static const struct more {
	const char *key;
	size_t at, size, most;
} more[] = {
#define MORE(member) \
	offsetof(struct packet_owner, member), sizeof(((struct packet_owner *)0)->member)
	{"User: ", MORE(user), SIZE_MAX},
	{"Control group: ", MORE(cgroup), SIZE_MAX},
	{"Container: ", MORE(container), SIZE_MAX},
	{"ContainerId: ", MORE(container), 12},
	{"Network namespace: ", MORE(netns), SIZE_MAX},
#undef MORE
};

/* The first of each is the owner's. */
static void take_more(struct packet_owner *o, const char *p, const char *end)
{
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++) {
		char *to = (char *)o + more[i].at;
		size_t n;

		if (*to || !take_key(&p, end, more[i].key))
			continue;
		n = (size_t)(end - p) < more[i].size - 1 ? (size_t)(end - p) : more[i].size - 1;
		n = n < more[i].most ? n : more[i].most;
		memcpy(to, p, n);
		to[n] = '\0';
		return;
	}
}

/*
 * Lines "PID: 1234" and "Cmd: /usr/bin/curl", as ptcpdump and we write them: the first of each is
 * the owner's.
 */
static void read_comment(struct packet_owner *o, const char *p, const char *end)
{
	bool named = false;

	for (const char *next; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (!next)
			next = end;
		if (!o->pid && take_key(&p, next, "PID: ")) {
			o->pid = take_pid(p, next);
		} else if (!named && take_key(&p, next, "Cmd: ")) {
			take_name(o, p, next);
			named = true;
		} else {
			take_more(o, p, next);
		}
	}
}

static void packet_option(const struct capture *c, const struct option *o, struct packet *out)
{
	static const enum capture_dir dirs[] = {CAPTURE_DIR_UNKNOWN, CAPTURE_DIR_IN,
						CAPTURE_DIR_OUT, CAPTURE_DIR_UNKNOWN};

	switch (o->code) {
	case OPT_COMMENT:
		read_comment(&out->owner, (const char *)o->v, (const char *)o->v + o->len);
		break;
	case OPT_PKT_FLAGS:
		if (o->len == 4)
			out->dir = dirs[get32(c, o->v) & 3];
		break;
	case OPT_PKT_PROCESS:
		if (o->len >= 4 && get32(c, o->v) <= INT32_MAX)
			out->owner.pid = get32(c, o->v);
		break;
	}
}

static void packet_options(const struct capture *c, const unsigned char *p,
			   const unsigned char *end, struct packet *out)
{
	struct option o;

	out->owner.name[0] = '\0';
	for (size_t i = 0; i < sizeof(more) / sizeof(*more); i++)
		*((char *)&out->owner + more[i].at) = '\0';
	while (next_option(c, &p, end, &o))
		packet_option(c, &o, out);
}

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
			ifc->ts_off = get64(c, o->v) * NSEC;
		break;
	}
}

/* Interface description: u16 linktype, u16 reserved, u32 snaplen, options. */
static enum capture_result read_idb(struct capture *c, const struct block *b, struct diag *d)
{
	const unsigned char *p = b->body + 8;
	struct capture_iface *ifc;
	struct option o;

	if (b->end - b->body < 8)
		return damaged(c, d, "an interface description is too short", 0);
	if (c->iface.n == IFACES_MAX)
		return damaged(c, d, "more than %llu interfaces", IFACES_MAX);
	c->ties++;
	ifc = add_iface(c, get16(c, b->body), get32(c, b->body + 4));
	while (next_option(c, &p, b->end, &o))
		iface_option(c, ifc, &o);
	return CAPTURE_PACKET;
}

/* Fills in what both sorts of packet block have; @data is where the packet starts. */
static enum capture_result take_packet(struct capture *c, struct packet *out, const struct block *b,
				       uint32_t iface, const unsigned char *data, uint32_t caplen,
				       uint32_t wirelen, struct diag *d)
{
	if (iface >= c->iface.n)
		return damaged(c, d, "a packet of interface %llu, which is not described", iface);
	if (b->end - data < caplen)
		return damaged(c, d, "packet length %llu does not fit in its block", caplen);
	out->data = data;
	out->caplen = caplen;
	out->wirelen = wirelen < caplen ? caplen : wirelen;
	out->iface = &c->iface.v[iface];
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	return CAPTURE_PACKET;
}

/* Enhanced and old packet blocks: 20 bytes, with the same layout but for the first 4. */
static enum capture_result read_packet(struct capture *c, struct packet *out, const struct block *b,
				       struct diag *d)
{
	const unsigned char *p = b->body, *opt;
	enum capture_result r;
	uint32_t iface, caplen;

	if (unlikely(b->end - p < 20))
		return damaged(c, d, "a packet block is too short", 0);
	iface = likely(b->type == BLOCK_EPB) ? get32(c, p) : get16(c, p);
	caplen = get32(c, p + 12);
	r = take_packet(c, out, b, iface, p + 20, caplen, get32(c, p + 16), d);
	if (unlikely(r != CAPTURE_PACKET))
		return r;
	out->ts_ns = to_ns(out->iface, (uint64_t)get32(c, p + 4) << 32 | get32(c, p + 8));
	c->last_ts = out->ts_ns;
	opt = p + 20 + caplen;
	opt += -caplen & 3;
	if (b->end - opt >= 8)
		packet_options(c, opt, b->end, out);
	return r;
}

/* Simple packet block: u32 wirelen, then the packet; interface 0, no time. */
static enum capture_result read_spb(struct capture *c, struct packet *out, const struct block *b,
				    struct diag *d)
{
	uint32_t wirelen, caplen, snaplen;
	enum capture_result r;

	if (b->end - b->body < 4)
		return damaged(c, d, "a packet block is too short", 0);
	wirelen = caplen = get32(c, b->body);
	snaplen = c->iface.n ? c->iface.v[0].snaplen : 0;
	if (snaplen && caplen > snaplen)
		caplen = snaplen;
	if (caplen > b->end - b->body - 4)
		caplen = (uint32_t)(b->end - b->body - 4);
	r = take_packet(c, out, b, 0, b->body + 4, caplen, wirelen, d);
	out->ts_ns = c->last_ts;
	c->ties++;
	return r;
}

/*
 * Section header: byte-order magic, u16 version twice, u64 length, options.  The interfaces of the
 * section before are gone.
 */
static enum capture_result read_shb(struct capture *c, const struct block *b)
{
	const unsigned char *p = b->body + 16;
	struct option o;

	forget_ifaces(c);
	c->ties++;
	c->ours = false;
	while (p <= b->end && next_option(c, &p, b->end, &o))
		if (o.code == OPT_APPLICATION)
			c->ours = o.len == strlen(CAPTURE_WRITER) &&
				  !memcmp(o.v, CAPTURE_WRITER, o.len);
	return CAPTURE_PACKET;
}

/* Sets the byte order of the section whose header is at c->p (12 bytes are there). */
static bool section_order(struct capture *c)
{
	uint32_t magic;

	memcpy(&magic, c->p + 8, 4);
	c->swap = magic == __builtin_bswap32(BYTE_ORDER_MAGIC);
	return c->swap || magic == BYTE_ORDER_MAGIC;
}

/*
 * Brings the next block into the buffer.  CAPTURE_PACKET with @b filled and
 * c->p still at its start; @len is what to pass over afterwards.
 */
static enum capture_result next_block(struct capture *c, struct block *b, uint32_t *len,
				      struct diag *d)
{
	enum capture_result r;
	uint32_t n;

	if (unlikely(c->end - c->p < 12)) {
		r = fill_start(c, 12, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	b->type = (enum block_type)get32(c, c->p);
	if (unlikely(b->type == BLOCK_SHB) && !section_order(c))
		return damaged(c, d, "a section header without its byte-order magic", 0);
	n = get32(c, c->p + 4);
	/* Some writers forget that blocks are padded, in the length only. */
	*len = (n + 3) & ~3u;
	if (unlikely(n < 12 || n > UINT32_MAX - 3))
		return damaged(c, d, "block length %llu is not possible", n);
	switch (b->type) {
	case BLOCK_SHB:
	case BLOCK_IDB:
	case BLOCK_PB:
	case BLOCK_SPB:
	case BLOCK_EPB:
		break;
	default:
		b->type = 0;
		return CAPTURE_PACKET;
	}
	if (unlikely(n > RECORD_MAX))
		return damaged(c, d, "block length %llu is not possible", n);
	if (unlikely((size_t)(c->end - c->p) < *len)) {
		r = fill_record(c, *len, d);
		if (r != CAPTURE_PACKET)
			return r;
	}
	if (unlikely(get32(c, c->p + *len - 4) != n))
		return damaged(c, d, "the two lengths of a block differ", 0);
	b->body = c->p + 8;
	b->end = c->p + *len - 4;
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
		return read_spb(c, out, b, d);
	case BLOCK_IDB:
		return read_idb(c, b, d);
	case BLOCK_SHB:
		return read_shb(c, b);
	}
	return CAPTURE_PACKET;
}

static enum capture_result next_pcapng(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r;
	struct block b = {0};
	uint32_t len;

	for (;;) {
		if (unlikely(c->skip)) {
			r = skip_over(c, d);
			if (r != CAPTURE_PACKET)
				return r;
		}
		if (unlikely(capture_pos(c) >= c->until))
			return CAPTURE_END;
		r = next_block(c, &b, &len, d);
		if (unlikely(r != CAPTURE_PACKET))
			return r;
		if (unlikely(!b.type)) {
			c->skip = len;
			continue;
		}
		r = read_block(c, out, &b, d);
		if (unlikely(r != CAPTURE_PACKET))
			return r;
		c->p += len;
		if (likely(b.type != BLOCK_IDB && b.type != BLOCK_SHB)) {
			c->npkt++;
			return CAPTURE_PACKET;
		}
	}
}

/* --------------------------------------------------------- opening, closing */

static const struct packer {
	const char *magic;
	const char *name;
	const char *unpack;
} packers[] = {
	{"\x1f\x8b", "gzip", "gzip -dc"},
	{"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
	{"\xfd"
	 "7zXZ",
	 "xz", "xz -dc"},
	{"\x04\x22\x4d\x18", "lz4", "lz4 -dc"},
	{"BZh", "bzip2", "bzip2 -dc"},
};

static int foreign_file(const struct capture *c, struct diag *d)
{
	size_t i, n;

	for (i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		const struct packer *k = &packers[i];

		n = strlen(k->magic);
		if ((size_t)(c->end - c->p) >= n && !memcmp(c->p, k->magic, n))
			return diag_error(d, D_SYS, NOLOC,
					  "%s is compressed with %s: pipe it through '%s' and "
					  "use -r -",
					  c->name, k->name, k->unpack);
	}
	return diag_error(d, D_SYS, NOLOC, "%s is not a pcap or pcapng capture file", c->name);
}

static int recognise(struct capture *c, struct diag *d)
{
	enum capture_result r = read_magic(c, 4, d);
	uint32_t magic;

	if (r == CAPTURE_END)
		return foreign_file(c, d);
	if (r != CAPTURE_PACKET)
		return -1;
	memcpy(&magic, c->p, 4);
	if (start_pcap(c, magic))
		return open_pcap(c, d) == CAPTURE_PACKET ? 0 : -1;
	if (magic != BLOCK_SHB)
		return foreign_file(c, d);
	r = read_magic(c, 12, d);
	if (r == CAPTURE_END || (r == CAPTURE_PACKET && !section_order(c)))
		return foreign_file(c, d);
	if (r != CAPTURE_PACKET)
		return -1;
	c->next = next_pcapng;
	return 0;
}

struct capture *capture_fdopen(int fd, const char *name, struct diag *d)
{
	struct capture *c = xcalloc(1, sizeof(*c));
	struct stat st;

	c->fd = fd;
	c->name = xstrdup(name);
	c->until = UINT64_MAX;
	c->cap = 2 * BLOCK;
	c->buf = place_map(PLACE_CAPTURE, c->cap);
	c->p = c->end = c->buf;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		c->regular = true;
		c->size = (uint64_t)st.st_size;
		posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	if (recognise(c, d)) {
		capture_close(c);
		return NULL;
	}
	return c;
}

struct capture *capture_open_then(const char *path, bool (*opened)(struct diag *d), struct diag *d)
{
	int fd;

	if (!strcmp(path, "-")) {
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
		path = "standard input";
	} else {
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0) {
		diag_error(d, D_SYS, NOLOC, "failed to open %s: %s", path, strerror(errno));
		return NULL;
	}
	if (opened && !opened(d)) {
		close(fd);
		return NULL;
	}
	return capture_fdopen(fd, path, d);
}

struct capture *capture_open(const char *path, struct diag *d)
{
	return capture_open_then(path, NULL, d);
}

static enum capture_result next_of_wire(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r = wire_next(c->wire, out, d);

	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	c->npkt += r == CAPTURE_PACKET;
	return r;
}

struct capture *capture_of_wire(struct wire *w, const char *name)
{
	struct capture *c = xcalloc(1, sizeof(*c));

	c->fd = -1;
	c->until = UINT64_MAX;
	c->wire = w;
	c->name = xstrdup(name);
	c->next = next_of_wire;
	add_iface(c, wire_linktype(w), 0)->name = xstrdup(name);
	return c;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	forget_ifaces(c);
	vec_free(&c->iface);
	if (c->fd >= 0)
		close(c->fd);
	wire_close(c->wire);
	place_unmap(c->buf, c->cap);
	xfree(c->name);
	xfree(c);
}

enum capture_result capture_next(struct capture *c, struct packet *out, struct diag *d)
{
	return c->next(c, out, d);
}

/* Classic pcap: how many bytes the record at @p has; 0: it is not all here, or damaged. */
static size_t peek_pcap(const struct capture *c, const unsigned char *p, struct packet *out)
{
	size_t left = (size_t)(c->end - p);
	uint32_t caplen;

	if (left < c->rec_hdr)
		return 0;
	caplen = get32(c, p + 8);
	if (caplen > c->rec_limit || left - c->rec_hdr < caplen)
		return 0;
	out->data = p + c->rec_hdr;
	out->caplen = caplen;
	out->wirelen = get32(c, p + 12);
	out->iface = c->iface.v;
	return c->rec_hdr + caplen;
}

/* The same of a pcapng; other blocks than those of packets are left to capture_next(). */
static size_t peek_pcapng(const struct capture *c, const unsigned char *p, struct packet *out)
{
	size_t left = (size_t)(c->end - p);
	uint32_t n, iface;

	if (left < 32 || get32(c, p) != BLOCK_EPB)
		return 0;
	n = get32(c, p + 4);
	iface = get32(c, p + 8);
	out->caplen = get32(c, p + 20);
	out->wirelen = get32(c, p + 24);
	if (n < 32 || n & 3 || n > left || out->caplen > n - 32 || iface >= c->iface.n)
		return 0;
	out->data = p + 28;
	out->iface = &c->iface.v[iface];
	return n;
}

bool capture_peek(const struct capture *c, const unsigned char **at, struct packet *out)
{
	const unsigned char *p = *at ? *at : c->p;
	size_t n;

	if (c->wire || c->skip)
		return false;
	n = c->rec_hdr ? peek_pcap(c, p, out) : peek_pcapng(c, p, out);
	if (!n)
		return false;
	if (out->wirelen < out->caplen)
		out->wirelen = out->caplen;
	*at = p + n;
	return true;
}

uint32_t capture_moved(const struct capture *c)
{
	return c->moved;
}

static enum capture_result next_wanted(struct capture *c, struct packet *out, struct diag *d)
{
	for (unsigned i = 0; i < LEFT_OUT_MAX; i++) {
		enum capture_result r = c->every(c, out, d);
		int passes = r == CAPTURE_PACKET ? sieve_passes(c->sieve, out, d) : 0;

		if (passes < 0)
			return CAPTURE_BAD;
		if (passes || r != CAPTURE_PACKET)
			return r;
	}
	return CAPTURE_LATER;
}

void capture_sift(struct capture *c, struct sieve *s)
{
	c->sieve = s;
	c->every = c->next;
	c->next = next_wanted;
}

/* ------------------------------------------------------------------ a part */

#define CHAIN 6              /* records one behind the other: there is none by chance */
#define CHAIN_STEP (1 << 24) /* so far behind the place asked for a record begins */
#define CHAIN_SECONDS 86400

/* How many bytes the record at @p (of @left) has, if it looks like one; 0: it does not. */
typedef size_t record_fn(const struct capture *c, const unsigned char *p, size_t left,
			 uint32_t *sec);

static size_t pcap_record(const struct capture *c, const unsigned char *p, size_t left,
			  uint32_t *sec)
{
	uint32_t caplen, now, was = *sec;

	if (left < c->rec_hdr)
		return 0;
	now = get32(c, p);
	caplen = get32(c, p + 8);
	*sec = now;
	if (!caplen || caplen > c->rec_limit || get32(c, p + 12) < caplen ||
	    get32(c, p + 4) >= NSEC / c->frac_ns ||
	    (was && now - was + CHAIN_SECONDS > 2 * CHAIN_SECONDS))
		return 0;
	return c->rec_hdr + caplen;
}

static size_t pcapng_record(const struct capture *c, const unsigned char *p, size_t left,
			    uint32_t *sec)
{
	uint32_t n;

	(void)sec;
	if (left < 12)
		return 0;
	n = get32(c, p + 4);
	if (n < 12 || n & 3 || n > RECORD_MAX || n > left || get32(c, p + n - 4) != n)
		return 0;
	return n;
}

/* Up to the end of the file, or of what is read, if CHAIN are not there. */
static bool is_chain(const struct capture *c, record_fn *record, const unsigned char *p,
		     bool at_end)
{
	uint32_t sec = 0;

	for (unsigned i = 0; i < CHAIN; i++) {
		size_t n = record(c, p, (size_t)(c->end - p), &sec);

		if (!n || n > (size_t)(c->end - p))
			return false;
		p += n;
		if (p == c->end)
			return at_end;
	}
	return true;
}

static int seek_to(struct capture *c, uint64_t off, struct diag *d)
{
	if (lseek(c->fd, (off_t)off, SEEK_SET) < 0)
		return diag_error(d, D_SYS, NOLOC, "failed to read %s: %s", c->name,
				  strerror(errno));
	c->p = c->end = c->buf + off % BLOCK;
	c->nread = off;
	c->moved++;
	c->skip = 0;
	return 0;
}

static bool find_record(struct capture *c, record_fn *record, size_t step)
{
	struct diag d = {0};
	size_t want = BLOCK;
	bool at_end = false;

	while (want <= CHAIN_STEP && !at_end) {
		at_end = fill(c, want, &d) != CAPTURE_PACKET;
		for (unsigned char *p = c->p; p < c->end; p += step)
			if (is_chain(c, record, p, at_end)) {
				c->p = p;
				diag_release(&d);
				return true;
			}
		want *= 4;
	}
	diag_release(&d);
	return false;
}

bool capture_seek(struct capture *c, uint64_t off, struct diag *d)
{
	bool pcapng = c->rec_hdr == 0;

	if (pcapng)
		off = (off + 3) & ~3ull;
	return !seek_to(c, off, d) &&
	       find_record(c, pcapng ? pcapng_record : pcap_record, pcapng ? 4 : 1) &&
	       !seek_to(c, capture_pos(c), d);
}

int capture_go_on(struct capture *c, uint64_t off, uint64_t packets, struct diag *d)
{
	c->npkt = packets;
	return seek_to(c, off, d);
}

void capture_until(struct capture *c, uint64_t off)
{
	c->until = off;
}

uint32_t capture_ties(const struct capture *c)
{
	return c->ties;
}

const char *capture_name(const struct capture *c)
{
	return c->name;
}

uint64_t capture_size(const struct capture *c)
{
	return c->size;
}

bool capture_may_tell_owners(const struct capture *c)
{
	return (c->every ? c->every : c->next) == next_pcapng;
}

bool capture_is_ours(const struct capture *c)
{
	return c->ours;
}

uint64_t capture_count(const struct capture *c)
{
	return c->npkt;
}
