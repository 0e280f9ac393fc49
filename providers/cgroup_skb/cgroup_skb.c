/*
 * cgroup_skb.c - packets at the sockets of the root cgroup, that is of all of them.
 *
 * egress: once per IP datagram that a local socket sends, before fragmentation
 * and segmentation.  ingress: once per delivery to a local socket.  args[0] is
 * the kernel's sk_buff, its data at the IP header.
 */
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "types/btf.h"
#include "types/type.h"

static const char *const dirs[] = {"ingress", "egress"};

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct type *skb = scope_find(e->kernel, TAG_STRUCT, "sk_buff");
	struct host_probe *p;

	if (!skb || (e->btf && !btf_find_func(e->btf, "bpf_cast_to_kern_ctx")))
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_CGROUP_SKB + i, "cgroup_skb", "vmlinux", "", dirs[i], {0}};
	p->hook.kind = HOOK_CGROUP_SKB;
	p->hook.target = dirs[i];
	p->hook.arg = arena_new(e->arena, struct type *);
	p->hook.arg[0] = type_ptr(e->arena, skb);
	p->hook.narg = 1;
	p->hook.behind = true;
	p->hook.nests = true; /* egress in a system call, interrupted by egress in a softirq */
	p->hook.gated = p->hook.in_turn = true;
	p->hook.stack = STACK_OF_TASK;
	p->hook.own[0] = "__cgroup_bpf_run_filter_skb";
	p->hook.ctx_sock = "sk";
	p->hook.ret = 1; /* let the packet pass: 0 would drop it */
	return p;
}

static struct host_probe *cgroup_skb_find(struct host_env *e, const char *func, const char *name,
					  struct diag *d)
{
	(void)func, (void)d;
	for (unsigned i = 0; i < 2; i++)
		if (!strcmp(dirs[i], name))
			return make(e, i);
	return NULL;
}

static void cgroup_skb_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p),
			    void *ctx)
{
	for (unsigned i = 0; i < 2; i++) {
		struct host_probe *p = make(e, i);

		if (p)
			fn(ctx, p);
	}
}

const struct host_provider provider_cgroup_skb = {
	.name = "cgroup_skb",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for cgroup_skb",
	.find = cgroup_skb_find,
	.each = cgroup_skb_each,
};
