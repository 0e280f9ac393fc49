/*
 * tcplife.bpf.c - writes a record for every established TCP connection that ends. Does by hand the
 * work of scripts/tcplife.d.
 *
 * Like tcplife of libbpf-tools, this program remembers when a connection began. The owner of a
 * connection is the process whose system call opens or closes the connection. One entry of a hash
 * has both the start time and the owner. TCP's counters also count SYN and FIN, which are not data.
 *
 * With tcplife_accept, the owner of an accepted connection is the process that accepts it, as in
 * the script.
 */
#include <stdbool.h>

#include "accept.h"
#include "kernel.h"
#include "tcp.h"

#define AF_INET6 10
#define IPPROTO_TCP 6

enum {
	ESTABLISHED = 1,
	SYN_SENT,
	SYN_RECV,
	FIN_WAIT1,
	FIN_WAIT2,
	TIME_WAIT,
	CLOSE,
	CLOSE_WAIT,
	LAST_ACK,
	LISTEN,
	CLOSING,
};

#define BIT(state) (1 << (state))
#define FIN_SENT (BIT(FIN_WAIT1) | BIT(FIN_WAIT2) | BIT(TIME_WAIT) | BIT(LAST_ACK) | BIT(CLOSING))
#define SOCK_DONE 1 /* bit of a socket's flags: a FIN has arrived */

struct begun {
	__u64 ns; /* when the connection was established; 0 if it was not */
	bool active;
	struct owner owner; /* its pid is 0 if the owner is unknown */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 65536);
	__type(key, __u64);
	__type(value, struct begun);
} connections SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22);
} ring SEC(".maps");

static __always_inline void set_owner(struct owner *o)
{
	o->pid = bpf_get_current_pid_tgid() >> 32;
	bpf_get_current_comm(o->name, sizeof(o->name));
}

/*
 * Updates the entry of the connection, or creates an entry. If @established is set, stores the
 * present time. If @owned is set, the current process made the system call and becomes the owner.
 */
static __always_inline void note(__u64 key, bool established, bool owned, bool active)
{
	struct begun *b = bpf_map_lookup_elem(&connections, &key), first = {};

	if (!b) {
		first.active = active;
		if (established)
			first.ns = bpf_ktime_get_ns();
		if (owned)
			set_owner(&first.owner);
		bpf_map_update_elem(&connections, &key, &first, BPF_NOEXIST);
		return;
	}
	if (established)
		b->ns = bpf_ktime_get_ns();
	if (owned)
		set_owner(&b->owner);
}

static __always_inline void report(struct sock *sk, const struct begun *b, int old)
{
	struct tcp_sock *tp = bpf_skc_to_tcp_sock(sk);
	struct life *l;

	if (!tp || !b->ns)
		return;
	l = bpf_ringbuf_reserve(&ring, sizeof(*l), 0);
	if (!l)
		return;
	if (b->owner.pid)
		l->owner = b->owner;
	else
		set_owner(&l->owner);
	l->family = sk->__sk_common.skc_family;
	l->lport = bpf_ntohs(((struct inet_sock *)tp)->inet_sport);
	l->rport = bpf_ntohs(sk->__sk_common.skc_dport);
	if (l->family == AF_INET6)
		__builtin_memcpy(l->raddr, &sk->__sk_common.skc_v6_daddr, 16);
	else
		__builtin_memcpy(l->raddr, &sk->__sk_common.skc_daddr, 4);
	l->sent = tp->bytes_acked + (tp->snd_nxt - tp->snd_una) - !!(BIT(old) & FIN_SENT) -
		  b->active;
	l->received = tp->bytes_received - (sk->__sk_common.skc_flags >> SOCK_DONE & 1);
	l->ns = bpf_ktime_get_ns() - b->ns;
	bpf_ringbuf_submit(l, BPF_RB_NO_WAKEUP);
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(tcplife_event, struct sock *sk, int old, int new)
{
	__u64 key = (__u64)sk;
	struct begun *b;

	if (sk->sk_protocol != IPPROTO_TCP)
		return 0;
	if (new == SYN_SENT || new == FIN_WAIT1 || new == LAST_ACK)
		note(key, false, true, new == SYN_SENT);
	else if (new == ESTABLISHED)
		note(key, true, false, false);
	if (new != CLOSE)
		return 0;
	b = bpf_map_lookup_elem(&connections, &key);
	if (!b)
		return 0;
	report(sk, b, old);
	bpf_map_delete_elem(&connections, &key);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(tcplife_accept, struct pt_regs *regs, long ret)
{
	__u64 key = (__u64)accepted(regs, ret);
	struct begun *b;

	if (!key)
		return 0;
	b = bpf_map_lookup_elem(&connections, &key);
	if (b)
		set_owner(&b->owner);
	return 0;
}
