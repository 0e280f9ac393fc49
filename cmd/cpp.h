/*
 * cpp.h - -C: runs the system's C preprocessor on scripts.
 */
#ifndef CMD_CPP_H
#define CMD_CPP_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct diag;

/* How scripts are preprocessed.  All zero: they are not. */
struct cpp_opts {
	bool on;               /* -C */
	bool headers;          /* -H: print the names of included files to stderr */
	const char *path;      /* path of the preprocessor; NULL: cpp, found in PATH */
	const char *stdc;      /* -X: "a", "c", "s" or "t"; NULL: "a" */
	VEC(const char *) arg; /* -D, -U and -I, each followed by its value, and -x cppargs */
};

/*
 * Replaces @text, the text of the script at @name, by the output of the preprocessor, which
 * includes line markers.  Files that the script includes in quotes are found beside @name.  Returns
 * 0, or -1 with the error in @d.  The preprocessor prints its own messages to stderr.
 */
int cpp_run(const struct cpp_opts *o, const char *name, struct strbuf *text, struct diag *d);

#endif
