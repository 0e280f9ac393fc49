/*
 * pcap_filter.c - compiles the expression of -x filter for each link type, and matches packets.
 *
 * Names in an expression (port http, proto ospf, host gw) are looked up in files and in the DNS. A
 * replay that has given up its rights can read neither. So pcap_filter_new() compiles the
 * expression for all link types before rights are given up.
 */
#include "engine/replay/capture/pcap_filter.h"

#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "engine/replay/capture/capture.h"
#include "engine/replay/capture/pcap_lib.h"
#include "engine/replay/dissect.h"

#ifdef HAVE_PCAP
#include "base/vec.h"
#include "base/xalloc.h"

#define SNAPLEN (256 << 10)
/* number of the link type raw IP in files; libpcap uses another number for it */
#define LINKTYPE_RAW 101

/*
 * A program of up to this many instructions is optimized for all link types. The time of libpcap's
 * optimizer grows with the square of the length or faster: 600 hosts, 18,000 instructions, take 10
 * seconds. So a longer program is optimized only for the link types that the capture has.
 */
#define SHORT 500

/* The expression, compiled for packets of one link type. */
struct link {
	uint32_t linktype;
	struct bpf_program prog; /* compiled expression, owned */
	bool tried;              /* libpcap was asked for an optimized @prog */
	/* error if the expression did not compile; nerr is 0 if there is a @prog */
	struct diag error;
};

struct pcap_filter {
	const struct pcap_lib *lib;
	const struct src *src;
	VEC(struct link) link; /* one for each link type that replay can dissect */
	bool is_short;         /* the first link type's program has at most SHORT instructions */
	/* serial of the interface of the previous packet; 0 before the first packet */
	uint32_t serial;
	/* index in @link of the link type of this interface; link.n if @link does not have it */
	size_t at;
};

static int compile(struct pcap_filter *s, pcap_t *p, struct bpf_program *prog, bool optimized)
{
	return s->lib->compile(p, prog, s->src->text, optimized, PCAP_NETMASK_UNKNOWN);
}

static pcap_t *open_link(struct pcap_filter *s, uint32_t linktype)
{
	return s->lib->open_dead(linktype == LINKTYPE_RAW ? DLT_RAW : (int)linktype, SNAPLEN);
}

/*
 * Replaces the program by an optimized one. Keeps the old program if libpcap cannot make another
 * one: its optimizer reports an error if no packet can match the expression, and a confined process
 * cannot look up names.
 */
static void optimize(struct pcap_filter *s, struct link *l, pcap_t *p)
{
	struct bpf_program better;

	l->tried = true;
	if (compile(s, p, &better, true))
		return;
	s->lib->freecode(&l->prog);
	l->prog = better;
}

static void optimize_late(struct pcap_filter *s, struct link *l)
{
	pcap_t *p = open_link(s, l->linktype);

	optimize(s, l, p);
	s->lib->close(p);
}

/*
 * Records in @l why @p refused the expression. Finding the place of an error in the text takes many
 * attempts to compile. So if another link type has the same error already, this function copies
 * that error with its place.
 */
static void record_error(struct pcap_filter *s, pcap_t *p, struct link *l)
{
	for (size_t i = 0; i < s->link.n; i++)
		if (s->link.v[i].error.nerr && pcap_same_error(s->lib, p, &s->link.v[i].error)) {
			diag_copy(&l->error, &s->link.v[i].error);
			return;
		}
	pcap_refused(s->lib, p, s->src, &l->error);
}

static void add_link(struct pcap_filter *s, uint32_t linktype)
{
	struct link l = {.linktype = linktype};
	pcap_t *p;

	/*
	 * An unknown name is not looked up again for each link type, because a lookup may take
	 * seconds.
	 */
	if (s->link.n && pcap_is_unknown_name(&s->link.v[0].error)) {
		diag_copy(&l.error, &s->link.v[0].error);
	} else {
		p = open_link(s, linktype);
		l.tried = s->is_short;
		if (compile(s, p, &l.prog, l.tried) && (!l.tried || compile(s, p, &l.prog, false)))
			record_error(s, p, &l);
		else if (!s->link.n && l.prog.bf_len <= SHORT) {
			s->is_short = true;
			optimize(s, &l, p);
		}
		s->lib->close(p);
	}
	vec_push(&s->link, l);
}

struct pcap_filter *pcap_filter_new(const struct src *expression, struct diag *d)
{
	const struct pcap_lib *lib = pcap_lib("failed to set -x filter", d);
	const struct link_type *types;
	struct pcap_filter *s;
	size_t n;

	if (!lib || pcap_check_length(expression->len, "characters", PCAP_TEXT_MAX, "", d))
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->lib = lib;
	s->src = expression;
	types = link_types_all(&n);
	for (size_t i = 0; i < n; i++) {
		if (!types[i].dissect)
			continue;
		add_link(s, types[i].number);
		/*
		 * The limit is for the program of the first link type: programs for 802.11 are
		 * twice as long.
		 */
		if (pcap_check_length(s->link.v[0].prog.bf_len, "instructions", PCAP_INSNS_MAX, "",
				      d)) {
			pcap_filter_free(s);
			return NULL;
		}
	}
	return s;
}

void pcap_filter_free(struct pcap_filter *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->link.n; i++) {
		if (!s->link.v[i].error.nerr)
			s->lib->freecode(&s->link.v[i].prog);
		diag_release(&s->link.v[i].error);
	}
	vec_free(&s->link);
	xfree(s);
}

int pcap_filter_matches(struct pcap_filter *s, const struct packet *p, struct diag *d)
{
	const struct pcap_pkthdr h = {.caplen = p->caplen, .len = p->wirelen};
	struct link *l;

	if (p->iface->serial != s->serial) {
		for (s->at = 0; s->at < s->link.n; s->at++)
			if (s->link.v[s->at].linktype == p->iface->linktype)
				break;
		s->serial = p->iface->serial;
	}
	if (s->at == s->link.n)
		return 1; /* replay reports that it does not know the link type */
	l = &s->link.v[s->at];
	if (l->error.nerr)
		return diag_copy(d, &l->error);
	if (!l->tried)
		optimize_late(s, l);
	return s->lib->offline_filter(&l->prog, &h, p->data) != 0;
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
