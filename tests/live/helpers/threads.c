/*
 * threads.c - threads that share one CPU, so that a test can count the switches between them.
 *
 *	threads CPU N
 *
 * First, two threads pass a byte to each other N times; each calls getppid() before the first byte
 * and after the last. Then a thread of real-time priority waits N times for a lock with priority
 * inheritance. Then the main thread calls getpgid(nanoseconds of a tick), uses half a second of CPU
 * time, and calls getpgid() again. Last, the main thread yields its CPU 1,000 times.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long rounds;
static int there[2], back[2];
static pthread_mutex_t lock;
static pthread_barrier_t held;

static void mark(void)
{
	syscall(SYS_getppid);
}

static void *answers(void *arg)
{
	char c;

	mark();
	for (long i = 0; i < rounds; i++)
		if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
			exit(1);
	mark();
	return arg;
}

static void ping_pong(void)
{
	pthread_t t;
	char c = 'c';

	if (pipe(there) || pipe(back) || pthread_create(&t, NULL, answers, NULL))
		exit(1);
	mark();
	for (long i = 0; i < rounds; i++)
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
	mark();
	pthread_join(t, NULL);
}

static void *urgent(void *arg)
{
	struct sched_param p = {.sched_priority = 10};

	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &p))
		exit(1);
	for (long i = 0; i < rounds; i++) {
		pthread_barrier_wait(&held);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&held);
	}
	return arg;
}

/*
 * Makes a thread of real-time priority wait, once per round, for a lock that this thread holds.
 * Both threads run on the same CPU, so this thread continues only when the urgent thread waits for
 * the lock.
 */
static void inherit(void)
{
	pthread_mutexattr_t a;
	pthread_t t;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &a);
	pthread_barrier_init(&held, NULL, 2);
	if (pthread_create(&t, NULL, urgent, NULL))
		exit(1);
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&held);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&held);
	}
	pthread_join(t, NULL);
}

static void be_busy(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 2;
	struct timespec tick;

	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	syscall(SYS_getpgid, tick.tv_nsec);
	while (clock() < end)
		;
	syscall(SYS_getpgid, tick.tv_nsec);
}

int main(int argc, char **argv)
{
	cpu_set_t set;

	if (argc < 3)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	rounds = atol(argv[2]);
	if (sched_setaffinity(0, sizeof(set), &set))
		return 1;
	ping_pong();
	inherit();
	be_busy();
	for (int i = 0; i < 1000; i++)
		sched_yield();
	return 0;
}
