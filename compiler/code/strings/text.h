/*
 * text.h - routines over characters. Each is a function of its own in the units that use it.
 *
 * Texts are in scratch memory and end with a NUL. A routine takes the addresses of texts, and the
 * address of some words of 8 bytes for its numbers. The verifier forgets a number that was stored
 * in memory, so it walks the code after the store once, not once for each possible number. Offsets
 * are masked, so that the verifier sees that they stay within the text.
 */
#ifndef COMPILER_CODE_STRINGS_TEXT_H
#define COMPILER_CODE_STRINGS_TEXT_H

#include <stdint.h>

enum text_routine {
	RT_LEN, /* (text, words): w0 = length */
	/* (dst, text, words): w1 characters from w0 on, as many as dst can hold */
	RT_COPY,
	RT_SUBSTR, /* (dst, text, words): substr() from w0 on, w1 characters */
	RT_UPPER,  /* (dst, text) */
	RT_LOWER,
	/*
	 * Place of a part of the text. In: w0 is where to begin, w1 is 1 for the last place, 0 for
	 * the first. Out: w0 is the place or -1, w1 is the length of the text from there on.
	 */
	RT_FIND8, /* (text, part, words): part of at most 8 characters */
	RT_FIND,  /* (text, part, words, table): any part; table: capacity * 2 bytes */
	RT_CHR,   /* (text, words): character w2 */
	/*
	 * (dst, state, delimiters, words): strtok(); w1 = length, 0: no token is left. state: see
	 * TOKEN_TEXT
	 */
	RT_TOKEN,
	RT_BASENAME,
	RT_DIRNAME, /* (dst, text, words) */
	/* (dst, text, words, table, work): table as for RT_FIND, work is another text */
	RT_CLEANPATH,
	RT_STRTOLL, /* (text, words): w0 = the number in base w0 */
	RT_DIGITS,  /* (text, words): lltostr() of w0 in base w1 */
	/*
	 * (text, path, words, table): json(), results as of RT_FIND; table: json_table_size() bytes
	 */
	RT_JSON,
	/*
	 * A name in a DNS message. In: w0 is the number of captured bytes at `labels`, at most
	 * DNS_NAME. Out: w1 is the name's length including its end; -1: it is no name; 0: not all
	 * of it was captured.
	 */
	RT_DNS_LENGTH, /* (labels, words) */
	RT_DNS,        /* (dst, labels, work, words): as text; work is another text */
	RT_COMPARE,    /* (slot, slot): <, = or > 0, as strcmp() of their texts */
	RT_ZERO,       /* (dst): zeros the slot */
	/* Some rounds of the loops of routines above: see tx_pieces(). */
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
/* Offset of the text in the state of strtok(), after the u64 of its position. */
#define TOKEN_TEXT 8

/*
 * Returns the size in bytes of a text in scratch memory, a power of two. TEXT_SLACK bytes follow
 * the text.
 */
uint32_t text_capacity(uint32_t strsize);
#define TEXT_SLACK 8

/* Longest name (RFC 1035 2.3.4). The memory at `labels` has one byte more. */
#define DNS_NAME 255

/* Returns the size of the table of RT_JSON in bytes. */
uint32_t json_table_size(void);

struct irb;
struct routine;

/* tx_get_word() returns a register with word @i of @words. tx_set_word() sets that word to @v. */
int tx_get_word(struct irb *b, int words, int i);
void tx_set_word(struct irb *b, int words, int i, int v);

/*
 * Maximum sizes of the first and second text and of the result, NULs included, in bytes. Smaller
 * ones need fewer rounds.
 */
struct text_size {
	uint32_t text, part, dst;
};

/* Returns the variant of a routine for texts of these sizes. */
uint32_t text_variant(uint32_t strsize, struct text_size s);

/* Returns routine @r, to be called with a variant by gen_routine(). */
const struct routine *text_routine(enum text_routine r);

#endif
