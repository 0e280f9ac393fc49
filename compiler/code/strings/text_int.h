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
	const struct routine *table; /* the table of all routines, indexed by enum text_routine */
	uint32_t variant;
	uint32_t room; /* size of the memory of a text in bytes, a power of two */
	/*
	 * maximum lengths of the first and the second text, NUL included. Each is a power of
	 * two, and the number of rounds of the loop over that text.
	 */
	uint32_t text, part;
	uint32_t size; /* size in bytes of the slot for the result, a multiple of 8 */
};

/* ---- tx.c ---- */

#define ONES 0x0101010101010101
#define HIGH ((int64_t)0x8080808080808080)

/*
 * Within a round of a loop nothing branches, so a condition is a number: 0 or 1. The functions
 * below return registers.
 */

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
 * Leaves loop @l if the comparison @x @cc @imm is true. The exit is placed before the rest of the
 * round, so the verifier walks the exit immediately. It then recognises the same state at the exits
 * of later rounds. In the other order, the exits of all rounds would wait in the verifier.
 */
void tx_leave_if(struct irb *b, const struct irb_loop *l, enum ir_cc cc, int x, int64_t imm);

/*
 * A loop of many rounds is split into pieces. A separate routine makes PIECE rounds at a time. The
 * verifier walks that routine once, and then one call for each piece. The state that one round
 * passes to the next is in the words from W_STATE on. The caller writes:
 *
 *     tx_set_word(b, words, W_STATE, zero);
 *     tx_pieces(m, rounds, RT_X_SOME, 2, (int[]){text, words}, words);
 *
 * The routine RT_X_SOME is generated like this. The last piece may make more rounds than the loop
 * has, and these must do no harm:
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
	int first;       /* number of rounds that earlier pieces made */
	int at;          /* number of this round in the whole loop */
	int var[STATES]; /* variables with the state that one round passes to the next */
	unsigned nvar;
};

/*
 * Makes the loop: calls routine @piece, with the @n registers at @reg as arguments, until the piece
 * leaves the loop or @rounds rounds were made.
 */
void tx_pieces(const struct maker *m, uint32_t rounds, enum text_routine piece, unsigned n,
	       const int *reg, int words);
/*
 * tx_piece() begins the rounds of a piece that has @nvar words of state; tx_piece_end() ends them.
 */
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
 * Returns the length of the text, which is at most @most. Stores the length in word @i and loads it
 * again, so that the verifier does not know the value.
 */
int tx_length(const struct maker *m, uint32_t most, int text, int words, int i);

/* Returns @v with only its first @n bytes of eight (the lowest ones); the other bytes are 0. */
int tx_keep(struct irb *b, int v, int n);

/*
 * Copies characters of @text to @dst. Word 0 has the offset in @text, and word 1 the number of
 * bytes.
 */
void tx_copy(const struct maker *m, int dst, int text, int words);

/* Each of these functions generates one routine of text.h. Functions of one file stand together. */
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
