/*
 * cpp.h - -C: scripts go through the system's C preprocessor.
 */
#ifndef CMD_CPP_H
#define CMD_CPP_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct diag;

/* All zero: not wanted. */
struct cpp_opts {
	bool on;               /* -C */
	bool headers;          /* -H: the names of headers go to standard error */
	const char *path;      /* NULL: cpp, as PATH has it */
	const char *stdc;      /* -X: "a", "c", "s" or "t"; NULL: "a" */
	VEC(const char *) arg; /* -D, -U and -I, each followed by its value, and cppargs */
};

/*
 * Replaces the text of script @name (the name is for messages, and beside it lie the
 * headers that it includes in quotes) by what the preprocessor makes of it, line markers
 * included.  0, or -1 with the error in @d; what the preprocessor itself says goes to
 * standard error.
 */
int cpp_run(const struct cpp_opts *o, const char *name, struct strbuf *text, struct diag *d);

#endif
