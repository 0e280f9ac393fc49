/*
 * capture.c - opens captures, recognises their format, and returns packets.
 *
 * reader.c fills the buffer, a format (pcap.c, pcapng.c) parses records, and seek.c finds a record
 * in the middle of a file.
 */
#include "engine/replay/capture/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "engine/replay/capture/format.h"
#include "engine/replay/capture/pcap_filter.h"
#include "engine/replay/capture/sniffer.h"

/*
 * Maximum number of packets that one call filters out. After that many, the call returns
 * CAPTURE_AGAIN, so that the caller can let time advance.
 */
#define REJECTED_MAX 4096

/* The formats of files. The first format that recognises a file is used. */
static const struct capture_format *const formats[] = {&format_pcap, &format_pcapng};

#define NFORMATS (sizeof(formats) / sizeof(*formats))

/* ------------------------------------------------------------ used by formats */

enum capture_result capture_damaged(const struct capture *c, struct diag *d, const char *what,
				    unsigned long long value)
{
	char msg[128];

	snprintf(msg, sizeof(msg), what, value);
	diag_error(d, D_SYS, NOLOC, "%s: damaged after packet %llu: %s", c->name,
		   (unsigned long long)c->npkt, msg);
	return CAPTURE_BAD;
}

enum capture_result capture_cut_short(const struct capture *c, struct diag *d)
{
	return capture_damaged(c, d, "the file ends in the middle of a record", 0);
}

void capture_forget_ifaces(struct capture *c)
{
	for (size_t i = 0; i < c->iface.n; i++)
		xfree((char *)c->iface.v[i].name);
	c->iface.n = 0;
}

struct capture_iface *capture_add_iface(struct capture *c, uint32_t linktype, uint32_t snaplen)
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

/* -------------------------------------------------------------- opening, closing */

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

static const struct packer *find_packer(const struct capture *c)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++) {
		size_t n = strlen(packers[i].magic);

		if (reader_left(c) >= n && !memcmp(c->p, packers[i].magic, n))
			return &packers[i];
	}
	return NULL;
}

/* Adds the names of the formats to @b, such as "pcap or pcapng". */
static void list_formats(struct strbuf *b)
{
	for (size_t i = 0; i < NFORMATS; i++) {
		if (i)
			strbuf_adds(b, i + 1 == NFORMATS ? " or " : ", ");
		strbuf_adds(b, formats[i]->name);
	}
}

static int unknown_format(const struct capture *c, struct diag *d)
{
	const struct packer *k = find_packer(c);
	struct strbuf names = {0};

	if (k)
		return diag_error(d, D_SYS, NOLOC,
				  "%s is compressed with %s: pipe it through '%s' and "
				  "use -r -",
				  c->name, k->name, k->unpack);
	list_formats(&names);
	diag_error(d, D_SYS, NOLOC, "%s is not a %s capture file", c->name, names.s);
	strbuf_release(&names);
	return -1;
}

static int recognise(struct capture *c, struct diag *d)
{
	for (size_t i = 0; i < NFORMATS; i++) {
		enum capture_result r = formats[i]->recognise(c, d);

		if (r == CAPTURE_PACKET) {
			c->format = formats[i];
			return 0;
		}
		if (r != CAPTURE_END)
			return -1;
	}
	return unknown_format(c, d);
}

struct capture *capture_fdopen(int fd, const char *name, struct diag *d)
{
	struct capture *c = xcalloc(1, sizeof(*c));

	c->name = xstrdup(name);
	reader_init(c, fd);
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

struct capture *capture_from_sniffer(struct sniffer *s, const char *name)
{
	struct capture *c = xcalloc(1, sizeof(*c));

	c->format = &format_sniffer;
	c->state = s;
	c->fd = -1;
	c->name = xstrdup(name);
	capture_add_iface(c, sniffer_linktype(s), 0)->name = xstrdup(name);
	return c;
}

void capture_close(struct capture *c)
{
	if (!c)
		return;
	if (c->format && c->format->free_state)
		c->format->free_state(c->state);
	capture_forget_ifaces(c);
	vec_free(&c->iface);
	reader_release(c);
	xfree(c->name);
	xfree(c);
}

/* ------------------------------------------------------------------------ packets */

/*
 * Reads packets until one matches the filter. Not inlined, so that capture_next() without a filter
 * is a plain jump.
 */
static __attribute__((noinline)) enum capture_result next_wanted(struct capture *c,
								 struct packet *out, struct diag *d)
{
	for (unsigned i = 0; i < REJECTED_MAX; i++) {
		enum capture_result r = c->format->next(c, out, d);
		int passes = r == CAPTURE_PACKET ? pcap_filter_matches(c->filter, out, d) : 0;

		if (passes < 0)
			return CAPTURE_BAD;
		if (passes || r != CAPTURE_PACKET)
			return r;
	}
	return CAPTURE_AGAIN;
}

enum capture_result capture_next(struct capture *c, struct packet *out, struct diag *d)
{
	return unlikely(c->filter != NULL) ? next_wanted(c, out, d) : c->format->next(c, out, d);
}

bool capture_peek(const struct capture *c, const unsigned char *at, struct peeked_packet *out)
{
	return c->format->peek && c->format->peek(c, at ? at : c->p, out);
}

bool capture_take(struct capture *c, const struct peeked_packet *p, uint32_t generation)
{
	if (c->generation != generation || c->p != p->data - p->header || !p->whole || c->filter ||
	    reader_pos(c) >= c->stop_at)
		return false;
	c->p += p->size;
	c->npkt++;
	return true;
}

uint32_t capture_generation(const struct capture *c)
{
	return c->generation;
}

void capture_set_filter(struct capture *c, struct pcap_filter *s)
{
	c->filter = s;
	c->layout = NULL; /* keeps inline.h, which ignores the filter, from reading */
}

/* -------------------------------------------------------------------- properties */

uint32_t capture_dependencies(const struct capture *c)
{
	return c->dependencies;
}

const char *capture_name(const struct capture *c)
{
	return c->name;
}

uint64_t capture_pos(const struct capture *c)
{
	return reader_pos(c);
}

uint64_t capture_size(const struct capture *c)
{
	return c->size;
}

bool capture_has_owners(const struct capture *c)
{
	return c->format->has_owners;
}

bool capture_written_by_dtrace(const struct capture *c)
{
	return c->by_dtrace;
}

uint64_t capture_count(const struct capture *c)
{
	return c->npkt;
}
