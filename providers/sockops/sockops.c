/*
 * sockops.c - events of TCP at the sock_ops hook of the root cgroup, for all sockets.
 *
 * One probe fires for all operations: args[0]->op is the operation (BPF_SOCK_OPS_* in
 * include/uapi/linux/bpf.h). Some operations are enabled by default, for example 3 (connect() sends
 * its SYN), 4 (a connection was opened) and 5 (a connection was accepted). For 4 and 5,
 * args[0]->skb has the segment.
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
	p->hook.stack.own[0] = "__cgroup_bpf_run_filter_sock_ops";
	p->hook.socket.of_ctx = "sk";
	p->hook.socket.ctx_off = host_ctx_socket(e, "bpf_sock_ops");
	/* Programs may call __ask_for() here. They set no reply, so TCP uses its defaults. */
	p->hook.socket.takes_flags = true;
	return p;
}

const struct host_provider provider_sockops = {
	.name = "sockops",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for sockops",
	.only = names,
	.make = make,
};
