/*
 * test_filter.c - checks what the system call filter of a confined process refuses: memory that
 * RLIMIT_DATA does not count, input to the user's terminal, and calls that reach other processes
 * and files.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/syscall_filter.h"
#include "tests/check.h"

#define SIZE 65536

/*
 * Descriptor of the file that a confined reader parses. The functions below make system calls that
 * a hostile file could make the reader do.
 */
static long file;

static long map(long prot, long flags, long fd)
{
	return syscall(SYS_mmap, 0L, (long)SIZE, prot, flags, fd, 0L);
}

static long private_memory(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static long mapped_file(void)
{
	return map(PROT_READ, MAP_PRIVATE, file);
}

static long shared_file(void)
{
	return map(PROT_READ, MAP_SHARED, file);
}

static long shared_memory(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
}

static long stack(void)
{
	return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1);
}

static long code(void)
{
	return map(PROT_READ | PROT_EXEC, MAP_PRIVATE, file);
}

static long memory_file(void)
{
	return syscall(SYS_memfd_create, "m", 0);
}

static long segment(void)
{
	return syscall(SYS_shmget, IPC_PRIVATE, SIZE, 0600);
}

/* Descriptor of the terminal of a user who looks at a hostile capture. */
static long terminal;

static long type_for_user(void)
{
	return syscall(SYS_ioctl, terminal, TIOCSTI, "x");
}

/* The kernel ignores the upper half of the request number. */
static long type_with_high_bits(void)
{
	return syscall(SYS_ioctl, terminal, TIOCSTI | 1ul << 32, "x");
}

static long read_terminal_mode(void)
{
	char buf[256];

	return syscall(SYS_ioctl, terminal, TCGETS, buf);
}

static long set_terminal_mode(void)
{
	char buf[256];

	syscall(SYS_ioctl, terminal, TCGETS, buf);
	return syscall(SYS_ioctl, terminal, TCSETSW, buf);
}

static long open_secret(void)
{
	return syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY, 0);
}

static long find_file(void)
{
	char buf[256];

	return syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", buf, 0);
}

static long connect_out(void)
{
	return syscall(SYS_socket, AF_INET, SOCK_DGRAM, 0);
}

static long run_program(void)
{
	const char *const argv[] = {"/bin/true", NULL};

	return syscall(SYS_execve, argv[0], argv, argv + 1);
}

static long signal_parent(void)
{
	return syscall(SYS_kill, getppid(), 0);
}

static long trace_parent(void)
{
	return syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0L, 0L);
}

static long read_parent(void)
{
	return syscall(SYS_process_vm_readv, getppid(), NULL, 0L, NULL, 0L, 0L);
}

static long leave_network(void)
{
	return syscall(SYS_unshare, CLONE_NEWUSER);
}

/* Creates an io_uring, which can make system calls that no filter sees. */
static long ring(void)
{
	char params[256] = {0};

	return syscall(SYS_io_uring_setup, 1, params);
}

/*
 * Ends the process. _exit() cannot be used, because in a sanitizer build it makes calls that the
 * filter refuses.
 */
static void leave(int status)
{
	syscall(SYS_exit_group, status);
}

/*
 * Returns whether @call fails with EPERM in a process that may make only the system calls of @sets.
 */
static bool is_refused(unsigned sets, long (*call)(void))
{
	struct strbuf why = {0};
	pid_t pid = fork();
	int status = 0;

	if (!pid) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || !filter_install(sets, &why))
			leave(3);
		if (call() >= 0)
			leave(0);
		leave(errno == EPERM ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_in_range(WEXITSTATUS(status), 0, 1);
	return WEXITSTATUS(status);
}

static void test_memory(void **state)
{
	const unsigned reader = CALLS_BASE | CALLS_MESSAGES;
	const unsigned spawner = reader | CALLS_SPAWN | CALLS_SERVE;
	const unsigned sets[] = {reader, spawner};
	struct strbuf why = {0};

	(void)state;
	if (!filter_load(&why)) {
		strbuf_release(&why);
		skip();
	}
	file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	assert_true(file >= 0);
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		assert_false(is_refused(sets[i], private_memory));
		assert_false(is_refused(sets[i], mapped_file));
		assert_false(is_refused(sets[i], shared_file));
		assert_true(is_refused(sets[i], shared_memory));
		assert_true(is_refused(sets[i], stack));
		assert_true(is_refused(sets[i], code));
		assert_true(is_refused(sets[i], memory_file));
		assert_true(is_refused(sets[i], segment));
	}
	assert_false(is_refused(CALLS_BASE | CALLS_REPLAY, shared_memory));
	close((int)file);
}

static void test_outside(void **state)
{
	static long (*const calls[])(void) = {
		type_for_user, type_with_high_bits, open_secret, find_file,     connect_out,
		run_program,   trace_parent,        read_parent, leave_network, ring,
	};
	const unsigned sets[] = {CALLS_BASE | CALLS_REPLAY,
				 CALLS_BASE | CALLS_REPLAY | CALLS_RECEIVE | CALLS_MESSAGES,
				 CALLS_BASE | CALLS_MESSAGES,
				 CALLS_BASE | CALLS_SERVE,
				 CALLS_BASE | CALLS_SPAWN | CALLS_ASK,
				 CALLS_BASE | CALLS_REPLAY | CALLS_SCREEN};
	struct strbuf why = {0};

	(void)state;
	if (!filter_load(&why)) {
		strbuf_release(&why);
		skip();
	}
	terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0)
		skip();
	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++) {
		for (size_t k = 0; k < sizeof(calls) / sizeof(*calls); k++)
			assert_true(is_refused(sets[i], calls[k]));
		assert_int_equal(is_refused(sets[i], signal_parent), !(sets[i] & CALLS_SPAWN));
		assert_int_equal(is_refused(sets[i], read_terminal_mode),
				 !(sets[i] & CALLS_REPLAY));
		assert_int_equal(is_refused(sets[i], set_terminal_mode), !(sets[i] & CALLS_SCREEN));
	}
	close((int)terminal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
