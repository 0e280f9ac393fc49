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
	const char *name; /* without its folder: what depends_on calls it */
	int state;        /* of the walk in libdir_sort() */
};

struct libdir {
	VEC(struct lib_file) file;
	VEC(struct lib_file *) order; /* each after those it depends on */
};

/* Reads all *.d of @dir, by name.  The texts are the libdir's, the rest is @a's. */
int libdir_read(struct libdir *l, struct arena *a, const char *dir, struct diag *d);

/* Sets the order.  @is_ours: may a file depend on it, as it was read before? */
int libdir_sort(struct libdir *l, bool (*is_ours)(const char *name), struct diag *d);

/*
 * The next "#pragma D depends_on KIND thing" of the text at or behind *@off; false: there is no
 * more.
 */
bool libdir_depends(const struct src *src, const char *kind, uint32_t *off, char thing[128]);

void libdir_release(struct libdir *l);

#endif
