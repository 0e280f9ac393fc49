/*
 * states.bpf.c - does by hand the work of tcp:::accept-established { @ = count(); } and
 * tcp:::state-change { @[args[3]->tcps_state] = count(); }.
 */
#include "kernel.h"

#define IPPROTO_TCP 6
#define TCP_ESTABLISHED 1
#define TCP_SYN_RECV 3

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} total SEC(".maps");

COUNTS(states, int);

static __always_inline void one_more(void)
{
	__u32 key = 0;
	__u64 *n = bpf_map_lookup_elem(&total, &key);

	if (n)
		++*n;
}

SEC("sockops")
int accept_op(struct bpf_sock_ops *op)
{
	if (op->op == BPF_SOCK_OPS_PASSIVE_ESTABLISHED_CB)
		one_more();
	return 1;
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(accept_state, struct sock *sk, int old, int new)
{
	if (old == TCP_SYN_RECV && new == TCP_ESTABLISHED && sk->sk_protocol == IPPROTO_TCP)
		one_more();
	return 0;
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(state_change, struct sock *sk, int old, int new)
{
	if (sk->sk_protocol == IPPROTO_TCP && old != new)
		bump(&states, &new);
	return 0;
}
