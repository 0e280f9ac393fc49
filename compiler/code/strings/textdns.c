/*
 * textdns.c - converts a name in DNS's wire format (RFC 1035 3.1) to text.
 *
 * On the wire, each label follows its length, and the last label is empty. In place of a label, two
 * bytes may refer to another place in the message. A label may have any bytes. In the text, a dot
 * within a label becomes "\.", a backslash "\\", and an invisible byte its number, "\DDD" (RFC 1035
 * 5.1, RFC 4343 2.1).
 */
#include "compiler/code/strings/text.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"

/* indexes of words; text.h describes the first two */
enum { W_THERE, W_LENGTH, W_END, W_LAST, W_SIZE };

/* A loop over the bytes of a name. */
struct walk {
	struct irb_loop l;
	int left;   /* variable: number of bytes left of this label; 0 if a length comes next */
	int last;   /* variable: the previous byte */
	int begins; /* in a round: 1 if this byte is a length, else 0 */
};

/*
 * Begins a loop with a round for each byte of a name. walk_on() ends the loop. The code leaves the
 * loop at the byte that ends the name: a length of 0, or the first byte of a reference. That byte
 * is then in w->last.
 */
static void walk(const struct maker *m, struct walk *w, int labels)
{
	struct irb *b = m->b;
	int c, nul, ends;

	w->left = irb_var(b);
	w->last = irb_var(b);
	irb_assign_imm(b, w->left, 0);
	irb_assign_imm(b, w->last, 0);
	irb_loop(b, &w->l, DNS_NAME, 1);
	c = irb_loadv(b, irb_bin(b, IR_ADD, labels, w->l.i), 0, 1, false);
	irb_assign(b, w->last, c);
	w->begins = tx_is_zero(b, irb_value(b, w->left));
	nul = tx_is_zero(b, c);
	ends = irb_bin(b, IR_OR, nul, tx_not(b, tx_is_zero(b, irb_bini(b, IR_SHR, c, 6))));
	tx_leave_if(b, &w->l, CC_NE, irb_bin(b, IR_AND, w->begins, ends), 0);
}

static void walk_on(const struct maker *m, const struct walk *w)
{
	struct irb *b = m->b;
	int rest = irb_bini(b, IR_SUB, w->left, 1);

	irb_assign(b, w->left, tx_choose(b, w->begins, w->last, rest));
	irb_loop_end(b, &w->l);
}

/* The end of a name, as registers. */
struct end {
	int at;          /* number of bytes before the end */
	int nul, refers; /* each is 1 or 0: the end is an empty label; the end is a reference */
	int there;       /* 1 if the end was captured, else 0 */
};

static struct end end_of(const struct maker *m, const struct walk *w, int words)
{
	struct irb *b = m->b;
	struct end e;
	int last, there;

	e.at = tx_forget(b, words, W_END, w->l.i);
	last = tx_forget(b, words, W_LAST, w->last);
	e.nul = tx_is_zero(b, last);
	e.refers = tx_is_zero(b, irb_bini(b, IR_XOR, irb_bini(b, IR_SHR, last, 6), 3));
	there = tx_get_word(b, words, W_THERE);
	e.there = tx_less(b, irb_bin(b, IR_ADD, e.at, e.refers), there);
	return e;
}

void make_dns_length(const struct maker *m)
{
	struct irb *b = m->b;
	int labels = irb_param(b, 0), words = irb_param(b, 1), all, known, size,
	    most = irb_const(b, DNS_NAME);
	struct walk w;
	struct end e;

	walk(m, &w, labels);
	walk_on(m, &w);
	e = end_of(m, &w, words);
	all = tx_not(b, tx_less(b, tx_get_word(b, words, W_THERE), most));
	known = irb_bin(b, IR_AND, e.there, irb_bin(b, IR_OR, e.nul, e.refers));
	size = irb_bini(b, IR_ADD, irb_bin(b, IR_ADD, e.at, e.refers), 1);
	tx_set_word(b, words, W_LENGTH,
		    tx_choose(b, known, size, irb_neg(b, irb_bin(b, IR_OR, e.there, all))));
}

static int digit(struct irb *b, int v)
{
	return irb_bini(b, IR_ADD, v, '0');
}

/*
 * Writes byte @c of a label to @to. If @begins, the byte is a length, and a dot is written instead,
 * except before the first label. Returns the number of characters, at most 4.
 */
static int show(struct irb *b, int c, int begins, int i, int to)
{
	int low = irb_const(b, 0x21), high = irb_const(b, 0x7e), slash = irb_const(b, '\\'),
	    dot = irb_const(b, '.');
	int below = tx_less(b, c, low), number = irb_bin(b, IR_OR, below, tx_less(b, high, c));
	int is_dot = tx_equal(b, c, dot), quoted = irb_bin(b, IR_OR, is_dot, tx_equal(b, c, slash));
	int tens = irb_bini(b, IR_DIV, c, 10), first, second, n;

	first = tx_choose(b, irb_bin(b, IR_OR, number, quoted), slash, c);
	irb_store(b, to, 0, 1, tx_choose(b, begins, dot, first));
	second = digit(b, irb_bini(b, IR_DIV, c, 100));
	irb_store(b, to, 1, 1, tx_choose(b, number, second, c));
	irb_store(b, to, 2, 1, digit(b, irb_bini(b, IR_MOD, tens, 10)));
	irb_store(b, to, 3, 1, digit(b, irb_bini(b, IR_MOD, c, 10)));
	n = irb_bin(b, IR_ADD, irb_bini(b, IR_MUL, number, 3), quoted);
	n = irb_bini(b, IR_ADD, n, 1);
	return tx_choose(b, begins, tx_not(b, tx_is_zero(b, i)), n);
}

static int at_most(struct irb *b, int v, uint32_t most)
{
	int limit = irb_const(b, most);

	return tx_choose(b, tx_less(b, v, limit), v, limit);
}

/*
 * Writes the end of the text to @text from offset @size on: "." for the root, and "?" for a part of
 * the name that is missing. Returns the new size of the text.
 */
static int show_end(const struct maker *m, int text, struct end e, int size)
{
	struct irb *b = m->b;
	int to = tx_place(m, text, size), whole = irb_bin(b, IR_AND, e.nul, e.there),
	    lacks = tx_not(b, whole);
	int empty = tx_is_zero(b, e.at), root = irb_bin(b, IR_AND, whole, empty),
	    most = irb_const(b, DNS_NAME);
	int some = tx_not(b, empty), between = irb_bin(b, IR_AND, some, tx_less(b, e.at, most));
	int dot = irb_const(b, '.'), hidden = irb_const(b, '?'), n;

	irb_store(b, to, 0, 1, tx_choose(b, irb_bin(b, IR_OR, root, between), dot, hidden));
	irb_storei(b, to, 1, 1, '?');
	n = irb_bin(b, IR_MUL, lacks, irb_bini(b, IR_ADD, between, 1));
	return irb_bin(b, IR_ADD, size, irb_bin(b, IR_ADD, n, root));
}

void make_dns(const struct maker *m)
{
	struct irb *b = m->b;
	int dst = irb_param(b, 0), labels = irb_param(b, 1), text = irb_param(b, 2),
	    words = irb_param(b, 3);
	int size = irb_var(b), n;
	struct walk w;
	struct end e;

	irb_assign_imm(b, size, 0);
	walk(m, &w, labels);
	n = show(b, w.last, w.begins, w.l.i, tx_place(m, text, size));
	irb_assign(b, size, at_most(b, irb_bin(b, IR_ADD, size, n), m->room - 1));
	walk_on(m, &w);
	tx_set_word(b, words, W_SIZE, size);
	e = end_of(m, &w, words);
	n = show_end(m, text, e, tx_get_word(b, words, W_SIZE));
	irb_storei(b, words, 0, 8, 0);
	tx_set_word(b, words, 1, at_most(b, n, m->size - 1));
	tx_copy(m, dst, text, words);
}
