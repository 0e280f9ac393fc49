/*
 * timed.c - runs a command and writes its cost to a file.
 *
 * usage: timed FILE COMMAND [ARGUMENT ...]
 *
 * Writes one line to FILE: seconds of wall clock, user and system time, peak resident KiB, exit
 * status. A process inherits the peak of its parent. So a command that a script starts would seem
 * to need as much memory as the script's interpreter. This small program starts the command
 * instead.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage ru;
	double start;
	int status;
	pid_t pid;
	FILE *f;

	if (argc < 3)
		errx(2, "usage: timed FILE COMMAND [ARGUMENT ...]");
	start = now();
	pid = fork();
	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		/*
		 * The kernel ends the command if this program ends, for example because the
		 * benchmark was stopped.
		 */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (wait4(pid, &status, 0, &ru) < 0)
		err(1, "wait4");
	start = now() - start;
	status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);

	f = fopen(argv[1], "w");
	if (!f)
		err(1, "%s", argv[1]);
	fprintf(f, "%.6f %.6f %.6f %ld %d\n", start, seconds(ru.ru_utime), seconds(ru.ru_stime),
		ru.ru_maxrss, status);
	if (fclose(f))
		err(1, "%s", argv[1]);
	return status;
}
