/*
 * syscall_filter.c - the system calls of each group. To allow another call, add a row to calls[].
 */
#include "sandbox/syscall_filter.h"

#if __has_include(<seccomp.h>)
#include <asm/termbits.h>
#include <asm/ioctls.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "base/library.h"

/* clang-format off */
#define FUNCTIONS(X) \
	X(init) X(release) X(load) X(rule_add_array) X(syscall_resolve_name) X(attr_set)
/* clang-format on */

static struct {
#define X(name) __typeof__(seccomp_##name) *name;
	FUNCTIONS(X)
#undef X
} lib;

static const struct library_symbol names[] = {
#define X(name) {"seccomp_" #name, (void **)&lib.name},
	FUNCTIONS(X)
#undef X
};

#define CONDITIONS 2

/*
 * A row of the table of system calls. The call @name is allowed for the groups @sets if its
 * arguments meet all conditions in @cmp. A condition whose member op is 0 is unused.
 */
struct call {
	const char *name;
	unsigned sets;
	struct scmp_arg_cmp cmp[CONDITIONS];
};

#define COMPARE(n, op, value, to) {(n), SCMP_CMP_##op, (value), (to)}
#define ANY {{0}}
#define IS(n, value) {COMPARE(n, EQ, value, 0)}
#define NONE(n, bits) {COMPARE(n, MASKED_EQ, bits, 0)}
#define NEITHER(n, bits, n2, bits2) \
	{COMPARE(n, MASKED_EQ, bits, 0), COMPARE(n2, MASKED_EQ, bits2, 0)}
#define BASE CALLS_BASE
#define REPLAY CALLS_REPLAY
#define RECEIVE CALLS_RECEIVE
#define SERVE CALLS_SERVE
#define MESSAGES CALLS_MESSAGES
#define SPAWN CALLS_SPAWN
#define ASK CALLS_ASK
#define SCREEN CALLS_SCREEN
#define CONNECT CALLS_CONNECT
#define HAS(n, mask, value) {COMPARE(n, MASKED_EQ, mask, value)}
#define NEW_NAMESPACES 0x7e020000u /* flags CLONE_NEW... of clone() */
#define OPEN_TO_WRITE (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))

static const struct call calls[] = {
	{"read", BASE, ANY},
	{"pread64", BASE, ANY},
	{"readv", BASE, ANY},
	{"write", BASE, ANY},
	{"writev", BASE, ANY},
	{"lseek", BASE, ANY},
	{"close", BASE, ANY},
	{"fstat", BASE, ANY},
	{"newfstatat", BASE, IS(3, AT_EMPTY_PATH)}, /* newer C libraries call it for fstat() */
	{"fcntl", BASE, IS(1, F_GETFL)},
	{"fcntl", BASE, IS(1, F_SETFL)},
	{"fcntl", BASE, IS(1, F_GETFD)},
	{"fcntl", BASE, IS(1, F_SETFD)},
	{"fcntl", BASE, IS(1, F_DUPFD_CLOEXEC)},
	{"fadvise64", BASE, ANY},
	{"poll", BASE, ANY},
	{"ppoll", BASE, ANY},
	/*
	 * RLIMIT_DATA counts private memory. It does not count anonymous shared memory, nor memory
	 * that grows downwards like a stack. So the filter lets a reader map neither.
	 */
	{"mmap", BASE, NEITHER(2, PROT_EXEC, 3, MAP_SHARED | MAP_GROWSDOWN)},
	{"mmap", BASE, NEITHER(2, PROT_EXEC, 3, MAP_ANONYMOUS | MAP_GROWSDOWN)},
	{"munmap", BASE, ANY},
	{"mremap", BASE, ANY},
	{"mprotect", BASE, NONE(2, PROT_EXEC)},
	{"madvise", BASE, ANY},
	{"brk", BASE, ANY},
	{"futex", BASE, ANY},
	{"clock_gettime", BASE, ANY},
	{"clock_nanosleep", BASE, ANY},
	{"nanosleep", BASE, ANY},
	{"getrandom", BASE, ANY},
	{"sysinfo", BASE, ANY},
	{"rt_sigaction", BASE, ANY},
	{"rt_sigprocmask", BASE, ANY},
	{"rt_sigreturn", BASE, ANY},
	{"restart_syscall", BASE, ANY},
	{"getpid", BASE, ANY},
	{"gettid", BASE, ANY},
	{"exit", BASE, ANY},
	{"exit_group", BASE, ANY},
	/* filter_install() calls it to check that the filter is in force */
	{"prctl", BASE, IS(0, PR_GET_SECCOMP)},

	{"mmap", REPLAY, NONE(2, PROT_EXEC)}, /* memory that the processes of -x jobs share */
	{"mprotect", REPLAY, IS(2, PROT_READ | PROT_EXEC)}, /* native code */
	{"ioctl", REPLAY, IS(1, TCGETS)},
	{"ioctl", REPLAY, IS(1, TIOCGWINSZ)},
	{"ftruncate", REPLAY, ANY},
	{"dup2", REPLAY, ANY},
	{"dup3", REPLAY, ANY},
	{"wait4", REPLAY, ANY},

	{"ioctl", SCREEN, IS(1, TCSETS)},
	{"ioctl", SCREEN, IS(1, TCSETSW)},

	{"recvfrom", RECEIVE | SERVE | CONNECT, ANY},
	{"recvmsg", RECEIVE | SERVE | MESSAGES | CONNECT, ANY},
	{"getsockopt", RECEIVE | SERVE | CONNECT, ANY},

	{"accept4", SERVE, ANY},
	{"epoll_ctl", SERVE | ASK, ANY},
	{"epoll_wait", SERVE, ANY},
	{"epoll_pwait", SERVE, ANY},
	{"epoll_create1", SERVE, ANY},
	{"eventfd2", SERVE, ANY},
	{"sendto", SERVE | CONNECT, ANY},
	{"setsockopt", SERVE | CONNECT, ANY},
	{"shutdown", SERVE | CONNECT, ANY},
	{"getsockname", SERVE | CONNECT, ANY},
	{"getpeername", SERVE | CONNECT, ANY},
	{"sendmsg", SERVE | MESSAGES | CONNECT, ANY},

	{"socketpair", ASK, IS(0, AF_UNIX)},
	{"memfd_create", ASK, ANY},
	{"fcntl", ASK, IS(1, F_ADD_SEALS)},

	{"socket", CONNECT, IS(0, AF_INET)},
	{"socket", CONNECT, IS(0, AF_INET6)},
	/* getaddrinfo() asks the kernel which addresses this machine has */
	{"socket",
	 CONNECT,
	 {COMPARE(0, EQ, AF_NETLINK, 0), COMPARE(2, EQ, 0 /* NETLINK_ROUTE */, 0)}},
	{"bind", CONNECT, ANY}, /* for the netlink socket; listen() stays forbidden */
	{"connect", CONNECT, ANY},
	{"sendmmsg", CONNECT, ANY}, /* queries to name servers */
	{"ioctl", CONNECT, IS(1, FIONREAD)},
	/* to look up names; confine() leaves only the files needed for that */
	{"openat", CONNECT, HAS(2, OPEN_TO_WRITE, 0)},
	{"newfstatat", CONNECT, ANY},
	{"uname", CONNECT, ANY},
	{"getuid", CONNECT, ANY},
	{"geteuid", CONNECT, ANY},
	{"getgid", CONNECT, ANY},
	{"getegid", CONNECT, ANY},
	/* Threads, but no processes. */
	{"clone", CONNECT, HAS(0, NEW_NAMESPACES | CLONE_THREAD, CLONE_THREAD)},
	{"set_robust_list", CONNECT, ANY},
	{"rseq", CONNECT, ANY},
	{"sched_yield", CONNECT, ANY},
	{"sched_getaffinity", CONNECT, ANY},
	{"ioctl", CONNECT, IS(1, TCGETS)}, /* isatty() */

	{"clone", SPAWN, NONE(0, NEW_NAMESPACES)},
	{"kill", SPAWN, ANY},
	{"prlimit64", SPAWN, ANY},
	{"seccomp", SPAWN, IS(0, SECCOMP_SET_MODE_FILTER)},
	{"seccomp", SPAWN, IS(0, SECCOMP_GET_ACTION_AVAIL)},
	{"prctl", SPAWN, IS(0, PR_SET_SECCOMP)},
	{"prctl", SPAWN | CONNECT, IS(0, PR_SET_PDEATHSIG)},
	{"set_robust_list", SPAWN, ANY},
	{"rseq", SPAWN, ANY},
	{"getppid", SPAWN, ANY},
};

bool filter_load(struct strbuf *why)
{
	static bool loaded;

	loaded = loaded || library_load("libseccomp.so.2", names, sizeof(names) / sizeof(*names));
	if (!loaded)
		strbuf_adds(why,
			    "cannot load libseccomp.so.2: install the Debian package libseccomp2");
	return loaded;
}

/*
 * Adds the rule for one row. A system call that this architecture does not have is skipped: arm64
 * has ppoll but no poll.
 */
static int add_rule(scmp_filter_ctx ctx, const struct call *c)
{
	int nr = lib.syscall_resolve_name(c->name);
	unsigned n = 0;

	while (n < CONDITIONS && c->cmp[n].op)
		n++;
	return nr < 0 ? 0 : lib.rule_add_array(ctx, SCMP_ACT_ALLOW, nr, n, c->cmp);
}

/*
 * Makes clone3() fail with ENOSYS, so that the C library calls clone() instead. A filter can check
 * the arguments of clone(). Those of clone3() are in memory, which a filter cannot read.
 */
static int hide_clone3(scmp_filter_ctx ctx)
{
	int nr = lib.syscall_resolve_name("clone3");

	return nr < 0 ? 0 : lib.rule_add_array(ctx, SCMP_ACT_ERRNO(ENOSYS), nr, 0, NULL);
}

static int fill_and_load(scmp_filter_ctx ctx, unsigned sets)
{
	int err = lib.attr_set(ctx, SCMP_FLTATR_CTL_NNP, 0);

	if (!err && sets & CONNECT)
		err = hide_clone3(ctx);

	for (size_t i = 0; !err && i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].sets & sets)
			err = add_rule(ctx, &calls[i]);
	return err ? err : lib.load(ctx);
}

bool filter_install(unsigned sets, struct strbuf *why)
{
	scmp_filter_ctx ctx;
	int err;

	if (!filter_load(why))
		return false;
	ctx = lib.init(SCMP_ACT_ERRNO(EPERM));
	err = ctx ? fill_and_load(ctx, sets) : -ENOMEM;
	if (ctx)
		lib.release(ctx);
	if (!err && prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER)
		return true;
	strbuf_addf(why, "the system-call filter is not in force%s%s", err ? ": " : "",
		    err ? strerror(-err) : "");
	return false;
}

#else

bool filter_load(struct strbuf *why)
{
	strbuf_adds(why, "this dtrace was built without libseccomp-dev");
	return false;
}

bool filter_install(unsigned sets, struct strbuf *why)
{
	(void)sets;
	strbuf_adds(why, "this dtrace was built without libseccomp-dev");
	return false;
}
#endif
