/*
 * test_bounds.c - checks the bounds of one run: the policy's limits, the captures that it may read,
 * and the cost of its probes.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/host/cost.h"
#include "fleet/host/policy.h"
#include "fleet/request.h"
#include "tests/check.h"

#define KEY_A "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define KEY_B "10112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

static struct policy parse(const char *text)
{
	struct strbuf wrong = {0};
	struct policy p;

	assert_true(policy_parse(&p, text, &wrong));
	strbuf_release(&wrong);
	return p;
}

static void mistake(const char *text, const char *expected)
{
	struct strbuf wrong = {0};
	struct policy p;

	assert_false(policy_parse(&p, text, &wrong));
	assert_string_equal(wrong.s, expected);
	policy_release(&p);
	strbuf_release(&wrong);
}

static void a_policy_without_bounds_has_the_usual_ones(void **state)
{
	struct policy p = parse("");
	struct policy_limit l = policy_limit(&p, "ann");

	(void)state;
	assert_int_equal(l.use.cpu, 100);
	assert_int_equal(l.use.memory, 1 << 30);
	assert_int_equal(l.use.tasks, 128);
	assert_int_equal(l.use.files, 65536);
	assert_int_equal(l.use.cost, 10);
	assert_int_equal(l.daily, 250);
	assert_false(p.groups_required);
	policy_release(&p);
}

static void the_bounds_of_a_key_replace_the_general_ones(void **state)
{
	struct policy p = parse(
		"key " KEY_A " ann\nkey " KEY_B
		" bob\ncpu 30\nmemory 1000\ntasks 7\nfiles 99\ngroups required\n"
		"limit ann memory 5000\nlimit ann files 3\nlimit ann cost 2\nlimit bob cpu 1");
	struct policy_limit ann = policy_limit(&p, "ann"), bob = policy_limit(&p, "bob");

	(void)state;
	assert_true(p.groups_required);
	assert_int_equal(ann.use.cpu, 30);
	assert_int_equal(ann.use.memory, 5000);
	assert_int_equal(ann.use.tasks, 7);
	assert_int_equal(ann.use.files, 3);
	assert_int_equal(ann.use.cost, 2);
	assert_int_equal(bob.use.cpu, 1);
	assert_int_equal(bob.use.memory, 1000);
	assert_int_equal(bob.use.files, 99);
	policy_release(&p);
}

static void mistakes_are_named(void **state)
{
	(void)state;
	mistake("cpu 0", "line 1: cpu: must be at least 1");
	mistake("memory 1G", "line 1: memory: needs a number");
	mistake("tasks 1 2", "line 1: tasks: unexpected text follows the number");
	mistake("groups", "line 1: groups: must be required or optional");
	mistake("groups maybe", "line 1: groups: must be required or optional");
	mistake("groups required now", "line 1: groups: unexpected text follows the word");
	mistake("limit ann files x", "line 1: limit: needs a number");
	mistake("limit ann groups required", "line 1: limit: unknown rule");
}

/* A line that has no effect is a mistake, because its author believes that it has one. */
static void lines_without_effect_are_mistakes(void **state)
{
	static const char *const single[][2] = {
		{"fleet", "a"}, {"seconds", "9"},       {"keys", "9"},  {"bytes", "9"},
		{"rate", "9"},  {"lease", "9"},         {"runs", "9"},  {"daily", "9"},
		{"cpu", "9"},   {"memory", "9"},        {"tasks", "9"}, {"files", "9"},
		{"cost", "9"},  {"groups", "optional"},
	};
	static const char *const rules[][2] = {
		{"seconds", "9"},        {"rate", "9"},  {"daily", "9"},
		{"until", "2027-01-31"}, {"cpu", "9"},   {"memory", "9"},
		{"tasks", "9"},          {"files", "9"}, {"cost", "9"},
	};
	static const char *const lists[][2] = {{"probes", "tcp:*:*:*"}, {"hosts", "web*"}};
	char text[256], expected[128];
	struct policy p;

	(void)state;
	for (size_t i = 0; i < sizeof(single) / sizeof(*single); i++) {
		const char *what = single[i][0], *value = single[i][1];

		snprintf(text, sizeof(text), "%s %s\n%s %s", what, value, what, value);
		snprintf(expected, sizeof(expected), "line 2: %s: an earlier line sets it", what);
		mistake(text, expected);
	}
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const char *what = rules[i][0], *value = rules[i][1];

		snprintf(text, sizeof(text), "key " KEY_A " ann\nlimit Ann %s %s", what, value);
		mistake(text, "line 2: limit: no key has the name Ann");
		snprintf(text, sizeof(text), "limit ann %s %s\nlimit  ann %s\t%s \r", what, value,
			 what, value);
		mistake(text, "line 2: limit: an earlier line sets it");
		snprintf(text, sizeof(text), "limit ann %s %s \r\nkey " KEY_A "\tann \r\n", what,
			 value);
		p = parse(text);
		policy_release(&p);
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		const char *what = lists[i][0], *value = lists[i][1];

		snprintf(text, sizeof(text), "\nlimit nobody %s %s\nkey " KEY_A " ann", what,
			 value);
		mistake(text, "line 2: limit: no key has the name nobody");
		snprintf(text, sizeof(text), "limit ann %s %s %s", what, value, value);
		mistake(text, "line 1: limit: a pattern is listed twice");
	}
	mistake("key " KEY_A " ann\nkey " KEY_A " bob",
		"line 2: key: an earlier line has this key, so this line has no effect");
	mistake("key " KEY_A " ann\nkey " KEY_A " ann",
		"line 2: key: an earlier line has this key, so this line has no effect");
	mistake("key " KEY_A " ann bob", "line 1: key: unexpected text follows the name");
	mistake("key " KEY_A " ann#1\nlimit ann#1 cpu 1",
		"line 2: limit: needs the name of a key's owner, and a rule");
	mistake("probes", "line 1: probes: needs patterns of probes");
	mistake("replay", "line 1: replay: needs paths of captures");
	mistake("replay /a /b\nreplay /a", "line 2: replay: a pattern is listed twice");
	mistake("limit ann hosts a\nlimit ann hosts", "line 2: limit: needs names of hosts");
	/* Two keys of one owner share the owner's limits. */
	p = parse("key " KEY_A " ann\nkey " KEY_B " ann\nlimit ann cpu 1");
	assert_int_equal(policy_limit(&p, "ann").use.cpu, 1);
	policy_release(&p);
}

#define MS 1000000ull

/*
 * Adds a measurement: the probes have used @used_ms until time @ms. Returns whether that exceeds 5
 * percent.
 */
static bool used(struct cost_window *w, uint64_t ms, uint64_t used_ms, char why[128])
{
	return cost_add(w, (struct cost_sample){1000 + ms * MS, used_ms * MS}, 5, why, 128);
}

/* 5 percent of 10 s are 500 ms, which the probes may use all at once. */
static void a_burst_counts_for_what_it_uses(void **state)
{
	struct cost_window w = {0};
	char why[128] = "";

	(void)state;
	assert_false(used(&w, 0, 0, why));
	assert_false(used(&w, 1000, 500, why)); /* half of a CPU for a second */
	assert_false(used(&w, 9000, 500, why));
	assert_true(used(&w, 9500, 501, why));
	assert_string_equal(why, "its probes used 5 % of a CPU for 10 s; the policy allows 5 % "
				 "over 10 s");
	cost_window_release(&w);
}

static void a_burst_is_forgotten_after_the_window(void **state)
{
	struct cost_window w = {0};
	char why[128] = "";

	(void)state;
	assert_false(used(&w, 0, 0, why));
	assert_false(used(&w, 1000, 500, why));
	for (uint64_t s = 2; s < 12; s++)
		assert_false(used(&w, 1000 * s, 500, why));
	assert_false(used(&w, 12000, 1000, why));
	assert_true(used(&w, 13000, 1100, why));
	assert_true(w.v.n < 14);
	cost_window_release(&w);
}

/* Bursts with pauses between them count together. */
static void pauses_do_not_hide_bursts(void **state)
{
	struct cost_window w = {0};
	char why[128] = "";
	uint64_t ms = 0, sum = 0;

	(void)state;
	assert_false(used(&w, 0, 0, why));
	do {
		ms += 3000;
		sum += 180; /* 6 percent */
	} while (ms < 30000 && !used(&w, ms, sum, why));
	assert_in_range(ms, 9000, 12000);
	cost_window_release(&w);
}

static void much_at_once_ends_a_run_early(void **state)
{
	struct cost_window w = {0};
	char why[128] = "";

	(void)state;
	assert_false(used(&w, 0, 0, why));
	assert_true(used(&w, 2000, 600, why));
	assert_string_equal(why, "its probes used 30 % of a CPU for 2 s; the policy allows 5 % "
				 "over 10 s");
	cost_window_release(&w);
}

static void only_programs_have_a_cost(void **state)
{
	uint64_t id = 0, ns = 0;

	(void)state;
	assert_true(
		cost_read("pos:\t0\nprog_type:\t26\nprog_id:\t77\nrun_time_ns:\t1234\n", &id, &ns));
	assert_int_equal(id, 77);
	assert_int_equal(ns, 1234);
	assert_false(cost_read("pos:\t0\nlink_type:\ttracing\nprog_id:\t77\n", &id, &ns));
	assert_false(cost_read("", &id, &ns));
	assert_false(cost_read("run_time_ns", &id, &ns));
}

/*
 * Symbolic links are resolved, in every component of the path. A capture must be a regular file.
 * If the path leads to another file after it was opened, the descriptor still reads the first file.
 */
static void captures_are_files(void **state)
{
	char dir[] = "/tmp/test_fleet.XXXXXX", text[128], path[4][PATH_MAX], byte = 0;
	static const char *const name[] = {"a.pcap", "link.pcap", "fifo.pcap", "up"};
	struct strbuf wrong = {0}, why = {0};
	struct policy p;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(text, sizeof(text), "replay %s/*.pcap %s/up/*", dir, dir);
	assert_true(policy_parse(&p, text, &wrong));
	for (int i = 0; i < 4; i++)
		path_in(path[i], dir, name[i]);
	assert_true(file_put(path[0], "x", 1));
	assert_int_equal(symlink("/etc/passwd", path[1]), 0);
	assert_int_equal(mkfifo(path[2], 0600), 0);
	assert_int_equal(symlink("/etc", path[3]), 0);
	fd = capture_open_allowed(&p, path[0], &why);
	assert_true(fd >= 0 && !why.len);
	assert_int_equal(rename(path[1], path[0]), 0);
	assert_int_equal(read(fd, &byte, 1), 1);
	assert_int_equal(byte, 'x');
	close(fd);
	assert_int_equal(capture_open_allowed(&p, path[0], &why), -1);
	assert_int_equal(capture_open_allowed(&p, path[2], &why), -1);
	snprintf(text, sizeof(text), "%s/up/passwd", dir);
	assert_int_equal(capture_open_allowed(&p, text, &why), -1);
	assert_non_null(strstr(why.s, "up/passwd leads to a file that may not be replayed"));
	for (int i = 0; i < 4; i++)
		unlink(path[i]);
	assert_int_equal(capture_open_allowed(&p, path[0], &why), -1);
	assert_int_equal(rmdir(dir), 0);
	policy_release(&p);
	strbuf_release(&wrong);
	strbuf_release(&why);
}

/* The owner of a capture holds a lease on it. Opening it normally would wait for 45 seconds. */
static void a_lease_on_a_capture_is_refused(void **state)
{
	char name[] = "/tmp/test_fleet.XXXXXX", text[64];
	int fd = mkstemp(name);
	struct strbuf why = {0};
	struct policy p;

	(void)state;
	assert_true(fd >= 0);
	signal(SIGIO, SIG_IGN);
	assert_int_equal(fcntl(fd, F_SETLEASE, F_WRLCK), 0);
	snprintf(text, sizeof(text), "replay %s", name);
	p = parse(text);
	alarm(20);
	assert_int_equal(capture_open_allowed(&p, name, &why), -1);
	alarm(0);
	assert_non_null(strstr(why.s, ": a process holds a lease on it"));
	close(fd);
	unlink(name);
	policy_release(&p);
	strbuf_release(&why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captures_are_files),
		cmocka_unit_test(a_policy_without_bounds_has_the_usual_ones),
		cmocka_unit_test(the_bounds_of_a_key_replace_the_general_ones),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(lines_without_effect_are_mistakes),
		cmocka_unit_test(a_lease_on_a_capture_is_refused),
		cmocka_unit_test(a_burst_counts_for_what_it_uses),
		cmocka_unit_test(a_burst_is_forgotten_after_the_window),
		cmocka_unit_test(pauses_do_not_hide_bursts),
		cmocka_unit_test(much_at_once_ends_a_run_early),
		cmocka_unit_test(only_programs_have_a_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
