/* packet_filter.c - compiles the expression of -x filter for a live run. */
#include "cmd/packet_filter.h"

#include <stdbool.h>
#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/capture/pcap_lib.h"

#define REFUSED "failed to set -x filter: "

#define TAKE_PROBE "use a probe of packets in that direction, such as ip:::"
#define TAKE_INTERFACE "use a predicate, such as /args[3]->if_name == \"eth0\"/ at ip:::send"
#define TAKE_FRAMES \
	"a live packet begins at its IP header; to filter whole frames, read the interface with " \
	"-r INTERFACE"

/*
 * Words of tcpdump's language that cannot be used live: a live packet does not have their data, or
 * they need a loop.
 */
static const struct {
	const char *word, *instead;
} not_live[] = {
	{"inbound", TAKE_PROBE "receive"},
	{"outbound", TAKE_PROBE "send"},
	{"ifname", TAKE_INTERFACE},
	{"ifindex", TAKE_INTERFACE},
	{"on", TAKE_INTERFACE},
	{"ether", TAKE_FRAMES},
	{"link", TAKE_FRAMES},
	{"wlan", TAKE_FRAMES},
	{"fddi", TAKE_FRAMES},
	{"tr", TAKE_FRAMES},
	{"ppp", TAKE_FRAMES},
	{"slip", TAKE_FRAMES},
	{"vlan", TAKE_FRAMES},
	{"mpls", TAKE_FRAMES},
	{"pppoed", TAKE_FRAMES},
	{"pppoes", TAKE_FRAMES},
	{"protochain",
	 "it needs a loop; test the first headers instead, for example ip6[6] = 0 and ip6[40] = 6"},
};

/*
 * Returns the length of the word at @s. A word consists of the characters that libpcap's scanner
 * accepts in a word.
 */
static size_t word_length(const char *s)
{
	return strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
}

/*
 * Returns the index of the row of not_live[] for the word of @n characters at @s, or -1 if there is
 * no such row.
 */
static int find_word(const char *s, size_t n)
{
	for (size_t i = 0; i < sizeof(not_live) / sizeof(*not_live); i++)
		if (strlen(not_live[i].word) == n && !memcmp(s, not_live[i].word, n))
			return (int)i;
	return -1;
}

/*
 * Rejects words that cannot work live. A word after a backslash is accepted, because libpcap reads
 * such a word as a name.
 */
static int check_words(const struct src *src, struct diag *d)
{
	const char *text = src->text;
	size_t n;

	for (size_t at = 0; text[at]; at += n ? n : 1) {
		int row;

		n = word_length(text + at);
		row = n && !(at && text[at - 1] == '\\') ? find_word(text + at, n) : -1;
		if (row >= 0)
			return diag_error(d, D_SYS, (struct loc){src, (uint32_t)at},
					  REFUSED "'%s' is not possible live: %s",
					  not_live[row].word, not_live[row].instead);
	}
	return 0;
}

#ifdef HAVE_PCAP

#define SNAPLEN (256 << 10)

/*
 * Maximum number of instructions to optimize. The time of libpcap's optimizer grows at least with
 * the square of the length, and is up to a few seconds for this many instructions.
 */
#define MOST_OPTIMIZED 16000
/* Maximum number of instructions of a program. Every kernel accepts programs of this length. */
#define MOST 2000

/*
 * Copies the instructions to @f, and checks whether they can be used in a live run. Returns 0, or
 * -1 with the error in @d.
 */
static int take(struct packet_filter *f, const struct bpf_program *prog, struct diag *d)
{
	struct classic_insn *insn = xcalloc(prog->bf_len + 1, sizeof(*insn));

	for (unsigned i = 0; i < prog->bf_len; i++)
		insn[i] = (struct classic_insn){prog->bf_insns[i].code, prog->bf_insns[i].jt,
						prog->bf_insns[i].jf, prog->bf_insns[i].k};
	f->program = (struct classic_program){insn, prog->bf_len};
	if (pcap_check_length(prog->bf_len, "instructions", MOST, " live", d))
		return -1;
	switch (classic_check(&f->program)) {
	case CLASSIC_GOOD:
		return 0;
	case CLASSIC_LOOP:
		return diag_error(d, D_SYS, NOLOC, REFUSED "the expression needs a loop");
	case CLASSIC_EXTENSION:
		return diag_error(d, D_SYS, NOLOC,
				  REFUSED "the expression asks for data that is not in the "
					  "packet");
	case CLASSIC_BAD:
		break;
	}
	return diag_error(d, D_SYS, NOLOC,
			  REFUSED "libpcap compiled the expression to instructions that dtrace "
				  "does not know");
}

/*
 * Compiles the expression with libpcap's optimizer. If the optimizer fails, uses the program that
 * is not optimized: the optimizer reports an error for an expression that no packet can match, but
 * such an expression is allowed here.
 */
static int compile(struct packet_filter *f, const struct pcap_lib *lib, pcap_t *p, struct diag *d)
{
	struct bpf_program plain, better;
	int err;

	if (lib->compile(p, &plain, f->src.text, 0, PCAP_NETMASK_UNKNOWN)) {
		pcap_refused(lib, p, &f->src, d);
		return -1;
	}
	err = pcap_check_length(plain.bf_len, "instructions", MOST_OPTIMIZED, " live", d);
	if (!err && lib->compile(p, &better, f->src.text, 1, PCAP_NETMASK_UNKNOWN)) {
		err = take(f, &plain, d);
	} else if (!err) {
		err = take(f, &better, d);
		lib->freecode(&better);
	}
	lib->freecode(&plain);
	return err;
}

int packet_filter_compile(struct packet_filter *f, const char *expression, struct diag *d)
{
	const struct pcap_lib *lib;
	pcap_t *p;
	int err;

	f->src = (struct src){.kind = SRC_CMDLINE,
			      .name = "",
			      .text = expression,
			      .len = strlen(expression)};
	if (pcap_check_length(f->src.len, "characters", PCAP_TEXT_MAX, " live", d) ||
	    check_words(&f->src, d))
		return -1;
	lib = pcap_lib("failed to set -x filter", d);
	if (!lib)
		return -1;
	p = lib->open_dead(DLT_RAW, SNAPLEN);
	err = compile(f, lib, p, d);
	lib->close(p);
	return err;
}

#else /* built without the header of libpcap-dev */

int packet_filter_compile(struct packet_filter *f, const char *expression, struct diag *d)
{
	f->src = (struct src){.kind = SRC_CMDLINE,
			      .name = "",
			      .text = expression,
			      .len = strlen(expression)};
	if (check_words(&f->src, d))
		return -1;
	diag_error(d, D_SYS, NOLOC, REFUSED "this dtrace was built without libpcap-dev");
	return -1;
}
#endif

void packet_filter_release(struct packet_filter *f)
{
	xfree((struct classic_insn *)f->program.insn);
	f->program = (struct classic_program){0};
}
