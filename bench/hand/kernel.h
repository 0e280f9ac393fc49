/*
 * kernel.h - kernel structs that the hand-written programs use, as CO-RE types: the
 * loader adjusts each access to the member's offset in the running kernel.
 */
#ifndef BENCH_HAND_KERNEL_H
#define BENCH_HAND_KERNEL_H

#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_endian.h>

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct net_device {
	unsigned int flags;
	unsigned long priv_flags : 32;
};

struct sk_buff {
	struct net_device *dev;
	struct sock *sk;
	unsigned int len, data_len;
	__u8 pkt_type : 3;
	__be16 protocol, vlan_proto;
	int skb_iif;
	__u16 transport_header, network_header;
	unsigned char *head, *data;
};

struct in6_addr {
	__u8 bytes[16];
};

struct sock_common {
	__be32 skc_daddr;
	__be16 skc_dport;
	unsigned short skc_family;
	struct in6_addr skc_v6_daddr;
	unsigned long skc_flags;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_protocol;
};

struct inet_sock {
	__be16 inet_sport;
};

struct tcp_sock {
	__u64 bytes_acked, bytes_received;
	__u32 snd_nxt, snd_una;
};

struct task_struct {
	int tgid;
	char comm[16];
};

#pragma clang attribute pop

/* Declares a map of counts. Each CPU has counts of its own. */
#define COUNT_MAP(name, kind, most, key_t) \
	struct { \
		__uint(type, kind); \
		__uint(max_entries, most); \
		__type(key, key_t); \
		__type(value, __u64); \
	} name SEC(".maps")

/* Declares a map with a count for each key. */
#define COUNTS(name, key_t) COUNT_MAP(name, BPF_MAP_TYPE_PERCPU_HASH, 65536, key_t)

/* Declares a map with one count. */
#define TOTAL(name) COUNT_MAP(name, BPF_MAP_TYPE_PERCPU_ARRAY, 1, __u32)

/* Adds 1 to the count of a map that TOTAL() declares. */
static __always_inline void count_one(void *map)
{
	__u32 key = 0;
	__u64 *n = bpf_map_lookup_elem(map, &key);

	if (n)
		++*n;
}

/* Adds @more to the count of @key, in place. Only the first event of a key costs an insertion. */
static __always_inline void add(void *map, const void *key, __u64 more)
{
	__u64 *n = bpf_map_lookup_elem(map, key), zero = 0;

	if (!n) {
		bpf_map_update_elem(map, key, &zero, BPF_NOEXIST);
		n = bpf_map_lookup_elem(map, key);
		if (!n)
			return;
	}
	*n += more;
}

static __always_inline void bump(void *map, const void *key)
{
	add(map, key, 1);
}

char LICENSE[] SEC("license") = "GPL";

#endif
