/*
 * pcap_filter.c - -x filter: which packets of a capture are looked at, as tcpdump says it.
 */
#include "engine/replay/capture/pcap_filter.h"

#include <stddef.h>

#include "base/diag.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/dissect.h"
#include "engine/replay/capture/pcap_lib.h"

#ifdef HAVE_PCAP
#include "base/vec.h"
#include "base/xalloc.h"

#define SNAPLEN (256 << 10)
#define LINKTYPE_RAW 101 /* of files; libpcap's own number of it is another */

struct pcap_filter {
	const struct pcap_lib *lib;
	const struct src *src;
	VEC(struct link {
		uint32_t linktype;
		struct bpf_program prog; /* owned */
	})
	link;
	uint32_t serial; /* the interface of the packet before ... */
	size_t at;       /* ... and its link */
};

struct pcap_filter *pcap_filter_new(const struct src *expression, struct diag *d)
{
	const struct pcap_lib *lib = pcap_lib("failed to set -x filter", d);
	struct pcap_filter *s = lib ? xcalloc(1, sizeof(*s)) : NULL;

	if (s) {
		s->lib = lib;
		s->src = expression;
	}
	return s;
}

void pcap_filter_free(struct pcap_filter *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->link.n; i++)
		s->lib->freecode(&s->link.v[i].prog);
	vec_free(&s->link);
	xfree(s);
}

/* A link that replay does not know either is left for it to complain of. */
static bool is_unknown(uint32_t linktype)
{
	const struct link_type *l = link_type_find(linktype);

	return !l || !l->dissect;
}

/*
 * Optimized, unless it turns out then that nothing of that link can pass: libpcap has that for an
 * error.
 */
static int compile(struct pcap_filter *s, pcap_t *p, struct bpf_program *prog)
{
	return s->lib->compile(p, prog, s->src->text, 1, PCAP_NETMASK_UNKNOWN) &&
	       s->lib->compile(p, prog, s->src->text, 0, PCAP_NETMASK_UNKNOWN);
}

static int add_link(struct pcap_filter *s, uint32_t linktype, struct diag *d)
{
	pcap_t *p = s->lib->open_dead(linktype == LINKTYPE_RAW ? DLT_RAW : (int)linktype, SNAPLEN);
	struct link l = {.linktype = linktype};
	int err = compile(s, p, &l.prog);

	if (err)
		pcap_refused(s->lib, p, s->src, d);
	else
		vec_push(&s->link, l);
	s->lib->close(p);
	return err ? -1 : 0;
}

static int find_link(struct pcap_filter *s, const struct capture_iface *ifc, struct diag *d)
{
	for (s->at = 0; s->at < s->link.n && s->link.v[s->at].linktype != ifc->linktype; s->at++)
		continue;
	if (s->at == s->link.n && add_link(s, ifc->linktype, d))
		return -1;
	s->serial = ifc->serial;
	return 0;
}

int pcap_filter_matches(struct pcap_filter *s, const struct packet *p, struct diag *d)
{
	const struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->wirelen};

	if (p->iface->serial != s->serial) {
		if (is_unknown(p->iface->linktype))
			return 1;
		if (find_link(s, p->iface, d))
			return -1;
	}
	return s->lib->offline_filter(&s->link.v[s->at].prog, &h, p->data) != 0;
}

#else /* built without the header: libpcap-dev */

struct pcap_filter *pcap_filter_new(const struct src *expression, struct diag *d)
{
	(void)expression;
	diag_error(d, D_SYS, NOLOC,
		   "failed to set -x filter: this dtrace was built without libpcap-dev");
	return NULL;
}

void pcap_filter_free(struct pcap_filter *s)
{
	(void)s;
}

int pcap_filter_matches(struct pcap_filter *s, const struct packet *p, struct diag *d)
{
	(void)s, (void)p, (void)d;
	return 1;
}
#endif
