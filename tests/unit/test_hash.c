/*
 * test_hash.c - checks that no input makes a hash table slow.
 *
 * Tables are filled with ordinary keys and with keys that collide under hash functions without a
 * secret key: FNV-1a, a multiplication by a public number, and a product with a factor that input
 * can make 0. The test counts probes, not time.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "agg/table.h"
#include "engine/vm/map.h"
#include "engine/replay/reassemble.h"
#include "engine/replay/tcp/table.h"
#include "tests/check.h"
#include "ir/types/type.h"

#define N 3000 /* number of keys; the TCP table grows before it has this many */
/* number of keys in tables for which the test finds colliding keys by trial, which takes time */
#define FEW 1000
/*
 * number of pieces of 8 bytes: nearly the longest datagram. The number is prime, so that steps of
 * any size visit all pieces.
 */
#define PIECES 8179

/*
 * Fills a table with ordinary keys or, if @crafted, with keys that collide under a simple hash
 * function. Looks up each key once, and returns the total number of inspected slots.
 */
typedef uint64_t fill_fn(bool crafted);

static void costs_no_more(fill_fn *fill)
{
	uint64_t plain = fill(false), crafted = fill(true);

	if (crafted > 2 * plain)
		fail_msg("%llu probes for crafted keys, %llu for others",
			 (unsigned long long)crafted, (unsigned long long)plain);
}

/*
 * Checks that the number of probes depends on the secret key of the hash function. So an attacker
 * who knows the function, but not the key, cannot predict slots.
 */
static void depends_on_key(fill_fn *fill)
{
	struct hash_key was = hash_key;
	uint64_t a, b;

	hash_key = hash_key_of(1);
	a = fill(false);
	hash_key = hash_key_of(2);
	b = fill(false);
	hash_key = was;
	assert_int_not_equal(a, b);
}

static void check(fill_fn *fill)
{
	costs_no_more(fill);
	depends_on_key(fill);
}

static uint64_t fnv(uint64_t h, const void *p, size_t n)
{
	for (const unsigned char *b = p; n--; b++)
		h = (h ^ *b) * 0x100000001b3;
	return h;
}

#define FNV_BASIS 0xcbf29ce484222325

/* ----------------------------------------------------------------- the tables */

/*
 * Fills the table of connections. The crafted addresses collide in a hash that multiplies two
 * factors, which are made from the first two words of the addresses. Here the first factor is 0, so
 * the second word has no effect.
 */
static uint64_t fill_tcp(bool crafted)
{
	struct sock blank = {0};
	struct tcp_table t;
	uint64_t cost;

	assert_int_equal(tcp_table_init(&t, N, &blank, NULL), 0);
	for (uint64_t i = 0; i < N; i++) {
		struct tcp_key k = {.ends = tcp_key_ends(1024, 80, 6)};

		k.addr[0][0] = crafted ? 0xa0761d6478bd642f : 0x0120;
		k.addr[0][1] = __builtin_bswap64(i + 1);
		tcp_table_add(&t, &k, NULL);
		assert_ptr_equal(tcp_table_find(&t, &k, tcp_key_hash(&k)).conn, &t.conn[i]);
	}
	cost = tcp_table_probes(&t);
	tcp_table_release(&t);
	return cost;
}

static uint64_t fill_map(bool crafted)
{
	struct map_def def = {.kind = MAP_HASH, .name = "m", .key_size = 16, .value_size = 8};
	struct vm_map m;
	uint64_t cost;

	vm_map_init(&m, &def);
	for (uint64_t i = 0; i < N; i++) {
		uint64_t key[2] = {i << 32, crafted ? 0x9e3779b97f4a7c15 : 0x9e3779b97f4a7c16};

		assert_int_equal(vm_map_update(&m, key, &i, 1), 0);
	}
	cost = vm_map_probes(&m);
	vm_map_release(&m);
	return cost;
}

/*
 * Fills a table of aggregation rows. The keys are addresses as text, in the layout of an
 * aggregation's key.
 */
static uint64_t fill_rows(bool crafted)
{
	struct aggtab t = {0};
	uint64_t cost;

	for (uint32_t a = 0x0b000000; t.row.n < FEW; a++) {
		char key[32];
		uint32_t len = (uint32_t)sprintf(key + 4, "%u.%u.%u.%u", a >> 24, a >> 16 & 255,
						 a >> 8 & 255, a & 255);
		uint64_t h;

		memcpy(key, &len, 4);
		h = fnv(FNV_BASIS, key, 4 + len);
		if (!crafted || ((h ^ h >> 32) & 4095) == 7)
			aggtab_get(&t, key, 4 + len, 8);
	}
	cost = aggtab_probes(&t);
	aggtab_release(&t);
	return cost;
}

static uint64_t fill_strings(bool crafted)
{
	struct arena a;
	struct intern t;
	uint64_t cost;

	arena_init(&a);
	intern_init(&t, &a);
	for (uint32_t i = 0; t.n < FEW; i++) {
		char name[16];
		size_t n = (size_t)sprintf(name, "v%u", i);

		/* The number is the FNV basis that an earlier version of this table used. */
		if (!crafted || (fnv(1469598103934665603u, name, n) & 4095) == 7)
			intern(&t, name);
	}
	cost = intern_probes(&t);
	intern_release(&t);
	arena_release(&a);
	return cost;
}

static uint64_t fill_scope(bool crafted)
{
	static struct type t = {.kind = T_INT};
	struct scope s;
	struct arena a;
	uint64_t cost;

	arena_init(&a);
	scope_init(&s, &a, NULL, NULL);
	for (uint32_t i = 0, n = 0; n < FEW; i++) {
		char name[16];
		size_t len = (size_t)sprintf(name, "v%u", i);
		uint64_t h = fnv(FNV_BASIS ^ TAG_TYPEDEF, name, len) * 0x9e3779b97f4a7c15;

		if (crafted && h >> 52 != 7)
			continue;
		scope_add(&s, TAG_TYPEDEF, arena_strndup(&a, name, len), &t);
		n++;
	}
	cost = scope_probes(&s);
	arena_release(&a);
	return cost;
}

/* ------------------------------------------------------------------ fragments */

static void put_be16(unsigned char *p, unsigned v)
{
	p[0] = (unsigned char)(v >> 8);
	p[1] = (unsigned char)v;
}

/* Adds a fragment of 8 bytes at offset @unit * 8 to an IPv4 datagram from @source. */
static bool add_fragment(struct reassembly *r, uint32_t source, unsigned unit, bool more)
{
	unsigned char ip[28] = {0x45, 0, 0, 28, 0, 7, 0, 0, 64, 17, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1};
	struct fragment f = {.ip = ip, .captured = sizeof(ip), .wirelen = sizeof(ip), .version = 4};
	struct datagram d;

	source = __builtin_bswap32(source);
	memcpy(ip + 12, &source, 4);
	put_be16(ip + 6, (more ? 0x2000 : 0) | unit);
	return reassemble(r, &f, 0, &d);
}

/* Returns the slot of a datagram in the hash table of an earlier version. */
static unsigned multiplied(uint32_t source)
{
	uint64_t word[5] = {__builtin_bswap32(source) | 0x0100000aull << 32, 0, 0, 0,
			    7 | 17ull << 32};
	uint64_t h = 0;

	for (int i = 0; i < 5; i++) {
		h = (h ^ word[i]) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	return h & 4095;
}

static uint64_t fill_datagrams(bool crafted)
{
	struct reassembly *r = reassembly_new();
	uint64_t cost;

	for (uint32_t a = 0x0b000000, n = 0; n < N; a++) {
		if (crafted && multiplied(a) != 5)
			continue;
		add_fragment(r, a, 0, true);
		n++;
	}
	cost = reassembly_probes(r);
	reassembly_free(r);
	return cost;
}

/*
 * Adds the last piece of a datagram, and then N pieces with gaps between them. The N pieces come in
 * ascending order if @crafted, else in random order.
 */
static uint64_t fill_pieces(bool crafted)
{
	struct reassembly *r = reassembly_new();
	uint64_t cost;

	add_fragment(r, 0x0b000000, 8190, false);
	for (unsigned i = 0; i < N; i++)
		add_fragment(r, 0x0b000000, 2 * (crafted ? i : i * 1009 % N), true);
	cost = reassembly_probes(r);
	reassembly_free(r);
	return cost;
}

/* A datagram is complete when its last missing piece arrives, for any order of the pieces. */
static void test_pieces_complete(void **state)
{
	static const unsigned step[] = {1, 3, 1009, PIECES - 1};

	(void)state;
	for (size_t s = 0; s < sizeof(step) / sizeof(*step); s++) {
		struct reassembly *r = reassembly_new();

		for (unsigned i = 1; i <= PIECES; i++) {
			unsigned unit = i * step[s] % PIECES;
			bool whole = add_fragment(r, 1, unit, unit != PIECES - 1);

			assert_int_equal(whole, i == PIECES);
		}
		reassembly_free(r);
	}
}

static void test_tcp(void **state)
{
	(void)state;
	check(fill_tcp);
}

static void test_map(void **state)
{
	(void)state;
	check(fill_map);
}

static void test_rows(void **state)
{
	(void)state;
	check(fill_rows);
}

static void test_strings(void **state)
{
	(void)state;
	check(fill_strings);
}

static void test_scope(void **state)
{
	(void)state;
	check(fill_scope);
}

static void test_datagrams(void **state)
{
	(void)state;
	check(fill_datagrams);
}

static void test_pieces(void **state)
{
	(void)state;
	check(fill_pieces);
}

/* -------------------------------------------------------------- the function */

/* The hash changes with each byte, and with the length. */
static void test_bytes(void **state)
{
	unsigned char b[200] = {0};
	uint64_t seen[401];
	unsigned n = 0;

	(void)state;
	for (size_t len = 0; len <= sizeof(b); len++)
		seen[n++] = hash_bytes(b, len);
	for (size_t i = 0; i < sizeof(b); i++) {
		b[i] = 1;
		seen[n++] = hash_bytes(b, sizeof(b));
		b[i] = 0;
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
}

/* The key of hash functions is random. A hash made with the fixed key never changes. */
static void test_keys(void **state)
{
	struct hash_key none = {0};

	(void)state;
	assert_memory_not_equal(&hash_key, &none, sizeof(none));
	assert_true(hash_bytes("abc", 3) != hash_bytes_fixed("abc", 3));
	assert_true(hash_bytes_fixed("abc", 3) == hash_bytes_fixed("abc", 3));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tcp),    cmocka_unit_test(test_map),
		cmocka_unit_test(test_rows),   cmocka_unit_test(test_strings),
		cmocka_unit_test(test_scope),  cmocka_unit_test(test_datagrams),
		cmocka_unit_test(test_pieces), cmocka_unit_test(test_pieces_complete),
		cmocka_unit_test(test_bytes),  cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
