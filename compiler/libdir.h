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
	VEC(struct lib_file *) order; /* the files, each after those that it depends on */
};

/*
 * Reads all *.d files of folder @dir, sorted by name. The libdir owns the texts; everything else is
 * in arena @a. Returns 0, or -1 with the error recorded.
 */
int libdir_read(struct libdir *l, struct arena *a, const char *dir, struct diag *d);

/*
 * Fills in l->order. @is_ours returns whether a built-in file has that name. Returns 0, or -1 with
 * the error recorded.
 */
int libdir_sort(struct libdir *l, bool (*is_ours)(const char *name), struct diag *d);

/*
 * Finds the next line "#pragma D depends_on KIND thing" of the text. *@off is 0 in the first call,
 * and 1 more than the result in later calls. Sets *@off to the line's '#', and copies at most 127
 * bytes of the thing. Returns false if there is no such line.
 */
bool libdir_depends(const struct src *src, const char *kind, uint32_t *off, char thing[128]);

/* Frees the texts. */
void libdir_release(struct libdir *l);

#endif
