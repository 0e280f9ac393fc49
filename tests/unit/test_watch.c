/*
 * test_watch.c - checks which mappings are recorded for processes that have called fork() but not
 * execve(), and that have ended.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procinfo/process.h"
#include "procinfo/watch.h"
#include "tests/check.h"

/* a file that the test itself does not map */
#define OTHER_FILE "/bin/cat"

static int start(void **state)
{
	(void)state;
	watch_start();
	watch_add(getpid());
	return 0;
}

static int stop(void **state)
{
	(void)state;
	watch_stop();
	return 0;
}

/* Skips the test if this process may not record. */
static void need_records(void)
{
	struct process *p = watch_process(getpid());

	if (!p) {
		print_message("SKIP: no right to record mappings\n");
		skip();
	}
	process_free(p);
}

static bool maps_file(const struct process *p, const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	for (size_t i = 0; i < p->map.n; i++)
		if (p->map.v[i].exec && p->map.v[i].inode == st.st_ino)
			return true;
	return false;
}

static void map_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		_exit(1);
}

/* A process without execve() has its parent's mappings, and those it made itself. */
static void own_mappings_are_kept(void **state)
{
	struct process *p;
	pid_t child;
	int status;

	(void)state;
	need_records();
	child = fork();
	if (!child) {
		map_file(OTHER_FILE);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	p = watch_process(child);
	assert_non_null(p);
	assert_int_equal(p->pid, child);
	assert_true(maps_file(p, "/proc/self/exe"));
	assert_true(maps_file(p, OTHER_FILE));
	process_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(own_mappings_are_kept, start, stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
