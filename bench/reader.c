/*
 * reader.c - a program to be traced, which reads one byte at a time.
 *
 * usage: reader
 *
 * Reads numbers from standard input, one a line. For each number N it calls read(2) N times, for
 * one byte of /dev/zero each, and prints the CPU time in ns.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static long long cpu_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	char line[32], byte;

	if (zero < 0)
		err(1, "/dev/zero");
	while (fgets(line, sizeof(line), stdin)) {
		long long began = cpu_time();

		for (long n = atol(line); n > 0; n--)
			if (read(zero, &byte, 1) != 1)
				err(1, "read");
		printf("%lld\n", cpu_time() - began);
		fflush(stdout);
	}
	return 0;
}
