/*
 * iter.c - iterators, which report the objects that exist when tracing starts.
 *
 * The kernel's BTF has a function bpf_iter_NAME for each iterator, whose parameters are args[]:
 * args[0] is struct bpf_iter_meta, the others describe one object. The probe fires for each object.
 * It does not fire for the NULL object that marks the end.
 *
 * dtrace itself lists the BPF programs for iter:::bpf_prog. A program at the kernel's own iterator
 * could not add up their run times, because these are per-CPU. args[0] is the struct bpf_prog_info
 * that bpf(2) returns, in dtrace's own memory.
 */
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "providers/provider.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

/* Iterators that need no parameters. */
static const char *const names[] = {"task", "task_file", "tcp",      "udp",
				    "unix", "netlink",   "bpf_prog", NULL};

static struct host_probe *make_bpf_prog(struct host_env *e, unsigned i)
{
	const char *tag = intern(e->names, "bpf_prog_info");
	struct type *info = e->btf ? scope_find(e->kernel, TAG_STRUCT, tag) : NULL;
	struct host_probe *p;

	if (!info)
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_ITER + i, "iter", "vmlinux", "", names[i], {.kind = HOOK_RUN}};
	p->hook.run = RUN_BPF_PROG;
	p->hook.target = p->name;
	p->hook.is_run = p->hook.in_turn = true;
	hook_is_test_run(&p->hook);
	p->hook.narg = 2;
	p->hook.arg = arena_newn(e->arena, struct type *, 2);
	p->hook.arg[0] = type_userland_ptr(e->arena, info);
	p->hook.arg[1] = &type_ulong;
	return p;
}

static struct host_probe *make_kernel_iterator(struct host_env *e, unsigned i)
{
	uint32_t id = e->btf ? btf_find_func(e->btf,
					     arena_printf(e->arena, "bpf_iter_%s", names[i]))
			     : 0;
	struct host_probe *p;
	struct member *m;
	struct type *fn;

	if (!id)
		return NULL;
	fn = type_strip(btf_type(e->btf, id));
	if (fn->kind != T_FUNC)
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_ITER + i, "iter", "vmlinux", "", names[i], {0}};
	p->hook.kind = HOOK_ITER;
	p->hook.target = p->name;
	p->hook.attach_btf_id = id;
	m = type_members(fn, &p->hook.narg);
	p->hook.arg = arena_newn(e->arena, struct type *, p->hook.narg);
	for (uint32_t k = 0; k < p->hook.narg; k++)
		p->hook.arg[k] = m[k].type;
	p->hook.gated = p->hook.ends = p->hook.by_task = true;
	p->hook.stack.own[0] = "bpf_iter_run_prog";
	p->hook.socket.cookie = COOKIE_LOADED;
	return p;
}

static struct host_probe *make(struct host_env *e, unsigned i)
{
	if (!strcmp(names[i], "bpf_prog"))
		return make_bpf_prog(e, i);
	return make_kernel_iterator(e, i);
}

const struct host_provider provider_iter = {
	.name = "iter",
	.missing = "the BPF iterator",
	.only = names,
	.make = make,
};
