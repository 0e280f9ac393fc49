/*
 * fbt.c - entry and return of kernel functions, by fentry and fexit or by kprobes.
 *
 * A named function is traced by fentry, the fastest way, if the kernel's BTF describes it and all
 * its arguments and its result are in registers. All other functions, including those of modules
 * and those matched by a pattern, are points of one program at kprobes (kprobe_multi, Linux 5.18
 * and later). So the kernel attaches thousands of functions in one call. Without kprobe_multi, a
 * pattern uses fentry where that is possible.
 *
 *	entry:   args[0] ... are the parameters
 *	return:  args[0] is 0 (other systems: the offset of the instruction), args[1] is the
 *	         result; with fexit, args[2] ... are the parameters at entry
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/glob.h"
#include "base/intern.h"
#include "providers/fbt/functions.h"
#include "providers/fbt/modules.h"
#include "providers/provider.h"
#include "ir/types/btf.h"
#include "ir/types/type.h"

#define MAX_PARAMS 6 /* number of parameters that fit in registers */

static const char *const names[] = {"entry", "return", NULL};

static bool fits(struct type *t)
{
	t = type_strip(t);
	return t->kind == T_PTR || (type_is_integer(t) && t->size <= 8);
}

/* Returns the function's type, or NULL if an argument or the result is not in a register. */
static struct type *prototype(struct btf *b, uint32_t id)
{
	struct type *fn = btf_func_type(b, id);
	struct member *m;
	uint32_t n;

	if (!fn || btf_func_has_dots(b, id))
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
	struct type *fn = prototype(e->btf, id);
	struct host_probe *p;
	struct member *m;
	uint32_t n, first = ret ? 2 : 0;

	if (!fn)
		return NULL;
	p = arena_new(e->arena, struct host_probe);
	*p = (struct host_probe){ID_FBT + 2 * id + ret,  "fbt",      "vmlinux",
				 intern(e->names, func), names[ret], {0}};
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
	p->hook.stack.own[0] = p->func;
	p->hook.socket.cookie = COOKIE_LOADED;
	return p;
}

/*
 * Returns whether the kernel refuses fentry for every function: with EPERM, even for type 1 of BTF,
 * which is not a function. A kernel that allows fentry refuses that type with another error.
 */
static bool refuses_all(struct host_env *e)
{
	return !e->fentry || e->fentry(1) == EPERM;
}

/* ------------------------------------------------------------------ kprobes */

static bool has_kprobes(struct host_env *e)
{
	return e->kprobes && e->kprobes() != KPROBES_NONE;
}

/* Sets the types of args[] from BTF. If BTF has no usable type, the probe has only arg0 .... */
static void kprobe_type(struct host_env *e, struct host_probe *p)
{
	struct hook *h = &p->hook;
	struct btf *b = module_types(e, p->mod);
	uint32_t id = b ? btf_find_func(b, p->func) : 0;
	struct type *fn = id ? prototype(b, id) : NULL;
	struct member *m;

	h->plain = !fn;
	if (!fn)
		return;
	m = type_members(fn, &h->narg);
	h->narg = h->at_return ? 2 : h->narg;
	h->arg = arena_newn(e->arena, struct type *, h->narg + 1);
	for (uint32_t i = 0; i < h->narg && !h->at_return; i++)
		h->arg[i] = m[i].type;
	if (h->at_return) {
		h->arg[0] = &type_long;
		h->arg[1] = fn->to;
	}
}

/*
 * Returns the ID of the probe at the function's entry. If BTF has the function, this is the same ID
 * as with fentry.
 */
static uint32_t kprobe_id(struct host_env *e, const struct function *f)
{
	uint32_t id = f->first && !strcmp(f->mod, "vmlinux") && e->btf
			      ? btf_find_func(e->btf, f->name)
			      : 0;

	return id ? ID_FBT + 2 * id : ID_FBT_LISTED + 2 * f->line;
}

static struct host_probe *make_kprobe(struct host_env *e, const struct function *f, bool ret)
{
	struct host_probe *p = arena_new(e->arena, struct host_probe);

	*p = (struct host_probe){kprobe_id(e, f) + ret, "fbt", f->mod, f->name, names[ret], {0}};
	p->hook = (struct hook){
		.kind = ret ? HOOK_KRETPROBE : HOOK_KPROBE,
		.target = ret ? "fbt:::return" : "fbt:::entry",
		.point.addr = f->addr,
		.many = true,
		.untyped = true,
		.args_at.regs = &native_regs,
		.gated = true,
		.in_turn = true,
		.by_task = true,
		.function = true,
		.at_return = ret,
		.stack.kind = STACK_OF_SAMPLE,
	};
	return p;
}

struct search {
	struct host_env *env;
	bool ret;
	struct host_probe *found;
};

static void found(void *ctx, const struct function *f)
{
	struct search *s = ctx;

	if (!s->found)
		s->found = make_kprobe(s->env, f, s->ret);
}

static struct host_probe *find_kprobe(struct host_env *e, const char *func, bool ret)
{
	struct search s = {e, ret, NULL};

	if (has_kprobes(e))
		functions_each(e, func, found, &s);
	return s.found;
}

static struct host_probe *find_fentry(struct host_env *e, const char *func, bool ret)
{
	uint32_t id = refuses_all(e) ? 0 : btf_find_func(e->btf, func);

	return id && !e->fentry(id) ? make(e, id, func, ret) : NULL;
}

static struct host_probe *fbt_find(struct host_env *e, const char *func, const char *name,
				   struct diag *d)
{
	bool ret = !strcmp(name, names[1]);
	struct host_probe *p;

	(void)d;
	if ((!ret && strcmp(name, names[0])) || !e->btf)
		return NULL;
	p = find_fentry(e, func, ret);
	return p ? p : find_kprobe(e, func, ret);
}

/* Returns why the list of functions cannot be read, or NULL. */
static const char *no_list(struct host_env *e)
{
	int err = functions_each(e, "ip_rcv", found, &(struct search){.env = e});

	if (err == ENODATA)
		return "addresses of functions in /proc/kallsyms (see sysctl kernel.kptr_restrict)";
	return err ? arena_printf(e->arena,
				  "the list of functions that may be traced (%s: %s; is tracefs "
				  "mounted?)",
				  FUNCTIONS_LIST, strerror(err))
		   : NULL;
}

static bool fbt_knows(struct host_env *e, const char *func)
{
	struct function f;
	uint64_t size;

	return e->btf && (btf_find_func(e->btf, func) || functions_symbol(e, func, &f, &size));
}

static const char *fbt_lacks(struct host_env *e, const char *func)
{
	bool pattern = !*func || glob_is_pattern(func);
	const char *why;

	if (!e->btf)
		return NULL;
	if (!pattern && !fbt_knows(e, func))
		return arena_printf(e->arena, "the function %s", func);
	if (refuses_all(e) && !has_kprobes(e))
		return "fentry (the kernel refuses to trace functions, perhaps because of "
		       "lockdown) and kprobes (CONFIG_KPROBES, CONFIG_FPROBE)";
	why = no_list(e);
	if (why || pattern)
		return why;
	return arena_printf(e->arena,
			    "a way to trace the function %s: tracing it is forbidden (notrace), or "
			    "it is inlined everywhere",
			    func);
}

static const char *fbt_arg_name(struct host_env *e, const struct host_probe *p, uint32_t i)
{
	struct btf *b = module_types(e, p->mod);
	uint32_t id = b ? btf_find_func(b, p->func) : 0, n;
	struct type *fn = id ? btf_func_type(b, id) : NULL;
	struct member *m = fn ? type_members(fn, &n) : NULL;

	i -= p->hook.at_return ? 2 : 0;
	return fn && i < n ? m[i].name : NULL;
}

/* ------------------------------------------------------------------ modules loaded later */

/*
 * Makes a probe for function @func of a module that is not loaded yet. If the module has several
 * functions of that name, the probe is for number @slot of them.
 */
static struct host_probe *make_slot(struct host_env *e, const char *mod, const char *func, bool ret,
				    uint32_t slot)
{
	struct function f = {.mod = mod, .name = func};
	struct host_probe *p = make_kprobe(e, &f, ret);

	p->id = ID_FBT_AWAITED + e->awaited_ids++;
	p->hook.untyped = false;
	p->hook.plain = true;
	p->hook.point = (struct attach_point){.awaited = (uint32_t)e->awaited.n + 1, .slot = slot};
	return p;
}

static const struct awaited *await_function(struct host_env *e, const struct probe_want *w,
					    bool ret)
{
	struct probe_want one = {w->prov, w->mod, w->func, names[ret], w->loc};
	struct awaited a = {.want = one, .provider = &provider_fbt, .module = w->mod},
		       *known = host_awaited(e, &one);

	if (known)
		return known;
	for (uint32_t i = 0; i < AWAITED_NAMESAKES; i++)
		a.slot[i] = make_slot(e, w->mod, w->func, ret, i);
	a.probe = a.slot[0];
	vec_apush(e->arena, &e->awaited, a);
	return &e->awaited.v[e->awaited.n - 1];
}

static bool is_open(const char *text)
{
	return !*text || glob_is_pattern(text);
}

/*
 * Returns whether the description names a module that may be loaded later. The kernel itself is
 * always loaded.
 */
static bool can_come(struct host_env *e, const struct probe_want *w)
{
	if (!e->btf || !has_kprobes(e) || !*w->mod || !strcmp(w->mod, "vmlinux") ||
	    !strcmp(w->mod, "kernel") || strchr(w->mod, '/'))
		return false;
	if (!is_open(w->mod) && !is_open(w->func))
		return true;
	vec_apush(e->arena, &e->warning,
		  arena_printf(e->arena,
			       "no probe matches the pattern %s:%s:%s:%s yet, and dtrace cannot "
			       "wait for a pattern: name the module and the function",
			       w->prov, w->mod, w->func, w->name));
	return false;
}

static void fbt_await(struct host_env *e, const struct probe_want *w,
		      void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	if (!can_come(e, w))
		return;
	for (int ret = 0; ret < 2; ret++) {
		const struct awaited *a = glob_match(w->name, names[ret])
						  ? await_function(e, w, ret)
						  : NULL;

		for (uint32_t i = 0; a && i < AWAITED_NAMESAKES; i++)
			fn(ctx, a->slot[i]);
	}
}

/* ------------------------------------------------------------------ listing */

struct walk {
	struct host_env *env;
	const char *pattern;
	void (*fn)(void *ctx, struct host_probe *p);
	void *ctx;
};

static void visit(void *ctx, const struct function *f)
{
	struct walk *w = ctx;

	for (int ret = 0; ret < 2; ret++)
		w->fn(w->ctx, make_kprobe(w->env, f, ret));
}

/*
 * Visits the probes of function @f. They use fentry and fexit if possible, and otherwise kprobes.
 */
static void visit_fentry(void *ctx, const struct function *f)
{
	struct walk *w = ctx;
	bool own = f->first && !strcmp(f->mod, "vmlinux");
	uint32_t id = own ? btf_find_func(w->env->btf, f->name) : 0;

	for (int ret = 0; ret < 2; ret++) {
		struct host_probe *p = id ? make(w->env, id, f->name, ret) : NULL;

		if (!p && f->addr && has_kprobes(w->env))
			p = make_kprobe(w->env, f, ret);
		if (p)
			w->fn(w->ctx, p);
	}
}

static void visit_btf(void *ctx, const char *func, uint32_t id)
{
	struct walk *w = ctx;

	if (glob_match(w->pattern, func))
		visit_fentry(w,
			     &(struct function){.name = func, .mod = "vmlinux", .first = id != 0});
}

/*
 * Visits the probes of the functions that match @func. The probes are kprobes if one call can
 * attach many kprobes, or if the kernel refuses fentry; otherwise they use fentry. If the kernel's
 * list of functions cannot be read, visits the functions in BTF.
 */
static void fbt_each_of(struct host_env *e, const char *func,
			void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	struct walk w = {e, func, fn, ctx};

	if (!e->btf)
		return;
	if (has_kprobes(e) && (e->kprobes() == KPROBES_AT_ONCE || refuses_all(e)) &&
	    !functions_each(e, func, visit, &w))
		return;
	if (refuses_all(e))
		return;
	if (functions_each(e, func, visit_fentry, &w))
		btf_each_func(e->btf, visit_btf, &w);
}

static void fbt_each(struct host_env *e, void (*fn)(void *ctx, struct host_probe *p), void *ctx)
{
	fbt_each_of(e, "", fn, ctx);
}

static const struct provider_stability stability = {
	{EVOLVING_COMMON, PRIVATE_UNKNOWN, PRIVATE_ISA, EVOLVING_COMMON, PRIVATE_ISA}};

const struct host_provider provider_fbt = {
	.name = "fbt",
	.stability = &stability,
	.by_function = true,
	.only = names,
	.lacks = fbt_lacks,
	.knows = fbt_knows,
	.missing = "fentry",
	.find = fbt_find,
	.each = fbt_each,
	.each_of = fbt_each_of,
	.await = fbt_await,
	.type = kprobe_type,
	.arg_name = fbt_arg_name,
};
