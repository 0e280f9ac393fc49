/*
 * usdt_arg.c - arguments of static probes. Each probe has its arguments at its own locations.
 *
 * A clause at several probes has a table that gives the argument's location for each probe's
 * number. If the location is the same at all probes, there is no table.
 */
#include "compiler/code/eval/usdt_arg.h"

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/vec.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/mem.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/options.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

typedef VEC(const struct arg_location *) places;

static const struct arg_location nowhere = {.kind = LOCATION_CONSTANT,
					    .reg = -1,
					    .index = -1,
					    .size = 8};

static const struct arg_location *place_at(const struct hook *h, uint64_t i)
{
	return i < h->args_at.nplace ? &h->args_at.place[i] : &nowhere;
}

/*
 * Stands for the location of an argument of an awaited probe (-Z). The location is not known yet,
 * because the file with the probe is not loaded. At run time, the location is in a table in the
 * MAP_GLOBAL value, with a row for each point (struct late_arg).
 */
static const struct arg_location awaited = {.kind = LOCATION_UNKNOWN,
					    .reg = -1,
					    .index = -1,
					    .size = 8};

/*
 * Maximum number of different locations of one argument in files that users may have written. Any
 * user can make a file with thousands of locations, which would take long to verify.
 */
#define FOREIGN_PLACES 256

/*
 * Stands for a location that dtrace does not read, in a file that any user may have written.
 * Reading the argument is a fault at run time. Without -Z, it is an error at compile time if all
 * probes of the clause have such a location.
 */
static const struct arg_location unreadable = {.kind = LOCATION_UNKNOWN,
					       .reg = -1,
					       .index = -1,
					       .size = 8};

static bool is_mark(const struct arg_location *p)
{
	return p == &awaited || p == &unreadable;
}

static bool same_place(const struct arg_location *a, const struct arg_location *b)
{
	if (is_mark(a) || is_mark(b))
		return a == b;
	return a->kind == b->kind && a->size == b->size && a->sgn == b->sgn && a->reg == b->reg &&
	       a->index == b->index && a->scale == b->scale && a->value == b->value;
}

/* Returns the index of location @p in @all. Adds the location if none in @all is equal. */
static uint16_t class_of(struct fire *g, places *all, const struct arg_location *p)
{
	for (size_t k = 0; k < all->n; k++)
		if (same_place(all->v[k], p))
			return (uint16_t)k;
	vec_apush(g->c->arena, all, p);
	return (uint16_t)(all->n - 1);
}

static int register_at(struct fire *g, int32_t off)
{
	return irb_scalar(g->b, irb_load(g->b, irb_ctx(g->b), off, 8, false));
}

/*
 * Reads an argument that is in the memory of the process. If the memory cannot be read, that is a
 * fault.
 */
static int read_memory(struct fire *g, const struct arg_location *p)
{
	struct irb *b = g->b;
	int at = irb_const(b, p->value);

	if (p->reg >= 0)
		at = irb_bin(b, IR_ADD, register_at(g, p->reg), at);
	if (p->index >= 0)
		at = irb_bin(b, IR_ADD, at,
			     irb_bini(b, IR_MUL, register_at(g, p->index), p->scale));
	return mem_load(g, (struct mem){.base = at, .user = true}, p->size, p->sgn);
}

/* ---------------------------------------------------------------- later probes */

/* Returns the number of rows of the table of awaited locations, which is a power of two. */
static uint32_t placed_rows(const struct compiler *c)
{
	uint32_t n = AWAITED_PLACES;

	while (n < c->probes->env.rows)
		n *= 2;
	return n;
}

/*
 * Returns a register with the address of the struct late_arg for argument @i at the probe that
 * fires.
 */
static int placed_at(struct fire *g, uint64_t i)
{
	struct layout *l = g->layout;
	struct irb *b = g->b;
	uint32_t rows = placed_rows(g->c), size = LATE_ARGS * sizeof(struct late_arg);
	int row = irb_bini(b, IR_AND, irb_bini(b, IR_SHR, family_cookie(g), 32), rows - 1), base;

	if (!l->placed_off) {
		l->placed_off = l->global_size;
		l->global_size += rows * size;
	}
	base = irb_global(b, l->placed_off + (int64_t)i * (int64_t)sizeof(struct late_arg));
	row = irb_bini(b, IR_MUL, row, size);
	return irb_bin(b, IR_ADD, base, row);
}

/*
 * Returns a register with the value of a machine register. The member at offset @field of the
 * struct late_arg at @at (a register) is the offset of the machine register in the context.
 * Verifiers allow loads from the context only at constant offsets, so this is a probe read.
 */
static int register_in(struct fire *g, int at, int32_t field)
{
	struct irb *b = g->b;
	int off = irb_load(b, at, field, 2, false);

	return irb_scalar(b,
			  irb_read(b, irb_bin(b, IR_ADD, irb_ctx(b), off), 0, 8, false, NOBLOCK));
}

/*
 * If @has has the flag @what, the location uses a machine register, and this code adds the
 * register's value to variable @v. An index register (LATE_ARG_INDEX) is first multiplied by
 * late_arg.scale.
 */
static void add_register(struct fire *g, int at, int has, int what, int v)
{
	struct irb *b = g->b;
	int it = irb_block(b, "has a register"), on = irb_block(b, "has no other");
	int reg;

	irb_bri(b, CC_EQ, irb_bini(b, IR_AND, has, what), 0, on, it);
	irb_place(b, it);
	irb_push(b);
	if (what == LATE_ARG_REG) {
		reg = register_in(g, at, offsetof(struct late_arg, reg));
	} else {
		reg = register_in(g, at, offsetof(struct late_arg, index));
		reg = irb_bin(b, IR_MUL, reg,
			      irb_load(b, at, offsetof(struct late_arg, scale), 4, true));
	}
	irb_update(b, IR_ADD, v, reg);
	irb_jmp(b, on);
	irb_pop(b);
	irb_place(b, on);
}

/* If the argument is in memory, replaces its address in variable @v by its value. */
static void follow(struct fire *g, int size, int v)
{
	struct irb *b = g->b;
	int on = irb_block(b, "has its bytes");

	for (unsigned n = 1; n <= 8; n *= 2) {
		int it = irb_block(b, "in memory"), other = irb_block(b, "of another size");

		irb_bri(b, CC_EQ, size, n, it, other);
		irb_place(b, it);
		irb_push(b);
		irb_assign(b, v,
			   mem_load(g, (struct mem){.base = irb_value(b, v), .user = true}, n,
				    false));
		irb_jmp(b, on);
		irb_pop(b);
		irb_place(b, other);
	}
	irb_jmp(b, on);
	irb_place(b, on);
}

/* Sign- or zero-extends variable @v, whose upper late_arg.shift bits are undefined. */
static void extend(struct fire *g, int at, int v)
{
	struct irb *b = g->b;
	int shift = irb_bini(b, IR_AND, irb_load(b, at, offsetof(struct late_arg, shift), 1, false),
			     63);
	int its = irb_block(b, "signed"), not = irb_block(b, "unsigned"),
	    on = irb_block(b, "extended");

	irb_update(b, IR_SHL, v, shift);
	irb_bri(b, CC_EQ, irb_load(b, at, offsetof(struct late_arg, sgn), 1, false), 0, not, its);
	irb_place(b, its);
	irb_update(b, IR_SAR, v, shift);
	irb_jmp(b, on);
	irb_place(b, not);
	irb_update(b, IR_SHR, v, shift);
	irb_jmp(b, on);
	irb_place(b, on);
}

static int load_awaited(struct fire *g, uint64_t i)
{
	struct irb *b = g->b;
	int at = placed_at(g, i), v = irb_var(b), has;

	irb_assign(b, v, irb_load(b, at, offsetof(struct late_arg, value), 8, false));
	has = irb_load(b, at, offsetof(struct late_arg, has), 1, false);
	add_register(g, at, has, LATE_ARG_REG, v);
	add_register(g, at, has, LATE_ARG_INDEX, v);
	follow(g, irb_load(b, at, offsetof(struct late_arg, size), 1, false), v);
	extend(g, at, v);
	return irb_value(b, v);
}

/* -------------------------------------------------------------------------- any place */

static int load_place(struct fire *g, const struct arg_location *p, uint64_t i, struct loc at)
{
	if (p == &awaited)
		return load_awaited(g, i);
	if (p == &unreadable) {
		gen_fault(g, FAULT_ILLOP, NOREG);
		return irb_const(g->b, 0);
	}
	switch (p->kind) {
	case LOCATION_CONSTANT:
		return irb_const(g->b, p->value);
	case LOCATION_REGISTER:
		return irb_ext(g->b, register_at(g, p->reg), p->size, p->sgn);
	case LOCATION_MEMORY:
		return read_memory(g, p);
	case LOCATION_UNKNOWN:
		break;
	}
	diag_error(g->c->d, D_UNSUPPORTED, at,
		   "arg%llu of %s:%s:%s:%s cannot be read: the probe's ELF note gives its location "
		   "in an unknown form",
		   (unsigned long long)i, g->probe->prov, g->probe->mod, g->probe->func,
		   g->probe->name);
	return irb_const(g->b, 0);
}

/*
 * Emits code that loads the argument from the location with the index @which (register) in @all,
 * after a comparison for each location. Returns a register with the argument.
 */
static int choose_place(struct fire *g, const places *all, int which, uint64_t i, struct loc at)
{
	struct irb *b = g->b;
	int v = irb_var(b), done = irb_block(b, "argument");

	for (size_t k = 0; k < all->n; k++) {
		int it = irb_block(b, "place"), other = irb_block(b, "other place");

		irb_bri(b, CC_EQ, which, (int64_t)k, it, other);
		irb_place(b, it);
		irb_push(b);
		irb_assign(b, v, load_place(g, all->v[k], i, at));
		irb_jmp(b, done);
		irb_pop(b);
		irb_place(b, other);
	}
	irb_assign_imm(b, v, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return irb_value(b, v);
}

static const struct arg_location *note_place(struct fire *g, const struct host_probe *h, uint64_t i)
{
	uint32_t number = h->hook.point.awaited;
	const struct arg_location *p = place_at(&h->hook, i);

	if (!number)
		return p->kind == LOCATION_UNKNOWN && h->hook.args_at.foreign ? &unreadable : p;
	if (i >= LATE_ARGS)
		return &nowhere;
	g->c->probes->env.awaited.v[number - 1].args |= 1u << i;
	return &awaited;
}

/*
 * Returns @p, or &unreadable if the argument already has too many different locations in files of
 * users. *@n counts these locations.
 */
static const struct arg_location *bound_place(const places *all, const struct arg_location *p,
					      const struct host_probe *h, unsigned *n)
{
	if (is_mark(p) || !h->hook.args_at.foreign)
		return p;
	for (size_t k = 0; k < all->n; k++)
		if (same_place(all->v[k], p))
			return p;
	return (*n)++ < FOREIGN_PLACES ? p : &unreadable;
}

int gen_usdt_arg(struct fire *g, uint64_t i, struct loc at)
{
	const struct family *f = g->probe->family;
	places all = {0};
	unsigned foreign = 0;
	uint16_t *table;

	if (!g->namong)
		return irb_const(g->b, 0);
	table = arena_newn(g->c->arena, uint16_t, family_rows(f));
	for (uint32_t k = 0; k < g->namong; k++) {
		const struct host_probe *h = g->among[k]->host;
		const struct arg_location *p = bound_place(&all, note_place(g, h, i), h, &foreign);

		table[g->among[k]->number] = class_of(g, &all, p);
	}
	if (all.n == 1 && all.v[0] == &unreadable && !g->c->opt->zdefs)
		return load_place(g, place_at(&g->among[0]->host->hook, i), i, at);
	if (all.n == 1)
		return load_place(g, all.v[0], i, at);
	return choose_place(g, &all, family_look(g, table, sizeof(*table)), i, at);
}
