/*
 * hookarg.c - the hook's arguments, native arguments (a probe's arguments before translation) and
 * the current thread.
 */
#include "compiler/code/eval/hookarg.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/trust.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "ir/ir.h"
#include "ir/types/type.h"
#include "providers/kernel.h"

/*
 * Returns the type of argument @i of the hook. A clause may be at several probes of a family
 * (probes that share one hook) whose arguments have different types; argN is then a long.
 */
static struct type *hostarg_type(struct fire *g, uint64_t i)
{
	struct type *t = NULL;

	if (!g->namong || !g->among[0]->host)
		return type_strip(g->hook->host->hook.arg[i]);
	for (uint32_t k = 0; k < g->namong; k++) {
		probe_type(g->c, g->among[k]);
		if (i >= g->among[k]->host->hook.narg ||
		    (t && !type_same(t, g->among[k]->host->hook.arg[i])))
			return &type_long;
		t = g->among[k]->host->hook.arg[i];
	}
	return type_strip(t);
}

/* Returns argument @i of a function at its entry: an argument that is on the stack. */
static int gen_stacked(struct fire *g, uint64_t i)
{
	const struct hook_regs *r = g->u->hook->args_at.regs;
	struct mem at = {.base = irb_scalar(g->b, irb_load(g->b, irb_ctx(g->b), r->sp, 8, false)),
			 .off = r->on_stack_at + 8 * (int32_t)(i - r->narg),
			 .user = g->u->hook->args_at.entered};

	return mem_load(g, at, 8, false);
}

/*
 * Returns argument @i of a hook whose arguments are in machine registers and, at the entry of a
 * function, on the stack. At a return, argument 1 is the returned value and the others are 0.
 */
static int gen_register(struct fire *g, uint64_t i, struct type *t)
{
	const struct hook *h = g->u->hook;
	const struct hook_regs *r = h->args_at.regs;
	int v;

	if (!hook_has_register(h, i) || (h->at_return && t->kind == T_VOID))
		return irb_const(g->b, 0);
	if (!h->at_return && i >= r->narg)
		v = gen_stacked(g, i);
	else
		v = irb_load(g->b, irb_ctx(g->b), h->at_return ? r->ret : r->arg[i], 8, false);
	return type_is_integer(t) ? irb_ext(g->b, v, t->size, type_is_signed(t)) : v;
}

int gen_typed_arg(struct fire *g, uint64_t i)
{
	return irb_load(g->b, irb_ctx(g->b), (int32_t)(8 * i), 8, false);
}

int gen_hostarg(struct fire *g, uint64_t i)
{
	struct irb *b = g->b;
	const struct hook *h = g->u->hook;
	struct type *t;
	int v;

	if (g->u->fault_arg[0])
		return i < FAULT_ARGS ? g->u->fault_arg[i] : irb_const(b, 0);
	if (h->behind)
		return g->u->behind;
	t = hostarg_type(g, i);
	if (h->args_at.regs)
		return gen_register(g, i, t);
	if (h->at_return && (i == 0 || t->kind == T_VOID))
		return irb_const(b, 0);
	/* the context has first the parameters of the function and then its result */
	if (h->at_return)
		i = i == 1 ? g->hook->host->hook.narg - 2 : i - 2;
	if (!arg_in_context(g, t))
		return irb_read(b, irb_ctx(b), (int32_t)(8 * i), 8, false, NOBLOCK);
	v = gen_typed_arg(g, i);
	if (t->kind == T_PTR && type_is_sou(t->to)) {
		v = trust_arg(g, v, i, type_strip(t->to));
	} else if (type_is_integer(t)) {
		v = irb_ext(b, v, t->size, type_is_signed(t));
	}
	return v;
}

/*
 * While the expression of a native argument is generated, names of arguments mean the hook's
 * arguments, not the probe's.
 */
int gen_native(struct fire *g, uint64_t i)
{
	bool outer = g->in_native;
	int v;

	if (!g->hook->native)
		return gen_hostarg(g, i);
	g->in_native = true;
	v = gen(g, g->hook->native[i]);
	g->in_native = outer;
	return v;
}

int gen_thread(struct fire *g)
{
	bool outer = g->in_native;
	int v;

	if (!g->hook || !g->hook->as || g->u->fault_arg[0] || outer) {
		v = irb_task(g->b);
		trust(g->b, v, PC_TRUSTED, kernel_struct(&g->c->names->kernel, KS_TASK));
		return v;
	}
	g->in_native = true;
	v = gen(g, g->hook->as);
	g->in_native = outer;
	return v;
}
