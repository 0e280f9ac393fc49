/*
 * test_filter.c - the memory that a reader may have: private, so that RLIMIT_DATA counts it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/filter.h"
#include "tests/check.h"

#define SIZE 65536

/* A reader's calls, and a file that it was handed. */
static long file;

static long map(long prot, long flags, long fd)
{
	return syscall(SYS_mmap, 0L, (long)SIZE, prot, flags, fd, 0L);
}

static long private_memory(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static long mapped_file(void)
{
	return map(PROT_READ, MAP_PRIVATE, file);
}

static long shared_file(void)
{
	return map(PROT_READ, MAP_SHARED, file);
}

static long shared_memory(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
}

static long stack(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}

static long code(void)
{
	return map(PROT_READ | PROT_EXEC, MAP_PRIVATE, file);
}

static long memory_file(void)
{
	return syscall(SYS_memfd_create, "m", 0);
}

static long segment(void)
{
	return syscall(SYS_shmget, IPC_PRIVATE, SIZE, 0600);
}

/* Sanitizers make calls before _exit(), which the filter refuses. */
static void leave(int status)
{
	syscall(SYS_exit_group, status);
}

/* Does @call fail with EPERM in a process that has these calls only? */
static bool is_refused(unsigned sets, long (*call)(void))
{
	struct strbuf why = {0};
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !filter_install(sets, &why))
			leave(3);
		if (call() >= 0)
			leave(0);
		leave(errno == EPERM ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), 0, 1);
	return WEXITSTATUS(status);
}

static void test_memory(void **state)
{
	const unsigned reader = CALLS_BASE | CALLS_MESSAGES;
	const unsigned spawner = reader | CALLS_SPAWN | CALLS_SERVE;
	const unsigned sets[] = {reader, spawner};
	struct strbuf why = {0};

	(void)state;
	if (!filter_load(&why)) {
		strbuf_release(&why);
		skip();
	}
	file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		assert_false(is_refused(sets[i], private_memory));
		assert_false(is_refused(sets[i], mapped_file));
		assert_false(is_refused(sets[i], shared_file));
		assert_true(is_refused(sets[i], shared_memory));
		assert_true(is_refused(sets[i], stack));
		assert_true(is_refused(sets[i], code));
		assert_true(is_refused(sets[i], memory_file));
		assert_true(is_refused(sets[i], segment));
	}
	assert_false(is_refused(CALLS_BASE | CALLS_REPLAY, shared_memory));
	close((int)file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
