/*
 * format.h - printf and printa format strings, taken apart once.
 *
 * The compiler checks the conversions against the arguments' types; the
 * consumer prints with them.  The conversions are a table: a row adds one.
 */
#ifndef IR_FORMAT_H
#define IR_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct strbuf;

/* Columns that a width or precision may ask for; a greater one, of an argument, counts as this. */
#define CONV_COLUMNS_MAX 65535

enum conv_flag {
	CONV_ALT = 1,        /* # */
	CONV_ZERO = 2,       /* 0 */
	CONV_LEFT = 4,       /* - */
	CONV_PLUS = 8,       /* + */
	CONV_SPACE = 16,     /* blank */
	CONV_GROUP = 32,     /* ' */
	CONV_AGG = 64,       /* %@: takes an aggregation, not a value */
	CONV_DYNWIDTH = 128, /* '*': the width is an argument of its own */
	CONV_DYNPREC = 256,
};

/* What a conversion accepts; the compiler turns it into D's error messages. */
enum conv_want {
	WANT_NONE, /* %% */
	WANT_INT,  /* any integer */
	WANT_SINT, /* with a size prefix: exactly this size (see conv.size) */
	WANT_CHAR,
	WANT_STRING, /* string or char array */
	WANT_PTR,    /* pointer or integer */
	WANT_ADDR,
	WANT_TIME,
	WANT_STACK,
	WANT_FLOAT,
	WANT_PORT, /* %P */
	WANT_HOST, /* %I */
};

struct conv {
	const char *lit; /* text before the conversion, with escapes already resolved */
	uint32_t litlen;
	const struct conv_def *def; /* NULL: literal text only (the end of the format) */
	uint32_t flags;             /* enum conv_flag */
	int32_t width, prec;        /* -1: not given; a precision of 0 is none in D */
	uint8_t size;               /* of the prefix: 0 none, else 1 2 4 8 bytes (hh h l ll) */
};

/* One row of the conversion table. */
struct conv_def {
	const char *name; /* "d", "x", "wc" ... */
	enum conv_want want;
	/* as D's message names it: "int", "char [] or string (or use stringof)" */
	const char *wanted;
};

struct format {
	const char *text; /* as written */
	struct conv *conv;
	uint32_t nconv;
};

/*
 * Takes @text apart; all of the result lives in @a.  NULL on an unknown
 * conversion or a malformed one: then *@err is D's message about it
 * ("format conversion #1 is undefined: %z"), allotted from @a.
 */
struct format *format_parse(struct arena *a, const char *text, const char **err);

#endif
