/*
 * nesting.c - programs that may run while another program of the run is active on the CPU. A unit
 * is the program of one hook.
 */
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "compiler/code/layout.h"
#include "compiler/code/units/units.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/names.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "ir/area.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

/* Returns a register with the int at the kernel's address @at. */
static int load_counter(struct irb *b, int at, uint32_t counter)
{
	int32_t frame = irb_frame_mark(b), slot;
	int v;

	if (counter)
		return irb_loadv(b, irb_cast(b, at, counter), 0, 4, false);
	slot = irb_frame(b, 8);
	irb_call(b, IR_CALL, HELPER_probe_read_kernel, 3,
		 (struct ir_arg[]){{ARG_FRAME, 0, slot}, {ARG_IMM, 0, 4}, {ARG_REG, at, 0}});
	v = irb_loadv(b, FRAME, slot, 4, false);
	irb_frame_release(b, frame);
	return v;
}

/*
 * The kernel skips a program that already runs on the CPU (prog->active in __bpf_trace_run(),
 * kernel/trace/bpf_trace.c). So a unit would lose the events that interrupt it. The backup is a
 * second program at the hook, which the kernel runs after the unit. It has the same code as the
 * unit and its own scratch memory, but acts only if the kernel has skipped the unit: if the unit is
 * running when the backup begins, the backup has interrupted it.
 *
 * It would not help to disable interrupts. A waiting interrupt comes when the program enables them
 * again, and the program is still running at that moment.
 */
void enter_backup(struct irb *b, uint32_t busy, uint32_t counter, int off)
{
	int at = irb_loadv(b, irb_percpu(b, busy), 0, 8, false);
	int known = irb_block(b, "counter"), skipped = irb_cold_block(b, "skipped");

	irb_bri(b, CC_EQ, at, 0, off, known);
	irb_place(b, known);
	irb_bri(b, CC_EQ, load_counter(b, at, counter), 0, off, skipped);
	irb_place(b, skipped);
	irb_count(b, offsetof(struct percpu, backup_runs));
}

uint32_t unit_active_at(const struct linker *l, const struct hook_unit *hu)
{
	return unit_has_backup(l, hu) ? hu->busy : 0;
}

/*
 * Kernel functions that a program calls take locks: of the ring, of a map, of a map's free
 * elements. While such a lock is held, another program can run on the same CPU, for example at the
 * return of a kernel function or at the end of the wait for a lock. If this second program wants
 * the same lock, the CPU waits for ever. So a program that may fire at such places does nothing
 * while another program of the run is active on its CPU. For this test, programs count themselves
 * as running.
 *
 * The kernel never runs a program while the same program is active on the CPU. It also never runs
 * an exclusive program (hook_kind_info.exclusive: kprobes and perf events) while another exclusive
 * program is active there. This function returns whether the programs at both hooks are exclusive.
 */
static bool kernel_excludes(const struct hook *a, const struct hook *b)
{
	return hook_kind_info(a->kind)->exclusive && hook_kind_info(b->kind)->exclusive;
}

/*
 * Returns whether dtrace itself runs the program at @h, and no other program of the run is attached
 * while it runs. This is so for END, but not for BEGIN, tick-N and iter:::bpf_prog.
 */
static bool runs_alone(const struct hook *h)
{
	return h->is_run && h->run == RUN_END;
}

/*
 * Returns whether a built-in library text names the hook of @f. Otherwise the user's program names
 * it.
 */
static bool is_named_by_us(const struct firing *f)
{
	return (f->probe->host ? f->site.v[0].en->clause->loc : f->probe->deriv->loc).src->ours;
}

/*
 * Returns whether the unit may fire while another program is active. There are two cases: the hook
 * is in code that takes locks, or the user's text names the hook's function, which programs may
 * call. Library texts name only functions that no program calls. Their probes must fire even in an
 * interrupt within another program.
 */
static bool may_fire_within(const struct hook_unit *hu)
{
	for (size_t i = 0; hu->hook->function && i < hu->firing.n; i++)
		if (!is_named_by_us(&hu->firing.v[i]))
			return true;
	return hu->hook->of_locks;
}

static bool fires_within(const struct hook_unit *inner, const struct hook_unit *outer)
{
	return inner->within && inner != outer && !runs_alone(outer->hook) &&
	       !kernel_excludes(inner->hook, outer->hook);
}

bool unit_counts(const struct linker *l, const struct hook_unit *outer)
{
	for (size_t i = 0; i < l->unit.n; i++)
		if (fires_within(&l->unit.v[i], outer))
			return true;
	return false;
}

static bool asks_running(const struct linker *l, const struct hook_unit *inner)
{
	for (size_t i = 0; inner->within && i < l->unit.n; i++)
		if (fires_within(inner, &l->unit.v[i]))
			return true;
	return false;
}

/*
 * Returns whether unit @inner must test that it does not interrupt a system call by which dtrace
 * deletes keys of aggregations. These calls take locks of maps. Exclusive programs
 * (kernel_excludes()) need no test, because the kernel runs none of them during these calls.
 */
static bool asks_map_writer(const struct linker *l, const struct hook_unit *inner)
{
	return inner->within && !hook_kind_info(inner->hook->kind)->exclusive &&
	       agg_any_keys(l->c->names);
}

/*
 * Finds the units that may fire while a program of another unit runs. Must be called before any
 * unit is generated or cut into parts.
 */
static void find_within(struct linker *l)
{
	for (size_t i = 0; i < l->unit.n && !l->c->opt->replay; i++) {
		struct hook_unit *hu = &l->unit.v[i];

		hu->within = may_fire_within(hu);
		l->p->checks_map_writer |= asks_map_writer(l, hu);
		if (hu->within && !l->running) {
			l->running = l->layout.percpu_size;
			l->layout.percpu_size += sizeof(uint64_t);
		}
	}
}

static void test_map_writer(struct irb *b, int other)
{
	int map_writer = irb_loadv(b, irb_global(b, offsetof(struct globals, map_writer)), 0, 4,
				   false),
	    us;
	int some = irb_cold_block(b, "maps are changed"), none = irb_block(b, "maps stay");

	irb_bri(b, CC_EQ, map_writer, 0, none, some);
	irb_place(b, some);
	us = irb_ext(b, irb_call(b, IR_PURECALL, HELPER_get_current_pid_tgid, 0, NULL), 4, false);
	irb_br(b, CC_EQ, us, map_writer, other, none);
	irb_place(b, none);
}

void test_running(struct linker *l, const struct hook_unit *hu, struct irb *b, int off)
{
	bool map_writer = asks_map_writer(l, hu), running = asks_running(l, hu);
	int other, alone;

	if (!map_writer && !running)
		return;
	other = irb_cold_block(b, "another runs");
	alone = irb_block(b, "alone");
	if (map_writer)
		test_map_writer(b, other);
	if (running)
		irb_bri(b, CC_EQ, irb_loadv(b, irb_percpu(b, l->running), 0, 8, false), 0, alone,
			other);
	else
		irb_jmp(b, alone);
	irb_place(b, other);
	if (!hu->continues)
		irb_count(b, offsetof(struct percpu, nested));
	irb_jmp(b, off);
	irb_place(b, alone);
}

/*
 * The addition is atomic, because an interrupt or preemption can run another program in the middle
 * of it.
 */
void count_running(struct linker *l, struct irb *b, int by)
{
	int base = irb_percpu(b, l->running);

	irb_atomic_add(b, base, 0, irb_const(b, by));
}

bool unit_claims_scratch(const struct linker *l, const struct hook_unit *hu)
{
	return hu->hook->nests && !hu->hook->needs_backup && !l->c->opt->replay;
}

uint32_t unit_busy_size(const struct linker *l, const struct hook_unit *hu)
{
	if (unit_has_backup(l, hu))
		return sizeof(uint64_t);
	return unit_claims_scratch(l, hu) ? AREA_BUSY : 0;
}

/*
 * Must be called before scratch areas are placed, because these use the rest of the MAP_PERCPU
 * value.
 */
int units_place_busy_words(struct linker *l)
{
	find_within(l);
	for (size_t i = 0; i < l->unit.n; i++) {
		struct hook_unit *hu = &l->unit.v[i];

		hu->busy = l->layout.percpu_size;
		l->layout.percpu_size += unit_busy_size(l, hu);
	}
	if (l->c->opt->replay || l->layout.percpu_size <= PERCPU_MAX)
		return 0;
	return layout_percpu_full(l->c);
}
