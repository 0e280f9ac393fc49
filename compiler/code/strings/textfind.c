/* textfind.c - routines that search a text for a part, and for a character. */
#include "compiler/code/strings/text.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"

/* Returns a variable with position @pos, limited to the range [-1, @len]. */
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

/* Indexes of the words of a search. */
enum {
	W_RESULT, /* before the search: where to begin; after it: the place of the part, or -1 */
	W_LAST,   /* 1 if the last place is wanted, else 0 */
	W_LEN,    /* length of the text */
	W_PART,   /* length of the part */
	W_FROM,   /* first place to try */
	W_TO,     /* last place to try */
	W_WANT,   /* eight characters to find */
	W_MASK,   /* mask of the bits of these characters that are compared */
};

/* The state of a search, in registers. */
struct search {
	int part;     /* length of the part */
	int from, to; /* first and last place to try */
	int last;     /* 1 if the last place is wanted, else 0 */
	int result;   /* variable with the place that was found, or -1 */
};

/*
 * Limits the places where the part may be found, by Perl's rules. A search for the first place
 * begins at the position, or at 0 if the position is negative. A search for the last place ends at
 * the position. An empty part is found even if the position is outside of the text.
 */
static void search_range(struct irb *b, int words)
{
	int len = tx_get_word(b, words, W_LEN), part = tx_get_word(b, words, W_PART);
	int last = tx_get_word(b, words, W_LAST);
	int pos = tx_forget(b, words, W_FROM, clamp(b, tx_get_word(b, words, W_RESULT), len));
	int before = irb_bini(b, IR_SHR, pos, 63), room = irb_bin(b, IR_SUB, len, part);
	int empty = tx_is_zero(b, part), from, to;

	from = irb_bin(b, IR_ADD, pos, before);
	from = irb_bin(b, IR_MUL, from, tx_not(b, last));
	to = tx_choose(b, tx_less(b, room, pos), room, pos);
	to = irb_bin(b, IR_ADD, to, irb_bin(b, IR_AND, before, empty));
	tx_set_word(b, words, W_FROM, from);
	tx_set_word(b, words, W_TO, tx_choose(b, last, to, room));
}

/*
 * Begins a search: measures both texts, limits the places, and sets the result to -1. The result is
 * the first word of the state.
 */
static void begin_search(const struct maker *m, int text, int part, int words)
{
	tx_length(m, m->text, text, words, W_LEN);
	tx_length(m, m->part, part, words, W_PART);
	search_range(m->b, words);
	irb_storei(m->b, words, 8 * W_STATE, 8, -1);
}

static struct search search_on(const struct maker *m, int words)
{
	struct search s = {.part = tx_get_word(m->b, words, W_PART)};

	s.from = tx_get_word(m->b, words, W_FROM);
	s.to = tx_get_word(m->b, words, W_TO);
	s.last = tx_get_word(m->b, words, W_LAST);
	return s;
}

/*
 * Records place @at as the result if @hit says that the part is there. Returns 1 if the search
 * ends, else 0.
 */
static int note_hit(struct irb *b, const struct search *s, int at, int hit)
{
	int over = tx_less(b, s->to, at), first;

	hit = irb_bin(b, IR_AND, hit, tx_not(b, over));
	irb_assign(b, s->result, tx_choose(b, hit, at, s->result));
	first = irb_bin(b, IR_AND, hit, tx_not(b, s->last));
	return irb_bin(b, IR_OR, over, first);
}

static void end_search(struct irb *b, int words)
{
	int at = tx_get_word(b, words, W_STATE);

	tx_set_word(b, words, 1, irb_bin(b, IR_SUB, tx_get_word(b, words, W_LEN), at));
	tx_set_word(b, words, W_RESULT, at);
}

/*
 * Compares eight characters of the text with @want at each place. Only the bits in @mask are
 * compared.
 */
static void search8(const struct maker *m, int text, int words, int want, int mask)
{
	tx_set_word(m->b, words, W_WANT, want);
	tx_set_word(m->b, words, W_MASK, mask);
	tx_pieces(m, m->text, RT_FIND8_SOME, 2, (int[]){text, words}, words);
	end_search(m->b, words);
}

void make_find8_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1);
	struct search s = search_on(m, words);
	int want = tx_get_word(b, words, W_WANT), mask = tx_get_word(b, words, W_MASK), at, v, end;
	struct tx_piece p;

	tx_piece(m, &p, words, 1);
	s.result = p.var[0];
	at = irb_bin(b, IR_ADD, s.from, p.at);
	v = irb_bin(b, IR_AND, irb_loadv(b, tx_place(m, text, at), 0, 8, false), mask);
	end = note_hit(b, &s, at, tx_is_zero64(b, irb_bin(b, IR_XOR, v, want)));
	tx_leave_if(b, &p.l, CC_NE, end, 0);
	tx_piece_end(m, &p);
}

void make_find8(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2), mask, want;

	begin_search(m, text, part, words);
	mask = irb_const(b, -1);
	mask = tx_keep(b, mask, tx_get_word(b, words, W_PART));
	want = irb_bin(b, IR_AND, irb_loadv(b, part, 0, 8, false), mask);
	search8(m, text, words, want, mask);
}

/* Searches for one character, which may be the NUL. */
void make_chr(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1);
	int want = irb_bini(b, IR_AND, tx_get_word(b, words, 2), 0xff);

	tx_set_word(b, words, W_TO, tx_length(m, m->text, text, words, W_LEN));
	irb_storei(b, words, 8 * W_FROM, 8, 0);
	irb_storei(b, words, 8 * W_STATE, 8, -1);
	search8(m, text, words, want, irb_const(b, 0xff));
}

/* ---------------------------------------------- a part of any length */

/* Returns the address of entry @i of @table, which has entries of u16. */
static int entry(const struct maker *m, int table, int i)
{
	int off = irb_bini(m->b, IR_SHL, irb_bini(m->b, IR_AND, i, m->room - 1), 1);

	return irb_bin(m->b, IR_ADD, table, off);
}

/*
 * A step of the search by Knuth, Morris and Pratt. @k characters of the part match before @i, and
 * @same says whether the next character matches too. If so, i and k advance. Otherwise k falls back
 * to the longest shorter prefix of the part that matches; if k is 0 already, i advances. Returns
 * the new value of @k.
 */
static int kmp_step(const struct maker *m, int table, int i, int k, int same)
{
	struct irb *b = m->b;
	int none = tx_is_zero(b, k), at = irb_bin(b, IR_ADD, irb_bini(b, IR_SUB, k, 1), none);
	int back = irb_loadv(b, entry(m, table, at), 0, 2, false), now;

	back = irb_bin(b, IR_AND, back, irb_bini(b, IR_SUB, none, 1));
	now = tx_choose(b, same, irb_bini(b, IR_ADD, k, 1), back);
	irb_update(b, IR_ADD, i, irb_bin(b, IR_OR, same, none));
	irb_assign(b, k, now);
	return now;
}

/*
 * Fills the table. Entry i is about the first i + 1 characters of the part: it is the length of the
 * longest text that is both a prefix and a suffix of these characters, but not all of them. For the
 * part "ababc", the entries are 0, 0, 1, 2, 0.
 */
void make_find_begins(const struct maker *m)
{
	struct irb *b = m->b;
	int part = irb_param(b, 0), words = irb_param(b, 1), table = irb_param(b, 2);
	int n = tx_get_word(b, words, W_PART), at, same;
	struct tx_piece p;

	tx_piece(m, &p, words, 2);
	tx_leave_if(b, &p.l, CC_EQ, tx_less(b, p.var[0], n), 0);
	at = entry(m, table, p.var[0]);
	same = tx_byte_at(m, part, p.var[0]);
	same = tx_equal(b, same, tx_byte_at(m, part, p.var[1]));
	irb_store(b, at, 0, 2, kmp_step(m, table, p.var[0], p.var[1], same));
	tx_piece_end(m, &p);
}

static void make_table(const struct maker *m, int part, int words, int table)
{
	struct irb *b = m->b;

	irb_storei(b, table, 0, 2, 0);
	irb_storei(b, words, 8 * W_STATE, 8, 1);
	irb_storei(b, words, 8 * (W_STATE + 1), 8, 0);
	tx_pieces(m, 2 * m->part, RT_FIND_BEGINS, 3, (int[]){part, words, table}, words);
}

/*
 * Makes the routine that searches for a shorter string, the part, in a text. Its state has three
 * words: the result, the offset in the text, and the number of characters of the part that have
 * matched so far.
 */
void make_find_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2),
	    table = irb_param(b, 3);
	struct search s = search_on(m, words);
	struct tx_piece p;
	int end, same, i, k;

	tx_piece(m, &p, words, 3);
	s.result = p.var[0];
	i = p.var[1];
	k = p.var[2];
	same = tx_equal(b, k, s.part);
	end = note_hit(b, &s, irb_bin(b, IR_SUB, i, s.part), same);
	tx_leave_if(b, &p.l, CC_NE, end, 0);
	same = tx_byte_at(m, text, i);
	same = tx_equal(b, same, tx_byte_at(m, part, k));
	kmp_step(m, table, i, k, same);
	tx_piece_end(m, &p);
}

void make_find(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), part = irb_param(b, 1), words = irb_param(b, 2),
	    table = irb_param(b, 3);

	tx_length(m, m->part, part, words, W_PART);
	make_table(m, part, words, table);
	begin_search(m, text, part, words);
	tx_set_word(b, words, W_STATE + 1, tx_get_word(b, words, W_FROM));
	irb_storei(b, words, 8 * (W_STATE + 2), 8, 0);
	tx_pieces(m, 2 * m->text, RT_FIND_SOME, 4, (int[]){text, part, words, table}, words);
	end_search(b, words);
}
