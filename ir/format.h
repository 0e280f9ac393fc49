/*
 * format.h - parses the format strings of printf() and printa().
 *
 * The compiler checks the conversions against the types of the arguments; the consumer prints with
 * them. A table lists the conversions: a new conversion needs only a row.
 */
#ifndef IR_FORMAT_H
#define IR_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct strbuf;

/* Maximum width or precision; a larger one in an argument counts as this. */
#define CONV_COLUMNS_MAX 65535

enum conv_flag {
	CONV_ALT = 1,        /* # */
	CONV_ZERO = 2,       /* 0 */
	CONV_LEFT = 4,       /* - */
	CONV_PLUS = 8,       /* + */
	CONV_SPACE = 16,     /* blank */
	CONV_GROUP = 32,     /* ' */
	CONV_AGG = 64,       /* %@: takes an aggregation, not a value */
	CONV_DYNWIDTH = 128, /* '*': the width is an argument */
	CONV_DYNPREC = 256,
};

/* The type that a conversion accepts. */
enum conv_want {
	WANT_NONE, /* %% */
	WANT_INT,  /* any integer */
	WANT_SINT, /* with a size prefix: an integer of exactly conv.size bytes */
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
	const char *lit; /* text before the conversion, escapes resolved; not terminated */
	uint32_t litlen;
	const struct conv_def *def; /* NULL: only text (at the end of the format) */
	uint32_t flags;             /* enum conv_flag */
	int32_t width, prec;        /* -1: not given; DTrace treats a precision of 0 as not given */
	uint8_t size; /* size that the prefix (hh h l ll) stands for: 1 2 4 8 bytes; 0: no prefix */
};

/* One row of the conversion table. */
struct conv_def {
	const char *name; /* "d", "x", "wc" ... */
	enum conv_want want;
	/* the type in DTrace's messages: "int", "char [] or string (or use stringof)" */
	const char *wanted;
};

struct format {
	const char *text; /* as written */
	struct conv *conv;
	uint32_t nconv;
};

/*
 * Parses @text. The result belongs to @a. On an error, returns NULL and sets *@err to DTrace's
 * message, also in @a: "format conversion #1 is undefined: %z".
 */
struct format *format_parse(struct arena *a, const char *text, const char **err);

#endif
