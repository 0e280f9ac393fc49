/*
 * text.h - routines over characters. Each routine is a separate function in the units (eBPF
 * programs) that use it.
 *
 * Texts are in scratch memory and end with a NUL. A routine takes the addresses of texts, and the
 * address of some words of 8 bytes for its numbers. The verifier forgets a number that was stored
 * in memory, so it walks the code after the store once, not once for each possible number. Offsets
 * are masked, so that the verifier sees that they stay within the text.
 *
 * The comments below show the arguments of a routine in parentheses. `dst` is the slot for the
 * result. `words` are the words, and w0, w1 ... are word 0, word 1 ...
 */
#ifndef COMPILER_CODE_STRINGS_TEXT_H
#define COMPILER_CODE_STRINGS_TEXT_H

#include <stdint.h>

enum text_routine {
	RT_LEN, /* (text, words): sets w0 to the length of text */
	/*
	 * (dst, text, words): copies w1 characters of text from offset w0 on, as many as dst can
	 * hold
	 */
	RT_COPY,
	RT_SUBSTR, /* (dst, text, words): writes substr(text, w0, w1) */
	RT_UPPER,  /* (dst, text): RT_UPPER writes text in upper case, and RT_LOWER in lower case */
	RT_LOWER,
	/*
	 * RT_FIND8, RT_FIND and RT_CHR find a place in a text. Before the call, w0 is the offset to
	 * begin at, and w1 is 1 to find the last place or 0 to find the first one. After the call,
	 * w0 is the offset of the place, or -1 if there is none, and w1 is the length of the text
	 * from the place on.
	 */
	RT_FIND8, /* (text, part, words): finds a part of at most 8 characters */
	/*
	 * (text, part, words, table): finds any part; table has 2 bytes for each byte of capacity
	 */
	RT_FIND,
	RT_CHR, /* (text, words): finds character w2 in the whole text, without regard to w0 */
	/*
	 * (dst, state, delimiters, words): strtok(). Sets w1 to the length of the token, or to 0 if
	 * no token is left. TOKEN_TEXT describes the state.
	 */
	RT_TOKEN,
	RT_BASENAME,
	/* (dst, text, words): dirname(); RT_BASENAME does basename() and has the same arguments */
	RT_DIRNAME,
	/*
	 * (dst, text, words, table, work): cleanpath(). The table has the size of RT_FIND's table;
	 * work is memory for another text.
	 */
	RT_CLEANPATH,
	RT_STRTOLL, /* (text, words): reads a number in base w0, and sets w0 to the number */
	RT_DIGITS,  /* (text, words): writes lltostr(w0, w1) to text */
	/*
	 * (text, path, words, table): json(). Returns its results in the same way as RT_FIND. The
	 * table has json_table_size() bytes.
	 */
	RT_JSON,
	/*
	 * The next two routines read a name in a DNS message. Before the call, w0 is the number of
	 * captured bytes at `labels`, at most DNS_NAME. RT_DNS_LENGTH sets w1 to the length of the
	 * name including its end. It sets w1 to -1 if the bytes are no name, and to 0 if the end
	 * was not captured.
	 */
	RT_DNS_LENGTH, /* (labels, words) */
	/* (dst, labels, work, words): writes the name as text; work is memory for another text */
	RT_DNS,
	/* (slot, slot): returns a number that is <, = or > 0, as strcmp() of the two texts would */
	RT_COMPARE,
	RT_ZERO, /* (dst): zeros the slot */
	/*
	 * Each of the next routines makes some rounds of a loop in a routine above: see
	 * tx_pieces().
	 */
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

#define TEXT_WORDS 160 /* size in bytes of the words that a routine may use */
/*
 * Offset of the text in the state of strtok(). Before the text, the state has a u64 with the
 * current position.
 */
#define TOKEN_TEXT 8

/*
 * Returns the capacity of a text in scratch memory: its size in bytes, a power of two. TEXT_SLACK
 * more bytes follow the text.
 */
uint32_t text_capacity(uint32_t strsize);
#define TEXT_SLACK 8

/* Maximum length of a name (RFC 1035 2.3.4). The memory at `labels` has one byte more. */
#define DNS_NAME 255

/* Returns the size of the table of RT_JSON in bytes. */
uint32_t json_table_size(void);

struct irb;
struct routine;

/* tx_get_word() returns a register with word @i of @words. tx_set_word() sets that word to @v. */
int tx_get_word(struct irb *b, int words, int i);
void tx_set_word(struct irb *b, int words, int i, int v);

/*
 * Maximum sizes in bytes, NULs included, of the first text, of the second text and of the result.
 * Smaller sizes need fewer rounds.
 */
struct text_size {
	uint32_t text, part, dst;
};

/* Returns the variant of a routine for texts of sizes @s. */
uint32_t text_variant(uint32_t strsize, struct text_size s);

/* Returns routine @r, to be called with a variant by gen_routine(). */
const struct routine *text_routine(enum text_routine r);

#endif
