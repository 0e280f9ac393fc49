/*
 * empty.bpf.c - programs that do nothing. Their cost is the minimum that any program costs. Most of
 * this cost comes from the two clock reads of the measurement.
 */
#include "kernel.h"

struct pt_regs;

SEC("tp_btf/sys_enter")
int BPF_PROG(empty_sys_enter, struct pt_regs *regs, long id)
{
	return 0;
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(empty_receive, struct sk_buff *skb)
{
	return 0;
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(empty_queue, struct sk_buff *skb)
{
	return 0;
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(empty_state, struct sock *sk, int old, int new)
{
	return 0;
}

SEC("cgroup_skb/egress")
int empty_egress(struct __sk_buff *skb)
{
	return 1;
}
