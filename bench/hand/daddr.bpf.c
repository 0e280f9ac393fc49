/*
 * daddr.bpf.c - counts packets sent per destination, by hand. Does the work of ip:::send {
 * @[args[2]->ip_daddr] = count(); } for packets that have a socket.
 */
#include "kernel.h"

#define ETH_P_IP 0x0800
#define ETH_P_IPV6 0x86dd

struct v4 {
	__u8 begin[12];
	__be32 saddr, daddr;
};

struct v6 {
	__u8 begin[8];
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

COUNTS(destinations, struct key);

SEC("cgroup_skb/egress")
int daddr(struct __sk_buff *skb)
{
	void *data = (void *)(long)skb->data, *end = (void *)(long)skb->data_end;

	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		const struct v4 *h = data;

		if ((void *)(h + 1) <= end) {
			struct key k = {4, {h->daddr}};

			bump(&destinations, &k);
		}
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		const struct v6 *h = data;

		if ((void *)(h + 1) <= end) {
			struct key k = {6, {h->daddr[0], h->daddr[1], h->daddr[2], h->daddr[3]}};

			bump(&destinations, &k);
		}
	}
	return 1;
}
