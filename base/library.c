/*
 * library.c - see library.h.
 */
#include "base/library.h"

#include <dlfcn.h>

bool library_load(const char *file, const struct library_name *names, size_t n)
{
	void *lib = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; lib && i < n; i++) {
		*names[i].to = dlsym(lib, names[i].name);
		if (!*names[i].to)
			return false;
	}
	return lib;
}
