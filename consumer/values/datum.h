/*
 * datum.h - one recorded value, and how trace() and default output print it.
 */
#ifndef CONSUMER_VALUES_DATUM_H
#define CONSUMER_VALUES_DATUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "ir/program.h"

/* A recorded value.  All zero at first; datum_read() fills it in and may be called again. */
struct datum {
	enum field_kind kind;
	uint32_t size; /* bytes in the record or key, as in struct field */
	uint64_t num;  /* integers: the value, extended to 64 bits by the type's sign */
	/*
	 * Strings and symbols: the text.  Memory: the bytes.  Kernel stacks: the addresses.
	 * Stacks of a process: its pid, then the addresses.  Not NUL-terminated.
	 */
	const char *s;
	size_t len; /* bytes at @s */

	/* As in struct field: */
	const char *label;
	bool fixed;
	bool layout;
	bool address;

	bool safe;          /* a literal of the program: printed without escaping */
	struct strbuf text; /* owns the bytes at @s, if they are not in the record */
};

/* How a value is encoded in a canonical key (consumer/aggs/aggs.h). */
enum datum_encoding {
	DATUM_NUMBER, /* 8 bytes */
	DATUM_SIZED,  /* u32 length, then the bytes */
	DATUM_FIXED,  /* the bytes */
};

enum datum_encoding datum_encoding(enum field_kind kind);

/*
 * Finds the next frame of a stack that is text (FIELD_FRAMES, FIELD_UFRAMES).  *@at is 0 at first.
 * Returns false after the last frame.  @line is not NUL-terminated and borrows from @d.
 */
bool datum_next_frame(const struct datum *d, size_t *at, const char **line, size_t *len);

/* Appends @len bytes as tracemem() prints them: rows of 16, in hexadecimal and as characters. */
void datum_dump(struct strbuf *out, const char *s, size_t len);

/* Widths of strings in default output, in columns. */
enum { DATUM_TRACE_WIDTH = 33, DATUM_KEY_WIDTH = 50 };

/* Reads field @f of the record or map key at @base, which must outlive the use of @d. */
void datum_read(const struct program *p, const struct field *f, const void *base, struct datum *d);
void datum_release(struct datum *d);

/*
 * Returns whether a string is UTF-8 without control characters other than \a \b \t \n \v \f \r.
 * Default output prints such a string as text, and dumps any other in hexadecimal.
 */
bool datum_is_text(const struct datum *d);

/*
 * Returns whether memory is a non-empty text followed by nothing but NULs. Sets *@len to the bytes
 * of the text.
 */
bool datum_is_c_string(const struct datum *d, size_t *len);

/* Truncates @num to an integer of @size bytes and extends it to 64 bits again. */
uint64_t datum_truncate(uint64_t num, uint32_t size, bool sgn);

/* Orders keys: integers as unsigned numbers, all other values by their bytes. */
int datum_cmp(const struct datum *a, const struct datum *b);

/* Appends an integer by its type: signed, unsigned, or in hexadecimal if it is an address. */
void datum_number(struct strbuf *out, const struct datum *d, int width);

/* Appends @v in decimal, right-justified in @width columns. */
void datum_int(struct strbuf *out, int64_t v, int width);

/*
 * Appends @d as trace() prints it.
 * @width: columns for strings and symbols
 * @quiet: no padding and no leading blanks
 * @raw: dump strings and memory in hexadecimal even if they are text (-x rawbytes)
 * @indent: blanks before each frame of a stack
 */
void datum_show(struct strbuf *out, const struct datum *d, int width, bool quiet, bool raw,
		int indent);

/* Returns the float, double or long double of @size bytes at @at; 0 for any other size. */
long double datum_float(const char *at, size_t size);

#endif
