/*
 * features.c - finds out what this kernel, and the rights of this process, allow.
 *
 * The functions try things instead of comparing version numbers, because distributions backport
 * features.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"
#include "engine/kernel/bpf.h"
#include "engine/kernel/impl.h"

/* The capabilities that tracing needs. CAP_SYS_ADMIN includes all of them. */
static const struct need {
	unsigned cap;
	const char *text;
} needs[] = {
	{CAP_BPF, "cap_bpf to load programs"},
	{CAP_PERFMON, "cap_perfmon to trace what the kernel does"},
	{CAP_NET_ADMIN, "cap_net_admin to see what sockets send and receive"},
};

static uint64_t own_caps(void)
{
	struct __user_cap_header_struct h = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct c[_LINUX_CAPABILITY_U32S_3] = {0};

	if (syscall(SYS_capget, &h, c))
		return geteuid() == 0 ? UINT64_MAX : 0;
	return c[0].effective | (uint64_t)c[1].effective << 32;
}

static int check_caps(struct diag *d)
{
	uint64_t have = own_caps();
	struct strbuf lack = {0};
	size_t n = 0;
	int err = 0;

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!(have & (1ull << CAP_SYS_ADMIN | 1ull << needs[i].cap)))
			strbuf_addf(&lack, "%s%s", n++ ? ", " : "", needs[i].text);
	if (n == sizeof(needs) / sizeof(*needs))
		strbuf_adds(&lack, "; root has them, and reading a capture (-r) needs none");
	if (lack.len)
		err = diag_error(d, D_SYS, NOLOC,
				 "failed to initialize dtrace: DTrace requires additional "
				 "privileges: %s",
				 lack.s);
	strbuf_release(&lack);
	return err;
}

int kernel_fentry(uint32_t func)
{
	int fd = kbpf_prog_load_nothing(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, func);

	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

/* Returns whether one system call can attach a program to many functions. */
static bool attaches_many(void)
{
	int prog = kbpf_prog_load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0), fd;

	if (prog < 0)
		return false;
	/* attaching to no function gives EINVAL if the kernel has this kind of link */
	fd = kbpf_link_kprobes(prog, false, NULL, NULL, 0);
	close(prog);
	if (fd >= 0)
		close(fd);
	return fd >= 0 || fd == -EINVAL;
}

bool kernel_kprobes_at_once(void)
{
	static int can = -1;

	if (can < 0)
		can = attaches_many();
	return can;
}

/*
 * Returns 1 if the kernel has kprobes, else 0. The kernel always refuses address 0, but only a
 * kernel without kprobes does so with EOPNOTSUPP.
 */
static unsigned try_one(void)
{
	int fd = kernel_kprobe_at(0);

	if (fd >= 0)
		close(fd);
	return fd != -EOPNOTSUPP;
}

unsigned kernel_kprobes(void)
{
	static int known = -1;

	if (known < 0)
		known = kernel_kprobes_at_once() ? 2 : (int)try_one();
	return (unsigned)known;
}

/*
 * Tests by attaching to a directory, which has no instructions. A kernel that supports links to
 * many points refuses the directory with EBADF; another kernel returns another error.
 */
bool kuprobe_multi(void)
{
	static int known;
	const uint64_t at = 0;
	struct kbpf_uprobes none = {.file = "/", .offset = &at, .n = 1};
	int prog, err;

	if (known)
		return known > 0;
	prog = kbpf_prog_load_nothing(BPF_PROG_TYPE_KPROBE, KBPF_UPROBE_MULTI, 0);
	err = prog < 0 ? prog : kbpf_link_uprobes(prog, &none);
	if (prog >= 0)
		close(prog);
	known = err == -EBADF ? 1 : -1;
	return known > 0;
}

bool kernel_supported(struct diag *d)
{
	int fd;

	if (check_caps(d))
		return false;
	fd = kbpf_prog_load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT, 0, 0);
	if (fd < 0) {
		diag_error(d, D_SYS, NOLOC,
			   "failed to initialize dtrace: the kernel refuses even an empty BPF "
			   "program: %s",
			   kbpf_strerror(-fd));
		return false;
	}
	close(fd);
	return true;
}

bool kernel_stack_at(enum hook_kind hook)
{
	static const struct insn take[] = {
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_task_btf},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 1, .src = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 3, .imm = 16},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 4, .imm = 0},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_task_stack},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0, .imm = 1},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct kbpf_prog_spec s = {.insn = take, .ninsn = sizeof(take) / sizeof(take[0])};
	int fd;

	if (hook == HOOK_CGROUP_SKB) {
		s.type = BPF_PROG_TYPE_CGROUP_SKB;
		s.attach_type = BPF_CGROUP_INET_EGRESS;
	} else if (hook == HOOK_SOCKOPS) {
		s.type = BPF_PROG_TYPE_SOCK_OPS;
		s.attach_type = BPF_CGROUP_SOCK_OPS;
	} else if (hook == HOOK_CGROUP_SOCK) {
		s.type = BPF_PROG_TYPE_CGROUP_SOCK;
		s.attach_type = BPF_CGROUP_INET_SOCK_CREATE;
	} else {
		return true; /* since Linux 5.9, all tracing programs may read stacks */
	}
	fd = kbpf_prog_load("dt_try", &s, NULL, 0);
	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}

bool kernel_writes_user(void)
{
	static const struct insn write[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 1, .imm = 0},
		{.code = BPF_ST | BPF_MEM | BPF_DW, .dst = 10, .off = -8, .imm = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst = 2, .src = 10},
		{.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst = 2, .imm = -8},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 3, .imm = 8},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_write_user},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
				   .insn = write,
				   .ninsn = sizeof(write) / sizeof(write[0])};
	int fd = kbpf_prog_load("dt_try", &s, NULL, 0);

	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}
