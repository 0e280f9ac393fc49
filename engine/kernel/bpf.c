/*
 * bpf.c - has a function for each command of bpf(2) that dtrace uses.
 *
 * The functions call bpf(2) directly and not through libbpf. libbpf loads programs from ELF
 * objects, but units (the programs of dtrace) are arrays of instructions. libbpf would also parse
 * all of the kernel's BTF at each start, to find type ids that the compiler already knows.
 */
#include "engine/kernel/bpf.h"

#include <ctype.h>
#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ir/program.h"

_Static_assert(sizeof(struct insn) == sizeof(struct bpf_insn),
	       "struct insn must equal the kernel's");

/*
 * Calls bpf(2). The kernel reads the whole union, and an initialiser such as {0} need not clear all
 * of it (gcc 15, clang 19). So each caller clears @attr by memset().
 */
static int sys_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	long ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	return ret < 0 ? -errno : (int)ret;
}

static uint64_t ptr(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

void kbpf_name(char out[KBPF_NAME], const char *prefix, const char *text)
{
	snprintf(out, KBPF_NAME, "%s%s", prefix, text);
	for (char *p = out; *p; p++) {
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.')
			*p = '_';
	}
}

const char *kbpf_strerror(int err)
{
	if (err == EMFILE)
		return "Too many open files: each probe takes two of them (raise ulimit -n)";
	return strerror(err == KBPF_ENOTSUPP ? EOPNOTSUPP : err);
}

int kbpf_map_create(const char *name, const struct kbpf_map_spec *m)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = m->type;
	attr.key_size = m->key_size;
	attr.value_size = m->value_size;
	attr.max_entries = m->max_entries;
	attr.map_flags = m->flags;
	attr.map_extra = m->extra;
	attr.btf_fd = (uint32_t)m->btf;
	attr.btf_key_type_id = m->btf_key;
	attr.btf_value_type_id = m->btf_value;
	kbpf_name(attr.map_name, "", name);
	return sys_bpf(BPF_MAP_CREATE, &attr);
}

static int map_element(enum bpf_cmd cmd, int fd, const void *key, const void *value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = ptr(key);
	attr.value = ptr(value);
	return sys_bpf(cmd, &attr);
}

int kbpf_map_lookup(int fd, const void *key, void *value)
{
	return map_element(BPF_MAP_LOOKUP_ELEM, fd, key, value);
}

int kbpf_map_update(int fd, const void *key, const void *value)
{
	return map_element(BPF_MAP_UPDATE_ELEM, fd, key, value);
}

int kbpf_map_delete(int fd, const void *key)
{
	return map_element(BPF_MAP_DELETE_ELEM, fd, key, NULL);
}

int kbpf_map_next(int fd, const void *key, void *next)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = fd;
	attr.key = ptr(key);
	attr.next_key = ptr(next);
	return sys_bpf(BPF_MAP_GET_NEXT_KEY, &attr);
}

int kbpf_map_lookup_batch(int fd, const uint32_t *in, uint32_t *out, void *keys, void *values,
			  uint32_t *count)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.batch.in_batch = ptr(in);
	attr.batch.out_batch = ptr(out);
	attr.batch.keys = ptr(keys);
	attr.batch.values = ptr(values);
	attr.batch.count = *count;
	attr.batch.map_fd = fd;
	err = sys_bpf(BPF_MAP_LOOKUP_BATCH, &attr);
	*count = attr.batch.count;
	return err;
}

int kbpf_btf_load(const void *btf, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.btf = ptr(btf);
	attr.btf_size = size;
	return sys_bpf(BPF_BTF_LOAD, &attr);
}

int kbpf_prog_load(const char *name, const struct kbpf_prog_spec *s, char *log, uint32_t log_size)
{
	union bpf_attr attr;
	int fd, tries = 0;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = s->type;
	attr.insn_cnt = s->ninsn;
	attr.insns = ptr(s->insn);
	attr.license = ptr("GPL");
	attr.log_level = log ? 1 : 0;
	attr.log_size = log ? log_size : 0;
	attr.log_buf = ptr(log);
	attr.expected_attach_type = s->attach_type;
	attr.attach_btf_id = s->attach_btf_id;
	attr.prog_flags = s->flags;
	attr.prog_btf_fd = s->nfunc ? (uint32_t)s->btf : 0;
	attr.func_info_rec_size = sizeof(*s->func);
	attr.func_info = ptr(s->func);
	attr.func_info_cnt = s->nfunc;
	kbpf_name(attr.prog_name, "", name);
	/*
	 * With a signal pending, the verifier gives up with EAGAIN. The kernel handles the signal
	 * when the call returns, so the next try may succeed.
	 */
	do {
		fd = sys_bpf(BPF_PROG_LOAD, &attr);
	} while (fd == -EAGAIN && ++tries < 5);
	return fd;
}

int kbpf_prog_load_nothing(uint32_t type, uint32_t attach_type, uint32_t attach_btf_id)
{
	static const struct insn nothing[] = {
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst = 0, .imm = 0},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = type,
					 .attach_type = attach_type,
					 .attach_btf_id = attach_btf_id,
					 .insn = nothing,
					 .ninsn = 2};

	return kbpf_prog_load("dt_try", &s, NULL, 0);
}

int kbpf_prog_ask(int prog, const uint64_t *args, uint32_t n)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = (uint32_t)prog;
	attr.test.ctx_in = ptr(args);
	attr.test.ctx_size_in = n * sizeof(*args);
	err = sys_bpf(BPF_PROG_TEST_RUN, &attr);
	return err ? err : (int)attr.test.retval;
}

int kbpf_prog_run(int prog, const uint64_t *args, uint32_t n)
{
	int result = kbpf_prog_ask(prog, args, n);

	return result < 0 ? result : 0;
}

int kbpf_own_thread(void)
{
	static const struct insn ask[] = {
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_current_pid_tgid},
		{.code = BPF_JMP | BPF_EXIT},
	};
	const struct kbpf_prog_spec s = {.type = BPF_PROG_TYPE_RAW_TRACEPOINT,
					 .insn = ask,
					 .ninsn = 2};
	int prog = kbpf_prog_load("dt_thread", &s, NULL, 0), thread;

	if (prog < 0)
		return prog;
	thread = kbpf_prog_ask(prog, NULL, 0);
	close(prog);
	return thread;
}

int kbpf_prog_next(uint32_t after, uint32_t *id)
{
	union bpf_attr attr;
	int err;

	memset(&attr, 0, sizeof(attr));
	attr.start_id = after;
	err = sys_bpf(BPF_PROG_GET_NEXT_ID, &attr);
	*id = attr.next_id;
	return err;
}

int kbpf_prog_open(uint32_t id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	return sys_bpf(BPF_PROG_GET_FD_BY_ID, &attr);
}

int kbpf_object_info(int fd, void *info, uint32_t size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info = ptr(info);
	attr.info.info_len = size;
	return sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

static int prog_info(int prog, struct bpf_prog_info *info)
{
	*info = (struct bpf_prog_info){0};
	return kbpf_object_info(prog, info, sizeof(*info));
}

int kbpf_prog_misses(int prog, uint64_t *out)
{
	struct bpf_prog_info info;
	int err = prog_info(prog, &info);

	*out = info.recursion_misses;
	return err;
}

int kbpf_prog_cost(int prog, uint64_t *runs, uint64_t *ns)
{
	struct bpf_prog_info info;
	int err = prog_info(prog, &info);

	*runs = info.run_cnt;
	*ns = info.run_time_ns;
	return err;
}

int kbpf_enable_stats(void)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.enable_stats.type = BPF_STATS_RUN_TIME;
	return sys_bpf(BPF_ENABLE_STATS, &attr);
}

int kbpf_link_tracing(int prog)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	/* @attr names no tracepoint, because attach_btf_id chose it when the program was loaded. */
	attr.raw_tracepoint.prog_fd = prog;
	return sys_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int kbpf_link_cgroup(int prog, int cgroup, uint32_t attach_type)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = cgroup;
	attr.link_create.attach_type = attach_type;
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

int kbpf_link_iter(int prog)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.attach_type = BPF_TRACE_ITER;
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

int kbpf_link_kprobes(int prog, bool ret, const uint64_t *addr, const uint64_t *cookie, uint32_t n)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.kprobe_multi.flags = ret ? BPF_F_KPROBE_MULTI_RETURN : 0;
	attr.link_create.kprobe_multi.cnt = n;
	attr.link_create.kprobe_multi.addrs = ptr(addr);
	attr.link_create.kprobe_multi.cookies = ptr(cookie);
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

int kbpf_link_perf(int prog, int event, uint64_t cookie)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = prog;
	attr.link_create.target_fd = event;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

/* The part of union bpf_attr that creates links to uprobes. Headers of Linux 6.1 lack it. */
struct link_create_uprobes {
	uint32_t prog_fd, target_fd, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t cnt, multi_flags, pid, pad;
};

int kbpf_link_uprobes(int prog, const struct kbpf_uprobes *u)
{
	struct link_create_uprobes l = {.prog_fd = (uint32_t)prog,
					.attach_type = KBPF_UPROBE_MULTI,
					.path = ptr(u->file),
					.offsets = ptr(u->offset),
					.ref_ctr_offsets = ptr(u->semaphore),
					.cookies = ptr(u->cookie),
					.cnt = u->n,
					.multi_flags = u->ret,
					.pid = (uint32_t)u->pid};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	_Static_assert(sizeof(l) <= sizeof(attr), "the struct must fit in union bpf_attr");
	memcpy(&attr, &l, sizeof(l));
	return sys_bpf(BPF_LINK_CREATE, &attr);
}

int kbpf_iter_create(int link)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.iter_create.link_fd = link;
	return sys_bpf(BPF_ITER_CREATE, &attr);
}
