/*
 * counters.c - performs operations that vminfo, sysinfo and lockstat count.
 *
 *	counters N DIR
 *
 * First it calls getppid(), causes at least 2 * N page faults, and calls getppid() again. It passes
 * the number of these faults to getpgid(). Then it makes each system call in the loop of calls() N
 * times, and starts N / 100 children with fork(), N / 100 with vfork() and N / 100 threads. Last,
 * two threads at the same time each create and remove a file in DIR 20 * N times.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static long n;
static const char *dir;

static void faults(void)
{
	char *p = mmap(NULL, (size_t)n * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);
	volatile char c = 0;

	madvise(p, (size_t)n * 4096, MADV_NOHUGEPAGE);
	for (long i = 0; i < n; i++) /* only reads, so that each fault maps the shared zero page */
		c += p[i * 4096];
	for (long i = 0; i < n; i++)
		p[i * 4096] = 1;
}

static void calls(void)
{
	int zero = open("/dev/zero", O_RDWR), q = msgget(IPC_PRIVATE, 0600),
	    s = semget(IPC_PRIVATE, 1, 0600);
	struct {
		long type;
		char text[8];
	} m = {1, "text"};
	struct sembuf up = {.sem_op = 1};
	char buf[64];
	struct iovec iov = {buf, 7};

	for (long i = 0; i < n; i++) {
		syscall(SYS_read, zero, buf, 5L);
		syscall(SYS_pread64, zero, buf, 6L, 0L);
		syscall(SYS_readv, zero, &iov, 1L);
		syscall(SYS_write, zero, buf, 3L);
		syscall(SYS_read, -1, buf, 5L);
		msgsnd(q, &m, 4, 0);
		msgrcv(q, &m, sizeof(m.text), 0, 0);
		semop(s, &up, 1);
	}
	msgctl(q, IPC_RMID, NULL);
	semctl(s, 0, IPC_RMID);
}

static void *nothing(void *arg)
{
	return arg;
}

static void lives(void)
{
	pthread_t t;
	pid_t pid;

	for (volatile long i = 0; i < n / 100; i++) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		pid = vfork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		if (!pthread_create(&t, NULL, nothing, NULL))
			pthread_join(t, NULL);
	}
}

static void *makes_files(void *who)
{
	char name[256];

	for (long i = 0; i < 20 * n; i++) {
		snprintf(name, sizeof(name), "%s/%s", dir, (const char *)who);
		close(open(name, O_CREAT | O_WRONLY, 0600));
		unlink(name);
	}
	return NULL;
}

static void contend(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, makes_files, "one"))
		exit(1);
	makes_files("two");
	pthread_join(t, NULL);
}

static long minor(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_minflt + r.ru_majflt;
}

int main(int argc, char **argv)
{
	long before, after;

	if (argc < 3)
		return 2;
	n = atol(argv[1]);
	dir = argv[2];
	before = minor();
	syscall(SYS_getppid);
	faults();
	syscall(SYS_getppid);
	after = minor();
	syscall(SYS_getpgid, after - before);
	calls();
	lives();
	contend();
	return 0;
}
