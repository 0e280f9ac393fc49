/*
 * target.c - what the kernel offers to programs, as far as generated code depends on it.
 */

#include "base/arena.h"
#include "base/xalloc.h"
#include "compiler/code/units/link.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "ir/ir.h"
#include "ir/types/btf.h"
#include "providers/kernel.h"

static const char *const kfunc_names[KF_MAX] = {"bpf_rdonly_cast", "bpf_cast_to_kern_ctx",
						"bpf_dynptr_from_skb", "bpf_dynptr_slice"};

void link_target(const struct compiler *c, struct ir_target *t)
{
	struct type *ip = kernel_struct(&c->names->kernel, KS_IPHDR);
	struct type *task = kernel_struct(&c->names->kernel, KS_TASK);

	t->replay = c->opt->replay;
	t->off_skb_len = kernel_offset(&c->names->kernel, KM_SKB_LEN);
	t->off_skb_data_len = kernel_offset(&c->names->kernel, KM_SKB_DATA_LEN);
	t->off_skb_data = kernel_offset(&c->names->kernel, KM_SKB_DATA);
	t->off_skb_protocol = kernel_offset(&c->names->kernel, KM_SKB_PROTOCOL);
	t->iphdr_btf_id = ip ? ip->btf_id : 0;
	t->task_btf_id = task ? task->btf_id : 0;
	t->kfunc_cast = KF_CAST;
	t->kfunc_dynptr_from_skb = KF_DYNPTR;
	t->kfunc_dynptr_slice = KF_SLICE;
	if (c->opt->replay || c->opt->nocast)
		return;
	t->rdonly_cast = btf_find_func(c->names->btf, kfunc_names[KF_CAST]) != 0;
	t->skb_dynptr = btf_find_func(c->names->btf, kfunc_names[KF_SLICE]) != 0;
	/*
	 * If task storage has no memory allocator of its own (bpf_mem_alloc), creating it calls
	 * kmalloc(), and the probe may have interrupted kmalloc().
	 */
	t->task_storage = kernel_offset(&c->names->kernel, KM_STORAGE_MEMORY) != 0;
	/*
	 * Without bpf_rdonly_cast(), there are no hooks of control groups. Functions take their
	 * place, where a program cannot use the kernel's storage for sockets.
	 */
	t->socket_storage = t->rdonly_cast && btf_find_func(c->names->btf, "bpf_sk_storage_clone");
}

uint32_t target_counter(const struct compiler *c)
{
	struct type *t = kernel_struct(&c->names->kernel, KS_REFCOUNT);

	return t && c->target->rdonly_cast ? t->btf_id : 0;
}

/* Returns whether bpf_prog.active is a pointer to an int, as in Linux 6.1 to 6.18. */
static bool counts_with_int(struct scope *s)
{
	struct member m;

	return kernel_member(s, KM_PROG_ACTIVE, &m) && m.type->kind == T_PTR && m.type->to &&
	       m.type->to->kind == T_INT && m.type->to->size == 4;
}

void target_find_counter(struct linker *l)
{
	struct scope *s = &l->c->names->kernel;
	struct active_counter *a = &l->p->active;

	if (!l->c->names->btf || !counts_with_int(s))
		return;
	a->progs = btf_find_func(l->c->names->btf, "bpf_iter_bpf_prog");
	a->active = kernel_offset(s, KM_PROG_ACTIVE);
	a->aux = kernel_offset(s, KM_PROG_TO_AUX);
	a->id = kernel_offset(s, KM_PROG_ID);
	a->values = kernel_offset(s, KM_ARRAY_VALUES);
	if (!a->progs || !a->active || !a->aux || !a->id || !a->values)
		*a = (struct active_counter){0};
}

void target_add_kfuncs(struct linker *l)
{
	struct program *p = l->p;

	p->nkfunc = KF_MAX;
	p->kfunc = arena_newn(l->c->arena, struct kfunc, KF_MAX);
	for (int i = 0; i < KF_MAX; i++) {
		p->kfunc[i].name = kfunc_names[i];
		if (l->c->names->btf)
			p->kfunc[i].btf_id = btf_find_func(l->c->names->btf, kfunc_names[i]);
	}
}
