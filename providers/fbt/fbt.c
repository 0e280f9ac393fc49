/*
 * fbt.c - the entry and return of kernel functions, by fentry and fexit.
 *
 * Functions and the types of their parameters are what the kernel's BTF says, so
 * only those of the kernel proper, not of modules, and none that the compiler
 * has inlined everywhere.  What may be traced the kernel knows alone: a probe that
 * is named is tried, a listing takes the kernel's word (ftrace's list).
 *
 *	entry:   args[0] ... are the parameters
 *	return:  args[0] is 0 (others: the offset of the instruction), args[1] what
 *	         is returned, args[2] ... the parameters, as they were on entry
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/xalloc.h"
#include "providers/provider.h"
#include "types/btf.h"
#include "types/type.h"

#define MAX_PARAMS 6 /* those in registers */

static const char *const names[] = {"entry", "return", NULL};

static bool fits(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_PTR || (type_is_integer(t) && t->size <= 8);
}

/* NULL: it takes or gives something that does not come in a register. */
static struct type *prototype(struct host_env *e, uint32_t id)
{
	struct type *fn = btf_func_type(e->btf, id);
	struct member *m;
	uint32_t n;

	if (!fn)
		return NULL;
	m = type_members(fn, &n);
	if (n > MAX_PARAMS || (!type_is(fn->to, T_VOID) && !fits(fn->to)))
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		if (!fits(m[i].type))
			return NULL;
	return fn;
}

static struct host_probe *make(struct host_env *e, uint32_t id, const char *func, bool ret)
{
	struct type *fn = prototype(e, id);
	struct host_probe *p;
	struct member *m;
	uint32_t n, first = ret ? 2 : 0;

	if (!fn)
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_FBT + 2 * id + ret, "fbt", "vmlinux", intern(e->names, func),
				 names[ret], {0}};
	m = type_members(fn, &n);
	p->hook.kind = ret ? HOOK_FEXIT : HOOK_FENTRY;
	p->hook.target = p->func;
	p->hook.attach_btf_id = id;
	p->hook.narg = first + n;
	p->hook.arg = arena_newn(e->arena, struct type *, p->hook.narg + 1);
	if (ret) {
		p->hook.arg[0] = &type_long;
		p->hook.arg[1] = fn->to;
	}
	for (uint32_t i = 0; i < n; i++)
		p->hook.arg[first + i] = m[i].type;
	p->hook.gated = p->hook.in_turn = p->hook.by_task = p->hook.function = true;
	p->hook.at_return = ret;
	p->hook.own[0] = p->func;
	p->hook.cookie = COOKIE_LOADED;
	return p;
}

/* Cheaper to ask than a walk through the names of all functions.  BTF's first type is none. */
static bool refuses_all(struct host_env *e)
{
	return !e->fentry || e->fentry(1) == EPERM;
}

static struct host_probe *fbt_find(struct host_env *e, const char *func, const char *name,
				   struct diag *d)
{
	bool ret = !strcmp(name, names[1]);
	uint32_t id;

	(void)d;
	if ((!ret && strcmp(name, names[0])) || !e->btf || refuses_all(e))
		return NULL;
	id = btf_find_func(e->btf, func);
	return id && !e->fentry(id) ? make(e, id, func, ret) : NULL;
}

static const char *fbt_lacks(struct host_env *e, const char *func)
{
	uint32_t id = e->btf ? btf_find_func(e->btf, func) : 0;
	int err = id && e->fentry ? e->fentry(id) : 0;

	if (!id)
		return arena_printf(e->arena, "the function %s", func);
	if (err == EPERM)
		return "fentry (BPF function tracing is refused by this kernel: lockdown?)";
	return err ? arena_printf(e->arena, "fentry for the function %s: %s", func, strerror(err)) : NULL;
}

/* ------------------------------------------------------------------ listing */

/* ftrace's list of functions: "NAME" or "NAME [module]", a line each. */
static const char *const lists[] = {"/sys/kernel/tracing/available_filter_functions",
				    "/sys/kernel/debug/tracing/available_filter_functions"};

struct walk {
	struct host_env *env;
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
};

static void visit(struct walk *w, const char *func, uint32_t id)
{
	for (int ret = 0; ret < 2; ret++) {
		struct host_probe *p = make(w->env, id, func, ret);

		if (p)
			w->fn(w->ctx, p);
	}
}

static void visit_btf(void *ctx, const char *func, uint32_t id)
{
	visit(ctx, func, id);
}

static FILE *open_list(void)
{
	FILE *f = NULL;

	for (size_t i = 0; !f && i < sizeof(lists) / sizeof(*lists); i++)
		f = fopen(lists[i], "re");
	return f;
}

static void visit_list(struct walk *w, FILE *f)
{
	char line[256];

	while (fgets(line, sizeof(line), f)) {
		uint32_t id;

		line[strcspn(line, "\n")] = '\0';
		if (strchr(line, ' '))
			continue; /* of a module */
		id = btf_find_func(w->env->btf, line);
		if (id)
			visit(w, line, id);
	}
}

static void fbt_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct walk w = {e, fn, ctx};
	uint32_t any = e->btf ? btf_find_func(e->btf, "ip_rcv") : 0; /* there always */
	FILE *f;

	if (!any || !e->fentry || e->fentry(any))
		return;
	f = open_list();
	if (f) {
		visit_list(&w, f);
		fclose(f);
	} else {
		btf_each_func(e->btf, visit_btf, &w);
	}
}

static const struct provider_stability stability = {
	{EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_ISA, EVOLVING_COMMON, PRIVATE_ISA}};

const struct host_provider provider_fbt = {
	.name = "fbt",
	.stability = &stability,
	.by_function = true,
	.only = names,
	.lacks = fbt_lacks,
	.missing = "fentry",
	.find = fbt_find,
	.each = fbt_each,
};
