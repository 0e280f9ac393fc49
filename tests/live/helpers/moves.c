/*
 * moves.c - threads that tell their own IDs while they move from CPU to CPU.
 *
 *	moves N THREADS
 *
 * Each of THREADS threads (at most 64) calls getpriority(77, its thread ID) N times, and moves to
 * another CPU every eight calls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 64

static long n;

static void *tell(void *arg)
{
	long ncpu = sysconf(_SC_NPROCESSORS_CONF);
	cpu_set_t set;

	for (long i = 0; i < n; i++) {
		CPU_ZERO(&set);
		CPU_SET(i / 8 % ncpu, &set);
		/* A CPU that is offline is left out. */
		if (i % 8 == 0 && sched_setaffinity(0, sizeof(set), &set) && errno != EINVAL)
			exit(1);
		syscall(SYS_getpriority, 77, syscall(SYS_gettid));
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS];
	int threads = atoi(argv[argc - 1]);

	n = atol(argv[1]);
	if (threads > THREADS)
		return 1;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, tell, NULL))
			return 1;
	for (int i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return 0;
}
