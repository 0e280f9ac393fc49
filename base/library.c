/*
 * library.c - loads shared libraries that only some runs need.
 */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

bool library_load(const char *file, const struct library_symbol *names, size_t n)
{
	void *lib = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; lib && i < n; i++) {
		*names[i].to = dlsym(lib, names[i].name);
		if (!*names[i].to)
			return false;
	}
	return lib;
}

/* The Debian packages of the libraries. */
static const struct {
	const char *file, *package;
	bool renamed; /* the package's name ends in t64 since Debian 13 */
} packages[] = {
	{"libdw.so.1", "libdw1", true},
	{"libmicrohttpd.so.12", "libmicrohttpd12", true},
	{"libncursesw.so.6", "libncursesw6", false},
	{"libnl-route-3.so.200", "libnl-route-3-200", false},
	{"libpcap.so.0.8", "libpcap0.8", true},
};

int library_missing(struct diag *d, enum dtag tag, struct loc loc, const char *what,
		    const char *file)
{
	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++) {
		const char *name = packages[i].package;

		if (strcmp(packages[i].file, file))
			continue;
		if (!packages[i].renamed)
			return diag_error(d, tag, loc,
					  "%s: cannot load %s: install the Debian package %s", what,
					  file, name);
		return diag_error(d, tag, loc,
				  "%s: cannot load %s: install the Debian package %s (%st64 since "
				  "Debian 13)",
				  what, file, name, name);
	}
	return diag_error(d, tag, loc, "%s: cannot load %s", what, file);
}
