/*
 * library.h - loads shared libraries that only some runs need.
 */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

/* A symbol of a library, and the pointer to set to its address. */
struct library_symbol {
	const char *name;
	void **to;
};

/*
 * Loads the library @file, a name for dlopen(), and sets the pointers of all @n symbols. The
 * library is never unloaded. Returns false if the library or one of the symbols is missing.
 */
bool library_load(const char *file, const struct library_symbol *names, size_t n);

/*
 * Records in @d that the library @file cannot be loaded, and which Debian package contains it. The
 * message begins with @what, the feature that needs the library. Returns -1.
 */
int library_missing(struct diag *d, enum dtag tag, struct loc loc, const char *what,
		    const char *file);

#endif
