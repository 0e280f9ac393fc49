/*
 * textpath.c - routines that split a text at certain characters: tokens and paths.
 */
#include "compiler/code/strings/text.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"

/* Index of the first of four words with a set of characters, which has a bit for each character. */
enum { W_SET = 8 };

/* ------------------------------------------------------------------ tokens */

/* Fills the set with the characters of @text. */
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

/*
 * Indexes of the words of a span, a run of characters. W_BEGIN is the offset where the span begins.
 * W_WITHOUT is 0 if the span ends at a character in the set, and 1 if it ends at a character that
 * is not in the set.
 */
enum { W_BEGIN = 4, W_WITHOUT };

void make_span_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1), from = tx_get_word(b, words, W_BEGIN);
	int without = tx_get_word(b, words, W_WITHOUT), c, set, is;
	struct tx_piece p;

	tx_piece(m, &p, words, 1);
	irb_assign(b, p.var[0], irb_bin(b, IR_ADD, from, p.at));
	c = tx_byte_at(m, text, p.var[0]);
	set = irb_loadv(b, irb_bin(b, IR_ADD, words, irb_bini(b, IR_SHR, c, 3)), 8 * W_SET, 1,
			false);
	is = irb_bini(b, IR_AND, irb_bin(b, IR_SHR, set, irb_bini(b, IR_AND, c, 7)), 1);
	is = irb_bin(b, IR_XOR, is, without);
	tx_leave_if(b, &p.l, CC_NE, irb_bin(b, IR_OR, is, tx_is_zero(b, c)), 0);
	tx_piece_end(m, &p);
}

/*
 * Returns the first place, from @from on, whose character is in the set (if @in) or not in the set
 * (if !@in). Returns the end of the text if there is no such place.
 */
static int span(const struct maker *m, int text, int words, int from, bool in)
{
	tx_set_word(m->b, words, W_BEGIN, from);
	irb_storei(m->b, words, 8 * W_WITHOUT, 8, !in);
	tx_pieces(m, m->text, RT_SPAN_SOME, 2, (int[]){text, words}, words);
	return tx_get_word(m->b, words, W_STATE);
}

/*
 * Generates strtok(). The state has a word with the current position, followed by the text that is
 * split.
 */
void make_token(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), state = irb_param(b, 1), delims = irb_param(b, 2),
	    words = irb_param(b, 3);
	int text = irb_addr(b, state, TOKEN_TEXT), from, to, next;

	make_set(m, delims, words);
	from = span(m, text, words, tx_get_word(b, state, 0), false);
	to = span(m, text, words, from, true);
	next = irb_bin(b, IR_ADD, to, tx_not(b, tx_is_zero(b, tx_byte_at(m, text, to))));
	tx_set_word(b, state, 0, next); /* the next call begins after the delimiter */
	tx_set_word(b, words, 0, from);
	tx_set_word(b, words, 1, irb_bin(b, IR_SUB, to, from));
	tx_copy(m, dst, text, words);
}

/* ------------------------------------------------------------------- paths */

/* Offsets of the parts of a path. */
struct parts {
	int dir_end;    /* end of the directory */
	int begin, end; /* begin and end of the last component, without trailing slashes */
};

/*
 * Words of the loop's state. The first three are the members of struct parts. BEFORE is 1 where a
 * component may begin: after a slash, and at the start of the path.
 */
enum { DIR_END, BEGIN, END, BEFORE };

void make_parts_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1), c, other, starts, next;
	struct tx_piece p;
	const int *v = p.var;

	tx_piece(m, &p, words, 4);
	c = tx_byte_at(m, text, p.at);
	tx_leave_if(b, &p.l, CC_EQ, c, 0);
	other = tx_not(b, tx_is_zero(b, irb_bini(b, IR_XOR, c, '/')));
	starts = irb_bin(b, IR_AND, other, v[BEFORE]);
	irb_assign(b, v[DIR_END], tx_choose(b, starts, v[END], v[DIR_END]));
	irb_assign(b, v[BEGIN], tx_choose(b, starts, p.at, v[BEGIN]));
	next = irb_bini(b, IR_ADD, p.at, 1);
	irb_assign(b, v[END], tx_choose(b, other, next, v[END]));
	irb_assign(b, v[BEFORE], tx_not(b, other));
	tx_piece_end(m, &p);
}

static struct parts find_parts(const struct maker *m, int text, int words)
{
	struct irb *b = m->b;
	struct parts p;

	for (int i = DIR_END; i <= BEFORE; i++)
		irb_storei(b, words, 8 * (W_STATE + i), 8, i == BEFORE);
	tx_pieces(m, m->text, RT_PARTS_SOME, 2, (int[]){text, words}, words);
	p.dir_end = tx_get_word(b, words, W_STATE + DIR_END);
	p.begin = tx_get_word(b, words, W_STATE + BEGIN);
	p.end = tx_get_word(b, words, W_STATE + END);
	return p;
}

/*
 * Writes the @n characters from @from on to @dst. If @n is 0, writes "." (if @dot is 1) or "/"
 * instead.
 */
static void part_or(const struct maker *m, int dst, int text, int words, int from, int n, int dot)
{
	struct irb *b = m->b;
	int c = irb_bin(b, IR_SUB, irb_const(b, '/'), dot); /* '.' is '/' - 1 */

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

/*
 * Generates dirname(). A path without a slash has the directory "."; a path of slashes only has the
 * directory "/".
 */
void make_dirname(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	struct parts p = find_parts(m, text, words);
	int slash = tx_is_zero(b, irb_bini(b, IR_XOR, irb_loadv(b, text, 0, 1, false), '/'));

	int start = irb_const(b, 0);

	/* An empty directory is "/" if the path begins with a slash, else ".". */
	part_or(m, dst, text, words, start, p.dir_end, tx_not(b, slash));
}

/* ------------------------------------------------------ a path in its shortest form */

/* Results of tests of the characters at an offset of the path. All members but @c are 0 or 1. */
struct step {
	int c;
	int slash;    /* the character is a slash */
	int same, up; /* the character is a slash before a component "." or ".." */
	int none;     /* the character is a slash before another slash */
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
	int dot = is_char(b, four, 1, '.'), dots = is_char(b, four, 2, '.'),
	    ends = is_char(b, four, 3, '/');
	struct step s = {.c = irb_bini(b, IR_AND, four, 0xff), .slash = is_char(b, four, 0, '/')};

	s.none = irb_bin(b, IR_AND, s.slash, is_char(b, four, 1, '/'));
	dot = irb_bin(b, IR_AND, s.slash, dot);
	s.same = irb_bin(b, IR_AND, dot, is_char(b, four, 2, '/'));
	dots = irb_bin(b, IR_AND, dot, dots);
	ends = irb_bin(b, IR_OR, ends, is_char(b, four, 3, 0));
	s.up = irb_bin(b, IR_AND, dots, ends);
	return s;
}

/*
 * Returns the address of entry @i of the table of slashes. If the result has a slash at offset @i,
 * the entry is the offset of the previous slash.
 */
static int slash_before(const struct maker *m, int table, int i)
{
	int off = irb_bini(m->b, IR_SHL, irb_bini(m->b, IR_AND, i, m->room - 1), 1);

	return irb_bin(m->b, IR_ADD, table, off);
}

/* The words of state of the loop. */
enum {
	READ,    /* offset of the next character of the path */
	WRITTEN, /* offset of the next character of the result */
	CUT,     /* offset of the last slash of the result */
	UPWARD,  /* 1 if ".." came last, else 0 */
};

/*
 * For each slash in the result, the loop records the offset of the previous slash, so that ".." can
 * return there.
 */
void make_clean_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1), table = irb_param(b, 2),
	    work = irb_param(b, 3);
	int out, entry, ahead;
	struct tx_piece p;
	const int *v = p.var;
	struct step s;

	tx_piece(m, &p, words, 4);
	s = look(m, text, v[READ]);
	tx_leave_if(b, &p.l, CC_EQ, s.c, 0);
	out = tx_not(b, irb_bin(b, IR_OR, irb_bin(b, IR_OR, s.none, s.same), s.up));
	irb_store(b, tx_place(m, work, v[WRITTEN]), 0, 1, s.c);
	entry = irb_bin(b, IR_AND, out, s.slash);
	ahead = irb_loadv(b, slash_before(m, table, v[CUT]), 0, 2, false);
	irb_store(b, slash_before(m, table, v[WRITTEN]), 0, 2, v[CUT]);
	irb_assign(b, v[WRITTEN], tx_choose(b, s.up, v[CUT], v[WRITTEN]));
	irb_assign(b, v[CUT], tx_choose(b, s.up, ahead, v[CUT]));
	irb_assign(b, v[CUT], tx_choose(b, entry, v[WRITTEN], v[CUT]));
	irb_update(b, IR_ADD, v[WRITTEN], out);
	irb_assign(b, v[UPWARD], s.up);
	ahead = irb_bin(b, IR_ADD, s.same, irb_bini(b, IR_SHL, s.up, 1));
	irb_update(b, IR_ADD, v[READ], irb_bini(b, IR_ADD, ahead, 1));
	tx_piece_end(m, &p);
}

/*
 * Generates cleanpath() with the arguments (dst, text, words, table, work). It makes the path in
 * work and copies it to dst.
 */
void make_cleanpath(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2);
	int table = irb_param(b, 3), work = irb_param(b, 4), n;

	for (int i = READ; i <= UPWARD; i++)
		irb_storei(b, words, 8 * (W_STATE + i), 8, 0);
	tx_pieces(m, m->text, RT_CLEAN_SOME, 4, (int[]){text, words, table, work}, words);
	/* The result for a path that ends in ".." ends in a slash. */
	n = tx_get_word(b, words, W_STATE + WRITTEN);
	irb_store(b, tx_place(m, work, n), 0, 1, irb_const(b, '/'));
	irb_storei(b, words, 0, 8, 0);
	tx_set_word(b, words, 1, irb_bin(b, IR_ADD, n, tx_get_word(b, words, W_STATE + UPWARD)));
	tx_copy(m, dst, work, words);
}
