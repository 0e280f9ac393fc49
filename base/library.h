/*
 * library.h - libraries that only some runs need, loaded when they do.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* A function or variable, and the pointer that is to point to it. */
struct library_symbol {
	const char *name;
	void **to;
};

/*
 * Loads @file, a name as dlopen() takes it, and sets all @n pointers.  It is never unloaded. False:
 * it is not there, or has not all of them.
 */
bool library_load(const char *file, const struct library_symbol *names, size_t n);

/*
 * Records in @d that the library @file could not be loaded, and which Debian package has it. @what:
 * what was to be done with it. Returns -1.
 */
int library_missing(struct diag *d, enum dtag tag, struct loc loc, const char *what,
		    const char *file);

#endif
