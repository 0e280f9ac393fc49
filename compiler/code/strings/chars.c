/*
 * chars.c - writes strings that have a binary form, such as addresses, as characters into a slot,
 * the memory for one string.
 */
#include "base/diag.h"
#include "base/minmax.h"
#include "base/xalloc.h"
#include "compiler/code/eval/eval.h"
#include "compiler/code/eval/fire.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/memory/mem.h"
#include "compiler/code/memory/scratch.h"
#include "compiler/code/strings/addr.h"
#include "compiler/code/strings/numtext.h"
#include "compiler/code/strings/strings.h"
#include "compiler/code/strings/strings_int.h"
#include "compiler/code/strings/text.h"
#include "compiler/meaning/compiler.h"
#include "compiler/meaning/strclass.h"
#include "compiler/meaning/wants.h"
#include "compiler/options.h"
#include "ir/helpers.h"
#include "ir/ir.h"
#include "ir/program.h"

int text_copy(struct fire *g, int at, uint32_t room, int src)
{
	struct irb *b = g->b;
	int n = irb_call(b, IR_CALL, HELPER_probe_read_kernel_str, 3,
			 (struct ir_arg[]){{ARG_REG, at, 0},
					   {ARG_IMM, 0, room},
					   {ARG_REG, src, 0}});
	int ok = irb_block(b, "copied"), bad = irb_cold_block(b, "not copied"),
	    done = irb_block(b, "length");
	int len = irb_var(b);

	irb_bri(b, CC_ULE, irb_bini(b, IR_SUB, n, 1), room - 1, ok, bad);
	irb_place(b, ok);
	irb_assign(b, len, irb_bini(b, IR_SUB, n, 1));
	irb_jmp(b, done);
	irb_place(b, bad);
	irb_assign_imm(b, len, 0);
	irb_jmp(b, done);
	irb_place(b, done);
	return len;
}

/*
 * Joins two texts. Copies the second text directly after the first, in work space that has room for
 * both in full, and then truncates the result.
 */
static void text_join(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	struct strclass x = str_as_text(str_class(g->c, e->arg[0])),
			y = str_as_text(str_class(g->c, e->arg[1]));
	struct dest dx = scratch_slot(g, x.size), dy = scratch_slot(g, y.size);
	struct dest work = scratch_slot(g, x.size + y.size + 8);
	uint32_t room = min_u32(min_u32(d.size - PAYLOAD, g->c->opt->strsize), x.text + y.text);
	int at = irb_addr(b, work.base, work.off), len, end;

	dx.text = dy.text = true;
	gen_str(g, e->arg[0], dx);
	gen_str(g, e->arg[1], dy);
	zero_rest(g, work, 0);
	len = text_copy(g, at, x.size - PAYLOAD, irb_addr(b, dx.base, dx.off + PAYLOAD));
	end = irb_bin(b, IR_ADD, at, len);
	text_copy(g, end, y.size - PAYLOAD, irb_addr(b, dy.base, dy.off + PAYLOAD));
	irb_storei(b, work.base, work.off + (int32_t)room - 1, 1, 0);
	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	text_copy(g, irb_addr(b, d.base, d.off + PAYLOAD), room, at);
}

/* Calls routine @r, which writes @what as text into slot @d. */
static void write_text(struct fire *g, const struct routine *r, int what, struct dest d)
{
	struct irb *b = g->b;
	struct dest work = scratch_slot(g, NUMTEXT_WORK);
	int to, at;

	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	to = irb_addr(b, d.base, d.off + PAYLOAD);
	at = irb_addr(b, work.base, work.off);
	gen_routine(g, r, min_u32(d.size - PAYLOAD, g->c->opt->strsize), 3,
		    (struct ir_arg[]){{ARG_REG, to, 0}, {ARG_REG, what, 0}, {ARG_REG, at, 0}});
}

static void text_base(struct fire *g, const struct expr *e, struct dest d)
{
	struct irb *b = g->b;
	struct dest work = scratch_slot(g, TEXT_SLOT(g));
	int words = gen_words(g), v = irb_scalar(b, gen_before(g, e->arg[0], e->arg[1])), from, to;

	irb_store(b, words, 0, 8, v);
	irb_store(b, words, 8, 8, gen_base(g, e->arg[1]));
	from = irb_addr(b, work.base, work.off);
	gen_text(g, RT_DIGITS, (struct text_size){0}, 2, (int[]){from, words});
	zero_rest(g, d, 0);
	put_tag(g, d, DSTR_TEXT);
	to = irb_addr(b, d.base, d.off + PAYLOAD);
	text_copy(g, to, min_u32(d.size - PAYLOAD, g->c->opt->strsize), from);
}

static void text_int(struct fire *g, const struct expr *e, struct dest d)
{
	write_text(g, &numtext_int, irb_scalar(g->b, gen(g, e->arg[0])), d);
}

/*
 * Writes the address at @m as text by routine @r. The routine reads the address from memory of
 * dtrace, so an address elsewhere is copied first.
 */
static void text_address(struct fire *g, const struct routine *r, struct mem m, uint32_t n,
			 struct dest d)
{
	struct dest copy;

	if (!m.own || m.base == FRAME) {
		copy = scratch_slot(g, n);
		mem_copy(g, m, copy, 0, n);
		m = (struct mem){.base = copy.base, .off = copy.off};
	}
	write_text(g, r, irb_addr(g->b, m.base, m.off), d);
}

static void text_ip4(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ip4, m, 4, d);
}

/*
 * Writes the text that inet_ntoa6() makes. Mapped and compatible addresses are written as dotted
 * quads.
 */
static void text_ip6(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ip6, m, 16, d);
}

static void text_ntop6(struct fire *g, struct mem m, struct dest d)
{
	text_address(g, &numtext_ntop6, m, 16, d);
}

void gen_strict_text(struct fire *g, const struct expr *e, struct dest d)
{
	text_address(g, &numtext_strict6, gen_pointed(g, e, 16), 16, d);
}

void gen_link_text(struct fire *g, const struct expr *e, bool infiniband, struct dest d)
{
	uint32_t n = infiniband ? 20 : 6;

	text_address(g, infiniband ? &numtext_infiniband : &numtext_ether, gen_pointed(g, e, n), n,
		     d);
}

void no_text_error(struct fire *g, const struct expr *e)
{
	diag_error(g->c->d, D_UNSUPPORTED, e->loc,
		   "the text of this name is only known when it is printed: the name can be "
		   "printed, be a key of an aggregation, be stored in a variable or be compared "
		   "with a literal; a strjoin() of it can be printed or be a key of an "
		   "aggregation; elsewhere use cs_uid, cs_cgroup or cs_netns");
}

/*
 * Writes the literal whose index in program.str is in slot @from. Class @s lists all literals that
 * may be there.
 */
static void text_literal(struct fire *g, struct strclass s, struct dest from, struct dest d)
{
	struct irb *b = g->b;
	int index = irb_loadv(b, from.base, from.off + PAYLOAD, 4, false),
	    done = irb_block(b, "literal");

	for (uint32_t i = 0; i < s.nlit; i++) {
		int is = irb_block(b, "this"), not = irb_block(b, "another");

		irb_bri(b, CC_EQ, index, str_index(g->c, s.lit[i]), is, not);
		irb_place(b, is);
		put_chars(g, d, s.lit[i]);
		irb_jmp(b, done);
		irb_place(b, not);
	}
	put_chars(g, d, "");
	irb_jmp(b, done);
	irb_place(b, done);
}

void text_slot(struct fire *g, struct strclass s, struct dest from, struct dest d)
{
	struct irb *b = g->b;
	struct mem m = {.base = from.base, .off = from.off + PAYLOAD, .own = true, .lib = true};
	int v4 = irb_block(b, "inet"), not4 = irb_block(b, "not inet"), v6 = irb_block(b, "inet6");
	int not6 = irb_block(b, "not inet6"), lit = irb_block(b, "literal"),
	    none = irb_block(b, "empty");
	int done = irb_block(b, "text"), tag = irb_loadv(b, from.base, from.off, 4, false), ntop,
	    other;

	irb_bri(b, CC_EQ, tag, DSTR_IP4, v4, not4);
	irb_place(b, v4);
	text_ip4(g, m, d);
	irb_jmp(b, done);
	irb_place(b, not4);
	irb_bri(b, CC_EQ, tag, DSTR_IP6, v6, not6);
	irb_place(b, v6);
	text_ip6(g, m, d);
	irb_jmp(b, done);
	irb_place(b, not6);
	if (s.forms & FORM(DSTR_NTOP6)) {
		ntop = irb_block(b, "inet_ntop");
		other = irb_block(b, "no address");
		irb_bri(b, CC_EQ, tag, DSTR_NTOP6, ntop, other);
		irb_place(b, ntop);
		text_ntop6(g, m, d);
		irb_jmp(b, done);
		irb_place(b, other);
	}
	irb_bri(b, CC_EQ, tag, DSTR_INTERN, lit, none);
	irb_place(b, lit);
	text_literal(g, s, from, d);
	irb_jmp(b, done);
	irb_place(b, none);
	put_chars(g, d, "");
	irb_jmp(b, done);
	irb_place(b, done);
}

/* Truncates the text in slot @d to strsize bytes, its NUL included. */
static void cut_text(struct fire *g, struct dest d)
{
	for (uint32_t i = g->c->opt->strsize - 1; i < d.size - PAYLOAD; i++)
		irb_storei(g->b, d.base, d.off + PAYLOAD + (int32_t)i, 1, 0);
}

/* Writes string @s, which has a binary form, as characters. */
static void make_text(struct fire *g, struct sval s, struct dest d)
{
	const struct expr *e = s.e;

	switch (s.form) {
	case S_IP4:
		text_ip4(g, gen_pointed(g, e->arg[0], 4), d);
		return;
	case S_IP6:
		text_ip6(g, gen_pointed(g, e->arg[0], 16), d);
		return;
	case S_NTOP:
		by_address_family(g, e, d, text_ip4, text_ntop6);
		return;
	case S_INT:
		(str_other_base(e) ? text_base : text_int)(g, e, d);
		return;
	case S_JOIN:
		text_join(g, e, d);
		return;
	case S_NET:
		text_slot(g, str_class(g->c, e), gen_net(g, e), d);
		return;
	case S_NAMED:
		no_text_error(g, e);
		return;
	case S_ENUM:
		diag_error(g->c->d, D_UNSUPPORTED, e->loc,
			   "the name of a kernel constant can be printed, be a key or be compared "
			   "with a literal; a strjoin() of it can be printed or be a key of an "
			   "aggregation");
		return;
	default:
		BUG("string form %d has no characters", s.form);
	}
}

void put_as_text(struct fire *g, struct sval s, struct dest d)
{
	make_text(g, s, d);
	if (g->c->opt->strsize < TEXT_LONGEST)
		cut_text(g, d);
}
