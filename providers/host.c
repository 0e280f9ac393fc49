/*
 * host.c - operations on host providers, and code that several of them share.
 */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "providers/provider.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

static bool same_want(const struct probe_want *a, const struct probe_want *b)
{
	return !strcmp(a->prov, b->prov) && !strcmp(a->mod, b->mod) && !strcmp(a->func, b->func) &&
	       !strcmp(a->name, b->name);
}

struct awaited *host_awaited(struct host_env *e, const struct probe_want *w)
{
	for (size_t i = 0; i < e->awaited.n; i++)
		if (same_want(&e->awaited.v[i].want, w))
			return &e->awaited.v[i];
	return NULL;
}

bool host_provider_is(const struct host_provider *h, const char *prov)
{
	return h->is ? h->is(prov) : !strcmp(h->name, prov);
}

struct host_probe *host_provider_find(const struct host_provider *h, struct host_env *e,
				      const char *func, const char *name, struct diag *d)
{
	if (!h->make)
		return h->find(e, func, name, d);
	for (unsigned i = 0; h->only[i]; i++)
		if (!strcmp(h->only[i], name))
			return h->make(e, i);
	return NULL;
}

void host_provider_each(const struct host_provider *h, struct host_env *e,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct host_probe *p;

	if (!h->make) {
		h->each(e, fn, ctx);
		return;
	}
	for (unsigned i = 0; h->only[i]; i++) {
		p = h->make(e, i);
		if (p)
			fn(ctx, p);
	}
}

struct host_probe *host_cgroup_probe(struct host_env *e, uint32_t id, const char *prov,
				     const char *name, const char *tag)
{
	struct type *ctx = scope_find(e->kernel, TAG_STRUCT, tag);
	struct host_probe *p;

	if (!ctx || (e->btf && !btf_find_func(e->btf, "bpf_cast_to_kern_ctx")))
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){id, prov, "vmlinux", "", name, {0}};
	p->hook.target = name;
	p->hook.arg = arena_new(e->arena, struct type *);
	p->hook.arg[0] = type_ptr(e->arena, ctx);
	p->hook.narg = 1;
	p->hook.behind = true;
	/* A softirq or another task can run the program again while a system call is running it. */
	p->hook.nests = true;
	p->hook.gated = p->hook.in_turn = true;
	p->hook.stack.kind = STACK_OF_TASK;
	/* The value 0 would drop the packet or refuse the socket. Other hooks ignore the value. */
	p->hook.ret = 1;
	return p;
}

int32_t host_ctx_socket(struct host_env *e, const char *tag)
{
	struct type *t = scope_find(e->kernel, TAG_STRUCT, tag);
	struct member m;

	return t && type_member(type_strip(t), "sk", &m) ? (int32_t)(m.bitoff / 8) : -1;
}
