/*
 * cgroup_skb.c - hooks for the packets of all sockets, because all sockets are in the root cgroup.
 *
 * egress fires once per IP datagram that a local socket sends, before fragmentation and
 * segmentation. ingress fires once per delivery to a local socket. args[0] is the kernel's sk_buff,
 * with its data at the IP header.
 */
#include "providers/provider.h"

static const char *const names[] = {"ingress", "egress", NULL};

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct host_probe *p = host_cgroup_probe(e, ID_CGROUP_SKB + i, "cgroup_skb", names[i],
						 "sk_buff");

	if (!p)
		return NULL;
	p->hook.kind = HOOK_CGROUP_SKB;
	p->hook.stack.own[0] = "__cgroup_bpf_run_filter_skb";
	p->hook.socket.of_ctx = "sk";
	p->hook.socket.ctx_off = host_ctx_socket(e, "__sk_buff");
	return p;
}

const struct host_provider provider_cgroup_skb = {
	.name = "cgroup_skb",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for cgroup_skb",
	.only = names,
	.make = make,
};
