/* test_confine.c - checks the rights that a confined client of a server keeps (confine.h). */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "sandbox/confine.h"
#include "tests/check.h"

enum { NOBODY = 65534 };

static bool opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool has_socket(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void *run_thread(void *arg)
{
	return arg;
}

static bool has_threads(void)
{
	pthread_t t;

	return !pthread_create(&t, NULL, run_thread, NULL) && !pthread_join(t, NULL);
}

/* Returns the number of the first check that fails, or 0. */
static int check_client(bool files_are_left)
{
	if (!has_socket(AF_INET, SOCK_STREAM) || !has_socket(AF_INET6, SOCK_DGRAM))
		return 2;
	if (!opens("/etc/hosts", O_RDONLY))
		return 3;
	if (files_are_left && opens("/etc/passwd", O_RDONLY))
		return 4;
#ifndef SANITIZED /* sanitizer builds have no filter */
	if (opens("/etc/hosts", O_RDWR) || opens("/tmp/test_confine", O_WRONLY | O_CREAT))
		return 5;
	if (has_socket(AF_UNIX, SOCK_STREAM) || has_socket(AF_PACKET, SOCK_RAW))
		return 6;
	if (fork() >= 0)
		return 7;
	execl("/bin/true", "true", NULL);
	if (!kill(getppid(), 0))
		return 8;
#endif
	return has_threads() ? 0 : 9;
}

static bool has_landlock(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* the version */) >= 1;
}

/* Confines a child process of this user, and returns the child's result of check_client(). */
static int check_as(bool root)
{
	const struct confinement c = {.calls = CALLS_BASE | CALLS_CONNECT, .connects = true};
	bool landlock = has_landlock();
	struct strbuf why = {0};
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (!root && !getuid() && (setgid(NOBODY) || setuid(NOBODY)))
			_exit(1);
		if (!confine(&c, &why)) {
			fprintf(stderr, "%s\n", strbuf_text(&why));
			_exit(1);
		}
		if (root && (!getuid() || !geteuid()))
			_exit(10);
		_exit(check_client(root || landlock));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_client_of_root(void **state)
{
	(void)state;
	if (getuid())
		skip();
	assert_int_equal(check_as(true), 0);
}

static void a_client_of_a_user(void **state)
{
	(void)state;
	assert_int_equal(check_as(false), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_client_of_root),
		cmocka_unit_test(a_client_of_a_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
