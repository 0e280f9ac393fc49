/*
 * family.c - code that finds out which probe of a family fires, and the name of this probe. A
 * family is the set of probes of one hook that differ only by a number, such as system calls.
 *
 * If a clause is at some probes of a family only, a table translates the number of a probe in the
 * family to 1 + the probe's index in the clause, or to 0 if the clause is not at this probe. The
 * epid (enabled probe ID) of the clause at a probe is computed from that index. The tables, and the
 * characters of names, are constants in the MAP_GLOBAL value (program.init).
 */
#include "compiler/code/eval/family.h"

#include <string.h>

#include "base/arena.h"
#include "base/minmax.h"
#include "base/vec.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/layout.h"
#include "compiler/code/memory/mem.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/probes/probes.h"
#include "compiler/meaning/wants.h"
#include "compiler/syntax/ast.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "providers/provider.h"

/* Returns how many numbers the family has, used and unused ones. */
static uint32_t size_of(const struct family *f)
{
	return f->names ? f->names->n : (uint32_t)f->at.n;
}

/* Returns @field of the description of probe number @i, or NULL if there is no such probe. */
static const char *text_of(const struct family *f, unsigned field, uint32_t i)
{
	const struct probe *p;

	if (f->names)
		return f->names->func[i];
	p = f->at.v[i];
	return (const char *const[]){p->prov, p->mod, p->func, p->name}[field];
}

void family_join(struct compiler *c, struct probe *p)
{
	struct family *f = p->family;

	p->number = (uint32_t)f->at.n;
	vec_apush(c->arena, &f->at, p);
	for (unsigned i = PD_PROV; i <= PD_NAME; i++)
		if (strcmp(text_of(f, i, 0), text_of(f, i, p->number)))
			f->varies |= 1u << i;
}

int family_cookie(struct fire *g)
{
	return irb_call(g->b, IR_PURECALL, HELPER_get_attach_cookie, 1,
			(struct ir_arg[]){{ARG_REG, irb_ctx(g->b), 0}});
}

/*
 * Returns a register with the number that the firing probe has in its family. For a host probe (a
 * kernel hook itself), it is the cookie that the probe was attached with, or the lower half of this
 * cookie. For other probes, it is the last native argument (argument before translation).
 */
static int number_of(struct fire *g)
{
	if (g->hook->native)
		return gen(g, g->hook->native[g->hook->nnative - 1]);
	if (g->u->hook->args_at.placed && g->c->probes->env.rows)
		return irb_ext(g->b, family_cookie(g), 4, false);
	return family_cookie(g);
}

void family_number(struct fire *g, int skip)
{
	int number = number_of(g), one = irb_block(g->b, "has a name");

	irb_bri(g->b, CC_ULT, number, size_of(g->probe->family), one, skip);
	irb_place(g->b, one);
	g->number = number;
}

void family_one(struct fire *g)
{
	g->number = number_of(g);
}

/*
 * Returns where the constant @data of @size bytes is, as an offset in the MAP_GLOBAL value. Adds
 * the constant if no equal one is there yet.
 */
static int32_t constant(struct fire *g, const void *data, uint32_t size)
{
	struct layout *l = g->layout;
	struct init i = {.off = l->global_size, .data = data, .size = size};

	for (size_t k = 0; k < l->init.n; k++)
		if (l->init.v[k].size == size && !memcmp(l->init.v[k].data, data, size))
			return (int32_t)l->init.v[k].off;
	vec_apush(g->c->arena, &l->init, i);
	l->global_size += (size + 7) & ~7u;
	return (int32_t)i.off;
}

/* Returns the number of rows of a table: the number of probes, rounded up to a power of two. */
static uint32_t rows_of(const struct family *f)
{
	return (uint32_t)power_of_two(size_of(f));
}

/*
 * Returns a register with the address of one row of @table: the row of the probe that fires. Rows
 * have @size bytes. The probe's number was tested already, but verifiers may forget the test
 * (before 6.3, for a copy of the number). So the code masks the number.
 */
static int row(struct fire *g, int32_t table, unsigned size)
{
	int base = irb_global(g->b, table),
	    i = irb_bini(g->b, IR_AND, g->number, rows_of(g->probe->family) - 1);
	int off = irb_bini(g->b, IR_MUL, i, size);

	return irb_bin(g->b, IR_ADD, base, off);
}

/*
 * Returns whether the @n probes at @p are all probes of the family, in the order of their numbers.
 */
static bool is_whole(struct probe **p, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (p[i]->number != i)
			return false;
	return n == size_of(p[0]->family);
}

static int which_of(struct fire *g, struct probe **p, uint32_t n)
{
	uint32_t rows = rows_of(p[0]->family), *which;
	uint16_t *small;

	if (n > UINT16_MAX) {
		which = arena_newn(g->c->arena, uint32_t, rows);
		for (uint32_t i = 0; i < n; i++)
			which[p[i]->number] = i + 1;
		return irb_load(g->b, row(g, constant(g, which, rows * 4), 4), 0, 4, false);
	}
	small = arena_newn(g->c->arena, uint16_t, rows);
	for (uint32_t i = 0; i < n; i++)
		small[p[i]->number] = (uint16_t)(i + 1);
	return irb_load(g->b, row(g, constant(g, small, rows * 2), 2), 0, 2, false);
}

int family_which(struct fire *g, struct probe **p, uint32_t n, int skip)
{
	struct irb *b = g->b;
	int it = irb_block(b, "enabled"), which;

	if (n == 1) {
		irb_bri(b, CC_EQ, g->number, p[0]->number, it, skip);
		irb_place(b, it);
		return irb_const(b, 1);
	}
	if (!p[0]->family->names && is_whole(p, n)) {
		irb_jmp(b, it);
		irb_place(b, it);
		return irb_bini(b, IR_ADD, g->number, 1);
	}
	which = which_of(g, p, n);
	irb_bri(b, CC_EQ, which, 0, skip, it);
	irb_place(b, it);
	return which;
}

bool family_names_it(const struct fire *g, const struct expr *e)
{
	const struct family *f = g->probe->family;
	unsigned field = e->ref.builtin->field;

	return g->epid_at && (f->names ? field == PD_FUNC : f->varies >> field & 1);
}

/*
 * Returns a register with the number that @table has for the firing probe. @table has one 32-bit
 * number for each probe.
 */
static int number_at(struct fire *g, const uint32_t *table)
{
	return irb_load(g->b, row(g, constant(g, table, rows_of(g->probe->family) * 4), 4), 0, 4,
			false);
}

int family_name(struct fire *g, const struct expr *e)
{
	const struct family *f = g->probe->family;
	uint32_t *index;

	if (f->names)
		return irb_bini(g->b, IR_ADD, g->number, f->str);
	index = arena_newn(g->c->arena, uint32_t, rows_of(f));
	for (uint32_t i = 0; i < size_of(f); i++)
		index[i] = str_index(g->c, text_of(f, e->ref.builtin->field, i));
	return number_at(g, index);
}

int family_id(struct fire *g)
{
	const struct family *f = g->probe->family;
	uint32_t *id;

	if (f->names)
		return irb_bini(g->b, IR_ADD, irb_bini(g->b, IR_MUL, g->number, f->step), f->id);
	id = arena_newn(g->c->arena, uint32_t, rows_of(f));
	for (uint32_t i = 0; i < size_of(f); i++)
		id[i] = f->at.v[i]->id;
	return number_at(g, id);
}

/* Returns a power of two that is greater than the length of every name. */
static uint32_t name_size(const struct family *f, unsigned field)
{
	uint32_t size = 8;

	for (uint32_t i = 0; i < size_of(f); i++)
		while (text_of(f, field, i) && strlen(text_of(f, field, i)) >= size)
			size *= 2;
	return size;
}

struct mem family_chars(struct fire *g, const struct expr *e, uint32_t *size)
{
	const struct family *f = g->probe->family;
	unsigned field = e->ref.builtin->field;
	uint32_t rows = rows_of(f);
	char *all;

	*size = name_size(f, field);
	all = arena_newn(g->c->arena, char, (size_t)rows **size);
	for (uint32_t i = 0; i < size_of(f); i++)
		if (text_of(f, field, i))
			memcpy(all + (size_t)i * *size, text_of(f, field, i),
			       strlen(text_of(f, field, i)));
	return (struct mem){.base = row(g, constant(g, all, rows * *size), *size),
			    .own = true,
			    .lib = true};
}

static void equal_index(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	irb_bri(g->b, CC_EQ, family_name(g, e), str_index(g->c, s), t, f);
}

void family_equal(struct fire *g, const struct expr *e, const char *s, int t, int f)
{
	const struct family_names *names = g->probe->family->names;

	if (!names) {
		equal_index(g, e, s, t, f);
		return;
	}
	for (uint32_t i = 0; i < names->n; i++)
		if (names->func[i] && !strcmp(names->func[i], s)) {
			irb_bri(g->b, CC_EQ, g->number, i, t, f);
			return;
		}
	irb_jmp(g->b, f);
}

uint32_t family_rows(const struct family *f)
{
	return rows_of(f);
}

int family_look(struct fire *g, const void *table, unsigned size)
{
	return irb_load(g->b,
			row(g, constant(g, table, family_rows(g->probe->family) * size), size), 0,
			size, false);
}
