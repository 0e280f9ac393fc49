/*
 * overhead.bpf.c - hand-written programs for the rows of part s of the benchmark. Programs f_...
 * are attached to the function vfs_read(), and programs u_... to read() of the C library. Programs
 * s_... are attached to the entry or the return of all system calls; at the entry they ignore all
 * except read(2).
 */
#include <asm/ptrace.h>
#include <asm/unistd.h>

#include "kernel.h"

#define BUCKETS 128
#define FRAMES 20 /* maximum number of frames, as many as stack() has */

struct file;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} values SEC(".maps");

struct who {
	int pid;
	char comm[16];
};

struct where {
	int kernel, user;
};

struct buckets {
	__u64 n[BUCKETS];
};

COUNTS(pids, int);
COUNTS(comms, char[16]);
COUNTS(whos, struct who);
COUNTS(wheres, struct where);

struct {
	__uint(type, BPF_MAP_TYPE_STACK_TRACE);
	__uint(max_entries, 16384);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, FRAMES * sizeof(__u64));
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_HASH);
	__uint(max_entries, 1024);
	__type(key, struct where);
	__type(value, struct buckets);
} hists SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, __u64);
} since SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4 << 20);
} ring SEC(".maps");

static const struct buckets no_buckets;

static __always_inline __u32 log2(__u64 v)
{
	__u32 r = 0;

#pragma unroll
	for (int shift = 32; shift; shift >>= 1) {
		if (v >> shift) {
			v >>= shift;
			r += shift;
		}
	}
	return r;
}

static __always_inline void add_value(__u32 key)
{
	__u64 *n = bpf_map_lookup_elem(&values, &key);

	if (n)
		++*n;
}

static __always_inline void nothing(void *ctx, __u64 bytes)
{
}

static __always_inline void filter(void *ctx, __u64 bytes)
{
	if (bytes > 0)
		barrier_var(bytes);
}

static __always_inline void count(void *ctx, __u64 bytes)
{
	add_value(0);
}

static __always_inline void pid(void *ctx, __u64 bytes)
{
	int key = bpf_get_current_task_btf()->tgid;

	bump(&pids, &key);
}

static __always_inline void comm(void *ctx, __u64 bytes)
{
	char key[16];

	__builtin_memcpy(key, bpf_get_current_task_btf()->comm, sizeof(key));
	bump(&comms, key);
}

static __always_inline void both(void *ctx, __u64 bytes)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct who key = {task->tgid};

	__builtin_memcpy(key.comm, task->comm, sizeof(key.comm));
	bump(&whos, &key);
}

static __always_inline void kstack(void *ctx, __u64 bytes)
{
	struct where key = {bpf_get_stackid(ctx, &stacks, 0), 0};

	bump(&wheres, &key);
}

static __always_inline void ustack(void *ctx, __u64 bytes)
{
	struct where key = {bpf_get_current_task_btf()->tgid,
			    bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK)};

	bump(&wheres, &key);
}

static __always_inline void hist(void *ctx, __u64 bytes)
{
	add_value(bytes ? 64 + log2(bytes) : 63);
}

static __always_inline void begin(void *ctx, __u64 bytes)
{
	__u64 *at = bpf_task_storage_get(&since, bpf_get_current_task_btf(), 0,
					 BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (at)
		*at = bpf_ktime_get_ns();
}

static __always_inline void end(void *ctx)
{
	__u64 *at = bpf_task_storage_get(&since, bpf_get_current_task_btf(), 0, 0);

	if (!at || !*at)
		return;
	add_value(64 + log2(bpf_ktime_get_ns() - *at));
	*at = 0;
}

static __always_inline void multiple(void *ctx, __u64 bytes)
{
	struct where key = {bpf_get_stackid(ctx, &stacks, 0),
			    bpf_get_stackid(ctx, &stacks, BPF_F_USER_STACK)};
	struct buckets *b = bpf_map_lookup_elem(&hists, &key);

	if (!b) {
		bpf_map_update_elem(&hists, &key, &no_buckets, BPF_NOEXIST);
		b = bpf_map_lookup_elem(&hists, &key);
	}
	if (b)
		b->n[bytes ? 64 + (log2(bytes) & 63) : 63]++;
}

static __always_inline void event(void *ctx, __u64 bytes)
{
	__u64 *record = bpf_ringbuf_reserve(&ring, sizeof(*record), 0);

	if (!record)
		return;
	*record = bytes;
	bpf_ringbuf_submit(record, 0);
}

#define ROW(name) \
	SEC("fentry/vfs_read") \
	int BPF_PROG(f_##name, struct file *file, char *buf, unsigned long bytes) \
	{ \
		name(ctx, bytes); \
		return 0; \
	} \
	SEC("tp_btf/sys_enter") \
	int BPF_PROG(s_##name, struct pt_regs *regs, long id) \
	{ \
		if (id == __NR_read) \
			name(ctx, PT_REGS_PARM3(regs)); \
		return 0; \
	}

ROW(nothing)
ROW(filter)
ROW(count)
ROW(pid)
ROW(comm)
ROW(both)
ROW(kstack)
ROW(ustack)
ROW(hist)
ROW(begin)
ROW(multiple)
ROW(event)

SEC("fexit/vfs_read")
int BPF_PROG(f_return)
{
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(s_return, struct pt_regs *regs, long ret)
{
	return 0;
}

SEC("fexit/vfs_read")
int BPF_PROG(f_end)
{
	end(ctx);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(s_end, struct pt_regs *regs, long ret)
{
	end(ctx);
	return 0;
}

SEC("uprobe/libc.so.6:read")
int u_entry(struct pt_regs *regs)
{
	return 0;
}

SEC("uretprobe/libc.so.6:read")
int u_return(struct pt_regs *regs)
{
	return 0;
}
