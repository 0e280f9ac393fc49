/*
 * test_memory_limit.c - reads memory limits of control groups of versions 1 and 2, from files that
 * the test makes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory_limit.h"
#include "tests/check.h"

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_true(f && fputs(text, f) >= 0);
	if (f)
		fclose(f);
}

/*
 * The smallest limit of the group and the groups above it counts. "max" and a missing file mean no
 * limit.
 */
static void test_version_2(void **state)
{
	(void)state;
	put("groups", "1:name=systemd:/x\n0::/a/b\n");
	assert_true(memory_limit("groups", "tree") == UINT64_MAX);
	put("tree/a/b/memory.max", "max\n");
	assert_true(memory_limit("groups", "tree") == UINT64_MAX);
	put("tree/a/memory.max", "50331648\n");
	assert_true(memory_limit("groups", "tree") == 50331648);
	put("tree/a/b/memory.max", "60000000\n");
	assert_true(memory_limit("groups", "tree") == 50331648);
	put("tree/memory.max", "4096\n"); /* the root has a limit, as in a container */
	assert_true(memory_limit("groups", "tree") == 4096);
	put("groups", "0::/\n");
	assert_true(memory_limit("groups", "tree") == 4096);
}

static void test_version_1(void **state)
{
	(void)state;
	put("groups", "4:memory:/c\n0::/gone\n");
	put("tree/memory.max", "max\n");
	assert_true(memory_limit("groups", "tree") == UINT64_MAX);
	put("tree/memory/c/memory.limit_in_bytes", "25165824\n");
	assert_true(memory_limit("groups", "tree") == 25165824);
	assert_true(memory_limit("no such file", "tree") == UINT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_version_1),
	};
	char dir[] = "/tmp/test_memory_limit.XXXXXX";
	int failed;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	mkdir("tree", 0700);
	mkdir("tree/a", 0700);
	mkdir("tree/a/b", 0700);
	mkdir("tree/memory", 0700);
	mkdir("tree/memory/c", 0700);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!failed)
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
	return 1;
}
