/*
 * genpcap.c - writes a capture file of made-up but plausible traffic.
 *
 * usage: genpcap [-n packets] [-s sources] [-6 percent] [-z exponent] [-l snaplen] FILE
 *
 * The sources follow Zipf's law: with the default exponent, the busiest of 10,000 sources sends
 * some 10 % of all packets. Each source has one TCP or UDP flow to one of a few servers. Packet
 * sizes follow the simple Internet mix, with random variation. By default one packet in ten is
 * IPv6. The same arguments give the same bytes, and a run with fewer packets gives a prefix of a
 * longer run.
 */
#include <arpa/inet.h>
#include <err.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ETHER 14
#define MAX_IP 1500
#define SERVERS 64
#define START 1700000000u

struct population {
	unsigned n;
	double *upto;  /* upto[i]: share of packets of sources 0 to i together */
	uint32_t *seq; /* next sequence number of each source's flow */
};

struct traffic {
	uint64_t seed;
	unsigned percent6, snaplen;
	struct population v4, v6;
	uint64_t now; /* time of the current packet, in us since START */
};

static uint64_t rnd(struct traffic *t)
{
	t->seed ^= t->seed >> 12;
	t->seed ^= t->seed << 25;
	t->seed ^= t->seed >> 27;
	return t->seed * 0x2545f4914f6cdd1dull;
}

static unsigned below(struct traffic *t, unsigned n)
{
	return (rnd(t) >> 32) * n >> 32;
}

static struct population population(unsigned n, double exponent)
{
	struct population p = {n ? n : 1, NULL, NULL};
	double sum = 0;

	p.upto = calloc(p.n, sizeof(*p.upto));
	p.seq = calloc(p.n, sizeof(*p.seq));
	if (!p.upto || !p.seq)
		errx(1, "out of memory");
	for (unsigned i = 0; i < p.n; i++)
		p.upto[i] = sum += pow(i + 1, -exponent);
	for (unsigned i = 0; i < p.n; i++)
		p.upto[i] /= sum;
	return p;
}

static unsigned pick(struct traffic *t, const struct population *p)
{
	double u = (double)(rnd(t) >> 11) / (double)(1ull << 53);
	unsigned lo = 0, hi = p->n - 1;

	while (lo < hi) {
		unsigned mid = (lo + hi) / 2;

		if (p->upto[mid] < u)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Returns a random length of an IP packet: of twelve packets, on average seven are small, four are
 * medium, and one has almost full size.
 */
static unsigned ip_length(struct traffic *t)
{
	unsigned kind = below(t, 12);

	if (kind < 7)
		return 60 + below(t, 20);
	if (kind < 11)
		return 200 + below(t, 800);
	return MAX_IP - below(t, 100);
}

static void put16(uint8_t *p, unsigned v)
{
	p[0] = v >> 8;
	p[1] = v;
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

static unsigned checksum(const uint8_t *p, unsigned len)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < len; i += 2)
		sum += p[i] << 8 | p[i + 1];
	sum = (sum & 0xffff) + (sum >> 16);
	return ~(sum + (sum >> 16)) & 0xffff;
}

/* Returns whether source @src sends UDP, as every fifth source does. */
static bool is_udp(unsigned src)
{
	return src % 5 == 4;
}

static void transport(uint8_t *p, unsigned src, unsigned len, uint32_t *seq)
{
	put16(p, 1024 + src * 7919u % 60000);
	put16(p + 2, is_udp(src) ? 53 : 443);
	if (is_udp(src)) {
		put16(p + 4, len);
		return;
	}
	put32(p + 4, *seq);
	put32(p + 8, 1);
	p[12] = 5 << 4;
	p[13] = 0x10;
	put16(p + 14, 65535);
	*seq += len - 20;
}

/*
 * Returns the IPv4 address of source @src. The addresses are spread over the address space, and all
 * differ, because the multiplier is odd.
 */
static uint32_t source4(unsigned src)
{
	return (11 + src % 100) << 24 | (src * 0x9e3779b1u & 0xffffff);
}

static void packet4(uint8_t *p, unsigned src, unsigned len, uint32_t *seq)
{
	p[0] = 0x45;
	put16(p + 2, len);
	p[6] = 0x40;
	p[8] = 57;
	p[9] = is_udp(src) ? 17 : 6;
	put32(p + 12, source4(src));
	put32(p + 16, 0xc6336401 + src % SERVERS);
	put16(p + 10, checksum(p, 20));
	transport(p + 20, src, len - 20, seq);
}

static void packet6(uint8_t *p, unsigned src, unsigned len, uint32_t *seq)
{
	p[0] = 0x60;
	put16(p + 4, len - 40);
	p[6] = is_udp(src) ? 17 : 6;
	p[7] = 57;
	put32(p + 8, 0x20010db8);
	put32(p + 16, src * 0x9e3779b1u);
	put32(p + 20, src + 1);
	put32(p + 24, 0x20010db8);
	put32(p + 36, 0xffff0001 + src % SERVERS);
	transport(p + 40, src, len - 40, seq);
}

static void file_header(FILE *f, unsigned snaplen)
{
	const struct {
		uint32_t magic;
		uint16_t major, minor;
		uint32_t zone, sigfigs, snaplen, linktype;
	} h = {0xa1b2c3d4, 2, 4, 0, 0, snaplen, 1};

	fwrite(&h, sizeof(h), 1, f);
}

static void write_packet(struct traffic *t, FILE *f)
{
	uint8_t frame[ETHER + MAX_IP] = {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2};
	bool v6 = below(t, 100) < t->percent6;
	struct population *p = v6 ? &t->v6 : &t->v4;
	unsigned src = pick(t, p), len = ip_length(t), wire = ETHER + len;
	uint32_t record[4];

	put16(frame + 12, v6 ? 0x86dd : 0x0800);
	(v6 ? packet6 : packet4)(frame + ETHER, src, len, &p->seq[src]);
	t->now += below(t, 20);
	record[0] = START + t->now / 1000000;
	record[1] = t->now % 1000000;
	record[2] = wire < t->snaplen ? wire : t->snaplen;
	record[3] = wire;
	fwrite(record, sizeof(record), 1, f);
	fwrite(frame, record[2], 1, f);
}

static void usage(void)
{
	errx(2, "usage: genpcap [-n packets] [-s sources] [-6 percent] [-z exponent] "
		"[-l snaplen] FILE");
}

int main(int argc, char **argv)
{
	struct traffic t = {.seed = 0x9e3779b97f4a7c15, .percent6 = 10, .snaplen = 65535};
	unsigned long n = 4000000;
	unsigned sources = 10000;
	double exponent = 1.0;
	FILE *f;
	int opt;

	while ((opt = getopt(argc, argv, "n:s:6:z:l:")) != -1) {
		switch (opt) {
		case 'n':
			n = strtoul(optarg, NULL, 0);
			break;
		case 's':
			sources = strtoul(optarg, NULL, 0);
			break;
		case '6':
			t.percent6 = strtoul(optarg, NULL, 0);
			break;
		case 'z':
			exponent = strtod(optarg, NULL);
			break;
		case 'l':
			t.snaplen = strtoul(optarg, NULL, 0);
			break;
		default:
			usage();
		}
	}
	if (optind != argc - 1)
		usage();
	t.v6 = population(sources * t.percent6 / 100, exponent);
	t.v4 = population(sources - sources * t.percent6 / 100, exponent);

	f = strcmp(argv[optind], "-") ? fopen(argv[optind], "w") : stdout;
	if (!f)
		err(1, "%s", argv[optind]);
	setvbuf(f, NULL, _IOFBF, 1 << 20);
	file_header(f, t.snaplen);
	while (n--)
		write_packet(&t, f);
	if (fflush(f) || ferror(f))
		err(1, "%s", argv[optind]);
	return 0;
}
