/*
 * launch.c - executes our own binary again.
 */
#include "sandbox/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Sanitizers read their options from the environment and report on standard error. So a build with
 * sanitizers keeps both.
 */
#ifdef SANITIZED
#define KEEPS_REPORTS 1
#else
#define KEEPS_REPORTS 0
#endif

/*
 * Descriptors for the child to use. All numbers are above SPAWNER_FD, so that no dup2() in the
 * child overwrites one of them.
 */
struct child_fds {
	int exe, null, sock;
};

static int move_above_spawner_fd(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, SPAWNER_FD + 1);
}

static void close_child_fds(struct child_fds *f)
{
	int *all[] = {&f->exe, &f->null, &f->sock};

	for (int i = 0; i < 3; i++)
		if (*all[i] >= 0)
			close(*all[i]);
}

static bool open_child_fds(struct child_fds *f, int sock)
{
	int exe = open("/proc/self/exe", O_PATH | O_CLOEXEC);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	*f = (struct child_fds){move_above_spawner_fd(exe), move_above_spawner_fd(null),
				move_above_spawner_fd(sock)};
	if (exe >= 0)
		close(exe);
	if (null >= 0)
		close(null);
	if (f->exe >= 0 && f->null >= 0 && f->sock >= 0)
		return true;
	close_child_fds(f);
	return false;
}

/*
 * Runs in the child of vfork(), which shares our memory. So this function only makes system calls,
 * and never returns.
 */
static void exec_child(char *const *argv, const struct child_fds *f)
{
	static char *const empty[] = {NULL};
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(f->null, STDIN_FILENO);
	dup2(f->null, STDOUT_FILENO);
	if (!KEEPS_REPORTS)
		dup2(f->null, STDERR_FILENO);
	dup2(f->sock, SPAWNER_FD);
	setsid();
	syscall(SYS_close_range, SPAWNER_FD + 1, ~0u, CLOSE_RANGE_CLOEXEC);
	syscall(SYS_execveat, f->exe, "", argv, KEEPS_REPORTS ? environ : empty, AT_EMPTY_PATH);
	_exit(127);
}

pid_t launch_self(char *const *argv, int fd)
{
	struct child_fds f;
	pid_t pid;

	if (!open_child_fds(&f, fd))
		return -1;
	pid = vfork();
	if (pid == 0)
		exec_child(argv, &f);
	close_child_fds(&f);
	return pid;
}
