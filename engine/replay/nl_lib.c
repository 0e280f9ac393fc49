/* nl_lib.c - loads libnl, which keeps caches of network state, when a run needs it. */
#include "engine/replay/nl_lib.h"

#ifdef HAVE_NL
#include "base/diag.h"
#include "base/library.h"

static struct nl_lib lib;

#define X(name) {#name, (void **)&lib.name},
static const struct library_symbol core[] = {NL_FUNCTIONS(X)}, route[] = {NL_ROUTE_FUNCTIONS(X)};
#undef X

const struct nl_lib *nl_lib(const char *why, struct diag *d)
{
	if (library_load("libnl-3.so.200", core, sizeof(core) / sizeof(*core)) &&
	    library_load("libnl-route-3.so.200", route, sizeof(route) / sizeof(*route)))
		return &lib;
	library_missing(d, D_SYS, NOLOC, why, "libnl-route-3.so.200");
	return NULL;
}
#endif
