/*
 * places.c - arguments of static probes: each probe has its own in its own registers or memory.
 *
 * A clause at many probes has a table, by number, of where the argument is: what is at the same place
 * everywhere has one way of reading it.
 */
#include <string.h>

#include "compiler/code/irgen.h"
#include "ir/helpers.h"

typedef VEC(const struct arg_place *) places;

static const struct arg_place nowhere = {.kind = PLACE_CONSTANT, .reg = -1, .index = -1, .size = 8};

static const struct arg_place *place_at(const struct hook *h, uint64_t i)
{
	return i < h->nplace ? &h->place[i] : &nowhere;
}

static bool same_place(const struct arg_place *a, const struct arg_place *b)
{
	return a->kind == b->kind && a->size == b->size && a->sgn == b->sgn && a->reg == b->reg &&
		a->index == b->index &&
	       a->scale == b->scale && a->value == b->value;
}

/* Which of @all the place is; it is added if it is new. */
static uint16_t class_of(struct fire *g, places *all, const struct arg_place *p)
{
	for (size_t k = 0; k < all->n; k++)
		if (same_place(all->v[k], p))
			return (uint16_t)k;
	vec_apush(g->c->arena, all, p);
	return (uint16_t)(all->n - 1);
}

static int register_at(struct fire *g, int32_t off)
{
	return irb_number(g->b, irb_load(g->b, irb_ctx(g->b), off, 8, false));
}

/* What is in the process's memory; what cannot be read is a fault. */
static int read_memory(struct fire *g, const struct arg_place *p)
{
	struct irb *b = g->b;
	int at = irb_const(b, p->value);

	if (p->reg >= 0)
		at = irb_bin(b, IR_ADD, register_at(g, p->reg), at);
	if (p->index >= 0)
		at = irb_bin(b, IR_ADD, at, irb_bini(b, IR_MUL, register_at(g, p->index), p->scale));
	return mem_load(g, (struct mem){.base = at, .user = true}, p->size, p->sgn);
}

static int load_place(struct fire *g, const struct arg_place *p, uint64_t i, struct loc at)
{
	switch (p->kind) {
	case PLACE_CONSTANT:
		return irb_const(g->b, p->value);
	case PLACE_REGISTER:
		return irb_ext(g->b, register_at(g, p->reg), p->size, p->sgn);
	case PLACE_MEMORY:
		return read_memory(g, p);
	case PLACE_UNKNOWN:
		break;
	}
	diag_error(g->c->d, D_UNSUPPORTED, at, "arg%llu of %s:%s:%s:%s is where it cannot be read: its note says so in "
		   "no known words", (unsigned long long)i, g->probe->prov, g->probe->mod,
			   g->probe->func, g->probe->name);
	return irb_const(g->b, 0);
}

/* The ways of @all in turn, until it is that of the probe that fires. */
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

int gen_placed(struct fire *g, uint64_t i, struct loc at)
{
	const struct family *f = g->probe->family;
	places all = {0};
	uint16_t *table;

	if (!g->namong)
		return irb_const(g->b, 0);
	table = arena_newn(g->c->arena, uint16_t, family_rows(f));
	for (uint32_t k = 0; k < g->namong; k++)
		table[g->among[k]->number] = class_of(g, &all, place_at(&g->among[k]->host->hook, i));
	if (all.n == 1)
		return load_place(g, all.v[0], i, at);
	return choose_place(g, &all, family_look(g, table, sizeof(*table)), i, at);
}
