/* test_messenger.c - what the agent accepts from its messenger, which an attacker may control. */
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "fleet/host/messenger.h"
#include "tests/check.h"

static const struct request one = {
	.id = "r1",
	.fleet = "default",
	.hosts = "web*",
	.program = "BEGIN { exit(0); }",
	.until = 1000,
	.seconds = 10,
	.rate = 1000,
};

static void seal(struct strbuf *sealed, uint8_t key[KEY_SIZE], const struct request *q)
{
	struct strbuf m = {0};
	uint8_t seed[SEED_SIZE];

	assert_true(sign_new(seed, key));
	request_write(&m, q);
	assert_true(sign_seal(sealed, seed, m.s, m.len));
	strbuf_release(&m);
}

/*
 * Returns whether the agent accepts a request that has the members of @q and the head (key and
 * signature) of @sealed.
 */
static bool accepts(const struct strbuf *sealed, const struct request *q)
{
	struct strbuf b = {0}, again = {0};
	struct signed_request r;
	struct rpc_in in;
	struct arena mem;
	bool ok;

	request_put(&b, sealed->s, q);
	in = (struct rpc_in){(const uint8_t *)b.s, (const uint8_t *)b.s + b.len, false};
	arena_init(&mem);
	ok = request_take(&in, &mem, &r, &again);
	if (ok)
		assert_true(again.len == sealed->len && !memcmp(again.s, sealed->s, again.len));
	arena_release(&mem);
	strbuf_release(&again);
	strbuf_release(&b);
	return ok;
}

static void only_what_was_signed_counts(void **state)
{
	struct strbuf sealed = {0};
	struct request q = one;
	uint8_t key[KEY_SIZE];

	(void)state;
	seal(&sealed, key, &one);
	assert_true(accepts(&sealed, &one));
#define CHANGED(member, value) \
	do { \
		q = one; \
		q.member = value; \
		assert_false(accepts(&sealed, &q)); \
	} while (0)
	CHANGED(id, "r2");
	CHANGED(fleet, "other");
	CHANGED(hosts, "*");
	CHANGED(replay, "/x.pcap");
	CHANGED(program, "BEGIN { exit(1); }");
	CHANGED(until, 1001);
	CHANGED(seconds, 11);
	CHANGED(rate, 999);
	CHANGED(stop, true);
	/* a text with a line end, and a text that is not an ID */
	CHANGED(hosts, "web*\nreplay /x.pcap");
	CHANGED(id, "../r1");
	sealed.s[0] ^= 1;
	assert_false(accepts(&sealed, &one));
	strbuf_release(&sealed);
}

/* A text that request_write() changes or cuts counts as the key has signed it. */
static void the_signed_text_counts(void **state)
{
	static const size_t members[] = {offsetof(struct request, fleet),
					 offsetof(struct request, hosts),
					 offsetof(struct request, replay)};
	char whole[2 * MESSAGE_LINE], longer[2 * MESSAGE_LINE];

	(void)state;
	memset(whole, 'x', sizeof(whole));
	memset(longer, 'x', sizeof(longer));
	longer[MESSAGE_LINE] = '\0';
	for (size_t i = 0; i < 2 * sizeof(members) / sizeof(*members); i++) {
		size_t at = members[i / 2];
		struct strbuf sealed = {0}, b = {0}, again = {0};
		struct request q = one, sent = one;
		struct signed_request r;
		uint8_t key[KEY_SIZE];
		struct rpc_in in;
		struct arena mem;

		/* "fleet ", "hosts " or "replay " is on the same line */
		whole[MESSAGE_LINE - (i / 2 < 2 ? 6 : 7)] = '\0';
		*(const char **)((char *)&q + at) = i % 2 ? whole : "a b";
		*(const char **)((char *)&sent + at) = i % 2 ? longer : "a\nb";
		seal(&sealed, key, &q);
		request_put(&b, sealed.s, &sent);
		in = (struct rpc_in){(const uint8_t *)b.s, (const uint8_t *)b.s + b.len, false};
		arena_init(&mem);
		assert_true(request_take(&in, &mem, &r, &again));
		assert_string_equal(*(const char **)((char *)&r.q + at), i % 2 ? whole : "a b");
		arena_release(&mem);
		strbuf_release(&sealed);
		strbuf_release(&again);
		strbuf_release(&b);
		memset(whole, 'x', sizeof(whole));
	}
}

static void requests_keep_their_members(void **state)
{
	struct strbuf sealed = {0}, b = {0}, again = {0};
	struct request q = one;
	struct signed_request r;
	uint8_t key[KEY_SIZE];
	struct rpc_in in;
	struct arena mem;

	(void)state;
	q.replay = "/var/x.pcap";
	q.stop = true;
	seal(&sealed, key, &q);
	request_put(&b, sealed.s, &q);
	in = (struct rpc_in){(const uint8_t *)b.s, (const uint8_t *)b.s + b.len, false};
	arena_init(&mem);
	assert_true(request_take(&in, &mem, &r, &again));
	assert_memory_equal(r.key, key, KEY_SIZE);
	assert_string_equal(r.q.replay, "/var/x.pcap");
	assert_string_equal(r.q.program, one.program);
	assert_true(r.q.stop && r.q.until == 1000 && r.q.seconds == 10 && r.q.rate == 1000);
	/* The agent refuses a body that is cut at any byte. */
	for (size_t n = 0; n < b.len; n++) {
		in = (struct rpc_in){(const uint8_t *)b.s, (const uint8_t *)b.s + n, false};
		strbuf_reset(&again);
		assert_false(request_take(&in, &mem, &r, &again));
	}
	arena_release(&mem);
	strbuf_release(&again);
	strbuf_release(&sealed);
	strbuf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_was_signed_counts),
		cmocka_unit_test(the_signed_text_counts),
		cmocka_unit_test(requests_keep_their_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
