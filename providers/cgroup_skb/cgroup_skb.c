/*
 * cgroup_skb.c - packets at the sockets of the root cgroup, that is of all of them.
 *
 * egress: once per IP datagram that a local socket sends, before fragmentation
 * and segmentation.  ingress: once per delivery to a local socket.  args[0] is
 * the kernel's sk_buff, its data at the IP header.
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
	p->hook.own[0] = "__cgroup_bpf_run_filter_skb";
	p->hook.ctx_sock = "sk";
	return p;
}

const struct host_provider provider_cgroup_skb = {
	.name = "cgroup_skb",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for cgroup_skb",
	.only = names,
	.make = make,
};
