/*
 * addr.c - code for cidr( ) and net( ), which work on the bytes of an address.
 *
 * A string that is an address from a probe has the 4 or 16 bytes of the address. It becomes text
 * only when it is printed, so programs parse no text. An IPv4 address in an IPv6 address (mapped or
 * compatible) counts as an IPv4 address, because it prints like one.
 */
#include "compiler/code/strings/addr.h"

#include <string.h>

#include "base/diag.h"
#include "base/prefix.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/strings.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/expr.h"
#include "compiler/meaning/prefix.h"
#include "compiler/meaning/strclass.h"
#include "compiler/syntax/ast.h"
#include "ir/ir.h"
#include "ir/program.h"

static void in_prefix(struct fire *g, const struct expr *e, const struct prefix *p, int t, int f);

static uint32_t word_of(const struct prefix *p, unsigned i)
{
	uint32_t w;

	memcpy(&w, p->addr + 4 * i, 4);
	return w;
}

/*
 * Compares word @i (4 bytes) of the address at @m with the same word of the network. Jumps to @t if
 * they agree, else to @f. A word that is wholly outside of the mask is not loaded.
 */
static void in_word(struct fire *g, struct mem m, const struct prefix *p, unsigned i, int t, int f)
{
	uint32_t mask = prefix_mask(p->bits, i);
	int v;

	if (!mask) {
		irb_jmp(g->b, t);
		return;
	}
	m.off += 4 * (int)i;
	v = mem_load(g, m, 4, false);
	if (mask != UINT32_MAX)
		v = irb_bini(g->b, IR_AND, v, mask);
	irb_bri(g->b, CC_EQ, v, word_of(p, i), t, f);
}

static void in_words(struct fire *g, struct mem m, const struct prefix *p, int t, int f)
{
	for (unsigned i = 0; i < 3; i++) {
		int next = irb_block(g->b, "word");

		in_word(g, m, p, i, next, f);
		irb_place(g->b, next);
	}
	in_word(g, m, p, 3, t, f);
}

static void in_prefix4(struct fire *g, struct mem m, const struct prefix *p, int t, int f)
{
	if (p->v6)
		irb_jmp(g->b, f);
	else
		in_word(g, m, p, 0, t, f);
}

static void in_prefix6(struct fire *g, struct mem m, const struct prefix *p, int t, int f)
{
	int quad, groups;
	struct mem low;

	if (p->v6 && (word_of(p, 0) || word_of(p, 1))) {
		in_words(g, m, p, t, f);
		return;
	}
	quad = irb_block(g->b, "quad");
	groups = irb_block(g->b, "groups");
	low = gen_quad_or_groups(g, m, quad, groups);
	irb_place(g->b, quad);
	in_prefix4(g, low, p, t, f);
	irb_place(g->b, groups);
	if (p->v6)
		in_words(g, m, p, t, f);
	else
		irb_jmp(g->b, f);
}

/*
 * Jumps to @t if the address in slot @d (the memory for one string) lies in network @p, else to @f.
 */
static void slot_in_prefix(struct fire *g, struct dest d, const struct prefix *p, int t, int f)
{
	struct mem m = {.base = d.base, .off = d.off + PAYLOAD, .own = true, .lib = true};
	int v4 = irb_block(g->b, "inet"), not4 = irb_block(g->b, "not inet"),
	    v6 = irb_block(g->b, "inet6");
	int tag = irb_loadv(g->b, d.base, d.off, 4, false);

	irb_bri(g->b, CC_EQ, tag, DSTR_IP4, v4, not4);
	irb_place(g->b, v4);
	in_prefix4(g, m, p, t, f);
	irb_place(g->b, not4);
	irb_bri(g->b, CC_EQ, tag, DSTR_IP6, v6, f);
	irb_place(g->b, v6);
	in_prefix6(g, m, p, t, f);
}

/*
 * If string @e may be any text, records an error and returns true: programs do not parse texts, so
 * they cannot know whether such a text is an address.
 */
static bool any_text(struct fire *g, const struct expr *e)
{
	if (str_is_exact(str_class(g->c, e)))
		return false;
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "not an address: cidr( ) and net( ) take an address from a probe or from "
		   "inet_ntop( ), or a pointer to an address");
	return true;
}

static struct dest binary_slot(struct fire *g, const struct expr *e)
{
	struct dest d = scratch_slot(g, str_class(g->c, e).size);

	d.zero = true;
	d.null = NULL_KEEP;
	gen_str(g, e, d);
	if (str_class(g->c, e).forms & FORM(DSTR_NTOP6))
		slot_as_ip4(g, d);
	return d;
}

static void other_in_prefix(struct fire *g, const struct expr *e, const struct prefix *p, int t,
			    int f)
{
	if (any_text(g, e))
		irb_jmp(g->b, f);
	else
		slot_in_prefix(g, binary_slot(g, e), p, t, f);
}

static void cond_in_prefix(struct fire *g, const struct expr *e, const struct prefix *p, int t,
			   int f)
{
	int yes = irb_block(g->b, "then"), no = irb_block(g->b, "else");

	if (e->a->is_const) {
		in_prefix(g, e->a->value ? e->b : e->c, p, t, f);
		return;
	}
	gen_cond(g, e->a, yes, no);
	irb_place(g->b, yes);
	in_prefix(g, e->b, p, t, f);
	irb_place(g->b, no);
	in_prefix(g, e->c, p, t, f);
}

static void literal_in_prefix(struct fire *g, const struct expr *e, const struct prefix *p, int t,
			      int f)
{
	struct prefix a;
	bool in = !prefix_parse(e->str, &a) && !strchr(e->str, '/') && a.v6 == p->v6;

	for (unsigned i = 0; in && i < (p->v6 ? 4u : 1u); i++)
		in = (word_of(&a, i) & prefix_mask(p->bits, i)) == word_of(p, i);
	irb_jmp(g->b, in ? t : f);
}

/* Jumps to @t if address @e lies in network @p, else to @f. */
static void in_prefix(struct fire *g, const struct expr *e, const struct prefix *p, int t, int f)
{
	struct sval s;

	if (!expr_is_string(e)) {
		unsigned n = addr_size(e->type);

		(n == 4 ? in_prefix4 : in_prefix6)(g, gen_pointed(g, e, n), p, t, f);
		return;
	}
	s = sval_of(e);
	switch (s.form) {
	case S_LITERAL:
		literal_in_prefix(g, s.e, p, t, f);
		return;
	case S_COND:
		cond_in_prefix(g, s.e, p, t, f);
		return;
	case S_IP4:
		in_prefix4(g, gen_pointed(g, s.e->arg[0], 4), p, t, f);
		return;
	case S_IP6:
		in_prefix6(g, gen_pointed(g, s.e->arg[0], 16), p, t, f);
		return;
	default:
		other_in_prefix(g, e, p, t, f);
	}
}

int gen_cidr(struct fire *g, const struct expr *address, const struct expr *network)
{
	struct truth t = truth_blocks(g->b);
	struct prefix p;

	prefix_parse(expr_kept(network)->str, &p);
	in_prefix(g, address, &p, t.yes, t.no);
	return truth_value(g->b, &t);
}

/* ---------------------------------------------------------------------- net */

static struct dest address_slot(struct fire *g, const struct expr *e)
{
	struct dest d;
	unsigned n;

	if (expr_is_string(e))
		return binary_slot(g, e);
	n = addr_size(e->type);
	d = scratch_slot(g, PAYLOAD + 16);
	d.zero = true;
	put_address_of(g, d, gen_pointed(g, e, n), n);
	return d;
}

/* Zeros all but the first @bits bits of the @n bytes in slot @d. */
static void cut_words(struct fire *g, struct dest d, unsigned bits, unsigned n)
{
	for (unsigned i = 0; i < n / 4; i++) {
		int32_t off = d.off + PAYLOAD + 4 * (int32_t)i;
		uint32_t mask = prefix_mask(bits, i);

		if (mask && mask != UINT32_MAX)
			irb_store(g->b, d.base, off, 4,
				  irb_bini(g->b, IR_AND, irb_loadv(g->b, d.base, off, 4, false),
					   mask));
		else if (!mask)
			irb_storei(g->b, d.base, off, 4, 0);
	}
}

struct dest gen_net(struct fire *g, const struct expr *call)
{
	const struct expr *e = call->arg[0];
	struct dest d = {0};
	int v4, not4, v6, done, tag;
	unsigned bits = (unsigned)call->arg[1]->value;

	if (expr_is_string(e) && any_text(g, e))
		return scratch_slot(g, PAYLOAD + 16);
	v4 = irb_block(g->b, "inet");
	not4 = irb_block(g->b, "not inet");
	v6 = irb_block(g->b, "inet6");
	done = irb_block(g->b, "network");
	d = address_slot(g, e);
	tag = irb_loadv(g->b, d.base, d.off, 4, false);
	irb_bri(g->b, CC_EQ, tag, DSTR_IP4, v4, not4);
	irb_place(g->b, v4);
	cut_words(g, d, bits > 32 ? 32 : bits, 4);
	irb_jmp(g->b, done);
	irb_place(g->b, not4);
	irb_bri(g->b, CC_EQ, tag, DSTR_IP6, v6, done);
	irb_place(g->b, v6);
	cut_words(g, d, bits, 16);
	irb_jmp(g->b, done);
	irb_place(g->b, done);
	return d;
}
