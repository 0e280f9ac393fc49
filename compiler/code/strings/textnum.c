/*
 * textnum.c - routines that convert between numbers and characters.
 */
#include "compiler/code/strings/text.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"

/* Returns 1 if v < n, else 0. @v must be a character: 0 to 255. */
static int below(struct irb *b, int v, int n)
{
	return irb_bini(b, IR_SHR, irb_bini(b, IR_SUB, v, n), 63);
}

/* Returns the value of digit @c, from 0 to 35, or 255 if @c is no digit. */
static int digit_of(struct irb *b, int c)
{
	int digit = irb_bini(b, IR_AND, irb_bini(b, IR_SUB, c, '0'), 0xff);
	int letter = irb_bini(b, IR_SUB, irb_bini(b, IR_OR, c, 0x20), 'a');
	int value, none = irb_const(b, 255);

	letter = irb_bini(b, IR_AND, letter, 0xff);
	value = irb_bini(b, IR_ADD, letter, 10);
	value = tx_choose(b, below(b, letter, 26), value, none);
	return tx_choose(b, below(b, digit, 10), digit, value);
}

/* Returns the number of blanks and tabs at the beginning of the text. */
static int blanks(const struct maker *m, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int at = irb_var(b), c, blank;

	irb_loop(b, &l, m->text, 1);
	irb_assign(b, at, l.i);
	c = irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 1, false);
	blank = tx_is_zero(b, irb_bini(b, IR_XOR, c, ' '));
	blank = irb_bin(b, IR_OR, blank, tx_is_zero(b, irb_bini(b, IR_XOR, c, '\t')));
	tx_leave_if(b, &l, CC_EQ, blank, 0);
	irb_loop_end(b, &l);
	return tx_forget(b, words, 1, at);
}

/* Returns 1 if @base is 16 and the text has "0x" and a hexadecimal digit from @at on, else 0. */
static int has_prefix(const struct maker *m, int text, int at, int base)
{
	struct irb *b = m->b;
	int zero = tx_is_zero(b, irb_bini(b, IR_XOR, tx_byte_at(m, text, at), '0'));
	int x = tx_byte_at(m, text, irb_bini(b, IR_ADD, at, 1));
	int digit = tx_byte_at(m, text, irb_bini(b, IR_ADD, at, 2));

	x = tx_is_zero(b, irb_bini(b, IR_XOR, irb_bini(b, IR_OR, x, 0x20), 'x'));
	digit = below(b, digit_of(b, digit), 16);
	x = irb_bin(b, IR_AND, irb_bin(b, IR_AND, zero, x), digit);
	return irb_bin(b, IR_AND, x, tx_is_zero(b, irb_bini(b, IR_XOR, base, 16)));
}

/*
 * Generates a routine that reads digits. Word 0 has the base, and word 1 the offset of the first
 * digit.
 */
void make_number_some(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1), digit;
	int base = tx_get_word(b, words, 0), at = tx_get_word(b, words, 1);
	struct tx_piece p;

	tx_piece(m, &p, words, 1);
	digit = digit_of(b, tx_byte_at(m, text, irb_bin(b, IR_ADD, at, p.at)));
	tx_leave_if(b, &p.l, CC_EQ, tx_less(b, digit, base), 0);
	irb_assign(b, p.var[0], irb_bin(b, IR_ADD, irb_bin(b, IR_MUL, p.var[0], base), digit));
	tx_piece_end(m, &p);
}

/* Generates strtoll(). Word 0 has the base before the call, and the number afterwards. */
void make_strtoll(const struct maker *m)
{
	struct irb *b = m->b;
	int text = irb_param(b, 0), words = irb_param(b, 1), base = tx_get_word(b, words, 0);
	int at = blanks(m, text, words), sign = tx_byte_at(m, text, at), minus, v, more;

	minus = tx_is_zero(b, irb_bini(b, IR_XOR, sign, '-'));
	sign = irb_bin(b, IR_OR, minus, tx_is_zero(b, irb_bini(b, IR_XOR, sign, '+')));
	at = irb_bin(b, IR_ADD, at, sign);
	more = irb_bini(b, IR_SHL, has_prefix(m, text, at, base), 1);
	tx_set_word(b, words, 1, irb_bin(b, IR_ADD, at, more));
	irb_storei(b, words, 8 * W_STATE, 8, 0);
	tx_pieces(m, m->text, RT_NUMBER_SOME, 2, (int[]){text, words}, words);
	v = tx_get_word(b, words, W_STATE);
	v = irb_bin(b, IR_XOR, v, irb_neg(b, minus));
	tx_set_word(b, words, 0, irb_bin(b, IR_ADD, v, minus));
}

#define DIGITS 64 /* maximum number of digits, in base 2 */

static int count_digits(struct irb *b, int v, int base, int words)
{
	struct irb_loop l;
	int rest = irb_var(b), n = irb_var(b);

	irb_assign(b, rest, v);
	irb_loop(b, &l, DIGITS, 1);
	irb_assign(b, n, l.i);
	irb_assign(b, rest, irb_bin(b, IR_DIV, rest, base));
	tx_leave_if(b, &l, CC_EQ, rest, 0);
	irb_loop_end(b, &l);
	return irb_bini(b, IR_ADD, tx_forget(b, words, 2, n), 1);
}

/*
 * Generates a routine with the arguments (text, words). It writes lltostr(w0, w1), with a sign in
 * base 10 and with the prefixes of C in bases 8 and 16.
 */
void make_digits(const struct maker *m)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int text = irb_param(b, 0), words = irb_param(b, 1);
	int v = tx_get_word(b, words, 0), base = tx_get_word(b, words, 1), rest = irb_var(b);
	int ten = tx_is_zero(b, irb_bini(b, IR_XOR, base, 10));
	int minus = irb_bin(b, IR_AND, irb_bini(b, IR_SHR, v, 63), ten);
	int hex = tx_is_zero(b, irb_bini(b, IR_XOR, base, 16)),
	    octal = tx_is_zero(b, irb_bini(b, IR_XOR, base, 8));
	/*
	 * 1 if v is not 0, because 0 has no prefix in base 8. Unless v is 0, v or -v has the top
	 * bit set.
	 */
	int some = irb_bini(b, IR_SHR, irb_bin(b, IR_OR, v, irb_neg(b, v)), 63);
	int first, last, digit, letter;

	v = irb_bin(b, IR_XOR, v, irb_neg(b, minus));
	v = irb_bin(b, IR_ADD, v, minus);
	first = irb_bini(b, IR_ADD, irb_bini(b, IR_MUL, minus, '-' - '0'), '0');
	irb_store(b, text, 0, 1, first);
	irb_storei(b, text, 1, 1, 'x');
	first = irb_bin(b, IR_ADD, minus, irb_bin(b, IR_AND, octal, some));
	first = irb_bin(b, IR_ADD, first, irb_bini(b, IR_SHL, hex, 1));
	last = irb_bin(b, IR_ADD, first, count_digits(b, v, base, words));
	last = tx_forget(b, words, 2, last);
	irb_storei(b, tx_place(m, text, last), 0, 1, 0);
	irb_assign(b, rest, v);
	irb_loop(b, &l, DIGITS, 1);
	digit = irb_bin(b, IR_MOD, rest, base);
	letter = tx_not(b, below(b, digit, 10));
	digit = irb_bin(b, IR_ADD, digit, irb_bini(b, IR_MUL, letter, 'a' - '0' - 10));
	letter = irb_bini(b, IR_SUB, irb_bin(b, IR_SUB, last, l.i), 1);
	irb_store(b, tx_place(m, text, letter), 0, 1, irb_bini(b, IR_ADD, digit, '0'));
	irb_assign(b, rest, irb_bin(b, IR_DIV, rest, base));
	tx_leave_if(b, &l, CC_EQ, rest, 0);
	irb_loop_end(b, &l);
}
