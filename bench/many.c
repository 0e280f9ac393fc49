/*
 * many.c - a program with 10,000 functions, f_0000 to f_9999, so that probes can be set at many
 * functions.
 *
 * For each line that it reads, the program calls every function once, and answers "done".
 */
#include <stdio.h>

/*
 * X1(W, d) is W(n) for each number n that consists of the digits d and one more digit. X2 appends
 * two digits, and so on.
 */
#define X1(W, d) W(d##0) W(d##1) W(d##2) W(d##3) W(d##4) W(d##5) W(d##6) W(d##7) W(d##8) W(d##9)
#define X2(W, d) \
	X1(W, d##0) \
	X1(W, d##1) \
	X1(W, d##2) \
	X1(W, d##3) X1(W, d##4) X1(W, d##5) X1(W, d##6) X1(W, d##7) X1(W, d##8) X1(W, d##9)
#define X3(W, d) \
	X2(W, d##0) \
	X2(W, d##1) \
	X2(W, d##2) \
	X2(W, d##3) X2(W, d##4) X2(W, d##5) X2(W, d##6) X2(W, d##7) X2(W, d##8) X2(W, d##9)
#define X4(W) \
	X3(W, 0) X3(W, 1) X3(W, 2) X3(W, 3) X3(W, 4) X3(W, 5) X3(W, 6) X3(W, 7) X3(W, 8) X3(W, 9)

#define FUNCTION(n) \
	__attribute__((noinline)) void f_##n(void); \
	void f_##n(void) \
	{ \
		__asm__ volatile("nop"); \
	}
#define CALL(n) f_##n,

X4(FUNCTION)

static void (*const all[])(void) = {X4(CALL)};

int main(void)
{
	char line[80];

	setvbuf(stdout, NULL, _IOLBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
			all[i]();
		printf("done\n");
	}
	return 0;
}
