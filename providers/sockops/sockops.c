/*
 * sockops.c - what TCP tells the sock_ops programs of the root cgroup, that is about all sockets.
 *
 * One probe, for all operations: args[0]->op says which (enum of BPF_SOCK_OPS_*,
 * include/uapi/linux/bpf.h).  Without asking for more, among them: 3, connect()
 * sends its SYN; 4 and 5, a connection has been opened from here, or accepted,
 * with the segment that did it in args[0]->skb.
 */
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "types/btf.h"
#include "types/type.h"

static struct host_probe *make(struct host_env *e)
{
	struct type *ops = e->replay ? NULL : scope_find(e->kernel, TAG_STRUCT, "bpf_sock_ops_kern");
	struct host_probe *p;

	if (!ops || !btf_find_func(e->btf, "bpf_cast_to_kern_ctx"))
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_SOCKOPS, "sockops", "vmlinux", "", "op", {0}};
	p->hook.kind = HOOK_SOCKOPS;
	p->hook.target = "op";
	p->hook.arg = arena_new(e->arena, struct type *);
	p->hook.arg[0] = type_ptr(e->arena, ops);
	p->hook.narg = 1;
	p->hook.behind = true;
	p->hook.nests = true; /* connect() in a system call, interrupted by a softirq */
	p->hook.gated = p->hook.in_turn = true;
	p->hook.stack = STACK_OF_TASK;
	p->hook.own[0] = "__cgroup_bpf_run_filter_sock_ops";
	p->hook.ctx_sock = "sk";
	p->hook.takes_flags = true;
	p->hook.ret = 1; /* and the reply untouched: TCP's own defaults */
	return p;
}

static struct host_probe *sockops_find(struct host_env *e, const char *func, const char *name, struct diag *d)
{
	(void)func, (void)d;
	return strcmp(name, "op") ? NULL : make(e);
}

static void sockops_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct host_probe *p = make(e);

	if (p)
		fn(ctx, p);
}

const struct host_provider provider_sockops = {
	.name = "sockops",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for sockops",
	.find = sockops_find,
	.each = sockops_each,
};
