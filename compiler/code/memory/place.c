/*
 * place.c - where scalars are kept, and how they are read and written there.
 *
 *   IN_REG  a number in a register: this->x, or a variable that is never assigned and so reads as 0
 *   IN_MAP  a number in an entry of a map, or in storage of a thread or socket
 *   IN_MEM  anything else, which has an address: members, elements, globals
 *
 * Structs and arrays are always IN_MEM. If an entry of a hash is missing, reading it gives zeros,
 * and writing to it creates the entry (var_mem()).
 */
#include "compiler/code/memory/place.h"

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/alloca.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/vars.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/names.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/types/type.h"

static struct place of_var(struct fire *g, const struct expr *e)
{
	const struct var *v = e->ref.var;
	struct place p = {.var = v, .expr = e, .type = type_strip(v->type)};

	if (var_in_map(v))
		p.where = IN_MAP;
	else if (v->scope == DECL_THIS || !v->assigned)
		p.where = IN_REG;
	else
		p = (struct place){.where = IN_MEM, .type = p.type, .at = var_mem(g, v, e, true)};
	return p;
}

/*
 * Finds the bytes to access for a bit-field. These are the smallest aligned unit that holds the
 * whole bit-field, so that the access stays within the struct. If no such unit holds the bit-field
 * (in packed structs), the access begins at its first byte.
 */
static void place_bits(struct place *p, uint32_t bitoff, uint32_t bits)
{
	uint32_t from = bitoff / 8, size = 1;

	while (size < 8 && bitoff / (8 * size) != (bitoff + bits - 1) / (8 * size))
		size *= 2;
	if (bitoff / (8 * size) == (bitoff + bits - 1) / (8 * size))
		from = bitoff / (8 * size) * size;
	p->at.off += (int32_t)from - (int32_t)(bitoff / 8);
	p->bit = bitoff - 8 * from;
	p->bits = bits;
	p->unit = size;
}

struct place place_of(struct fire *g, const struct expr *e, bool write)
{
	struct place p = {.where = IN_MEM, .type = type_strip(e->type)};
	struct member m;

	e = expr_target(e);
	if (e->symkind == SYM_VAR && !var_in_memory(e->ref.var))
		return of_var(g, e);
	p.at = gen_lvalue(g, e, write);
	if (e->kind == E_MEMBER) {
		m = expr_member(e);
		if (m.bits)
			place_bits(&p, m.bitoff, m.bits);
	}
	if (write && !p.at.own)
		p.at = writable_mem(g, p.at, p.bits ? p.unit : p.type->size);
	return p;
}

/* ---------------------------------------------------------------- bit-fields */

static int load_bits(struct fire *g, const struct place *p)
{
	struct irb *b = g->b;
	unsigned size = p->unit;
	int v = mem_load(g, p->at, size, false);

	if (type_is_signed(p->type)) {
		v = irb_bini(b, IR_SHL, v, 64 - p->bit - p->bits);
		return irb_bini(b, IR_SAR, v, 64 - p->bits);
	}
	v = irb_bini(b, IR_SHR, v, p->bit);
	if (p->bit + p->bits == 8 * size)
		return v;
	return irb_bini(b, IR_AND, v, ((int64_t)1 << p->bits) - 1);
}

/* Stores @v in the bit-field. The other bits keep their values. */
static void store_bits(struct fire *g, const struct place *p, int v)
{
	struct irb *b = g->b;
	unsigned size = p->unit;
	uint64_t mask = (p->bits == 64 ? UINT64_MAX : ((uint64_t)1 << p->bits) - 1) << p->bit;
	int old = irb_bini(b, IR_AND, mem_load(g, p->at, size, false), (int64_t)~mask);

	v = irb_bini(b, IR_AND, irb_bini(b, IR_SHL, v, p->bit), (int64_t)mask);
	irb_store(b, p->at.base, p->at.off, size, irb_bin(b, IR_OR, old, v));
}

/* ------------------------------------------------------------------- scalars */

int place_load(struct fire *g, const struct place *p)
{
	if (p->where != IN_MEM)
		return var_load(g, p->var, p->expr);
	if (p->bits)
		return load_bits(g, p);
	return mem_load(g, p->at, p->type->size, type_is_signed(p->type));
}

int place_cut(struct fire *g, const struct place *p, int v)
{
	struct irb *b = g->b;

	if (p->bits && type_is_signed(p->type))
		return irb_bini(b, IR_SAR, irb_bini(b, IR_SHL, v, 64 - p->bits), 64 - p->bits);
	if (p->bits && p->bits < 64)
		return irb_bini(b, IR_AND, v, ((int64_t)1 << p->bits) - 1);
	return type_is_integer(p->type) ? irb_ext(b, v, p->type->size, type_is_signed(p->type)) : v;
}

void place_store(struct fire *g, const struct place *p, int v)
{
	if (p->where != IN_MEM)
		var_store(g, p->var, p->expr, v);
	else if (p->bits)
		store_bits(g, p, v);
	else
		irb_store(g->b, p->at.base, p->at.off, p->type->size, v);
}
