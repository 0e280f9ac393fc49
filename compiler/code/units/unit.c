/*
 * unit.c - generates the code of one unit, the eBPF program of one hook.
 */
#include <stddef.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/code/clause.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/evaluators.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/memory/alloca.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/memory/trust.h"
#include "compiler/code/memory/vars.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/units/carry.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"
#include "providers/provider.h"

static void count_event(struct irb *b, bool atomic)
{
	int base = irb_percpu(b, 0);
	int32_t off = offsetof(struct percpu, events);

	if (atomic)
		irb_atomic_add(b, base, off, irb_const(b, 1));
	else
		irb_store(b, base, off, 8,
			  irb_bini(b, IR_ADD, irb_loadv(b, base, off, 8, false), 1));
}

/* Emits a jump to @skip on every CPU but @cpu. */
static void test_cpu(struct irb *b, uint32_t cpu, int skip)
{
	int here = irb_block(b, "its CPU");

	irb_bri(b, CC_EQ, irb_call(b, IR_PURECALL, HELPER_get_smp_processor_id, 0, NULL), cpu, here,
		skip);
	irb_place(b, here);
}

/* Sets g->number. Jumps to @skip unless the probe that fires has clauses in this unit. */
static void any_of_family(struct linker *l, struct fire *g, const struct firing *f, int skip)
{
	VEC(struct probe *) all = {0};
	bool *has;

	if (!f->probe->family->names) {
		family_one(g);
		/* no test is needed, because the unit is attached to the enabled probes only */
		return;
	}
	has = xcalloc(f->probe->family->names->n, sizeof(*has));
	for (size_t i = 0; i < f->site.n; i++)
		for (uint32_t k = 0; k < f->site.v[i].nprobe; k++) {
			struct probe *p = f->site.v[i].probe[k];

			if (!has[p->number])
				vec_apush(l->c->arena, &all, p);
			has[p->number] = true;
		}
	xfree(has);
	if (all.n == 1)
		family_one(g);
	else
		family_number(g, skip);
	family_which(g, all.v, (uint32_t)all.n, skip);
}

/*
 * A family has many similar probes, such as one for each system call. Copies the description of the
 * clause's record from the first probe of the family to the others.
 */
static void same_for_all(struct linker *l, const struct site *s)
{
	const struct clause_info *first = &l->clause.v[s->epid - 1];

	for (uint32_t i = 1; i < s->nprobe; i++) {
		struct clause_info *ci = &l->clause.v[s->epid - 1 + i];
		uint32_t probe = ci->probe;

		*ci = *first;
		ci->probe = probe;
	}
}

static void gen_site(struct linker *l, struct fire *g, const struct firing *f, const struct site *s)
{
	struct clause_info none = {0};
	int other, which;

	if (!f->probe->family) {
		gen_clause(g, s->en, g->hidden ? &none : &l->clause.v[s->epid - 1], s->epid);
		return;
	}
	other = irb_block(g->b, "other probes");
	irb_push(g->b);
	which = family_which(g, s->probe, s->nprobe, other);
	g->probe = s->probe[0];
	g->among = s->probe;
	g->namong = s->nprobe;
	g->epid_at = s->nprobe > 1 ? irb_bini(g->b, IR_ADD, which, s->epid - 1) : NOREG;
	gen_clause(g, s->en, &l->clause.v[s->epid - 1], s->epid);
	same_for_all(l, s);
	irb_jmp(g->b, other);
	irb_pop(g->b);
	irb_place(g->b, other);
}

enum { RESUMES = 1, GOES_ON = 2 };

struct fire fire_of(struct linker *l, struct irb *b, struct unit_build *u, const struct firing *f)
{
	return (struct fire){.c = l->c,
			     .layout = &l->layout,
			     .b = b,
			     .p = l->p,
			     .u = u,
			     .eval = &evaluators,
			     .probe = f->probe,
			     .hook = f->use,
			     .hidden = f->site.v[0].en->hidden};
}

static void gen_firing(struct linker *l, struct irb *b, struct unit_build *u, struct firing *f,
		       int map, unsigned cut)
{
	struct fire g = fire_of(l, b, u, f);
	int skip = irb_block(b, "next probe");
	int32_t frame = irb_frame_mark(b);
	unsigned memory = 0;
	uint32_t scratch;

	irb_push(b);
	if (u->gate && !g.hidden) {
		int open = irb_block(b, "open");

		irb_bri(b, CC_EQ, u->gate, GATE_OPEN, open, skip);
		irb_place(b, open);
	}
	if (l->c->opt->only_cpu && u->hook->gated && !g.hidden && !(cut & RESUMES))
		test_cpu(b, l->c->opt->only_cpu - 1, skip);
	/*
	 * Test the number of the probe before the guard (the condition of the hook), which costs
	 * more.
	 */
	if (f->probe->family)
		any_of_family(l, &g, f, skip);
	g.in_native = true;
	if (f->use->guard)
		gen_require(&g, f->use->guard, skip);
	g.in_native = false;
	if (f->use->filter)
		gen_require(&g, f->use->filter, skip);
	if (l->c->opt->counted && u->hook->gated && !g.hidden && !(cut & RESUMES))
		count_event(b, u->nests);
	token_init(&g);
	if (!carry_wanted(l->c, u->hook, g.hidden))
		map = 0;
	if (cut & RESUMES && map)
		carry_take(&g, map, skip);
	else
		this_init(&g);
	for (size_t i = 0; i < f->site.n; i++)
		memory |= f->site.v[i].en->memory;
	scratch = u->scratch_used;
	alloca_room(&g, memory);
	for (size_t i = 0; i < f->site.n; i++) {
		uint32_t before = b->ninsn;

		gen_site(l, &g, f, &f->site.v[i]);
		f->site.v[i].length = b->ninsn - before;
	}
	if (cut & GOES_ON && map)
		carry_put(&g, map);
	scratch_release(&g, scratch);
	irb_jmp(b, skip);
	irb_pop(b);
	irb_frame_release(b, frame);
	irb_place(b, skip);
}

static void gen_firings(struct linker *l, struct hook_unit *hu, struct irb *b, struct unit_build *u)
{
	for (size_t i = 0; i < hu->firing.n; i++) {
		bool first = i == 0, last = i == hu->firing.n - 1;

		gen_firing(l, b, u, &hu->firing.v[i], hu->carry,
			   (first && hu->resumes ? RESUMES : 0) |
				   (last && hu->goes_on ? GOES_ON : 0));
	}
}

/*
 * Returns a register with args[0], the kernel object that bpf_cast_to_kern_ctx() returns for the
 * program's context.
 */
static int behind_ctx(struct linker *l, struct irb *b, const struct hook *h)
{
	struct type *t = type_strip(type_strip(h->arg[0])->to);
	int r;

	if (l->c->opt->replay)
		r = irb_load(b, irb_ctx(b), 0, 8, false);
	else
		r = irb_call(b, IR_KCALL, KF_CTX, 1, (struct ir_arg[]){{ARG_REG, irb_ctx(b), 0}});
	if (hook_kind_info(h->kind)->recast_ctx && l->c->target->rdonly_cast && t->btf_id)
		r = irb_cast(b, r, t->btf_id);
	trust(b, r, PC_TRUSTED, t);
	return r;
}

/*
 * Jumps to @off if an object of an iterator is NULL. The iterator runs its program once more at the
 * end, without objects, and nothing must fire then.
 */
static void need_objects(const struct hook *h, struct irb *b, int off)
{
	for (uint32_t i = 1; i < h->narg; i++) {
		int more;

		if (!type_is(h->arg[i], T_PTR))
			continue;
		more = irb_block(b, "object");
		irb_bri(b, CC_EQ, irb_load(b, irb_ctx(b), (int32_t)(8 * i), 8, false), 0, off,
			more);
		irb_place(b, more);
	}
}

/*
 * Jumps to @on if the gate lets the unit act, else to @off. The gate is a word in map 0, and is
 * open from the start to the end of the run. Replay needs no test, because nothing fires there
 * outside of the run.
 */
static void test_gate(struct linker *l, const struct hook_unit *hu, struct irb *b,
		      struct unit_build *u, int on, int off)
{
	int gate;

	if (!hu->hook->gated || l->c->opt->replay) {
		irb_jmp(b, on);
		return;
	}
	gate = irb_loadv(b, irb_global(b, offsetof(struct globals, gate)), 0, 4, false);
	if (unit_count_hidden(hu)) {
		u->gate = gate;
		irb_bri(b, CC_NE, gate, GATE_CLOSED, on, off);
	} else {
		irb_bri(b, CC_EQ, gate, GATE_OPEN, on, off);
	}
}

/*
 * Sets arg0 to arg5 of the ERROR probe from the parameters of the function; see struct
 * fault_record.
 */
static void take_fault(struct irb *b, struct unit_build *u)
{
	int where = irb_param(b, ERROR_WHERE), pc = irb_param(b, ERROR_PC);
	int value = irb_param(b, ERROR_VALUE);

	u->scratch_base = irb_param(b, ERROR_SCRATCH);
	irb_reg(b, u->scratch_base)->ptr = true;
	u->fault_arg[0] = irb_const(b, 0);
	u->fault_arg[1] = irb_bini(b, IR_SHR, where, 32);
	u->fault_arg[2] = irb_bini(b, IR_SHR, irb_ext(b, where, 4, false), 16);
	u->fault_arg[3] = pc;
	u->fault_arg[4] = irb_ext(b, where, 2, false);
	u->fault_arg[5] = value;
}

static bool has_operand(const struct ir_insn *in, int reg)
{
	for (unsigned k = 0; k < in->narg; k++)
		if (in->arg[k].kind == ARG_REG && in->arg[k].reg == reg)
			return true;
	return in->a == reg || in->b == reg;
}

static bool looks_at_ctx(const struct ir_func *f, int ctx)
{
	for (size_t i = 0; i < f->order.n; i++) {
		const struct ir_block *blk = f->block.v[f->order.v[i]];

		for (size_t j = 0; j < blk->insn.n; j++)
			if (has_operand(&blk->insn.v[j], ctx))
				return true;
	}
	return false;
}

/*
 * Generates ERROR's clauses as a function of unit @u. The function uses the first bytes of the
 * unit's scratch memory.
 */
static struct ir_func *gen_error(struct linker *l, struct unit_build *u, uint32_t index)
{
	struct irb b;
	struct unit_build e = {.hook = u->hook,
			       .nests = u->nests,
			       .index = index,
			       .routines = u->routines};
	int on, ctx;

	irb_init(&b, &l->ir, "ERROR");
	b.verified = !l->c->opt->replay;
	on = irb_block(&b, "on");
	e.end = irb_cold_block(&b, "exit");
	ctx = irb_ctx(&b);
	take_fault(&b, &e);
	irb_jmp(&b, on);
	irb_place(&b, on);
	gen_firings(l, &l->error, &b, &e);
	irb_ret(&b);
	u->error_exits = b.f->block.v[e.end]->npred > 0;
	irb_place(&b, e.end);
	irb_ret_reg(&b, irb_const(&b, 1));
	u->has_error = true;
	u->error_ctx = looks_at_ctx(b.f, ctx);
	u->scratch_used = u->scratch_max = e.scratch_used > e.scratch_max ? e.scratch_used
									  : e.scratch_max;
	return b.f;
}

int gen_unit(struct linker *l, struct hook_unit *hu, uint32_t index, struct ir_unit *iru)
{
	struct irb b;
	struct routines routines = {.unit = iru,
				    .c = l->c,
				    .layout = &l->layout,
				    .verified = !l->c->opt->replay};
	struct unit_build u = {.hook = hu->hook,
			       .nests = hu->hook->nests,
			       .index = index,
			       .routines = &routines};
	struct ir_func *error;
	bool counted = unit_counts(l, hu);
	int off, on, none;

	vec_apush(&l->ir, &iru->func, NULL);
	if (l->error.firing.n && unit_count_hidden(hu) < hu->firing.n) {
		vec_apush(&l->ir, &iru->func, NULL);
		error = gen_error(l, &u, index); /* may add routines to @iru */
		iru->func.v[ERROR_FUNC] = error;
	}
	irb_init(&b, &l->ir, hu->hook->target);
	b.verified = !l->c->opt->replay;
	b.f->ret = hu->hook->ret;
	off = irb_cold_block(&b, "off");
	on = irb_block(&b, "on");
	u.end = irb_block(&b, "end");
	irb_ctx(&b);
	test_gate(l, hu, &b, &u, on, off);
	irb_place(&b, on);
	/* comes before all tests of the event, so that the backup acts on every skipped event */
	if (hu->backup_of)
		enter_backup(&b, l->unit.v[hu->backup_of - 1].busy, target_counter(l->c), off);
	if (hu->hook->behind)
		u.behind = behind_ctx(l, &b, hu->hook);
	if (hu->hook->ends)
		need_objects(hu->hook, &b, off);
	test_early_exit(l, hu, &b, &u, off);
	test_running(l, hu, &b, off);
	if (counted)
		count_running(l, &b, 1);
	none = counted ? irb_cold_block(&b, "no area") : off;
	u.scratch_base = irb_area(&b, none);
	gen_firings(l, hu, &b, &u);
	irb_jmp(&b, u.end);
	irb_place(&b, u.end);
	irb_area_release(&b);
	if (counted) {
		irb_jmp(&b, none);
		irb_place(&b, none);
		count_running(l, &b, -1);
	}
	irb_ret(&b);
	irb_place(&b, off);
	irb_ret(&b);
	b.f->area.size = u.scratch_used > u.scratch_max ? u.scratch_used : u.scratch_max;
	iru->func.v[0] = b.f;
	return u.scratch_base;
}
