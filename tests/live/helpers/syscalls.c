/* syscalls.c - makes system calls that a test counts. The argument is the number of reads. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Makes a system call through the 32-bit entry, where number 20 is getpid. In the 64-bit table,
 * number 20 is writev.
 */
static void call_32(void)
{
#ifdef __x86_64__
	long r = 20;

	__asm__ volatile("int $0x80" : "+a"(r) : : "r8", "r9", "r10", "r11", "memory");
#endif
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 0;
	char c = 0;

	if (dup2(open("/dev/zero", O_RDONLY), 77) < 0)
		return 1;
	for (long i = 0; i < n; i++)
		syscall(SYS_read, 77, &c, 1L);
	for (long i = 0; i < n / 10; i++)
		syscall(SYS_close, -1L);
	for (long i = 0; i < n / 100; i++)
		syscall(SYS_write, 78, &c, 5L);
	for (int i = 0; i < 3; i++)
		syscall(SYS_getpgid, 0L);
	syscall(SYS_getppid);
	for (int i = 0; i < 7; i++)
		call_32();
	syscall(SYS_lseek, 77, 1L, 2L, 4L, 5L, 6L);
	return 0;
}
