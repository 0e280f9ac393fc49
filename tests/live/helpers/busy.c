/* busy - computes in the function compute() until it is killed. */
#include <stdlib.h>

volatile long n;
__attribute__((noinline, noclone)) void compute(void)
{
	for (int i = 0; i < 100000000; i++)
		n += i;
}
int main(void)
{
	for (;;)
		compute();
}
