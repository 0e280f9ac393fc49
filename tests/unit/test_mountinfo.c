/* test_mountinfo.c - parses lines of /proc/PID/mountinfo. */
#include <string.h>

#include "procinfo/mountinfo.h"
#include "tests/check.h"

static bool parse(struct mountinfo *m, const char *line)
{
	static char copy[200];

	strcpy(copy, line);
	return mountinfo_parse(m, copy);
}

static void test_fields(void **state)
{
	struct mountinfo m;

	(void)state;
	assert_true(
		parse(&m, "36 35 98:7 /root /where rw,noatime shared:1 - ext3 /dev/root rw,x\n"));
	assert_int_equal(m.id, 36);
	assert_int_equal(m.major, 98);
	assert_int_equal(m.minor, 7);
	assert_string_equal(m.root, "/root");
	assert_string_equal(m.at, "/where");
	assert_string_equal(m.type, "ext3");
	assert_string_equal(m.options, "rw,x");
	assert_true(parse(&m, "41 31 0:38 / /sys/fs/cgroup rw - cgroup2 none"));
	assert_string_equal(m.type, "cgroup2");
	assert_null(m.options);
}

/* The kernel escapes blanks in names, so " - " in a name is not taken for the separator. */
static void test_escapes(void **state)
{
	struct mountinfo m;

	(void)state;
	assert_true(parse(&m, "1 2 3:4 /a\\134b /x\\040-\\040fuse rw - tmpfs none rw"));
	assert_string_equal(m.root, "/a\\b");
	assert_string_equal(m.at, "/x - fuse");
	assert_string_equal(m.type, "tmpfs");
}

static void test_malformed(void **state)
{
	static const char *const lines[] = {"",
					    "\n",
					    " - ",
					    "1 2 3:4 / /x rw",
					    "1 2 3:4 / - tmpfs none rw",
					    "x 2 3:4 / /x rw - tmpfs none rw",
					    "1 2 3:4 / /x rw - \n"};
	struct mountinfo m;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_false(parse(&m, lines[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
