/*
 * test_capture.c - checks the reader of pcap and pcapng with files that the test makes byte by
 * byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "engine/replay/capture/capture.h"
#include "tests/check.h"

/* ------------------------------------------------------------ making files */

struct maker {
	struct strbuf b;
	bool swap;
};

static void put16(struct maker *m, uint16_t v)
{
	if (m->swap)
		v = __builtin_bswap16(v);
	strbuf_add(&m->b, &v, sizeof(v));
}

static void put32(struct maker *m, uint32_t v)
{
	if (m->swap)
		v = __builtin_bswap32(v);
	strbuf_add(&m->b, &v, sizeof(v));
}

static void put64(struct maker *m, uint64_t v)
{
	if (m->swap)
		v = __builtin_bswap64(v);
	strbuf_add(&m->b, &v, sizeof(v));
}

static void put_zeros(struct maker *m, size_t n)
{
	while (n--)
		strbuf_addc(&m->b, 0);
}

static void pcap_header(struct maker *m, uint32_t magic, uint32_t snaplen, uint32_t linktype)
{
	put32(m, magic);
	put16(m, 2);
	put16(m, 4);
	put32(m, 0);
	put32(m, 0);
	put32(m, snaplen);
	put32(m, linktype);
}

static void pcap_record(struct maker *m, uint32_t sec, uint32_t frac, const char *data,
			uint32_t wirelen)
{
	put32(m, sec);
	put32(m, frac);
	put32(m, (uint32_t)strlen(data));
	put32(m, wirelen);
	strbuf_adds(&m->b, data);
}

static void block(struct maker *m, uint32_t type, const struct maker *body)
{
	uint32_t len = (uint32_t)body->b.len + 12;

	put32(m, type);
	put32(m, len);
	strbuf_add(&m->b, body->b.s, body->b.len);
	put32(m, len);
}

static void pad(struct maker *m)
{
	put_zeros(m, -m->b.len & 3);
}

static void option(struct maker *m, uint16_t code, const void *v, uint16_t len)
{
	put16(m, code);
	put16(m, len);
	strbuf_add(&m->b, v, len);
	pad(m);
}

static void shb(struct maker *m)
{
	struct maker b = {.swap = m->swap};

	put32(&b, 0x1a2b3c4d);
	put16(&b, 1);
	put16(&b, 0);
	put64(&b, UINT64_MAX);
	block(m, 0x0a0d0d0a, &b);
	strbuf_release(&b.b);
}

/* Writes an interface description block. If @res < 0, the block has no option if_tsresol. */
static void idb(struct maker *m, uint16_t linktype, const char *name, int res, int64_t off)
{
	struct maker b = {.swap = m->swap};
	uint8_t r = (uint8_t)res;
	uint64_t o = m->swap ? __builtin_bswap64((uint64_t)off) : (uint64_t)off;

	put16(&b, linktype);
	put16(&b, 0);
	put32(&b, 0);
	if (name)
		option(&b, 2, name, (uint16_t)strlen(name));
	if (res >= 0)
		option(&b, 9, &r, 1);
	if (off)
		option(&b, 14, &o, 8);
	option(&b, 0, "", 0);
	block(m, 1, &b);
	strbuf_release(&b.b);
}

static void epb(struct maker *m, uint32_t iface, uint64_t ts, const char *data, uint32_t wirelen,
		int flags)
{
	struct maker b = {.swap = m->swap};
	uint32_t f = m->swap ? __builtin_bswap32((uint32_t)flags) : (uint32_t)flags;

	put32(&b, iface);
	put32(&b, (uint32_t)(ts >> 32));
	put32(&b, (uint32_t)ts);
	put32(&b, (uint32_t)strlen(data));
	put32(&b, wirelen);
	strbuf_adds(&b.b, data);
	pad(&b);
	if (flags) {
		option(&b, 1, "a comment", 9);
		option(&b, 2, &f, 4);
		option(&b, 0, "", 0);
	}
	block(m, 6, &b);
	strbuf_release(&b.b);
}

/* Opens the file in @m under the name "test", and empties @m. */
static struct capture *open_made(struct maker *m, struct diag *d)
{
	int fd = memfd_create("capture", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, m->b.s, m->b.len), m->b.len);
	lseek(fd, 0, SEEK_SET);
	strbuf_release(&m->b);
	return capture_fdopen(fd, "test", d);
}

/* Peeks at the packet of record *@at, and moves *@at to the next record. */
static bool peek_after(const struct capture *c, const unsigned char **at, struct peeked_packet *p)
{
	bool found = capture_peek(c, *at, p);

	*at = found ? capture_after(p) : *at;
	return found;
}

static void expect_packet(struct capture *c, const char *data, uint32_t wirelen, uint64_t ts)
{
	struct peeked_packet ahead;
	struct packet p;
	struct diag d = {0};
	bool seen = capture_peek(c, NULL, &ahead);
	uint32_t moved = capture_generation(c);

	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	if (seen) {
		assert_int_equal(moved, capture_generation(c));
		assert_ptr_equal(ahead.data, p.data);
		assert_int_equal(ahead.caplen, p.caplen);
		assert_int_equal(ahead.wirelen, p.wirelen);
		assert_ptr_equal(ahead.iface, p.iface);
		if (ahead.whole)
			assert_int_equal(ahead.ts_ns, p.ts_ns);
	}
	assert_int_equal(p.caplen, strlen(data));
	assert_memory_equal(p.data, data, p.caplen);
	assert_int_equal(p.wirelen, wirelen);
	assert_int_equal(p.ts_ns, ts);
}

static void expect_end(struct capture *c)
{
	struct diag d = {0};
	struct packet p;

	assert_int_equal(capture_next(c, &p, &d), CAPTURE_END);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_END);
	assert_int_equal(d.nerr, 0);
	capture_close(c);
}

static void expect_bad(struct capture *c, const char *msg)
{
	struct diag d = {0};
	struct packet p;

	assert_int_equal(capture_next(c, &p, &d), CAPTURE_BAD);
	assert_int_equal(d.tag, D_SYS);
	assert_string_equal(d.msg, msg);
	diag_release(&d);
	capture_close(c);
}

static void expect_foreign(struct maker *m, const char *msg)
{
	struct diag d = {0};

	assert_null(open_made(m, &d));
	assert_string_equal(d.msg, msg);
	diag_release(&d);
}

/* ------------------------------------------------------------- classic pcap */

static void pcap_of(uint32_t magic, bool swap, uint32_t frac_ns)
{
	struct maker m = {.swap = swap};
	struct diag d = {0};
	struct capture *c;
	struct packet p;

	pcap_header(&m, magic, 65535, 1 | 4u << 28);
	pcap_record(&m, 1000000000, 5, "first", 60);
	pcap_record(&m, 4000000000, 999, "", 0);
	pcap_record(&m, 3, 0, "third", 2);
	c = open_made(&m, &d);
	assert_non_null(c);
	assert_true(capture_size(c) > 0);
	expect_packet(c, "first", 60, 1000000000000000000ull + 5 * frac_ns);
	expect_packet(c, "", 0, 4000000000000000000ull + 999 * frac_ns);
	assert_int_equal(capture_count(c), 2);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_int_equal(p.wirelen, 5);
	assert_int_equal(p.iface->linktype, 1);
	assert_int_equal(p.iface->index, 0);
	assert_null(p.iface->name);
	assert_int_equal(p.dir, CAPTURE_DIR_UNKNOWN);
	assert_int_equal(capture_pos(c), capture_size(c));
	expect_end(c);
}

static void test_pcap(void **state)
{
	(void)state;
	pcap_of(0xa1b2c3d4, false, 1000);
	pcap_of(0xa1b2c3d4, true, 1000);
	pcap_of(0xa1b23c4d, false, 1);
	pcap_of(0xa1b23c4d, true, 1);
}

static void test_pcap_modified(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	struct capture *c;
	struct packet p;
	int type;

	(void)state;
	pcap_header(&m, 0xa1b2cd34, 65535, 113);
	for (type = 0; type <= 4; type += 4) {
		put32(&m, 7);
		put32(&m, 8);
		put32(&m, 2);
		put32(&m, 2);
		put32(&m, 1);
		put16(&m, 0x0800);
		strbuf_addc(&m.b, (char)type);
		strbuf_addc(&m.b, 0);
		strbuf_adds(&m.b, "ab");
	}
	c = open_made(&m, &d);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_int_equal(p.dir, CAPTURE_DIR_IN);
	assert_int_equal(p.ts_ns, 7000008000);
	assert_memory_equal(p.data, "ab", 2);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_int_equal(p.dir, CAPTURE_DIR_OUT);
	expect_end(c);
}

static void test_pcap_no_packets(void **state)
{
	struct maker m = {0};
	struct diag d = {0};

	(void)state;
	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	expect_end(open_made(&m, &d));
}

static void test_pcap_damage(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	struct capture *c;

	(void)state;
	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	pcap_record(&m, 1, 0, "fine", 4);
	put32(&m, 2);
	put32(&m, 0);
	put32(&m, UINT32_MAX);
	put32(&m, 60);
	c = open_made(&m, &d);
	expect_packet(c, "fine", 4, 1000000000);
	expect_bad(c, "test: damaged after packet 1: record length 4294967295 is not possible");
}

/*
 * Cuts the file at every byte after its header. The reader must return fewer than @npacket packets,
 * and then the end of the file or one error.
 */
static void cut_everywhere(const struct maker *whole, size_t header, unsigned npacket)
{
	size_t n;

	for (n = header; n < whole->b.len; n++) {
		struct maker m = {0};
		struct diag d = {0};
		struct capture *c;
		struct packet p;
		enum capture_result r;

		strbuf_add(&m.b, whole->b.s, n);
		c = open_made(&m, &d);
		assert_non_null(c);
		while ((r = capture_next(c, &p, &d)) == CAPTURE_PACKET)
			;
		assert_true(capture_count(c) < npacket);
		assert_true(r == CAPTURE_END || d.nerr == 1);
		if (r == CAPTURE_BAD)
			assert_non_null(strstr(d.msg, "the file ends in the middle of a record"));
		else
			assert_int_equal(capture_pos(c), n);
		diag_release(&d);
		capture_close(c);
	}
}

static void test_cut(void **state)
{
	struct maker m = {0};

	(void)state;
	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	pcap_record(&m, 1, 0, "one", 3);
	pcap_record(&m, 2, 0, "two", 3);
	cut_everywhere(&m, 24, 2);
	strbuf_release(&m.b);

	shb(&m);
	idb(&m, 1, "eth0", 9, 0);
	epb(&m, 0, 1, "one", 3, 1);
	epb(&m, 0, 2, "two", 3, 0);
	cut_everywhere(&m, 12, 2);
	strbuf_release(&m.b);
}

#define PLACES 4000

/*
 * Stores in @at the memory addresses of the packets of @fd, starting at the first packet at
 * or after file offset @from. Returns the number of packets.
 */
static unsigned places(int fd, uint64_t from, const unsigned char **at)
{
	struct diag d = {0};
	struct capture *c;
	struct packet p;
	unsigned n = 0;

	lseek(fd, 0, SEEK_SET);
	c = capture_fdopen(dup(fd), "test", &d);
	assert_non_null(c);
	if (from)
		assert_true(capture_seek(c, from, &d));
	while (capture_next(c, &p, &d) == CAPTURE_PACKET)
		at[n++] = p.data;
	capture_close(c);
	return n;
}

/* The memory address of a packet does not depend on the offset at which reading began. */
static void test_places(void **state)
{
	static const unsigned char *all[PLACES], *half[PLACES];
	int fd = memfd_create("capture", MFD_CLOEXEC);
	struct maker m = {0};
	char text[300];
	unsigned n;

	(void)state;
	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	for (unsigned i = 0; i < PLACES; i++) {
		memset(text, 'x', sizeof(text));
		text[100 + i % 199] = 0;
		pcap_record(&m, 1000, i, text, 300);
	}
	assert_int_equal(write(fd, m.b.s, m.b.len), m.b.len);
	assert_int_equal(places(fd, 0, all), PLACES);
	n = places(fd, m.b.len / 2, half);
	assert_in_range(n, PLACES / 2 - 50, PLACES / 2 + 50);
	assert_memory_equal(half, all + PLACES - n, n * sizeof(*half));
	strbuf_release(&m.b);
	close(fd);
}

static void test_pcap_large(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	size_t len = 3u << 20;
	char *big = xmalloc(len + 1);
	struct capture *c;
	int i;

	(void)state;
	memset(big, 'x', len);
	big[len] = 0;
	pcap_header(&m, 0xa1b2c3d4, 16u << 20, 1);
	for (i = 0; i < 3; i++) {
		pcap_record(&m, 1, 0, "small", 5);
		pcap_record(&m, 2, 0, big, (uint32_t)len);
	}
	c = open_made(&m, &d);
	for (i = 0; i < 3; i++) {
		expect_packet(c, "small", 5, 1000000000);
		expect_packet(c, big, (uint32_t)len, 2000000000);
	}
	expect_end(c);
	xfree(big);
}

/*
 * A record may be as long as RECORD_USUAL (pcap.c), even if the snap length of the file is smaller.
 */
static void test_pcap_jumbo(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	char *big = xmalloc(262144 + 2);
	struct capture *c;

	(void)state;
	memset(big, 'x', 262145);
	big[262144] = 0;
	pcap_header(&m, 0xa1b2c3d4, 96, 1);
	pcap_record(&m, 0, 0, big, 262144);
	big[262144] = 'x';
	big[262145] = 0;
	pcap_record(&m, 0, 0, big, 262145);
	c = open_made(&m, &d);
	big[262144] = 0;
	expect_packet(c, big, 262144, 0);
	expect_bad(c, "test: damaged after packet 1: record length 262145 is not possible");
	xfree(big);
}

/* ------------------------------------------------------------------- pcapng */

static void pcapng_of(bool swap)
{
	struct maker m = {.swap = swap};
	struct diag d = {0};
	struct capture *c;
	struct packet p;

	shb(&m);
	idb(&m, 1, "eth0", -1, 0);
	idb(&m, 101, NULL, 9, 0);
	epb(&m, 0, 1000001, "first", 60, 1);
	epb(&m, 1, 5000000000123, "2nd", 3, 2);
	epb(&m, 0, 2000000, "", 0, 0);
	c = open_made(&m, &d);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_int_equal(p.caplen, 5);
	assert_int_equal(p.wirelen, 60);
	assert_int_equal(p.ts_ns, 1000001000);
	assert_int_equal(p.dir, CAPTURE_DIR_IN);
	assert_string_equal(p.iface->name, "eth0");
	assert_int_equal(p.iface->linktype, 1);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_memory_equal(p.data, "2nd", 3);
	assert_int_equal(p.ts_ns, 5000000000123);
	assert_int_equal(p.dir, CAPTURE_DIR_OUT);
	assert_null(p.iface->name);
	assert_int_equal(p.iface->linktype, 101);
	assert_int_equal(p.iface->index, 1);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_int_equal(p.dir, CAPTURE_DIR_UNKNOWN);
	expect_end(c);
}

static void test_pcapng(void **state)
{
	(void)state;
	pcapng_of(false);
	pcapng_of(true);
}

/* capture_peek() describes the packets in memory, up to the first block that has no packet. */
static void peek_of(bool swap)
{
	struct maker m = {.swap = swap};
	const unsigned char *at = NULL;
	struct diag d = {0};
	struct capture *c;
	struct peeked_packet p;

	shb(&m);
	idb(&m, 1, "eth0", -1, 0);
	epb(&m, 0, 1, "first", 60, 0);
	epb(&m, 0, 2, "2nd", 3, 1);
	epb(&m, 0, 3, "third", 5, 0);
	idb(&m, 101, NULL, 9, 0);
	epb(&m, 1, 4, "last", 4, 0);
	c = open_made(&m, &d);
	expect_packet(c, "first", 60, 1000);
	assert_true(peek_after(c, &at, &p));
	assert_memory_equal(p.data, "2nd", 3);
	assert_true(peek_after(c, &at, &p));
	assert_memory_equal(p.data, "third", 5);
	assert_false(peek_after(c, &at, &p));
	expect_packet(c, "2nd", 3, 2000);
	expect_packet(c, "third", 5, 3000);
	expect_packet(c, "last", 4, 4);
	expect_end(c);
}

static void peek_of_pcap(bool swap)
{
	struct maker m = {.swap = swap};
	const unsigned char *at = NULL;
	struct diag d = {0};
	struct capture *c;
	struct peeked_packet p;

	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	pcap_record(&m, 1, 0, "first", 60);
	pcap_record(&m, 2, 0, "2nd", 1);
	c = open_made(&m, &d);
	assert_true(peek_after(c, &at, &p));
	assert_memory_equal(p.data, "first", 5);
	assert_int_equal(p.wirelen, 60);
	assert_true(peek_after(c, &at, &p));
	assert_int_equal(p.wirelen, 3);
	assert_false(peek_after(c, &at, &p));
	expect_packet(c, "first", 60, 1000000000);
	expect_packet(c, "2nd", 3, 2000000000);
	expect_end(c);
}

static void test_peek(void **state)
{
	(void)state;
	peek_of(false);
	peek_of(true);
	peek_of_pcap(false);
	peek_of_pcap(true);
}

/*
 * capture_take() reads a peeked packet only if it is the next packet, the buffer has not changed,
 * and the capture does not end before the packet. It refuses packets of pcapng.
 */
static void test_take(void **state)
{
	struct maker m = {0}, n = {0};
	const unsigned char *at = NULL;
	struct peeked_packet p[2];
	struct capture *c;
	struct diag d = {0};
	uint32_t now;

	(void)state;
	pcap_header(&m, 0xa1b2c3d4, 65535, 1);
	pcap_record(&m, 1, 5, "first", 60);
	pcap_record(&m, 2, 6, "2nd", 1);
	pcap_record(&m, 3, 7, "third", 5);
	c = open_made(&m, &d);
	now = capture_generation(c);
	assert_true(peek_after(c, &at, &p[0]) && peek_after(c, &at, &p[1]));
	assert_int_equal(p[1].ts_ns, 2000006000);
	assert_false(capture_take(c, &p[1], now));
	assert_false(capture_take(c, &p[0], now + 1));
	assert_true(capture_take(c, &p[0], now));
	assert_false(capture_take(c, &p[0], now));
	assert_int_equal(capture_count(c), 1);
	expect_packet(c, "2nd", 3, 2000006000);
	capture_set_end(c, capture_pos(c));
	assert_true(capture_peek(c, NULL, &p[0]));
	assert_false(capture_take(c, &p[0], now));
	expect_end(c);

	shb(&n);
	idb(&n, 1, "eth0", -1, 0);
	epb(&n, 0, 1, "first", 60, 0);
	epb(&n, 0, 2, "2nd", 3, 0);
	c = open_made(&n, &d);
	expect_packet(c, "first", 60, 1000);
	assert_true(capture_peek(c, NULL, &p[0]));
	assert_false(capture_take(c, &p[0], capture_generation(c)));
	expect_packet(c, "2nd", 3, 2000);
	expect_end(c);
}

/* Each section of a pcapng file has its own byte order and interfaces. */
static void test_sections(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	struct capture *c;
	struct packet p;
	uint32_t serial;

	(void)state;
	shb(&m);
	idb(&m, 1, "one", -1, 0);
	epb(&m, 0, 1, "aa", 2, 0);
	m.swap = true;
	shb(&m);
	idb(&m, 276, "two", -1, 0);
	epb(&m, 0, 2, "bb", 2, 0);
	m.swap = false;
	shb(&m);
	epb(&m, 0, 3, "cc", 2, 0);
	c = open_made(&m, &d);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_string_equal(p.iface->name, "one");
	serial = p.iface->serial;
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_PACKET);
	assert_string_equal(p.iface->name, "two");
	assert_int_equal(p.iface->linktype, 276);
	assert_int_equal(p.iface->index, 0);
	assert_int_not_equal(p.iface->serial, serial);
	expect_bad(c, "test: damaged after packet 2: a packet has interface 0, which its section "
		      "does not describe");
}

static void one_time(int res, int64_t off, uint64_t ts, uint64_t ns)
{
	struct maker m = {0};
	struct diag d = {0};
	struct capture *c;

	shb(&m);
	idb(&m, 1, NULL, res, off);
	epb(&m, 0, ts, "x", 1, 0);
	c = open_made(&m, &d);
	expect_packet(c, "x", 1, ns);
	expect_end(c);
}

static void test_time_units(void **state)
{
	(void)state;
	one_time(-1, 0, 1, 1000);
	one_time(0, 0, 2, 2000000000);
	one_time(3, 0, 1700000000123, 1700000000123000000);
	one_time(6, 0, 1700000000123456, 1700000000123456000);
	one_time(9, 0, 1700000000123456789, 1700000000123456789);
	one_time(12, 0, 1234567, 1234);
	one_time(127, 0, 1234567, 0);
	one_time(0x80, 0, 3, 3000000000);
	one_time(0x80 | 10, 0, 1024 + 512, 1500000000);
	one_time(0x80 | 32, 0, (7ull << 32) + (1u << 31), 7500000000);
	one_time(0x80 | 127, 0, UINT64_MAX, 0);
	one_time(6, 100, 5, 100000005000);
	one_time(6, -1, 2000000, 1000000000);
}

/* The reader skips blocks that have no packet, even if a block is larger than the read buffer. */
static void test_other_blocks(void **state)
{
	struct maker m = {0}, body = {0};
	struct diag d = {0};
	struct capture *c;

	(void)state;
	shb(&m);
	put_zeros(&body, 1000000);
	block(&m, 0x0bad, &body);
	idb(&m, 1, NULL, -1, 0);
	block(&m, 5, &body);
	epb(&m, 0, 1, "x", 1, 0);
	block(&m, 0x80000001, &body);
	strbuf_release(&body.b);
	c = open_made(&m, &d);
	expect_packet(c, "x", 1, 1000);
	expect_end(c);
}

static void test_simple_packets(void **state)
{
	struct maker m = {0}, b = {0};
	struct diag d = {0};
	struct capture *c;

	(void)state;
	shb(&m);
	idb(&m, 1, NULL, -1, 0);
	epb(&m, 0, 9, "x", 1, 0);
	put32(&b, 5);
	strbuf_adds(&b.b, "hello");
	pad(&b);
	block(&m, 3, &b);
	strbuf_release(&b.b);
	/* original length; the snap length has cut the packet in the file */
	put32(&b, 100);
	strbuf_adds(&b.b, "four");
	block(&m, 3, &b);
	strbuf_release(&b.b);
	c = open_made(&m, &d);
	expect_packet(c, "x", 1, 9000);
	expect_packet(c, "hello", 5, 9000);
	expect_packet(c, "four", 100, 9000);
	expect_end(c);
}

/*
 * Reads an obsolete packet block: u16 interface, u16 drops, and then the same members as in the
 * enhanced packet block.
 */
static void test_old_packets(void **state)
{
	struct maker m = {0}, b = {0};
	struct diag d = {0};
	struct capture *c;

	(void)state;
	shb(&m);
	idb(&m, 1, NULL, -1, 0);
	put16(&b, 0);
	put16(&b, 77);
	put64(&b, 3ull << 32);
	put32(&b, 3);
	put32(&b, 9);
	strbuf_adds(&b.b, "old");
	pad(&b);
	block(&m, 2, &b);
	strbuf_release(&b.b);
	c = open_made(&m, &d);
	expect_packet(c, "old", 9, 3000);
	expect_end(c);
}

static void bad_block(const char *msg, uint32_t type, uint32_t len, uint32_t len2)
{
	struct maker m = {0};
	struct diag d = {0};
	char text[128];

	shb(&m);
	put32(&m, type);
	put32(&m, len);
	put_zeros(&m, 24);
	put32(&m, len2);
	put_zeros(&m, 64);
	snprintf(text, sizeof(text), "test: damaged after packet 0: %s", msg);
	expect_bad(open_made(&m, &d), text);
}

static void test_bad_blocks(void **state)
{
	(void)state;
	bad_block("block length 8 is not possible", 6, 8, 8);
	bad_block("block length 4294967295 is not possible", 6, UINT32_MAX, 0);
	bad_block("a block of 4294967280 bytes is too large", 6, UINT32_MAX - 15, 0);
	bad_block("the two lengths of a block differ", 6, 36, 40);
	bad_block("the file ends in the middle of a record", 77, 4000, 0);
	bad_block("a section header has no byte-order magic", 0x0a0d0d0a, 36, 36);
	bad_block("a packet has interface 0, which its section does not describe", 6, 36, 36);
}

static void short_block(uint32_t type, size_t len, const char *msg)
{
	struct maker m = {0}, b = {0};
	struct diag d = {0};

	shb(&m);
	put_zeros(&b, len);
	block(&m, type, &b);
	strbuf_release(&b.b);
	expect_bad(open_made(&m, &d), msg);
}

static void test_short_blocks(void **state)
{
	(void)state;
	short_block(6, 16, "test: damaged after packet 0: a packet block is too short");
	short_block(2, 4, "test: damaged after packet 0: a packet block is too short");
	short_block(3, 0, "test: damaged after packet 0: a packet block is too short");
	short_block(1, 4, "test: damaged after packet 0: an interface description is too short");
}

static void test_packet_longer_than_block(void **state)
{
	struct maker m = {0}, b = {0};
	struct diag d = {0};

	(void)state;
	shb(&m);
	idb(&m, 1, NULL, -1, 0);
	put_zeros(&b, 12);
	put32(&b, 5);
	put32(&b, 5);
	strbuf_adds(&b.b, "four");
	block(&m, 6, &b);
	strbuf_release(&b.b);
	expect_bad(open_made(&m, &d),
		   "test: damaged after packet 0: a packet of 5 bytes is longer than its block");
}

/* ------------------------------------------------------------------ opening */

static void test_foreign(void **state)
{
	struct maker m = {0};

	(void)state;
	strbuf_adds(&m.b, "#!/bin/sh\necho hello\n");
	expect_foreign(&m, "test is not a pcap or pcapng capture file");
	strbuf_adds(&m.b, "");
	expect_foreign(&m, "test is not a pcap or pcapng capture file");
	strbuf_add(&m.b, "\x1f\x8b\x08\0\0\0", 6);
	expect_foreign(&m, "test is compressed with gzip: pipe it through 'gzip -dc' and use -r -");
	strbuf_add(&m.b, "\x28\xb5\x2f\xfd\0\0", 6);
	expect_foreign(&m, "test is compressed with zstd: pipe it through 'zstd -dc' and use -r -");
	put32(&m, 0x0a0d0d0a);
	put32(&m, 28);
	put32(&m, 0x11111111);
	expect_foreign(&m, "test is not a pcap or pcapng capture file");
	put32(&m, 0xa1b2c3d4);
	put32(&m, 0);
	expect_foreign(&m, "test: damaged after packet 0: the file ends in the middle of a record");
}

static void test_open(void **state)
{
	struct diag d = {0};

	(void)state;
	assert_null(capture_open("/nonexistent/x.pcap", &d));
	assert_string_equal(d.msg, "failed to open /nonexistent/x.pcap: No such file or directory");
	diag_release(&d);
	assert_null(capture_open("/", &d));
	assert_string_equal(d.msg, "failed to read /: Is a directory");
	diag_release(&d);
}

/* Reads from a pipe that has only 90 bytes of the capture at first. */
static void test_pipe(void **state)
{
	struct maker m = {0};
	struct diag d = {0};
	struct capture *c;
	struct packet p;
	int fd[2];
	size_t i = 0;

	(void)state;
	shb(&m);
	idb(&m, 1, "eth0", -1, 0);
	epb(&m, 0, 1, "first", 5, 0);
	epb(&m, 0, 2, "second", 6, 0);
	assert_int_equal(pipe(fd), 0);
	for (; i < 90; i++)
		assert_int_equal(write(fd[1], m.b.s + i, 1), 1);
	c = capture_fdopen(fd[0], "pipe", &d);
	assert_int_equal(capture_size(c), 0);
	assert_int_equal(capture_next(c, &p, &d), CAPTURE_AGAIN);
	assert_int_equal(write(fd[1], m.b.s + i, m.b.len - i), m.b.len - i);
	close(fd[1]);
	expect_packet(c, "first", 5, 1000);
	expect_packet(c, "second", 6, 2000);
	expect_end(c);
	strbuf_release(&m.b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pcap),
		cmocka_unit_test(test_pcap_modified),
		cmocka_unit_test(test_pcap_no_packets),
		cmocka_unit_test(test_pcap_damage),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_pcap_large),
		cmocka_unit_test(test_pcap_jumbo),
		cmocka_unit_test(test_pcapng),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_take),
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_time_units),
		cmocka_unit_test(test_other_blocks),
		cmocka_unit_test(test_simple_packets),
		cmocka_unit_test(test_old_packets),
		cmocka_unit_test(test_bad_blocks),
		cmocka_unit_test(test_short_blocks),
		cmocka_unit_test(test_packet_longer_than_block),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
