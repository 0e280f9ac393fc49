/* quantize.bpf.c - does by hand the work of rawtp:::sys_enter { @ = quantize(arg1); }. */
#include "kernel.h"

struct pt_regs;

/* the buckets: 63 for negative powers of two, one for zero, 64 for positive powers of two */
#define ZERO 63
#define BUCKETS 128

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, BUCKETS);
	__type(key, __u32);
	__type(value, __u64);
} buckets SEC(".maps");

/* Returns the number of the highest bit that is set in @v, which is not 0. */
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

SEC("tp_btf/sys_enter")
int BPF_PROG(quantize, struct pt_regs *regs, long id)
{
	__u32 key = ZERO;
	__u64 *n;

	if (id > 0)
		key = ZERO + 1 + log2(id);
	else if (id < 0)
		key = ZERO - 1 - log2(-(__u64)id);
	n = bpf_map_lookup_elem(&buckets, &key);
	if (n)
		++*n;
	return 0;
}
