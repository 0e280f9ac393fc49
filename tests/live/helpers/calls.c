/*
 * calls N: waits for input on standard input, and then calls getpriority() N times in each of two
 * threads.
 *
 * calls number: prints the number of the system call getpriority.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long n;

static void *call(void *arg)
{
	for (long i = 0; i < n; i++)
		syscall(SYS_getpriority, 0, 0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (!strcmp(argv[argc - 1], "number"))
		return !printf("%d\n", SYS_getpriority);
	n = atol(argv[argc - 1]);
	getchar(); /* wait until tracing has begun */
	pthread_create(&t, NULL, call, NULL);
	call(NULL);
	pthread_join(t, NULL);
	return 0;
}
