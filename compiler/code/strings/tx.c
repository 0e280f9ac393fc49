/*
 * tx.c - building blocks of the routines (eBPF functions) over characters: conditions as numbers,
 * words in memory, loops in pieces.
 */
#include "base/xalloc.h"
#include "compiler/code/eval/routine.h"
#include "compiler/code/strings/text_int.h"
#include "ir/ir.h"
#include "ir/program.h"

int tx_less(struct irb *b, int x, int y)
{
	return irb_bini(b, IR_SHR, irb_bin(b, IR_SUB, x, y), 63);
}

int tx_is_zero(struct irb *b, int v)
{
	return irb_bini(b, IR_SHR, irb_bini(b, IR_SUB, v, 1), 63);
}

int tx_is_zero64(struct irb *b, int v)
{
	int some = irb_bin(b, IR_OR, v, irb_neg(b, v));

	return irb_bini(b, IR_XOR, irb_bini(b, IR_SHR, some, 63), 1);
}

int tx_equal(struct irb *b, int x, int y)
{
	return tx_is_zero(b, irb_bin(b, IR_XOR, x, y));
}

int tx_not(struct irb *b, int x)
{
	return irb_bini(b, IR_XOR, x, 1);
}

int tx_choose(struct irb *b, int yes, int x, int y)
{
	int by = irb_bin(b, IR_MUL, irb_bin(b, IR_SUB, x, y), yes);

	return irb_bin(b, IR_ADD, y, by);
}

int tx_get_word(struct irb *b, int words, int i)
{
	return irb_loadv(b, words, 8 * i, 8, false);
}

void tx_set_word(struct irb *b, int words, int i, int v)
{
	irb_store(b, words, 8 * i, 8, v);
}

int tx_forget(struct irb *b, int words, int i, int v)
{
	tx_set_word(b, words, i, v);
	return tx_get_word(b, words, i);
}

int tx_place(const struct maker *m, int text, int i)
{
	return irb_bin(m->b, IR_ADD, text, irb_bini(m->b, IR_AND, i, m->room - 1));
}

int tx_byte_at(const struct maker *m, int text, int i)
{
	return irb_loadv(m->b, tx_place(m, text, i), 0, 1, false);
}

int tx_nuls(struct irb *b, int x)
{
	int below = irb_bini(b, IR_SUB, x, ONES), clear = irb_bini(b, IR_XOR, x, -1);

	return irb_bini(b, IR_AND, irb_bin(b, IR_AND, below, clear), HIGH);
}

int tx_lowest(struct irb *b, int nul)
{
	return irb_bini(b, IR_SHR, irb_bin(b, IR_AND, nul, irb_neg(b, nul)), 7);
}

void tx_leave_if(struct irb *b, const struct irb_loop *l, enum ir_cc cc, int x, int64_t imm)
{
	int leave = irb_block(b, "leave"), more = irb_block(b, "more");

	irb_bri(b, cc, x, imm, leave, more);
	irb_place(b, leave);
	irb_jmp(b, l->done);
	irb_place(b, more);
}

/*
 * Mask that clears the size of the result's slot in the variant of a routine (text_variant()). A
 * routine for one piece of a text has no such slot.
 */
#define NO_DST 0x7fff

void tx_pieces(const struct maker *m, uint32_t rounds, enum text_routine piece, unsigned n,
	       const int *reg, int words)
{
	struct ir_arg arg[FUNC_PARAMS];
	struct irb_loop l;

	for (unsigned i = 0; i < n; i++)
		arg[i] = (struct ir_arg){ARG_REG, reg[i], 0};
	irb_storei(m->b, words, 8 * W_ROUND, 8, 0);
	irb_loop(m->b, &l, (rounds + PIECE - 1) / PIECE, 1);
	call_routine(m->b, m->all, &m->table[piece], m->variant & NO_DST, n, arg);
	tx_leave_if(m->b, &l, CC_NE, tx_get_word(m->b, words, W_LEFT), 0);
	irb_loop_end(m->b, &l);
}

void tx_piece(const struct maker *m, struct tx_piece *p, int words, unsigned nvar)
{
	struct irb *b = m->b;

	*p = (struct tx_piece){.words = words,
			       .nvar = nvar,
			       .first = tx_get_word(b, words, W_ROUND)};
	for (unsigned i = 0; i < nvar; i++) {
		p->var[i] = irb_var(b);
		irb_assign(b, p->var[i], tx_get_word(b, words, W_STATE + (int)i));
	}
	irb_loop(b, &p->l, PIECE, 1);
	p->at = irb_bin(b, IR_ADD, p->first, p->l.i);
}

/*
 * Ends the loop of a piece and saves its state. Sets word W_LEFT to 1 if the loop ended early (its
 * counter is < PIECE), else to 0.
 */
void tx_piece_end(const struct maker *m, struct tx_piece *p)
{
	struct irb *b = m->b;
	int all = irb_const(b, PIECE);

	irb_loop_end(b, &p->l);
	for (unsigned i = 0; i < p->nvar; i++)
		tx_set_word(b, p->words, W_STATE + (int)i, p->var[i]);
	tx_set_word(b, p->words, W_ROUND, irb_bin(b, IR_ADD, p->first, p->l.i));
	tx_set_word(b, p->words, W_LEFT, tx_less(b, p->l.i, all));
}

int tx_length(const struct maker *m, uint32_t most, int text, int words, int i)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int nul = irb_var(b), at = irb_var(b), first;

	irb_assign_imm(b, nul, 0);
	irb_assign_imm(b, at, 0);
	irb_loop(b, &l, most, 8);
	irb_assign(b, at, l.i);
	irb_assign(b, nul, tx_nuls(b, irb_loadv(b, irb_bin(b, IR_ADD, text, l.i), 0, 8, false)));
	tx_leave_if(b, &l, CC_NE, nul, 0);
	irb_loop_end(b, &l);
	/* The multiplication moves the index of the NUL byte to the top byte. */
	first = irb_bini(b, IR_MUL, tx_lowest(b, nul), 0x0001020304050607);
	return tx_forget(b, words, i, irb_bin(b, IR_ADD, at, irb_bini(b, IR_SHR, first, 56)));
}

int tx_keep(struct irb *b, int v, int n)
{
	int eight = irb_const(b, 8), mask = irb_const(b, -1);
	/* a shift by 64 is undefined */
	int half = irb_bini(b, IR_SHL, tx_choose(b, tx_less(b, n, eight), n, eight), 2);

	mask = irb_bin(b, IR_SHL, irb_bin(b, IR_SHL, mask, half), half);
	return irb_bin(b, IR_AND, v, irb_bini(b, IR_XOR, mask, -1));
}

void tx_copy(const struct maker *m, int dst, int text, int words)
{
	struct irb *b = m->b;
	struct irb_loop l;
	int from = tx_get_word(b, words, 0), n = tx_get_word(b, words, 1), left, v, to;

	irb_loop(b, &l, m->size, 8);
	left = irb_bin(b, IR_SUB, n, l.i);
	tx_leave_if(b, &l, CC_SLT, left, 0);
	v = irb_loadv(b, tx_place(m, text, irb_bin(b, IR_ADD, from, l.i)), 0, 8, false);
	to = irb_bin(b, IR_ADD, dst, l.i);
	irb_store(b, to, 0, 8, tx_keep(b, v, left));
	irb_loop_end(b, &l);
}
