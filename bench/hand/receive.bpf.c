/*
 * receive.bpf.c - counts received packets by hand, by source address and in total. Does the work of
 * ip:::receive { @[args[2]->ip_saddr] = count(); } and ip:::receive { @ = count(); }.
 */
#include "kernel.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd
#define PACKET_OTHERHOST 3
#define IFF_BRIDGE_PORT 0x200

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

/*
 * The IP version is part of the key, because an IPv6 address may have the same bytes as an IPv4
 * address.
 */
struct key {
	__u32 version;
	__be32 addr[4];
};

COUNTS(sources, struct key);
TOTAL(total);

extern int bpf_dynptr_from_skb(struct sk_buff *skb, __u64 flags, struct bpf_dynptr *p) __ksym;
extern void *bpf_dynptr_slice(const struct bpf_dynptr *p, __u32 off, void *buf, __u32 len) __ksym;

/*
 * Returns the first len bytes of a packet, or NULL if the packet is shorter. Some drivers leave the
 * header outside the linear part of the packet; only then does the function copy it to buf. len
 * must be a constant, because the kernel function bpf_dynptr_slice() demands that.
 */
static __always_inline const void *header(struct sk_buff *skb, void *buf, __u32 len)
{
	struct bpf_dynptr p;

	if (__builtin_expect(skb->len - skb->data_len >= len, 1))
		return skb->data;
	if (bpf_dynptr_from_skb(skb, 0, &p))
		return 0;
	return bpf_dynptr_slice(&p, 0, buf, len);
}

static __always_inline int valid4(const struct v4 *h)
{
	return h && h->version == 4 && h->ihl >= 5 &&
	       (!h->tot_len || bpf_ntohs(h->tot_len) >= h->ihl * 4);
}

/*
 * Sets *@k to the packet's source. Returns 0 if the packet is not IP, or if IP would drop the
 * packet immediately.
 */
static __always_inline int source(struct sk_buff *skb, struct key *k)
{
	union {
		struct v4 v4;
		struct v6 v6;
	} buf;

	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		const struct v4 *h = header(skb, &buf, sizeof(*h));

		if (!valid4(h))
			return 0;
		*k = (struct key){4, {h->saddr}};
		return 1;
	}
	if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		const struct v6 *h = header(skb, &buf, sizeof(*h));

		if (!h || h->version != 6)
			return 0;
		*k = (struct key){6, {h->saddr[0], h->saddr[1], h->saddr[2], h->saddr[3]}};
		return 1;
	}
	return 0;
}

static __always_inline int is_received(struct sk_buff *skb, struct key *k)
{
	return BPF_CORE_READ_BITFIELD(skb, pkt_type) != PACKET_OTHERHOST &&
	       !(BPF_CORE_READ_BITFIELD(skb->dev, priv_flags) & IFF_BRIDGE_PORT) && source(skb, k);
}

SEC("tp_btf/netif_receive_skb")
int BPF_PROG(receive, struct sk_buff *skb)
{
	struct key k;

	if (is_received(skb, &k))
		bump(&sources, &k);
	return 0;
}

/* Counts the same packets without a key. The difference to receive() is the cost of the hash. */
SEC("tp_btf/netif_receive_skb")
int BPF_PROG(receive_all, struct sk_buff *skb)
{
	struct key k;

	if (is_received(skb, &k))
		count_one(&total);
	return 0;
}
