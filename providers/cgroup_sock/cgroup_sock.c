/*
 * cgroup_sock.c - hooks for the creation and the release of internet sockets, at the root cgroup.
 *
 * create fires in socket(2), in the calling process, for every protocol. create does not fire for
 * sockets of the kernel itself, nor for sockets that accept(2) returns. args[0] is the kernel's
 * sock, which has no addresses yet.
 *
 * release fires after the last close(2) of a socket, including accepted ones. TCP keeps using such
 * a socket until the connection has ended.
 */
#include "providers/provider.h"

static const char *const names[] = {"create", "release", NULL};

static struct host_probe *make(struct host_env *e, unsigned i)
{
	struct host_probe *p = NULL;

	if (e->btf) /* captures do not contain these events */
		p = host_cgroup_probe(e, ID_CGROUP_SOCK + i, "cgroup_sock", names[i], "sock");
	if (!p)
		return NULL;
	p->hook.kind = HOOK_CGROUP_SOCK;
	p->hook.stack.own[0] = "__cgroup_bpf_run_filter_sk";
	p->hook.socket.of_ctx = "";
	return p;
}

const struct host_provider provider_cgroup_sock = {
	.name = "cgroup_sock",
	.missing = "bpf_cast_to_kern_ctx (Linux 6.2) for cgroup_sock",
	.only = names,
	.make = make,
};
