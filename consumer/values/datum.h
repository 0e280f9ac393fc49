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

/*
 * A recorded value. All members are zero at first. datum_read() fills the struct in, and may be
 * called again for another value.
 */
struct datum {
	enum field_kind kind;
	uint32_t size; /* size in the record or key, in bytes */
	/* value of an integer, extended to 64 bits according to the sign of its type */
	uint64_t num;
	/*
	 * The data of values other than integers, without a NUL at the end. A string or symbol has
	 * its text, memory has its bytes, and a kernel stack has its addresses. The stack of a
	 * process has the process ID and then the addresses.
	 */
	const char *s;
	size_t len; /* number of bytes at @s */

	/* Copies of the members of struct field: */
	const char *label;
	bool fixed;
	bool layout;
	bool address;

	/*
	 * the value needs no escapes: it is a literal of the program, or is trusted for another
	 * reason
	 */
	bool safe;
	struct strbuf text; /* owns the bytes at @s, unless they are in the record */
};

/* How a value is stored in a canonical key (consumer/aggs/aggs.h). */
enum datum_encoding {
	DATUM_NUMBER, /* as 8 bytes */
	DATUM_SIZED,  /* as a u32 length, and then the bytes */
	DATUM_FIXED,  /* as the bytes alone */
};

enum datum_encoding datum_encoding(enum field_kind kind);

/*
 * Finds the next frame of a stack that is stored as text (FIELD_FRAMES, FIELD_UFRAMES). *@at must
 * be 0 at first. Returns false after the last frame. @line has no NUL and borrows from @d.
 */
bool datum_next_frame(const struct datum *d, size_t *at, const char **line, size_t *len);

/*
 * Appends @len bytes in the form of tracemem(): rows of 16 bytes, in hexadecimal and as characters.
 */
void datum_dump(struct strbuf *out, const char *s, size_t len);

/* The widths of strings in default output, in columns. */
enum { DATUM_TRACE_WIDTH = 33, DATUM_KEY_WIDTH = 50 };

/* Reads field @f of the record or map key at @base, which must outlive the use of @d. */
void datum_read(const struct program *p, const struct field *f, const void *base, struct datum *d);
void datum_release(struct datum *d);

/*
 * Returns whether a string is UTF-8 and has no control characters except \a \b \t \n \v \f \r.
 * Default output prints such a string as text, and any other string in hexadecimal.
 */
bool datum_is_text(const struct datum *d);

/*
 * Returns whether memory contains a text that is not empty, and after it only NULs. Sets *@len to
 * the length of the text in bytes.
 */
bool datum_is_c_string(const struct datum *d, size_t *len);

/*
 * Returns @num truncated to an integer of @size bytes, and extended to 64 bits again. @sgn says
 * whether that integer is signed.
 */
uint64_t datum_truncate(uint64_t num, uint32_t size, bool sgn);

/*
 * Compares two keys for sorting. Integers are compared as unsigned numbers, and all other values by
 * their bytes.
 */
int datum_cmp(const struct datum *a, const struct datum *b);

/*
 * Appends an integer in the form of its type: signed, unsigned, or in hexadecimal if it is an
 * address.
 */
void datum_number(struct strbuf *out, const struct datum *d, int width);

/* Appends @v in decimal, right-justified in @width columns. */
void datum_int(struct strbuf *out, int64_t v, int width);

/*
 * Appends @d as trace() prints it. Strings take @width columns. If @quiet is set, there is no
 * padding and no leading blank. Symbols always take DATUM_KEY_WIDTH columns, even if @quiet is set.
 * If @raw is set (-x rawbytes), strings and memory are printed in hexadecimal even if they are
 * text. Each frame of a stack begins with @indent blanks.
 */
void datum_show(struct strbuf *out, const struct datum *d, int width, bool quiet, bool raw,
		int indent);

/*
 * Returns the float, double or long double at @at, whose size is @size bytes. Returns 0 if no such
 * type has that size.
 */
long double datum_float(const char *at, size_t size);

#endif
