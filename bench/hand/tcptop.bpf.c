/*
 * tcptop.bpf.c - counts bytes of data by owner, connection and direction. Does by hand the work of
 * scripts/tcptop.d.
 *
 * Counts segments at the hooks of control groups, as they are sent and received. The owner is the
 * process that created the socket, and is kept in the socket's storage. A child of a listening
 * socket inherits the owner. So a segment costs one look-up for the owner and one for the count.
 *
 * With tcptop_accept and tcptop_destroy, the owner of an accepted connection is the process that
 * accepts it, as in the script. A program at sys_exit cannot find the storage of a socket, so these
 * owners are in a hash.
 */
#include <stdbool.h>

#include "accept.h"
#include "kernel.h"
#include "tcp.h"

#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6

extern void *bpf_cast_to_kern_ctx(void *) __ksym;

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC | BPF_F_CLONE);
	__type(key, int);
	__type(value, struct owner);
} owners SEC(".maps");

COUNTS(bytes, struct talk);

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, struct owner);
} accepters SEC(".maps"); /* owners of accepted connections, by the address of the socket */

bool some_accepted;

SEC("tp_btf/sys_exit")
int BPF_PROG(tcptop_accept, struct pt_regs *regs, long ret)
{
	__u64 key = (__u64)accepted(regs, ret);
	struct owner o = {};

	if (!key)
		return 0;
	o.pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(o.name, sizeof(o.name));
	bpf_map_update_elem(&accepters, &key, &o, BPF_ANY);
	some_accepted = true;
	return 0;
}

SEC("tp_btf/tcp_destroy_sock")
int BPF_PROG(tcptop_destroy, struct sock *sk)
{
	__u64 key = (__u64)sk;

	if (some_accepted)
		bpf_map_delete_elem(&accepters, &key);
	return 0;
}

SEC("cgroup/sock_create")
int tcptop_create(struct bpf_sock *sk)
{
	struct owner *o;

	if (sk->protocol != IPPROTO_TCP)
		return 1;
	o = bpf_sk_storage_get(&owners, sk, NULL, BPF_SK_STORAGE_GET_F_CREATE);
	if (!o)
		return 1;
	o->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(o->name, sizeof(o->name));
	return 1;
}

/* Returns the number of data bytes in the packet, or 0 if it has none or is not a TCP segment. */
static __always_inline int data_of(struct __sk_buff *skb)
{
	const __u8 *ip = (void *)(long)skb->data, *end = (void *)(long)skb->data_end, *tcp;
	unsigned head, all;

	if (ip + 20 > end)
		return 0;
	if (ip[0] >> 4 == 4) {
		if (ip[9] != IPPROTO_TCP)
			return 0;
		head = (ip[0] & 15) * 4;
		all = ip[2] << 8 | ip[3];
	} else {
		if (ip[6] != IPPROTO_TCP)
			return 0;
		head = 40;
		all = (ip[4] << 8 | ip[5]) + 40;
	}
	tcp = ip + head;
	if (tcp + 20 > end)
		return 0;
	return all - head - (tcp[12] >> 4) * 4;
}

static __always_inline struct owner *accepter(struct __sk_buff *skb)
{
	struct sk_buff *kernels = bpf_cast_to_kern_ctx(skb);
	__u64 key = (__u64)kernels->sk;

	return bpf_map_lookup_elem(&accepters, &key);
}

static __always_inline int count(struct __sk_buff *skb, bool out)
{
	struct bpf_sock *sk = skb->sk;
	struct talk t = {.out = out};
	int data = data_of(skb);
	struct owner *o;

	if (data <= 0 || !sk)
		return 1;
	sk = bpf_sk_fullsock(sk);
	if (!sk)
		return 1;
	o = some_accepted ? accepter(skb) : NULL;
	if (!o)
		o = bpf_sk_storage_get(&owners, sk, NULL, 0);
	if (o)
		t.owner = *o;
	t.family = sk->family;
	t.lport = sk->src_port;
	t.rport = bpf_ntohs(sk->dst_port);
	if (t.family == AF_INET) {
		t.laddr[0] = sk->src_ip4;
		t.raddr[0] = sk->dst_ip4;
	} else if (t.family == AF_INET6) {
		t.laddr[0] = sk->src_ip6[0];
		t.laddr[1] = sk->src_ip6[1];
		t.laddr[2] = sk->src_ip6[2];
		t.laddr[3] = sk->src_ip6[3];
		t.raddr[0] = sk->dst_ip6[0];
		t.raddr[1] = sk->dst_ip6[1];
		t.raddr[2] = sk->dst_ip6[2];
		t.raddr[3] = sk->dst_ip6[3];
	}
	add(&bytes, &t, data);
	return 1;
}

SEC("cgroup_skb/egress")
int tcptop_send(struct __sk_buff *skb)
{
	return count(skb, true);
}

SEC("cgroup_skb/ingress")
int tcptop_receive(struct __sk_buff *skb)
{
	return count(skb, false);
}
