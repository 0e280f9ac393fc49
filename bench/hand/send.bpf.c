/*
 * send.bpf.c - sums the bytes sent per remote port, by hand, at two hooks. Does the work of
 * tcp:::send { @[args[4]->tcp_dport] = sum(args[2]->ip_plength - args[4]->tcp_offset); }.
 *
 * The hook of the control group misses segments that TCP sends without a socket. The tracepoint
 * sees all segments. It also sees forwarded segments, and some segments twice, which the program
 * has to exclude.
 */
#include "kernel.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd
#define IPPROTO_TCP 6
#define IFF_SLAVE 0x800
#define IFF_BRIDGE_PORT 0x200

COUNTS(ports, int);

struct v4 {
	__u8 ihl : 4, version : 4;
	__u8 tos;
	__be16 tot_len, id, frag_off;
	__u8 ttl, protocol;
	__u16 check;
	__be32 saddr, daddr;
};

struct v6 {
	__u8 priority : 4, version : 4;
	__u8 flow_lbl[3];
	__be16 payload_len;
	__u8 nexthdr, hop_limit;
	__be32 saddr[4], daddr[4];
};

struct tcp {
	__be16 source, dest;
	__be32 seq, ack_seq;
	__u8 res1 : 4, doff : 4;
};

static __always_inline void count(const struct tcp *t, int segment)
{
	int port = bpf_ntohs(t->dest);

	add(&ports, &port, segment - t->doff * 4);
}

SEC("cgroup_skb/egress")
int send_egress(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		const struct v4 *h = data;
		const struct tcp *t;

		if ((void *)(h + 1) > end || h->protocol != IPPROTO_TCP)
			return 1;
		t = data + h->ihl * 4;
		if ((void *)(t + 1) <= end)
			count(t, bpf_ntohs(h->tot_len) - h->ihl * 4);
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		const struct v6 *h = data;
		const struct tcp *t = (void *)(h + 1);

		if ((void *)(t + 1) <= end && h->nexthdr == IPPROTO_TCP)
			count(t, bpf_ntohs(h->payload_len));
	}
	return 1;
}

/* Makes a typed pointer for plain loads. Such loads cannot fail, so no error is checked. */
#define AT(type, p) ((const struct type *)bpf_rdonly_cast(p, bpf_core_type_id_kernel(struct type)))

struct iphdr {
	__u8 ihl : 4, version : 4;
	__be16 tot_len;
	__u8 protocol;
} __attribute__((preserve_access_index));

struct ipv6hdr {
	__be16 payload_len;
	__u8 nexthdr;
} __attribute__((preserve_access_index));

struct tcphdr {
	__be16 dest;
	__u16 doff : 4;
} __attribute__((preserve_access_index));

extern void *bpf_rdonly_cast(const void *obj, __u32 type) __ksym;

static __always_inline void queued(struct sk_buff *skb, int segment)
{
	const struct tcphdr *t = AT(tcphdr, skb->head + skb->transport_header);
	int port = bpf_ntohs(t->dest);

	add(&ports, &port, segment - BPF_CORE_READ_BITFIELD(t, doff) * 4);
}

SEC("tp_btf/net_dev_queue")
int BPF_PROG(send_queue, struct sk_buff *skb)
{
	void *at = skb->head + skb->network_header;

	if (skb->skb_iif || skb->vlan_proto || skb->dev->flags & IFF_SLAVE ||
	    BPF_CORE_READ_BITFIELD(skb->dev, priv_flags) & IFF_BRIDGE_PORT)
		return 0;
	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		const struct iphdr *h = AT(iphdr, at);

		if (h->protocol == IPPROTO_TCP)
			queued(skb, bpf_ntohs(h->tot_len) - BPF_CORE_READ_BITFIELD(h, ihl) * 4);
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		const struct ipv6hdr *h = AT(ipv6hdr, at);

		if (h->nexthdr == IPPROTO_TCP)
			queued(skb, bpf_ntohs(h->payload_len));
	}
	return 0;
}
