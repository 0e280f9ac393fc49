/*
 * textdns.c - a name as messages of DNS have it (RFC 1035 3.1) as the text that people write.
 *
 * There each label has its length in front of it, and the last is empty, which is a NUL.
 */
#include "compiler/code/text_int.h"

enum { W_LACKS = 2, W_END }; /* words */

/* What shows as "?": a dot in a label, and what is no character that can be seen. */
static int is_hidden(struct irb *b, int c)
{
	int low = irb_const(b, 0x21), high = irb_const(b, 0x7e);
	int dot = tx_is_zero(b, irb_bini(b, IR_XOR, c, '.')), below = tx_less(b, c, low), above = tx_less(b, high, c);

	return irb_bin(b, IR_OR, dot, irb_bin(b, IR_OR, below, above));
}

/* Lengths become dots, in place.  Where it ends, and how much the last label lacks, go to the words. */
static void dots_for_lengths(const struct maker *m, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int left = irb_var(b), end = irb_var(b), dot = irb_const(b, '.'), hidden = irb_const(b, '?');

	irb_assign_imm(b, left, 0);
	irb_assign_imm(b, end, 0);
	irb_loop(b, &l, m->text, 1);
	{
		int at = irb_bin(b, IR_ADD, text, l.i), c = irb_loadv(b, at, 0, 1, false), begins, shown, wild;

		irb_assign(b, end, l.i);
		tx_leave_if(b, &l, CC_EQ, c, 0);
		begins = tx_is_zero(b, left);
		shown = tx_choose(b, is_hidden(b, c), hidden, c);
		irb_store(b, at, 0, 1, tx_choose(b, begins, dot, shown));
		/* Not a length, but a reference: the label never ends. */
		wild = irb_bini(b, IR_SHL, tx_not(b, tx_is_zero(b, irb_bini(b, IR_SHR, c, 6))), 16);
		c = irb_bin(b, IR_ADD, c, wild);
		irb_assign(b, left, tx_choose(b, begins, c, irb_bini(b, IR_SUB, left, 1)));
	}
	irb_loop_end(b, &l);
	tx_set_word(b, words, W_LACKS, left);
	tx_set_word(b, words, W_END, end);
}

/* Word 2: how many bytes it has before the NUL; of a name that is cut, or is none, -1 minus that. */
static void note_length(struct irb *b, int words, int end, int cut)
{
	int none = irb_neg(b, cut);

	tx_set_word(b, words, W_LACKS, irb_bin(b, IR_XOR, end, none));
}

/* Without the dot in front; of a label that is not all there, with a "?" behind.  The root is ".". */
void make_dns(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), text = irb_param(b, 1), words = irb_param(b, 2), root, cut, end, first;

	dots_for_lengths(m, text, words);
	end = tx_get_word(b, words, W_END);
	cut = tx_not(b, tx_is_zero(b, tx_get_word(b, words, W_LACKS)));
	root = tx_is_zero(b, end);
	irb_store(b, tx_place(m, text, end), 0, 1, irb_bini(b, IR_MUL, cut, '?'));
	first = irb_loadv(b, text, 1, 1, false);
	irb_store(b, text, 1, 1, tx_choose(b, root, irb_const(b, '.'), first));
	note_length(b, words, end, cut);
	tx_set_word(b, words, 0, irb_const(b, 1));
	end = irb_bini(b, IR_SUB, end, 1);
	end = irb_bin(b, IR_ADD, end, irb_bini(b, IR_SHL, root, 1));
	tx_set_word(b, words, 1, irb_bin(b, IR_ADD, end, cut));
	tx_copy(m, dst, text, words);
}
