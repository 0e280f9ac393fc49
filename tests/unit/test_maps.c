/*
 * test_maps.c - checks that dtrace does not read the mappings of blocked processes. The test
 * includes maps.c, because it adds processes to the list of blocked processes there.
 */
#include "procinfo/maps.c"

#include "procinfo/process.h"
#include "tests/check.h"

static unsigned reported;

static void count_line(const char *line)
{
	assert_non_null(strstr(line, "takes too long"));
	reported++;
}

static int start_test(void **state)
{
	(void)state;
	reported = 0;
	maps_report(count_line);
	return 0;
}

static int end_test(void **state)
{
	(void)state;
	vec_free(&blocked);
	return 0;
}

static size_t mappings_of(pid_t pid)
{
	struct process *p = process_read(pid);
	size_t n = p->map.n;

	process_free(p);
	return n;
}

/* Without a helper, this process reads the mappings itself. */
static void without_helper(void **state)
{
	struct process *p = process_read(getpid());
	int fd = -1;

	(void)state;
	assert_int_equal(p->uid, getuid());
	assert_true(p->map.n > 3);
	for (size_t i = 0; i < p->map.n && fd < 0; i++)
		if (p->map.v[i].inode)
			fd = maps_open(p->pid, p->map.v[i].from, p->map.v[i].to);
	if (!getuid())
		assert_true(fd >= 0);
	if (fd >= 0)
		close(fd);
	process_free(p);
}

/* A blocked process is not read again, and one line says so. */
static void one_process_is_blocked(void **state)
{
	(void)state;
	add_blocked(getpid());
	assert_int_equal(reported, 1);
	assert_int_equal(mappings_of(getpid()), 0);
	assert_int_equal(maps_open(getpid(), 0, 4096), -1);
	assert_int_equal(reported, 1);
}

/* The process has ended, so its number may belong to another process. */
static void blocked_process_ends(void **state)
{
	pid_t pid = fork();

	(void)state;
	if (!pid)
		for (;;)
			pause();
	add_blocked(pid);
	assert_true(is_blocked(pid));
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(is_blocked(pid));
}

/* The mappings of one user's processes may take a limited time. */
static void time_of_a_user(void **state)
{
	const uid_t uid = getuid() ? getuid() : 1000;
	bool first = false;

	(void)state;
	assert_true(has_time(uid));
	budget_spend(BUDGET_MAPS, uid, 1900000000);
	assert_true(has_time(uid));
	budget_spend(BUDGET_MAPS, uid, 3600000000000);
	assert_false(has_time(uid));
	assert_false(has_time(uid));
	assert_int_equal(reported, 1);
	budget_spend(BUDGET_MAPS, 0, 3600000000000);
	assert_true(budget_left(BUDGET_MAPS, 0, &first));
	assert_true(budget_left(BUDGET_FILES, uid, &first));
	assert_int_equal(mappings_of(getpid()) == 0, getuid() != 0);
}

/* After three blocked processes of one user, no process of this user is read. */
static void all_of_a_user_are_blocked(void **state)
{
	const uid_t uid = maps_user(getpid()), other = uid ? uid : 1000;

	(void)state;
	for (pid_t pid = 1; pid <= BLOCKED_PROCESSES; pid++)
		vec_push(&blocked, ((struct blocked){INT32_MAX - pid, other, -1}));
	assert_true(is_user_blocked(other));
	assert_false(is_user_blocked(other + 1));
	assert_int_equal(mappings_of(getpid()) == 0, uid != 0);
	/* this limit does not apply to root */
	for (pid_t pid = 1; pid <= BLOCKED_PROCESSES; pid++)
		vec_push(&blocked, ((struct blocked){INT32_MAX - pid, 0, -1}));
	assert_false(is_user_blocked(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(without_helper, start_test, end_test),
		cmocka_unit_test_setup_teardown(one_process_is_blocked, start_test, end_test),
		cmocka_unit_test_setup_teardown(blocked_process_ends, start_test, end_test),
		cmocka_unit_test_setup_teardown(all_of_a_user_are_blocked, start_test, end_test),
		cmocka_unit_test_setup_teardown(time_of_a_user, start_test, end_test),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
