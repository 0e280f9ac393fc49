/*
 * libdir.h - reads and sorts the D library files in the folders that -L names.
 */
#ifndef COMPILER_LIBDIR_H
#define COMPILER_LIBDIR_H

#include <stddef.h>

#include "base/diag.h"
#include "base/vec.h"

struct lib_file {
	struct src *src;
	const char *name; /* name without the folder, as "#pragma D depends_on" names the file */
	int state;        /* how far libdir_sort() is with this file */
};

struct libdir {
	VEC(struct lib_file) file;
	/* the files, sorted: each file follows the files that it depends on */
	VEC(struct lib_file *) order;
};

/*
 * Reads all *.d files of folder @dir, sorted by name. @l owns the texts of the files; everything
 * else is in arena @a. Returns 0, or -1 with the error recorded.
 */
int libdir_read(struct libdir *l, struct arena *a, const char *dir, struct diag *d);

/*
 * Sorts the files into l->order. A file may also depend on a built-in library file: @is_ours
 * returns whether there is one with that name. Returns 0, or -1 with the error recorded.
 */
int libdir_sort(struct libdir *l, bool (*is_ours)(const char *name), struct diag *d);

/*
 * Finds the next line "#pragma D depends_on KIND THING" of @src whose KIND is @kind. *@off must be
 * 0 in the first call, and 1 more than its last result in later calls. Sets *@off to the offset of
 * the line's '#', and copies at most 127 bytes of THING to @thing. Returns false if there is no
 * such line.
 */
bool libdir_depends(const struct src *src, const char *kind, uint32_t *off, char thing[128]);

/* Frees the texts. */
void libdir_release(struct libdir *l);

#endif
