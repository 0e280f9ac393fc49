/*
 * keys.c - makes system calls that give an aggregation many different keys: lseek(-1, i, 0) for i
 * from 0 to N - 1.
 *
 * Reads numbers N, one per line. After the calls for a number, it answers "done". For 0 it makes no
 * calls and only answers.
 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	long n;

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (scanf("%ld", &n) == 1) {
		for (long i = 0; i < n; i++)
			(void)!lseek(-1, i, SEEK_SET);
		printf("done\n");
	}
	return 0;
}
