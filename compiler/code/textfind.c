/*
 * textfind.c - routines that look for a part of a text.
 */
#include "compiler/code/text_int.h"

/* A position from -1 to @len, whatever is asked for. */
static int clamp(struct irb *b, int pos, int len)
{
	int v = irb_var(b), under = irb_block(b, "below"), in = irb_block(b, "not below");
	int over = irb_block(b, "above"), done = irb_block(b, "position");

	irb_assign(b, v, pos);
	irb_bri(b, CC_SLT, pos, 0, under, in);
	irb_place(b, under);
	irb_assign_imm(b, v, -1);
	irb_jmp(b, done);
	irb_place(b, in);
	irb_br(b, CC_SGT, pos, len, over, done);
	irb_place(b, over);
	irb_assign(b, v, len);
	irb_jmp(b, done);
	irb_place(b, done);
	return v;
}

/* What a search looks for, and has come to. */
struct search {
	int text, words;
	int len, part;      /* lengths */
	int from, to, last; /* between which places; 1: the last of them */
	int result;         /* a variable */
};

enum { W_RESULT, W_FROM = 4, W_TO }; /* words */

/*
 * Where the part may begin, by Perl's rules: the first from the position on, which is at least 0;
 * the last up to it.  A part without characters is found even where the position is outside.
 */
static void search_range(struct irb *b, struct search *s)
{
	int pos = tx_forget(b, s->words, W_FROM, clamp(b, tx_get_word(b, s->words, 0), s->len));
	int before = irb_bini(b, IR_SHR, pos, 63), room = irb_bin(b, IR_SUB, s->len, s->part);
	int empty = tx_is_zero(b, s->part), from, to;

	from = irb_bin(b, IR_ADD, pos, before);
	from = irb_bin(b, IR_MUL, from, tx_not(b, s->last));
	to = tx_choose(b, tx_less(b, room, pos), room, pos);
	to = irb_bin(b, IR_ADD, to, irb_bin(b, IR_AND, before, empty));
	s->from = tx_forget(b, s->words, W_FROM, from);
	s->to = tx_forget(b, s->words, W_TO, tx_choose(b, s->last, to, room));
}

static struct search begin_search(const struct maker *m, int text, int part, int words)
{
	struct search s = {.text = text, .words = words, .result = irb_var(m->b)};

	s.len = tx_length(m, m->text, text, words, 2);
	s.part = tx_length(m, m->part, part, words, 3);
	s.last = tx_get_word(m->b, words, 1);
	search_range(m->b, &s);
	irb_assign_imm(m->b, s.result, -1);
	return s;
}

/* The part is at @at (@hit) or not: notes that.  Gives whether the search has ended. */
static int note_hit(struct irb *b, const struct search *s, int at, int hit)
{
	int over = tx_less(b, s->to, at), first;

	hit = irb_bin(b, IR_AND, hit, tx_not(b, over));
	irb_assign(b, s->result, tx_choose(b, hit, at, s->result));
	first = irb_bin(b, IR_AND, hit, tx_not(b, s->last));
	return irb_bin(b, IR_OR, over, first);
}

static void end_search(struct irb *b, const struct search *s)
{
	int at = tx_forget(b, s->words, W_RESULT, s->result);

	tx_set_word(b, s->words, 1, irb_bin(b, IR_SUB, s->len, at));
}

/* Eight characters at each place, of which those in @mask must be @want. */
static void search8(const struct maker *m, const struct search *s, int want, int mask)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int at, v, end;

	irb_loop(b, &l, m->text, 1);
	at = irb_bin(b, IR_ADD, s->from, l.i);
	v = irb_bin(b, IR_AND, irb_loadv(b, tx_place(m, s->text, at), 0, 8, false), mask);
	end = note_hit(b, s, at, tx_is_zero64(b, irb_bin(b, IR_XOR, v, want)));
	tx_leave_if(b, &l, CC_NE, end, 0);
	irb_loop_end(b, &l);
	end_search(b, s);
}

void make_find8(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2);
	struct search s = begin_search(m, text, part, words);
	int mask = tx_keep(b, irb_const(b, -1), s.part);
	int want = irb_bin(b, IR_AND, irb_loadv(b, part, 0, 8, false), mask);

	search8(m, &s, want, mask);
}

/* The NUL is found, too. */
void make_chr(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1);
	struct search s = {.text = text, .words = words, .result = irb_var(b)};
	int want = irb_bini(b, IR_AND, tx_get_word(b, words, 2), 0xff);

	s.len = s.to = tx_length(m, m->text, text, words, 3);
	s.from = irb_const(b, 0);
	s.last = tx_get_word(b, words, 1);
	irb_assign_imm(b, s.result, -1);
	search8(m, &s, want, irb_const(b, 0xff));
}

/* ---------------------------------------------- a part of any length */

/* Entry @i of the table: u16. */
static int entry(const struct maker *m, int table, int i)
{
	int off = irb_bini(m->b, IR_SHL, irb_bini(m->b, IR_AND, i, m->room - 1), 1);

	return irb_bin(m->b, IR_ADD, table, off);
}

/*
 * One step of Knuth, Morris and Pratt: @k characters of the part stand before @i, where the next
 * is the same (@same) or not.  Then i goes on, or k goes back to the longest beginning that also stands there.
 */
static int kmp_step(const struct maker *m, int table, int i, int k, int same)
{
	struct irb *b = m->b;
	int none = tx_is_zero(b, k), at = irb_bin(b, IR_ADD, irb_bini(b, IR_SUB, k, 1), none);
	int back = irb_loadv(b, entry(m, table, at), 0, 2, false), now;

	back = irb_bin(b, IR_AND, back, irb_bini(b, IR_SUB, none, 1));
	now = tx_choose(b, same, irb_bini(b, IR_ADD, k, 1), back);
	irb_change(b, IR_ADD, i, irb_bin(b, IR_OR, same, none));
	irb_assign(b, k, now);
	return now;
}

/* Of each beginning of the part: how long a shorter one it ends with. */
static void make_table(const struct maker *m, int part, int table, int n)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int i = irb_var(b), k = irb_var(b);

	irb_storei(b, table, 0, 2, 0);
	irb_assign_imm(b, i, 1);
	irb_assign_imm(b, k, 0);
	irb_loop(b, &l, 2 * m->part, 1);
	tx_leave_if(b, &l, CC_EQ, tx_less(b, i, n), 0);
	{
		int at = entry(m, table, i), same = tx_byte_at(m, part, i);

		same = tx_equal(b, same, tx_byte_at(m, part, k));
		irb_store(b, at, 0, 2, kmp_step(m, table, i, k, same));
	}
	irb_loop_end(b, &l);
}

void make_find(const struct maker *m)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2), table = irb_param(b, 3);
	struct search s = begin_search(m, text, part, words);
	int i = irb_var(b), k = irb_var(b), end, same;

	make_table(m, part, table, s.part);
	irb_assign(b, i, s.from);
	irb_assign_imm(b, k, 0);
	irb_loop(b, &l, 2 * m->text, 1);
	same = tx_equal(b, k, s.part);
	end = note_hit(b, &s, irb_bin(b, IR_SUB, i, s.part), same);
	tx_leave_if(b, &l, CC_NE, end, 0);
	same = tx_byte_at(m, text, i);
	same = tx_equal(b, same, tx_byte_at(m, part, k));
	kmp_step(m, table, i, k, same);
	irb_loop_end(b, &l);
	end_search(b, &s);
}
