/*
 * pcapng.c - writes captures whose packets name their owner.
 */
#include "consumer/pcapng.h"

#include <string.h>

#include "base/visible.h"
#include "base/xalloc.h"
#include "ir/program.h"

enum { BLOCK_SECTION = 0x0a0d0d0a, BLOCK_INTERFACE = 1, BLOCK_PACKET = 6 };
enum { OPT_END, OPT_COMMENT, OPT_FLAGS, OPT_PROCESS = 8 }; /* options of a packet */
enum { OPT_APPLICATION = 4 };                              /* options of a section */
enum { OPT_IFNAME = 2, OPT_RESOLUTION = 9 };               /* options of an interface */

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define SNAPLEN 262144u
#define DLT_RAW 12   /* link type of raw IP in records */
#define LINK_RAW 101 /* link type of raw IP in capture files */

static void add16(struct strbuf *b, uint32_t v)
{
	uint16_t half = (uint16_t)v;

	strbuf_add(b, &half, sizeof(half));
}

static void add32(struct strbuf *b, uint32_t v)
{
	strbuf_add(b, &v, sizeof(v));
}

/* Appends @n bytes, and zeros up to a multiple of four bytes. */
static void add_padded(struct strbuf *b, const void *p, size_t n)
{
	strbuf_add(b, p, n);
	strbuf_add(b, "\0\0\0", -n & 3);
}

static void add_option(struct strbuf *b, uint32_t code, const void *p, size_t n)
{
	add16(b, code);
	add16(b, (uint32_t)n);
	add_padded(b, p, n);
}

/*
 * Begins a block. The second and the last word of a block are its length, which end_block() fills
 * in.
 */
static size_t begin_block(struct strbuf *b, uint32_t type)
{
	size_t at = b->len;

	add32(b, type);
	add32(b, 0);
	return at;
}

static void end_block(struct strbuf *b, size_t at)
{
	uint32_t n;

	add32(b, OPT_END);
	n = (uint32_t)(b->len - at) + 4;
	memcpy(b->s + at + 4, &n, sizeof(n));
	add32(b, n);
}

static void add_section(struct strbuf *b)
{
	size_t at = begin_block(b, BLOCK_SECTION);

	add32(b, BYTE_ORDER_MAGIC);
	add16(b, 1);
	add16(b, 0);
	add32(b, UINT32_MAX); /* the length of the section is unknown */
	add32(b, UINT32_MAX);
	add_option(b, OPT_APPLICATION, CAPTURE_WRITER, strlen(CAPTURE_WRITER));
	end_block(b, at);
}

static void add_interface(struct strbuf *b, const struct pcapng_iface *i)
{
	size_t at = begin_block(b, BLOCK_INTERFACE);

	add16(b, i->link == DLT_RAW ? LINK_RAW : i->link);
	add16(b, 0);
	add32(b, SNAPLEN);
	if (*i->name)
		add_option(b, OPT_IFNAME, i->name, strlen(i->name));
	add_option(b, OPT_RESOLUTION, "\x09", 1);
	end_block(b, at);
}

static uint32_t interface_of(struct pcapng *s, struct strbuf *b, uint32_t link, const char *name)
{
	struct pcapng_iface i;

	for (uint32_t k = 0; k < s->iface.n; k++)
		if (s->iface.v[k].link == link && !strcmp(s->iface.v[k].name, name))
			return k;
	i = (struct pcapng_iface){link, xstrdup(name)};
	vec_push(&s->iface, i);
	add_interface(b, &i);
	return (uint32_t)s->iface.n - 1;
}

/* ----------------------------------------------------------------- a packet's options */

/*
 * Appends a line "Key: value". Escapes characters that control a terminal, and newlines, so that
 * the name of a process cannot add lines to the comment. Appends nothing if @value is "".
 */
static void comment_line(struct strbuf *b, const char *key, const char *value)
{
	if (!*value)
		return;
	strbuf_addf(b, "%s%s: ", b->len ? "\n" : "", key);
	visible_add(b, value, strlen(value));
}

/*
 * Returns @name, or "" if it is the text for unknown names, so that the packet's comment has no
 * line for it.
 */
static const char *known(const char *name)
{
	return strcmp(name, NAMED_UNKNOWN) ? name : "";
}

static void add_comment(struct strbuf *b, const struct packet_about *a)
{
	struct strbuf text = {0};

	if (a->pid > 0) {
		strbuf_addf(&text, "PID: %lld", (long long)a->pid);
		comment_line(&text, "Cmd", a->name);
		comment_line(&text, "User", known(a->user));
		comment_line(&text, "Control group", known(a->cgroup));
		comment_line(&text, "Container", known(a->container));
		comment_line(&text, "Network namespace", known(a->netns));
	}
	comment_line(&text, "Probe", a->probe);
	comment_line(&text, "Drop reason", a->reason);
	if (text.len)
		add_option(b, OPT_COMMENT, text.s, text.len);
	strbuf_release(&text);
}

static void add_about(struct strbuf *b, const struct packet_about *a)
{
	const uint32_t way = a->way, process[] = {(uint32_t)a->pid, 0};

	add_comment(b, a);
	if (a->way)
		add_option(b, OPT_FLAGS, &way, sizeof(way));
	if (a->pid > 0)
		add_option(b, OPT_PROCESS, process, sizeof(process));
}

void pcapng_begin(struct pcapng *s, struct strbuf *out)
{
	if (!s->begun)
		add_section(out);
	s->begun = true;
}

void pcapng_add(struct pcapng *s, struct strbuf *out, const struct packet_slot *pk,
		const struct packet_about *about)
{
	uint32_t iface;
	size_t at;

	pcapng_begin(s, out);
	iface = interface_of(s, out, pk->link, about->iface);
	at = begin_block(out, BLOCK_PACKET);
	add32(out, iface);
	add32(out, (uint32_t)(pk->time >> 32));
	add32(out, (uint32_t)pk->time);
	add32(out, pk->len);
	add32(out, pk->wire > pk->len ? pk->wire : pk->len);
	add_padded(out, pk + 1, pk->len);
	add_about(out, about);
	end_block(out, at);
}

void pcapng_reset(struct pcapng *s)
{
	for (size_t i = 0; i < s->iface.n; i++)
		xfree(s->iface.v[i].name);
	vec_free(&s->iface);
	*s = (struct pcapng){0};
}
