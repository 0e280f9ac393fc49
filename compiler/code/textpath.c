/*
 * textpath.c - routines that take a text apart where certain characters are: words, and paths.
 */
#include "compiler/code/text_int.h"

/* Words of 8 bytes behind those that are numbers: a bit for each character. */
enum { W_SET = 8 };

/* ------------------------------------------------------------------ tokens */

/* The set of the characters of @text. */
static void make_set(const struct maker *m, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int c, at, bit, old;

	for (int i = 0; i < 4; i++)
		irb_storei(b, words, 8 * (W_SET + i), 8, 0);
	irb_loop(b, &l, m->part, 1);
	c = irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 1, false);
	tx_leave_if(b, &l, CC_EQ, c, 0);
	at = irb_bin(b, IR_ADD, words, irb_bini(b, IR_SHR, c, 3));
	bit = irb_const(b, 1);
	bit = irb_bin(b, IR_SHL, bit, irb_bini(b, IR_AND, c, 7));
	old = irb_loadv(b, at, 8 * W_SET, 1, false);
	irb_store(b, at, 8 * W_SET, 1, irb_bin(b, IR_OR, old, bit));
	irb_loop_end(b, &l);
}

/* From @from on, the first place that is in the set or not (@in), or the end. */
static int span(const struct maker *m, int text, int words, int from, bool in)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int at = irb_var(b), c, set, is;

	irb_loop(b, &l, m->text, 1);
	irb_assign(b, at, irb_bin(b, IR_ADD, from, l.i));
	c = tx_byte_at(m, text, at);
	set = irb_loadv(b, irb_bin(b, IR_ADD, words, irb_bini(b, IR_SHR, c, 3)), 8 * W_SET, 1, false);
	is = irb_bini(b, IR_AND, irb_bin(b, IR_SHR, set, irb_bini(b, IR_AND, c, 7)), 1);
	if (!in)
		is = tx_not(b, is);
	tx_leave_if(b, &l, CC_NE, irb_bin(b, IR_OR, is, tx_is_zero(b, c)), 0);
	irb_loop_end(b, &l);
	return tx_forget(b, words, 3, at);
}

/* The text that is taken apart lies behind a word that says how far it has been. */
void make_token(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), state = irb_param(b, 1), delims = irb_param(b, 2), words = irb_param(b, 3);
	int text = irb_addr(b, state, TOKEN_TEXT), from, to, next;

	make_set(m, delims, words);
	from = span(m, text, words, tx_get_word(b, state, 0), false);
	to = span(m, text, words, from, true);
	next = irb_bin(b, IR_ADD, to, tx_not(b, tx_is_zero(b, tx_byte_at(m, text, to))));
	tx_set_word(b, state, 0, next); /* behind the delimiter, which is used up */
	tx_set_word(b, words, 0, from);
	tx_set_word(b, words, 1, irb_bin(b, IR_SUB, to, from));
	tx_copy(m, dst, text, words);
}

/* ------------------------------------------------------------------- paths */

/* What a path is made of: places. */
struct parts {
	int dir_end;         /* behind the last but one component, */
	int begin, end;      /* the last, without slashes behind it */
};

static struct parts find_parts(const struct maker *m, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int dir_end = irb_var(b), begin = irb_var(b), end = irb_var(b), before = irb_var(b);
	int c, other, starts, next;

	irb_assign_imm(b, dir_end, 0);
	irb_assign_imm(b, begin, 0);
	irb_assign_imm(b, end, 0);
	irb_assign_imm(b, before, 1); /* a slash, or the beginning */
	irb_loop(b, &l, m->text, 1);
	c = irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 1, false);
	tx_leave_if(b, &l, CC_EQ, c, 0);
	other = tx_not(b, tx_is_zero(b, irb_bini(b, IR_XOR, c, '/')));
	starts = irb_bin(b, IR_AND, other, before);
	irb_assign(b, dir_end, tx_choose(b, starts, end, dir_end));
	irb_assign(b, begin, tx_choose(b, starts, l.i, begin));
	next = irb_bini(b, IR_ADD, l.i, 1);
	irb_assign(b, end, tx_choose(b, other, next, end));
	irb_assign(b, before, tx_not(b, other));
	irb_loop_end(b, &l);
	dir_end = tx_forget(b, words, 2, dir_end);
	begin = tx_forget(b, words, 3, begin);
	return (struct parts){dir_end, begin, tx_forget(b, words, 4, end)};
}

/* @n characters from @from on; none: "." or "/". */
static void part_or(const struct maker *m, int dst, int text, int words, int from, int n, int dot)
{
	struct irb *b = m->b;
	int c = irb_bin(b, IR_SUB, irb_const(b, '/'), dot); /* '.' comes before it */

	tx_set_word(b, words, 0, from);
	tx_set_word(b, words, 1, n);
	tx_copy(m, dst, text, words);
	c = irb_bin(b, IR_MUL, c, tx_is_zero(b, n));
	irb_store(b, dst, 0, 1, irb_bin(b, IR_OR, c, irb_loadv(b, dst, 0, 1, false)));
}

void make_basename(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	struct parts p = find_parts(m, text, words);
	int empty = tx_is_zero(b, irb_loadv(b, text, 0, 1, false));

	part_or(m, dst, text, words, p.begin, irb_bin(b, IR_SUB, p.end, p.begin), empty);
}

/* Nothing before the last component: ".", only slashes: "/". */
void make_dirname(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	struct parts p = find_parts(m, text, words);
	int slash = tx_is_zero(b, irb_bini(b, IR_XOR, irb_loadv(b, text, 0, 1, false), '/'));

	int start = irb_const(b, 0);

	/* Without a slash in front, a component begins at 0, or there is none. */
	part_or(m, dst, text, words, start, p.dir_end, tx_not(b, slash));
}

/* ------------------------------------------------------ a path in its shortest form */

/* What stands at a place of the path: each 0 or 1. */
struct step {
	int c;        /* the character */
	int slash;    /* and it is one */
	int same, up; /* a slash with "." or ".." behind it, which is a component */
	int none;     /* a slash before a slash */
};

static int is_char(struct irb *b, int four, int i, int c)
{
	int v = irb_bini(b, IR_AND, irb_bini(b, IR_SHR, four, 8 * i), 0xff);

	return tx_is_zero(b, irb_bini(b, IR_XOR, v, c));
}

static struct step look(const struct maker *m, int text, int i)
{
	struct irb *b = m->b;
	int four = irb_loadv(b, tx_place(m, text, i), 0, 4, false);
	int dot = is_char(b, four, 1, '.'), dots = is_char(b, four, 2, '.'), ends = is_char(b, four, 3, '/');
	struct step s = {.c = irb_bini(b, IR_AND, four, 0xff), .slash = is_char(b, four, 0, '/')};

	s.none = irb_bin(b, IR_AND, s.slash, is_char(b, four, 1, '/'));
	dot = irb_bin(b, IR_AND, s.slash, dot);
	s.same = irb_bin(b, IR_AND, dot, is_char(b, four, 2, '/'));
	dots = irb_bin(b, IR_AND, dot, dots);
	ends = irb_bin(b, IR_OR, ends, is_char(b, four, 3, 0));
	s.up = irb_bin(b, IR_AND, dots, ends);
	return s;
}

/* Table: for a slash in the result, where the one before it is. */
static int slash_before(const struct maker *m, int table, int i)
{
	int off = irb_bini(m->b, IR_SHL, irb_bini(m->b, IR_AND, i, m->room - 1), 1);

	return irb_bin(m->b, IR_ADD, table, off);
}

/* (dst, text, words, table, work): work is a text, where the path is written first. */
void make_cleanpath(const struct maker *m)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	int table = irb_param(b, 3), work = irb_param(b, 4);
	int i = irb_var(b), j = irb_var(b), cut = irb_var(b), upward = irb_var(b), out, entry, ahead;
	struct step s;

	irb_assign_imm(b, i, 0);
	irb_assign_imm(b, j, 0);
	irb_assign_imm(b, cut, 0); /* where the last slash of the result is */
	irb_assign_imm(b, upward, 0);
	irb_loop(b, &l, m->text, 1);
	s = look(m, text, i);
	tx_leave_if(b, &l, CC_EQ, s.c, 0);
	out = tx_not(b, irb_bin(b, IR_OR, irb_bin(b, IR_OR, s.none, s.same), s.up));
	irb_store(b, tx_place(m, work, j), 0, 1, s.c);
	/* A slash that is written notes the one before it; ".." goes back to the last. */
	entry = irb_bin(b, IR_AND, out, s.slash);
	ahead = irb_loadv(b, slash_before(m, table, cut), 0, 2, false);
	irb_store(b, slash_before(m, table, j), 0, 2, cut);
	irb_assign(b, j, tx_choose(b, s.up, cut, j));
	irb_assign(b, cut, tx_choose(b, s.up, ahead, cut));
	irb_assign(b, cut, tx_choose(b, entry, j, cut));
	irb_change(b, IR_ADD, j, out);
	irb_assign(b, upward, s.up);
	ahead = irb_bin(b, IR_ADD, s.same, irb_bini(b, IR_SHL, s.up, 1));
	irb_change(b, IR_ADD, i, irb_bini(b, IR_ADD, ahead, 1));
	irb_loop_end(b, &l);
	/* A path that ends in ".." ends in a slash. */
	j = tx_forget(b, words, 2, j);
	upward = tx_forget(b, words, 3, upward);
	irb_store(b, tx_place(m, work, j), 0, 1, irb_const(b, '/'));
	irb_storei(b, words, 0, 8, 0);
	tx_set_word(b, words, 1, irb_bin(b, IR_ADD, j, upward));
	tx_copy(m, dst, work, words);
}
