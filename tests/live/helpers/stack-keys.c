/*
 * stack-keys.c - makes system calls at 30 depths of the stack, so that a test can count the stacks.
 *
 *	stack-keys N
 *
 * The program calls getppid() once at depth 1, twice at depth 2, and so on, up to 30 times at depth
 * 30. Then it calls getpgid(1). It does all this twice, and then calls setsid() N times.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define DEEPEST 30

/*
 * Calls getppid() @times times at depth @depth. Each depth needs a stack frame of its own, so an
 * operation after the recursive call prevents a tail call.
 */
__attribute__((noinline)) static long from(int depth, int times)
{
	long n = 0;

	if (depth > 1)
		return from(depth - 1, times) + 1;
	while (times--)
		n += syscall(SYS_getppid);
	return n;
}

int main(int argc, char **argv)
{
	long n = 0;

	for (volatile int round = 0; round < 2; round++) {
		for (int i = 1; i <= DEEPEST; i++)
			n += from(i, i);
		syscall(SYS_getpgid, 1);
	}
	for (long i = argc > 1 ? atol(argv[1]) : 0; i > 0; i--)
		syscall(SYS_setsid);
	return n == 0;
}
