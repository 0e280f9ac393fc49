/*
 * family.c - which probe of a family fires, and what it is called.
 *
 * A clause of some of a family's probes has a table in the globals, by number: which of them it
 * is, counted from 1, or 0.  So its epids need only follow each other.  The tables, and the names'
 * characters, are written there before the program runs (program.init).
 */
#include <string.h>

#include "base/xalloc.h"
#include "compiler/code/irgen.h"

void family_number(struct fire *g, int skip)
{
	const struct family *f = g->probe->family;
	int number = gen(g, g->hook->native[g->hook->nnative - 1]), one = irb_block(g->b, "has a name");

	irb_bri(g->b, CC_ULT, number, f->names->n, one, skip);
	irb_place(g->b, one);
	g->number = number;
}

/* Where @size bytes that the program finds in the globals begin: the same bytes have one place. */
static int32_t constant(struct fire *g, const void *data, uint32_t size)
{
	struct compiler *c = g->c;
	struct init i = {.off = c->init_off, .data = data, .size = size};

	for (size_t k = 0; k < c->init.n; k++)
		if (c->init.v[k].size == size && !memcmp(c->init.v[k].data, data, size))
			return (int32_t)c->init.v[k].off;
	vec_apush(c->arena, &c->init, i);
	c->init_off += (size + 7) & ~7u;
	return (int32_t)i.off;
}

/* How many rows tables have: a power of two. */
static uint32_t rows_of(const struct family *f)
{
	uint32_t n = 1;

	while (n < f->names->n)
		n *= 2;
	return n;
}

/*
 * The address of row number, each of @size bytes, of a table.  That the number is in bounds has
 * been tested; verifiers forget it (before 6.3, of a copy), but see a mask.
 */
static int row(struct fire *g, int32_t table, unsigned size)
{
	int base = irb_global(g->b, table), i = irb_bini(g->b, IR_AND, g->number, rows_of(g->probe->family) - 1);
	int off = irb_bini(g->b, IR_MUL, i, size);

	return irb_bin(g->b, IR_ADD, base, off);
}

static int which_of(struct fire *g, struct probe **p, uint32_t n)
{
	uint32_t rows = rows_of(p[0]->family);
	uint16_t *which = arena_newn(g->c->arena, uint16_t, rows);

	for (uint32_t i = 0; i < n; i++)
		which[p[i]->number] = (uint16_t)(i + 1);
	return irb_load(g->b, row(g, constant(g, which, rows * 2), 2), 0, 2, false);
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
	which = which_of(g, p, n);
	irb_bri(b, CC_EQ, which, 0, skip, it);
	irb_place(b, it);
	return which;
}

bool family_names_it(const struct fire *g, const struct expr *e)
{
	return g->epid_at && !strcmp(((const struct builtin_var *)e->sym)->name, "probefunc");
}

int family_name(struct fire *g)
{
	return irb_bini(g->b, IR_ADD, g->number, g->probe->family->str);
}

/* A power of two that is longer than each. */
static uint32_t name_size(const struct family_names *names)
{
	uint32_t size = 8;

	for (uint32_t i = 0; i < names->n; i++)
		while (names->func[i] && strlen(names->func[i]) >= size)
			size *= 2;
	return size;
}

struct mem family_chars(struct fire *g, uint32_t *size)
{
	const struct family_names *names = g->probe->family->names;
	uint32_t rows = rows_of(g->probe->family);
	char *all;

	*size = name_size(names);
	all = arena_newn(g->c->arena, char, rows * *size);
	for (uint32_t i = 0; i < names->n; i++)
		if (names->func[i])
			memcpy(all + i * *size, names->func[i], strlen(names->func[i]));
	return (struct mem){.base = row(g, constant(g, all, rows * *size), *size), .own = true, .lib = true};
}

void family_equal(struct fire *g, const char *s, int t, int f)
{
	const struct family_names *names = g->probe->family->names;

	for (uint32_t i = 0; i < names->n; i++)
		if (names->func[i] && !strcmp(names->func[i], s)) {
			irb_bri(g->b, CC_EQ, g->number, i, t, f);
			return;
		}
	irb_jmp(g->b, f);
}
