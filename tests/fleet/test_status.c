/* test_status.c - checks the reports of agents about their own state. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "fleet/files.h"
#include "fleet/message.h"
#include "fleet/status/health.h"
#include "tests/check.h"

#define S 1000000000ull

/*
 * An agent logs refused messages once a minute, even if the server takes other messages in between.
 */
static void refusals_are_logged_once_a_minute(void **state)
{
	struct refusals r = {0};
	struct strbuf b = {0};
	unsigned lines = 0;

	(void)state;
	assert_false(refusals_note(&r, true, "fleet.a", 100 * S, &b));
	assert_int_equal(b.len, 0);
	assert_true(refusals_note(&r, false, "fleet.a", 100 * S, &b));
	assert_non_null(strstr(b.s, "(1 so far): there is no stream"));
	assert_non_null(strstr(b.s, " for fleet.a"));
	strbuf_reset(&b);
	for (unsigned i = 1; i < 100; i++) {
		lines += refusals_note(&r, i % 2, "fleet.a", 100 * S + i * S, &b);
		if (i < 60)
			assert_int_equal(b.len, 0);
	}
	assert_int_equal(lines, 1);
	assert_non_null(strstr(b.s, "(30 so far): there is no stream"));
	strbuf_reset(&b);
	assert_false(refusals_note(&r, true, "fleet.a", 205 * S, &b));
	assert_string_equal(b.s, "the server takes messages again");
	strbuf_reset(&b);
	assert_false(refusals_note(&r, true, "fleet.a", 206 * S, &b));
	assert_int_equal(b.len, 0);
	assert_true(refusals_note(&r, false, "fleet.b", 207 * S, &b));
	strbuf_release(&b);
}

/*
 * The health that an agent writes into the inventory can be read back. An entry of an older agent
 * has no health, and is read as zeros.
 */
static void health_comes_back(void **state)
{
	struct health h = {.began = 1, .runs = 2, .started = 3, .refused = 4, .free = 6, .size = 7};
	struct health got, none = {0};
	struct strbuf b = {0};
	struct message m;

	(void)state;
	health_error(&h, "one\033 line\nand another");
	message_begin(&b);
	health_write(&b, &h);
	message_body(&b, NULL, 0);
	assert_true(message_parse(&m, b.s, b.len));
	health_read(&got, &m);
	assert_memory_equal(&got, &h, sizeof(h));
	assert_string_equal(got.error, "one\\x1b line");
	assert_int_equal(got.errors, 1);
	message_release(&m);
	assert_true(message_parse(&m, "DTFLEET1\nruns x\nerrors -1\n\n", 27));
	health_read(&got, &m);
	assert_memory_equal(&got, &none, sizeof(got));
	message_release(&m);
	strbuf_release(&b);
}

static void problems_are_named(void **state)
{
	struct health h = {.free = 6 << 20, .size = 100 << 20, .error_at = 1000, .error = "bad"};
	struct strbuf b = {0};

	(void)state;
	health_problems(&h, "1.0", "1.0", 1000 + 86400, &b);
	assert_int_equal(b.len, 0);
	h.free = 4 << 20;
	health_problems(&h, "0.9", "1.0", 1000 + 86399, &b);
	assert_string_equal(b.s, "another version; its disk is nearly full; bad");
	strbuf_reset(&b);
	health_problems(&(struct health){0}, NULL, "1.0", 1000, &b);
	assert_string_equal(b.s, "another version");
	strbuf_release(&b);
}

static void metrics_are_readable(void **state)
{
	char dir[] = "/tmp/dtrace-health-XXXXXX", path[PATH_MAX];
	struct health h = {.runs = 2};
	struct strbuf b = {0};
	struct stat st;

	(void)state;
	assert_non_null(mkdtemp(dir));
	health_look(&h, dir);
	assert_true(h.size && h.free <= h.size);
	path_in(path, dir, "x.prom");
	assert_true(health_metrics(&h, "1.0", true, path));
	assert_true(file_get(path, 0, 1 << 16, &b));
	assert_non_null(strstr(strbuf_text(&b), "\ndtrace_fleet_agent_runs 2\n"));
	assert_non_null(strstr(b.s, "\ndtrace_fleet_agent_connected 1\n"));
	assert_non_null(strstr(b.s, "\ndtrace_fleet_agent_info{version=\"1.0\"} 1\n"));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0444, 0444);
	strbuf_release(&b);
	folder_empty(dir);
	assert_int_equal(rmdir(dir), 0);
	assert_false(health_metrics(&h, "1.0", true, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_are_logged_once_a_minute),
		cmocka_unit_test(health_comes_back),
		cmocka_unit_test(problems_are_named),
		cmocka_unit_test(metrics_are_readable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
