/*
 * pcapcount.c - counts the packets of a capture file by source address, with libpcap and a hash
 * table: the fast program that an expert would write by hand. The benchmark compares dtrace with
 * it.
 *
 * usage: pcapcount [-b] FILE
 *
 * Does the same work as ip:::receive { @[args[2]->ip_saddr] = count(); }: Ethernet with any number
 * of VLAN tags, IPv4 and IPv6, without headers that IP would drop. Prints addresses as text, in
 * order of their counts, smallest first. -b gives stdio a large buffer, as few programs with
 * libpcap do.
 */
#include <arpa/inet.h>
#include <err.h>
#include <pcap/pcap.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * An address and its count. An IPv4 address is in the first word of addr, and the second word is 0.
 */
struct slot {
	uint64_t addr[2];
	uint32_t family; /* IP version, 4 or 6; 0 if the slot is free */
	uint64_t count;
};

struct table {
	struct slot *slots;
	size_t size, used; /* number of slots, a power of two; number of slots in use */
};

static void *zalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		errx(1, "out of memory");
	return p;
}

static inline uint64_t hash(const uint64_t addr[2])
{
	uint64_t h = (addr[0] ^ addr[1] * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;

	return h ^ h >> 32;
}

/* Returns the slot of an address, or the free slot for it. */
static inline struct slot *find(const struct table *t, uint32_t family, const uint64_t addr[2])
{
	size_t i = hash(addr) & (t->size - 1);

	for (;; i = (i + 1) & (t->size - 1)) {
		struct slot *s = &t->slots[i];

		if (s->addr[0] == addr[0] && s->addr[1] == addr[1] && s->family == family)
			return s;
		if (!s->family)
			return s;
	}
}

static void grow(struct table *t)
{
	struct table bigger = {zalloc(t->size * 2, sizeof(struct slot)), t->size * 2, t->used};

	for (size_t i = 0; i < t->size; i++)
		if (t->slots[i].family)
			*find(&bigger, t->slots[i].family, t->slots[i].addr) = t->slots[i];
	free(t->slots);
	*t = bigger;
}

static inline void bump(struct table *t, uint32_t family, const uint64_t addr[2])
{
	struct slot *s = find(t, family, addr);

	if (s->family) {
		s->count++;
		return;
	}
	*s = (struct slot){{addr[0], addr[1]}, family, 1};
	if (++t->used * 2 > t->size)
		grow(t);
}

static inline unsigned get16(const uint8_t *p)
{
	return p[0] << 8 | p[1];
}

static inline void count4(struct table *t, const uint8_t *ip, size_t len)
{
	uint64_t addr[2] = {0, 0};
	unsigned header, total;

	if (len < 20 || ip[0] >> 4 != 4)
		return;
	header = (ip[0] & 15) * 4;
	total = get16(ip + 2);
	if (header < 20 || len < header || (total && total < header))
		return;
	memcpy(addr, ip + 12, 4);
	bump(t, 4, addr);
}

static inline void count6(struct table *t, const uint8_t *ip, size_t len)
{
	uint64_t addr[2];

	if (len < 40 || ip[0] >> 4 != 6)
		return;
	memcpy(addr, ip + 8, 16);
	bump(t, 6, addr);
}

static inline void count(struct table *t, const uint8_t *p, size_t len)
{
	size_t at = 12;
	unsigned type;

	do {
		if (len < at + 2)
			return;
		type = get16(p + at);
		at += 2;
		if (type == 0x8100 || type == 0x88a8)
			at += 2;
		else
			break;
	} while (true);
	if (type == 0x0800)
		count4(t, p + at, len - at);
	else if (type == 0x86dd)
		count6(t, p + at, len - at);
}

static int by_count(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->count < y->count ? -1 : x->count > y->count;
}

static void print(struct table *t)
{
	char text[INET6_ADDRSTRLEN];
	size_t n = 0;

	for (size_t i = 0; i < t->size; i++)
		if (t->slots[i].family)
			t->slots[n++] = t->slots[i];
	qsort(t->slots, n, sizeof(*t->slots), by_count);
	for (size_t i = 0; i < n; i++)
		printf("%s %lu\n",
		       inet_ntop(t->slots[i].family == 4 ? AF_INET : AF_INET6, t->slots[i].addr,
				 text, sizeof(text)),
		       (unsigned long)t->slots[i].count);
}

static pcap_t *open_capture(const char *name, bool big_buffer)
{
	char error[PCAP_ERRBUF_SIZE];
	FILE *f;
	pcap_t *p;

	if (!big_buffer) {
		p = pcap_open_offline(name, error);
	} else {
		f = fopen(name, "r");
		if (!f)
			err(1, "%s", name);
		setvbuf(f, NULL, _IOFBF, 1 << 18);
		p = pcap_fopen_offline(f, error);
	}
	if (!p)
		errx(1, "%s", error);
	if (pcap_datalink(p) != DLT_EN10MB)
		errx(1, "%s: not an Ethernet capture", name);
	return p;
}

int main(int argc, char **argv)
{
	struct table t = {zalloc(1 << 16, sizeof(struct slot)), 1 << 16, 0};
	bool big_buffer = argc == 3 && !strcmp(argv[1], "-b");
	struct pcap_pkthdr *h;
	const uint8_t *data;
	pcap_t *p;
	int got;

	if (argc != 2 + big_buffer)
		errx(2, "usage: pcapcount [-b] FILE");
	p = open_capture(argv[argc - 1], big_buffer);
	while ((got = pcap_next_ex(p, &h, &data)) == 1)
		count(&t, data, h->caplen);
	if (got == PCAP_ERROR)
		errx(1, "%s", pcap_geterr(p));
	print(&t);
	pcap_close(p);
	return 0;
}
