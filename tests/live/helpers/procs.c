/*
 * procs.c - makes children, threads and signals that a test counts.
 *
 *	procs N		N children that execute this program again and end; N / 10 children whose
 *			exec fails and that end by a signal; N / 10 threads; N signals that are
 *			handled and N that are ignored; a child that divides by zero, a child that
 *			accesses an unmapped address, and a child that aborts; a child whose
 *			SIGCHLD is handled
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void handler(int sig)
{
	handled += sig != 0;
}

static void *thread(void *arg)
{
	return arg;
}

/*
 * Starts a child that calls @what, and waits for its end. Calls clone(), because glibc 2.41 blocks
 * signals during fork(). The test needs the kernel to discard SIGCHLD, which it does only while the
 * signal is not blocked.
 */
static void child(void (*what)(void))
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		what();
		_exit(99);
	}
	waitpid(pid, NULL, 0);
}

static void runs(void)
{
	execl("/proc/self/exe", "lived", NULL);
}

static void cannot(void)
{
	execl("/no/such/program", "program", NULL);
	if (errno == ENOENT)
		raise(SIGKILL);
}

static volatile int zero;

static void divides(void)
{
	zero = 100 / zero;
}

static void strays(void)
{
	volatile char *volatile nowhere = (char *)8;

	*nowhere = 1;
}

static void aborts(void)
{
	abort();
}

static void quits(void)
{
	_exit(5);
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	pthread_t t;

	if (!strcmp(argv[0], "lived"))
		_exit(7);
	for (long i = 0; i < n; i++)
		child(runs);
	for (long i = 0; i < n / 10; i++)
		child(cannot);
	for (long i = 0; i < n / 10 && !pthread_create(&t, NULL, thread, NULL); i++)
		pthread_join(t, NULL);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, SIG_IGN);
	for (long i = 0; i < n; i++) {
		raise(SIGUSR1);
		raise(SIGUSR2);
	}
	child(divides);
	child(strays);
	child(aborts);
	signal(SIGCHLD, handler);
	child(quits);
	handled--;
	return handled == n ? 0 : 1;
}
