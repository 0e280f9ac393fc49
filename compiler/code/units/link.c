/*
 * link.c - generates all units of the program.
 *
 * A unit is an eBPF program with the clauses of one hook. Its code first tests the gate, a word
 * that lets programs act during the run. Then it goes through the probes of the hook. For each
 * probe it tests the guard, a condition from library text, and runs the clauses in the order of the
 * program. The probes are in the order of their rank, which is their order in the library texts.
 *
 * ERROR is a function of each unit whose clauses may fault, and is called at the fault.
 */
#include "compiler/code/units/link.h"

#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "compiler/code/aggmaps.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/units.h"
#include "compiler/compile.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/wants.h"
#include "ir/bpf/bpf.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/btf.h"

static int too_many_maps(const struct linker *l, const struct unit *u)
{
	return diag_error(l->c->d, D_LIMIT, NOLOC,
			  "the clauses of '%s' need %u BPF maps, but the kernel allows %d in one "
			  "program; use fewer associative arrays, self variables and aggregations "
			  "with keys",
			  u->target, unit_count_maps(l->p, u), UNIT_MAPS);
}

static void dump_code(const struct linker *l, const struct unit *u)
{
	if (!l->dump || !l->dump->bpf)
		return;
	strbuf_addf(l->dump->bpf, "unit %s%s (%u instructions)\n", u->target,
		    u->is_backup ? ", its backup" : "", u->ninsn);
	bpf_disasm(u->insn, u->ninsn, l->p, l->dump->bpf);
}

/*
 * Generates unit @i into @u. Returns 0, or -1 with the error recorded. Returns 1 if the unit must
 * be generated again, because it was cut into parts.
 */
static int generate(struct linker *l, uint32_t i, struct unit *u)
{
	struct hook_unit *hu = &l->unit.v[i];
	struct ir_unit iru = {0};
	int res, area = gen_unit(l, hu, i, &iru);
	uint32_t ops;
	bool many;

	if (l->c->d->nerr)
		return -1;
	unit_optimise(l, &iru);
	ops = unit_count_ops(&iru);
	if (ops > 2 * UNIT_LONG && unit_can_split(l, hu))
		return unit_split(l, i, parts_for_length(ops / 5 * 8)) ? -1 : 1;
	*u = unit_describe(l, hu, unit_reads_socket(l, hu->hook, iru.func.v[0]));
	u->ignores_packet = unit_ignores_packet(hu->hook, iru.func.v[0]);
	u->stateful = unit_is_stateful(l, &iru);
	u->longest = unit_longest_clause(l, hu);
	res = unit_encode(l, hu, &iru, u);
	if (res == BPF_STACK_EXCEEDED) {
		unit_spill_to_scratch(iru.func.v[0], area);
		res = unit_encode(l, hu, &iru, u);
	}
	if (res)
		return -1;
	many = !l->c->opt->replay && unit_count_maps(l->p, u) > UNIT_MAPS;
	if ((many || u->ninsn > UNIT_LONG) && unit_can_split(l, hu)) {
		unit_forget_area(l, &iru.func.v[0]->area);
		return unit_split(l, i, u->ninsn > UNIT_LONG ? parts_for_length(u->ninsn) : 2) ? -1
											       : 1;
	}
	return many ? too_many_maps(l, u) : 0;
}

static size_t length(const struct strbuf *b)
{
	return b ? b->len : 0;
}

/*
 * Cuts the dump in @b back to @len characters, because the unit whose dump follows must be
 * generated again.
 */
static void cut_dump(struct strbuf *b, size_t len)
{
	if (b)
		b->len = len;
}

/*
 * Generates all units. The number of units grows in the loop, because units may be cut into parts
 * (parts.c) and get backups (nesting.c).
 */
static int generate_all(struct linker *l)
{
	static const struct compile_dump none;
	const struct compile_dump *dump = l->dump ? l->dump : &none;
	bool backups = false;

	for (uint32_t i = 0; i < l->unit.n; i++) {
		size_t ir = length(dump->ir), plain = length(dump->plain);
		struct unit u;
		int res;

		for (;;) {
			res = generate(l, i, &u);
			arena_release(&l->ir);
			if (res <= 0)
				break;
			cut_dump(dump->ir, ir);
			cut_dump(dump->plain, plain);
		}
		if (res)
			return -1;
		dump_code(l, &u);
		vec_apush(l->c->arena, &l->out, u);
		if (unit_has_backup(l, &l->unit.v[i])) {
			units_add_backup(l, i);
			backups = true;
		}
	}
	if (backups)
		target_find_counter(l);
	return 0;
}

struct program *link_program(struct compiler *c, const struct room *room,
			     const struct compile_dump *dump)
{
	struct program *p = arena_new(c->arena, struct program);
	struct linker l = {.c = c, .p = p, .dump = dump};

	units_gather(&l);
	layout_make(c, &l.layout, room);
	if (c->d->nerr)
		return NULL;
	p->map = l.layout.map.v;
	p->nmap = (uint32_t)l.layout.map.n;
	p->agg = l.layout.agg;
	p->nagg = c->names->nagg;
	target_add_kfuncs(&l);
	p->wake = l.layout.wake;
	if (l.layout.tables && c->names->btf)
		p->arena_alloc = btf_find_func(c->names->btf, "bpf_arena_alloc_pages");
	describe_probes(&l);
	if (units_place_busy_words(&l))
		return NULL;
	if (generate_all(&l))
		return NULL;
	p->unit = l.out.v;
	p->nunit = (uint32_t)l.out.n;
	layout_finish(&l.layout);
	p->init = l.layout.init.v;
	p->ninit = (uint32_t)l.layout.init.n;
	p->map[MAP_ID_RING].max_entries = ring_size_for(&l);
	p->clause = l.clause.v;
	p->nclause = (uint32_t)l.clause.n;
	p->str = c->wants->str.v;
	p->nstr = (uint32_t)c->wants->str.n;
	p->late_args = l.layout.placed_off;
	p->names = c->wants->uses_names;
	p->stamps = c->wants->stamps;
	p->strsize = c->opt->strsize;
	p->destructive = c->wants->destructive;
	p->may_destroy = c->wants->may_destroy;
	p->impossible = c->wants->impossible;
	return p;
}
