/*
 * libdir.h - the library files of -L.
 */
#ifndef COMPILER_LIBDIR_H
#define COMPILER_LIBDIR_H

#include <stddef.h>

#include "base/diag.h"
#include "base/vec.h"

struct lib_file {
	struct src *src;
	const char *name; /* without its folder, as depends_on names it */
	int state;        /* used by libdir_sort() */
};

struct libdir {
	VEC(struct lib_file) file;
	VEC(struct lib_file *) order; /* each after those that it depends on */
};

/*
 * Reads all *.d files of folder @dir, sorted by name. The libdir owns the texts; everything else is
 * in arena @a. Returns 0, or -1 with the error recorded.
 */
int libdir_read(struct libdir *l, struct arena *a, const char *dir, struct diag *d);

/*
 * Sets the order. @is_ours: returns whether a built-in file has that name. Returns 0, or -1 with
 * the error recorded.
 */
int libdir_sort(struct libdir *l, bool (*is_ours)(const char *name), struct diag *d);

/*
 * Finds the next "#pragma D depends_on KIND thing" of the text at or after *@off, the start of a
 * line. Sets *@off to its '#', so add 1 before the next call, and copies at most 127 bytes of the
 * thing. Returns false if there is none.
 */
bool libdir_depends(const struct src *src, const char *kind, uint32_t *off, char thing[128]);

/* Frees the texts. */
void libdir_release(struct libdir *l);

#endif
