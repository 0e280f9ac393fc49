/*
 * keys.c - makes many different keys: calls lseek(-1, i, 0) for i from 0 to N - 1.
 *
 * Reads N, one a line, and answers each with "done".  With 0 it only answers.
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
