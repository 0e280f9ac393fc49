/*
 * sockops.c - what TCP tells the sock_ops programs of the root cgroup, that is about all sockets.
 *
 * One probe, for all operations: args[0]->op says which (enum of BPF_SOCK_OPS_*,
 * include/uapi/linux/bpf.h).  Without asking for more, among them: 3, connect()
 * sends its SYN; 4 and 5, a connection has been opened from here, or accepted,
 * with the segment that did it in args[0]->skb.
 */
#include "providers/provider.h"

static const char *const names[] = {"op", NULL};

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct host_probe *p = NULL;

	if (!e->replay)
		p = host_cgroup_probe(e, ID_SOCKOPS + i, "sockops", names[i], "bpf_sock_ops_kern");
	if (!p)
		return NULL;
	p->hook.kind = HOOK_SOCKOPS;
	p->hook.own[0] = "__cgroup_bpf_run_filter_sock_ops";
	p->hook.ctx_sock = "sk";
	p->hook.takes_flags = true; /* the reply stays untouched: TCP's own defaults */
	return p;
}

const struct host_provider provider_sockops = {
	.name = "sockops",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for sockops",
	.only = names,
	.make = make,
};
