/*
 * encode.c - turns the IR of a unit (the eBPF program of one hook) into instructions.
 */

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/units.h"
#include "compiler/compile.h"
#include "compiler/meaning/compiler.h"
#include "ir/area.h"
#include "ir/bpf/bpf.h"
#include "ir/bpf/insn.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

#define SPILL_BYTES 4096 /* scratch memory for values that do not fit in the registers */

uint32_t unit_count_maps(const struct program *p, const struct unit *u)
{
	bool *seen = xcalloc(p->nmap, sizeof(*seen));
	uint32_t n = 0, tables = 0;

	for (uint32_t i = 0; i < u->ninsn; i++) {
		const struct insn *in = &u->insn[i];

		if (!bpf_is_wide(in))
			continue;
		if ((in->src == INSN_MAP || in->src == INSN_MAP_VALUE) && !seen[in->imm]) {
			seen[in->imm] = true;
			/*
			 * All tables and arrays are in one map: the arena, memory that programs and
			 * dtrace share.
			 */
			n += !map_in_arena(&p->map[in->imm]) || !tables++;
		}
		i++; /* skip the second half of a wide instruction */
	}
	xfree(seen);
	return n;
}

void unit_optimise(struct linker *l, struct ir_unit *u)
{
	for (size_t i = 0; i < u->func.n; i++)
		ir_prune(u->func.v[i]);
	ir_drop_functions(u); /* removes the function of ERROR if no clause can fault */
	for (size_t i = 0; i < u->func.n; i++) {
		ir_check(u->func.v[i]);
		ir_optimise(u->func.v[i]);
		if (l->dump && l->dump->ir)
			ir_print(u->func.v[i], l->dump->ir);
	}
}

/* Expands the IR to plain operations. */
static void lower(struct linker *l, const struct hook *h, struct ir_unit *u)
{
	struct ir_target target = *l->c->target;

	/* A dynptr needs a trusted pointer, and arguments of traced functions are not trusted. */
	if (h->function)
		target.skb_dynptr = false;
	ir_expand(u, l->p, &target, l->layout.zeros_off);
	for (size_t i = 0; i < u->func.n; i++) {
		ir_thread_jumps(u->func.v[i]);
		ir_tidy(u->func.v[i]);
		ir_check(u->func.v[i]);
	}
	/*
	 * Remove functions that have only unreachable calls. The verifier refuses functions that
	 * nothing calls.
	 */
	ir_drop_functions(u);
	for (size_t i = 0; l->dump && l->dump->plain && i < u->func.n; i++)
		ir_print(u->func.v[i], l->dump->plain);
}

/*
 * Places the unit's scratch memory, whose size is known now. The memory is in the MAP_PERCPU value
 * beside the counters, or in a map for scratch memory only.
 */
static int place_area(struct linker *l, const struct hook_unit *hu, struct ir_area *a)
{
	struct layout *lay = &l->layout;
	uint32_t size = a->size;

	a->claim = unit_claims_scratch(l, hu);
	a->busy = hu->busy;
	size *= a->claim ? AREAS : 1;
	if (!size)
		return 0;
	if (!l->c->opt->replay && size > PERCPU_MAX)
		return diag_error(l->c->d, D_LIMIT, NOLOC,
				  "the clauses of '%s' need %u bytes of memory for strings and "
				  "keys, but the kernel allows %u",
				  hu->hook->target, size, PERCPU_MAX);
	layout_place_area(l->c, lay, size, &a->map, &a->off);
	l->p->map = lay->map.v;
	l->p->nmap = (uint32_t)lay->map.n;
	return 0;
}

void unit_forget_area(struct linker *l, const struct ir_area *a)
{
	if (a->size)
		layout_forget_area(&l->layout, a->map, a->size * (a->claim ? AREAS : 1));
}

void unit_spill_to_scratch(struct ir_func *f, int area)
{
	f->area.size += SPILL_BYTES;
	f->spill_size = SPILL_BYTES;
	f->spill_base = area;
}

static void describe_funcs(const struct linker *l, const struct ir_unit *iru, struct unit *u)
{
	u->nfunc = (uint32_t)iru->func.n;
	u->func = arena_newn(l->c->arena, struct unit_func, iru->func.n);
	for (size_t i = 0; i < iru->func.n; i++) {
		const struct ir_func *f = iru->func.v[i];

		u->func[i] = (struct unit_func){arena_strdup(l->c->arena, f->name), f->start,
						f->params};
	}
}

int unit_encode(struct linker *l, struct hook_unit *hu, const struct ir_unit *iru, struct unit *u)
{
	struct strbuf *plain = l->dump ? l->dump->plain : NULL;
	size_t dumped = plain ? plain->len : 0;
	struct ir_unit lowered = {0};
	struct ir_area *area = &iru->func.v[0]->area;
	int res;

	if (place_area(l, hu, area))
		return -1;
	for (size_t i = 0; i < iru->func.n; i++)
		vec_apush(&l->ir, &lowered.func, iru->func.v[i]);
	lower(l, hu->hook, &lowered);
	res = bpf_generate(l->c->arena, &lowered, &u->insn, &u->ninsn, l->c->d);
	describe_funcs(l, &lowered, u);
	if (res == BPF_STACK_EXCEEDED) {
		unit_forget_area(l, area);
		if (plain)
			plain->len = dumped;
	}
	return res;
}

uint32_t unit_count_ops(const struct ir_unit *u)
{
	uint32_t n = 0;

	for (size_t i = 0; i < u->func.n; i++)
		for (size_t k = 0; k < u->func.v[i]->order.n; k++)
			n += (uint32_t)u->func.v[i]->block.v[u->func.v[i]->order.v[k]]->insn.n;
	return n;
}
