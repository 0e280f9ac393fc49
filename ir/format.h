/*
 * format.h - parses the format strings of printf() and printa().
 *
 * The compiler checks the conversions against the types of the arguments, and the consumer prints
 * the arguments. A table lists the conversions, so a new conversion needs only a row.
 */
#ifndef IR_FORMAT_H
#define IR_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct strbuf;

/* Maximum width or precision. If an argument gives a larger one, this maximum is used. */
#define CONV_COLUMNS_MAX 65535

enum conv_flag {
	CONV_ALT = 1,        /* # */
	CONV_ZERO = 2,       /* 0 */
	CONV_LEFT = 4,       /* - */
	CONV_PLUS = 8,       /* + */
	CONV_SPACE = 16,     /* blank */
	CONV_GROUP = 32,     /* ' */
	CONV_AGG = 64,       /* %@, which takes an aggregation instead of a value */
	CONV_DYNWIDTH = 128, /* the width is *, so an argument gives it */
	CONV_DYNPREC = 256,
};

/* The types that a conversion may accept. */
enum conv_want {
	WANT_NONE, /* %% */
	WANT_INT,  /* any integer */
	/* an integer of exactly conv.size bytes, because the conversion has a size prefix */
	WANT_SINT,
	WANT_CHAR,
	WANT_STRING, /* string or char array */
	WANT_PTR,    /* pointer or integer */
	WANT_ADDR,
	WANT_TIME,
	WANT_STACK,
	WANT_FLOAT,
	WANT_PORT, /* port, for %P */
	WANT_HOST, /* host, for %I */
};

struct conv {
	/* text before the conversion, with escapes resolved; not terminated by a NUL */
	const char *lit;
	uint32_t litlen;
	const struct conv_def *def; /* NULL if there is only text, at the end of the format */
	uint32_t flags;             /* enum conv_flag */
	/* -1 if not given; DTrace treats a precision of 0 as not given */
	int32_t width, prec;
	/*
	 * for an integer conversion with the prefix hh, h, l or ll: the size of the integer in
	 * bytes (1, 2 or 8); else 0
	 */
	uint8_t size;
};

/* One row of the conversion table. */
struct conv_def {
	const char *name; /* "d", "x", "wc" ... */
	enum conv_want want;
	/* the type as DTrace's messages name it: "int", "char [] or string (or use stringof)" */
	const char *wanted;
};

struct format {
	const char *text; /* the format string as the user wrote it */
	struct conv *conv;
	uint32_t nconv;
};

/*
 * Parses @text. The result is allocated from @a. On an error, returns NULL and sets *@err to
 * DTrace's message, which is also allocated from @a. An example is "format conversion #1 is
 * undefined: %z".
 */
struct format *format_parse(struct arena *a, const char *text, const char **err);

#endif
