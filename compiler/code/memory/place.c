/*
 * place.c - where scalars are kept, and how they are read and written there.
 *
 *   IN_REG  a number in a register: this->x, or a variable that is never assigned and so reads as 0
 *   IN_MAP  a number in an entry of a map, or in storage of a thread or socket
 *   IN_MEM  anything else, which has an address: members, elements, globals
 *
 * Structs and arrays are always IN_MEM.
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
		p = (struct place){.where = IN_MEM, .type = p.type, .at = var_mem(g, v, e, NULL)};
	return p;
}

/*
 * Finds the bytes to access for a bit-field of the struct @sou. These are the smallest aligned unit
 * that holds the whole bit-field. If the struct has no such unit (only packed structs), they are
 * the bytes that have a bit of the bit-field, at most 9. So the access stays within the struct.
 */
static void place_bits(struct place *p, const struct type *sou, uint32_t bitoff, uint32_t bits)
{
	uint32_t from = bitoff / 8, last = (bitoff + bits - 1) / 8, size = 1;

	while (size < 8 && from / size != last / size)
		size *= 2;
	if (from / size == last / size && from / size * size + size <= sou->size)
		from = from / size * size;
	else
		size = last - from + 1;
	p->at.off += (int32_t)from - (int32_t)(bitoff / 8);
	p->bit = bitoff - 8 * from;
	p->bits = bits;
	p->bytes = size;
}

struct place place_of(struct fire *g, const struct expr *e, bool write)
{
	struct place p = {.where = IN_MEM, .type = type_strip(e->type)};
	struct member m;

	e = expr_target(e);
	if (e->symkind == SYM_VAR && !var_in_memory(e->ref.var))
		return of_var(g, e);
	p.at = gen_lvalue(g, e, write ? &p.element : NULL);
	if (e->kind == E_MEMBER) {
		m = expr_member(e);
		if (m.bits)
			place_bits(&p, expr_pointee(e->a), m.bitoff, m.bits);
	}
	if (write && !p.at.own)
		p.at = writable_mem(g, p.at, p.bits ? p.bytes : p.type->size);
	return p;
}

/* ---------------------------------------------------------------- bit-fields */

/*
 * Returns how many of the bit-field's bytes one access reads, beginning at byte @i. One access
 * reads all bytes, unless the struct is packed.
 */
static unsigned bytes_at(const struct place *p, unsigned i)
{
	unsigned n = 8;

	while (n > p->bytes - i)
		n /= 2;
	return n;
}

static struct mem byte_of(const struct place *p, unsigned i)
{
	struct mem m = p->at;

	m.off += (int32_t)i;
	return m;
}

/* Returns a register whose low bits are the bit-field. The other bits may have any value. */
static int load_pieces(struct fire *g, const struct place *p)
{
	struct irb *b = g->b;
	unsigned n = bytes_at(p, 0);
	int v = irb_bini(b, IR_SHR, mem_load(g, p->at, n, false), p->bit);

	for (unsigned i = n; i < p->bytes; i += n) {
		n = bytes_at(p, i);
		v = irb_bin(b, IR_OR, v,
			    irb_bini(b, IR_SHL, mem_load(g, byte_of(p, i), n, false),
				     8 * i - p->bit));
	}
	return v;
}

static int load_bits(struct fire *g, const struct place *p)
{
	struct irb *b = g->b;
	bool sgn = type_is_signed(p->type);
	int v;

	/* two shifts; with place_cut() it would be three */
	if (sgn && bytes_at(p, 0) == p->bytes) {
		v = mem_load(g, p->at, p->bytes, false);
		v = irb_bini(b, IR_SHL, v, 64 - p->bit - p->bits);
		return irb_bini(b, IR_SAR, v, 64 - p->bits);
	}
	v = load_pieces(g, p);
	return !sgn && p->bit + p->bits == 8 * p->bytes ? v : place_cut(g, p, v);
}

/* Stores @v in the bit-field. The other bits keep their values. */
static void store_bits(struct fire *g, const struct place *p, int v)
{
	struct irb *b = g->b;
	uint64_t field = p->bits == 64 ? UINT64_MAX : ((uint64_t)1 << p->bits) - 1;

	for (unsigned i = 0, n; i < p->bytes; i += n) {
		struct mem m = byte_of(p, i);
		uint64_t mask = i ? field >> (8 * i - p->bit) : field << p->bit;
		int old, new;

		n = bytes_at(p, i);
		old = irb_bini(b, IR_AND, mem_load(g, m, n, false), (int64_t)~mask);
		new = i ? irb_bini(b, IR_SHR, v, 8 * i - p->bit) : irb_bini(b, IR_SHL, v, p->bit);
		new = irb_bini(b, IR_AND, new, (int64_t)mask);
		irb_store(b, m.base, m.off, n, irb_bin(b, IR_OR, old, new));
	}
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
	var_put(g, &p->element);
}
