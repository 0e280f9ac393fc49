/* sniffer.c - captures live packets of a network interface through libpcap. */
#include "engine/replay/capture/sniffer.h"

#include <net/if.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/capture/format.h"
#include "engine/replay/capture/pcap_lib.h"

#define ANY "any" /* libpcap's name for all interfaces */

bool sniffer_is_interface(const char *name)
{
	return access(name, F_OK) && (if_nametoindex(name) || !strcmp(name, ANY));
}

#ifdef HAVE_PCAP

#define SNAPLEN (256 << 10)
#define BLOCK_MS 10 /* the kernel delivers a packet at most this many ms after its arrival */
#define PATIENCE_MS 20
#define LINKTYPE_RAW 101

struct sniffer {
	const struct pcap_lib *lib;
	pcap_t *p;
	char *name;
	uint64_t lost; /* number of dropped packets, as last reported by the kernel */
};

static void failed(const struct sniffer *s, int status, struct diag *d)
{
	const char *why = s->lib->geterr(s->p);

	diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s%s", s->name,
		   *why ? why : s->lib->statustostr(status),
		   status == PCAP_ERROR_PERM_DENIED
			   ? ": reading an interface needs cap_net_raw, or root"
			   : "");
}

static int activate(struct sniffer *s, const struct sniffer_opts *o, struct diag *d)
{
	const struct pcap_lib *lib = s->lib;
	uint64_t size = o->bufsize ? o->bufsize : SNIFFER_BUFSIZE;
	int status;

	if (o->promiscuous && !strcmp(s->name, ANY))
		return diag_error(d, D_SYS, NOLOC,
				  "failed to set -x promisc: it applies to a single interface, not "
				  "to -r any");
	if (lib->set_snaplen(s->p, SNAPLEN) || lib->set_promisc(s->p, o->promiscuous) ||
	    lib->set_timeout(s->p, BLOCK_MS) ||
	    lib->set_buffer_size(s->p, size > INT32_MAX ? INT32_MAX : (int)size))
		BUG("an option of an interface that is not open yet");
	status = lib->set_tstamp_precision(s->p, PCAP_TSTAMP_PRECISION_NANO);
	if (status >= 0)
		status = lib->activate(s->p);
	if (status < 0) {
		failed(s, status, d);
		return -1;
	}
	return 0;
}

/*
 * Checks the length of the expression, because libpcap's optimizer may take minutes for a long one.
 */
static int check_filter(struct sniffer *s, const struct src *expression, struct diag *d)
{
	struct bpf_program plain;
	unsigned n;

	if (pcap_check_length(expression->len, "characters", PCAP_TEXT_MAX, "", d))
		return -1;
	if (s->lib->compile(s->p, &plain, expression->text, 0, PCAP_NETMASK_UNKNOWN)) {
		pcap_refused(s->lib, s->p, expression, d);
		return -1;
	}
	n = plain.bf_len;
	s->lib->freecode(&plain);
	return pcap_check_length(n, "instructions", PCAP_INSNS_MAX, "", d);
}

static int set_filter(struct sniffer *s, const struct src *expression, struct diag *d)
{
	struct bpf_program prog;
	int err;

	if (!expression)
		return 0;
	if (check_filter(s, expression, d))
		return -1;
	if (s->lib->compile(s->p, &prog, expression->text, 1, PCAP_NETMASK_UNKNOWN)) {
		pcap_refused(s->lib, s->p, expression, d);
		return -1;
	}
	err = s->lib->setfilter(s->p, &prog);
	s->lib->freecode(&prog);
	if (err)
		failed(s, err, d);
	return err;
}

static int start(struct sniffer *s, const struct sniffer_opts *o, struct diag *d)
{
	char why[PCAP_ERRBUF_SIZE];

	s->p = s->lib->create(s->name, why);
	if (!s->p)
		return diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s", s->name,
				  why);
	if (activate(s, o, d) || set_filter(s, o->filter, d))
		return -1;
	if (s->lib->setnonblock(s->p, 1, why))
		return diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s", s->name,
				  why);
	return 0;
}

static void sniffer_close(struct sniffer *s)
{
	if (!s)
		return;
	if (s->p)
		s->lib->close(s->p);
	xfree(s->name);
	xfree(s);
}

struct sniffer *sniffer_open(const char *name, const struct sniffer_opts *o, struct diag *d)
{
	const struct pcap_lib *lib = pcap_lib("failed to read an interface", d);
	struct sniffer *s = lib ? xcalloc(1, sizeof(*s)) : NULL;

	if (!s)
		return NULL;
	s->lib = lib;
	s->name = xstrdup(name);
	if (!start(s, o, d))
		return s;
	sniffer_close(s);
	return NULL;
}

uint32_t sniffer_linktype(const struct sniffer *s)
{
	int link = s->lib->datalink(s->p);

	return link == DLT_RAW ? LINKTYPE_RAW : (uint32_t)link;
}

static void take(struct packet *out, const struct pcap_pkthdr *h, const unsigned char *data)
{
	out->data = data;
	out->caplen = h->caplen;
	out->wirelen = h->len < h->caplen ? h->caplen : h->len;
	/* with nanosecond precision, tv_usec has ns */
	out->ts_ns = (uint64_t)h->ts.tv_sec * 1000000000u + (uint64_t)h->ts.tv_usec;
}

/*
 * Sets data, lengths and time of the next packet. Returns CAPTURE_AGAIN if no packet arrives for
 * about 20 ms.
 */
static enum capture_result sniffer_next(struct sniffer *s, struct packet *out, struct diag *d)
{
	struct pollfd pfd = {.fd = s->lib->get_selectable_fd(s->p), .events = POLLIN};
	struct pcap_pkthdr *h;
	const unsigned char *data;
	int n = s->lib->next_ex(s->p, &h, &data);

	if (!n && poll(&pfd, 1, PATIENCE_MS) > 0)
		n = s->lib->next_ex(s->p, &h, &data);
	if (n < 0) {
		failed(s, n, d);
		return CAPTURE_BAD;
	}
	if (n)
		take(out, h, data);
	return n ? CAPTURE_PACKET : CAPTURE_AGAIN;
}

uint64_t sniffer_dropped(struct sniffer *s)
{
	struct pcap_stat st;

	if (!s->lib->stats(s->p, &st))
		s->lost = st.ps_drop;
	return s->lost;
}

#else /* built without libpcap's header */

struct sniffer *sniffer_open(const char *name, const struct sniffer_opts *o, struct diag *d)
{
	(void)o;
	diag_error(d, D_SYS, NOLOC,
		   "failed to read the interface %s: this dtrace was built without libpcap-dev",
		   name);
	return NULL;
}

static void sniffer_close(struct sniffer *s)
{
	(void)s;
}

uint32_t sniffer_linktype(const struct sniffer *s)
{
	(void)s;
	return 0;
}

static enum capture_result sniffer_next(struct sniffer *s, struct packet *out, struct diag *d)
{
	(void)s, (void)out, (void)d;
	return CAPTURE_END;
}

uint64_t sniffer_dropped(struct sniffer *s)
{
	(void)s;
	return 0;
}
#endif

/* ------------------------------------------------------------- as a capture format */

static enum capture_result next_packet(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r = sniffer_next(c->state, out, d);

	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	c->npkt += r == CAPTURE_PACKET;
	return r;
}

static void free_state(void *state)
{
	sniffer_close(state);
}

const struct capture_format format_sniffer = {.next = next_packet, .free_state = free_state};
