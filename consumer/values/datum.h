/*
 * datum.h - one recorded value, and how trace() and the default rows show it.
 */
#ifndef CONSUMER_VALUES_DATUM_H
#define CONSUMER_VALUES_DATUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "ir/program.h"

struct datum {
	enum field_kind kind;
	uint32_t size; /* as in the field */
	uint64_t num;  /* integers: extended to 64 bits as their kind says */
	const char *s; /* strings: and symbols: their text; memory: its bytes; stacks: addresses, a
			  process's behind its pid.  Not terminated */
	size_t len;
	const char *label;  /* as in the field */
	bool fixed;         /* likewise */
	bool layout;        /* likewise */
	bool address;       /* as in the field */
	bool safe;          /* a text or a number that the program itself has: safe to show */
	struct strbuf text; /* holds what s points to, if nothing else does */
};

/*
 * What a datum is in the key of a row: its number, its bytes behind how many they are, or its
 * bytes.
 */
enum datum_encoding { DATUM_NUMBER, DATUM_SIZED, DATUM_FIXED };

/* Of data of that kind. */
enum datum_encoding datum_encoding(enum field_kind kind);

/*
 * The next line of a stack that is text (FIELD_FRAMES), from @at on, which is 0 at first; false:
 * there is none.
 */
bool datum_next_frame(const struct datum *d, size_t *at, const char **line, size_t *len);

/* Appends @len bytes as tracemem() shows them: rows of 16, in hexadecimal and as characters. */
void datum_dump(struct strbuf *out, const char *s, size_t len);

/* Widths of strings in default output. */
enum { DATUM_TRACE_WIDTH = 33, DATUM_KEY_WIDTH = 50 };

/* Reads field @f of the record or key at @base, which must outlive the use of @d. */
void datum_read(const struct program *p, const struct field *f, const void *base, struct datum *d);
void datum_release(struct datum *d);

/*
 * Is a string text?  Blanks and line breaks are text, too, which is shown by visible_add();
 * what has other controls, or is not UTF-8, is dumped.
 */
bool datum_is_text(const struct datum *d);

/* Memory that looks like a string: text of @len bytes, not 0, then nothing but NULs. */
bool datum_is_c_string(const struct datum *d, size_t *len);

/* A number as an integer of @size bytes, whatever it was. */
uint64_t datum_truncate(uint64_t num, uint32_t size, bool sgn);

/* Orders keys: integers as unsigned, all others by their bytes. */
int datum_cmp(const struct datum *a, const struct datum *b);

/*
 * Appends a number (FIELD_INT, FIELD_UINT) as its type says: with its sign, without, or as an
 * address.
 */
void datum_number(struct strbuf *out, const struct datum *d, int width);

/* Appends @v in decimal, right-justified in @width. */
void datum_int(struct strbuf *out, int64_t v, int width);

/*
 * Appends @d as trace() shows it: padded for columns, bare when @quiet.  @raw:
 * strings and memory as a hex dump always.  @indent: of the lines of a stack.
 */
void datum_show(struct strbuf *out, const struct datum *d, int width, bool quiet, bool raw,
		int indent);

/* The float, double or long double of @size bytes at @at; 0 where @size is none of theirs. */
long double datum_float(const char *at, size_t size);

#endif
