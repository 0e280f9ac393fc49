/*
 * sieve.c - -x filter: which packets of a capture are looked at, as tcpdump says it.
 */
#include "replay/sieve.h"

#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "replay/capture.h"
#include "replay/dissect.h"
#include "replay/pcap_lib.h"

#ifdef HAVE_PCAP
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"

#define SNAPLEN (256 << 10)
#define LINKTYPE_RAW 101 /* of files; libpcap's own number of it is another */

struct sieve {
	const struct pcap_lib *lib;
	const struct src *src;
	VEC(struct link {
		uint32_t linktype;
		struct bpf_program prog; /* owned */
	}) link;
	uint32_t serial; /* the interface of the packet before ... */
	size_t at;       /* ... and its link */
};

struct sieve *sieve_new(const struct src *expression, struct diag *d)
{
	const struct pcap_lib *lib = pcap_lib("failed to set -x filter", d);
	struct sieve *s = lib ? xcalloc(1, sizeof(*s)) : NULL;

	if (s) {
		s->lib = lib;
		s->src = expression;
	}
	return s;
}

void sieve_free(struct sieve *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->link.n; i++)
		s->lib->freecode(&s->link.v[i].prog);
	vec_free(&s->link);
	xfree(s);
}

/* ------------------------------------------------------------- what is wrong */

static bool compiles(const struct pcap_lib *lib, pcap_t *p, const char *text)
{
	struct bpf_program prog;
	bool good = !lib->compile(p, &prog, text, 0, PCAP_NETMASK_UNKNOWN);

	if (good)
		lib->freecode(&prog);
	return good;
}

/* How many of the parentheses in @text are not closed. */
static unsigned open_ones(const char *text, size_t n)
{
	unsigned open = 0;

	for (size_t i = 0; i < n; i++)
		open += text[i] == '(' ? 1 : text[i] == ')' && open ? -1u : 0;
	return open;
}

/* Could the first @n bytes of @text be the beginning of an expression? */
static bool begins_one(const struct pcap_lib *lib, pcap_t *p, const char *text, size_t n)
{
	static const char *const rests[] = {"", " 1", " ip", " 10.0.0.1", " port 1", " = 1", " 1 = 1", "] = 1", " 1] = 1"};
	struct strbuf b = {0};
	bool good = false;

	for (size_t i = 0; !good && i < sizeof(rests) / sizeof(*rests); i++) {
		strbuf_reset(&b);
		strbuf_add(&b, text, n);
		strbuf_adds(&b, rests[i]);
		for (unsigned k = open_ones(text, n); k; k--)
			strbuf_addc(&b, ')');
		good = compiles(lib, p, b.s);
	}
	strbuf_release(&b);
	return good;
}

static const char blanks[] = " \t\n";

/* The end of the word or sign at @p. */
static size_t word_end(const char *text, size_t p)
{
	size_t sign = strspn(text + p, "!&|=<>");

	if (sign)
		return p + sign;
	return strchr("()[]+-*/", text[p]) ? p + 1 : p + strcspn(text + p, " \t\n()[]!&|=<>+*/");
}

/* libpcap does not say where it found the error: at the first word that nothing can follow. */
static uint32_t error_at(const struct pcap_lib *lib, pcap_t *p, const char *text)
{
	size_t at = strspn(text, blanks), end;

	for (; text[at]; at = end + strspn(text + end, blanks)) {
		end = word_end(text, at);
		if (!begins_one(lib, p, text, end))
			break;
	}
	return (uint32_t)at;
}

/* ------------------------------------------------------------------ programs */

/* A link that replay does not know either is left for it to complain of. */
static bool is_unknown(uint32_t linktype)
{
	const struct link_type *l = link_type_find(linktype);

	return !l || !l->dissect;
}

/* Optimized, unless it turns out then that nothing of that link can pass: libpcap has that for an error. */
static int compile(struct sieve *s, pcap_t *p, struct bpf_program *prog)
{
	return s->lib->compile(p, prog, s->src->text, 1, PCAP_NETMASK_UNKNOWN) &&
	       s->lib->compile(p, prog, s->src->text, 0, PCAP_NETMASK_UNKNOWN);
}

static int add_link(struct sieve *s, uint32_t linktype, struct diag *d)
{
	pcap_t *p = s->lib->open_dead(linktype == LINKTYPE_RAW ? DLT_RAW : (int)linktype, SNAPLEN);
	struct link l = {.linktype = linktype};
	int err = compile(s, p, &l.prog);
	char *msg;

	if (err) {
		msg = xstrdup(s->lib->geterr(p));
		diag_error(d, D_SYS, (struct loc){s->src, error_at(s->lib, p, s->src->text)},
			   "failed to set -x filter: %s", msg);
		xfree(msg);
	} else {
		vec_push(&s->link, l);
	}
	s->lib->close(p);
	return err ? -1 : 0;
}

static int find_link(struct sieve *s, const struct capture_iface *ifc, struct diag *d)
{
	for (s->at = 0; s->at < s->link.n && s->link.v[s->at].linktype != ifc->linktype; s->at++)
		continue;
	if (s->at == s->link.n && add_link(s, ifc->linktype, d))
		return -1;
	s->serial = ifc->serial;
	return 0;
}

int sieve_passes(struct sieve *s, const struct packet *p, struct diag *d)
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

struct sieve *sieve_new(const struct src *expression, struct diag *d)
{
	(void)expression;
	diag_error(d, D_SYS, NOLOC, "failed to set -x filter: this dtrace was built without libpcap-dev");
	return NULL;
}

void sieve_free(struct sieve *s)
{
	(void)s;
}

int sieve_passes(struct sieve *s, const struct packet *p, struct diag *d)
{
	(void)s, (void)p, (void)d;
	return 1;
}
#endif
