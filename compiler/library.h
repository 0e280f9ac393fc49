/*
 * library.h - the D texts that are built into the program.
 */
#ifndef COMPILER_LIBRARY_H
#define COMPILER_LIBRARY_H

#include <stddef.h>

struct library_text {
	const char *name;
	const char *text; /* NUL-terminated */
	size_t len;
};

/* In the order in which they are read; a NULL name ends the list. */
extern const struct library_text library_texts[];

/* The kernel's types in replay. */
extern const struct library_text library_ksim;

#endif
