/* sleeper - sleeps three times in the function rest(), and then in linger(). */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long rest(long ms)
{
	struct timespec t = {0, ms * 1000000};

	return syscall(SYS_nanosleep, &t, 0) + 1;
}
/* keeps the process alive until dtrace has read its symbols */
__attribute__((noinline, noclone)) int linger(void)
{
	return sleep(2) + 1;
}
int main(void)
{
	long n = 0;

	for (int i = 0; i < 3; i++)
		n += rest(200);
	return n + linger() != 4;
}
