/*
 * wire.c - packets of a network interface as they come, through libpcap.
 */
#include "engine/replay/capture/wire.h"

#include <net/if.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/xalloc.h"
#include "engine/replay/capture/format.h"
#include "engine/replay/capture/pcap_lib.h"

#define ANY "any" /* all interfaces, for libpcap */

bool wire_is(const char *name)
{
	return access(name, F_OK) && (if_nametoindex(name) || !strcmp(name, ANY));
}

#ifdef HAVE_PCAP

#define SNAPLEN (256 << 10)
#define BLOCK_MS 10 /* the kernel hands packets over after so long, at the latest */
#define PATIENCE_MS 20
#define LINKTYPE_RAW 101

struct wire {
	const struct pcap_lib *lib;
	pcap_t *p;
	char *name;
	uint64_t lost; /* as told last */
};

static void failed(const struct wire *w, int status, struct diag *d)
{
	const char *why = w->lib->geterr(w->p);

	diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s%s", w->name,
		   *why ? why : w->lib->statustostr(status),
		   status == PCAP_ERROR_PERM_DENIED ? ": it takes cap_net_raw, or root" : "");
}

static int activate(struct wire *w, const struct wire_opts *o, struct diag *d)
{
	const struct pcap_lib *lib = w->lib;
	uint64_t size = o->bufsize ? o->bufsize : WIRE_BUFSIZE;
	int status;

	if (o->promiscuous && !strcmp(w->name, ANY))
		return diag_error(d, D_SYS, NOLOC,
				  "failed to set -x promisc: it is for one interface, not for any");
	lib->set_snaplen(w->p, SNAPLEN);
	lib->set_promisc(w->p, o->promiscuous);
	lib->set_timeout(w->p, BLOCK_MS);
	lib->set_buffer_size(w->p, size > INT32_MAX ? INT32_MAX : (int)size);
	lib->set_tstamp_precision(w->p, PCAP_TSTAMP_PRECISION_NANO);
	status = lib->activate(w->p);
	if (status < 0) {
		failed(w, status, d);
		return -1;
	}
	return 0;
}

static int set_filter(struct wire *w, const struct src *expression, struct diag *d)
{
	struct bpf_program prog;
	int err;

	if (!expression)
		return 0;
	if (w->lib->compile(w->p, &prog, expression->text, 1, PCAP_NETMASK_UNKNOWN)) {
		pcap_refused(w->lib, w->p, expression, d);
		return -1;
	}
	err = w->lib->setfilter(w->p, &prog);
	w->lib->freecode(&prog);
	if (err)
		failed(w, err, d);
	return err;
}

static int start(struct wire *w, const struct wire_opts *o, struct diag *d)
{
	char why[PCAP_ERRBUF_SIZE];

	w->p = w->lib->create(w->name, why);
	if (!w->p)
		return diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s", w->name,
				  why);
	if (activate(w, o, d) || set_filter(w, o->filter, d))
		return -1;
	if (w->lib->setnonblock(w->p, 1, why))
		return diag_error(d, D_SYS, NOLOC, "failed to read the interface %s: %s", w->name,
				  why);
	return 0;
}

struct wire *wire_open(const char *name, const struct wire_opts *o, struct diag *d)
{
	const struct pcap_lib *lib = pcap_lib("failed to read an interface", d);
	struct wire *w = lib ? xcalloc(1, sizeof(*w)) : NULL;

	if (!w)
		return NULL;
	w->lib = lib;
	w->name = xstrdup(name);
	if (!start(w, o, d))
		return w;
	wire_close(w);
	return NULL;
}

void wire_close(struct wire *w)
{
	if (!w)
		return;
	if (w->p)
		w->lib->close(w->p);
	xfree(w->name);
	xfree(w);
}

uint32_t wire_linktype(const struct wire *w)
{
	int link = w->lib->datalink(w->p);

	return link == DLT_RAW ? LINKTYPE_RAW : (uint32_t)link;
}

static void take(struct packet *out, const struct pcap_pkthdr *h, const unsigned char *data)
{
	out->data = data;
	out->caplen = h->caplen;
	out->wirelen = h->len < h->caplen ? h->caplen : h->len;
	/* they are ns */
	out->ts_ns = (uint64_t)h->ts.tv_sec * 1000000000u + (uint64_t)h->ts.tv_usec;
}

enum capture_result wire_next(struct wire *w, struct packet *out, struct diag *d)
{
	struct pollfd pfd = {.fd = w->lib->get_selectable_fd(w->p), .events = POLLIN};
	struct pcap_pkthdr *h;
	const unsigned char *data;
	int n = w->lib->next_ex(w->p, &h, &data);

	if (!n && poll(&pfd, 1, PATIENCE_MS) > 0)
		n = w->lib->next_ex(w->p, &h, &data);
	if (n < 0) {
		failed(w, n, d);
		return CAPTURE_BAD;
	}
	if (n)
		take(out, h, data);
	return n ? CAPTURE_PACKET : CAPTURE_LATER;
}

uint64_t wire_lost(struct wire *w)
{
	struct pcap_stat st;

	if (!w->lib->stats(w->p, &st))
		w->lost = st.ps_drop;
	return w->lost;
}

#else /* built without the header: libpcap-dev */

struct wire *wire_open(const char *name, const struct wire_opts *o, struct diag *d)
{
	(void)o;
	diag_error(d, D_SYS, NOLOC,
		   "failed to read the interface %s: this dtrace was built without libpcap-dev",
		   name);
	return NULL;
}

void wire_close(struct wire *w)
{
	(void)w;
}

uint32_t wire_linktype(const struct wire *w)
{
	(void)w;
	return 0;
}

enum capture_result wire_next(struct wire *w, struct packet *out, struct diag *d)
{
	(void)w, (void)out, (void)d;
	return CAPTURE_END;
}

uint64_t wire_lost(struct wire *w)
{
	(void)w;
	return 0;
}
#endif

/* ------------------------------------------------------------- as a capture format */

static enum capture_result next_packet(struct capture *c, struct packet *out, struct diag *d)
{
	enum capture_result r = wire_next(c->state, out, d);

	out->iface = c->iface.v;
	out->dir = CAPTURE_DIR_UNKNOWN;
	out->owner.pid = 0;
	c->npkt += r == CAPTURE_PACKET;
	return r;
}

static void free_state(void *state)
{
	wire_close(state);
}

const struct capture_format format_wire = {.next = next_packet, .free_state = free_state};
