/*
 * text.h - routines over characters: each once in a unit that uses it, as a function of its own.
 *
 * Texts lie in scratch memory and end at a NUL.  A routine takes their addresses, and the address
 * of a few words of 8 bytes for its numbers. A number that has been in memory may be any number to
 * the verifier, so it walks the following code once, and not once for each possible number. Offsets
 * are cut by `mask`, so that the verifier sees that they stay within the text.
 */
#ifndef COMPILER_TEXT_H
#define COMPILER_TEXT_H

#include <stdint.h>

enum text_routine {
	RT_LEN, /* (text, words): w0 = characters before the NUL */
	/* (dst, text, words): w1 characters from w0 on; dst has strsize bytes, in words of 8 */
	RT_COPY,
	RT_SUBSTR, /* (dst, text, words): substr() from w0 on, w1 of them */
	RT_UPPER,  /* (dst, text) */
	RT_LOWER,
	/*
	 * Where a part begins: in w0 it comes back, -1 if nowhere, and w1 is how much of the text
	 * follows from there on.  w0: where to begin; w1: the last place (1) or the first (0).
	 */
	RT_FIND8, /* (text, part, words): a part of at most 8 characters */
	RT_FIND,  /* (text, part, words, table): of any length; table: capacity * 2 bytes */
	RT_CHR,   /* (text, words): character w2 */
	/*
	 * (dst, state, delimiters, words): strtok(); w1 = characters, 0: there is none; see
	 * TOKEN_TEXT
	 */
	RT_TOKEN,
	RT_BASENAME,
	RT_DIRNAME,   /* (dst, text, words) */
	RT_CLEANPATH, /* (dst, text, words, table, work): table as above, work another text */
	RT_STRTOLL,   /* (text, words): w0 = the number in base w0 */
	RT_DIGITS,    /* (text, words): lltostr() of w0 in base w1 */
	/* (text, path, words, table): json(), as RT_FIND; table: json_table_size() bytes */
	RT_JSON,
	/*
	 * A name as messages of DNS have it, w0: how many of the bytes at `labels` are there, at
	 * most DNS_NAME. Its length, which comes back in w1, is with what ends it; -1: it is none;
	 * 0: not all of it is there.
	 */
	RT_DNS_LENGTH, /* (labels, words) */
	RT_DNS,        /* (dst, labels, work, words): as text; work: another text */
	RT_COMPARE,    /* (slot, slot): less than, equal to or greater than 0, as the first is */
	RT_ZERO,       /* (dst): all of it */
	/* Some rounds of their loops, for the above: see tx_pieces(). */
	RT_FIND_BEGINS,
	RT_FIND_SOME,
	RT_FIND8_SOME,
	RT_SPAN_SOME,
	RT_PARTS_SOME,
	RT_CLEAN_SOME,
	RT_NUMBER_SOME,
	RT_JSON_STEPS,
	RT_JSON_SOME,
	RT_MAX
};

#define TEXT_WORDS 160 /* bytes of words that a routine may use */
/* Offset of the text that strtok() splits, behind the u64 of its position. */
#define TOKEN_TEXT 8

/*
 * A text in scratch memory has as many bytes as this, and TEXT_SLACK behind them: a power of two.
 */
uint32_t text_capacity(uint32_t strsize);
#define TEXT_SLACK 8

#define DNS_NAME 255 /* bytes that a name has at most (RFC 1035 2.3.4); labels lie in one more */

/* The words of RT_JSON's state. */
uint32_t json_table_size(void);

struct irb;
struct routine;

/* Word @i of a routine's words; it becomes @v. */
int tx_get_word(struct irb *b, int words, int i);
void tx_set_word(struct irb *b, int words, int i, int v);

/*
 * Bytes that the first and second text, and the result, have at most, their NULs included: fewer
 * rounds.
 */
struct text_size {
	uint32_t text, part, dst;
};

/* The sizes that a routine is made for. */
uint32_t text_variant(uint32_t strsize, struct text_size s);

/* For gen_routine(), made for what text_variant() gave. */
const struct routine *text_routine(enum text_routine r);

#endif
