/*
 * nl_lib.c - libnl's caches of what the kernel knows of networks, loaded when a run wants them.
 */
#include "replay/nl_lib.h"

#ifdef HAVE_NL
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"

static struct nl_lib lib;

struct symbol {
	const char *name;
	void **to;
};

#define X(name) {#name, (void **)&lib.name},
static const struct symbol core[] = {NL_FUNCTIONS(X)}, route[] = {NL_ROUTE_FUNCTIONS(X)};
#undef X

static bool load(const char *file, const struct symbol *s, size_t n)
{
	void *so = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	for (size_t i = 0; so && i < n; i++) {
		*s[i].to = dlsym(so, s[i].name);
		if (!*s[i].to)
			return false;
	}
	return so;
}

const struct nl_lib *nl_lib(const char *why, struct diag *d)
{
	if (load("libnl-3.so.200", core, sizeof(core) / sizeof(*core)) &&
	    load("libnl-route-3.so.200", route, sizeof(route) / sizeof(*route)))
		return &lib;
	diag_error(d, D_SYS, NOLOC,
		   "%s: that takes libnl-route-3, which cannot be loaded (package libnl-route-3-200)", why);
	return NULL;
}
#endif
