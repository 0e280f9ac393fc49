/*
 * processes.c - two threads, and then a child, each call a function with a static probe N times,
 * where N is the argument. The exit status is the number of calls that the threads made while the
 * probe was traced, at most 255.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

unsigned short counted_semaphore __attribute__((section(".probes"), used, visibility("hidden")));
static volatile long traced;

__attribute__((noinline, noclone)) long work(long a, const char *text, long *row)
{
	if (counted_semaphore)
		traced++;
	__asm__ volatile("990: nop\n.pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n"
			 ".4byte 992f-991f, 994f-993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n"
			 "993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte counted_semaphore\n"
			 ".asciz \"guest\"\n.asciz \"at__work\"\n.asciz \"8@%%rdi 8@%%rsi "
			 "-4@4(%%rdx)\"\n994: .balign 4\n.popsection\n"
			 ".pushsection "
			 ".stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n.weak "
			 "_.stapsdt.base\n"
			 ".hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size "
			 "_.stapsdt.base,1\n.popsection\n" ::"D"(a),
			 "S"(text), "d"(row)
			 : "memory");
	return a + row[0];
}

static char *text;

static void *turn(void *n)
{
	long row[1] = {-1};

	for (long i = 0; i < (long)n; i++)
		work(i, text, row);
	return n;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 10, row[1] = {-1};
	pthread_t t[2];
	pid_t child;

	text = strdup("text");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, turn, (void *)n);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	child = fork();
	if (!child) {
		for (long i = 0; i < n; i++)
			work(i, text, row);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return traced > 255 ? 255 : (int)traced;
}
