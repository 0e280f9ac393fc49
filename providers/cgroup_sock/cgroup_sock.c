/*
 * cgroup_sock.c - sockets of the internet families at the root cgroup.
 *
 * create: in socket(2), in the process that calls it, for every protocol; not for
 * the kernel's own sockets nor for those that accept(2) returns.  args[0] is the
 * kernel's sock, complete but for its addresses.
 *
 * release: when nobody holds the socket any more (the last close(2)), also of one that
 * was accepted.  TCP goes on with such a socket until the connection has ended.
 */
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "types/btf.h"
#include "types/type.h"

static const char *const names[] = {"create", "release"};

#define NNAME (sizeof(names) / sizeof(*names))

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct type *sock = scope_find(e->kernel, TAG_STRUCT, "sock");
	struct host_probe *p;

	if (!sock || !e->btf || !btf_find_func(e->btf, "bpf_cast_to_kern_ctx")) /* no capture tells of this */
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_CGROUP_SOCK + i, "cgroup_sock", "vmlinux", "", names[i], {0}};
	p->hook.kind = HOOK_CGROUP_SOCK;
	p->hook.target = p->name;
	p->hook.arg = arena_new(e->arena, struct type *);
	p->hook.arg[0] = type_ptr(e->arena, sock);
	p->hook.narg = 1;
	p->hook.behind = true;
	p->hook.gated = p->hook.in_turn = true;
	p->hook.stack = STACK_OF_TASK;
	p->hook.own[0] = "__cgroup_bpf_run_filter_sk";
	p->hook.ctx_sock = "";
	p->hook.nests = true; /* socket() of a task that another preempts, which makes one too */
	p->hook.ret = 1; /* let it be made: 0 would refuse it; of an end nobody asks */
	return p;
}

static struct host_probe *cgroup_sock_find(struct host_env *e, const char *func, const char *name,
					   struct diag *d)
{
	(void)func, (void)d;
	for (unsigned i = 0; i < NNAME; i++)
		if (!strcmp(name, names[i]))
			return make(e, i);
	return NULL;
}

static void cgroup_sock_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	for (unsigned i = 0; i < NNAME; i++) {
		struct host_probe *p = make(e, i);

		if (p)
			fn(ctx, p);
	}
}

const struct host_provider provider_cgroup_sock = {
	.name = "cgroup_sock",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for cgroup_sock",
	.find = cgroup_sock_find,
	.each = cgroup_sock_each,
};
