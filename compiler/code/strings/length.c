/* length.c - computes strlen( ). */
#include <string.h>

#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/family.h"
#include "compiler/code/eval/fault.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/strclass.h"
#include "compiler/options.h"
#include "ir/ir.h"
#include "ir/program.h"

/* Returns a register with group @i of an IPv6 address, in host byte order. */
static int group_of(struct fire *g, struct mem m, int i)
{
	m.off += 2 * i;
	return irb_swap(g->b, mem_load(g, m, 2, false), 2);
}

static int hex_digits(struct fire *g, int v)
{
	struct irb *b = g->b;
	int n = irb_bini(b, IR_ADD, irb_at_least(g->b, v, 0x10), 1);

	n = irb_bin(b, IR_ADD, n, irb_at_least(g->b, v, 0x100));
	return irb_bin(b, IR_ADD, n, irb_at_least(g->b, v, 0x1000));
}

/* Returns min(@len, strsize - 1). @len is always less than @room. */
static int at_most(struct fire *g, int len, uint32_t room)
{
	struct irb *b = g->b;
	int cut, done, v;

	if (room <= g->c->opt->strsize)
		return len;
	cut = irb_block(b, "cut");
	done = irb_block(b, "length");
	v = irb_var(b);
	irb_assign(b, v, len);
	irb_bri(b, CC_UGE, len, g->c->opt->strsize, cut, done);
	irb_place(b, cut);
	irb_assign_imm(b, v, g->c->opt->strsize - 1);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

static uint32_t text_of(struct fire *g, const struct expr *e)
{
	return str_class(g->c, e).text;
}

static int strlen_text(struct fire *g, const struct expr *e)
{
	int text = gen_chars(g, e), words = gen_words(g);

	gen_text(g, RT_LEN, (struct text_size){.text = text_of(g, e)}, 2, (int[]){text, words});
	return irb_loadv(g->b, words, 0, 8, false);
}

static int digits_of(struct fire *g, int octet)
{
	int tens = irb_at_least(g->b, octet, 10), hundreds = irb_at_least(g->b, octet, 100);

	return irb_bin(g->b, IR_ADD, tens, hundreds);
}

static int strlen_ip4(struct fire *g, struct mem m)
{
	int n = irb_const(g->b, 7);

	for (int i = 0; i < 4; i++, m.off++)
		n = irb_bin(g->b, IR_ADD, n, digits_of(g, mem_load(g, m, 1, false)));
	return n;
}

/* If @value is greater than @var (unsigned), sets @var to @value and @also to @flag. */
static void keep_longer(struct irb *b, int var, int value, int also, int flag)
{
	int grew = irb_block(b, "longer"), done = irb_block(b, "longest");

	irb_br(b, CC_UGT, value, var, grew, done);
	irb_place(b, grew);
	irb_assign(b, var, value);
	irb_assign(b, also, flag);
	irb_jmp(b, done);
	irb_place(b, done);
}

/*
 * Returns a register with the length of an IPv6 address as text, without an IPv4 address at its
 * end. The text has eight groups of 1 to 4 digits, and 7 colons: its length is digits + 7. But "::"
 * replaces the longest run of zero groups (the first one of several). If the run has r < 8 groups,
 * the length is (digits - r) + (8 - r), and 1 more if the run begins or ends the text.
 */
static int strlen_groups(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int sum = irb_const(b, 0), run = irb_var(b), best = irb_var(b), edge = irb_var(b);
	int len = irb_var(b), some = irb_block(b, "compressed"), all = irb_block(b, "all zero");
	int part = irb_block(b, "some zero"), done = irb_block(b, "length");

	irb_assign_imm(b, run, 0);
	irb_assign_imm(b, best, 0);
	irb_assign_imm(b, edge, 0);
	for (int i = 0; i < 8; i++) {
		int v = group_of(g, m, i), zero = irb_block(b, "zero"),
		    other = irb_block(b, "not zero");
		int next = irb_block(b, "next");

		sum = irb_bin(b, IR_ADD, sum, hex_digits(g, v));
		irb_bri(b, CC_EQ, v, 0, zero, other);
		irb_place(b, zero);
		irb_assign(b, run, irb_bini(b, IR_ADD, run, 1));
		keep_longer(b, best, run, edge,
			    i == 7 ? irb_const(b, 1) : irb_set(b, CC_EQ, run, irb_const(b, i + 1)));
		irb_jmp(b, next);
		irb_place(b, other);
		irb_assign_imm(b, run, 0);
		irb_jmp(b, next);
		irb_place(b, next);
	}
	irb_assign(b, len, irb_bini(b, IR_ADD, sum, 7));
	irb_bri(b, CC_NE, best, 0, some, done);
	irb_place(b, some);
	irb_bri(b, CC_EQ, best, 8, all, part);
	irb_place(b, all);
	irb_assign_imm(b, len, 2);
	irb_jmp(b, done);
	irb_place(b, part);
	best = irb_bini(b, IR_SHL, best, 1);
	irb_assign(b, len,
		   irb_bin(b, IR_SUB, irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, sum, edge), 8), best));
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

/*
 * Returns the length of the text that inet_ntoa6() makes, which is a dotted quad for mapped and
 * compatible addresses.
 */
static int strlen_ip6(struct fire *g, struct mem m)
{
	struct irb *b = g->b;
	int quad = irb_block(b, "quad"), groups = irb_block(b, "groups"),
	    done = irb_block(b, "length");
	int len = irb_var(b);
	struct mem at = gen_quad_or_groups(g, m, quad, groups);

	irb_place(b, quad);
	irb_assign(b, len, strlen_ip4(g, at));
	irb_jmp(b, done);
	irb_place(b, groups);
	irb_assign(b, len, strlen_groups(g, m));
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

static int strlen_join(struct fire *g, const struct expr *e)
{
	int x = gen_strlen(g, e->arg[0]);

	x = irb_bin(g->b, IR_ADD, x, gen_strlen(g, e->arg[1]));
	return at_most(g, x, text_of(g, e->arg[0]) + text_of(g, e->arg[1]) - 1);
}

int gen_strlen(struct fire *g, const struct expr *e)
{
	struct sval s = sval_of(e);

	switch (s.form) {
	case S_NULL:
		gen_fault(g, FAULT_BADADDR, NOREG);
		return irb_const(g->b, 0);
	case S_NAME:
		if (family_names_it(g, s.e))
			return strlen_text(g, s.e);
		/* fall through */
	case S_LITERAL:
		return irb_const(g->b, (int64_t)strlen(str_known(g, s.e)));
	case S_COND:
		return gen_either(g, s.e, gen_strlen);
	case S_JOIN:
		return strlen_join(g, s.e);
	case S_IP4:
		return at_most(g, strlen_ip4(g, gen_pointed(g, s.e->arg[0], 4)), TEXT_IP4);
	case S_IP6:
		return at_most(g, strlen_ip6(g, gen_pointed(g, s.e->arg[0], 16)), TEXT_IP6);
	default:
		return strlen_text(g, s.e);
	}
}
