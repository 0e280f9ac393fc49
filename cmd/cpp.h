/* cpp.h - implements -C, which runs the system's C preprocessor on scripts. */
#ifndef CMD_CPP_H
#define CMD_CPP_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct diag;

/* How scripts are preprocessed. If all members are zero, scripts are not preprocessed. */
struct cpp_opts {
	bool on;          /* -C: preprocess scripts */
	bool headers;     /* -H: print the names of included files to stderr */
	const char *path; /* path of the preprocessor, or NULL for the cpp in PATH */
	const char *stdc; /* argument of -X: "a", "c", "s" or "t"; NULL is the same as "a" */
	/* -D, -U and -I, each with its value; NULL with the words of -x cppargs */
	VEC(const char *) arg;
};

/*
 * Replaces @text, the text of the script at @name, by the output of the preprocessor. The output
 * contains line markers. A file that the script includes in quotes is searched for in the folder of
 * @name. The output may have at most FILE_TEXT_MAX bytes. Returns 0. On failure, returns -1 with
 * the error in @d. The preprocessor prints its own messages to stderr.
 *
 * If @foreign is set, somebody else can change the script. Then the preprocessor runs without our
 * rights, has limits of time and memory, and prints no messages.
 */
int cpp_run(const struct cpp_opts *o, const char *name, bool foreign, struct strbuf *text,
	    struct diag *d);

#endif
