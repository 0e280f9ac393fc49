/*
 * libindex.c - finds names in the index of the library.
 */
#include "compiler/syntax/libindex.h"

#include <string.h>

static int compare(const struct libindex *x, const struct lib_name *n, enum lib_kind kind,
		   const char *name)
{
	int cmp = strcmp(x->text + n->name, name);

	return cmp ? cmp : (int)n->kind - (int)kind;
}

uint32_t libindex_find(const struct libindex *x, enum lib_kind kind, const char *name)
{
	uint32_t lo = 0, hi = x->nname;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (compare(x, &x->name[mid], kind, name) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return libindex_is(x, lo, kind, name) ? lo : x->nname;
}

bool libindex_is(const struct libindex *x, uint32_t i, enum lib_kind kind, const char *name)
{
	return i < x->nname && !compare(x, &x->name[i], kind, name);
}
