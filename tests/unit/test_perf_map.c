/*
 * test_perf_map.c - reads perf maps, which have the symbols of code that a process generated at run
 * time.
 */
#include <stdio.h>
#include <unistd.h>

#include "procinfo/perf_map.h"
#include "tests/check.h"

static bool read_map(const char *text, struct perf_map *m)
{
	FILE *f = tmpfile();
	bool good;

	*m = (struct perf_map){0};
	fputs(text, f);
	fflush(f);
	good = perf_map_read(fileno(f), m);
	fclose(f);
	return good;
}

static void check_name(const struct perf_map *m, uint64_t addr, const char *name)
{
	const struct perf_entry *e = perf_map_find(m, addr);

	assert_int_equal(e != NULL, name != NULL);
	if (e)
		assert_string_equal(m->text + e->name, name);
}

static void test_finds(void **state)
{
	struct perf_map m;

	(void)state;
	assert_true(read_map("2000 10 second\n1000 20 first one\n2000 8 again\n", &m));
	check_name(&m, 0xfff, NULL);
	check_name(&m, 0x1000, "first one");
	check_name(&m, 0x101f, "first one");
	check_name(&m, 0x1020, NULL);
	check_name(&m, 0x2007, "again"); /* the later line replaces the earlier one */
	check_name(&m, 0x2008, NULL);
	perf_map_release(&m);
}

/* A nested entry hides only its own bytes of the outer entry. */
static void test_nested(void **state)
{
	struct perf_map m;

	(void)state;
	assert_true(read_map("1000 1000 outer\n1100 100 middle\n1140 10 inner\n1180 8 sibling\n"
			     "1f00 200 across\n3000 100 replaced\n3000 10 code\n3050 8 last\n",
			     &m));
	check_name(&m, 0x10ff, "outer");
	check_name(&m, 0x113f, "middle");
	check_name(&m, 0x1140, "inner");
	check_name(&m, 0x1150, "middle");
	check_name(&m, 0x1188, "middle");
	check_name(&m, 0x1200, "outer");
	check_name(&m, 0x1fff, "across");
	check_name(&m, 0x20ff, "across");
	check_name(&m, 0x2100, NULL);
	check_name(&m, 0x300f, "code");
	check_name(&m, 0x3060, NULL);
	perf_map_release(&m);
}

static void test_damaged(void **state)
{
	static const char *const none[] = {
		"",
		"\n",
		"nonsense\n1000 20 first\n",
		"1000 20 unfinished",
		"1000 0 empty\n",
		"ffffffffffffffff 2 wraps\n",
		"1000 20 \n",
		"1000\n",
	};
	struct perf_map m;

	(void)state;
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(read_map(none[i], &m));
	assert_true(read_map("1000 20 first\nnonsense\n3000 1 third\n4000 1 unfin", &m));
	check_name(&m, 0x3000, "third");
	check_name(&m, 0x4000, NULL);
	perf_map_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
