/*
 * confine.c - the process gives away what it does not need any more.
 */
#include "cmd/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "dtrace runs on x86-64 and arm64 only, see docs/limits.md"
#endif

#define LOAD(member)   BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define ALLOW          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define LET(call)      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ALLOW
#define CHANGES        (O_ACCMODE | O_CREAT | O_TRUNC) /* what an open file for reading has none of */

#ifndef NO_FILTER
#define MORE_AT 4 /* behind the call's number */

/* Packets of an interface, and its addresses, from sockets that are open. */
static const struct sock_filter hearing[] = {
	LET(recvfrom), LET(recvmsg), LET(getsockopt),
};

/* Answering whoever connects to a socket that is open. */
static const struct sock_filter connections[] = {
	LET(accept4), LET(epoll_ctl), LET(epoll_pwait), LET(recvfrom), LET(recvmsg), LET(sendto), LET(sendmsg),
	LET(setsockopt), LET(getsockopt), LET(shutdown), LET(getsockname), LET(getpeername),
#ifdef SYS_epoll_wait
	LET(epoll_wait),
#endif
};

/* Reading, printing to what is open, memory, time, and the way out. */
static struct sock_filter filter[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	LET(read), LET(write), LET(writev), LET(pread64), LET(lseek), LET(close), LET(fstat),
	LET(newfstatat), LET(ioctl), LET(fcntl), LET(ftruncate), LET(dup3), LET(ppoll), LET(fadvise64),
	LET(mmap), LET(munmap), LET(mremap), LET(mprotect), LET(madvise), LET(brk),
	LET(futex), LET(clock_gettime), LET(clock_nanosleep), LET(nanosleep), LET(getrandom), LET(sysinfo),
	LET(rt_sigaction), LET(rt_sigprocmask), LET(rt_sigreturn), LET(restart_syscall),
	LET(getpid), LET(gettid), LET(wait4), LET(exit), LET(exit_group),
#ifdef SYS_dup2
	LET(dup2), LET(poll),
#endif
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
	LOAD(args[2]),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CHANGES, 1, 0),
	ALLOW,
	REFUSE,
};

static void set_filter(const struct sock_filter *more, size_t size)
{
	struct sock_filter all[sizeof(filter) / sizeof(*filter) + sizeof(connections) / sizeof(*connections)];
	size_t head = MORE_AT * sizeof(*filter);
	struct sock_fprog prog = {(unsigned short)((sizeof(filter) + size) / sizeof(*filter)), all};

	memcpy(all, filter, head);
	memcpy((char *)all + head, more, size);
	memcpy((char *)all + head + size, (const char *)filter + head, sizeof(filter) - head);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0);
}
#else
static const struct sock_filter hearing[1], connections[1];

static void set_filter(const struct sock_filter *more, size_t size)
{
	(void)more, (void)size;
}
#endif

#define CAP(c) (1ull << CAP_##c)

/* Those that are not in @kept go.  Ambient ones go with them. */
static void keep_capabilities(uint64_t kept)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct c[_LINUX_CAPABILITY_U32S_3] = {0};

	if (kept && syscall(SYS_capget, &h, c))
		return;
	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		uint32_t keep = (uint32_t)(kept >> 32 * i);

		c[i].effective &= keep;
		c[i].permitted &= keep;
		c[i].inheritable = 0;
	}
	syscall(SYS_capset, &h, c);
}

/* What @try says while CAP_SYS_ADMIN, if we have it, is not in force. */
static bool without_admin(bool (*try)(void))
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct c[_LINUX_CAPABILITY_U32S_3] = {0}, less[_LINUX_CAPABILITY_U32S_3];
	bool yes;

	if (syscall(SYS_capget, &h, c))
		return true;
	memcpy(less, c, sizeof(c));
	less[CAP_SYS_ADMIN / 32].effective &= ~(1u << CAP_SYS_ADMIN % 32);
	syscall(SYS_capset, &h, less);
	yes = try();
	syscall(SYS_capset, &h, c);
	return yes;
}

/* @more: what is let through beside what always is; @size in bytes. */
static void give_away(const struct sock_filter *more, size_t size)
{
	tzset(); /* its file may be one that we cannot read later */
	keep_capabilities(0);
	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		set_filter(more, size);
}

void confine(void)
{
	give_away(hearing, 0);
}

void confine_hearing(void)
{
	give_away(hearing, sizeof(hearing));
}

void confine_serving(void)
{
	give_away(connections, sizeof(connections));
}

void confine_tracing(bool (*enough)(void))
{
	uint64_t kept = CAP(BPF) | CAP(PERFMON) | CAP(NET_ADMIN) | CAP(SYSLOG) | CAP(SYS_PTRACE) |
			CAP(DAC_READ_SEARCH);

	if (enough && !without_admin(enough))
		kept |= CAP(SYS_ADMIN);
	keep_capabilities(kept);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
