/*
 * test_reassemble.c - reassembles datagrams from fragments in any order, from too many fragments,
 * and from invalid fragments.
 */
#include <string.h>

#include "base/xalloc.h"
#include "engine/replay/dissect.h"
#include "engine/replay/reassemble.h"
#include "tests/check.h"

#define S 1000000000ull
#define DATA 4000 /* number of bytes of data of the datagram in most tests */

static struct reassembly *r;
static struct datagram whole;

static unsigned char byte_at(unsigned i)
{
	return (unsigned char)(i * 31 + (i >> 8));
}

/* A fragment with the bytes from @off to @end of datagram @id. */
struct frag {
	uint16_t id;
	unsigned off, end;
	bool more;
	uint64_t now;
	unsigned cut;    /* number of bytes that were not captured */
	unsigned absent; /* number of bytes that are missing on the wire too */
	unsigned padding;
	uint8_t proto;
};

/*
 * Passes the fragment of @n bytes at @p to reassemble(). The bytes are copied to memory of exactly
 * the captured size, so that a sanitizer sees reads past the end. Returns whether the datagram is
 * complete.
 */
static bool offer(unsigned char *p, uint32_t n, const struct frag *f, struct fragment in)
{
	uint32_t have = n - f->cut - f->absent;
	unsigned char *copy = xcalloc(1, have + f->padding);
	bool done;

	memcpy(copy, p, have);
	in.ip = copy;
	in.captured = have + f->padding;
	in.wirelen = n - f->absent + f->padding;
	done = reassemble(r, &in, f->now, &whole);
	xfree(copy);
	return done;
}

static bool add4(struct frag f)
{
	static unsigned char p[24 + 65536];
	unsigned total = 24 + f.end - f.off, field = f.off / 8 | (f.more ? 0x2000 : 0);

	/* The fragment has an IPv4 header with 4 bytes of options. */
	memcpy(p, (unsigned char[]){0x46, 3, 0, 0, 0,  0, 0, 0, 64, 17, 1, 2,
				    10,   0, 0, 1, 10, 0, 0, 2, 1,  1,  1, 0},
	       24);
	p[2] = (unsigned char)(total >> 8);
	p[3] = (unsigned char)total;
	p[4] = (unsigned char)(f.id >> 8);
	p[5] = (unsigned char)f.id;
	p[6] = (unsigned char)(field >> 8);
	p[7] = (unsigned char)field;
	p[9] = f.proto ? f.proto : 17;
	for (unsigned i = f.off; i < f.end; i++)
		p[24 + i - f.off] = byte_at(i);
	return offer(p, total, &f, (struct fragment){.version = 4});
}

/* Adds the fragment to an IPv6 datagram with a hop-by-hop and a routing header. */
static bool add6(struct frag f)
{
	enum { EXT = 8 + 24, HEAD = 40 + EXT + 8 };
	static unsigned char p[HEAD + 65536];
	unsigned plen = HEAD - 40 + f.end - f.off;

	memset(p, 0, HEAD);
	p[0] = 0x60;
	p[4] = (unsigned char)(plen >> 8);
	p[5] = (unsigned char)plen;
	p[7] = 64;
	p[8] = 0x20;
	p[24] = 0x30;
	p[40] = 43; /* hop-by-hop: next header is routing */
	p[48] = 44; /* routing: next header is fragment */
	p[49] = 2;
	/* fragment: next header is destination options, which are in the fragmented part */
	p[72] = 60;
	p[74] = (unsigned char)(f.off >> 8);
	p[75] = (unsigned char)(f.off | f.more);
	p[79] = (unsigned char)f.id;
	for (unsigned i = f.off; i < f.end; i++)
		p[HEAD + i - f.off] = byte_at(i);
	return offer(p, HEAD + f.end - f.off, &f,
		     (struct fragment){.version = 6, .at = 72, .next = 48});
}

static void expect_loss(unsigned missing, unsigned overlap, unsigned room)
{
	struct reassemble_loss l = reassembly_loss(r);

	assert_int_equal(l.missing, missing);
	assert_int_equal(l.overlap, overlap);
	assert_int_equal(l.room, room);
}

static uint32_t checksum(const unsigned char *p, unsigned n)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < n; i += 2)
		sum += (uint32_t)p[i] << 8 | p[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/*
 * Checks that the datagram has @n bytes after its @head bytes of headers, and that the first
 * @captured of these bytes are right.
 */
static void expect_data(unsigned head, unsigned n, unsigned captured)
{
	assert_int_equal(whole.wirelen, head + n);
	assert_int_equal(whole.captured, head + captured);
	for (unsigned i = 0; i < captured; i++)
		assert_int_equal(whole.data[head + i], byte_at(i));
}

static void expect4(unsigned n)
{
	const unsigned char *p = whole.data;

	assert_int_equal(p[0], 0x46);
	assert_int_equal(p[1], 3);
	assert_int_equal(p[2] << 8 | p[3], 24 + n);
	assert_int_equal(p[6] | p[7], 0);
	assert_int_equal(checksum(p, 24), 0xffff);
	expect_data(24, n, n);
}

static const struct frag three[] = {
	{.off = 0, .end = 1480, .more = true},
	{.off = 1480, .end = 2960, .more = true},
	{.off = 2960, .end = DATA},
};

/* ---------------------------------------------------------------------- tests */

static void test_orders(void **state)
{
	static const unsigned char order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
						  {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		assert_false(add4(three[order[i][0]]));
		assert_false(add4(three[order[i][1]]));
		assert_true(add4(three[order[i][2]]));
		expect4(DATA);
		assert_int_equal(reassembly_memory(r, 4), 0);
	}
	reassembly_end(r);
	expect_loss(0, 0, 0);
}

/* Fragments with another id, protocol or IP version belong to another datagram. */
static void test_keys(void **state)
{
	struct frag a = {.id = 1, .off = 0, .end = 8, .more = true}, b = a;

	(void)state;
	b.off = 8;
	b.end = 12;
	b.more = false;
	assert_false(add4(a));
	b.id = 2;
	assert_false(add4(b));
	b.id = 1;
	b.proto = 6;
	assert_false(add4(b));
	assert_false(add6(b)); /* another IP version */
	b.proto = 17;
	assert_true(add4(b));
	expect4(12);
	reassembly_end(r);
	expect_loss(3, 0, 0);
}

static void test_duplicates(void **state)
{
	struct frag inner = {.off = 1496, .end = 2000, .more = true};
	struct frag across = {.off = 1400, .end = 2000, .more = true};

	(void)state;
	assert_false(add4(three[1]));
	assert_false(add4(three[1]));
	assert_false(add4(inner));
	assert_false(add4(three[0]));
	assert_false(add4(three[0]));
	assert_true(add4(three[2]));
	expect4(DATA);
	expect_loss(0, 0, 0);
	/*
	 * A fragment is a duplicate if its bytes are inside data that came in order, in one
	 * fragment or in several, as in Linux. Otherwise a fragment that repeats bytes is an
	 * overlap.
	 */
	assert_false(add4(three[0]));
	assert_false(add4(three[1]));
	assert_false(add4(across));
	assert_true(add4(three[2]));
	assert_false(add4(three[1]));
	assert_false(add4(three[0]));
	assert_false(add4(across));
	expect_loss(0, 1, 0);
	assert_int_equal(reassembly_memory(r, 4), 0);
}

static void overlaps(bool (*add)(struct frag f), struct frag a, struct frag b)
{
	struct reassemble_loss was = reassembly_loss(r);

	assert_false(add(a));
	assert_false(add(b));
	assert_int_equal(reassembly_loss(r).overlap, was.overlap + 1);
	assert_int_equal(reassembly_memory(r, 4) + reassembly_memory(r, 6), 0);
}

static void test_overlaps(void **state)
{
	bool (*const add[])(struct frag f) = {add4, add6};
	const struct frag mid = {.off = 800, .end = 1600, .more = true};
	const struct frag end = {.off = 1600, .end = 1700};

	(void)state;
	for (int i = 0; i < 2; i++) {
		overlaps(add[i], mid, (struct frag){.off = 792, .end = 808, .more = true});
		overlaps(add[i], mid, (struct frag){.off = 1592, .end = 1608, .more = true});
		overlaps(add[i], mid, (struct frag){.off = 792, .end = 1608, .more = true});
		/* The two fragments contradict each other about the end of the datagram. */
		overlaps(add[i], end, (struct frag){.off = 1704, .end = 1712, .more = true});
		overlaps(add[i], end, (struct frag){.off = 1704, .end = 1708});
		overlaps(add[i], mid, (struct frag){.off = 8, .end = 16});
	}
	expect_loss(0, 12, 0);
	/* The next datagram with the same id is complete. */
	assert_false(add4(three[2]));
	assert_false(add4(three[1]));
	assert_true(add4(three[0]));
}

static void test_time(void **state)
{
	struct frag f = three[0], g = three[1], h = three[2];

	(void)state;
	f.now = 100 * S;
	g.now = 110 * S; /* a later fragment does not extend the time-out */
	h.now = 130 * S - 1;
	assert_false(add4(f));
	assert_false(add4(g));
	assert_true(add4(h));
	h.now = 130 * S;
	assert_false(add4(f));
	assert_false(add4(g));
	assert_false(add4(h));
	expect_loss(1, 0, 0);
	f.now = g.now = 200 * S;
	assert_false(add6(f));
	assert_false(add6(g));
	h.now = 260 * S - 1;
	assert_true(add6(h));
	assert_false(add6(f));
	assert_false(add6(g));
	h.now = 320 * S;
	assert_false(add6(h));
	expect_loss(2, 0, 0);
	reassembly_end(r);
	expect_loss(4, 0, 0);
	assert_int_equal(reassembly_memory(r, 4) + reassembly_memory(r, 6), 0);
}

/* At the memory limit, the oldest datagrams are dropped. Each IP version has a limit of its own. */
static void test_memory(void **state)
{
	struct frag f = {.off = 0, .end = 1480, .more = true}, last = {.off = 1480, .end = 1481};
	unsigned lost;

	(void)state;
	f.id = last.id = 7;
	assert_false(add6(f));
	for (unsigned i = 0; i < 10000; i++) {
		f.id = (uint16_t)i;
		assert_false(add4(f));
		assert_true(reassembly_memory(r, 4) <= REASSEMBLE_MEMORY);
	}
	assert_true(reassembly_memory(r, 4) > REASSEMBLE_MEMORY - 2000);
	lost = (unsigned)reassembly_loss(r).room;
	assert_in_range(lost, 10000 - REASSEMBLE_MEMORY / 1480, 9999);
	last.id = (uint16_t)(lost - 1);
	assert_false(add4(last));
	last.id = (uint16_t)(lost + 1);
	assert_true(add4(last));
	last.id = 7;
	assert_true(add6(last));
	reassembly_end(r);
	assert_int_equal(reassembly_memory(r, 4), 0);
}

/* Reassembles one datagram from pieces of 8 bytes, which come from the last to the first. */
static void test_small_pieces(void **state)
{
	struct frag f = {.id = 1, .off = 65472, .end = 65480};

	(void)state;
	assert_false(add4((struct frag){.id = 2, .off = 0, .end = 8, .more = true}));
	assert_false(add4(f));
	for (f.more = true; f.off;) {
		f.end = f.off;
		f.off -= 8;
		assert_int_equal(add4(f), f.off == 0);
	}
	expect4(65480);
	expect_loss(0, 0, 0);
}

static void test_too_long(void **state)
{
	(void)state;
	assert_false(add4((struct frag){.off = 0, .end = 32000, .more = true}));
	assert_false(add4((struct frag){.off = 32000, .end = 65512}));
	expect_loss(0, 1, 0);
	/* The IPv6 payload length includes the extension headers, but not the IPv6 header. */
	assert_false(add6((struct frag){.off = 0, .end = 32000, .more = true}));
	assert_false(add6((struct frag){.off = 32000, .end = 65504}));
	expect_loss(0, 2, 0);
	assert_false(add6((struct frag){.off = 0, .end = 32000, .more = true}));
	assert_true(add6((struct frag){.off = 32000, .end = 65503}));
	assert_int_equal(whole.data[4] << 8 | whole.data[5], 65535);
	/* A fragment past the greatest payload length is ignored. */
	assert_false(add6((struct frag){.off = 65528, .end = 65544}));
	expect_loss(0, 2, 0);
	reassembly_end(r);
	expect_loss(0, 2, 0);
}

static void test_ip6(void **state)
{
	struct dissect d = {.version = 6};

	(void)state;
	assert_false(add6(three[2]));
	assert_false(add6(three[0]));
	assert_true(add6(three[1]));
	expect_data(72, DATA, DATA);
	assert_int_equal(whole.data[4] << 8 | whole.data[5], 32 + DATA);
	assert_int_equal(whole.data[6], 0);
	assert_int_equal(whole.data[40], 43);
	assert_int_equal(whole.data[48], 60);
	/*
	 * The chain of extension headers continues in the reassembled data: destination options of
	 * 8 bytes, followed by a header whose number is byte_at(0).
	 */
	dissect_transport(whole.data, whole.captured, whole.wirelen, &d);
	assert_int_equal(d.frag, 0);
	assert_int_equal(byte_at(0), 0);
	/*
	 * Only the length of the last fragment need not be a multiple of 8 bytes. Any other
	 * fragment of such a length is dropped, but not its datagram.
	 */
	assert_false(add6((struct frag){.off = 0, .end = 1481, .more = true}));
	assert_int_equal(reassembly_memory(r, 6), 0);
	assert_false(add6(three[0]));
	assert_false(add6((struct frag){.off = 1480, .end = 1499, .more = true}));
	assert_false(add6(three[1]));
	assert_true(add6(three[2]));
	expect_loss(0, 0, 0);
}

/*
 * A fragment that was captured only in part still completes its datagram. The data after its
 * missing bytes cannot be read.
 */
static void test_cut(void **state)
{
	struct frag f = three[1], g = three[2];

	(void)state;
	assert_false(add4(three[0]));
	f.cut = 1000;
	assert_false(add4(f));
	assert_true(add4(g));
	expect_data(24, DATA, 1480 + 480);
	f = three[0];
	f.cut = 1480;
	g.cut = DATA - 2960;
	assert_false(add4(g));
	assert_false(add4(three[1]));
	assert_true(add4(f));
	expect_data(24, DATA, 0);
	/* A fragment that is too short on the wire is dropped, as any host does. */
	f = three[1];
	f.absent = 1;
	assert_false(add4(three[0]));
	assert_false(add4(three[2]));
	assert_false(add4(f));
	f.absent = 0;
	assert_true(add4(f));
	expect_loss(0, 0, 0);
}

/* The padding of short Ethernet frames does not become data of the datagram. */
static void test_padding(void **state)
{
	(void)state;
	assert_false(add4((struct frag){.off = 8, .end = 10, .padding = 30}));
	assert_true(add4((struct frag){.off = 0, .end = 8, .more = true, .padding = 20}));
	expect4(10);
	assert_false(add6((struct frag){.off = 8, .end = 10, .padding = 30}));
	assert_true(add6((struct frag){.off = 0, .end = 8, .more = true, .padding = 20}));
	expect_data(72, 10, 10);
}

/*
 * The length of a fragment is rounded down to a multiple of 8 bytes. A fragment of less than 8
 * bytes is dropped.
 */
static void test_units(void **state)
{
	(void)state;
	assert_false(add4((struct frag){.off = 0, .end = 19, .more = true}));
	assert_true(add4((struct frag){.off = 16, .end = 21}));
	expect4(21);
	assert_false(add4((struct frag){.off = 0, .end = 7, .more = true}));
	expect_loss(0, 1, 0);
	assert_false(add4((struct frag){.off = 8, .end = 8}));
	expect_loss(0, 1, 0);
}

static int set_up(void **state)
{
	(void)state;
	r = reassembly_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	reassembly_free(r);
	return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_orders), TEST(test_keys),   TEST(test_duplicates),   TEST(test_overlaps),
		TEST(test_time),   TEST(test_memory), TEST(test_small_pieces), TEST(test_too_long),
		TEST(test_ip6),    TEST(test_cut),    TEST(test_padding),      TEST(test_units),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
