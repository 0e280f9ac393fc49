/*
 * test_rights.c - the second process of a viewer refuses what the command line does not ask for,
 * even if an attacker controls the viewer.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/message.h"
#include "fleet/viewer/follow.h"
#include "fleet/viewer/rights.h"
#include "fleet/viewer/view.h"
#include "tests/check.h"

static uint8_t seed[SEED_SIZE], key[KEY_SIZE];
static char dir[] = "/tmp/test_rights.XXXXXX";
static char known[PATH_MAX];
static struct view_opts view = {.key = "key",
				.ask = {.id = "r1",
					.fleet = "default",
					.hosts = "web*",
					.program = "BEGIN { exit(0); }",
					.seconds = 10,
					.rate = 1000}};
static struct rights_opts opts = {.view = &view, .dir = dir, .known = known};

/* -------------------------------------------------------- the other files of the viewer */

bool view_seed(const char *path, uint8_t *to)
{
	(void)path;
	memcpy(to, seed, SEED_SIZE);
	return true;
}

bool view_merge(const struct view_opts *o, const char *folder)
{
	(void)o;
	return !strcmp(folder, dir);
}

bool follow_start(struct follower *f, const char *dtrace, const char *const *xopt, size_t n,
		  uint64_t rate_ms, const char *folder)
{
	(void)f, (void)dtrace, (void)xopt, (void)n, (void)folder;
	return rate_ms == 7;
}

bool follow_is_over(struct follower *f)
{
	(void)f;
	return true;
}

bool follow_end(struct follower *f)
{
	(void)f;
	return true;
}

/* --------------------------------------------------------------------------- tests */

static void start(void)
{
	memcpy(dir + strlen(dir) - 6, "XXXXXX", 6);
	assert_non_null(mkdtemp(dir));
	assert_true(rights_start(&opts));
}

/* Signs a request. Returns whether the signature is right, and stores the request in @q and @m. */
static bool sign(const struct asking *a, struct strbuf *sealed, struct message *m,
		 struct request *q)
{
	uint8_t signer[KEY_SIZE];
	uint64_t until;
	const void *p;
	size_t n;

	*m = (struct message){0};
	return rights_sign(a, sealed, &until) &&
	       sign_open(sealed->s, sealed->len, &p, &n, signer) &&
	       !memcmp(signer, key, KEY_SIZE) && message_parse(m, p, n) && !request_read(q, m) &&
	       q->until == until;
}

static void signs_the_command_line(void **state)
{
	struct asking a = {.part = 2, .from = 1, .to = 5};
	struct strbuf sealed = {0};
	struct message m;
	struct request q;

	(void)state;
	start();
	assert_true(sign(&a, &sealed, &m, &q));
	assert_string_equal(q.id, "r1-2");
	assert_string_equal(q.hosts, "web*,~r1/0000000000000001-0000000000000005");
	assert_string_equal(q.program, "BEGIN { exit(0); }");
	assert_false(q.stop);
	message_release(&m);
	/*
	 * A request to end another viewer's run has no program. Its ID is the one that the command
	 * line gives.
	 */
	strbuf_reset(&sealed);
	a = (struct asking){.stop = true, .fleet = "f", .hosts = "*", .until = 99, .rate = 5};
	assert_true(sign(&a, &sealed, &m, &q));
	assert_true(q.stop && !*q.program && q.until == 99);
	assert_string_equal(q.id, "r1");
	message_release(&m);
	/* A census has the target of the command line and no program. */
	strbuf_reset(&sealed);
	a = (struct asking){.census = true};
	assert_true(sign(&a, &sealed, &m, &q));
	assert_string_equal(q.id, "r1-0");
	assert_string_equal(q.census, "r1");
	assert_string_equal(q.hosts, "web*");
	assert_true(!q.stop && !*q.program);
	message_release(&m);
	a.stop = true;
	assert_false(rights_sign(&a, &sealed, &(uint64_t){0}));
	strbuf_reset(&sealed);
	a = (struct asking){.stop = true, .fleet = "f", .hosts = "*", .until = 99, .rate = 5};
	/*
	 * The process does not sign a request to run the program on hosts that the command line
	 * does not name.
	 */
	strbuf_reset(&sealed);
	a.stop = false;
	assert_false(rights_sign(&a, &sealed, &(uint64_t){0}));
	strbuf_release(&sealed);
	rights_stop();
	assert_int_not_equal(access(dir, F_OK), 0);
}

static void writes_only_in_its_folders(void **state)
{
	char path[PATH_MAX];
	struct strbuf b = {0};
	char big[200000];

	(void)state;
	memset(big, 'x', sizeof(big));
	start();
	rights_put(false, "web1", big, sizeof(big));
	assert_true(rights_flush() && rights_merge());
	assert_true(file_get(path_in(path, dir, "web1"), 0, 300000, &b));
	assert_int_equal(b.len, sizeof(big));
	rights_clear();
	assert_true(rights_flush());
	assert_int_not_equal(access(path, F_OK), 0);
	/*
	 * Without --keep, there is only the private folder. When the process has ended, nothing is
	 * signed any more.
	 */
	rights_put(true, "web1", big, 1);
	assert_false(rights_flush());
	rights_stop();
	start();
	rights_put(false, "../test_rights.made", big, 1);
	assert_false(rights_flush());
	assert_int_not_equal(access("/tmp/test_rights.made", F_OK), 0);
	rights_stop();
	strbuf_release(&b);
}

static void keeps_keys(void **state)
{
	struct known k = {0}, again = {0};
	char who[32];

	(void)state;
	snprintf(known, sizeof(known), "/tmp/test_rights.known.%d", (int)getpid());
	start();
	for (int i = 0; i < 3000; i++) {
		snprintf(who, sizeof(who), "h%d.0a", i);
		assert_true(known_add(&k, who, key, true));
	}
	assert_true(rights_known_write(&k) && rights_known_write(&k));
	assert_true(rights_known_read(&again));
	assert_int_equal(again.v.n, 3000);
	assert_memory_equal(again.v.v[5].key, key, KEY_SIZE);
	assert_false(known_add(&again, "no host", key, true));
	rights_stop();
	unlink(known);
	known_release(&k);
	known_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(signs_the_command_line),
		cmocka_unit_test(writes_only_in_its_folders),
		cmocka_unit_test(keeps_keys),
	};

	if (!sign_new(seed, key))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
