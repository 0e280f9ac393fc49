/*
 * text_int.h - building blocks of the routines over characters.
 */
#ifndef COMPILER_CODE_STRINGS_TEXT_INT_H
#define COMPILER_CODE_STRINGS_TEXT_INT_H

#include "compiler/code/strings/text.h"
#include "ir/ir.h"

/* A routine that is being generated. */
struct maker {
	struct irb *b;
	struct routines *all;
	const struct routine *table; /* all routines, by enum text_routine */
	uint32_t variant;
	uint32_t room; /* bytes of a text, a power of two */
	/* maximum lengths of the texts, NUL included: the number of rounds, powers of two */
	uint32_t text, part;
	uint32_t size; /* bytes of the slot for the result, a multiple of 8 */
};

/* ---- tx.c ---- */

#define ONES 0x0101010101010101
#define HIGH ((int64_t)0x8080808080808080)

/* Within a round nothing branches, so a condition is a number: 0 or 1. */

/* Returns x < y, for numbers that differ by less than 2^63. */
int tx_less(struct irb *b, int x, int y);

/* Returns v == 0, for v from 0 to 2^63. */
int tx_is_zero(struct irb *b, int v);

/* Returns v == 0, for any v. */
int tx_is_zero64(struct irb *b, int v);

/* Returns x == y. */
int tx_equal(struct irb *b, int x, int y);

/* Returns x == 0, for an x that is 0 or 1. */
int tx_not(struct irb *b, int x);

/* Returns yes ? x : y. */
int tx_choose(struct irb *b, int yes, int x, int y);

/* Stores @v in word @i and loads it again, so that the verifier no longer knows the value. */
int tx_forget(struct irb *b, int words, int i, int v);

/* Returns the address of byte @i of a text. */
int tx_place(const struct maker *m, int text, int i);

/* Returns byte @i of a text. */
int tx_byte_at(const struct maker *m, int text, int i);

/*
 * Leaves loop @l if x cc imm. The exit is placed before the rest of the round, so the verifier
 * walks the exit at once. It then recognises the same state at the exits of later rounds. In the
 * other order, the exits of all rounds would wait in the verifier.
 */
void tx_leave_if(struct irb *b, const struct irb_loop *l, enum ir_cc cc, int x, int64_t imm);

/*
 * A loop of many rounds. A routine of its own makes PIECE rounds at a time. The verifier walks the
 * routine once, and then one call for each piece. State between rounds is in the words from W_STATE
 * on.
 *
 *     tx_set_word(b, words, W_STATE, zero);
 *     tx_pieces(m, rounds, RT_X_SOME, 2, (int[]){text, words}, words);
 *
 * and in that routine, whose rounds must be harmless after the end of the loop:
 *
 *     tx_piece(m, &p, words, 1);
 *     tx_leave_if(b, &p.l, CC_EQ, tx_byte_at(m, text, p.at), 0);      leaves the whole loop
 *     irb_updatei(b, IR_ADD, p.var[0], 1);
 *     tx_piece_end(m, &p);
 */
enum { PIECE = 64, STATES = 4, W_ROUND = 12, W_LEFT, W_STATE };

struct tx_piece {
	struct irb_loop l;
	int words;
	int first;       /* rounds of earlier pieces */
	int at;          /* number of this round */
	int var[STATES]; /* state between rounds */
	unsigned nvar;
};

/*
 * Makes the loop: calls @piece, with the @n registers at @reg, until the piece leaves the loop or
 * @rounds rounds were made.
 */
void tx_pieces(const struct maker *m, uint32_t rounds, enum text_routine piece, unsigned n,
	       const int *reg, int words);
/* Begin and end the rounds of a piece, with @nvar words of state. */
void tx_piece(const struct maker *m, struct tx_piece *p, int words, unsigned nvar);
void tx_piece_end(const struct maker *m, struct tx_piece *p);

/*
 * tx_nuls() returns a word with the top bit set in each byte that is NUL in @x. It may also set the
 * top bit of bytes above the lowest NUL. tx_lowest() returns a word with 1 in the lowest byte of
 * @nul whose top bit is set, and 0 in all others.
 */
int tx_nuls(struct irb *b, int x);
int tx_lowest(struct irb *b, int nul);

/*
 * Returns the length of the text, at most @most. Stores it in word @i and loads it again, so that
 * the verifier does not know it.
 */
int tx_length(const struct maker *m, uint32_t most, int text, int words, int i);

/* Returns @v with only the first @n of its eight bytes; the other bytes are 0. */
int tx_keep(struct irb *b, int v, int n);

/* Copies a part of @text to @dst: from the offset in word 0 on, as many bytes as word 1 says. */
void tx_copy(const struct maker *m, int dst, int text, int words);

/* Each generates one routine of text.h. They are in the order of their files. */
void make_find8(const struct maker *m);
void make_find(const struct maker *m);
void make_chr(const struct maker *m);
void make_token(const struct maker *m);
void make_basename(const struct maker *m);
void make_dirname(const struct maker *m);
void make_cleanpath(const struct maker *m);
void make_strtoll(const struct maker *m);
void make_digits(const struct maker *m);
void make_json(const struct maker *m);
void make_dns_length(const struct maker *m);
void make_dns(const struct maker *m);
void make_find_begins(const struct maker *m);
void make_find_some(const struct maker *m);
void make_find8_some(const struct maker *m);
void make_span_some(const struct maker *m);
void make_parts_some(const struct maker *m);
void make_clean_some(const struct maker *m);
void make_number_some(const struct maker *m);
void make_json_steps(const struct maker *m);
void make_json_some(const struct maker *m);

#endif
