/*
 * command.c - starts commands without our rights.
 */
#include "sandbox/command.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "sandbox/confine.h"

static bool unconfined;

void commands_allow_unconfined(void)
{
	unconfined = true;
}

/*
 * Removes most variables from the environment. Keeps those that say where commands are and how text
 * looks. Other variables may hold secrets, or name files that the command's user cannot read.
 */
static void reduce_environment(void)
{
	static const char *const kept[] = {"PATH=", "LANG=", "LC_", "TZ=", "TERM="};
	VEC(char *) few = {0};

	for (char **e = environ; *e; e++)
		for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
			if (!strncmp(*e, kept[i], strlen(kept[i])))
				vec_push(&few, *e);
	vec_push(&few, "HOME=/");
	vec_push(&few, NULL);
	environ = few.v;
}

/* The limits of a command that somebody else's text could keep busy. */
#define DATA_BYTES (512ull << 20)
#define CPU_SECONDS 10

/* Replaces the child process by the command. If that fails, sets errno to the reason. */
static void run(const char *const *argv, int in, int out, bool limited)
{
	const struct confinement c = {.data_bytes = limited ? DATA_BYTES : 0,
				      .cpu_seconds = limited ? CPU_SECONDS : 0,
				      .best_effort = unconfined};
	struct strbuf why = {0};
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	signal(SIGPIPE, SIG_DFL);
	setsid(); /* without our terminal, the command cannot type into our shell */
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
	    dup2(null, STDERR_FILENO) < 0 ||
	    syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC))
		return;
	if (!geteuid())
		reduce_environment();
	if (!confine_command(&c, &why)) {
		errno = EPERM;
		return;
	}
	execvp(argv[0], (char *const *)(uintptr_t)argv);
}

int command_start(pid_t *pid, const char *const *argv, int in, int out, bool limited)
{
	int fd[2], err = 0;
	ssize_t n;

	if (pipe2(fd, O_CLOEXEC))
		return errno;
	*pid = fork();
	if (!*pid) {
		run(argv, in, out, limited);
		err = errno;
		if (write(fd[1], &err, sizeof(err)) < 0)
			_exit(126);
		_exit(127);
	}
	if (*pid < 0)
		err = errno;
	close(fd[1]);
	/* The pipe is close-on-exec, so the end of the file means that the command runs. */
	while (*pid > 0 && (n = read(fd[0], &err, sizeof(err))) < 0 && errno == EINTR)
		;
	close(fd[0]);
	if (*pid > 0 && err)
		while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
			;
	return err;
}
