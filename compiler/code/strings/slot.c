/*
 * slot.c - writes a string into a slot (the memory for one string), in its cheapest form.
 */
#include <arpa/inet.h>
#include <string.h>

#include "base/minmax.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/numtext.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/lang.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "ir/ir.h"
#include "ir/program.h"
#include "ir/types/type.h"

void put_tag(struct fire *g, struct dest d, enum dstr_tag tag)
{
	irb_storei(g->b, d.base, d.off, 4, tag);
}

/* maximum number of bytes that are zeroed in line; a routine zeros longer slots */
#define ZEROS_INLINE 512

/*
 * Zeros slot @d from byte @from on, in words of 8 bytes. Returns the offset of the rest, which is
 * shorter than a word.
 */
static uint32_t zero_long(struct fire *g, struct dest d, uint32_t from)
{
	uint32_t n;
	int at;

	if ((d.off + (int32_t)from) % 8) {
		irb_storei(g->b, d.base, d.off + (int32_t)from, 4, 0);
		from += 4;
	}
	n = (d.size - from) & ~7u;
	at = irb_addr(g->b, d.base, d.off + (int32_t)from);
	gen_text(g, RT_ZERO, (struct text_size){.dst = n}, 1, &at);
	return from + n;
}

/* Returns whether a word of 8 bytes of slot @d begins at @off and ends within it. */
static bool is_word(struct dest d, uint32_t off)
{
	return (d.off + (int32_t)off) % 8 == 0 && d.size >= off + 8;
}

void zero_rest(struct fire *g, struct dest d, uint32_t from)
{
	unsigned n;

	if (d.zero && d.size > from + ZEROS_INLINE)
		from = zero_long(g, d, from);
	for (; d.zero && from < d.size; from += n) {
		n = is_word(d, from) ? 8 : 4;
		irb_storei(g->b, d.base, d.off + (int32_t)from, n, 0);
	}
}

static void put_intern(struct fire *g, struct dest d, const char *s)
{
	put_tag(g, d, DSTR_INTERN);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, (int64_t)str_index(g->c, s));
	zero_rest(g, d, PAYLOAD + 4);
}

static void put_address(struct fire *g, struct dest d, enum dstr_tag tag, const uint8_t *addr)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16, w;

	put_tag(g, d, tag);
	for (uint32_t i = 0; i < n; i += 4) {
		memcpy(&w, addr + i, 4);
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)i, 4, (int32_t)w);
	}
	zero_rest(g, d, PAYLOAD + n);
}

void put_chars(struct fire *g, struct dest d, const char *s)
{
	uint32_t room = min_u32(d.size - PAYLOAD, g->c->opt->strsize),
		 len = min_u32((uint32_t)strlen(s), room - 1), n, w;

	put_tag(g, d, DSTR_TEXT);
	for (n = 0; n <= len; n += 4) {
		w = 0;
		memcpy(&w, s + n, min_u32(4, len - n));
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)n, 4, (int32_t)w);
	}
	zero_rest(g, d, PAYLOAD + n);
}

void put_literal(struct fire *g, struct dest d, const char *s)
{
	enum dstr_tag tag;
	uint8_t addr[16];

	if (d.text || !*s) /* an empty text always has the form of a variable without a value */
		put_chars(g, d, s);
	else if (str_is_address(s, &tag, addr))
		put_address(g, d, tag, addr);
	else
		put_intern(g, d, s);
}

struct mem gen_pointed(struct fire *g, const struct expr *e, uint32_t n)
{
	struct mem m;

	if (!e->object)
		return (struct mem){.base = gen(g, e),
				    .owner = type_is(e->type, T_PTR)
						     ? type_strip(type_strip(e->type)->to)
						     : NULL,
				    .lib = e->lib,
				    .user = type_is_userland(e->type)};
	m = gen_mem(g, e->object);
	if (type_strip(e->object->type)->size < n)
		m.owner = NULL;
	return m;
}

void put_ip(struct fire *g, struct dest d, enum dstr_tag tag, struct mem m)
{
	uint32_t n = tag == DSTR_IP4 ? 4 : 16;

	put_tag(g, d, tag);
	if (n == 4 && d.zero && is_word(d, PAYLOAD) && mem_is_loaded(g, &m, n)) {
		/*
		 * Use one store, because a load of the whole word would have to wait for two
		 * smaller stores.
		 */
		irb_store(g->b, d.base, d.off + PAYLOAD, 8, mem_load(g, m, n, false));
		n = 8;
	} else {
		mem_copy(g, m, d, PAYLOAD, n);
	}
	zero_rest(g, d, PAYLOAD + n);
}

struct mem gen_quad_or_groups(struct fire *g, struct mem m, int quad, int groups)
{
	struct irb *b = g->b;
	int low = irb_block(b, "low"), mid;
	struct mem at = m;

	irb_bri(b, CC_EQ, mem_load(g, m, 8, false), 0, low, groups);
	irb_place(b, low);
	at.off += 8;
	mid = irb_swap(b, mem_load(g, at, 4, false), 4);
	at.off += 4;
	numtext_branch6(b, mid, irb_swap(b, mem_load(g, at, 4, false), 4), quad, groups);
	return at;
}

/* Places block @quad, which writes the IPv4 address at @m into slot @d and jumps to @done. */
static void put_quad(struct fire *g, struct dest d, struct mem m, int quad, int done)
{
	irb_place(g->b, quad);
	put_ip(g, d, DSTR_IP4, m);
	irb_jmp(g->b, done);
}

void put_ip6(struct fire *g, struct mem m, struct dest d)
{
	struct irb *b = g->b;
	int quad, groups, done;

	if (!d.zero) {
		put_ip(g, d, DSTR_IP6, m);
		return;
	}
	quad = irb_block(b, "quad");
	groups = irb_block(b, "groups");
	done = irb_block(b, "address");
	put_quad(g, d, gen_quad_or_groups(g, m, quad, groups), quad, done);
	irb_place(b, groups);
	put_ip(g, d, DSTR_IP6, m);
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * If slots are compared (@d.zero), equal texts must have equal bytes. inet_ntop() and inet_ntoa6()
 * differ only for mapped and compatible addresses, so only these get the tag DSTR_NTOP6.
 */
void put_ntop6(struct fire *g, struct mem m, struct dest d)
{
	struct irb *b = g->b;
	int quad, groups;

	put_ip(g, d, d.zero ? DSTR_IP6 : DSTR_NTOP6, m);
	if (!d.zero)
		return;
	quad = irb_block(b, "quad");
	groups = irb_block(b, "groups");
	gen_quad_or_groups(g, m, quad, groups);
	irb_place(b, quad);
	put_tag(g, d, DSTR_NTOP6);
	irb_jmp(b, groups);
	irb_place(b, groups);
}

void put_ip4(struct fire *g, struct mem m, struct dest d)
{
	put_ip(g, d, DSTR_IP4, m);
}

void slot_as_ip4(struct fire *g, struct dest d)
{
	struct irb *b = g->b;
	struct mem m = {.base = d.base, .off = d.off + PAYLOAD + 12, .own = true, .lib = true};
	int embedded = irb_block(b, "embedded"), other = irb_block(b, "other");

	irb_bri(b, CC_EQ, irb_loadv(b, d.base, d.off, 4, false), DSTR_NTOP6, embedded, other);
	put_quad(g, d, m, embedded, other);
	irb_place(b, other);
}

void put_address_of(struct fire *g, struct dest d, struct mem m, unsigned n)
{
	if (n == 4)
		put_ip(g, d, DSTR_IP4, m);
	else
		put_ip6(g, m, d);
}

void by_address_family(struct fire *g, const struct expr *e, struct dest d,
		       void (*write4)(struct fire *g, struct mem m, struct dest d),
		       void (*write6)(struct fire *g, struct mem m, struct dest d))
{
	struct irb *b = g->b;
	int v4 = irb_block(b, "inet"), not4 = irb_block(b, "not inet"), v6 = irb_block(b, "inet6");
	int done = irb_block(b, "address"), af = gen(g, e->arg[0]);

	irb_bri(b, CC_EQ, af, AF_INET, v4, not4);
	irb_place(b, v4);
	write4(g, gen_pointed(g, e->arg[1], 4), d);
	irb_jmp(b, done);
	irb_place(b, not4);
	irb_bri(b, CC_EQ, af, AF_INET6, v6, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, v6);
	write6(g, gen_pointed(g, e->arg[1], 16), d);
	irb_jmp(b, done);
	irb_place(b, done);
}

int gen_base(struct fire *g, const struct expr *e)
{
	struct irb *b = g->b;
	int base = gen(g, e), over = irb_bini(b, IR_SUB, base, 2);
	int ok = irb_block(b, "base");

	irb_bri(b, CC_ULT, over, 35, ok, fault_block(g, FAULT_ILLOP, NOREG));
	irb_place(b, ok);
	return base;
}

void put_lltostr(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	int v = gen(g, e->arg[0]);

	put_tag(g, d, DSTR_INT);
	irb_store(b, d.base, d.off + PAYLOAD, 4, v);
	irb_store(b, d.base, d.off + PAYLOAD + 4, 4, irb_bini(b, IR_SHR, v, 32));
	if (e->narg > 1)
		irb_store(b, d.base, d.off + PAYLOAD + 8, 4, gen_base(g, e->arg[1]));
	else
		irb_storei(b, d.base, d.off + PAYLOAD + 8, 4, 10);
	zero_rest(g, d, PAYLOAD + 12);
}

void put_enum(struct fire *g, const struct expr *e, struct dest d)
{
	put_tag(g, d, DSTR_INTERN);
	irb_store(g->b, d.base, d.off + PAYLOAD, 4, enumstr_index(g, e));
	zero_rest(g, d, PAYLOAD + 4);
}

void put_named(struct fire *g, const struct expr *e, struct dest d)
{
	int id = gen(g, e->arg[1]);

	g->c->wants->uses_names = true;
	put_tag(g, d, DSTR_NAMED);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, (int64_t)e->arg[0]->value);
	irb_store(g->b, d.base, d.off + PAYLOAD + 4, 4, id);
	irb_store(g->b, d.base, d.off + PAYLOAD + 8, 4,
		  irb_bini(g->b, IR_SHR, irb_scalar(g->b, id), 32));
	zero_rest(g, d, PAYLOAD + 12);
}

const char *str_known(struct fire *g, const struct expr *e)
{
	struct sval s = sval_of(e);

	switch (s.form) {
	case S_NULL:
		return "";
	case S_LITERAL:
		return str_bounded(g->c, s.e->str);
	case S_NAME:
		if (family_names_it(g, s.e))
			return NULL;
		return str_bounded(g->c, s.e->ref.builtin->text(g));
	default:
		return NULL;
	}
}

void gen_str_null(struct fire *g, const struct expr *e, struct dest d)
{
	if (d.null == NULL_FAULT && !e->lib)
		gen_fault(g, FAULT_BADADDR, NOREG);
	irb_storei(g->b, d.base, d.off, 4, d.null == NULL_KEEP ? DSTR_NULL : DSTR_TEXT);
	irb_storei(g->b, d.base, d.off + PAYLOAD, 4, 0);
	zero_rest(g, d, PAYLOAD + 4);
}

void branch_null(struct fire *g, struct dest d, int null, int some)
{
	int tag = irb_loadv(g->b, d.base, d.off, 4, false);

	irb_bri(g->b, CC_EQ, tag, DSTR_NULL, null, some);
}
